// SPDX-License-Identifier: BSD-3-Clause
// Stability borders against closed forms.
#include "taut/statics/stability_sweep.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "models.hpp"
#include "taut/report/stability.hpp"

namespace taut {
namespace {

/// A model with parameters at the head of its text, and the start it states.
SweepCase made_of(const std::string& parameters, const std::string& model) {
  const auto e = test::example("name = \"m\"\n[parameters]\n" + parameters + model);
  return {.system = e.system, .near = e.start.state};
}

std::string set(const char* name, double value) {
  return std::string{name} + " = " + std::to_string(value) + "\n";
}

constexpr const char* averaged_pendulum = R"toml(
g = 9.8
[coordinates]
q = { mass = 1, at = 0.3 }
[[force]]
on = "q"
value = "(g/l - vmax^2/(2*l^2)*cos(q))*sin(q)"
)toml";

MakeSweepCase vibrated() {
  return [](const std::vector<double>& x) {
    return made_of(set("vmax", x[0]) + set("l", x.size() > 1 ? x[1] : 0.2), averaged_pendulum);
  };
}

TEST(Sweep, FindsTheBorderOfTheUprightPendulum) {
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "vmax", .first = 1, .last = 3, .points = 9}}, vibrated());
  ASSERT_EQ(sweep.status, Status::ok) << sweep.reason;
  ASSERT_EQ(sweep.points.size(), 9u);
  ASSERT_EQ(sweep.borders.size(), 1u);
  const double threshold = std::sqrt(2 * 9.8 * 0.2);
  EXPECT_NEAR(sweep.borders[0].values[0], threshold, 1e-3 * threshold);
  EXPECT_LE(std::abs(sweep.borders[0].values[0] - threshold), sweep.borders[0].uncertainty);
  EXPECT_LE(sweep.borders[0].uncertainty, 1e-3 * threshold);
  EXPECT_TRUE(sweep.borders[0].stable_above);
  EXPECT_EQ(sweep.without, 0u);
  EXPECT_EQ(sweep.jumps, 0u);
  for (const SweepPoint& p : sweep.points) {
    EXPECT_NEAR(p.equilibrium.q[0], 0.0, 1e-9);
    EXPECT_EQ(p.equilibrium.stability,
              p.values[0] > threshold ? Stability::stable : Stability::unstable);
  }
}

TEST(Sweep, FindsTheSameBorderBackwards) {
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "vmax", .first = 3, .last = 1, .points = 6}}, vibrated());
  ASSERT_EQ(sweep.borders.size(), 1u);
  EXPECT_NEAR(sweep.borders[0].values[0], std::sqrt(2 * 9.8 * 0.2), 2e-3);
  EXPECT_TRUE(sweep.borders[0].stable_above);
}

TEST(Sweep, DrawsTheBorderOverTwoParameters) {
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "vmax", .first = 1, .last = 3, .points = 5},
                       {.parameter = "l", .first = 0.1, .last = 0.4, .points = 4}},
                      vibrated());
  ASSERT_EQ(sweep.status, Status::ok) << sweep.reason;
  ASSERT_EQ(sweep.points.size(), 20u);
  ASSERT_GE(sweep.borders.size(), 4u);
  for (const SweepBorder& b : sweep.borders) {
    EXPECT_NEAR(b.values[0] * b.values[0], 2 * 9.8 * b.values[1], 4e-3 * b.values[0] * b.values[0]);
    EXPECT_EQ(b.stable_above, b.axis == 0);
  }
  const std::string svg = sweep_svg(sweep, "a < b & c");
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find("stroke-width=\"2\""), std::string::npos);
}

TEST(Sweep, DoesNotDependOnTheNumberOfThreads) {
  const std::vector<SweepAxis> axis{{.parameter = "vmax", .first = 1, .last = 3, .points = 12}};
  const StabilitySweep one = sweep_stability(axis, vibrated(), {.threads = 1});
  const StabilitySweep many = sweep_stability(axis, vibrated(), {.threads = 5});
  EXPECT_EQ(sweep_json(one, {"m", "r"}), sweep_json(many, {"m", "r"}));
}

