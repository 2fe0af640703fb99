// SPDX-License-Identifier: Apache-2.0
#include "fuzz/handler/conversation.h"

#include <algorithm>

#include "fuzz/script/client_answer.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/session/answers.h"
#include "harness/session/dialect.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;
namespace session = harness::session;
using harness::spec::Era;

constexpr std::int64_t kFirstId = 100001;  // scripts use small ones
constexpr std::size_t kMostReceived = 20u << 20;
constexpr std::size_t kMostFrames = 20000;
constexpr int kMostAnswers = 64;
constexpr int kCanaries = 3;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// What is sent of a step; null when it sends nothing.
const std::string* bytes_of(const Step& step) {
  if (const auto* frame = std::get_if<Frame>(&step)) return &frame->bytes;
  if (const auto* raw = std::get_if<Raw>(&step)) return &raw->bytes;
  return nullptr;
}

// Whether the script makes the handshake itself, up to where it opens the next connection.
bool initializes(const Script& script, std::size_t from) {
  for (std::size_t i = from; i < script.steps.size(); ++i) {
    if (std::holds_alternative<Close>(script.steps[i])) return false;
    const std::string* bytes = bytes_of(script.steps[i]);
    if (bytes && bytes->find("\"initialize\"") != std::string::npos) return true;
  }
  return false;
}

// Calls `take` with each message.
template <class Take>
void split(std::string_view said, wire::MessageCache& cache, const Take& take) {
  while (!said.empty() && (said.back() == '\n' || said.back() == '\r')) said.remove_suffix(1);
  if (is_blank(said)) return;
  wire::MessagePtr whole = cache.read(said);
  if (said.find('\n') == std::string_view::npos || whole->is_json)
    return take(said, std::move(whole));
  while (!said.empty()) {
    const std::string_view line = said.substr(0, said.find('\n'));
    said.remove_prefix(std::min(said.size(), line.size() + 1));
    if (!is_blank(line)) take(line, cache.read(line));
  }
}

}  // namespace

std::vector<std::string> messages_of(std::string_view said) {
  wire::MessageCache cache;
  std::vector<std::string> out;
  split(said, cache,
        [&](std::string_view text, const wire::MessagePtr&) { out.emplace_back(text); });
  return out;
}

Conversation::Conversation(const harness::spec::Profile& profile, std::function<Handle()> make)
    : profile_(profile), make_(std::move(make)) {}

void Conversation::open(bool handshake) {
  slices_.emplace_back();
  now().recording = std::make_shared<wire::Transcript>();
  now().recording->profile = profile_.name;
  now().recording->transport = kHandler;
  now().recording->target = "the handler";
  now().transcript = now().recording;
  now().client_capabilities = json::object();
  asked_.clear();
  late_.clear();
  initialize_id_.clear();
  received_ = 0;
  answered_ = 0;
  ready_ = profile_.era != Era::kHandshake;
  owing_ = false;
  handle_ = make_();
  if (handshake && profile_.era == Era::kHandshake) shake_hands();
}

std::uint64_t Conversation::record(wire::Direction direction, std::string text,
                                   wire::MessagePtr message) {
  wire::Frame frame;
  frame.seq = ++next_seq_;
  frame.direction = direction;
  frame.channel = wire::Channel::kSocket;
  frame.size = text.size();
  frame.bytes = std::move(text);
  now().recording->frames.push_back(std::move(frame));
  now().messages.push_back(std::move(message));
  return next_seq_;
}

void Conversation::say(std::string text, std::size_t number) {
  if (now().flood) return;
  const wire::MessagePtr read =
      is_blank(text) ? std::make_shared<const wire::Message>() : cache_.read(text);
  const wire::Message& message = *read;
  const bool request = message.kind == wire::MessageKind::kRequest;
  if (const json::Value* method = request ? message.method() : nullptr;
      method && method->text == "initialize") {
    session::declare(now().client_capabilities, message.value);
    initialize_id_ = wire::id_key(*message.id());
  }
  if (!message.is_json) session::declare_leniently(now().client_capabilities, json::null(), text);
  const bool owed = request || message.kind == wire::MessageKind::kBatch ||
                    message.kind == wire::MessageKind::kMalformed;
  record(wire::Direction::kSent, std::move(text), read);
  heard_ = false;
  // The handler gets a copy: what it is given need not outlive the frames that are kept of it.
  const std::string given = now().transcript->frames.back().bytes;
  hear(handle_(given), number);
  owing_ |= owed && !heard_;
  answer_requests();
}

void Conversation::hear(std::string_view said, std::size_t number) {
  if (is_blank(said)) return;
  heard_ = true;
  received_ += said.size();
  split(said, cache_, [&](std::string_view text, wire::MessagePtr message) {
    take(std::string(text), std::move(message), number);
  });
}

