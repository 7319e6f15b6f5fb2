// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/signals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "models.hpp"
#include "studies/fourier.hpp"
#include "taut/studies/section.hpp"
#include "taut/studies/signal_study.hpp"

namespace taut::test {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

std::vector<double> sampled(std::size_t rows, double interval, const auto& f) {
  std::vector<double> x;
  for (std::size_t j = 0; j < rows; ++j) x.push_back(f(static_cast<double>(j) * interval));
  return x;
}

TEST(Signals, TransformOfAnyLengthIsTheSumItStandsFor) {
  for (const std::size_t n : {1u, 2u, 3u, 5u, 8u, 12u, 31u, 64u, 97u, 210u, 1000u}) {
    std::vector<std::complex<double>> x;
    for (std::size_t j = 0; j < n; ++j) {
      const double s = static_cast<double>(j);
      x.emplace_back(std::sin(1.3 * s * s) + 0.2, std::cos(0.7 * s));
    }
    std::vector<std::complex<double>> found = x;
    fourier(found);
    for (std::size_t k = 0; k < n; k += 1 + n / 40) {
      std::complex<double> sum = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        sum += x[j] *
               std::polar(1.0, -two_pi * static_cast<double>(j * k % n) / static_cast<double>(n));
      EXPECT_LE(std::abs(found[k] - sum), 1e-12 * static_cast<double>(n)) << n << ' ' << k;
    }
  }
}

TEST(Signals, VibrationsComeOutToRounding) {
  const double interval = 0.01;
  const std::vector<double> x = sampled(3000, interval, [](double t) {
    return 0.3 + 2 * std::cos(two_pi * 3.123456 * t + 0.5) +
           0.02 * std::cos(two_pi * 9.370368 * t) + 1e-3 * std::sin(two_pi * 1.7 * t);
  });
  for (const Window window : {Window::hann, Window::flat_top, Window::blackman_harris}) {
    SCOPED_TRACE(name(window));
    const Spectrum found = spectrum(x, interval, {.window = window});
    ASSERT_EQ(found.peaks.size(), 3u);
    const std::array<std::array<double, 3>, 3> truth{
        {{3.123456, 2, 0.5}, {9.370368, 0.02, 0}, {1.7, 1e-3, -std::numbers::pi / 2}}};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found.peaks[k].hertz, truth[k][0], 1e-8);
      EXPECT_NEAR(found.peaks[k].amplitude, truth[k][1], 1e-8);
      EXPECT_NEAR(found.peaks[k].phase, truth[k][2], 1e-6);
    }
    EXPECT_EQ(found.peaks[0].name, "f1");
    EXPECT_EQ(found.peaks[1].name, "3 f1");
    EXPECT_EQ(found.peaks[2].name, "f2");
    EXPECT_NEAR(found.explained, 1.0, 1e-12);
    EXPECT_LT(found.tail, 1e-9);
  }
}

TEST(Signals, SumsOfFrequenciesAreNamed) {
  const std::vector<double> x = sampled(4096, 0.01, [](double t) {
    const double a = two_pi * 5.0 * t, b = two_pi * 1.37 * t;
    return std::cos(a) + 0.5 * std::cos(b) + 0.1 * std::cos(a - 2 * b) + 0.05 * std::cos(b / 2);
  });
  const Spectrum found = spectrum(x, 0.01);
  ASSERT_EQ(found.peaks.size(), 4u);
  EXPECT_EQ(found.peaks[1].name, "f2");
  EXPECT_EQ(found.peaks[2].name, "f1 - 2 f2");
  EXPECT_EQ(found.peaks[3].name, "f2/2");
}

TEST(Signals, TheIntegralOfTheDensityIsTheMeanSquare) {
  const std::size_t n = 2000;
  const double interval = 0.005, hertz = 12.0 / (static_cast<double>(n) * interval);
  const std::vector<double> x =
      sampled(n, interval, [&](double t) { return 5.0 + 3 * std::cos(two_pi * hertz * t + 1); });
  for (const Window window : {Window::hann, Window::blackman_harris, Window::none}) {
    const Spectrum found = spectrum(x, interval, {.window = window});
    double integral = 0.0;
    for (const double density : found.density) integral += density * found.resolution;
    EXPECT_NEAR(integral, 4.5, 1e-10) << name(window);
    EXPECT_NEAR(found.amplitude[12], 3.0, 1e-10) << name(window);
    EXPECT_NEAR(found.mean, 5.0, 1e-12);
  }
}

TEST(Signals, FlatTopsShowAmplitudesBetweenLines) {
  const double interval = 0.01;
  for (const double off : {0.0, 0.2, 0.5}) {
    const std::vector<double> x = sampled(
        1000, interval, [&](double t) { return std::cos(two_pi * (20 + off) / 10.0 * t + 0.4); });
    const Spectrum found = spectrum(x, interval, {.window = Window::flat_top});
    EXPECT_NEAR(*std::max_element(found.amplitude.begin(), found.amplitude.end()), 1.0, 2e-3);
  }
}

