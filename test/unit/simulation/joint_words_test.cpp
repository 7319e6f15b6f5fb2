// SPDX-License-Identifier: BSD-3-Clause
// Words on joints with several coordinates, damped compliance, events that set spins and rates,
// bodies that are kept, rests of what rolls: against closed forms and other formulations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gallery.hpp"
#include "taut/model/model_file.hpp"
#include "taut/run/columns.hpp"
#include "taut/run/motion_at.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/statics/equilibria.hpp"

namespace taut {
namespace {

using ::testing::HasSubstr;

Model worded_model(const std::string& text) {
  Problems problems{"words.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

std::string worded_mistakes(const std::string& text) {
  Problems problems{"words.toml"};
  const Model model = read_model(text, problems);
  static_cast<void>(compile(model, problems));
  return problems.message();
}

Result worded_run(const std::string& text, double until, double tol = 1e-11,
                  const char* method = "dop853") {
  Result run = simulate(worded_model(text), {.until = until, .method = method, .tol = tol});
  EXPECT_EQ(run.summary.status, Status::ok) << run.summary.message;
  return run;
}

double last_of(const Result& run, const std::string& name) {
  const Column column = run.motion[name];
  return column[column.size() - 1];
}

/// A body with its centre at the origin, joined to the ground there.
std::string joined_to_ground(const std::string& joint, const std::string& body = {}) {
  return "[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.5, 0.5, 0.5]\n" + body +
         "[[joint]]\nname = \"j\"\nbetween = [\"ground\", \"b\"]\nat = [0, 0, 0]\n" + joint;
}

// x'' + 2 d x' + w² x = a from rest
double step_answer(double t, double a, double w2, double d) {
  const double w = std::sqrt(w2 - d * d);
  return a / w2 * (1 - std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t)));
}

TEST(StartValues, OfBodiesAreAnglesAndEntriesOfMatrices) {
  const std::string arm =
      "[[body]]\nname = \"arm\"\nmass = 1\ninertia = 0.1\nat = [0.5, 0.3]\n"
      "[[joint]]\nname = \"j\"\nkind = \"hinge\"\nbetween = [\"ground\", \"arm\"]\nat = [0, 0]\n"
      "[start]\n";
  for (const char* const start : {"\"arm.angle\" = { at = 0.2, velocity = 3, keep = true }\n",
                                  "arm.angle = { at = 0.2, velocity = 3, keep = true }\n"}) {
    SCOPED_TRACE(start);
    const Result run = simulate(worded_model(arm + start), {.until = 1e-3});
    const State& s = run.plan->start.state;
    EXPECT_EQ(s.q[2], 0.2);
    EXPECT_EQ(s.v[2], 3.0);
    EXPECT_NEAR(s.v[0], -3 * 0.3, 1e-13);
    EXPECT_NEAR(s.v[1], 3 * 0.5, 1e-13);
  }
  const Result turned =
      simulate(worded_model("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[start]\n"
                            "\"b.r11\" = 0.8\nb.r21 = 0.6\n\"b.r12\" = -0.6\nb.r22 = 0.8\n"),
               {.until = 1e-3});
  EXPECT_NEAR(turned.motion["b.yaw"][0], std::atan2(0.6, 0.8), 1e-14);
  EXPECT_THAT(worded_mistakes("[points]\na = { mass = 1, at = [0, 0] }\n[start]\na.angle = 1\n"),
              HasSubstr("there is no such coordinate"));
}

TEST(StartValues, ABodyThatIsKeptMovesTheOthers) {
  for (const bool space : {false, true}) {
    SCOPED_TRACE(space);
    const std::string zero = space ? ", 0" : "", inertia = space ? "[1, 1, 1]" : "1";
    const Result run = simulate(
        worded_model(
            "[[body]]\nname = \"a\"\nmass = 1\ninertia = " + inertia + "\nat = [0.1, 0.2" + zero +
            "]\nrotation = " + (space ? "[0, 0, 0.3]\nspin = [0, 0, 2]" : "0.3\nspin = 2") +
            "\nkeep = true\n[[body]]\nname = \"b\"\nmass = 1\ninertia = " + inertia +
            "\nat = [1, 0" + zero + "]\nmarkers = { m = [-0.5, 0" + zero +
            "] }\n[[constraint]]\nzero = \"b.m.x - a.x - 0.2\"\n[[constraint]]\nzero = "
            "\"b.m.y - a.y\"\n"),
        {.until = 1e-3});
    const Moved& moved = run.summary.moved;
    for (const auto* list : {&moved.q, &moved.v})
      for (const auto& [name, by] : *list) EXPECT_EQ(name.find("a."), name.npos) << name << by;
    EXPECT_FALSE(moved.q.empty());
    EXPECT_NEAR(run.motion["b.x"][0], 0.8, 0.3);
    EXPECT_EQ(run.motion["a.x"][0], 0.1);
  }
}

TEST(StartValues, WhatWasMovedOfABodyIsAnAngleAndASpin) {
  const Result run = simulate(
      worded_model(joined_to_ground("kind = \"slider\"\naxis = [1, 0, 0]\n", "spin = [0, 0, 5]\n")),
      {.until = 1e-3});
  const Moved shown = run.summary.moved.shown();
  EXPECT_TRUE(shown.q.empty());
  EXPECT_TRUE(shown.v.empty());
  EXPECT_TRUE(shown.turned.empty());
  ASSERT_EQ(shown.spun.size(), 1U);
  EXPECT_EQ(shown.spun[0].first, "b");
  EXPECT_NEAR(shown.spun[0].second, 5.0, 1e-12);
  EXPECT_FALSE(run.summary.moved.v.empty());
}

// At cos(a) = (carry/(m g) + 2 cos(a0))/3; behind that the row with the factor 0 pulls with 0.
TEST(Multipliers, OfARodThatBreaksAreZero) {
  const Result run = simulate(test::gallery("breaking_rod"), {.tol = 1e-10});
  ASSERT_EQ(run.summary.status, Status::stopped_by_event) << run.summary.message;
  const EventRecord& breaks = run.summary.events.front();
  EXPECT_EQ(breaks.name, "breaks");
  const double a = std::atan2(-breaks.state.q[0], 9 - breaks.state.q[1]);
  EXPECT_NEAR(std::cos(a), (9500 / (400 * 9.81) + 2 * std::cos(1.3)) / 3, 1e-8);
  EXPECT_EQ(last_of(run, "tension"), 0.0);
}

TEST(Compliance, OfAJointIsDampedAndOneOfItsTurnsIsItsOwn) {
  for (const char* const damped : {"damping = 8\n", "compliance_damping = 8\n"}) {
    SCOPED_TRACE(damped);
    const Result run = simulate(
        worded_model(joined_to_ground("kind = \"fixed\"\ncompliance = 1e-3\n" +
                                      std::string{damped} +
                                      "rotational_compliance = 0.05\nrotational_damping = 0.3\n"
                                      "[[gravity]]\nacceleration = [0, 0, -10]\n"
                                      "[[torque]]\non = \"b\"\nvalue = [1e-4, 0, 0]\n")),
        {.until = 0.7, .method = "dop853", .tol = 1e-12, .keep_start = true});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    EXPECT_NEAR(last_of(run, "b.z"), step_answer(0.7, -10, 1000.0 / 2, 8.0 / 4), 1e-9);
    EXPECT_NEAR(last_of(run, "b.roll"), step_answer(0.7, 1e-4 / 0.5, 20 / 0.5, 0.3), 1e-10);
  }
  EXPECT_THAT(worded_mistakes(joined_to_ground("kind = \"fixed\"\ndamping = 3\n")),
              HasSubstr("what is rigid has no motion"));
  EXPECT_THAT(worded_mistakes(joined_to_ground(
                  "kind = \"fixed\"\ncompliance = 1\ndamping = 3\ncompliance_damping = 2\n")),
              HasSubstr("leave out one of the two"));
}

// s = a_1 - 3 a_2:  s'' = T/I_1 - (1/I_1 + 9/I_2)(s/C + c s')
TEST(Compliance, OfAGearIsDamped) {
  std::string wheels;
  for (const char* const name : {"1", "2"})
    wheels += "[[body]]\nname = \"w" + std::string{name} +
              "\"\nmass = 1\ninertia = " + (name[0] == '1' ? "0.2" : "0.9") +
              "\n[[joint]]\nname = \"j" + name +
              "\"\nkind = \"hinge\"\nbetween = [\"ground\", \"w" + name + "\"]\nat = [0, 0]\n" +
              (name[0] == '1' ? "torque = 2\n" : "");
  const Result run =
      simulate(worded_model(wheels + "[[gear]]\nbetween = [\"j1\", \"j2\"]\nratio = 3\n"
                                     "compliance = 0.01\ndamping = 0.4\n"),
               {.until = 0.5, .method = "dop853", .tol = 1e-12, .keep_start = true});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const double of_both = 1 / 0.2 + 9 / 0.9;
  EXPECT_NEAR(last_of(run, "j1.angle") - 3 * last_of(run, "j2.angle"),
              step_answer(0.5, 2 / 0.2, of_both * 100, of_both * 0.4 / 2), 1e-9);
}

TEST(ActingEvents, SetRatesOfJointsAsVelocitiesInThePlane) {
  const auto arm = [](bool space, const std::string& then) {
    const std::string zero = space ? ", 0" : "";
    return "[[body]]\nname = \"b\"\nmass = 1\ninertia = " +
           std::string{space ? "[0.1, 0.1, 0.2]" : "0.2"} + "\nat = [0.5, 0" + zero +
           "]\n[[joint]]\nname = \"j\"\nkind = \"hinge\"\nbetween = [\"ground\", \"b\"]\nat = "
           "[0, 0" +
           zero + "]\n" + (space ? "axis = [0, 0, 1]\n" : "") +
           "[[gravity]]\nacceleration = [0, -9.81" + zero +
           "]\n[[event]]\nname = \"hit\"\nzero = \"angle(j) + 1.5\"\ndirection = \"falling\"\nthen "
           "= { " +
           then + " }\nstop_after = 3\n";
  };
  const Result plane = simulate(worded_model(arm(false, "\"v(b.angle)\" = \"-0.5*v(b.angle)\"")),
                                {.until = 5, .method = "dop853", .tol = 1e-11});
  ASSERT_EQ(plane.summary.events.size(), 3U);
  for (const bool space : {false, true})
    for (const char* const then : {"\"rate(j)\" = \"-0.5*rate(j)\"", "\"b.wz\" = \"-0.5*b.wz\""}) {
      SCOPED_TRACE(then);
      const Result run =
          simulate(worded_model(arm(space, then)), {.until = 5, .method = "dop853", .tol = 1e-11});
      ASSERT_EQ(run.summary.events.size(), 3U) << run.summary.message;
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(run.summary.events[k].state.t, plane.summary.events[k].state.t, 1e-8);
      EXPECT_NEAR(last_of(run, "j.rate"), last_of(plane, "j.rate"), 1e-7);
    }
}

// (1) of docs/manual/events.md by hand: a torque about the third axis changes the spin about it
// alone; an impulse P at the tip gives P/m and r P/I.
TEST(ActingEvents, SetSpinsAndVelocitiesOfMarkersByTheirImpulses) {
  const Result spin = worded_run(
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [0.01, 0.02, 0.025]\nspin = [1, 2, 5]\n"
      "[[event]]\nzero = \"t - 0.3\"\nthen = { \"b.w3\" = \"0.5*b.w3\" }\n",
      0.3 + 1e-9);
  ASSERT_EQ(spin.summary.events.size(), 1U);
  const EventRecord& event = spin.summary.events.front();
  const auto spin_of = [&](const State& state) {
    const BodyTurn turn = body_turns(spin.summary.coordinates, state.q, state.v).front();
    std::array<double, 3> own{};
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < 3; ++i) own[c] += turn.columns[c][i] * turn.w[i];
    return own;
  };
  const auto before = spin_of(event.state), after = spin_of(event.after);
  EXPECT_NEAR(after[0], before[0], 1e-12);
  EXPECT_NEAR(after[1], before[1], 1e-12);
  EXPECT_NEAR(after[2], before[2] / 2, 1e-12);

