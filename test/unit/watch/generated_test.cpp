// SPDX-License-Identifier: BSD-3-Clause
// Pulses and walls that are drawn anew in every run: none is missed. A failure prints its model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "drawn_seed.hpp"
#include "models.hpp"

namespace taut {
namespace {

using test::stated;

using std::numbers::pi;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_{seed} {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>{low, high}(random_);
  }
  double decade(double low, double high) { return std::pow(10.0, between(low, high)); }
  int one_of(int count) { return std::uniform_int_distribution<int>{0, count - 1}(random_); }
  double sign() { return one_of(2) == 0 ? -1.0 : 1.0; }

 private:
  std::mt19937 random_;
};

/// A pulse of area 1 about c, of width w: as text in the variable x, as function, and its Fourier
/// transform.
struct Pulse {
  std::string text;
  std::function<double(double)> at;
  std::function<double(double)> transform;
  double reach = 0.0;  // it is nothing further away
};

Pulse pulse(int kind, const std::string& x, double c, double w) {
  const auto inside =
      fmt::format("less({:.17g}, {})*less({}, {:.17g})", c - w / 2, x, x, c + w / 2);
  const auto u = fmt::format("(({} - {:.17g})/{:.17g})", x, c, w);
  switch (kind) {
    case 0:
      return {fmt::format("{:.17g}*{}", 1 / w, inside),
              [=](double at) { return std::abs(at - c) < w / 2 ? 1 / w : 0.0; },
              [=](double om) { return om == 0.0 ? 1.0 : std::sin(om * w / 2) / (om * w / 2); },
              w / 2};
    case 1:
      return {fmt::format("select({}, {:.17g}*cos(pi*{}), 0)", inside, pi / 2 / w, u),
              [=](double at) {
                return std::abs(at - c) < w / 2 ? pi / 2 / w * std::cos(pi * (at - c) / w) : 0.0;
              },
              [=](double om) { return std::cos(om * w / 2) / (1 - std::pow(om * w / pi, 2)); },
              w / 2};
    case 2:
      return {fmt::format("{:.17g}*exp(-{}^2)", 1 / w / std::sqrt(pi), u),
              [=](double at) { return std::exp(-std::pow((at - c) / w, 2)) / w / std::sqrt(pi); },
              [=](double om) { return std::exp(-om * om * w * w / 4); }, 6 * w};
    case 3:
      // overflows far away
      return {fmt::format("{:.17g}/cosh({})^2", 0.5 / w, u),
              [=](double at) { return 0.5 / w / std::pow(std::cosh((at - c) / w), 2); },
              [=](double om) {
                const double phase = pi / 2 * om * w;
                return phase == 0.0 ? 1.0 : phase / std::sinh(phase);
              },
              20 * w};
    default:
      return {fmt::format("{:.17g}*max(0, 1 - abs{})", 1 / w, u),
              [=](double at) { return std::max(0.0, 1 - std::abs(at - c) / w) / w; },
              [=](double om) {
                return om == 0.0 ? 1.0 : std::pow(std::sin(om * w / 2) / (om * w / 2), 2);
              },
              w};
  }
}

struct Case {
  Model model;
  std::string text;
  std::string x;  // the coordinate that is compared
  double until = 0.0;
  std::function<double(double)> truth;  // of it, where the pulse is over or has not begun
  double begin = 0.0, end = 0.0;        // of the pulse
  double size = 1.0;                    // of its effect at the end
};

// a pulse in time on a free mass, an oscillator, a bead on a wire, beside a stiff spring
Case pulse_in_time(unsigned seed) {
  Draw draw{seed};
  Case result;
  const double until = result.until = draw.decade(-1, 3);
  const double w = until * draw.decade(-6, -1), c = until * draw.between(0.3, 0.6);
  const double area = draw.between(0.5, 2) * draw.sign(), v = draw.between(-1, 1);
  const Pulse shape = pulse(draw.one_of(5), "t", c, w);
  result.begin = c - shape.reach;
  result.end = std::min(c + shape.reach, until);
  const std::string force =
      fmt::format("[[force]]\non = \"X\"\nvalue = \"{:.17g}*({})\"\n", area, shape.text);
  const auto on = [&](const std::string& x) {
    std::string text = force;
    return text.replace(text.find('X'), 1, x);
  };
  double om = 0.0;
  switch (draw.one_of(4)) {
    case 0:
      result.x = "x";
      result.text = fmt::format("[coordinates]\nx = {{ mass = 1, velocity = {:.17g} }}\n", v);
      break;
    case 1:
      result.x = "x";
      om = draw.between(3, 30) / until;
      result.text = fmt::format(
          "[coordinates]\nx = {{ mass = 1, velocity = {:.17g} }}\n[[potential]]\nenergy = "
          "\"{:.17g}*x^2\"\n",
          v, om * om / 2);
      break;
    case 2:
      result.x = "p.x";
      result.text = fmt::format(
          "[points]\np = {{ mass = 1, at = [0, 0], velocity = [{:.17g}, 0] }}\n"
          "[[constraint]]\nzero = \"p.y\"\n",
          v);
      break;
    default: {
      result.x = "x";
      const double rate = 1e4 / until;
      result.text = fmt::format(
          "[coordinates]\nx = {{ mass = 1, velocity = {:.17g} }}\ny = {{ mass = 1 }}\n"
          "[[potential]]\nenergy = \"{:.17g}*y^2\"\n[[force]]\non = \"y\"\nvalue = "
          "\"-{:.17g}*v(y)\"\n",
          v, rate * rate / 2, 2 * rate);
    }
  }
  result.text += on(result.x) + fmt::format("[run]\nuntil = {:.17g}\n", until);
  const double J = area * shape.transform(om);
  result.truth = [=](double t) {
    const auto response = [&](double s) { return om == 0.0 ? s : std::sin(om * s) / om; };
    return v * response(t) + (t > c ? J * response(t - c) : 0.0);
  };
  result.size = std::abs(area) * (om == 0.0 ? until - c : 1 / om);
  result.model = stated(result.text);
  return result;
}

// a force at a place that a free mass passes: v from its energy, the time by quadrature; of smooth
// pulses that far away, where numbers overflow, have a derivative, too, for implicit methods
Case pulse_in_space(unsigned seed) {
  Draw draw{seed};
  Case result;
  const double v = draw.between(1, 3), way = draw.decade(-1, 3);
  const double c = way * draw.between(0.3, 0.7), w = way * draw.decade(-6, -1);
  const int kind = draw.one_of(4);
  const Pulse shape = pulse(kind == 3 ? 4 : kind, "x", c, w);
  const double push = draw.between(-0.3, 0.6) * v * v;  // work of the force; it is passed
  const double begin = c - shape.reach, end = c + shape.reach;
  const auto speed_behind = std::sqrt(v * v + 2 * push);
  // time from begin to end
  constexpr int steps = 20000;
  double passage = 0.0, work = 0.0;
  const double d = (end - begin) / steps;
  for (int i = 0; i < steps; ++i) {
    const double x = begin + (i + 0.5) * d;
    work += shape.at(x) * d / 2;
    passage += d / std::sqrt(v * v + 2 * push * work);
    work += shape.at(x) * d / 2;
  }
  const double t_begin = begin / v, t_end = t_begin + passage;
  result.x = "x";
  result.until = t_end + way / v;
  result.begin = t_begin;
  result.end = t_end;
  result.text = fmt::format(
      "[coordinates]\nx = {{ mass = 1, velocity = {:.17g} }}\n[[force]]\non = \"x\"\nvalue = "
      "\"{:.17g}*({})\"\n[run]\nuntil = {:.17g}\n",
      v, push, shape.text, result.until);
  result.truth = [=](double t) { return t <= t_begin ? v * t : end + speed_behind * (t - t_end); };
  result.size = std::abs(speed_behind - v) * way / v;
  result.model = stated(result.text);
  return result;
}

void check(const Case& c, const std::string& method, bool with_rows) {
  SimulationOptions options{.tol = 1e-9, .error_estimate = false};
  if (method != "auto") options.method = method;
  if (with_rows) options.every = fmt::format("{:.17g}", c.until / 37);
  const Result run = simulate(c.model, options);
  ASSERT_TRUE(run.good()) << run.summary.message << '\n' << c.text;
  const double allowed = 1e-4 * c.size + 1e-7 * (1 + std::abs(c.truth(c.until)));
  const Column x = run.motion[c.x];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = run.motion.t[i];
    if (t > c.begin && t < c.end) continue;
    ASSERT_NEAR(x[i], c.truth(t), allowed) << "t = " << t << ", " << method << '\n' << c.text;
  }
}

