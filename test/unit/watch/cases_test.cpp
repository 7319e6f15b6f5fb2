// SPDX-License-Identifier: BSD-3-Clause
// Small models that once went wrong: each gives the right answer, or says why there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "models.hpp"
#include "readings/switched_system.hpp"

namespace taut {
namespace {

using std::numbers::pi;

Result run(const std::string& name, SimulationOptions options = {}) {
  options.max_seconds = 20;
  return simulate(load(std::string{TAUT_CASES} + "/" + name + ".toml"), options);
}

double end_of(const Result& result, const char* column) { return result.motion[column].back(); }

// a mechanism whose motion is not known in closed form: two formulations agree
void agree(const std::string& name, const std::vector<const char*>& columns, double within) {
  const Result usual = run(name, {.tol = 1e-9});
  const Result other = run(name, {.method = "radau", .tol = 1e-11});
  ASSERT_TRUE(usual.good()) << name << ": " << usual.summary.message;
  ASSERT_TRUE(other.good()) << name << ": " << other.summary.message;
  for (const char* column : columns)
    EXPECT_NEAR(end_of(usual, column), end_of(other, column), within) << name << ' ' << column;
}

TEST(Cases, SwitchesHaveTheirClosedForms) {
  EXPECT_NEAR(end_of(run("push_missed"), "v(q)"), 11.0, 1e-6);
  EXPECT_NEAR(end_of(run("wall"), "v(q)"), -1.0, 1e-6);
  EXPECT_NEAR(end_of(run("coulomb"), "x"), 0.0, 1e-6);
  const Result inside = run("ev_miss");
  EXPECT_EQ(inside.summary.status, Status::stopped_by_event);
  EXPECT_NEAR(inside.motion.t.back(), 47.5, 1e-6);
}

// the road is level again: body and wheel come back to where they stood; on the way the body was
// lifted, at a time when the bump is there
TEST(Cases, TheBumpOfTheRoadIsMet) {
  for (const char* method : {"auto", "dop853", "radau"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.every = "0.01"};
    if (std::string{method} != "auto") options.method = method;
    const Result skip = run("qcar_skip", options);
    const Result fine = run("qcar_skip", {.every = "0.01", .method = "dopri5", .max_step = "1e-3"});
    ASSERT_TRUE(skip.good()) << skip.summary.message;
    ASSERT_EQ(skip.motion.rows(), fine.motion.rows());
    double apart = 0.0, highest = 0.0;
    const Column body = skip.motion["body.y"], truth = fine.motion["body.y"];
    for (std::size_t i = 0; i < body.size(); ++i) {
      apart = std::max(apart, std::abs(body[i] - truth[i]));
      highest = std::max(highest, body[i] - body[0]);
    }
    EXPECT_LT(apart, 1e-5);
    EXPECT_GT(highest, 0.01);
  }
  agree("qcar_eq", {"body.y", "wheel.y"}, 1e-6);
}

// models without switches take the steps that they take when nobody looks
TEST(Cases, TheGalleryIsLeftAlone) {
  int watched = 0;
  for (const auto& entry : std::filesystem::directory_iterator{TAUT_MODELS}) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().stem().string());
    Plan settled = plan(load(entry.path().string()), {.error_estimate = false, .max_steps = 2000});
    if (settled.curve) continue;
    std::shared_ptr<Switches> switches;
    static_cast<void>(switched(settled.system, switches));
    if (switches && switches->any_switch()) continue;
    const Result with = simulate(settled);
    settled.run.watch = false;
    const Result without = simulate(settled);
    EXPECT_EQ(with.summary.counters.steps, without.summary.counters.steps);
    EXPECT_EQ(with.summary.state.q, without.summary.state.q);
    ++watched;
  }
  EXPECT_GT(watched, 20);
}

TEST(Cases, WhatCannotBeIsNamed) {
  for (const char* method : {"auto", "dop853", "radau", "dopri5"}) {
    SCOPED_TRACE(method);
    SimulationOptions options;
    if (std::string{method} != "auto") options.method = method;
    EXPECT_EQ(run("steppot", options).summary.status, Status::discontinuous);
    EXPECT_EQ(run("jumpanchor", options).summary.status, Status::discontinuous);
    // a fall into the centre ends there, at t = pi/(2 sqrt 2)
    const Result fall = run("kepler3", options);
    EXPECT_FALSE(fall.good());
    EXPECT_NEAR(fall.motion.t.back(), pi / std::sqrt(8.0), 1e-5);
  }
}

TEST(Cases, AStiffnessBeyondAllNumbersIsNamed) {
  for (const char* method : {"auto", "radau"}) {
    SimulationOptions options;
    if (std::string{method} != "auto") options.method = method;
    const Result infinite = run("hang_compliance_1e-310", options);
    EXPECT_EQ(infinite.summary.status, Status::non_finite);
    EXPECT_NE(infinite.summary.message.find("'rod 1'"), std::string::npos)
        << infinite.summary.message;
  }
}

TEST(Cases, MechanismsMove) {
  agree("crane", {"trolley.x", "load.x"}, 1e-5);
  agree("gyro", {"outer.r21", "inner.r32"}, 1e-4);
  agree("motor", {"arm.x", "arm.y"}, 1e-5);
  agree("pid", {"a.x"}, 1e-6);
  agree("wishbone", {"W.y", "LO.y"}, 1e-5);
}

// one constraint too many, everywhere: forces are those of smallest norm, and change as the motion
TEST(Cases, AnOverconstrainedLoopMovesSmoothly) {
  const Result reference = run("bricard", {.every = "0.01", .tol = 1e-10});
  ASSERT_TRUE(reference.good()) << reference.summary.message;
  for (const char* method : {"auto", "dopri5", "radau", "rattle"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.every = "0.01", .method = method, .error_estimate = false};
    const bool constant_steps = options.method == "rattle";
    if (constant_steps) options.step = "0.002";
    const Result result = run("bricard", options);
    ASSERT_TRUE(result.good()) << result.summary.message;
    EXPECT_TRUE(result.summary.notes.empty());
    EXPECT_LT(result.summary.counters.steps, constant_steps ? 5001 : 2000);
    const std::vector<double>&force = result.motion.lambda, &known = reference.motion.lambda;
    ASSERT_EQ(force.size(), known.size());
    double apart = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < force.size(); ++i) {
      apart = std::max(apart, std::abs(force[i] - known[i]));
      largest = std::max(largest, std::abs(known[i]));
    }
    EXPECT_GT(largest, 28.0);
    EXPECT_LT(apart, constant_steps ? 1e-3 : 1e-4);
  }
}

}  // namespace
}  // namespace taut
