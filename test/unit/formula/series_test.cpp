// SPDX-License-Identifier: BSD-3-Clause
#include "formula/series.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "random_tree.hpp"
#include "run_program.hpp"

namespace taut::formula {
namespace {

using namespace testing;

using Complex = std::complex<long double>;
using Coefficients = std::vector<double>;

constexpr std::size_t count = 9;  // coefficients of every series here

/// A program whose inputs are q_0, q_1, ... and whose registers are listed as they are made.
struct Builder {
  Program program;

  explicit Builder(int inputs, std::vector<double> constants = {}) {
    for (int i = 0; i < inputs; ++i) program.inputs.push_back({Slot::q, i});
    program.constants = std::move(constants);
    program.registers = inputs + static_cast<int>(program.constants.size());
  }
  int operator()(Code code, int a, int b = 0, int c = 0) {
    program.code.push_back({code, program.registers, a, b, c});
    if (code == Code::knot || code == Code::piece) {
      if (program.lookups.empty()) program.lookups = some_lookups();
      program.code.back().lookup = a % static_cast<int>(program.lookups.size());
    }
    return program.registers++;
  }
};

/// All coefficients of a register.
Coefficients run_series(const Program& program, const std::vector<Coefficients>& inputs, int reg,
                        int instances = 1) {
  const SeriesProgram series{program, instances};
  const std::size_t width = series.width();
  std::vector<double> memory(series.size() * count * width, -1.0);
  series.clear(memory.data(), count, program.constants);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      std::fill_n(&memory[(i * count + k) * width], width, inputs[i][k]);
    series.run(memory.data(), count, k);
  }
  Coefficients result;
  for (std::size_t k = 0; k < count; ++k)
    result.push_back(memory[(series.result(reg) * count + k) * width + width - 1]);
  return result;
}

Coefficients run_one(Code code, const std::vector<Coefficients>& inputs) {
  Builder b{3};
  const int z = b(code, 0, 1, 2);
  return run_series(b.program, inputs, z);
}

Coefficients line(double x0, double x1 = 1.0) {
  Coefficients c(count, 0.0);
  c[0] = x0;
  c[1] = x1;
  return c;
}

Coefficients random_series(Random& random, double low, double high) {
  Coefficients c{uniform(random, low, high)};
  while (c.size() < count) c.push_back(uniform(random, -0.3, 0.3));
  return c;
}

Complex at(const Coefficients& c, Complex s) {
  Complex sum = 0.0L;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * s + Complex{c[k]};
  return sum;
}

/// Coefficients by Cauchy's integral over a circle on which the arguments change little: the
/// functions of complex numbers share nothing with the recurrences.
Coefficients by_cauchy(const std::function<Complex(Complex)>& f) {
  constexpr int points = 64;
  constexpr long double radius = 0.25L;
  Coefficients c(count);
  for (std::size_t k = 0; k < count; ++k) {
    Complex sum = 0.0L;
    for (int j = 0; j < points; ++j) {
      const Complex s = std::polar(radius, 2.0L * std::numbers::pi_v<long double> * j / points);
      sum += f(s) / std::pow(s, static_cast<int>(k));
    }
    c[k] = static_cast<double>(sum.real() / points);
  }
  return c;
}

struct Case {
  Code code;
  double low, high;  // of the value at the centre of each argument
  std::function<Complex(Complex, Complex, Complex)> f;
};

std::vector<Case> analytic_cases() {
  const Complex i{0.0L, 1.0L};
  return {
      {Code::add, -2, 2, [](Complex a, Complex b, Complex) { return a + b; }},
      {Code::sub, -2, 2, [](Complex a, Complex b, Complex) { return a - b; }},
      {Code::mul, -2, 2, [](Complex a, Complex b, Complex) { return a * b; }},
      {Code::div, 1, 2, [](Complex a, Complex b, Complex) { return a / b; }},
      {Code::neg, -2, 2, [](Complex a, Complex, Complex) { return -a; }},
      {Code::pow, 1, 2, [](Complex a, Complex b, Complex) { return std::exp(b * std::log(a)); }},
      {Code::sqrt, 1, 2, [](Complex a, Complex, Complex) { return std::sqrt(a); }},
      {Code::exp, -1, 1, [](Complex a, Complex, Complex) { return std::exp(a); }},
      {Code::log, 1, 2, [](Complex a, Complex, Complex) { return std::log(a); }},
      {Code::sin, -2, 2, [](Complex a, Complex, Complex) { return std::sin(a); }},
      {Code::cos, -2, 2, [](Complex a, Complex, Complex) { return std::cos(a); }},
      {Code::tan, -0.6, 0.6, [](Complex a, Complex, Complex) { return std::tan(a); }},
      {Code::asin, -0.4, 0.4, [](Complex a, Complex, Complex) { return std::asin(a); }},
      {Code::acos, -0.4, 0.4, [](Complex a, Complex, Complex) { return std::acos(a); }},
      {Code::atan, -0.4, 0.4, [](Complex a, Complex, Complex) { return std::atan(a); }},
      {Code::atan2, 1, 2,
       [i](Complex a, Complex b, Complex) {
         return (std::log(b + i * a) - std::log(b - i * a)) / (2.0L * i);
       }},
      {Code::sinh, -1, 1, [](Complex a, Complex, Complex) { return std::sinh(a); }},
      {Code::cosh, -1, 1, [](Complex a, Complex, Complex) { return std::cosh(a); }},
      {Code::tanh, -0.6, 0.6, [](Complex a, Complex, Complex) { return std::tanh(a); }},
      {Code::mul_add, -2, 2, [](Complex a, Complex b, Complex c) { return a * b + c; }},
      {Code::mul_sub, -2, 2, [](Complex a, Complex b, Complex c) { return a * b - c; }},
      {Code::sub_mul, -2, 2, [](Complex a, Complex b, Complex c) { return c - a * b; }},
      {Code::sincos, -2, 2, [](Complex a, Complex, Complex) { return std::sin(a); }},
  };
}

void expect_near(const Coefficients& obtained, const Coefficients& expected, double tol) {
  ASSERT_EQ(obtained.size(), expected.size());
  double scale = 1.0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    scale = std::max(scale, std::abs(expected[k]));
    EXPECT_NEAR(obtained[k], expected[k], tol * scale) << "coefficient " << k;
  }
}