TEST(Generated, PulsesInTimeAreNeverMissed) {
  const unsigned seed = taut::test::drawn_seed();
  for (unsigned i = 0; i < 40; ++i) {
    SCOPED_TRACE(fmt::format("seed {}", seed + i));
    const Case c = pulse_in_time(seed + i);
    check(c, i % 4 < 2 ? "auto" : "radau", i % 2 == 0);
    if (HasFatalFailure()) return;
  }
}

TEST(Generated, PulsesInSpaceAreNeverMissed) {
  const unsigned seed = taut::test::drawn_seed();
  for (unsigned i = 0; i < 40; ++i) {
    SCOPED_TRACE(fmt::format("seed {}", seed + i));
    const Case c = pulse_in_space(seed + i);
    check(c, i % 4 < 2 ? "auto" : "radau", i % 2 == 0);
    if (HasFatalFailure()) return;
  }
}

/// A mass that falls onto a floor of the force k u^p, u = max(0, -x), and rises as high as before.
struct Floor {
  std::string text;
  double until = 0.0, height = 0.0;  // there it flies
};

Floor floor_of_any_law(unsigned seed) {
  Draw draw{seed};
  constexpr double g = 10;
  const double h = draw.between(0.3, 2), k = draw.decade(2, 7);
  const int kind = draw.one_of(3);
  const double p = kind == 2 ? 1.0 : std::array{1.0, 1.5, 2.0, 3.0}[draw.one_of(4)];
  // v^2 = 2 g (h - x) - 2 k u^(p+1)/(p+1), from its root D up: x = -D (1 - s^2)
  const auto square = [&](double u) {
    return 2 * g * (h + u) - 2 * k * std::pow(u, p + 1) / (p + 1);
  };
  double low = 0.0, high = 100.0;
  while (high - low > 1e-15 * high)
    (square(low + (high - low) / 2) > 0.0 ? low : high) = low + (high - low) / 2;
  constexpr int pieces = 4000;
  double contact = 0.0;
  for (int i = 0; i < pieces; ++i) {
    const double s = (i + 0.5) / pieces;
    contact += 4 * low * s / std::sqrt(square(low * (1 - s * s))) / pieces;
  }
  const double fall = std::sqrt(2 * h / g), period = 2 * fall + contact;
  const double phase = fall * draw.between(-0.9, 0.9);  // from the highest point
  Floor result;
  result.until = (1 + draw.one_of(6)) * period + phase;
  result.height = h - g / 2 * phase * phase;
  result.text = fmt::format("[coordinates]\nx = {{ mass = 1, at = {:.17g} }}\n", h);
  if (kind == 0)
    result.text +=
        fmt::format("[[force]]\non = \"x\"\nvalue = \"-10 + {:.17g}*max(0, -x)^{:g}\"\n", k, p);
  else if (kind == 1)
    result.text += fmt::format("[[potential]]\nenergy = \"10*x + {:.17g}*max(0, -x)^{:g}\"\n",
                               k / (p + 1), p + 1);
  else
    result.text += fmt::format(
        "[[force]]\non = \"x\"\nvalue = -10\n[[constraint]]\nzero = \"max(0, -x)\"\n"
        "compliance = {:.17g}\n",
        1 / k);
  result.text += fmt::format("[run]\nuntil = {:.17g}\n", result.until);
  return result;
}

