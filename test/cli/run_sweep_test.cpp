// SPDX-License-Identifier: BSD-3-Clause
// taut sweep over runs, and what taut run shows in a terminal.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <thread>
#include <utility>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using std::numbers::pi;

class RunSweepCommand : public testing::Test {
 protected:
  Ended taut(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "sweep");
    return run(folder_, arguments);
  }
  void expect_refused(std::vector<std::string> arguments, const std::string& said) {
    arguments.insert(arguments.begin(), gallery("double_pendulum.toml"));
    const Ended e = taut(std::move(arguments));
    EXPECT_EQ(e.exit, 2);
    EXPECT_NE(e.err.find(said), std::string::npos) << e.err;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }
  std::string oscillator() const {
    write(folder_ / "oscillator.toml", R"toml(
name = "</script> \"oscillator\""
[parameters]
w = 1
a = 1
[coordinates]
x = { mass = 1, at = "a" }
[[potential]]
energy = "w^2*x^2/2"
[[event]]
name = "crossing"
zero = "x"
[run]
until = "2*pi/w"
)toml");
    return "oscillator.toml";
  }
  /// Numbers of the runs in a file, of two measures each: a place that was written is not 0.
  static std::set<std::size_t> runs_in(const fs::path& file) {
    const std::string bytes = read(file);
    const std::size_t head = bytes.find("\n\n") + 2, row = 24;
    std::set<std::size_t> numbers;
    for (std::size_t k = 0; head + (k + 1) * row <= bytes.size(); ++k)
      if (bytes.compare(head + k * row, 8, std::string(8, '\0')) != 0) numbers.insert(k);
    return numbers;
  }
  void wait_for_runs(const fs::path& file, std::size_t runs) const {
    for (int k = 0; k < 4000 && runs_in(file).size() < runs; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const fs::path journal_ = folder_ / "here" / "sweep.runs";
};

// x = a cos w t over one period
TEST_F(RunSweepCommand, FindsTheClosedFormsOfAnOscillatorOnAGrid) {
  const Ended e = taut({oscillator(), "--vary",    "w=0.5:8:5:log", "--vary",    "a=1:3:3",
                        "--measure",  "end(x)",    "--measure",     "range(x)",  "--measure",
                        "max(v(x))",  "--measure", "rms(x)",        "--measure", "event(crossing)",
                        "--measure",  "t",         "--tol",         "1e-10",     "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json j = Json::parse(e.out);
  EXPECT_EQ(j["kind"], "sweep");
  EXPECT_EQ(j["runs"], 15);
  EXPECT_EQ(j["failed"], 0);
  ASSERT_EQ(j["measures"].size(), 6u);
  for (std::size_t k = 0; k < 15; ++k) {
    const double w = j["axes"][0]["values"][k % 5].get<double>();
    const double a = j["axes"][1]["values"][k / 5].get<double>();
    EXPECT_NEAR(w, 0.5 * std::pow(2.0, static_cast<double>(k % 5)), 1e-14 * w);
    const std::vector<double> truth{a, 2 * a, a * w, a / std::sqrt(2.0), pi / 2 / w, 2 * pi / w};
    for (std::size_t m = 0; m < truth.size(); ++m)
      // the extremes of 4000 rows are off by 1/2 (pi/4000)^2
      EXPECT_NEAR(j["measures"][m]["values"][k].get<double>(), truth[m], 4e-7 * truth[m])
          << j["measures"][m]["name"];
  }
  const std::string page = read(folder_ / "out" / "oscillator" / "sweep.html");
  EXPECT_NE(page.find("\\u003c/script> \\\"oscillator\\\""), std::string::npos);
}

// Energy is looked at in rows, too: the same ones, whatever else is asked for.
TEST_F(RunSweepCommand, MeasuresDoNotDependOnEachOther) {
  const auto energy = [&](std::vector<std::string> further) {
    std::vector<std::string> words{oscillator(),   "--vary", "w=1:3:3", "--measure",
                                   "energy_error", "--tol",  "1e-4",    "--json"};
    words.insert(words.end(), further.begin(), further.end());
    const Ended e = taut(words);
    EXPECT_EQ(e.exit, 0) << e.err;
    return Json::parse(e.out)["measures"][0]["values"];
  };
  const Json alone = energy({});
  EXPECT_EQ(alone.size(), 3u);
  EXPECT_EQ(alone, energy({"--measure", "max(x)"}));
  EXPECT_EQ(alone, energy({"--measure", "end(x)", "--measure", "steps"}));
}

TEST_F(RunSweepCommand, QuietPrintsFailuresOnly) {
  Ended e = taut({oscillator(), "--vary", "w=1:3:3", "--measure", "t", "--quiet"});
  EXPECT_EQ(e.exit, 0);
  EXPECT_EQ(e.out + e.err, "");
  EXPECT_TRUE(fs::exists(folder_ / "out" / "oscillator" / "sweep.csv"));
  e = taut({oscillator(), "--vary", "w=1:3:3", "--at", "x=0", "--quiet"});
  EXPECT_EQ(e.exit, 0);
  EXPECT_EQ(e.out + e.err, "");
  e = taut({oscillator(), "--vary", "w=1:3:3", "--measure", "t", "--max-steps", "0"});
  EXPECT_EQ(e.exit, 2);
  EXPECT_NE(e.err.find("--max-steps: must be a number greater than 0, not '0'"), std::string::npos)
      << e.err;
}

TEST_F(RunSweepCommand, LeavesAFolderToTheSweepThatIsAtWorkThere) {
  const std::string model = oscillator();
  const std::vector<std::string> sweep{model,    "--vary", "w=1:2:3", "--measure",
                                       "end(x)", "--out",  "results"};
  fs::create_directory(folder_ / "results");
  const int other = ::open((folder_ / "results").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  const Ended refused = taut(sweep);
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("another run or sweep is at work in results"), std::string::npos)
      << refused.err;
  EXPECT_TRUE(fs::is_empty(folder_ / "results"));
  ::close(other);
  EXPECT_EQ(taut(sweep).exit, 0);
}

TEST_F(RunSweepCommand, DoesNotDependOnTheNumberOfThreads) {
  for (const std::string threads : {"1", "2"})
    ASSERT_EQ(taut({oscillator(), "--vary", "w=1:9:6", "--vary", "a=1:2:4", "--measure",
                    "mean(x^2)", "--measure", "energy_error", "--threads", threads, "--out",
                    threads, "--format", "csv,h5"})
                  .exit,
              0);
  const std::string one = read(folder_ / "1" / "sweep.csv");
  EXPECT_EQ(one, read(folder_ / "2" / "sweep.csv"));
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 1 + 24);
  EXPECT_TRUE(fs::exists(folder_ / "2" / "sweep.h5"));
}

class InterruptedSweep : public RunSweepCommand {
 protected:
  /// Runs of a tenth of a millisecond: so many that a signal meets them at work on a busy machine,
  /// too.
  static constexpr int runs = 20'000;
  std::vector<std::string> sweep(std::vector<std::string> further) const {
    std::vector<std::string> words{"sweep",     gallery("double_pendulum.toml"),
                                   "--vary",    "g=1:20:" + std::to_string(runs),
                                   "--measure", "end(bob1.x)",
                                   "--measure", "steps",
                                   "--method",  "dop853",
                                   "--tol",     "1e-10"};
    words.insert(words.end(), further.begin(), further.end());
    return words;
  }
};

TEST_F(InterruptedSweep, KilledAndResumedLosesNoRunAndDoesNoneTwice) {
  ASSERT_EQ(run(folder_, sweep({"--out", "whole"})).exit, 0);
  std::set<std::size_t> before;
  for (std::size_t enough = 40; enough < 1000; enough += 400) {
    Running running{folder_, sweep({"--out", "here", "--resume"})};
    wait_for_runs(journal_, enough);
    running.send(SIGKILL);
    ASSERT_EQ(running.wait().signal, SIGKILL) << "the sweep is too short to be killed";
    // none is lost
    const std::set<std::size_t> now = runs_in(journal_);
    EXPECT_TRUE(std::includes(now.begin(), now.end(), before.begin(), before.end()));
    before = now;
  }
  const Ended e = run(folder_, sweep({"--out", "here", "--resume", "--json"}));
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_EQ(Json::parse(e.out)["resumed"], before.size());
  EXPECT_EQ(read(folder_ / "here" / "sweep.csv"), read(folder_ / "whole" / "sweep.csv"));
  EXPECT_EQ(Json::parse(e.out)["command"].get<std::string>().find("--resume"), std::string::npos);

  // once more: nothing is left to do, and the results are written again
  fs::remove(folder_ / "here" / "sweep.csv");
  const Ended again = run(folder_, sweep({"--out", "here", "--resume", "--json"}));
  ASSERT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["resumed"], runs);
  EXPECT_NE(again.err.find("nothing was left to do"), std::string::npos) << again.err;
  EXPECT_EQ(read(folder_ / "here" / "sweep.csv"), read(folder_ / "whole" / "sweep.csv"));
}

TEST_F(InterruptedSweep, CtrlCKeepsWhatIsDone) {
  Running running{folder_, sweep({"--out", "here"})};
  wait_for_runs(journal_, 40);
  running.send(SIGINT);
  const Ended e = running.wait();
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("cancelled"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("--resume"), std::string::npos) << e.err;
  const std::string csv = read(folder_ / "here" / "sweep.csv");
  EXPECT_GE(std::count(csv.begin(), csv.end(), '\n'), 10);
  EXPECT_TRUE(fs::exists(folder_ / "here" / "sweep.html"));

  // of another sweep, a journal is refused
  std::vector<std::string> other = sweep({"--out", "here", "--resume"});
  const std::string vary = other[3];
  other[3] = "g=1:20:301";
  const std::string before = read(journal_);
  const Ended refused = run(folder_, other);
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("--vary is '" + vary + "' there"), std::string::npos) << refused.err;
  EXPECT_EQ(read(journal_), before);

  // started over, it is put aside
  other = sweep({"--out", "here"});
  other[3] = "g=1:20:3";
  const Ended over = run(folder_, other);
  EXPECT_EQ(over.exit, 0);
  EXPECT_NE(over.err.find("sweep.runs.before"), std::string::npos) << over.err;
  EXPECT_EQ(read(folder_ / "here" / "sweep.runs.before"), before);
  // that of a complete one is replaced
  EXPECT_EQ(run(folder_, other).err, "");
  EXPECT_EQ(read(folder_ / "here" / "sweep.runs.before"), before);
}

