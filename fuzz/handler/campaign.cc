// SPDX-License-Identifier: Apache-2.0
#include "fuzz/handler/campaign.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "fuzz/minimizer/outline.h"
#include "fuzz/triage/play_file.h"
#include "harness/base/os.h"
#include "harness/base/text.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kWorker = "RPCSPEC_WORKER";      // the folder of findings, for workers
constexpr const char* kName = "RPCSPEC_PROGRAM_NAME";  // as the program was called, for workers
constexpr const char* kMet = ".met";                   // in it: what ended a worker, not sorted yet
constexpr const char* kExecuted = ".executed";         // in it: how many inputs workers have played
constexpr int kTimeout = 10;                           // seconds, unless told
constexpr const char* kMaxLen = "262144";              // unless told
constexpr std::size_t kLongestWord = 100'000;          // of a command line; Linux takes 128 KiB
constexpr int kInterrupted = 72;                       // libFuzzer's exit code
constexpr int kInterruptedTwice = 130;
constexpr ReduceBounds kInWorker{2000, 8u << 20};
constexpr ReduceBounds kInProcesses{120, 8u << 20};  // each starts a program

pid_t worker_pid = 0;
volatile std::sig_atomic_t interrupted = 0;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_flag(const std::string& word) { return word.starts_with("-"); }

// The value of -name=VALUE among the words, or "".
std::string flag(const std::vector<std::string>& words, const std::string& name) {
  const std::string begin = "-" + name + "=";
  std::string value;
  for (const std::string& word : words)
    if (word.starts_with(begin)) value = word.substr(begin.size());
  return value;
}

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

// A word of memory that processes share by a file.
std::uint64_t* shared_count(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (::ftruncate(file, sizeof(std::uint64_t)) == 0)
    memory = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(memory);
}

void tell(const std::string& text) {
  std::fputs(("rpcspec: " + text + "\n").c_str(), stderr);
  std::fflush(stderr);
}

// The second time at once: sorting may take a while, and what is not sorted is so by the next one.
void on_interrupt(int) {
  if (interrupted) ::_exit(kInterruptedTwice);
  interrupted = 1;
  if (worker_pid > 0) ::kill(worker_pid, SIGINT);
}

