// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/campaign.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "fuzz/engine/suspect.h"
#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/mutate/random.h"
#include "harness/base/os.h"

namespace fuzz {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kTick{200};
constexpr milliseconds kFarewell{5000};  // from the wish to stop to the end
constexpr milliseconds kOneWish{500};  // what asks within that asks once: timeout(1) does so twice
constexpr std::size_t kMostSaid = 8192;  // of a worker's stderr, the end

// A folder that is gone at the end.
struct Scratch {
  std::string path;
  Scratch() {
    std::string wanted = (std::filesystem::temp_directory_path() / "rpcspec-XXXXXX").string();
    if (mkdtemp(wanted.data()) != nullptr) path = wanted;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

struct Child {
  WorkerOptions options;
  pid_t process = -1;
  int said = -1;  // its stderr
  std::string text;
  std::uint64_t corpus = 0;
  bool running = true;
};

// One for each worker, and others for each seed of the campaign; never 0, which is none.
std::uint32_t seed_of(std::uint64_t seed, std::uint64_t worker) {
  return static_cast<std::uint32_t>(Random(seed ^ (worker << 32)).next() >> 32) | 1u;
}

// The engine tells of its corpus in lines like "#513 NEW cov: … corp: 12/3456b …".
void read_corpus(Child& child) {
  const std::size_t at = child.text.rfind("corp: ");
  if (at == std::string::npos) return;
  const char* first = child.text.data() + at + 6;
  std::from_chars(first, child.text.data() + child.text.size(), child.corpus);
}

void listen(Child& child) {
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(child.said, buffer, sizeof buffer);
    if (got <= 0) break;
    child.text.append(buffer, static_cast<std::size_t>(got));
  }
  read_corpus(child);
  if (child.text.size() > kMostSaid) child.text.erase(0, child.text.size() - kMostSaid);
}

// A campaign under way.
class Campaign {
 public:
  Campaign(const CampaignOptions& options, Board& board, std::string scratch)
      : options_(options), board_(board), scratch_(std::move(scratch)) {
    // Nobody comes to play nothing.
    const auto jobs = static_cast<std::uint64_t>(options.jobs);
    children_.resize(options.execs == 0 ? jobs : std::min(jobs, options.execs));
  }

  // Forks the workers.
  harness::Status start(const harness::target::Target& target, const harness::suite::Suite& suite,
                        const harness::spec::Registry& registry);
  // Hears what workers say, and tells them when it is over. False when all have ended. `wishes`:
  // how often somebody asked for an end.
  bool tend(int wishes);
  Standing standing() const;
  CampaignEnd end() const;

 private:
  void prepare(std::size_t number);
  void wait_a_moment() const;
  bool look_after(Child& child, bool at_once);
  void note_end(const Child& child, int status);

