// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/response.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "models.hpp"
#include "modes/linear_model.hpp"
#include "modes/linear_point.hpp"
#include "modes/sparse_transfer.hpp"
#include "taut/modes/nonlinear_response.hpp"
#include "taut/modes/root_locus.hpp"

namespace taut::test {
namespace {

TEST(Response, OscillatorHasItsPeakAndItsWidth) {
  const double m = 2, c = 0.3, k = 50;
  const LinearModel linear = linearize(linear_test_model(R"toml(
[coordinates]
x = { mass = 2 }
[[potential]]
energy = "25*x^2"
[[force]]
on = "x"
value = "-0.3*v(x)"
)toml"),
                                       {}, {.inputs = {"x"}});
  const auto found = frequency_responses(linear, {.from = 0.5, .to = 50});
  ASSERT_EQ(found.size(), 1u);
  const FrequencyResponse& one = found[0];
  EXPECT_NEAR(one.static_gain, 1 / k, 1e-15);
  for (std::size_t i = 0; i < one.omega.size(); ++i) {
    const double w = one.omega[i];
    const std::complex<double> truth = 1.0 / std::complex<double>{k - m * w * w, c * w};
    EXPECT_LE(std::abs(one.values[i] - truth), 1e-11 * std::abs(truth)) << w;
  }
  // |H|^-2 = (k - m w^2)^2 + c^2 w^2: least at w^2 = k/m - c^2/(2 m^2), twice that where w^2
  // differs by c/m sqrt(k/m - c^2/(4 m^2)) from there
  ASSERT_EQ(one.peaks.size(), 1u);
  const double top = k / m - c * c / (2 * m * m);
  const double half = c / m * std::sqrt(k / m - c * c / (4 * m * m));
  EXPECT_NEAR(one.peaks[0].omega, std::sqrt(top), 1e-7);
  EXPECT_NEAR(one.peaks[0].amplitude, 1 / (c * std::sqrt(k / m - c * c / (4 * m * m))), 1e-10);
  const std::complex<double> there{k - m * top, c * std::sqrt(top)};
  EXPECT_NEAR(one.peaks[0].phase, std::arg(1.0 / there), 1e-6);
  EXPECT_NEAR(one.peaks[0].half_below, std::sqrt(top - half), 1e-9);
  EXPECT_NEAR(one.peaks[0].half_above, std::sqrt(top + half), 1e-9);
}

// two masses on springs, x1 and x2: of the sum of both, which moves in the mode in phase alone, and
// of each; what a damped mass beside them has is found as ever
TEST(Response, WhatNothingDampsIsAPeakWithoutALargestAmplitude) {
  const LinearModel linear = linearize(linear_test_model(R"toml(
[coordinates]
a = { mass = 1 }
b = { mass = 1 }
c = { mass = 1 }
[[potential]]
energy = "50*a^2 + 50*b^2 + 25*(a - b)^2 + 8*c^2"
[[force]]
on = "c"
value = "-0.2*v(c) + a + b"
[outputs]
both = "a + b"
)toml"),
                                       {}, {.inputs = {"a"}, .outputs = {"a", "both", "c"}});
  const auto found = frequency_responses(linear, {.from = 1, .to = 50});
  ASSERT_EQ(found.size(), 3u);
  const double slow = 10, fast = std::sqrt(200.0);
  const std::vector<std::vector<double>> undamped{{slow, fast}, {slow}, {slow}};
  for (std::size_t k = 0; k < found.size(); ++k) {
    SCOPED_TRACE(found[k].output);
    std::vector<double> told;
    std::size_t damped = 0;
    for (const ResonancePeak& peak : found[k].peaks)
      if (peak.undamped) {
        told.push_back(peak.omega);
        EXPECT_TRUE(std::isinf(peak.amplitude));
      } else {
        EXPECT_NEAR(peak.omega, 4, 0.1);
        ++damped;
      }
    ASSERT_EQ(told.size(), undamped[k].size());
    for (std::size_t n = 0; n < told.size(); ++n) EXPECT_NEAR(told[n], undamped[k][n], 1e-9);
    EXPECT_EQ(damped, found[k].output == "c" ? 1u : 0u);
    for (const auto& value : found[k].values) EXPECT_TRUE(std::isfinite(std::abs(value)));
  }
}

// on rods and a compliant one, with what outputs read of accelerations and multipliers
TEST(Response, SparseSolutionsAreThoseOfTheStateSpace) {
  const Model model = linear_test_model(R"toml(
[inputs]
u = 0
[points]
a = { mass = 1, at = [0.6, -0.8] }
b = { mass = 0.5, at = [0.6, -1.8] }
[[rod]]
name = "upper"
between = ["origin", "a"]
[[rod]]
name = "lower"
between = ["a", "b"]
compliance = 1e-3
damping = 0.02
[[force]]
on = "a"
value = ["9*(0.6 - a.x) + u - 0.3*v(a.x)", 0]
[[force]]
on = "b"
value = ["u", "-0.1*v(b.y)"]
[[gravity]]
acceleration = [0, -9.81]
[outputs]
tip = "b.x + 0.1*u"
)toml");
  const LinearizeOptions asked{
      .at = LinearizeAt::equilibrium,
      .inputs = {"u", "b.y"},
      .outputs = {"tip", "a.vy", "a(b.x)", "lambda(upper)", "lambda(lower)"}};
  Problems problems;
  const PreparedModel prepared = prepare_linear(model, {}, asked.inputs, problems);
  const LinearPoint point = linear_point(prepared, {}, asked, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  LinearModel linear = linearize_at(point, prepared, asked, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  ASSERT_EQ(linear.status, Status::ok) << linear.reason;
  const auto dense = frequency_responses(linear, {.from = 0.5, .to = 60, .points = 20});
  linear.Dt = Mat::Zero(5, 2);
  linear.Dt(0, 0) = 0.1;  // what outputs read of inputs, without what follows at once
  const SparseTransfer transfer{point, linear};
  ASSERT_EQ(transfer.status(), Status::ok) << transfer.reason();
  ASSERT_EQ(dense.size(), 10u);
  for (std::size_t k = 0; k < dense[0].omega.size(); ++k) {
    const Eigen::MatrixXcd H = transfer(dense[0].omega[k]);
    for (Index i = 0; i < 2; ++i)
      for (Index o = 0; o < 5; ++o) {
        const std::complex<double> truth = dense[static_cast<std::size_t>(5 * i + o)].values[k];
        EXPECT_LE(std::abs(H(o, i) - truth), 1e-9 * std::abs(truth)) << i << ' ' << o;
      }
  }
}

// masses in a row, the first on a spring to the ground, damped to the ground, d = k - m w^2 + i c
// w: of the first one  H = 1 / (d + k - k^2 / (d + k - k^2 / ... (d)))
TEST(Response, OfManyCoordinatesIsAContinuedFraction) {
  const auto model = [](double damping) {
    return linear_test_model(fmt::format(R"toml(
[coordinates]
x1 = {{ mass = 1 }}
"x{{k}}" = {{ mass = 1, repeat = {{ k = "2:1100" }} }}
[[potential]]
energy = "50*x1^2"
[[potential]]
energy = "50*(x{{k}} - x{{k-1}})^2"
repeat = {{ k = "2:1100" }}
[[force]]
on = "x{{k}}"
value = "-{}*v(x{{k}})"
repeat = {{ k = "1:1100" }}
)toml",
                                         damping));
  };
  const auto respond = [&](double damping, double from, double to) {
    Problems problems;
    Responses found = frequency_responses(model(damping), {}, {.inputs = {"x1"}, .outputs = {"x1"}},
                                          {.from = from, .to = to, .points = 20}, problems);
    EXPECT_TRUE(problems.empty()) << problems.message();
    EXPECT_EQ(found.linear.status, Status::ok) << found.linear.reason;
    return found.all.empty() ? FrequencyResponse{} : found.all.front();
  };
  const FrequencyResponse one = respond(0.4, 1, 30);
  EXPECT_NEAR(one.static_gain, 1 / 100.0, 1e-12);
  EXPECT_GE(one.omega.size(), 20u);
  for (std::size_t k = 0; k < one.omega.size(); ++k) {
    const double w = one.omega[k];
    const std::complex<double> own{-w * w, 0.4 * w};
    std::complex<double> stiffness = own + 100.0;
    for (int n = 1; n < 1100; ++n) stiffness = own + 200.0 - 1e4 / stiffness;
    EXPECT_LE(std::abs(one.values[k] * stiffness - 1.0), 1e-10) << w;
  }
  // without damping the two lowest frequencies, 2 sqrt(k/m) sin((2 n - 1) pi / (4 N + 2)), are
  // poles
  const FrequencyResponse sharp = respond(0.0, 0.005, 0.06);
  std::vector<double> poles;
  for (const ResonancePeak& peak : sharp.peaks)
    if (peak.undamped) poles.push_back(peak.omega);
  ASSERT_GE(poles.size(), 2u);
  for (int n = 1; n <= 2; ++n)
    EXPECT_NEAR(poles[static_cast<std::size_t>(n - 1)],
                20 * std::sin((2 * n - 1) * std::numbers::pi / 4402), 1e-9);
  Problems problems;
  static_cast<void>(frequency_responses(model(0.4), {}, {.inputs = {"x1"}}, {}, problems));
  EXPECT_EQ(problems.count(), 1u) << problems.message();
}

TEST(Response, QuarterCarFollowsTheRoadWhereItIsSlow) {
  const LinearModel linear =
      linearize(linear_test_model(quarter_car_text), {}, {.outputs = {"body.y"}});
  const auto found = frequency_responses(linear, {.from = 1e-3, .to = 1e3});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].static_gain, 1.0, 1e-12);
  EXPECT_NEAR(std::abs(found[0].values.front()), 1.0, 1e-5);
  const double ms = 300, mu = 40, ks = 20000, cs = 1200, kt = 180000, ct = 50;
  for (std::size_t k = 0; k < found[0].omega.size(); ++k) {
    const std::complex<double> s{0, found[0].omega[k]};
    const std::complex<double> link = cs * s + ks;
    const std::complex<double> truth =
        link * kt / ((ms * s * s + link) * (mu * s * s + link + ct * s + kt) - link * link);
    EXPECT_LE(std::abs(found[0].values[k] - truth), 1e-11 * std::abs(truth)) << s;
  }
}

/// x'' + 0.1 x' + x + x^3/2 = s + u, shaken through an input, a parameter or the coordinate.
const char* const hardening = R"toml(
[parameters]
s = 0
[inputs]
u = 0
[coordinates]
x = { mass = 1 }
[[potential]]
energy = "x^2/2 + x^4/8"
[[force]]
on = "x"
value = "-0.1*v(x) + s + u"
[outputs]
twice = "2*x"
)toml";