// libFuzzer looks now and then how long an input has been played, and ends the process where that
// is too long. While one is reduced, that is so of each candidate and not of all together: the next
// look is as far away as if it had just begun.
void begin_anew() {
  itimerval timer = {};
  if (::getitimer(ITIMER_REAL, &timer) != 0 || timer.it_interval.tv_sec == 0) return;
  timer.it_value.tv_sec = 2 * timer.it_interval.tv_sec;  // it looks at half of the time it gives
  timer.it_value.tv_usec = 0;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

std::string program_of(const std::vector<std::string>& words) {
  const std::string known = harness::os::path_of_this_program();
  return known.empty() ? words.front() : known;
}

class Campaign {
 public:
  Campaign(const std::vector<std::string>& words, const char* seeds)
      : program_(program_of(words)), folder_(setting("RPCSPEC_FINDINGS", "findings")),
        runs_(flag(words, "runs").empty() ? -1 : std::atoll(flag(words, "runs").c_str())),
        seconds_(std::atoll(flag(words, "max_total_time").c_str())),
        seed_(std::strtoull(flag(words, "seed").c_str(), nullptr, 10)),
        before_(Buckets(folder_, {words.front()}).all().size()), name_(words.front()) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string& word = words[i];
      const bool ours = word.starts_with("-runs=") || word.starts_with("-max_total_time=") ||
                        word.starts_with("-seed=");
      if (is_flag(word) && !ours) flags_.push_back(word);
      if (!is_flag(word)) corpora_.push_back(word);
    }
    if (flag(words, "timeout").empty())
      flags_.push_back("-timeout=" + std::to_string(kTimeout));
    else
      patience_ = std::max(1, std::atoi(flag(words, "timeout").c_str()));
    if (flag(words, "max_len").empty()) flags_.push_back(std::string("-max_len=") + kMaxLen);
    // Names of functions are long in C++, and the program's business.
    if (flag(words, "print_funcs").empty()) flags_.push_back("-print_funcs=0");
    // What others put into the corpus while this runs would be played when the clock says so.
    if (flag(words, "reload").empty()) flags_.push_back("-reload=0");
    // What is reduced takes long, and is kept as a finding.
    if (flag(words, "report_slow_units").empty()) flags_.push_back("-report_slow_units=1000000");
    // The mutators know which inputs are worth their length.
    if (flag(words, "len_control").empty()) flags_.push_back("-len_control=0");
    if (corpora_.empty()) corpora_.push_back("corpus");
    fs::create_directories(corpora_.front());
    if (seeds && fs::is_directory(seeds))
      flag(words, "seed_inputs").empty() ? begin_with(seeds) : corpora_.push_back(seeds);
    fs::create_directories(fs::path(folder_) / kMet);
    executed_ = shared_count(folder_ + "/" + kExecuted);
    if (executed_) *executed_ = 0;
  }

  int run() {
    struct sigaction act = {};
    act.sa_handler = on_interrupt;
    ::sigaction(SIGINT, &act, nullptr);
    ::sigaction(SIGTERM, &act, nullptr);
    // Caches of sanitizers depend on addresses, and what they execute counts as coverage: the same
    // addresses each time, where the system lets it be so.
    if (const int now = ::personality(0xffffffff); now >= 0)
      ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
    sort();  // what the last campaign left
    int code = 0;
    while (!interrupted && !is_over()) {
      const std::uint64_t played = executed_ ? *executed_ : 0;
      code = run_worker();
      const bool met = sort();
      if (code == 0 || code == kInterrupted) break;
      if (code == 2 && !met) return 2;  // it has said why
      if (!met && executed_ && *executed_ == played) {
        tell("the worker ends before it has played anything");
        return 2;
      }
      ++restarts_;
    }
    return finish();
  }

 private:
  // By name: in a folder libFuzzer plays files of one size in the order of the file system.
  void begin_with(const char* seeds) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(seeds)) files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    std::string list;
    for (const std::string& file : files) list += (list.empty() ? "" : ",") + file;
    if (files.empty() || list.size() > kLongestWord ||
        std::count(list.begin(), list.end(), ',') + 1 != static_cast<long>(files.size()))
      corpora_.push_back(seeds);
    else
      flags_.push_back("-seed_inputs=" + list);
  }

  bool is_over() const {
    if (runs_ >= 0 && executed_ && *executed_ >= static_cast<std::uint64_t>(runs_)) return true;
    return seconds_ > 0 && Clock::now() - begin_ >= std::chrono::seconds(seconds_);
  }

  int run_worker() {
    std::vector<std::string> words = {program_};
    words.insert(words.end(), flags_.begin(), flags_.end());
    words.push_back("-artifact_prefix=" + folder_ + "/" + kMet + "/");
    if (runs_ >= 0)
      words.push_back("-runs=" +
                      std::to_string(runs_ - static_cast<long long>(executed_ ? *executed_ : 0)));
    if (seconds_ > 0) {
      const auto gone = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_);
      words.push_back("-max_total_time=" +
                      std::to_string(std::max<long long>(1, seconds_ - gone.count())));
    }
    // Another seed behind each restart: the same one leads to the same end.
    if (seed_ != 0) words.push_back("-seed=" + std::to_string(seed_ + restarts_));
    words.insert(words.end(), corpora_.begin(), corpora_.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    worker_pid = ::fork();
    if (worker_pid == 0) {
      harness::os::end_program_with(parent);
      ::setenv(kWorker, folder_.c_str(), 1);
      ::setenv(kName, name_.c_str(), 1);
      ::execv(program_.c_str(), arguments.data());
      ::_exit(2);
    }
    int status = 0;
    while (::waitpid(worker_pid, &status, 0) < 0 && errno == EINTR) {
    }
    worker_pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // Puts what ended workers into buckets. Whether there was anything.
  bool sort() {
    std::vector<fs::path> met;
    for (const auto& entry : fs::directory_iterator(fs::path(folder_) / kMet))
      met.push_back(entry.path());
    std::sort(met.begin(), met.end());
    if (met.empty()) return false;
    const PlayerProgram player{{program_, "-timeout=" + std::to_string(patience_)},
                               std::chrono::seconds(patience_ + 5)};
    Buckets buckets(folder_, {name_});
    for (const fs::path& path : met) {
      const std::string input = content_of(path);
      const auto look = [&](const std::string& text) { return play_file(player, text); };
      const std::optional<Sight> sight = look(input);
      if (!sight) {
        const fs::path kept = fs::path(folder_) / ("not-reproducible-" + path.filename().string());
        fs::rename(path, kept);
        tell("it ended at " + kept.string() + ", and does not when that is played alone");
        continue;
      }
      const std::size_t count = buckets.all().size();
      const Bucket& bucket = buckets.put(*sight, input, look, kInProcesses);
      fs::remove(path);
      const bool fresh = buckets.all().size() > count;
      tell((fresh ? "found " : "met again ") + folder_ + "/" + bucket.name + ": " +
           bucket.sight.title);
    }
    return true;
  }

  int finish() const {
    const Buckets buckets(folder_, {name_});
    const std::vector<const Bucket*> all = buckets.all();
    tell(std::to_string(executed_ ? *executed_ : 0) + " scripts, " + std::to_string(restarts_) +
         " restarts, " + std::to_string(all.size() - std::min(before_, all.size())) +
         " new findings");
    for (const Bucket* one : all)
      tell("  " + folder_ + "/" + one->name + "  " + harness::printable(one->sight.title, 120));
    if (all.size() > before_) return 1;
    return interrupted ? 130 : 0;
  }

  const std::string program_, folder_;
  const long long runs_, seconds_;
  const std::uint64_t seed_;
  const std::size_t before_;  // findings
  const std::string name_;
  std::vector<std::string> flags_, corpora_;
  int patience_ = kTimeout;
  const Clock::time_point begin_ = Clock::now();
  std::uint64_t* executed_ = nullptr;
  unsigned restarts_ = 0;
};

}  // namespace