// in flight nothing depends on how deep the mass is in the floor, nor on its law
TEST(Generated, FloorsOfAnyLawAreMet) {
  const unsigned seed = taut::test::drawn_seed();
  for (unsigned i = 0; i < 40; ++i) {
    const Floor one = floor_of_any_law(seed + i);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed + i, one.text));
    SimulationOptions options{.tol = 1e-9, .error_estimate = false};
    if (i % 4 != 0) options.method = std::array{"auto", "radau", "dopri5", "dop853"}[i % 4];
    const Result run = simulate(stated(one.text), options);
    ASSERT_TRUE(run.good()) << run.summary.message;
    ASSERT_NEAR(run.motion["x"].back(), one.height, 1e-4);
  }
}

// a force in a rectangle of the plane, into which the mass comes and turns back: at its highest
// point, where none of the four sides is passed for good
TEST(Generated, WindowsInThePlaneAreMet) {
  const unsigned seed = taut::test::drawn_seed();
  for (unsigned i = 0; i < 20; ++i) {
    Draw draw{seed + i};
    // y = 1 - (t - 1)^2 is above 1 - d for 2 sqrt(d), while x = t is in the window
    const double d = draw.decade(-6, -1), wide = draw.between(1.2, 5) * std::sqrt(d);
    const double push = 0.1 / std::sqrt(d);
    const std::string text = fmt::format(
        "[points]\np = {{ mass = 1, at = [0, 0, 0], velocity = [1, 2, 0] }}\n[[force]]\non = "
        "\"p\"\nvalue = [0, -2, \"{:.17g}*less({:.17g}, p.y)*less(abs(p.x - 1), {:.17g})\"]\n[run]"
        "\nuntil = 2\n",
        push, 1 - d, wide);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed + i, text));
    const Result run = simulate(stated(text), {.tol = 1e-9, .error_estimate = false});
    ASSERT_TRUE(run.good()) << run.summary.message;
    ASSERT_NEAR(run.motion["p.vz"].back(), 2 * push * std::sqrt(d), 1e-5);
  }
}