  const CampaignOptions& options_;
  Board& board_;
  std::string scratch_;
  Clock::time_point began_ = Clock::now() - options_.before;
  std::vector<Child> children_;
  Clock::time_point stopped_{};
  int heard_ = 0;                  // wishes
  std::uint64_t unconfirmed_ = 0;  // suspects that workers left
  CampaignEnd ended_;              // as far as is known
};

void Campaign::prepare(std::size_t number) {
  WorkerOptions& mine = children_[number].options;
  mine = options_.worker;
  mine.number = number;
  mine.workers = children_.size();
  mine.scratch = scratch_ + "/" + std::to_string(number);
  mine.engine.folders.push_back(mine.scratch);
  mine.engine.seed = seed_of(options_.seed, number);
  mine.rate = static_cast<double>(options_.rate) / static_cast<double>(children_.size());
  mine.execs =
      options_.execs / children_.size() + (number < options_.execs % children_.size() ? 1 : 0);
  mine.timed = options_.execs == 0;
  mine.one_is_enough = options_.stop_at_first;
  mine.engine.reload = options_.jobs > 1;
}

harness::Status Campaign::start(const harness::target::Target& target,
                                const harness::suite::Suite& suite,
                                const harness::spec::Registry& registry) {
  for (std::size_t i = 0; i < children_.size(); ++i) {
    prepare(i);
    int ends[2];
    if (!harness::os::make_pipe(ends))
      return harness::Error{"", std::string("no pipe: ") + std::strerror(errno), ""};
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0)
      return harness::Error{"", std::string("no process: ") + std::strerror(errno), ""};
    if (process == 0) {
      harness::os::end_with(parent);
      for (const int wish : {SIGINT, SIGTERM, SIGHUP})
        signal(wish, SIG_IGN);  // the parent says when
      dup2(ends[1], STDERR_FILENO);
      const WorkerOptions& mine = children_[i].options;
      std::filesystem::create_directory(mine.scratch);
      work(mine, target, suite, registry, board_);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    children_[i].process = process;
    children_[i].said = ends[0];
  }
  return harness::Nothing{};
}

Standing Campaign::standing() const {
  Standing out;
  out.profile = board_.profile();
  out.elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - began_);
  for (std::size_t i = 0; i < children_.size(); ++i) {
    const WorkerRow& row = board_.workers[i];
    out.execs += row.execs;
    out.frames += row.frames;
    out.sessions += row.sessions;
    out.findings += row.findings;
    out.flaky += row.flaky;
    out.unconfirmed += row.unconfirmed;
    out.withheld += row.withheld;
    out.starting += milliseconds(row.starting) / children_.size();
    out.examining += milliseconds(row.examining) / children_.size();
    out.waiting += row.waiting;
    out.by_clock |= row.by_clock != 0;
    out.behaviours = std::max<std::uint64_t>(out.behaviours, row.behaviours);
    out.places = std::max<std::uint64_t>(out.places, row.places);
    out.last_new = std::max(out.last_new, milliseconds(row.last_new));
    out.corpus = std::max(out.corpus, children_[i].corpus);
    out.confirming += static_cast<int>(row.confirming);
    if (row.confirming != 0) out.suspect = row.suspect();
    out.running += children_[i].running;
  }
  out.ending = board_.stop;
  return out;
}

void Campaign::wait_a_moment() const {
  std::vector<pollfd> ears;
  for (const Child& child : children_)
    if (child.running) ears.push_back({child.said, POLLIN, 0});
  poll(ears.data(), ears.size(), static_cast<int>(kTick.count()));
}

bool Campaign::tend(int wishes) {
  wait_a_moment();
  const bool over =
      (options_.seconds > 0 && Clock::now() - began_ >= std::chrono::seconds(options_.seconds)) ||
      (options_.stop_at_first && standing().findings > 0);
  if ((over || wishes > 0) && !board_.stop) {
    ended_.interrupted = !over;
    board_.stop = true;
    stopped_ = Clock::now();
  }
  const bool at_once = wishes > heard_ && Clock::now() - stopped_ > kOneWish;
  if (!at_once) heard_ = wishes;
  bool running = false;
  for (Child& child : children_) running |= child.running && look_after(child, at_once);
  return running;
}

// False when it has ended.
bool Campaign::look_after(Child& child, bool at_once) {
  listen(child);
  int status = 0;
  if (waitpid(child.process, &status, WNOHANG) == child.process) {
    listen(child);
    child.running = false;
    note_end(child, status);
    unconfirmed_ += keep_suspect(suspect_file(child.options), options_.worker.findings);
    close(child.said);
    return false;
  }
  const bool looking = board_.workers[child.options.number].confirming != 0;
  const milliseconds most = looking ? milliseconds(kLastLook) : kFarewell;
  if (board_.stop && (at_once || Clock::now() - stopped_ > most)) kill(child.process, SIGKILL);
  return true;
}

void Campaign::note_end(const Child& child, int status) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 4;
  const bool told_to = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && board_.stop;
  if (code == 0 || told_to) return;
  const std::size_t at = child.text.rfind("rpcspec: ");
  ended_.message = at == std::string::npos ? child.text : child.text.substr(at + 9);
  if (WIFSIGNALED(status))
    ended_.message = "a worker was ended by signal " + std::to_string(WTERMSIG(status)) +
                     "; unless somebody sent it, this is a bug in rpcspec";
  while (!ended_.message.empty() && ended_.message.back() == '\n') ended_.message.pop_back();
  ended_.code = std::max(ended_.code, code);
  if (!board_.stop) stopped_ = Clock::now();
  board_.stop = true;
}

CampaignEnd Campaign::end() const {
  CampaignEnd out = ended_;
  out.standing = standing();
  out.standing.unconfirmed += unconfirmed_;
  if (out.code == 0 && out.standing.execs == 0 && !out.interrupted) {
    out.code = kUnreachable;
    out.message = "no script could be played: the target did not answer in " +
                  std::to_string(out.standing.elapsed.count() / 1000) +
                  " s; run the same command by hand and look at its output, or allow more time";
  }
  for (std::size_t i = 0; i < children_.size(); ++i)
    out.digest = (out.digest ^ board_.workers[i].digest) * 0x100000001B3u;
  return out;
}

}  // namespace

harness::Result<CampaignEnd> run_campaign(const CampaignOptions& options,
                                          const harness::target::Target& target,
                                          const harness::suite::Suite& suite,
                                          const harness::spec::Registry& registry,
                                          const std::function<int()>& asked,
                                          const std::function<void(const Standing&)>& tell) {
  harness::Result<Board*> made = Board::make();
  if (!made) return made.error();
  Board& board = **made;
  for (const std::string& known : options.known_signatures) board.claim(known);
  for (const Found& known : findings_in(options.worker.findings)) {
    board.claim(known.signature);
    const std::string anew =
        signature_anew(result_in(options.worker.findings, known.name), registry);
    if (!anew.empty()) board.claim(anew);
  }
  const Scratch scratch;
  if (scratch.path.empty())
    return harness::Error{"", std::string("no temporary folder: ") + std::strerror(errno), ""};
  Campaign campaign(options, board, scratch.path);
  const harness::Status started = campaign.start(target, suite, registry);
  if (!started) return started.error();
  for (bool running = true; running;) {
    running = campaign.tend(asked());
    tell(campaign.standing());
  }
  return campaign.end();
}

}  // namespace fuzz