// what a model has of its own drives it with another frequency; an amplitude of 0 does not
TEST(NonlinearResponse, OfTwoDrivesThereIsNone) {
  const auto text = [](const char* own) {
    return fmt::format(
        "[parameters]\nF = {}\n[coordinates]\nx = {{ mass = 1 }}\n[[force]]\n"
        "on = \"x\"\nvalue = \"F*cos(2*t) - x - 0.2*v(x)\"\n",
        own);
  };
  const NonlinearResponseOptions asked{.input = "x", .amplitude = Value{1.0}, .from = 3, .to = 3.1};
  Problems problems;
  static_cast<void>(nonlinear_response(linear_test_model(text("1")), {}, asked, problems));
  ASSERT_EQ(problems.count(), 1u);
  EXPECT_NE(problems.message().find("two drives"), std::string::npos) << problems.message();
  const NonlinearResponse found = nonlinear_response(linear_test_model(text("0")), {}, asked);
  ASSERT_EQ(found.branch.status, Status::ok) << found.branch.reason;
  EXPECT_NEAR(std::abs(found.points.front().first[0]), 1 / std::hypot(1 - 9.0, 0.6), 1e-9);
}

TEST(NonlinearResponse, OfSmallVibrationsIsTheLinearOne) {
  const double amplitude = 1e-4;
  for (const char* const input : {"u", "s", "x"}) {
    SCOPED_TRACE(input);
    const NonlinearResponse found = nonlinear_response(linear_test_model(hardening), {},
                                                       {.input = input,
                                                        .amplitude = amplitude,
                                                        .outputs = {"twice", "v(x)"},
                                                        .from = 0.5,
                                                        .to = 0.7});
    ASSERT_EQ(found.branch.status, Status::ok) << found.branch.reason;
    ASSERT_EQ(found.points.size(), found.branch.points.size());
    ASSERT_GE(found.points.size(), 3u);
    for (std::size_t k = 0; k < found.points.size(); ++k) {
      const double w = found.branch.points[k].parameter;
      const std::complex<double> H = 1.0 / std::complex<double>{1 - w * w, 0.1 * w};
      EXPECT_LE(std::abs(found.points[k].first[0] / amplitude - 2.0 * H), 1e-6);
      EXPECT_LE(std::abs(found.points[k].first[1] / amplitude - std::complex<double>{0, w} * H),
                1e-6);
      EXPECT_NEAR(found.points[k].mean[0], 0.0, 1e-9);
      EXPECT_NEAR(found.points[k].highest[0], 2 * amplitude * std::abs(H), 2e-3 * amplitude);
    }
  }
}

