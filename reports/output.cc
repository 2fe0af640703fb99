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
#include <utility>
#include <vector>

namespace reports {
namespace {

namespace fs = std::filesystem;
using harness::Error;
using harness::Result;
using harness::Status;

Error refused(const std::string& file, const std::string& what, int code) {
  return Error{file, what + ": " + std::strerror(code), "name a file that can be written"};
}

class Borrowed final : public Output {
 public:
  Borrowed(std::ostream& stream, bool is_stdout) : stream_(stream), stdout_(is_stdout) {}
  std::ostream& stream() override { return stream_; }
  Status commit() override {
    stream_.flush();
    if (!stream_) return Error{"", "standard output could not be written", ""};
    return harness::Nothing{};
  }
  bool is_stdout() const override { return stdout_; }

 private:
  std::ostream& stream_;
  bool stdout_;
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

class Replaced final : public Output {
 public:
  Replaced(std::string file, std::string temporary)
      : file_(std::move(file)),
        temporary_(std::move(temporary)),
        stream_(temporary_, std::ios::binary | std::ios::trunc) {}
  ~Replaced() override {
    if (!committed_) ::unlink(temporary_.c_str());
  }
  std::ostream& stream() override { return stream_; }
  Status commit() override {
    stream_.close();
    if (!stream_) return refused(file_, "it could not be written", errno ? errno : EIO);
    if (std::rename(temporary_.c_str(), file_.c_str()) != 0) {
      return refused(file_, "what was written could not be moved to its place", errno);
    }
    committed_ = true;
    return harness::Nothing{};
  }
  bool is_stdout() const override { return false; }

 private:
  std::string file_;
  std::string temporary_;
  std::ofstream stream_;
  bool committed_ = false;
};

// mkstemp makes files for us alone; a report is an ordinary file.
mode_t mode_of_new_file(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::unique_ptr<Output> borrowed_output(std::ostream& stream) {
  return std::make_unique<Borrowed>(stream, false);
}

Result<std::unique_ptr<Output>> open_output(const std::string& file) {
  if (file.empty() || file == "-") {
    return std::unique_ptr<Output>(std::make_unique<Borrowed>(std::cout, true));
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
                 "create it, or name a file in a folder that is there"};
  }
  const std::string pattern =
      (folder / fmt::format(".{}.XXXXXX", path.filename().string())).string();
  std::vector<char> name(pattern.begin(), pattern.end());
  name.push_back('\0');
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return refused(file, "it cannot be created", errno);
  ::fchmod(descriptor, mode_of_new_file(path));
  ::close(descriptor);
  return std::unique_ptr<Output>(std::make_unique<Replaced>(path.string(), name.data()));
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
