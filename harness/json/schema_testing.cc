// SPDX-License-Identifier: Apache-2.0
// Values are copied into RapidJSON documents for valijson's adapter. Its first report is the
// deepest place, which is what a reader wants to hear; the rest repeats it from further out.
#include "harness/json/schema_testing.h"

// Without it valijson prints and aborts.
#define VALIJSON_USE_EXCEPTIONS 1

// clang-format off
// The adapter first: it sets how RapidJSON asserts.
#include <valijson/adapters/rapidjson_adapter.hpp>

#include <rapidjson/document.h>

#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
// clang-format on

namespace harness::json {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

rapidjson::Value copy_text(const std::string& text, Allocator& allocator) {
  return rapidjson::Value(text.data(), static_cast<rapidjson::SizeType>(text.size()), allocator);
}

rapidjson::Value copy(const Value& value, Allocator& allocator) {
  switch (value.kind) {
    case Kind::kNull: return rapidjson::Value();
    case Kind::kBoolean: return rapidjson::Value(value.boolean);
    case Kind::kNumber:
      if (const auto whole = as_integer(value)) return rapidjson::Value(std::int64_t{*whole});
      return rapidjson::Value(as_double(value));
    case Kind::kString: return copy_text(value.text, allocator);
    case Kind::kArray: {
      rapidjson::Value out(rapidjson::kArrayType);
      for (const auto& item : value.items) out.PushBack(copy(item, allocator), allocator);
      return out;
    }
    case Kind::kObject: {
      rapidjson::Value out(rapidjson::kObjectType);
      for (const auto& member : value.members) {
        // By an integer valijson divides what is left of a number as an integer: 2.5 by 2, and
        // 1e308.
        const bool divisor = member.name == "multipleOf" && member.value.is_number();
        out.AddMember(
            copy_text(member.name, allocator),
            divisor ? rapidjson::Value(as_double(member.value)) : copy(member.value, allocator),
            allocator);
      }
      return out;
    }
  }
  return rapidjson::Value();
}

// valijson names a place "<root>[steps][0]".
std::string pointer(const std::vector<std::string>& context) {
  std::string out;
  for (const auto& part : context) {
    if (part.size() > 2 && part.front() == '[') out += "/" + part.substr(1, part.size() - 2);
  }
  return out;
}

}  // namespace

struct CompiledSchema::State {
  valijson::Schema schema;
};

Result<CompiledSchema> CompiledSchema::compile(const Value& schema) {
  rapidjson::Document memory;
  const auto document = copy(schema, memory.GetAllocator());
  auto state = std::make_shared<State>();
  try {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::RapidJsonAdapter(document), state->schema);
  } catch (const std::exception& error) {
    return Error{"", std::string("the JSON Schema cannot be read: ") + error.what(), ""};
  }
  CompiledSchema out;
  out.state_ = std::move(state);
  return out;
}

bool CompiledSchema::fits(const Value& value) const {
  rapidjson::Document memory;
  const auto document = copy(value, memory.GetAllocator());
  valijson::Validator validator;
  return validator.validate(state_->schema, valijson::adapters::RapidJsonAdapter(document),
                            nullptr);
}

Status validate(const Value& schema, const Value& value) {
  rapidjson::Document memory;
  const auto schema_document = copy(schema, memory.GetAllocator());
  const auto document = copy(value, memory.GetAllocator());

  valijson::Schema compiled;
  try {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::RapidJsonAdapter(schema_document), compiled);
  } catch (const std::exception& error) {
    return Error{"", std::string("the JSON Schema cannot be read: ") + error.what(), ""};
  }

  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(compiled, valijson::adapters::RapidJsonAdapter(document), &results)) {
    return Nothing{};
  }
  valijson::ValidationResults::Error first;
  if (!results.popError(first)) return Error{"", "the value does not fit the JSON Schema", ""};
  return Error{pointer(first.context), first.description, ""};
}

}  // namespace harness::json
