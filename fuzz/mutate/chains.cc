// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/chains.h"

#include "fuzz/mutate/tree.h"

namespace fuzz {
namespace {

constexpr std::size_t kFirstIdOfChains = 6'000'000;
constexpr std::size_t kMostBehind = 8;      // calls behind one reply
constexpr std::size_t kMostDescribed = 16;  // calls of a script

class ContractScripts {
 public:
  explicit ContractScripts(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  void add_method(const Tool& tool) {
    for (const auto* kind : {&tool.valid, &tool.boundary, &tool.broken})
      for (std::size_t i = 0; i < kind->size(); ++i) {
        if (i % kMostDescribed == 0) begin();
        call(tool, (*kind)[i]);
      }
  }

  void add_chain(const Chain& chain) {
    const Tool &from = vocabulary_.tools()[chain.from], &to = vocabulary_.tools()[chain.to];
    std::size_t behind = kMostBehind;
    for (const auto* kind : {&to.valid, &to.boundary, &to.broken})
      for (const std::string& arguments : *kind) {
        const auto own = with_reference(arguments, chain, 1);
        if (!own || from.valid.empty()) continue;
        if (behind == kMostBehind) {
          behind = 0;
          begin();
          call(from, from.valid.front());
          scripts.back().steps.emplace_back(Sync{});
        }
        ++behind;
        call(to, *own);
      }
  }

  std::vector<Script> scripts;

 private:
  void begin() { scripts.push_back({vocabulary_.profile().name, {}, {}}); }
  void call(const Tool& tool, std::string_view arguments) {
    scripts.back().steps.emplace_back(
        Frame{call_text(vocabulary_, tool, arguments, std::to_string(id_++)), {}});
  }

  const Vocabulary& vocabulary_;
  std::size_t id_ = kFirstIdOfChains;
};

}  // namespace

std::optional<std::string> with_reference(std::string_view arguments, const Chain& chain,
                                          std::size_t frame) {
  Tree tree;
  if (!tree.read(arguments)) return std::nullopt;
  std::size_t at = Tree::kNone;
  if (tree[0].kind == Kind::kObject) at = tree.member(arguments, 0, chain.name);
  if (tree[0].kind == Kind::kArray && chain.position < tree.children(0))
    at = tree.child(0, chain.position);
  if (at == Tree::kNone) return std::nullopt;
  const char* quote = chain.text ? "\"" : "";
  std::string out(arguments);
  return out.replace(
      tree[at].begin, tree[at].end - tree[at].begin,
      quote + ("${" + std::to_string(frame) + "/result" + chain.place + "}") + quote);
}

std::vector<Script> contract_scripts(const Vocabulary& vocabulary) {
  ContractScripts out(vocabulary);
  for (const Tool& tool : vocabulary.tools())
    if (tool.is_method) out.add_method(tool);
  for (const Chain& chain : vocabulary.chains()) out.add_chain(chain);
  return std::move(out.scripts);
}

}  // namespace fuzz