bool is_campaign(const std::vector<std::string>& words) {
  if (setting("RPCSPEC_KEEP_GOING", "1") == "0") return false;
  // What AFL++ starts has to end where it finds something, whoever built it.
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::string_view(*entry).starts_with("__AFL_")) return false;
  static constexpr const char* kOwnWays[] = {"merge",
                                             "fork",
                                             "jobs",
                                             "workers",
                                             "minimize_crash",
                                             "minimize_crash_internal_step",
                                             "cleanse_crash",
                                             "help",
                                             "artifact_prefix",
                                             "exact_artifact_path",
                                             "set_cover_merge",
                                             "collect_data_flow",
                                             "analyze_dict"};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    std::error_code ignored;
    if (!is_flag(word) && fs::is_regular_file(word, ignored)) return false;
    if (word == "-runs=0" || word == "-ignore_crashes=0") return false;
    for (const char* name : kOwnWays)
      if (word.starts_with(std::string("-") + name + "=")) return false;
  }
  return true;
}

int run_campaign(const std::vector<std::string>& words, const char* seeds) {
  try {
    return Campaign(words, seeds).run();
  } catch (const std::exception& wrong) {
    tell(wrong.what());
    return 2;
  }
}

std::unique_ptr<Worker> Worker::of_environment(Trial& trial) {
  const std::string folder = setting(kWorker, "");
  if (folder.empty()) return nullptr;
  return std::unique_ptr<Worker>(new Worker(trial, folder));
}

Worker::Worker(Trial& trial, const std::string& folder)
    : trial_(trial), buckets_(folder, {setting(kName, "this-program")}),
      executed_(shared_count(folder + "/" + kExecuted)) {
  for (const Bucket* one : buckets_.all())
    if (one->sight.ends) ends_.push_back(read_script(one->script));
}

std::optional<Sight> Worker::look(std::string_view input) {
  try {
    return trial_.look(input);
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    const std::string name = type ? name_of(*type) : "something";
    std::string what;
    try {
      throw;
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
    }
    return thrown(name, what, "conversation:\n" + trial_.said());
  }
}

// Each of them would cost a restart.
bool Worker::is_like_one_that_ends_it(std::string_view input) const {
  if (ends_.empty()) return false;
  const Script script = read_script(input);
  return std::any_of(ends_.begin(), ends_.end(),
                     [&](const Script& end) { return has_all_of(script, end); });
}

void Worker::play(std::string_view input) {
  if (executed_) ++*executed_;
  if (is_like_one_that_ends_it(input)) return;
  const std::optional<Sight> sight = look(input);
  if (!sight) return;
  const std::size_t count = buckets_.all().size();
  const auto candidate = [&](const std::string& text) {
    begin_anew();
    return look(text);
  };
  const Bucket& bucket = buckets_.put(*sight, std::string(input), candidate, kInWorker);
  if (buckets_.all().size() > count)
    tell("found " + buckets_.folder() + "/" + bucket.name + ": " + bucket.sight.title);
}

int replay(Trial& trial, const std::vector<std::string>& paths) {
  std::set<fs::path> files;
  for (const std::string& path : paths) {
    if (fs::is_regular_file(path)) files.insert(path);
    if (!fs::is_directory(path)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.insert(entry.path());
  }
  std::size_t wrong = 0;
  for (const fs::path& file : files) {
    std::fprintf(stderr, "%s\n", file.c_str());
    // A copy of its own size, so that a sanitizer sees a read beyond it.
    const std::string text = content_of(file);
    std::optional<Sight> sight;
    try {
      sight = trial.look(text);
    } catch (const std::exception& error) {
      const std::type_info* type = abi::__cxa_current_exception_type();
      sight = thrown(type ? name_of(*type) : "something", error.what(), trial.said());
    } catch (...) {
      sight = thrown("something", "", trial.said());
    }
    if (!sight) continue;
    ++wrong;
    std::fprintf(stderr, "\n==rpcspec== %s\n%s\n", sight->title.c_str(), sight->report.c_str());
  }
  std::printf("%zu inputs played, %zu show a breach\n", files.size(), wrong);
  if (files.empty()) return 2;
  return wrong > 0 ? 1 : 0;
}

}  // namespace fuzz
