// SPDX-License-Identifier: Apache-2.0
#include "harness/cpp/served_copies.h"

#include <cxxabi.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <variant>

#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/json/read.h"

extern "C" {
// What is counted of coverage is kept, where it is counted.
__attribute__((weak)) void __gcov_dump();
__attribute__((weak)) int __llvm_profile_write_file();
}

namespace rpcspec {
namespace {

constexpr int kThrew = 70;    // exit code of a copy whose handler threw
constexpr int kWaiting = 64;  // connections
constexpr auto kPatience = std::chrono::seconds(2);

bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// As lines: a message that is written over several becomes one.
std::string framed(std::string said) {
  while (!said.empty() && (said.back() == '\n' || said.back() == '\r')) said.pop_back();
  if (said.empty()) return said;
  const bool over_lines = said.find('\n') != std::string::npos;
  if (over_lines && std::holds_alternative<harness::json::Reading>(harness::json::read(said)))
    std::replace_if(
        said.begin(), said.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return said + "\n";
}

std::string thrown() {
  std::string type = "something";
  if (const std::type_info* known = abi::__cxa_current_exception_type()) {
    int status = 0;
    char* name = abi::__cxa_demangle(known->name(), nullptr, nullptr, &status);
    type = name ? name : known->name();
    std::free(name);
  }
  try {
    throw;
  } catch (const std::exception& error) {
    type += std::string(": ") + error.what();
  } catch (...) {
  }
  return type;
}

}  // namespace

// What is known of a copy when it has ended.
struct ServedCopies::Fate {
  bool answering = false;
  std::size_t size = 0;
  char message[4096] = {};
  char thrown[1024] = {};
};

ServedCopies::ServedCopies(const std::string& path, const Conformance::Make& make) : make_(make) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw std::runtime_error("the path of a socket is too long: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  listener_ = harness::os::make_socket(AF_UNIX, SOCK_STREAM);
  if (listener_ < 0 ||
      ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, kWaiting) != 0)
    throw std::runtime_error("cannot listen at " + path + ": " + std::strerror(errno));
}

ServedCopies::~ServedCopies() {
  for (const Copy& copy : copies_) {
    ::kill(copy.pid, SIGKILL);
    ::waitpid(copy.pid, nullptr, 0);
    ::munmap(copy.fate, sizeof(Fate));
  }
  if (listener_ >= 0) ::close(listener_);
}

void ServedCopies::accept() {
  const int connection = harness::os::accept_from(listener_);
  if (connection < 0) return;
  void* memory =
      ::mmap(nullptr, sizeof(Fate), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    Fate* fate = new (memory) Fate;
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
      harness::os::end_with(parent);
      ::close(listener_);
      serve(connection, make_, *fate);
    }
    if (pid > 0) {
      copies_.push_back({pid, fate});
    } else {
      ::munmap(memory, sizeof(Fate));
    }
  }
  ::close(connection);
}

void ServedCopies::serve(int connection, const Conformance::Make& make, Fate& fate) {
  int code = 0;
  try {
    const Handler handle = make();
    std::string read;
    std::vector<char> buffer(1 << 16);
    for (bool open = true; open;) {
      const ssize_t size = ::read(connection, buffer.data(), buffer.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) break;
      std::size_t from = read.size();
      read.append(buffer.data(), static_cast<std::size_t>(size));
      std::size_t begin = 0;
      for (std::size_t end; open && (end = read.find('\n', from)) != read.npos; begin = from) {
        std::string line = read.substr(begin, end - begin);
        from = end + 1;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        fate.size = line.size();
        std::memset(fate.message, 0, sizeof fate.message);
        std::memcpy(fate.message, line.data(), std::min(line.size(), sizeof fate.message - 1));
        fate.answering = true;
        const std::string said = handle(line);
        fate.answering = false;
        open = write_all(connection, framed(said));
      }
      read.erase(0, begin);
    }
  } catch (...) {
    const std::string what = thrown();
    std::memcpy(fate.thrown, what.data(), std::min(what.size(), sizeof fate.thrown - 1));
    code = kThrew;
  }
  if (__gcov_dump) __gcov_dump();
  if (__llvm_profile_write_file) __llvm_profile_write_file();
  ::_exit(code);
}

void ServedCopies::ended(const Copy& copy, int status) {
  const Fate& fate = *copy.fate;
  Death death{"", std::string(fate.message, std::min(fate.size, sizeof fate.message - 1)),
              fate.size};
  if (fate.thrown[0] != '\0') {
    death.how = std::string("the handler threw ") + fate.thrown;
  } else if (WIFSIGNALED(status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    death.how = std::string("the handler was ended by SIG") + (name ? name : "?");
    if (WTERMSIG(status) == SIGSEGV) death.how += " (a stack overflow ends like this, too)";
  } else if (fate.answering) {
    death.how =
        "the handler ended the process with exit code " + std::to_string(WEXITSTATUS(status));
  }
  death.how = harness::printable(death.how, sizeof fate.thrown);
  if (!death.how.empty()) deaths_.push_back(std::move(death));
}

void ServedCopies::reap() {
  for (std::size_t i = 0; i < copies_.size();) {
    int status = 0;
    if (::waitpid(copies_[i].pid, &status, WNOHANG) == 0) {
      ++i;
      continue;
    }
    ended(copies_[i], status);
    ::munmap(copies_[i].fate, sizeof(Fate));
    copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void ServedCopies::finish() {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (reap(); !copies_.empty() && std::chrono::steady_clock::now() < until; reap())
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  for (const Copy& copy : copies_) {
    if (copy.fate->answering)
      deaths_.push_back({"the handler did not return",
                         std::string(copy.fate->message,
                                     std::min(copy.fate->size, sizeof copy.fate->message - 1)),
                         copy.fate->size});
    ::kill(copy.pid, SIGKILL);
    ::waitpid(copy.pid, nullptr, 0);
    ::munmap(copy.fate, sizeof(Fate));
  }
  copies_.clear();
}

}  // namespace rpcspec
