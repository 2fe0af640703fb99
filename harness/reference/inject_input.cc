// SPDX-License-Identifier: Apache-2.0
// Faults that act on the text of a message: parsers that forgive, that balk, that fall over.
#include <csignal>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/reference/inject.h"
#include "harness/reference/lenient.h"
#include "harness/reference/text_facts.h"

namespace harness::reference {
namespace {

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// UTF-16 or UTF-32 with a byte order mark as UTF-8; code points beyond the BMP are not needed.
std::optional<std::string> from_wide(std::string_view bytes) {
  std::size_t width = 2;
  bool little = true;
  if (begins(bytes, std::string_view("\xff\xfe\0\0", 4))) {
    width = 4;
  } else if (begins(bytes, std::string_view("\0\0\xfe\xff", 4))) {
    width = 4;
    little = false;
  } else if (begins(bytes, "\xfe\xff")) {
    little = false;
  } else if (!begins(bytes, "\xff\xfe")) {
    return std::nullopt;
  }
  std::string out;
  for (std::size_t at = width; at + 1 < bytes.size() + 1; at += width) {
    unsigned code = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t place = little ? at + width - 1 - i : at + i;
      // The line end of a little-endian text loses its zero byte to the line splitter.
      code = code << 8 | (place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0u);
    }
    append_utf8(out, code);
  }
  return out;
}

std::string replace_bad_utf8(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t bad = first_invalid_utf8(bytes);
    out += bytes.substr(0, bad);
    if (bad == std::string_view::npos) break;
    out += "\xef\xbf\xbd";
    bytes.remove_prefix(bad + 1);
  }
  return out;
}

std::string double_escapes(const std::string& raw, char only = '\0') {
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out += raw[i];
      continue;
    }
    const char escaped = raw[++i];
    if (only != '\0' && escaped != only) {
      out += '\\';
      out += escaped;
    } else if (escaped == '"' || escaped == '\\') {
      out += "\\\\\\";
      out += escaped;
    } else {
      out += "\\\\";
      out += escaped;
    }
  }
  return out;
}

std::string replace_surrogates(const std::string& raw) {
  std::string out = raw;
  for (std::size_t i = 0; i + 5 < out.size(); ++i) {
    if (out[i] != '\\') continue;
    if (out[i + 1] == 'u' && (out[i + 2] == 'd' || out[i + 2] == 'D') &&
        std::string_view("89abAB").find(out[i + 3]) != std::string_view::npos)
      out.replace(i, 6, "\\ufffd");
    else if (out[i + 1] == 'u' && (out[i + 2] == 'd' || out[i + 2] == 'D') &&
             std::string_view("cdefCDEF").find(out[i + 3]) != std::string_view::npos)
      out.replace(i, 6, "\\ufffd");
    ++i;
  }
  return out;
}

// The string after a member called id, at any depth.
std::string keep_id_escapes(std::string_view text) {
  bool is_id = false;
  return with_strings(text, [&](std::string raw, bool is_name) {
    if (is_name) {
      is_id = raw == "id";
      return raw;
    }
    const bool mine = is_id;
    is_id = false;
    return mine ? double_escapes(raw) : raw;
  });
}

std::vector<std::string> cut_at_separators(std::string_view text) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins(text.substr(i), "\xe2\x80\xa8") || begins(text.substr(i), "\xe2\x80\xa9")) {
      lines.emplace_back();
      i += 2;
    } else if (begins(text.substr(i), "\xc2\x85")) {
      lines.emplace_back();
      i += 1;
    } else {
      lines.back() += text[i];
    }
  }
  return lines;
}

