// SPDX-License-Identifier: BSD-3-Clause
// Three problems with published answers. The bounds are what the same solvers need and reach when
// they are given hand-written equations: steps within 1.3, errors within 3 times.
#include <gtest/gtest.h>

#include <ostream>

#include "methods/arkode.hpp"
#include "methods/cvode.hpp"
#include "methods/ida.hpp"
#include "model/accelerations.hpp"
#include "problems.hpp"
#include "taut/methods/method.hpp"

namespace taut::test {
namespace {

static_assert(AdaptiveMethod<CvodeAdams> && AdaptiveMethod<CvodeBdf> && AdaptiveMethod<Arkode> &&
              AdaptiveMethod<Ida>);

struct Bound {
  const char* method;
  const char* problem;
  double tol;
  int steps;
  double q, v, lambda;  // largest relative errors at the end
};

std::ostream& operator<<(std::ostream& out, const Bound& b) {
  return out << b.method << " on " << b.problem << " at " << b.tol;
}

Method make(const Bound& b) {
  const std::string_view name = b.method;
  if (name == CvodeAdams::info.name) return CvodeAdams{{.tol = b.tol}};
  if (name == CvodeBdf::info.name) return CvodeBdf{{.tol = b.tol}};
  if (name == Arkode::info.name) return Arkode{{.tol = b.tol}};
  return Ida{{.tol = b.tol}};
}

double relative_error(const Vec& x, const Vec& truth) {
  return ((x - truth).array() / truth.array()).abs().maxCoeff();
}

template <class P>
void check(const Bound& bound, const P& problem) {
  const System system = by_hand(problem);
  const End end = P::end();
  State state = P::start();
  Method method = make(bound);
  ASSERT_EQ(method->start(system, state), Status::ok);
  while (state.t < end.t) ASSERT_EQ(method->advance(system, end.t, state), Status::ok);
  EXPECT_EQ(state.t, end.t);

  Accelerations accelerations;
  Vec a(system.nq()), lambda(system.nc());
  ASSERT_EQ(accelerations.start(system), Status::ok);
  ASSERT_EQ(accelerations(system, state.t, state.q, state.v, a, lambda), Status::ok);
  const Counters& cost = method->counters();
  EXPECT_LE(static_cast<double>(cost.steps - cost.rejected), 1.3 * bound.steps);
  EXPECT_LE(relative_error(state.q, end.q), 3.0 * bound.q);
  EXPECT_LE(relative_error(state.v, end.v), 3.0 * bound.v);
  EXPECT_LE(relative_error(lambda, end.lambda), 3.0 * bound.lambda);
}

class EndValues : public testing::TestWithParam<Bound> {};

TEST_P(EndValues, AreReachedAtTheUsualCost) {
  const std::string_view problem = GetParam().problem;
  if (problem == "pendulum") check(GetParam(), Pendulum{});
  if (problem == "car axis") check(GetParam(), CarAxis{});
  if (problem == "andrews") check(GetParam(), Andrews{});
}

INSTANTIATE_TEST_SUITE_P(
    Sundials, EndValues,
    testing::Values(Bound{"cvode-adams", "pendulum", 1e-6, 26, 1.2e-6, 6.3e-6, 1.1e-6},
                    Bound{"cvode-adams", "pendulum", 1e-8, 39, 1.6e-8, 2.2e-7, 1.3e-8},
                    Bound{"cvode-adams", "car axis", 1e-6, 712, 4.6e-5, 5.2e-4, 3.9e-4},
                    Bound{"cvode-adams", "car axis", 1e-8, 1364, 1.5e-6, 9.3e-5, 9.9e-6},
                    Bound{"cvode-adams", "andrews", 1e-6, 290, 4.2e-5, 4.7e-3, 4.7e-4},
                    Bound{"cvode-adams", "andrews", 1e-8, 499, 4.0e-7, 4.5e-5, 4.5e-6},
                    Bound{"cvode-bdf", "pendulum", 1e-6, 42, 2.6e-5, 4.9e-4, 1.8e-5},
                    Bound{"cvode-bdf", "pendulum", 1e-8, 63, 1.6e-7, 6.9e-7, 1.7e-7},
                    Bound{"cvode-bdf", "car axis", 1e-6, 816, 2.3e-4, 1.2e-2, 1.8e-3},
                    Bound{"cvode-bdf", "car axis", 1e-8, 1676, 5.3e-6, 3.8e-4, 3.2e-5},
                    Bound{"cvode-bdf", "andrews", 1e-6, 382, 3.1e-4, 3.5e-2, 3.6e-3},
                    Bound{"cvode-bdf", "andrews", 1e-8, 857, 1.2e-5, 1.3e-3, 1.4e-4},
                    Bound{"arkode", "pendulum", 1e-6, 22, 1.3e-7, 2.6e-6, 1.3e-7},
                    Bound{"arkode", "pendulum", 1e-8, 64, 9.2e-10, 1.4e-8, 3.4e-10},
                    Bound{"arkode", "car axis", 1e-6, 985, 1.0e-6, 4.0e-4, 5.2e-5},
                    Bound{"arkode", "car axis", 1e-8, 3071, 2.1e-8, 4.6e-6, 8.1e-7},
                    Bound{"arkode", "andrews", 1e-6, 287, 3.7e-5, 2.2e-4, 1.1e-4},
                    Bound{"arkode", "andrews", 1e-8, 884, 2.7e-7, 2.3e-6, 7.7e-7},
                    Bound{"ida", "pendulum", 1e-6, 69, 2.5e-6, 4.6e-5, 1.4e-5},
                    Bound{"ida", "pendulum", 1e-8, 131, 9.6e-8, 2.1e-7, 1.4e-7},
                    Bound{"ida", "car axis", 1e-6, 1905, 7.9e-6, 3.4e-3, 1.0e-4},
                    Bound{"ida", "car axis", 1e-8, 3595, 2.9e-7, 1.7e-4, 8.3e-6},
                    Bound{"ida", "andrews", 1e-6, 1028, 2.1e-5, 2.4e-3, 2.3e-4},
                    Bound{"ida", "andrews", 1e-8, 2029, 5.0e-7, 5.7e-5, 5.8e-6}));

}  // namespace
}  // namespace taut::test