// the value of the event along x = v t, against a fine scan of the formula
TEST(Generated, EveryCrossingOfAnEventIsFound) {
  const unsigned seed = taut::test::drawn_seed();
  for (unsigned i = 0; i < 60; ++i) {
    SCOPED_TRACE(fmt::format("seed {}", seed + i));
    Draw draw{seed + i};
    const double a = draw.between(0.5, 3), b = draw.between(3, 40), level = draw.between(-1.5, 1.5);
    const auto value = [&](double t) { return std::sin(a * t) + 0.5 * std::sin(b * t) - level; };
    constexpr double until = 10;
    constexpr int scan = 100000;
    int rising = 0, falling = 0;
    double nearest = 1.0;  // to a tangency, where the count depends on rounding
    for (int k = 0; k < scan; ++k) {
      const double t0 = until * k / scan, t1 = until * (k + 1) / scan;
      rising += value(t0) < 0 && value(t1) >= 0;
      falling += value(t0) > 0 && value(t1) <= 0;
      const double slope = (value(t1) - value(t0)) / (t1 - t0);
      if (std::abs(slope) < 1e-2) nearest = std::min(nearest, std::abs(value(t0)));
    }
    if (nearest < 1e-5) continue;
    const Result run =
        simulate(stated(fmt::format("[coordinates]\nx = {{ mass = 1, velocity = 1 }}\n"
                                    "[[event]]\nname = \"up\"\nzero = \"sin({:.17g}*x) + "
                                    "0.5*sin({:.17g}*x) - {:.17g}\"\ndirection = \"rising\"\n"
                                    "[[event]]\nname = \"down\"\nzero = \"sin({:.17g}*x) + "
                                    "0.5*sin({:.17g}*x) - {:.17g}\"\ndirection = \"falling\"\n"
                                    "[run]\nuntil = 10\n",
                                    a, b, level, a, b, level)));
    ASSERT_TRUE(run.good());
    int up = 0, down = 0;
    for (const EventRecord& event : run.summary.events) {
      (event.name == "up" ? up : down) += 1;
      ASSERT_NEAR(value(event.state.t), 0.0, 1e-8);
    }
    ASSERT_EQ(up, rising) << a << ' ' << b << ' ' << level;
    ASSERT_EQ(down, falling) << a << ' ' << b << ' ' << level;
  }
}

}  // namespace
}  // namespace taut
