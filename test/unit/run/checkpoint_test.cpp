// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/checkpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "models.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "taut-checkpoint-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    file_ = folder_ / "checkpoint.bin";
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_, file_;
  const RunIdentity identity_{{"model", "0123"}, {"method", "rattle"}, {"step", "0.1"}};
};

using Kind = CheckpointFound::Kind;

TEST_F(Checkpoints, AreFoundByTheirOwnRun) {
  EXPECT_EQ(find_checkpoint(file_, identity_).kind, Kind::none);
  Archive archive = checkpoint_archive(identity_);
  double x = 1.0 / 3;
  archive(x);
  ASSERT_EQ(write_checkpoint(file_, archive), "");
  CheckpointFound found = find_checkpoint(file_, identity_);
  ASSERT_EQ(found.kind, Kind::usable) << found.problem;
  double y = 0.0;
  (*found.content)(y);
  EXPECT_EQ(y, 1.0 / 3);
}

TEST_F(Checkpoints, OfAnotherRunAreRefusedWithTheDifference) {
  ASSERT_EQ(write_checkpoint(file_, checkpoint_archive(identity_)), "");
  RunIdentity other = identity_;
  other[2].second = "0.2";
  const CheckpointFound found = find_checkpoint(file_, other);
  EXPECT_EQ(found.kind, Kind::refused);
  EXPECT_NE(found.problem.find("step is 0.1 there and 0.2 here"), std::string::npos)
      << found.problem;
  EXPECT_EQ(found.problem.find("rattle"), std::string::npos);
}

// what is stored behind the identity means something else there
TEST_F(Checkpoints, OfAnotherLayoutAreRefused) {
  Archive archive = Archive::writer();
  archive.tag("checkpoint");
  auto count = static_cast<std::int64_t>(identity_.size());
  archive(count);
  RunIdentity copy = identity_;
  for (auto& [name, value] : copy) archive(name, value);
  ASSERT_EQ(write_checkpoint(file_, archive), "");
  const CheckpointFound found = find_checkpoint(file_, identity_);
  EXPECT_EQ(found.kind, Kind::refused);
  EXPECT_NE(found.problem.find("another version of taut"), std::string::npos) << found.problem;
}

TEST_F(Checkpoints, ThatAreDamagedAreRefused) {
  ASSERT_EQ(write_checkpoint(file_, checkpoint_archive(identity_)), "");
  std::string bytes;
  {
    std::ifstream in{file_, std::ios::binary};
    bytes.assign(std::istreambuf_iterator<char>{in}, {});
  }
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ 0x10);
    std::ofstream{file_, std::ios::binary} << damaged;
    EXPECT_EQ(find_checkpoint(file_, identity_).kind, Kind::refused) << k;
  }
  std::ofstream{file_, std::ios::binary} << bytes.substr(0, bytes.size() / 2);
  EXPECT_EQ(find_checkpoint(file_, identity_).kind, Kind::refused);
  std::ofstream{file_, std::ios::binary} << "";
  EXPECT_EQ(find_checkpoint(file_, identity_).kind, Kind::refused);
}

TEST(Fingerprint, TellsTextsApart) {
  EXPECT_EQ(fingerprint(""), "cbf29ce484222325");  // FNV-1a, published value
  EXPECT_EQ(fingerprint("a"), "af63dc4c8601ec8c");
  EXPECT_NE(fingerprint("until = 1"), fingerprint("until = 2"));
}

// One event, an invariant, and rows either at steps (thinned) or at output times.
test::Example watched() {
  return test::double_pendulum(R"toml(
[[event]]
name = "left"
zero = "a.x"
[[invariant]]
name = "energy"
value = "(a.vx^2 + a.vy^2 + b.vx^2 + b.vy^2)/2 + 9.81*(a.y + b.y)"
)toml");
}

struct Outcome {
  Summary summary;
  Motion motion;
};

void expect_same_bits(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.summary.status, b.summary.status);
  EXPECT_EQ(a.summary.state.t, b.summary.state.t);
  EXPECT_EQ(a.summary.state.q, b.summary.state.q);
  EXPECT_EQ(a.summary.state.v, b.summary.state.v);
  EXPECT_EQ(a.summary.lambda, b.summary.lambda);
  EXPECT_EQ(a.summary.max_constraint, b.summary.max_constraint);
  EXPECT_EQ(a.summary.energy_error, b.summary.energy_error);
  EXPECT_EQ(a.summary.invariant_errors, b.summary.invariant_errors);
  EXPECT_EQ(a.summary.counters.steps, b.summary.counters.steps);
  EXPECT_EQ(a.summary.counters.force_evaluations, b.summary.counters.force_evaluations);
  EXPECT_EQ(a.motion.t, b.motion.t);
  EXPECT_EQ(a.motion.q, b.motion.q);
  EXPECT_EQ(a.motion.v, b.motion.v);
  EXPECT_EQ(a.motion.lambda, b.motion.lambda);
  EXPECT_EQ(a.motion.step, b.motion.step);
  ASSERT_EQ(a.summary.events.size(), b.summary.events.size());
  for (std::size_t k = 0; k < a.summary.events.size(); ++k) {
    EXPECT_EQ(a.summary.events[k].name, b.summary.events[k].name);
    EXPECT_EQ(a.summary.events[k].state.t, b.summary.events[k].state.t);
    EXPECT_EQ(a.summary.events[k].state.q, b.summary.events[k].state.q);
  }
}