TEST(Series, OfEveryAnalyticOperationAreThoseOfCauchysIntegral) {
  Random random{7};
  for (const Case& c : analytic_cases()) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      SCOPED_TRACE(static_cast<int>(c.code));
      std::vector<Coefficients> x;
      for (int i = 0; i < 3; ++i) x.push_back(random_series(random, c.low, c.high));
      Builder b{3};
      if (c.code == Code::sincos) {
        b.program.code.push_back({Code::sincos, 3, 0, 4, 0});
        b.program.registers = 5;
        expect_near(run_series(b.program, x, 4),
                    by_cauchy([&](Complex s) { return std::cos(at(x[0], s)); }), 1e-13);
      } else {
        (void)b(c.code, 0, 1, 2);
      }
      expect_near(run_series(b.program, x, 3),
                  by_cauchy([&](Complex s) { return c.f(at(x[0], s), at(x[1], s), at(x[2], s)); }),
                  1e-13);
    }
  }
}

TEST(Series, OperandsThatDoNotVaryAreTakenAsConstants) {
  Random random{8};
  for (const Case& c : analytic_cases()) {
    if (c.code == Code::sincos) continue;
    for (int constant = 0; constant < 8; ++constant) {
      SCOPED_TRACE(fmt::format("code {} constant {}", static_cast<int>(c.code), constant));
      Builder b{3};
      std::vector<Coefficients> x;
      for (int i = 0; i < 3; ++i) {
        x.push_back(random_series(random, c.low, c.high));
        if ((constant >> i & 1) == 0) continue;
        b.program.inputs[static_cast<std::size_t>(i)].slot = Slot::parameter;
        for (std::size_t k = 1; k < count; ++k) x.back()[k] = 0.0;
      }
      const int z = b(c.code, 0, 1, 2);
      expect_near(run_series(b.program, x, z),
                  by_cauchy([&](Complex s) { return c.f(at(x[0], s), at(x[1], s), at(x[2], s)); }),
                  1e-13);
    }
  }
}