// A file of a sweep that was interrupted is never written over, however often one begins anew.
TEST_F(InterruptedSweep, EachIsPutAsideWhereAnotherOneBegins) {
  const fs::path aside = folder_ / "here" / "sweep.runs.before";
  const std::vector<std::pair<std::string, fs::path>> beginnings{
      {"20", {}}, {"21", aside}, {"22", aside.string() + "-2"}};
  std::vector<std::string> kept;
  for (const auto& [last, earlier] : beginnings) {
    std::vector<std::string> words = sweep({"--out", "here"});
    words[3] = "g=1:" + last + ":" + std::to_string(runs);
    Running running{folder_, words};
    for (int k = 0; k < 4000 && !earlier.empty() && !fs::exists(earlier); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    wait_for_runs(journal_, 40);
    running.send(SIGKILL);
    static_cast<void>(running.wait());
    kept.push_back(read(journal_));
  }
  EXPECT_TRUE(read(aside) == kept[0]);
  EXPECT_TRUE(read(aside.string() + "-2") == kept[1]);
}

// x'' = -g from x = 0 with start(x), v(x) = u(0): end(x) = x0 + t v0 - g t^2/2
TEST_F(RunSweepCommand, VariesStartValuesAndInputs) {
  write(folder_ / "thrown.toml", R"toml(
[parameters]
g = 10
[inputs]
f = 0
[coordinates]
x = { mass = 1, at = 0, velocity = 0 }
[[force]]
on = "x"
value = "f - g"
[run]
until = 1
)toml");
  const Ended e = taut({"thrown.toml", "--vary", "start(x)=0:1:2", "--vary", "start(v(x))=1:2:2",
                        "--vary", "f=3:4:2", "--measure", "end(x)", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json j = Json::parse(e.out);
  EXPECT_EQ(j["axes"][1]["name"], "start(v(x))");
  for (std::size_t k = 0; k < 8; ++k) {
    const auto x = static_cast<double>(k % 2), v = static_cast<double>(k / 2 % 2) + 1,
               f = static_cast<double>(k / 4) + 3;
    EXPECT_NEAR(j["measures"][0]["values"][k].get<double>(), x + v + (f - 10) / 2, 1e-6);
  }
  const Ended wrong = taut({"thrown.toml", "--vary", "start(y)=0:1:2", "--measure", "t"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("--vary start(y)"), std::string::npos) << wrong.err;
}

TEST_F(RunSweepCommand, SaysWhatADeviceNeeds) {
  const std::vector<std::string> words{gallery("double_pendulum.toml"), "--vary", "g=1:20:9",
                                       "--device", "cuda"};
  std::vector<std::string> course = words;
  course.insert(course.end(), {"--measure", "max(bob1.x)"});
  const Ended e = taut(course);
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("not one of the end alone"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("leave out --device"), std::string::npos) << e.err;
}

TEST_F(RunSweepCommand, SaysWhichRunsFailed) {
  // no square root below 0, no rod of length 0
  write(folder_ / "some.toml", R"toml(
name = "some"
[parameters]
p = 1
l = 1
[points]
b = { mass = 1, at = ["l", 0] }
[[rod]]
between = ["origin", "b"]
length = "l"
[run]
until = 1
)toml");
  Ended e = taut({"some.toml", "--vary", "p=-1:1:3", "--measure", "end(sqrt(p))", "--json"});
  EXPECT_EQ(e.exit, 0);
  EXPECT_NE(e.err.find("1 of 3 runs failed"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("--measure end(sqrt(p))"), std::string::npos) << e.err;
  Json j = Json::parse(e.out);
  EXPECT_EQ(j["statuses"][0], "non_finite");
  EXPECT_TRUE(j["measures"][0]["values"][0].is_null());
  EXPECT_EQ(j["measures"][0]["values"][2], 1.0);

  e = taut({"some.toml", "--vary", "l=-2:0:3", "--measure", "t", "--json", "--out", "none"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("all 3 runs failed"), std::string::npos) << e.err;
  j = Json::parse(e.out);
  EXPECT_EQ(j["statuses"][0], "bad_input");
  ASSERT_EQ(j["failures"].size(), 3u);
  EXPECT_EQ(j["failures"][1]["reason"].get<std::string>().find("rod 1: length: -1 is not > 0"), 0u);
  EXPECT_TRUE(fs::exists(folder_ / "none" / "sweep.csv"));
}

TEST_F(RunSweepCommand, RefusesMistakes) {
  const std::vector<std::string> t{"--measure", "t"};
  const auto vary = [&](std::vector<std::string> words, const std::string& said) {
    words.insert(words.end(), t.begin(), t.end());
    expect_refused(std::move(words), said);
  };
  vary({"--vary", "g=1:2:0"}, "too few");
  vary({"--vary", "g=1:1:5"}, "two different numbers");
  vary({"--vary", "g=0:1:5:log"}, "> 0");
  vary({"--vary", "g=1:2:3:lin"}, "NAME=A:B:N:log");
  vary({"--vary", "gg=1:2:3"}, "did you mean 'g'");
  vary({"--vary", "g=1:2:3", "--vary", "g=1:2:3"}, "varied twice");
  vary({"--vary", "g=1:2:3", "--set", "g=2"}, "set and varied");
  vary({"--vary", "g=1:2:2000000000"}, "too many");
  vary({"--vary", "g=1:2:3", "--at", "bob1.x=1"}, "--measure stable");
  vary({"--vary", "g=1:2:3", "--method", "verlet"}, "methods that fit");
  expect_refused({"--vary", "g=1:2:3", "--measure", "max(bob1.q)"}, "--measure max(bob1.q)");
  expect_refused({"--vary", "g=1:2:3", "--measure", "max(lambda(rod 3))"}, "did you mean 'rod 1'");
  expect_refused({"--vary", "g=1:2:3", "--measure", "stable", "--measure", "t"}, "beside");
  expect_refused({"--vary", "g=1:2:3", "--until", "1"}, "--until");
  // one value is a run
  EXPECT_EQ(taut({gallery("double_pendulum.toml"), "--vary", "g=2:2:1", "--measure", "t"}).exit, 0);
}

/// What a program writes to a terminal.
std::string in_terminal(const fs::path& folder, const char* locale,
                        const std::vector<std::string>& arguments, unsigned short columns = 70,
                        const char* kind = "xterm") {
  const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int master = -1;
  const pid_t process = ::forkpty(&master, nullptr, nullptr, &size);
  if (process == 0) {
    ::setenv("LC_ALL", locale, 1);
    ::setenv("TERM", kind, 1);
    std::vector<char*> words{const_cast<char*>(TAUT_PROGRAM)};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    if (::chdir(folder.c_str()) == 0) ::execv(TAUT_PROGRAM, words.data());
    ::_exit(127);
  }
  std::string text;
  char part[4096];
  // at its end a terminal gives an error
  for (ssize_t count = 1; count > 0;)
    if (count = ::read(master, part, sizeof part); count > 0)
      text.append(part, static_cast<std::size_t>(count));
  ::close(master);
  int status = 0;
  ::waitpid(process, &status, 0);
  return text;
}

TEST_F(RunSweepCommand, RunsShowTheCourseOfEnergyAndStepInATerminalOnly) {
  const std::vector<std::string> arguments{"run", gallery("double_pendulum.toml"), "--out", "here"};
  const std::string blocks = in_terminal(folder_, "C.UTF-8", arguments);
  EXPECT_NE(blocks.find("|E - E(0)|"), std::string::npos) << blocks;
  EXPECT_NE(blocks.find("█"), std::string::npos) << blocks;
  const std::string ascii = in_terminal(folder_, "C", arguments);
  EXPECT_NE(ascii.find("step          "), std::string::npos) << ascii;
  EXPECT_TRUE(std::all_of(ascii.begin(), ascii.end(), [](char c) { return c > 0; })) << ascii;
  const std::size_t at = ascii.find("|E - E(0)|");
  ASSERT_NE(at, std::string::npos) << ascii;
  EXPECT_LE(ascii.find('\r', at) - at, 70u);
  const Ended piped = run(folder_, arguments);
  EXPECT_EQ(piped.out.find("E(0)"), std::string::npos) << piped.out;

  const std::string bar = in_terminal(
      folder_, "C",
      {"sweep", gallery("double_pendulum.toml"), "--vary", "g=1:2:9", "--measure", "t"});
  EXPECT_NE(bar.find("0/9"), std::string::npos) << bar;
}

TEST_F(RunSweepCommand, SmallAndDumbTerminalsAreServed) {
  const std::string narrow =
      in_terminal(folder_, "C", {"run", gallery("double_pendulum.toml"), "--out", "here"}, 40);
  EXPECT_NE(narrow.find("t = 0 10 s"), std::string::npos) << narrow;
  const std::string dumb =
      in_terminal(folder_, "C",
                  {"sweep", gallery("double_pendulum.toml"), "--vary", "g=1:2:9", "--measure", "t"},
                  70, "dumb");
  EXPECT_NE(dumb.find("9 of 9"), std::string::npos) << dumb;
  EXPECT_EQ(dumb.find('\033'), std::string::npos) << dumb;
}

}  // namespace
}  // namespace taut::test
