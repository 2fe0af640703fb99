// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/oracle_rows.h"

namespace harness::oracle {
namespace {

OracleRow row_of(const json::Member& entry, const json::RowReader& reader) {
  OracleRow out;
  out.name = entry.name;
  for (const json::Member& field : reader.members(entry.value, "write \"help: …\" below it")) {
    if (field.name == "help")
      out.help = reader.text(field.value);
    else if (field.name == "covers")
      out.covers = reader.texts(field.value);
    else if (field.name == "falsified_by")
      out.falsified_by = reader.texts(field.value);
    else
      reader.unknown(field.mark, "field", field.name, {"help", "covers", "falsified_by"});
  }
  if (out.help.empty() || out.falsified_by.empty())
    reader.refuse(entry.mark, "an oracle has a help and Faults that prove it",
                  "add \"help\" and \"falsified_by\"");
  return out;
}

}  // namespace

Result<std::vector<OracleRow>> read_oracle_rows(const std::vector<json::DataFile>& files) {
  std::vector<OracleRow> rows;
  const Status read = json::read_rows(files, [&](const json::RowReader& reader) {
    for (const json::Member& entry : reader.members(reader.rows(), "write \"NAME: {help: …}\""))
      rows.push_back(row_of(entry, reader));
  });
  if (!read) return read.error();
  return rows;
}

}  // namespace harness::oracle