TEST(Series, OfKnownFunctions) {
  double factorial = 1.0;
  const Coefficients exp = run_one(Code::exp, {line(0.0), line(0.0), line(0.0)});
  const Coefficients log = run_one(Code::log, {line(1.0), line(0.0), line(0.0)});
  const Coefficients quotient = run_one(Code::div, {line(1.0, 0.0), line(1.0, -1.0), line(0.0)});
  for (std::size_t k = 1; k < count; ++k) {
    const auto n = static_cast<double>(k);
    factorial *= n;
    EXPECT_NEAR(exp[k], 1.0 / factorial, 1e-15);
    EXPECT_NEAR(log[k], (k % 2 == 1 ? 1.0 : -1.0) / n, 1e-15);
    EXPECT_EQ(quotient[k], 1.0);
  }
  expect_near(run_one(Code::tan, {line(0.0), line(0.0), line(0.0)}),
              {0, 1, 0, 1.0 / 3, 0, 2.0 / 15, 0, 17.0 / 315, 0}, 1e-15);
  expect_near(run_one(Code::asin, {line(0.0), line(0.0), line(0.0)}),
              {0, 1, 0, 1.0 / 6, 0, 3.0 / 40, 0, 5.0 / 112, 0}, 1e-15);
}

TEST(Series, RegistersMayBeUsedAgain) {
  // x = sin(x + x), x = x * x in one register, and sincos into registers that held something else
  Program program;
  program.inputs = {{Slot::q, 0}};
  program.registers = 3;
  program.code = {{Code::add, 1, 0, 0, 0},
                  {Code::sincos, 2, 1, 1, 0},
                  {Code::mul, 2, 2, 2, 0},
                  {Code::mul_add, 1, 1, 1, 2}};
  Random random{9};
  const Coefficients one = run_series(program, {random_series(random, -2, 2)}, 1);
  EXPECT_NEAR(one[0], 1.0, 1e-15);
  for (std::size_t k = 1; k < count; ++k) EXPECT_NEAR(one[k], 0.0, 1e-14);
}

TEST(Series, DecideByTheValueAtTheCentre) {
  const Coefficients a = line(-0.5, 2.0), b = line(0.25, 3.0), c = line(4.0, 5.0);
  const Coefficients minus_a = line(0.5, -2.0);
  EXPECT_EQ(run_one(Code::abs, {a, b, c}), minus_a);
  EXPECT_EQ(run_one(Code::min, {a, b, c}), a);
  EXPECT_EQ(run_one(Code::max, {a, b, c}), b);
  EXPECT_EQ(run_one(Code::select, {a, b, c}), b);
  EXPECT_EQ(run_one(Code::select, {line(0.0, 1.0), b, c}), c);
  EXPECT_EQ(run_one(Code::sign, {a, b, c}), line(-1.0, 0.0));
  EXPECT_EQ(run_one(Code::floor, {a, b, c}), line(-1.0, 0.0));
  EXPECT_EQ(run_one(Code::less, {a, b, c}), line(1.0, 0.0));
}

TEST(Series, PowersWithAWholeExponentMayPassThroughZero) {
  const auto power = [](const Coefficients& a, double exponent) {
    Builder b{1, {exponent}};
    const int z = b(Code::pow, 0, 1);
    return run_series(b.program, {a}, z);
  };
  EXPECT_EQ(power(line(0.0, 2.0), 3.0), (Coefficients{0, 0, 0, 8, 0, 0, 0, 0, 0}));
  EXPECT_EQ(power(line(0.0, 2.0), 0.0), line(1.0, 0.0));
  EXPECT_EQ(power(line(0.0, 0.0), 2.0), line(0.0, 0.0));
  // (s² + s³)³ = s⁶ (1 + 3 s + 3 s²)
  EXPECT_EQ(power({0, 0, 1, 1, 0, 0, 0, 0, 0}, 3.0), (Coefficients{0, 0, 0, 0, 0, 0, 1, 3, 3}));
  // (-1 + s)³ = -1 + 3 s - 3 s² + s³
  EXPECT_EQ(power(line(-1.0), 3.0), (Coefficients{-1, 3, -3, 1, 0, 0, 0, 0, 0}));
}