// Faults that end the process or the session.
bool falls_over(Session& session, std::string_view bytes, const TextFacts& facts) {
  const Faults& faults = session.server.faults;
  if (faults.has("dies-on-large-message") && bytes.size() > (1u << 20)) session.exit_status = 1;
  if (faults.has("first-message-long-kills") && facts.longest_string > 4096 &&
      session.version.empty())
    session.exit_status = 1;
  if (faults.has("dies-on-bad-utf8") && !is_utf8(bytes)) session.exit_status = 1;
  if (faults.has("dies-on-utf16") && (begins(bytes, "\xff\xfe") || begins(bytes, "\xfe\xff")))
    session.exit_status = 1;
  const auto is_deep_in = [&](std::string_view member) {
    return facts.depth > 10000 && bytes.find(member) != std::string_view::npos;
  };
  if ((faults.has("dies-on-deep-nesting") && facts.depth > 10000) ||
      (faults.has("dies-on-deep-arguments") && is_deep_in("\"arguments\":{\"a\":[[")) ||
      (faults.has("dies-on-deep-id") && is_deep_in("\"id\":[["))) {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
  }
  if (faults.has("hangs-on-many-members") && facts.most_members > 50000) {
    session.server.memory.deaf = true;
    return true;
  }
  return session.exit_status.has_value();
}

bool balks(const Session& session, const TextFacts& facts) {
  const Faults& faults = session.server.faults;
  return (faults.has("whitespace-refused") && facts.tab_or_return) ||
         (faults.has("surrounding-space-refused") && facts.surrounded) ||
         (faults.has("first-message-surrounded-refused") && facts.surrounded &&
          session.version.empty()) ||
         (faults.has("short-escapes-refused") && facts.short_escape) ||
         (faults.has("c1-controls-refused") && facts.delete_or_c1) ||
         (faults.has("exponents-refused") && facts.exponent) ||
         (faults.has("minus-zero-refused") && facts.minus_zero) ||
         (faults.has("empty-member-name-refused") && facts.empty_name) ||
         (faults.has("nesting-limit-32") && facts.depth > 32) ||
         (faults.has("long-string-refused") && facts.longest_string > 256 * 1024) ||
         (faults.has("splits-at-u2028") && facts.unicode_separator && session.server.over_http);
}

}  // namespace

FaultyInput inject_input(Session& session, std::string_view bytes) {
  const Faults& faults = session.server.faults;
  FaultyInput input;
  const TextFacts facts = facts_of(bytes);
  if (session.server.memory.deaf || falls_over(session, bytes, facts)) {
    input.drop = true;
    return input;
  }
  if ((faults.has("bom-silent") && begins(bytes, "\xef\xbb\xbf")) ||
      (faults.has("huge-exponent-silent") && facts.too_large_number)) {
    input.drop = true;
    return input;
  }
  session.server.memory.infinity =
      faults.has("huge-exponent-written-back") && facts.too_large_number;
  if (balks(session, facts)) {
    input.refuse = true;
    return input;
  }
  std::string text(bytes);
  if (faults.has("list-cut-for-other-order") && begins(text, R"({"params":{)"))
    text.insert(11, R"("cut":true,)");
  if (faults.has("utf16-text-served")) {
    if (auto decoded = from_wide(text)) text = *decoded;
  }
  if (faults.has("lenient-utf8")) text = replace_bad_utf8(text);
  if (faults.has("id-escape-kept")) text = keep_id_escapes(text);
  if (faults.has("escaped-solidus-kept"))
    text = with_strings(text, [](std::string raw, bool) { return double_escapes(raw, '/'); });
  if (faults.has("member-names-compared-raw")) {
    text = with_strings(
        text, [](std::string raw, bool is_name) { return is_name ? double_escapes(raw) : raw; });
  }
  if (faults.has("surrogate-pair-replaced"))
    text = with_strings(text, [](std::string raw, bool) { return replace_surrogates(raw); });
  if (faults.has("splits-at-u2028")) {
    input.texts = cut_at_separators(text);
    return input;
  }
  if (std::holds_alternative<json::ReadError>(json::read(text))) {
    if (auto values = forgiven(text, faults)) {
      input.texts = std::move(*values);
      return input;
    }
    if (faults.has("lenient-truncated") && is_utf8(text) && !text.empty() &&
        (text[0] == '{' || text[0] == '[' || text[0] == '"')) {
      input.texts = {"null"};
      return input;
    }
  }
  input.texts.push_back(std::move(text));
  return input;
}

}  // namespace harness::reference
