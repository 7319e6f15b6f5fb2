// SPDX-License-Identifier: BSD-3-Clause
// The published test problems against their reference solutions: end points recomputed in quadruple
// precision in two formulations, and what the Fortran code DOP853 needs for them on the same
// equations with one projection at the end.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "methods/rattle.hpp"
#include "model/accelerations.hpp"
#include "models.hpp"
#include "problems.hpp"

namespace taut::test {
namespace {

struct Reference {
  const char* model;
  double T;
  std::vector<double> q, v, lambda;
};

const Reference andrews{
    "andrews",
    0.03,
    {15.81077119515370709712, -15.75637105841183946973, 4.082224011964580485828e-02,
     -5.347301163420795937702e-01, 5.244099658799540693717e-01, 5.347301163420795937702e-01,
     1.048080741041937873069},
    {1.139920302259106064198e+03, -1.424379295177540073196e+03, 1.103291191061859374533e+01,
     1.929337410503204083163e+01, 5.735699148295024538177e-01, -1.929337410503204083163e+01,
     3.231791492491308749907e-01},
    {1.991753481045386281862e+02, -2.975530997497176332442e+01, 2.306654361162215112862e+01,
     3.145272527577113707538e+01, 2.264249478639437857771e+01, 1.161739235261125590680e+01}};

const Reference car_axis{"car_axis",
                         3.0,
                         {4.934557842752409213153e-02, 4.969894602300081067629e-01,
                          1.041742524885426115195, 3.739110272653658193579e-01},
                         {-7.705836840359208428394e-02, 7.446866592068416491402e-03,
                          1.755681575354173662974e-02, 7.703410437796010631206e-01},
                         {-4.736886590853326515313e-03, -1.104680331259565839861e-03}};

double relative_error(const Vec& x, const std::vector<double>& reference) {
  double worst = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i)
    worst = std::max(worst, std::abs(x[static_cast<Index>(i)] / reference[i] - 1.0));
  return worst;
}

struct Peer {
  double tol;
  std::int64_t steps, evaluations;
  double q, v, lambda;  // relative errors
};

void expect_as_good_as(const Peer& peer, const Reference& reference) {
  const auto [system, start] = load(reference.model);
  DormandPrince853 method{{.tol = peer.tol}};
  State s = start;
  ASSERT_EQ(method.start(system, s), Status::ok);
  while (s.t < reference.T) ASSERT_EQ(method.advance(system, reference.T, s), Status::ok);
  Accelerations accelerations;
  Vec a, lambda;
  ASSERT_EQ(accelerations.start(system), Status::ok);
  ASSERT_EQ(accelerations(system, s.t, s.q, s.v, a, lambda), Status::ok);

  EXPECT_LE(static_cast<double>(method.counters.steps), 1.2 * static_cast<double>(peer.steps));
  EXPECT_LE(static_cast<double>(method.counters.force_evaluations),
            1.2 * static_cast<double>(peer.evaluations));
  EXPECT_LE(relative_error(s.q, reference.q), 3 * peer.q);
  EXPECT_LE(relative_error(s.v, reference.v), 3 * peer.v);
  EXPECT_LE(relative_error(lambda, reference.lambda), 3 * peer.lambda);
  EXPECT_LE(residuals(system, s).g, 1e-13);
  EXPECT_LE(residuals(system, s).Gv, 1e-13);
}

TEST(Baseline, Dop853OnAndrewsMechanism) {
  expect_as_good_as({1e-8, 100, 1174, 3.4e-9, 3.9e-7, 4.2e-8}, andrews);
  expect_as_good_as({1e-11, 213, 2508, 3.7e-12, 4.1e-10, 3.9e-11}, andrews);
}

TEST(Baseline, Dop853OnCarAxis) {
  expect_as_good_as({1e-8, 213, 2535, 1.4e-8, 4.7e-6, 3.7e-7}, car_axis);
  expect_as_good_as({1e-11, 472, 5637, 2.1e-11, 4.6e-9, 4.1e-10}, car_axis);
}

// error of RATTLE at the end, for the step T/n
double rattle_error(const Reference& reference, int n) {
  const auto [system, start] = load(reference.model);
  Rattle method;
  State s = start;
  EXPECT_EQ(method.start(system, s), Status::ok);
  for (int k = 0; k < n; ++k) EXPECT_EQ(method.step(system, reference.T / n, s), Status::ok);
  double sum = 0.0;
  for (std::size_t i = 0; i < reference.q.size(); ++i)
    sum += std::pow(s.q[static_cast<Index>(i)] - reference.q[i], 2);
  return std::sqrt(sum);
}

TEST(Baseline, RattleHalvesItsStepOnMovingAndOnVariableMassSystems) {
  for (const Reference* reference : {&car_axis, &andrews}) {
    SCOPED_TRACE(reference->model);
    double last = rattle_error(*reference, 1000);
    for (const int n : {2000, 4000, 8000}) {
      const double error = rattle_error(*reference, n);
      EXPECT_NEAR(last / error, 4.0, 0.3);
      last = error;
    }
  }
}

}  // namespace
}  // namespace taut::test