TEST(NonlinearResponse, GoesRoundTheFoldsOfAHardeningSpring) {
  const NonlinearResponse found = nonlinear_response(
      linear_test_model(hardening), {},
      {.input = "u", .amplitude = "3/10", .outputs = {"x"}, .from = 0.9, .to = 2});
  ASSERT_EQ(found.branch.status, Status::ok) << found.branch.reason;
  EXPECT_EQ(found.amplitude, 0.3);
  std::vector<std::size_t> folds;
  for (std::size_t k = 0; k < found.branch.points.size(); ++k)
    if (found.branch.points[k].kind == BranchPoint::Kind::fold) folds.push_back(k);
  ASSERT_EQ(folds.size(), 2u);
  // those of harmonic balance with 12 harmonics
  EXPECT_NEAR(found.branch.points[folds[0]].parameter, 1.55557862, 1e-7);
  EXPECT_NEAR(found.branch.points[folds[1]].parameter, 1.26161022, 1e-7);
  // the work of the force, pi F Im(-first), is what the damper takes, more than its share of the
  // first harmonic
  const auto& fold = found.points[folds[0]].first[0];
  const double w = found.branch.points[folds[0]].parameter;
  EXPECT_GT(-0.3 * fold.imag(), 0.1 * w * std::norm(fold));
  EXPECT_NEAR(-0.3 * fold.imag() / (0.1 * w * std::norm(fold)), 1.0, 0.03);
}

