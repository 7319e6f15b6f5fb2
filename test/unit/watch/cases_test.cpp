// SPDX-License-Identifier: BSD-3-Clause
// Small models that once went wrong: each gives the right answer, or says why there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models.hpp"

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

TEST(Cases, MechanismsMove) {
  agree("crane", {"trolley.x", "load.x"}, 1e-5);
  agree("gyro", {"outer.r21", "inner.r32"}, 1e-4);
  agree("motor", {"arm.x", "arm.y"}, 1e-5);
  agree("pid", {"a.x"}, 1e-6);
  agree("wishbone", {"W.y", "LO.y"}, 1e-5);
}

}  // namespace
}  // namespace taut
