// SPDX-License-Identifier: BSD-3-Clause
// The stiff pendulum against its smooth solution from power series, the stiff chain against angles.
#include <Eigen/Cholesky>
#include <cmath>

#include "end_of_run.hpp"
#include "long_double_ode.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"

namespace taut::test {
namespace {

double distance(const Vec& x, std::initializer_list<double> truth) {
  return (x - Eigen::Map<const Vec>(truth.begin(), static_cast<Index>(truth.size())))
      .lpNorm<Eigen::Infinity>();
}

TEST(StiffPendulum, MovesAsTheRigidOneInTheLimit) {
  const Loaded pendulum = load("stiff_pendulum", {{"epsilon", 0.0}});
  ASSERT_EQ(pendulum.system.structure().rows.at(0).compliance, 0.0);
  const State end = end_of_run(pendulum.system, pendulum.start, 1.0, "dop853", 1e-12);
  EXPECT_LE(distance(end.q, {0.9876267050974558, -0.1568231213129719}), 1e-11);
  EXPECT_LE(distance(end.v, {-0.0440588506212236, -0.2774699107192223}), 1e-11);
}

// every vibration is resolved; from the smooth start there is none to be seen
TEST(StiffPendulum, FollowsItsSmoothSolution) {
  const Loaded pendulum = load("stiff_pendulum", {{"epsilon", 1e-3}});
  State start = pendulum.start;
  start.q << 0.9320398803956470, -0.3623580633342129;
  start.v << 0.2536486038709687, 0.6524280694131264;
  const State end = end_of_run(springs(pendulum.system), start, 1.0, "dop853", 1e-12);
  EXPECT_LE(distance(end.q, {0.9876269643095261, -0.1568229921598162}), 1e-12);
  EXPECT_LE(distance(end.v, {-0.0440579246005921, -0.2774696881932996}), 1e-9);
}

/// Chain of n unit links and masses in its angles from the downward vertical:
/// Σ_j m_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'²) = -(n - i) sin a_i,  m_ij = n - max(i,
/// j).
void chain_in_angles(const LongVec& y, LongVec& dy) {
  using Real = long double;
  const auto n = static_cast<Eigen::Index>(y.size() / 2);
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> M(n, n);
  Eigen::Matrix<Real, Eigen::Dynamic, 1> f(n);
  const auto angle = [&](Eigen::Index i) { return y[static_cast<std::size_t>(i)]; };
  const auto rate = [&](Eigen::Index i) { return y[static_cast<std::size_t>(n + i)]; };
  for (Eigen::Index i = 0; i < n; ++i) {
    f(i) = -static_cast<Real>(n - i) * std::sin(angle(i));
    for (Eigen::Index j = 0; j < n; ++j) {
      const Real mass = static_cast<Real>(n - std::max(i, j));
      M(i, j) = mass * std::cos(angle(i) - angle(j));
      f(i) -= mass * std::sin(angle(i) - angle(j)) * rate(j) * rate(j);
    }
  }
  const Eigen::Matrix<Real, Eigen::Dynamic, 1> a = M.ldlt().solve(f);
  for (Eigen::Index i = 0; i < n; ++i) {
    dy[static_cast<std::size_t>(i)] = rate(i);
    dy[static_cast<std::size_t>(n + i)] = a(i);
  }
}

TEST(StiffChain, MovesAsItsAnglesDoInTheRigidLimit) {
  constexpr std::size_t links = 4;
  LongVec y(2 * links, 0.0L);
  for (std::size_t i = 0; i < links; ++i) y[i] = 1.2L - 0.6L * static_cast<long double>(i) / links;
  const LongVec angles =
      solve([](long double, const LongVec& at, LongVec& rates) { chain_in_angles(at, rates); }, y,
            0, 1, 0.05L);

  const Loaded chain = load("stiff_chain", {{"links", links}});
  const State end = end_of_run(rigid(chain.system), chain.start, 1.0, "dop853", 1e-12);
  long double x = 0, z = 0, vx = 0, vz = 0;
  for (std::size_t i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i + 1);
    x += std::sin(angles[i]);
    z -= std::cos(angles[i]);
    vx += std::cos(angles[i]) * angles[links + i];
    vz += std::sin(angles[i]) * angles[links + i];
    const Index at = coordinate(chain.system, name + ".x");
    EXPECT_NEAR(end.q(at), static_cast<double>(x), 1e-10) << name;
    EXPECT_NEAR(end.q(at + 1), static_cast<double>(z), 1e-10) << name;
    EXPECT_NEAR(end.v(at), static_cast<double>(vx), 1e-9) << name;
    EXPECT_NEAR(end.v(at + 1), static_cast<double>(vz), 1e-9) << name;
  }
}

TEST(StiffChain, HasAsManyLinksAsAskedForAndKeepsItsEnergy) {
  const Loaded chain = load("stiff_chain", {{"links", 100.0}, {"omega", 100.0}});
  EXPECT_EQ(chain.system.nq(), 200);
  EXPECT_EQ(chain.system.nc(), 100);
  EXPECT_LE(residuals(rigid(chain.system), chain.start).g,
            1e-13);  // unit rods, to the rounding of sums

  const Loaded small = load("stiff_chain", {{"links", 10.0}, {"omega", 100.0}});
  const System stiff = springs(small.system);
  const State end = end_of_run(stiff, small.start, 3.0, "dop853", 1e-10);
  EXPECT_NEAR(energy(stiff, end), energy(stiff, small.start), 1e-7);
  // the rods are longer by 1/omega² times their tension, at most the weight of ten and its swing
  EXPECT_LE(residuals(rigid(small.system), end).g, 1e-4 * 100.0);
  EXPECT_GE(residuals(rigid(small.system), end).g, 1e-4);
}

}  // namespace
}  // namespace taut::test