TEST_F(Checkpoints, ContinueToTheSameBits) {
  const test::Example e = watched();
  for (const MethodInfo& info : all_methods()) {
    if (!info.resumable || !info.constraints) continue;
    for (const double every : {0.0, 0.013}) {
      SCOPED_TRACE(std::string{info.name} + (every > 0.0 ? " with output times" : " with steps"));
      RunOptions options{.until = 2.0, .step = 0.005, .every = every, .max_rows = 50};
      const auto run = [&] {
        Outcome outcome;
        outcome.summary =
            integrate(e.system, e.start, make_method(info.name, {.tol = 1e-6}).value(), options,
                      outcome.motion);
        return outcome;
      };
      const Outcome whole = run();
      ASSERT_EQ(whole.summary.status, Status::ok) << whole.summary.message;
      ASSERT_GE(whole.summary.events.size(), 1u);

      // interrupted again and again, each time after a few steps more
      options.checkpoint = {.file = file_, .seconds = 1e9, .identity = identity_};
      Outcome pieces;
      for (options.max_steps = 7; options.max_steps < 10'000; options.max_steps += 60) {
        pieces = run();
        if (pieces.summary.status == Status::ok) break;
        ASSERT_EQ(pieces.summary.status, Status::step_limit);
        CheckpointFound found = find_checkpoint(file_, identity_);
        ASSERT_EQ(found.kind, Kind::usable) << found.problem;
        options.checkpoint.resume = std::move(found.content);
      }
      expect_same_bits(whole, pieces);
      fs::remove(file_);
    }
  }
}

TEST_F(Checkpoints, OfEveryStepAreEachGoodToContinue) {
  const test::Example e = watched();
  RunOptions options{.until = 0.3, .step = 0.01};
  const auto run = [&] {
    Outcome outcome;
    outcome.summary =
        integrate(e.system, e.start, make_method("dop853").value(), options, outcome.motion);
    return outcome;
  };
  const Outcome whole = run();
  options.checkpoint = {.file = file_, .seconds = 0.0, .identity = identity_};
  int taken = 0;
  // the file of the step before is there whenever a row is recorded: continue from a copy of each
  std::vector<Archive> stored;
  options.observers.push_back([&](const Frame&) {
    CheckpointFound found = find_checkpoint(file_, identity_);
    if (found.kind == Kind::usable) stored.push_back(*found.content);
  });
  (void)run();
  options.observers.clear();
  options.checkpoint.file.clear();
  for (const Archive& archive : stored) {
    options.checkpoint.resume = archive;
    expect_same_bits(whole, run());
    ++taken;
  }
  EXPECT_GE(taken, 3);
}

TEST_F(Checkpoints, ThatCannotBeWrittenDoNotStopTheRun) {
  const test::Example e = watched();
  Motion motion;
  RunOptions options{.until = 0.1, .step = 0.01};
  options.checkpoint = {
      .file = folder_ / "missing" / "checkpoint.bin", .seconds = 0.0, .identity = {}};
  const Summary s = integrate(e.system, e.start, make_method("rattle").value(), options, motion);
  EXPECT_EQ(s.status, Status::ok);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_NE(s.notes[0].text().find("missing"), std::string::npos);
}

struct Stubborn {
  static constexpr MethodInfo info{.name = "stubborn", .order = 1, .resumable = false};
  Status start(const System&, const State&) { return Status::ok; }
  Status step(const System&, double h, State& s) {
    s.q += h * s.v;
    s.t += h;
    return Status::ok;
  }
  void archive(Archive&) {}
  Counters counters;
};

TEST_F(Checkpoints, MethodsThatCannotBeResumedStartOver) {
  const test::Example e = test::oscillator();
  Motion motion;
  RunOptions options{.until = 1.0, .step = 0.1, .max_steps = 3};
  options.checkpoint = {.file = file_, .seconds = 0.0, .identity = identity_};
  EXPECT_EQ(integrate(e.system, e.start, Stubborn{}, options, motion).status, Status::step_limit);
  EXPECT_FALSE(fs::exists(file_));
  options.max_steps = 0;
  options.checkpoint.resume = checkpoint_archive(identity_);
  const Summary s = integrate(e.system, e.start, Stubborn{}, options, motion);
  EXPECT_EQ(s.status, Status::ok);
  ASSERT_FALSE(s.notes.empty());
  EXPECT_NE(s.notes[0].text().find("started over"), std::string::npos);
}

}  // namespace
}  // namespace taut
