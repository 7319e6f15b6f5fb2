// SPDX-License-Identifier: BSD-3-Clause
// Grids of runs: values, measures, journals.
#include "taut/studies/sweep.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "taut/methods/registry.hpp"
#include "taut/model/model_file.hpp"
#include "taut/report/sweep.hpp"
#include "taut/run/integrate.hpp"
#include "taut/studies/measure.hpp"

namespace taut {
namespace {

using std::numbers::pi;

TEST(SweepAxis, GoesInEqualStepsOrInEqualRatios) {
  const SweepAxis even{.parameter = "p", .first = 2, .last = 8, .points = 4};
  for (int k = 0; k < 4; ++k) EXPECT_DOUBLE_EQ(even.value(k), 2 + 2 * k);
  const SweepAxis ratio{.parameter = "p", .first = 1e-3, .last = 1e3, .points = 7, .log = true};
  const std::vector<double> decades{1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};
  for (int k = 0; k < 7; ++k) EXPECT_EQ(ratio.value(k), decades[static_cast<std::size_t>(k)]);
  const SweepAxis wide{.parameter = "p", .first = 1e-300, .last = 1e300, .points = 3, .log = true};
  EXPECT_DOUBLE_EQ(wide.value(1), 1.0);
  EXPECT_EQ((SweepAxis{.parameter = "p", .first = 5, .last = 6, .points = 1}.value(0)), 5.0);
  const SweepAxis any = SweepAxis::of("p", {3, -1, 7});
  EXPECT_EQ(any.points, 3);
  EXPECT_EQ(any.value(0), any.first);
  EXPECT_EQ(any.value(1), -1.0);
  EXPECT_EQ(any.value(2), any.last);
}

// A pendulum of length 1 released at the angle a from the vertical:
//   T(bottom) = m g (3 - 2 cos a), v^2 = 2 g (cos - cos a); the angle itself is not a coordinate.
class SweepMeasures : public testing::Test {
 protected:
  std::vector<double> measured(const std::vector<std::string>& texts) {
    Problems problems;
    const std::vector<RunMeasure> measures = read_measures(texts, problems);
    Model model = read_model(R"toml(
name = "pendulum"
[parameters]
g = 9.81
[definitions]
height = "1 + bob.y"
[points]
bob = { mass = 2, at = ["sin(1)", "-cos(1)"] }
[[rod]]
between = ["origin", "bob"]
length = 1
name = "the rod"
[[gravity]]
acceleration = [0, "-g"]
[[event]]
name = "bottom"
zero = "bob.x"
action = "stop"
[[event]]
name = "top"
zero = "bob.y - 5"
)toml",
                             problems);
    add_measures(measures, model);
    CompiledModel compiled = compile(model, problems);
    EXPECT_TRUE(problems.empty()) << problems.message();
    RunMeter meter{measures, compiled, problems};
    EXPECT_TRUE(problems.empty()) << problems.message();
    EXPECT_TRUE(compiled.statistics.empty());
    RunOptions options{.until = 2.0, .every = 1e-3};
    options.observers.emplace_back([&](const Frame& frame) { meter(frame); });
    Motion motion;
    const Start start = consistent_start(compiled.system, compiled.given);
    summary_ =
        integrate(compiled.system, start, *make_method("dop853", {.tol = 1e-10}), options, motion);
    return meter.result(summary_);
  }
  Summary summary_;
};

TEST_F(SweepMeasures, AgreeWithTheClosedFormsOfAPendulum) {
  const double g = 9.81, a = 1.0;
  const std::vector<double> found = measured(
      {"end(bob.x)", "max(lambda(the rod))", "min(lambda(the rod))", "range(height)",
       "end( hypot(bob.vx, bob.vy)^2 )", "event(bottom)", "event(top)", "t", "max(g)", "mean(t)",
       "rms(t)", "steps", "max( abs( lambda(the rod) ) )", "energy_error", "max_constraint"});
  ASSERT_EQ(found.size(), 15u);
  ASSERT_EQ(summary_.status, Status::stopped_by_event);
  EXPECT_NEAR(found[0], 0.0, 1e-9);
  EXPECT_NEAR(found[1], 2 * g * (3 - 2 * std::cos(a)), 1e-6);
  EXPECT_NEAR(found[2], 2 * g * std::cos(a), 1e-9);
  EXPECT_NEAR(found[3], 1 - std::cos(a), 1e-8);
  EXPECT_NEAR(found[4], 2 * g * (1 - std::cos(a)), 1e-7);
  // a quarter of the period, from the arithmetic-geometric mean
  double x = 1.0, y = std::cos(a / 2);
  for (int k = 0; k < 6; ++k) {
    const double mean = (x + y) / 2;
    y = std::sqrt(x * y);
    x = mean;
  }
  const double quarter = pi / 2 / std::sqrt(g) / x;
  EXPECT_NEAR(found[5], quarter, 1e-8);
  EXPECT_TRUE(std::isnan(found[6]));  // did not happen
  EXPECT_NEAR(found[7], quarter, 1e-8);
  EXPECT_EQ(found[8], g);
  EXPECT_NEAR(found[9], quarter / 2, 1e-8);
  EXPECT_NEAR(found[10], quarter / std::sqrt(3.0), 1e-6);
  EXPECT_EQ(found[11], static_cast<double>(summary_.counters.steps));
  EXPECT_EQ(found[12], found[1]);
  EXPECT_EQ(found[13], *summary_.energy_error);
  EXPECT_LE(found[14], 1e-14);
}

// over half a second, in rows of a millisecond
TEST_F(SweepMeasures, CountVibrations) {
  const std::vector<double> found =
      measured({"frequency(3 + 2*cos(300*t))", "peak(2 - 5*cos(300*t))", "peak(5 - 2*cos(300*t))",
                "frequency(t)", "frequency(cos(4*t))", "frequency(cos(100*t) + 0.06*cos(2000*t))"});
  EXPECT_NEAR(found[0], 300 / (2 * pi), 1e-2);
  EXPECT_NEAR(found[1], 7, 0.02);
  EXPECT_NEAR(found[2], 7, 0.02);
  EXPECT_TRUE(std::isnan(found[3]));
  EXPECT_TRUE(std::isnan(found[4]));
  // it passes its mean several times at each turn, but once from below
  EXPECT_NEAR(found[5], 100 / (2 * pi), 0.3);
}

TEST_F(SweepMeasures, RefuseWhatIsNotThere) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"bob.x", "measures are"},
           {"max()", "measures are"},
           {"max(t", "measures are"},
           {"(t) + max(t)", "measures are"},
           {"energy_eror", "did you mean 'energy_error'"}}) {
    Problems problems;
    EXPECT_TRUE(read_measures({text}, problems).empty()) << text;
    EXPECT_NE(problems.message().find(said), std::string::npos) << problems.message();
  }
  Problems twice;
  EXPECT_EQ(read_measures({"t", "t"}, twice).size(), 1u);
  EXPECT_FALSE(twice.empty());

  Problems problems;
  const auto measures = read_measures({"max(lambda(rod 2))", "event(hit)"}, problems);
  ASSERT_TRUE(problems.empty());
  Model model = read_model(
      "[points]\nb = { mass = 1, at = [1, 0] }\n[[rod]]\nbetween = "
      "[\"origin\", \"b\"]\n",
      problems);
  CompiledModel compiled = compile(model, problems);
  const RunMeter meter{measures, compiled, problems};
  EXPECT_EQ(problems.count(), 2u);
  EXPECT_NE(problems.message().find("did you mean 'rod 1'"), std::string::npos)
      << problems.message();
}

