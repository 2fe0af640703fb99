// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/outcome.h"

#include "harness/json/write.h"
#include "harness/suite/answer.h"

namespace harness::suite {
namespace {

// Fills in references, until one has no value: then that is the error, and nothing more is done.
class Filling {
 public:
  explicit Filling(const Scope& scope) : scope_(scope) {}

  const std::optional<Error>& error() const { return error_; }

  Outcomes all(const Outcomes& outcomes) {
    Outcomes out = outcomes.by_row ? all(of_row<Outcomes>(*outcomes.by_row)) : outcomes;
    if (!outcomes.by_row) each_grade(out, [this](std::vector<Outcome>& list) { fill(list); });
    return out;
  }

  Answers all(Answers answers) {
    for (auto& [method, answer] : answers) fill(answer);
    return answers;
  }

 private:
  void fill(Answer& answer) {
    if (const auto* rows = std::get_if<std::shared_ptr<const AnswerByRow>>(&answer)) {
      Answer of = of_row<Answer>(**rows);
      answer = std::move(of);
    }
    if (auto* form = std::get_if<FormAnswer>(&answer))
      for (std::string& keyword : form->of) fill(keyword);
    auto* own = std::get_if<OwnAnswer>(&answer);
    if (!own) return;
    for (auto* value : {&own->result, &own->error})
      if (*value) put(expand(**value, scope_), **value);
    if (own->raw) fill(*own->raw);
  }
  void fill(std::vector<Outcome>& list) {
    for (Outcome& one : list) {
      if (one.by_row) {
        Outcomes of = all(of_row<Outcomes>(*one.by_row));
        one = of.pass.empty() ? Outcome{} : std::move(of.pass.front());
        continue;
      }
      each_pattern(one,
                   [this](json::Value& pattern) { put(expand_pattern(pattern, scope_), pattern); });
      for (HeaderPattern& header : one.headers) fill(header.name);
      for (std::string& status : one.http) fill(status);
      fill(one.breaks);
      fill(one.because);
      fill(one.all);
    }
  }
  void fill(std::string& text) {
    if (!text.empty()) put(expand_text(text, scope_), text);
  }

  template <class T, class Rows>
  const T& of_row(const Rows& by_row) {
    static const T kNone;
    const std::optional<json::Value> value = scope_.find({by_row.column});
    const auto found = value ? by_row.of.find(json::write(*value)) : by_row.of.end();
    if (found != by_row.of.end()) return found->second;
    if (!error_) error_ = Error{"", "${" + by_row.column + "} has no value here", ""};
    return kNone;
  }

  template <class T>
  void put(Result<T> filled, T& out) {
    if (filled)
      out = std::move(*filled);
    else if (!error_)
      error_ = filled.error();
  }

  const Scope& scope_;
  std::optional<Error> error_;
};

}  // namespace

Outcomes any_result() {
  Outcome out;
  out.result = json::object();
  return only(std::move(out));
}

Result<Outcomes> expand(const Outcomes& outcomes, const Scope& scope) {
  Filling filling(scope);
  Outcomes out = filling.all(outcomes);
  if (filling.error()) return *filling.error();
  return out;
}

Result<Answers> expand(const Answers& answers, const Scope& scope) {
  Filling filling(scope);
  Answers out = filling.all(answers);
  if (filling.error()) return *filling.error();
  return out;
}

}  // namespace harness::suite
