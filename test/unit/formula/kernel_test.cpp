// SPDX-License-Identifier: BSD-3-Clause
#include "formula/kernel.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "random_tree.hpp"
#include "run_program.hpp"

namespace taut::formula {
namespace {

using namespace testing;

/// Any finite bits, and every kind of special value.
double any_number(Random& random) {
  using Limits = std::numeric_limits<double>;
  switch (pick(random, 12)) {
    case 0:
      return Limits::quiet_NaN();
    case 1:
      return Limits::infinity();
    case 2:
      return -Limits::infinity();
    case 3:
      return 0.0;
    case 4:
      return -0.0;
    case 5:
      return Limits::denorm_min() * uniform(random, 1.0, 1e6);
    case 6:
      return std::bit_cast<double>(random());
    default:
      return uniform(random, -3.0, 3.0);
  }
}

bool is_function(Code code) {
  switch (code) {
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::neg:
    case Code::sqrt:
    case Code::abs:
    case Code::sign:
    case Code::min:
    case Code::max:
    case Code::floor:
    case Code::less:
    case Code::select:
    case Code::cell:
    case Code::mul_add:
    case Code::mul_sub:
    case Code::sub_mul:
      return false;
    default:
      return true;
  }
}

/// Of few values or of more than a machine has registers, and with or without calls of functions,
/// some of it asked for.
Program random_program(Random& random) {
  Program program;
  const bool wide = pick(random, 2) == 0, calls = pick(random, 2) == 0;
  const int inputs = 4, constants = 3, work = wide ? 40 : 6, length = wide ? 160 : 40;
  for (int i = 0; i < inputs; ++i) program.inputs.push_back({Slot::q, i});
  for (int i = 0; i < constants; ++i) program.constants.push_back(any_number(random));
  program.registers = inputs + constants + work;
  program.lookups = some_lookups();
  int known = inputs + constants;  // registers that hold a value
  for (int k = 0; k < length; ++k) {
    Instruction i;
    do i.code = static_cast<Code>(pick(random, static_cast<int>(Code::sincos) + 1));
    while (!calls && is_function(i.code));
    i.a = pick(random, known);
    i.b = pick(random, known);
    i.c = pick(random, known);
    const auto target = [&] {
      const int w = k < work ? k : pick(random, work);
      return inputs + constants + w;
    };
    i.to = target();
    if (i.code == Code::knot || i.code == Code::piece)
      i.lookup = pick(random, static_cast<int>(program.lookups.size()));
    if (i.code == Code::sincos) {
      i.b = inputs + constants + (i.to - inputs - constants + 1) % work;
      if (k < work) {  // both results must exist before they are read
        i.code = Code::mul;
        i.b = i.a;
      }
    }
    if (k < work) known = inputs + constants + k + 1;
    program.code.push_back(i);
  }
  const bool all = pick(random, 3) == 0;
  for (int r = 0; r < program.registers; ++r)
    if (all || pick(random, 3) == 0)
      program.outputs.push_back({Target::observable, r, 0, r, false});
  return program;
}

bool same_bits(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) ||
         std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

TEST(Kernels, EveryBackEndGivesTheSameBits) {
  Random random{7};
  int finite = 0, compared = 0;
  for (int k = 0; k < 400; ++k) {
    const Program program = random_program(random);
    const auto kernels = make_every_kernel(program);
    ASSERT_GE(kernels.size(), 2u);
    ASSERT_EQ(kernels[0]->width(), 1);
    const auto registers = static_cast<std::size_t>(program.registers);
    const std::size_t inputs = program.inputs.size();

    std::vector<double> given(inputs * lanes);
    for (double& x : given) x = any_number(random);
    // the scalar interpreter, lane by lane
    std::vector<double> expected(registers * lanes);
    const Registers scalar{*kernels[0]};
    for (std::size_t l = 0; l < lanes; ++l) {
      std::fill_n(scalar.data(), registers, 0.0);
      kernels[0]->load_constants(scalar.data());
      for (std::size_t i = 0; i < inputs; ++i) scalar.data()[i] = given[i * lanes + l];
      kernels[0]->run(scalar.data());
      for (std::size_t r = 0; r < registers; ++r) expected[r * lanes + l] = scalar.data()[r];
    }
    for (std::size_t back_end = 1; back_end < kernels.size(); ++back_end) {
      const Kernel& kernel = *kernels[back_end];
      const auto width = static_cast<std::size_t>(kernel.width());
      ASSERT_TRUE(width == lanes || width == narrow_lanes || width == 1);
      const Registers wide{kernel};
      std::fill_n(wide.data(), wide.size(), 0.0);
      kernel.load_constants(wide.data());
      for (std::size_t i = 0; i < inputs; ++i)
        std::copy_n(&given[i * lanes], width, wide.data() + i * width);
      kernel.run(wide.data());
      for (const Output& output : program.outputs)
        for (std::size_t l = 0; l < width; ++l) {
          const auto r = static_cast<std::size_t>(output.reg);
          const double found = wide.data()[r * width + l], wanted = expected[r * lanes + l];
          ASSERT_TRUE(same_bits(found, wanted))
              << "program " << k << ", back end " << back_end << ", register " << r << ": " << found
              << " and " << wanted;
          ++compared;
          finite += std::isfinite(wanted);
        }
    }
  }
  EXPECT_GT(finite, compared / 4);  // most of it is not NaN against NaN
}

TEST(Kernels, FusedOperationsRoundTwice) {
  // a*b+c with one rounding would be 2^-60; with two it is 0
  const double a = 1.0 + 0x1p-30;
  Program program;
  program.inputs = {{Slot::q, 0}, {Slot::q, 1}};
  program.registers = 5;
  program.code = {
      {Code::mul_sub, 2, 0, 0, 1}, {Code::sub_mul, 3, 0, 0, 1}, {Code::neg, 4, 1, 0, 0}};
  program.outputs = {{Target::force, 0, 0, 2, false}, {Target::force, 1, 0, 3, true}};
  Point x;
  x.q = {a, 1.0 + 0x1p-29};
  for (const auto& kernel : make_every_kernel(program)) {
    const Values values = run(*kernel, x, kernel->width() - 1);
    EXPECT_EQ((values.at({Target::force, 0, 0})), 0.0);
    EXPECT_EQ((values.at({Target::force, 1, 0})), 0.0);
  }
}

TEST(Kernels, FewInstancesRunOneByOne) {
  EXPECT_EQ(make_kernel({}, 1)->width(), 1);
  EXPECT_EQ(make_kernel({}, 3)->width(), 1);
  EXPECT_EQ(make_kernel({}, 4)->width(), lanes);
}

TEST(Kernels, MinimumAndMaximumPassNaNOn) {
  Program program;
  program.inputs = {{Slot::q, 0}, {Slot::q, 1}};
  program.registers = 4;
  program.code = {{Code::min, 2, 0, 1, 0}, {Code::max, 3, 0, 1, 0}};
  program.outputs = {{Target::force, 0, 0, 2, false}, {Target::force, 1, 0, 3, false}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& kernel : make_every_kernel(program)) {
    for (const std::vector<double>& q : {std::vector{nan, 1.0}, std::vector{1.0, nan}}) {
      Point x;
      x.q = q;
      for (const auto& [place, value] : run(*kernel, x)) EXPECT_TRUE(std::isnan(value));
    }
    Point x;
    x.q = {2.0, -1.0};
    EXPECT_EQ((run(*kernel, x).at({Target::force, 0, 0})), -1.0);
    EXPECT_EQ((run(*kernel, x).at({Target::force, 1, 0})), 2.0);
  }
}

}  // namespace
}  // namespace taut::formula