TEST(Signals, AveragesOfPiecesFindWhatIsInNoise) {
  // a generator of its own: the same numbers everywhere
  std::uint64_t seed = 12345;
  const auto noise = [&] {
    double sum = 0.0;
    for (int k = 0; k < 12; ++k) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      sum += static_cast<double>(seed >> 11) / 9007199254740992.0;
    }
    return sum - 6.0;
  };
  std::vector<double> x;
  for (int j = 0; j < 40000; ++j) x.push_back(0.5 * std::cos(two_pi * 0.05 * j) + noise());
  const Spectrum found = spectrum(x, 1.0, {.averages = 80, .most_peaks = 1});
  EXPECT_EQ(found.pieces, 80);
  ASSERT_EQ(found.peaks.size(), 1u);
  EXPECT_NEAR(found.peaks[0].hertz, 0.05, 0.3 * found.resolution);
  EXPECT_NEAR(found.peaks[0].amplitude, 0.5, 0.05);
  EXPECT_TRUE(std::isnan(found.peaks[0].phase));
  // away from it the density of noise of variance 1 is 2
  double level = 0.0;
  int count = 0;
  for (std::size_t k = 0; k < found.hertz.size(); ++k)
    if (found.hertz[k] > 0.1 && found.hertz[k] < 0.45) {
      level += found.density[k];
      ++count;
    }
  EXPECT_NEAR(level / count, 2.0, 0.1);
}

TEST(Signals, PassagesOfZeroLieBetweenRows) {
  std::vector<double> t;
  for (int j = 0; j <= 500; ++j) t.push_back(0.02 * j);
  std::vector<double> x;
  for (const double at : t) x.push_back(std::cos(3 * at));
  const SignalMeasures found = signal_measures(t, x);
  ASSERT_EQ(found.rising.size(), 5u);
  ASSERT_EQ(found.falling.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(found.falling[k], (2 * static_cast<double>(k) + 0.5) * std::numbers::pi / 3, 1e-6);
    EXPECT_NEAR(found.rising[k], (2 * static_cast<double>(k) + 1.5) * std::numbers::pi / 3, 1e-6);
  }
  EXPECT_NEAR(found.mean, std::sin(30.0) / 30, 1e-3);
  EXPECT_NEAR(found.rms, std::sqrt(0.5 + std::sin(60.0) / 120), 1e-4);
}

TEST(Signals, ChirpsAreFollowedOverTime) {
  std::vector<double> t, x;
  for (int j = 0; j < 8192; ++j) {
    t.push_back(j / 1000.0);
    x.push_back(std::sin(two_pi * (10 * t.back() + 10 * t.back() * t.back())));
  }
  const Spectrogram found = spectrogram(t, x);
  ASSERT_GT(found.t.size(), 20u);
  for (std::size_t k = 0; k < found.t.size(); ++k)
    EXPECT_NEAR(found.loudest[k], 10 + 20 * found.t[k], found.hertz[1]) << found.t[k];
}

TEST(Signals, OrdersHaveTheAmplitudesOfTheirMultiples) {
  std::vector<double> t, angle, x;
  for (int j = 0; j <= 20000; ++j) {
    t.push_back(j / 1000.0);
    angle.push_back(5 * t.back() + 3 * t.back() * t.back());
    x.push_back(1.5 * std::cos(angle.back()) + 0.2 * t.back() * std::sin(2.5 * angle.back()) + 7);
  }
  const OrderTrack found = track_orders(t, angle, x, {1, 2, 2.5}, 8);
  ASSERT_GT(found.t.size(), 30u);
  for (std::size_t k = 0; k < found.t.size(); ++k) {
    const auto row = static_cast<Index>(k);
    // over eight turns the speed changes by a share of the square of their time
    const double near = 8 * two_pi / found.speed[k];
    EXPECT_NEAR(found.speed[k], 5 + 6 * found.t[k], 0.1 + near * near);
    EXPECT_NEAR(std::abs(found.values(row, 0)), 1.5, 1e-4);
    EXPECT_NEAR(std::arg(found.values(row, 0)), 0.0, 1e-4);
    EXPECT_LT(std::abs(found.values(row, 1)), 0.02);
    EXPECT_NEAR(std::abs(found.values(row, 2)), 0.2 * found.t[k], 0.05 + 0.05 * near * near);
  }
}

