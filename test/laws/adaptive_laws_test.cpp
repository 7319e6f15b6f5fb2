// SPDX-License-Identifier: BSD-3-Clause
// What every method that chooses its steps must do.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "allocation_counter.hpp"
#include "dense_system.hpp"
#include "method_list.hpp"
#include "problems.hpp"
#include "taut/testing/method_laws.hpp"

namespace taut::test {
namespace {

/// q'' = law(q), one coordinate.
class OneCoordinate final : public DenseSystem {
 public:
  explicit OneCoordinate(double (*law)(double q)) : DenseSystem{{1, 0, 1.0}}, law_{law} {
    set_mass(Mat::Identity(1, 1));
  }

 private:
  void force(const Arguments& at, Vec& f) const override { f[0] = law_(at.q[0]); }
  double potential(const Arguments&) const override { return 0.0; }
  double (*law_)(double);
};

template <class M>
laws::MakeMethod with_tolerance(double tol) {
  return [tol] { return Method{M{{.tol = tol}}}; };
}

template <class M>
class AdaptiveLaws : public ::testing::Test {};
TYPED_TEST_SUITE(AdaptiveLaws, AdaptiveMethods, MethodName);

TYPED_TEST(AdaptiveLaws, MeetsTheEndExactlyAndWithoutATinyLastStep) {
  const Problem p = pendulum();
  TypeParam method{{.tol = 1e-9}};
  State s = p.start;
  ASSERT_EQ(method.start(p.system, s), Status::ok);
  double last = 0.0, before = 0.0;
  while (s.t < p.T) {
    const double t0 = s.t;
    ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
    before = last;
    last = s.t - t0;
  }
  EXPECT_EQ(s.t, p.T);
  EXPECT_GE(last, 0.3 * before);
}

TYPED_TEST(AdaptiveLaws, ManyShortIntervalsDoNotMakeTheStepsShort) {
  // stops closer than a step, then a free run: the step of before comes back at once
  const Problem p = henon_heiles();
  TypeParam method{{.tol = 1e-6}};
  State s = p.start;
  ASSERT_EQ(method.start(p.system, s), Status::ok);
  ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
  ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
  const double t0 = s.t;
  ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
  const double usual = s.t - t0;
  for (int k = 1; k <= 20; ++k) ASSERT_EQ(method.advance(p.system, s.t + 1e-9, s), Status::ok);
  const double t1 = s.t;
  ASSERT_EQ(method.advance(p.system, 2 * p.T, s), Status::ok);
  EXPECT_GE(s.t - t1, 0.5 * usual);
}

TYPED_TEST(AdaptiveLaws, GoesBackToWhereItCameFrom) {
  const Problem p = double_pendulum();
  TypeParam method{{.tol = 1e-11}};
  State s = p.start;
  ASSERT_EQ(method.start(p.system, s), Status::ok);
  while (s.t < 1.0) ASSERT_EQ(method.advance(p.system, 1.0, s), Status::ok);
  while (s.t > 0.0) ASSERT_EQ(method.advance(p.system, 0.0, s), Status::ok);
  EXPECT_LE((s.q - p.start.q).norm(), 1e-8);
  EXPECT_LE((s.v - p.start.v).norm(), 1e-8);
}

TYPED_TEST(AdaptiveLaws, InterpolatesItsEndsToTheBitAndOutputDoesNotChangeTheMotion) {
  for (const Problem& p : {driven_pendulum(), double_pendulum()})
    for (const double tol : {1e-6, 1e-7})
      EXPECT_EQ(laws::interpolates(with_tolerance<TypeParam>(tol), known(p)), laws::Violations{});
}

TYPED_TEST(AdaptiveLaws, ConstraintsHoldAtEveryPointItGives) {
  for (const Problem& p : {double_pendulum(), driven_pendulum(), redundant_pendulum(), bead()}) {
    SCOPED_TRACE(p.name);
    TypeParam method{{.tol = 1e-4}};  // far from rounding, so that the projection has work
    State s = p.start, at = s;
    ASSERT_EQ(method.start(p.system, s), Status::ok);
    double g = 0.0, Gv = 0.0;
    const auto look = [&](const State& state) {
      const Residuals r = residuals(p.system, state);
      g = std::max(g, r.g);
      Gv = std::max(Gv, r.Gv);
    };
    while (s.t < p.T) {
      const double t0 = s.t;
      ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
      look(s);
      for (const double theta : {0.1, 0.5, 0.9}) {
        ASSERT_EQ(method.interpolate(p.system, t0 + theta * (s.t - t0), at), Status::ok);
        look(at);
      }
    }
    EXPECT_LE(g, 1e-13);
    EXPECT_LE(Gv, 1e-13);
  }
}

TYPED_TEST(AdaptiveLaws, NoStepAfterTheFirstAllocates) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  for (const Problem& p : {henon_heiles(), double_pendulum(), bead(), redundant_pendulum()}) {
    SCOPED_TRACE(p.name);
    TypeParam method{{.tol = 1e-6}};
    State s = p.start, at = s;
    ASSERT_EQ(method.start(p.system, s), Status::ok);
    ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
    const std::size_t before = *allocations();
    Status st = Status::ok;
    while (s.t < p.T && st == Status::ok) {
      const double t0 = s.t;
      st = method.advance(p.system, p.T, s);
      if (st == Status::ok) st = method.interpolate(p.system, (t0 + s.t) / 2, at);
    }
    const std::size_t after = *allocations();
    EXPECT_EQ(st, Status::ok);
    EXPECT_EQ(after - before, 0U);
  }
}

TYPED_TEST(AdaptiveLaws, ArchiveContinuesToTheSameBits) {
  for (const Problem& p : {henon_heiles(), double_pendulum(), bead(), driven_pendulum()})
    EXPECT_EQ(laws::resumes(with_tolerance<TypeParam>(1e-9), known(p)), laws::Violations{});
}

// runs until it fails; checks that the failing call leaves the state
template <class M>
Status run_into(const System& system, State s, double T) {
  M method{{.tol = 1e-8}};
  Status st = method.start(system, s);
  while (st == Status::ok && s.t < T) {
    const State before = s;
    st = method.advance(system, T, s);
    if (st != Status::ok) {
      EXPECT_TRUE(same_bits(s, before));
    }
    if (method.counters.steps > 100'000) return Status::step_limit;
  }
  return st;
}

TYPED_TEST(AdaptiveLaws, SingularityEndsInAFailureThatSaysWhy) {
  // falls into the centre at t = π/(2√2): steps shrink until time has no room for them
  const System collision{std::make_shared<OneCoordinate>(+[](double q) { return -1.0 / (q * q); })};
  const State rest{0.0, Vec{{1.0}}, Vec{{0.0}}};
  const Status st = run_into<TypeParam>(collision, rest, 2.0);
  EXPECT_TRUE(st == Status::step_too_small || st == Status::non_finite) << name(st);

  // leaves the domain of the square root at t = 2: no step length helps
  const System edge{
      std::make_shared<OneCoordinate>(+[](double q) { return q > 1.0 ? std::nan("") : 0.0 * q; })};
  EXPECT_EQ(run_into<TypeParam>(edge, {0.0, Vec{{0.0}}, Vec{{0.5}}}, 10.0), Status::non_finite);
}

TYPED_TEST(AdaptiveLaws, StartsFromRestAtTheOriginAndFromAnEquilibrium) {
  const System hill{std::make_shared<OneCoordinate>(+[](double q) { return q; })};
  EXPECT_EQ(run_into<TypeParam>(hill, {0.0, Vec{{0.0}}, Vec{{0.0}}}, 5.0), Status::ok);
  const System constant{std::make_shared<OneCoordinate>(+[](double) { return 1.0; })};
  EXPECT_EQ(run_into<TypeParam>(constant, {0.0, Vec{{0.0}}, Vec{{0.0}}}, 5.0), Status::ok);
}

TYPED_TEST(AdaptiveLaws, FarFromTimeZeroAndOverTinyIntervals) {
  const Problem p = henon_heiles();
  TypeParam method{{.tol = 1e-8}};
  State s = p.start;
  s.t = 1e9;
  ASSERT_EQ(method.start(p.system, s), Status::ok);
  while (s.t < 1e9 + 1) ASSERT_EQ(method.advance(p.system, 1e9 + 1, s), Status::ok);
  const State exact = p.truth(1.0);
  EXPECT_LE((s.q - exact.q).norm(), 1e-6);

  State tiny = p.start;
  TypeParam other{{.tol = 1e-8}};
  ASSERT_EQ(other.start(p.system, tiny), Status::ok);
  ASSERT_EQ(other.advance(p.system, 1e-300, tiny), Status::ok);
  EXPECT_EQ(tiny.t, 1e-300);
}

// The bound comes and goes between steps; methods that have none of their own are given a nearer
// end by the face of all methods.
TYPED_TEST(AdaptiveLaws, NoStepIsLongerThanTheBoundOfTheMoment) {
  const Problem p = henon_heiles();
  Method method{TypeParam{{.tol = 1e-3}}};
  method->bound_steps(0.05);
  State s = p.start;
  ASSERT_EQ(method->start(p.system, s), Status::ok);
  const auto longest = [&](double t_end) {
    double most = 0.0;
    while (s.t < t_end) {
      const double t0 = s.t;
      EXPECT_EQ(method->advance(p.system, p.T, s), Status::ok);
      if (s.t == t0) break;
      most = std::max(most, s.t - t0);
    }
    return most;
  };
  EXPECT_LE(longest(p.T / 3), 0.05 * (1 + 1e-8));
  method->bound_steps(std::numeric_limits<double>::infinity());
  const double free = longest(2 * p.T / 3);
  EXPECT_GT(free, 0.06);
  method->bound_steps(free / 3);
  EXPECT_LE(longest(p.T), free / 3 * (1 + 1e-8));
  EXPECT_EQ(s.t, p.T);
}

template <class M>
void expect_first_step() {
  const Problem p = henon_heiles();
  M method{{.tol = 1e-3, .first_step = 0.01}};
  State s = p.start;
  ASSERT_EQ(method.start(p.system, s), Status::ok);
  ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
  EXPECT_EQ(s.t, 0.01);
}

TYPED_TEST(AdaptiveLaws, FirstStepIsRespected) {
  if constexpr (requires { TypeParam{{.tol = 1e-3, .first_step = 0.01}}; })
    expect_first_step<TypeParam>();
  else
    GTEST_SKIP() << "the method finds its first step itself";
}

}  // namespace
}  // namespace taut::test