  const Result tip = worded_run(
      "[[body]]\nname = \"b\"\nmass = 2\ninertia = 0.3\nmarkers = { tip = [0.5, 0] }\nvelocity = "
      "[1, 0]\n[[event]]\nzero = \"t - 0.1\"\nthen = { \"b.tip.vy\" = 4 }\n",
      0.2);
  const double P = 4 / (1 / 2.0 + 0.25 / 0.3);
  const State& there = tip.summary.events.front().after;
  EXPECT_NEAR(there.v[0], 1.0, 1e-14);
  EXPECT_NEAR(there.v[1], P / 2, 1e-13);
  EXPECT_NEAR(there.v[2], 0.5 * P / 0.3, 1e-13);
  const std::string text =
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n[[event]]\nzero = \"t - 1\"\nthen = { ";
  EXPECT_THAT(worded_mistakes(text + "\"b.vx^2\" = 1 }\n"), HasSubstr("could be changed"));
  EXPECT_THAT(worded_mistakes(text + "\"b.q\" = 1 }\n"), HasSubstr("could be changed"));
}

// R = R_x(a) R_y(b), and the springs on both angles as a potential
TEST(JointCoordinates, OfAUniversalJointAreTwoAnglesWithSpringsOnBoth) {
  const std::string cross = "kind = \"universal\"\naxis = [1, 0, 0]\nsecond_axis = [0, 1, 0]\n";
  const std::string moving = "spin = [1, 2, 0]\n",
                    outputs =
                        "[outputs]\na = \"angle(j)\"\nc = \"second_angle(j)\"\n"
                        "va = \"rate(j)\"\nvc = \"second_rate(j)\"\n"
                        "a0 = \"atan2(b.r32, b.r22)\"\nc0 = \"atan2(b.r13, b.r11)\"\n";
  const Result sprung =
      worded_run(joined_to_ground(cross + "stiffness = 3\n" + outputs, moving), 2.0);
  const Result stated =
      worded_run(joined_to_ground(cross +
                                      "[[potential]]\nenergy = \"3/2*(atan2(b.r32, b.r22)^2 + "
                                      "atan2(b.r13, b.r11)^2)\"\n" +
                                      outputs,
                                  moving),
                 2.0);
  for (const char* const name : {"a", "c"}) {
    EXPECT_NEAR(last_of(sprung, name), last_of(sprung, std::string{name} + "0"), 1e-12);
    EXPECT_NEAR(last_of(sprung, name), last_of(stated, name), 1e-8);
    EXPECT_GT(std::abs(last_of(sprung, name)), 0.02);
  }
  EXPECT_NEAR(last_of(sprung, "j.second_angle_spring"), -3 * last_of(sprung, "c"), 1e-11);
  // its angles count turns, and all words close the balance of energy
  const Result turned = worded_run(
      joined_to_ground(cross + "angle = \"4*t\"\ndamping = [0.1, 0.2]\n" + outputs), 3.0);
  EXPECT_NEAR(last_of(turned, "a"), 12.0, 1e-8);
  const Result rubbed = worded_run(
      joined_to_ground(cross + "friction = 0.1\nfriction_speed = 0.3\nlimits = [-0.3, 0.4]\n"
                               "limit_stiffness = 50\nlimit_damping = 1\n",
                       moving),
      2.0);
  EXPECT_LT(rubbed.summary.energy_balance_error.value(), 1e-8);
}

TEST(JointCoordinates, OfAPlanarJointAreTwoTravelsAndAnAngle) {
  const Result run = worded_run(
      joined_to_ground("kind = \"planar\"\naxis = [0, 0, 1]\nsecond_axis = [1, 0, 0]\n"
                       "stiffness = [50, 80, 2]\ndamping = [1, 0, 0.3]\n"
                       "[outputs]\nx = \"travel(j)\"\ny = \"second_travel(j)\"\na = \"angle(j)\"\n"
                       "vy = \"second_speed(j)\"\n",
                       "velocity = [1, 2, 0]\nspin = [0, 0, 3]\n"),
      1.7);
  const auto free = [](double t, double v, double w2, double d) {
    const double w = std::sqrt(w2 - d * d);
    return v / w * std::exp(-d * t) * std::sin(w * t);
  };
  EXPECT_NEAR(last_of(run, "x"), free(1.7, 1, 25, 0.25), 1e-9);
  EXPECT_NEAR(last_of(run, "y"), free(1.7, 2, 40, 0), 1e-9);
  EXPECT_NEAR(last_of(run, "vy"), 2 * std::cos(std::sqrt(40.0) * 1.7), 1e-8);
  EXPECT_NEAR(last_of(run, "a"), free(1.7, 3, 4, 0.3), 1e-9);
}

TEST(JointCoordinates, OfACylinderTakeOneNumberEach) {
  const Result run =
      worded_run(joined_to_ground("kind = \"cylindrical\"\naxis = [0, 0, 1]\nstiffness = [200, 2]\n"
                                  "limits = [-9, 9, -0.2, 0.1]\nlimit_stiffness = [0, 40]\n",
                                  "velocity = [0, 0, 1]\nspin = [0, 0, 1]\n"),
                 1.0);
  EXPECT_NEAR(last_of(run, "j.travel"), std::sin(10.0) / 10, 1e-9);
  EXPECT_LT(run.summary.energy_balance_error.value_or(*run.summary.energy_error), 1e-9);
  EXPECT_LT(last_of(run, "j.angle"), 0.5);
  EXPECT_THAT(worded_mistakes(
                  joined_to_ground("kind = \"cylindrical\"\naxis = [0, 0, 1]\nstiffness = 3\n")),
              HasSubstr("stiffness = [travel, angle]"));
  EXPECT_THAT(worded_mistakes(joined_to_ground("kind = \"ball\"\nstiffness = 3\n")),
              HasSubstr("has no axis"));
  EXPECT_THAT(worded_mistakes(joined_to_ground("kind = \"ball\"\n[outputs]\na = \"angle(j)\"\n")),
              HasSubstr("ball that has an axis"));
}

// the axis of the body swings through that of the ground, where the angle has a corner
TEST(JointCoordinates, OfABallIsTheAngleBetweenItsAxes) {
  const std::string ball = "kind = \"ball\"\naxis = [0, 0, 1]\n";
  const Result sprung =
      worded_run(joined_to_ground(ball + "stiffness = 2\n", "spin = [1, 0, 0]\n"), 2.0, 1e-12);
  const double swing = 0.5 * std::sin(2.0 * 2.0);  // w0/Ω sin Ωt, Ω² = 2/0.5
  EXPECT_NEAR(last_of(sprung, "j.angle"), std::abs(swing), 1e-9);
  EXPECT_NEAR(last_of(sprung, "b.roll"), swing, 1e-9);
  const Result stopped = worded_run(
      joined_to_ground(ball + "limits = [-1, 0.5]\nlimit_stiffness = 50\n", "spin = [3, 0, 4]\n"),
      0.1 + 0.5 / 3);
  EXPECT_LT(*stopped.summary.energy_error, 1e-9);
  // θ_max = 0.5 + w sqrt(I/k), at most
  for (const double angle : stopped.motion["j.angle"]) EXPECT_LT(angle, 0.5 + 3 * 0.1 + 1e-9);
  EXPECT_GT(last_of(stopped, "j.angle"), 0.6);
}

TEST(JointCoordinates, BallsAreDampedAndRubAgainstTheirSpin) {
  const Result damped =
      worded_run(joined_to_ground("kind = \"ball\"\ndamping = 0.2\n", "spin = [1, 2, 3]\n"), 2.0);
  for (const auto& [name, w] : {std::pair{"b.wx", 1.0}, {"b.wy", 2.0}, {"b.wz", 3.0}})
    EXPECT_NEAR(last_of(damped, name), w * std::exp(-0.2 / 0.5 * 2.0), 1e-9);
  const Result rubbed =
      worded_run(joined_to_ground("kind = \"ball\"\nfriction = 0.1\nfriction_speed = 1e-3\n",
                                  "spin = [0, 3, 4]\n"),
                 2.0);
  EXPECT_NEAR(last_of(rubbed, "b.wy"), 3 - 0.6 * 0.1 / 0.5 * 2, 1e-8);
  EXPECT_NEAR(last_of(rubbed, "b.wz"), 4 - 0.8 * 0.1 / 0.5 * 2, 1e-8);
  EXPECT_NEAR(last_of(rubbed, "j.friction"), -0.1, 1e-12);
}

// a wheel that a spring pulls along rolls to where it is slack, and does not slip on its way
TEST(Rests, OfWhatRollsAreReachedWithoutSlipping) {
  const std::string wheel =
      "[[body]]\nname = \"w\"\nmass = 2\ninertia = 0.1\nat = [0, 0.3]\n"
      "[[constraint]]\nzero = \"w.y - 0.3\"\n[[rolling]]\nzero = \"w.vx + 0.3*v(w.angle)\"\n"
      "[[potential]]\nenergy = \"20/2*(w.x - 0.3)^2\"\n[[gravity]]\nacceleration = [0, -9.81]\n";
  const Result run = worded_run(wheel + "[start]\nfrom = \"equilibrium\"\n", 1.0);
  for (const double x : run.motion["w.x"]) EXPECT_NEAR(x, 0.3, 1e-9);
  for (const double angle : run.motion["w.angle"]) EXPECT_NEAR(angle, -1.0, 1e-9);
  const CompiledModel model = compile(worded_model(wheel));
  const Equilibria rest = equilibria(model.system, model.given);
  ASSERT_EQ(rest.found.size(), 1U) << rest.reason;
  EXPECT_EQ(rest.found[0].stability, Stability::stable);
  // Ω² = k/(m + I/r²)
  ASSERT_EQ(rest.found[0].omega.size(), 1U);
  EXPECT_NEAR(rest.found[0].omega[0], std::sqrt(20 / (2 + 0.1 / 0.09)), 1e-9);
  const Equilibria none = equilibria(
      compile(worded_model(wheel + "[[rolling]]\nzero = \"w.vx - 1\"\n")).system, model.given);
  EXPECT_NE(none.status, Status::ok);
}

TEST(EnergyBalance, SaysNothingWhereNothingMoves) {
  const Result run = worded_run(
      joined_to_ground("kind = \"slider\"\naxis = [1, 0, 0]\nstiffness = 2000\nrest = 0.005\n"
                       "damping = 5\ntravel = 0.005\n"
                       "[[gravity]]\nacceleration = [0, 0, -9.81]\n",
                       "at = [0.3, 0, 0]\n"),
      0.1, 1e-8);
  EXPECT_FALSE(run.summary.energy_balance_error.has_value());
}

TEST(Rows, AreKeptAsTheOptionsSay) {
  const Model model = test::gallery("double_pendulum");
  int seen = 0;
  const Result none = simulate(model, {.until = 1.0,
                                       .method = "dop853",
                                       .rows = Rows::none,
                                       .observers = {[&](const Frame&) { ++seen; }}});
  ASSERT_EQ(none.summary.status, Status::ok) << none.summary.message;
  EXPECT_EQ(none.motion.rows(), 0U);
  EXPECT_EQ(static_cast<std::size_t>(seen),
            simulate(model, {.until = 1.0, .method = "dop853", .rows = Rows::all}).motion.rows());
  const SimulationOptions many{.until = 30.0, .method = "rattle", .step = 1e-3};
  SimulationOptions all = many;
  all.rows = Rows::all;
  EXPECT_EQ(simulate(model, all).motion.rows(), 30001U);
  EXPECT_LE(simulate(model, many).motion.rows(), 2001U);
}

TEST(MotionAt, IsTheFirstRowOfARun) {
  const Result run = worded_run(
      joined_to_ground("kind = \"hinge\"\naxis = [0, 0, 1]\n", "spin = [0, 0, 2]\n"), 0.1);
  const Motion row = motion_at(run.plan->prepared.system, run.plan->start.state);
  ASSERT_EQ(row.rows(), 1U);
  for (const char* const name : {"b.wz", "j.rate", "j.fx", "kinetic_energy"})
    EXPECT_EQ(row[name][0], run.motion[name][0]) << name;
}

TEST(Notes, TellOfBodiesThatTouchWithTheirCentres) {
  const std::string text =
      "[[body]]\nname = \"box\"\nmass = 1\ninertia = 1\nat = [0, 1]\n[[contact]]\nname = "
      "\"floor\"\nplane = [0, 1]\nstiffness = 100\n";
  const auto told = [](const std::string& model) {
    const Result run = simulate(worded_model(model), {.until = 1e-3});
    std::string all;
    for (const Note& note : run.summary.notes) all += note.text() + "\n";
    return all;
  };
  EXPECT_THAT(told(text), HasSubstr("box for points at their centres"));
  EXPECT_THAT(told(text + "radius = 0.1\n"), Not(HasSubstr("centres of mass")));
}

}  // namespace
}  // namespace taut