TEST(Signals, ALargePendulumHasTheSeriesOfItsEllipticFunction) {
  // theta = sum over odd n of 8 q^(n/2) / (n (1 + q^n)) cos(n omega t), q the nome
  const double amplitude = 2.0, k = std::sin(amplitude / 2);
  const double K = std::comp_ellint_1(k), K1 = std::comp_ellint_1(std::sqrt(1 - k * k));
  const double q = std::exp(-std::numbers::pi * K1 / K), hertz = 1 / (4 * K);
  const Model model = linear_test_model(R"toml(
[coordinates]
theta = { mass = 1, at = 2 }
[[potential]]
energy = "-cos(theta)"
[run]
until = 100
tol = 1e-12
)toml");
  const Signals found = signals(model, {}, {.spectrum = {.least = 1e-7}});
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_FALSE(found.too_coarse);
  ASSERT_EQ(found.signals.size(), 1u);
  const std::vector<SpectralPeak>& peaks = found.signals[0].spectrum.peaks;
  ASSERT_GE(peaks.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const double n = 2 * static_cast<double>(i) + 1;
    EXPECT_NEAR(peaks[i].hertz, n * hertz, 1e-8);
    EXPECT_NEAR(peaks[i].amplitude, 8 * std::pow(q, n / 2) / (n * (1 + std::pow(q, n))), 1e-8);
    EXPECT_EQ(peaks[i].name, i == 0 ? "f1" : fmt::format("{} f1", static_cast<int>(n)));
  }
}

TEST(Signals, RowsComeAsCloseAsItTakesAndTooCoarseOnesAreSaid) {
  const Model model = linear_test_model(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[outputs]
fast = "x + 0.2*cos(9001*t)"
[run]
until = 10
)toml");
  const Signals found = signals(model, {}, {.of = {"fast", "x", "1 + x^2"}});
  ASSERT_EQ(found.signals.size(), 3u);
  EXPECT_FALSE(found.too_coarse);
  EXPECT_NEAR(found.signals[0].spectrum.peaks.at(1).hertz, 9001 / two_pi, 1e-6);
  EXPECT_NEAR(found.signals[2].measures.mean, 1.5, 0.05);
  SimulationOptions coarse;
  coarse.every = 0.01;
  EXPECT_TRUE(signals(model, coarse, {.of = {"fast"}}).too_coarse);
  EXPECT_FALSE(signals(model, coarse, {.of = {"x"}}).too_coarse);
}

TEST(Signals, WhatComesBeforeIsLeftOut) {
  const Model model = linear_test_model(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[[force]]
on = "x"
value = "-0.4*v(x)"
[[force]]
on = "x"
value = "cos(2*t)"
[run]
until = 150
)toml");
  const Signals found = signals(model, {}, {.of = {"x", "v(x)"}, .after = 100});
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_NEAR(found.t.front(), 100, 1e-12);
  EXPECT_NEAR(found.t.back(), 150, 1e-9);
  const std::vector<SpectralPeak>& peaks = found.signals[0].spectrum.peaks;
  ASSERT_GE(peaks.size(), 1u);
  EXPECT_NEAR(peaks[0].hertz, 1 / std::numbers::pi, 1e-7);
  EXPECT_NEAR(peaks[0].amplitude, 1 / std::hypot(3.0, 0.8), 1e-7);
}

TEST(Signals, MistakesAreSaid) {
  const Model model = linear_test_model(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[run]
until = 1
)toml");
  const auto said = [&](const SimulationOptions& options, const SignalOptions& which) {
    Problems problems{"m.toml"};
    static_cast<void>(signals(model, options, which, problems));
    return problems.message();
  };
  EXPECT_THAT(said({}, {.of = {"nobody"}}), testing::HasSubstr("nobody"));
  EXPECT_THAT(said({}, {.after = 2}), testing::HasSubstr("nothing is left"));
  SimulationOptions few;
  few.every = 0.1;
  EXPECT_THAT(said(few, {}), testing::HasSubstr("too few for a spectrum"));
  EXPECT_THAT(said({}, {.of = {"x"}, .angle = "t", .orders = {-1}}),
              testing::HasSubstr("no order"));
}

TEST(Section, ADrivenMotionIsPassedOnceInEachPeriod) {
  Model model = linear_test_model(R"toml(
[parameters]
w = 2
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[[force]]
on = "x"
value = "-0.4*v(x)"
[[force]]
on = "x"
value = "cos(w*t)"
[run]
until = 200
tol = 1e-11
)toml");
  add_section("sin(w*t)", model);
  Plan made = plan(model, {});
  make_room_for_section(made);
  Result run = simulate(std::move(made));
  const Section section = take_section("sin(w*t)", run);
  EXPECT_TRUE(run.summary.events.empty());
  ASSERT_EQ(section.t.size(), 63u);
  // x = Re exp(2 i t) / (1 - 4 + 0.8 i)
  const std::complex<double> response = 1.0 / std::complex<double>{-3, 0.8};
  for (std::size_t k = 0; k < section.t.size(); ++k) {
    EXPECT_NEAR(section.t[k], std::numbers::pi * static_cast<double>(k + 1), 1e-9);
    if (k < 50) continue;
    EXPECT_NEAR(section.q(static_cast<Index>(k), 0), response.real(), 1e-8);
    EXPECT_NEAR(section.v(static_cast<Index>(k), 0), -2 * response.imag(), 1e-8);
  }
}

}  // namespace
}  // namespace taut::test