TEST(Series, AreNotFiniteWhereAFunctionIsNotSmooth) {
  const auto finite = [](const Coefficients& c) {
    return std::all_of(c.begin(), c.end(), [](double x) { return std::isfinite(x); });
  };
  const Coefficients zero = line(0.0), one = line(1.0), minus = line(-1.0), half = line(0.5, 0.0);
  EXPECT_FALSE(finite(run_one(Code::sqrt, {zero, one, one})));
  EXPECT_FALSE(finite(run_one(Code::sqrt, {minus, one, one})));
  EXPECT_FALSE(finite(run_one(Code::log, {zero, one, one})));
  EXPECT_FALSE(finite(run_one(Code::div, {one, zero, one})));
  EXPECT_FALSE(finite(run_one(Code::asin, {one, one, one})));
  EXPECT_FALSE(finite(run_one(Code::acos, {minus, one, one})));
  EXPECT_FALSE(finite(run_one(Code::atan2, {zero, zero, one})));
  EXPECT_FALSE(finite(run_one(Code::pow, {zero, one, one})));
  EXPECT_FALSE(finite(run_one(Code::pow, {zero, half, one})));
}

TEST(Series, BeginWithTheBitsOfAKernel) {
  Random random{10};
  for (int repeat = 0; repeat < 200; ++repeat) {
    constexpr int inputs = 3;
    Builder b{inputs, {0.5, -2.0}};
    for (int k = 0; k < 30; ++k)
      (void)b(static_cast<Code>(pick(random, static_cast<int>(Code::sincos))),
              pick(random, b.program.registers), pick(random, b.program.registers),
              pick(random, b.program.registers));
    std::vector<Coefficients> x;
    for (int i = 0; i < inputs; ++i) x.push_back(random_series(random, -2, 2));
    const auto kernel = make_kernel(b.program, 1);
    const Registers registers{*kernel};
    for (std::size_t i = 0; i < inputs; ++i) registers.data()[i] = x[i][0];
    kernel->load_constants(registers.data());
    kernel->run(registers.data());
    for (int r = 0; r < b.program.registers; ++r) {
      const double expected = registers.data()[r], obtained = run_series(b.program, x, r)[0];
      EXPECT_TRUE(obtained == expected || (std::isnan(obtained) && std::isnan(expected)));
    }
  }
}

TEST(Series, LanesDoNotDependOnOneAnother) {
  Random random{11};
  for (int code = 0; code <= static_cast<int>(Code::sincos); ++code) {
    SCOPED_TRACE(code);
    Builder b{3};
    if (static_cast<Code>(code) == Code::sincos)
      b.program.code.push_back({Code::sincos, b.program.registers++, 0, b.program.registers++, 0});
    else
      (void)b(static_cast<Code>(code), 0, 1, 2);
    const SeriesProgram series{b.program, 8};
    const std::size_t width = series.width();
    ASSERT_EQ(width, 8u);
    std::vector<std::vector<Coefficients>> x(width);
    std::vector<double> memory(series.size() * count * width);
    series.clear(memory.data(), count, b.program.constants);
    for (std::size_t l = 0; l < width; ++l)
      for (std::size_t i = 0; i < 3; ++i) {
        x[l].push_back(random_series(random, 0.1, 0.9));
        for (std::size_t k = 0; k < count; ++k) memory[(i * count + k) * width + l] = x[l][i][k];
      }
    for (std::size_t k = 0; k < count; ++k) series.run(memory.data(), count, k);
    for (std::size_t l = 0; l < width; ++l) {
      const Coefficients alone = run_series(b.program, x[l], 3);
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_EQ(memory[(series.result(3) * count + k) * width + l], alone[k]);
    }
  }
}

}  // namespace
}  // namespace taut::formula
