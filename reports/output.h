// SPDX-License-Identifier: Apache-2.0
// Output: where a report goes. A file appears whole or not at all: it is written under a temporary
// name beside its place and renamed. So a CI server never reads half a document.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "harness/base/result.h"

namespace reports {

class Output {
 public:
  virtual ~Output() = default;
  virtual std::ostream& stream() = 0;
  // Makes the text visible under its name. Called once, at the end.
  virtual harness::Status commit() = 0;
  virtual bool is_stdout() const = 0;
  // Makes this text visible until the end, in place of what was saved before. Only a file can take
  // it back: anything else ignores it.
  virtual void save(const std::string&) {}
};

// "-" and "" are standard output. A folder that does not exist or is not writable is reported here,
// not later. Devices and pipes are written in place, since a rename would replace them.
harness::Result<std::unique_ptr<Output>> open_output(const std::string& file);

// Whether open_output() would fail; existing files are unchanged.
harness::Status can_be_written(const std::string& file);

// The whole text, by open_output().
harness::Status write_file(const std::string& file, const std::string& text);

}  // namespace reports