/// A sweep of two axes whose runs are a formula; every fifth one fails.
class RunSweeps : public testing::Test {
 protected:
  const std::vector<SweepAxis> axes_{
      {.parameter = "a", .first = 0, .last = 1, .points = 7},
      {.parameter = "b", .first = 1, .last = 100, .points = 3, .log = true}};
  const RunIdentity identity_{{"model", "1"}, {"step", "0.1"}};
  // tests may run at the same time, in processes of their own
  const std::filesystem::path journal_ =
      std::filesystem::path{testing::TempDir()} /
      ("taut-run-sweep-test-" + std::to_string(::getpid()) + ".journal");
  std::atomic<int> done_{0};

  void TearDown() override { std::filesystem::remove(journal_); }

  DoRun run() {
    return [this](const std::vector<double>& x) -> SweptRun {
      const int number = done_++;
      if (number == stop_after_) cancel_ = true;
      if (std::lround(x[0] * 6) % 5 == 4)
        return {.status = "unstable", .reason = "line 1\nline\\2\ttab", .measures = {NAN, NAN}};
      return {.status = "done", .method = "m", .measures = {x[0] / 3 + x[1], std::sqrt(x[1])}};
    };
  }
  RunSweep swept(RunSweepOptions options) {
    options.cancel = &cancel_;
    options.identity = identity_;
    return sweep_runs(axes_, {"sum", "root"}, run(), options);
  }
  std::string text() const {
    std::ifstream in{journal_, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  void write(const std::string& content) const {
    std::ofstream{journal_, std::ios::binary} << content;
  }
  JournalFound found() const { return find_journal(journal_, identity_, 21, 2); }

  static void expect_same(const RunSweep& a, const RunSweep& b) {
    ASSERT_EQ(a.runs.size(), b.runs.size());
    for (std::size_t k = 0; k < a.runs.size(); ++k) {
      EXPECT_EQ(a.runs[k].status, b.runs[k].status);
      EXPECT_EQ(a.runs[k].reason, b.runs[k].reason);
      EXPECT_EQ(a.runs[k].method, b.runs[k].method);
      for (std::size_t m = 0; m < 2; ++m)
        EXPECT_TRUE(a.runs[k].failed() || a.runs[k].measures[m] == b.runs[k].measures[m]);
    }
  }

  std::atomic<bool> cancel_{false};
  int stop_after_ = -1;
};

TEST_F(RunSweeps, GoThroughTheGridWithTheFirstAxisFastest) {
  const RunSweep sweep = swept({.threads = 2});
  ASSERT_EQ(sweep.runs.size(), 21u);
  EXPECT_EQ(sweep.finished, 21u);
  EXPECT_EQ(sweep.failed, 3u);
  EXPECT_EQ(done_, 21);
  EXPECT_EQ(sweep.method(), "m");
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 7; ++i) {
      const std::vector<double> x = sweep.values(i + 7 * j);
      EXPECT_NEAR(x[0], static_cast<double>(i) / 6, 1e-15);
      EXPECT_NEAR(x[1], std::pow(10.0, static_cast<double>(j)), 1e-12);
      EXPECT_TRUE(i == 4 || sweep.runs[i + 7 * j].measures[1] == std::sqrt(x[1]));
    }
  expect_same(sweep, swept({.threads = 1}));
}

TEST_F(RunSweeps, GoThroughAListOfPointsAndAreWrittenAsOne) {
  const std::vector<std::vector<double>> points{{0.5, 4}, {4.0 / 6, 1}, {0.25, 9}};
  const RunSweep sweep = swept({.points = points, .threads = 2});
  ASSERT_EQ(sweep.runs.size(), 3u);
  EXPECT_EQ(sweep.failed, 1u);
  for (const std::size_t k : {0u, 2u}) {
    EXPECT_EQ(sweep.values(k), points[k]);
    EXPECT_EQ(sweep.runs[k].measures[0], points[k][0] / 3 + points[k][1]);
  }
  const auto json = nlohmann::json::parse(sweep_json(sweep, {}));
  EXPECT_EQ(json["axes"].size(), 1u);
  EXPECT_EQ(json["axes"][0]["values"].size(), 3u);
  EXPECT_EQ(json["points"][2][1], 9.0);
}

TEST_F(RunSweeps, ResumeWithoutLosingOrRepeatingARun) {
  const RunSweep whole = swept({.threads = 1});
  done_ = 0;
  stop_after_ = 4;
  std::size_t before = 0;
  std::vector<SweptRun> kept;
  for (int pieces = 0; pieces < 10 && before < 21; ++pieces) {
    cancel_ = false;
    const RunSweep part = swept({.threads = 2, .journal = journal_, .kept = kept});
    stop_after_ = done_ + 4;
    EXPECT_EQ(part.resumed, before);
    EXPECT_EQ(part.status, part.finished == 21 ? Status::ok : Status::cancelled);
    // a line that was not written to its end is as if it was not there
    write(text() + "20\tdone\t1.5 2");
    const JournalFound again = found();
    ASSERT_EQ(again.kind, JournalFound::Kind::usable) << again.problem;
    EXPECT_EQ(again.finished, part.finished);
    EXPECT_GT(again.finished, before);
    before = again.finished;
    kept = again.runs;
    if (before == 21) expect_same(whole, part);
  }
  EXPECT_EQ(before, 21u);
  EXPECT_EQ(done_, 21);
}

TEST_F(RunSweeps, RefuseAJournalOfAnotherSweepOrADamagedOne) {
  EXPECT_EQ(found().kind, JournalFound::Kind::none);
  ASSERT_EQ(swept({.threads = 2, .journal = journal_}).status, Status::ok);
  const std::string good = text();
  ASSERT_EQ(found().kind, JournalFound::Kind::usable);

  const RunIdentity other{{"model", "1"}, {"step", "0.2"}};
  const JournalFound differs = find_journal(journal_, other, 21, 2);
  EXPECT_EQ(differs.kind, JournalFound::Kind::refused);
  EXPECT_NE(differs.problem.find("step is 0.1 there and 0.2 here"), std::string::npos);

  // complete: the same runs, whatever follows is damage
  EXPECT_FALSE(journal_complete(journal_));
  EXPECT_EQ(complete_journal(journal_), "");
  EXPECT_TRUE(journal_complete(journal_));
  EXPECT_EQ(found().finished, 21u);
  write(text() + "complete\n");
  EXPECT_EQ(found().kind, JournalFound::Kind::refused);

  const std::string last = good.substr(good.rfind('\n', good.size() - 2) + 1);
  for (const std::string& bad :
       {good + last, good + "nonsense\n", good + "21\tdone\t1 2\tm\t\n", std::string{"x"},
        good.substr(0, 25), good.substr(0, good.size() - last.size()) + "3\tdone\t1\tm\t\n"}) {
    write(bad);
    EXPECT_EQ(found().kind, JournalFound::Kind::refused) << bad;
  }
  // no journal can be written: nothing is computed for nothing
  done_ = 0;
  const RunSweep nowhere = swept({.journal = journal_ / "no" / "folder"});
  EXPECT_EQ(nowhere.status, Status::not_supported);
  EXPECT_FALSE(nowhere.problem.empty());
  EXPECT_EQ(done_, 0);
}

}  // namespace
}  // namespace taut