void Conversation::take(std::string text, wire::MessagePtr read, std::size_t number) {
  const wire::Message& message = *read;
  if (now().flood) return;
  if (received_ > kMostReceived || now().transcript->frames.size() > kMostFrames) {
    now().flood = true;
    return;
  }
  if (message.kind == wire::MessageKind::kResponse && message.id() &&
      wire::id_key(*message.id()) == initialize_id_) {
    const json::Value& result = *message.value.find("result");
    if (harness::spec::opens_session(profile_, result)) {
      const json::Value* version = result.find("protocolVersion");
      ready_ = !version || version->text == profile_.revision;
      agreed_ = result;
      const json::Value* offered = harness::spec::declared_in(agreed_);
      now().server_capabilities = offered ? *offered : json::null();
    }
  }
  if (message.kind == wire::MessageKind::kRequest) {
    asked_.push_back(message.value);
  } else if (wanted_ && number != 0 &&
             (message.is_reply() || message.kind == wire::MessageKind::kBatch)) {
    replies_.emplace_back(number, text);
  }
  record(wire::Direction::kReceived, std::move(text), std::move(read));
}

void Conversation::answer_requests() {
  while ((!asked_.empty() || (heard_ && !late_.empty())) && answered_ < kMostAnswers) {
    ++answered_;
    const bool late = heard_ && !late_.empty();
    std::vector<json::Value>& from = late ? late_ : asked_;
    const json::Value next = std::move(from.front());
    from.erase(from.begin());
    late ? say(json::write(next), 0) : answer(next);
  }
  asked_.clear();
}

void Conversation::answer(const json::Value& request) {
  session::ServerAnswer said = session::answer_to(request, {now().client_capabilities, answers_});
  for (const json::Value& reply : said.now) say(json::write(reply), 0);
  if (said.text) say(*said.text, 0);
  if (said.late) late_.push_back(std::move(*said.late));
}

void Conversation::shake_hands() {
  const json::Value id = json::number(next_id_++);
  const json::Value params = session::initialize_params(profile_, now().client_capabilities);
  say(json::write(session::message(&id, "initialize", params)), 0);
  if (now().server_capabilities.is_null() && !ready_) return;
  const json::Value initialized = session::initialized_message(profile_);
  if (!initialized.is_null()) say(json::write(initialized), 0);
}

bool Conversation::canary() {
  const harness::spec::Canary asked = harness::spec::canary_of(profile_);
  const json::Value id = json::number(next_id_++);
  const std::string key = wire::id_key(id);
  const std::size_t before = now().messages.size();
  say(json::write(session::message(&id, asked.method, asked.params)), 0);
  for (std::size_t i = before; i < now().messages.size(); ++i) {
    const wire::Message& one = now().messages[i];
    if (one.is_reply() && one.id() && wire::id_key(*one.id()) == key) return true;
  }
  return false;
}

// Two answers prove that what was asked before them has been passed over.
void Conversation::settle() {
  if (!ready_ || now().flood) return;
  bool answered = canary();
  if (!owing_ && answered) return;
  for (int i = 1; i < kCanaries && (i < 2 || !answered); ++i) answered |= canary();
  now().deaf = !answered && !now().flood;
}

std::string Conversation::expanded(const std::string& bytes) const {
  return fill_in(bytes, [this](std::size_t frame) {
    const auto known = std::find_if(replies_.begin(), replies_.end(),
                                    [&](const auto& one) { return one.first == frame; });
    return known == replies_.end() ? nullptr : &known->second;
  });
}

const std::vector<HandlerSlice>& Conversation::play(const Script& script) {
  slices_.clear();
  answers_.clear();
  replies_.clear();
  next_id_ = kFirstId;
  next_seq_ = 0;
  wanted_ = std::any_of(script.steps.begin(), script.steps.end(), [](const Step& step) {
    const std::string* bytes = bytes_of(step);
    return bytes && bytes->find("${") != std::string::npos;
  });
  open(!initializes(script, 0));
  std::size_t number = 0;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    const Step& step = script.steps[i];
    if (const auto* frame = std::get_if<Frame>(&step)) {
      ++number;
      ++frames_;
      say(wanted_ ? expanded(frame->bytes) : frame->bytes, number);
    } else if (const auto* raw = std::get_if<Raw>(&step)) {
      ++frames_;
      say(raw->bytes, 0);
    } else if (const auto* answer = std::get_if<ClientAnswer>(&step)) {
      answers_.insert_or_assign(answer->method, as_answer(*answer));
    } else if (std::holds_alternative<Close>(step)) {
      if (i + 1 == script.steps.size()) break;
      settle();
      next_seq_ = 0;
      open(!initializes(script, i + 1));
    }
  }
  settle();
  return slices_;
}

void Conversation::meet() { play({}); }

json::Value Conversation::ask(std::string_view method, json::Value params) {
  const json::Value id = json::number(next_id_++);
  const json::Value asked =
      session::with_meta(profile_, std::move(params), json::null(), now().client_capabilities);
  const std::string key = wire::id_key(id);
  const std::size_t before = now().messages.size();
  say(json::write(session::message(&id, method, asked)), 0);
  for (std::size_t i = before; i < now().messages.size(); ++i) {
    const wire::Message& one = now().messages[i];
    const bool own =
        one.kind == wire::MessageKind::kResponse && one.id() && wire::id_key(*one.id()) == key;
    if (own) return *one.value.find("result");
  }
  return json::null();
}

}  // namespace fuzz