TEST(NonlinearResponse, MistakesAreSaid) {
  const auto said = [&](const NonlinearResponseOptions& which) {
    Problems problems{"m.toml"};
    static_cast<void>(nonlinear_response(linear_test_model(hardening), {}, which, problems));
    return problems.message();
  };
  EXPECT_THAT(said({.input = "nobody", .from = 1, .to = 2}),
              testing::HasSubstr("neither an input"));
  EXPECT_THAT(said({.input = "u", .from = 0, .to = 2}), testing::HasSubstr("no range"));
  EXPECT_THAT(said({.input = "u", .outputs = {"none"}, .from = 1, .to = 2}),
              testing::HasSubstr("no number of this name"));
}

TEST(RootLocus, OrdersOfASpeedMeetVibrations) {
  Problems problems{"m.toml"};
  const RootLocus locus = root_locus(linear_test_model(R"toml(
[parameters]
w = 1
[coordinates]
x = { mass = 1 }
[[potential]]
energy = "(3 + w)^2*x^2/2"
)toml"),
                                     {}, {}, {}, SweepAxis::of("w", {0, 1, 2, 3, 4}), problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  const std::vector<CriticalSpeed> found = critical_speeds(locus, {1, 2, 4});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].order, 4);
  EXPECT_NEAR(found[0].at, 1, 1e-12);
  EXPECT_EQ(found[1].order, 2);
  EXPECT_NEAR(found[1].at, 3, 1e-12);
  EXPECT_NEAR(found[1].omega, 6, 1e-12);
}

}  // namespace
}  // namespace taut::test