// Euler's strut of two rigid links with a spring k at the joint between them: straight up to
// P = 4 k / L, with all the load on a guided end
TEST(Sweep, FindsWhereAStrutBuckles) {
  const MakeSweepCase strut = [](const std::vector<double>& x) {
    return made_of(set("P", x[0]), R"toml(
k = 3
l = 0.5
[coordinates]
a = { mass = 0.7, at = 0.1 }
[[potential]]
energy = "k*(2*a)^2/2 + 2*P*l*cos(a)"
)toml");
  };
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "P", .first = 1, .last = 20, .points = 4}}, strut);
  ASSERT_EQ(sweep.borders.size(), 1u);
  EXPECT_NEAR(sweep.borders[0].values[0], 4 * 3 / (2 * 0.5), 0.02);
  EXPECT_FALSE(sweep.borders[0].stable_above);
}

// x^3 - x + p = 0: the branch that begins at x = 1 ends in a fold at p = 2 / sqrt 27
TEST(Sweep, MarksWhereAnEquilibriumComesToAnEnd) {
  const MakeSweepCase fold = [](const std::vector<double>& x) {
    return made_of(set("p", x[0]), R"toml(
[coordinates]
x = { mass = 1, at = 1.0 }
[[potential]]
energy = "x^4/4 - x^2/2 + p*x"
)toml");
  };
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "p", .first = 0, .last = 0.6, .points = 7}}, fold);
  ASSERT_EQ(sweep.status, Status::ok) << sweep.reason;
  EXPECT_EQ(sweep.jumps, 1u);
  for (const SweepPoint& p : sweep.points) {
    EXPECT_EQ(p.jumped, std::abs(p.values[0] - 0.4) < 1e-9) << p.values[0];
    EXPECT_EQ(p.equilibrium.q[0] > 0.0, p.values[0] < 2 / std::sqrt(27.0)) << p.values[0];
    EXPECT_EQ(p.equilibrium.stability, Stability::stable);
  }
  EXPECT_TRUE(sweep.borders.empty());
}

TEST(Sweep, GoesOnWhereThereIsNoEquilibrium) {
  const MakeSweepCase tilted = [](const std::vector<double>& x) -> SweepCase {
    if (x[0] > 3.5) return {.status = Status::not_supported, .reason = "too much"};
    return made_of(set("p", x[0]), R"toml(
[coordinates]
x = { mass = 1, at = 0.2 }
[[force]]
on = "x"
value = "p - sin(x)"
)toml");
  };
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "p", .first = 2, .last = -2, .points = 9}}, tilted);
  ASSERT_EQ(sweep.status, Status::ok) << sweep.reason;
  EXPECT_EQ(sweep.without, 4u);  // 2, 1.5, -1.5, -2
  EXPECT_FALSE(sweep.points.front().exists);
  EXPECT_FALSE(sweep.points.front().reason.empty());
  EXPECT_TRUE(sweep.at(4).exists);
  EXPECT_NEAR(sweep.at(3).equilibrium.q[0], std::asin(0.5), 1e-9);
  const StabilitySweep none =
      sweep_stability({{.parameter = "p", .first = 4, .last = 5, .points = 3}}, tilted);
  EXPECT_NE(none.status, Status::ok);
  EXPECT_NE(none.reason.find("too much"), std::string::npos) << none.reason;
}

// a parameter may change how many coordinates there are: every value is then a model of its own
TEST(Sweep, GoesOnWhereSizesChange) {
  const MakeSweepCase chain = [](const std::vector<double>& x) {
    return made_of("n = " + std::to_string(static_cast<int>(x[0])) + "\n", R"toml(
[[chain]]
links = "n"
direction = [0, -1]
[[gravity]]
acceleration = [0, -9.81]
)toml");
  };
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "n", .first = 1, .last = 3, .points = 3}}, chain);
  ASSERT_EQ(sweep.status, Status::ok) << sweep.reason;
  EXPECT_EQ(sweep.jumps, 2u);
  for (const SweepPoint& p : sweep.points) {
    EXPECT_EQ(p.equilibrium.q.size(), 2 * static_cast<Index>(p.values[0]));
    EXPECT_EQ(p.equilibrium.stability, Stability::stable);
  }
}

TEST(Sweep, TellsHowFarItIs) {
  std::atomic<int> calls{0};
  double last = 0.0;
  const StabilitySweep sweep =
      sweep_stability({{.parameter = "vmax", .first = 1, .last = 3, .points = 5}}, vibrated(),
                      {.progress = [&](double fraction) {
                        ++calls;
                        EXPECT_GE(fraction, 0.0);
                        EXPECT_LE(fraction, 1.0);
                        last = fraction;
                      }});
  EXPECT_EQ(sweep.status, Status::ok);
  EXPECT_GE(calls, 5);
  EXPECT_EQ(last, 1.0);
}

}  // namespace
}  // namespace taut
