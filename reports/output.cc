// SPDX-License-Identifier: Apache-2.0
#include "reports/output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

namespace reports {
namespace {

namespace fs = std::filesystem;
using harness::Error;
using harness::Result;
using harness::Status;

Error refused(const std::string& file, const std::string& what, int code) {
  return Error{file, what + ": " + std::strerror(code), "name a file that can be written"};
}

class StandardOutput final : public Output {
 public:
  std::ostream& stream() override { return std::cout; }
  Status commit() override {
    std::cout.flush();
    if (!std::cout) return Error{"", "standard output could not be written", ""};
    return harness::Nothing{};
  }
  bool is_stdout() const override { return true; }
};

// A device or a pipe.
class InPlace final : public Output {
 public:
  explicit InPlace(std::string file) : file_(std::move(file)), stream_(file_, std::ios::binary) {}
  bool opened() const { return stream_.is_open(); }
  std::ostream& stream() override { return stream_; }
  Status commit() override {
    stream_.close();
    if (!stream_) return refused(file_, "it could not be written", EIO);
    return harness::Nothing{};
  }
  bool is_stdout() const override { return false; }

 private:
  std::string file_;
  std::ofstream stream_;
};

// mkstemp makes files for us alone; a report is an ordinary file.
mode_t mode_of_new_file(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// A file beside the place of another, for as long as it is looked at.
class Beside {
 public:
  explicit Beside(const fs::path& path)
      : name_((path.parent_path() / fmt::format(".{}.XXXXXX", path.filename().string())).string()) {
    const int descriptor = ::mkstemp(name_.data());
    if (descriptor < 0) {
      name_.clear();
      return;
    }
    ::fchmod(descriptor, mode_of_new_file(path));
    ::close(descriptor);
  }
  ~Beside() {
    if (made()) ::unlink(name_.c_str());
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  bool made() const { return !name_.empty(); }
  const std::string& name() const { return name_; }
  bool move_to(const fs::path& path) {
    if (std::rename(name_.c_str(), path.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  std::string name_;
};

// Kept until it is complete: whoever ends us before leaves no part of it behind.
class Replaced final : public Output {
 public:
  explicit Replaced(fs::path path) : path_(std::move(path)) {}
  std::ostream& stream() override { return text_; }
  Status commit() override { return put(text_.view()); }
  void save(const std::string& text) override {
    [[maybe_unused]] const Status status = put(text);  // the end tells what fails
  }
  bool is_stdout() const override { return false; }

 private:
  Status put(std::string_view text) const {
    Beside whole(path_);
    if (!whole.made()) return refused(path_.string(), "it cannot be created", errno);
    std::ofstream file(whole.name(), std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) return refused(path_.string(), "it could not be written", errno ? errno : EIO);
    if (!whole.move_to(path_))
      return refused(path_.string(), "the written file could not be moved to its place", errno);
    return harness::Nothing{};
  }

  fs::path path_;
  std::ostringstream text_;
};

}  // namespace

Result<std::unique_ptr<Output>> open_output(const std::string& file) {
  if (file.empty() || file == "-") {
    return std::unique_ptr<Output>(std::make_unique<StandardOutput>());
  }
  std::error_code code;
  fs::path path = file;
  const fs::file_status status = fs::status(path, code);
  if (fs::is_directory(status)) {
    return Error{file, "this is a folder, not a file",
                 "write " + (path / "report").string() + ", for example"};
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    auto in_place = std::make_unique<InPlace>(file);
    if (!in_place->opened()) return refused(file, "it cannot be opened", errno);
    return std::unique_ptr<Output>(std::move(in_place));
  }
  if (fs::exists(status)) path = fs::canonical(path, code);  // keep a symbolic link a link
  const fs::path folder = path.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, code)) {
    return Error{file, "the folder '" + folder.string() + "' does not exist",
                 "create it, or name a file in an existing folder"};
  }
  if (!Beside(path).made()) return refused(file, "it cannot be created", errno);
  return std::unique_ptr<Output>(std::make_unique<Replaced>(path));
}

Status can_be_written(const std::string& file) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  // To open a pipe twice is not to open it once.
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    return harness::Nothing{};
  const auto output = open_output(file);
  if (!output) return output.error();
  return harness::Nothing{};
}

Status write_file(const std::string& file, const std::string& text) {
  const auto output = open_output(file);
  if (!output) return output.error();
  (*output)->stream() << text;
  return (*output)->commit();
}

}  // namespace reports
