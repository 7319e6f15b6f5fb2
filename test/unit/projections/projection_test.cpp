// SPDX-License-Identifier: BSD-3-Clause
#include "projections/projection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "dense_system.hpp"
#include "problems.hpp"

namespace taut::test {
namespace {

/// Constraints as given functions with their gradients; unit masses unless said otherwise.
class Constraints final : public DenseSystem {
 public:
  using Row = std::function<double(const Vec& q, Vec& gradient)>;
  Constraints(Index nq, std::vector<Row> rows, double mass_ratio = 1.0)
      : DenseSystem{{nq, static_cast<Index>(rows.size()), 1.0}}, rows_{std::move(rows)} {
    Vec m = Vec::Ones(nq);
    m[0] = mass_ratio;
    set_mass(m.asDiagonal());
  }

 private:
  void force(const Arguments&, Vec& f) const override { f.setZero(); }
  double potential(const Arguments&) const override { return 0.0; }
  void constraint(const Arguments& at, Vec& g) const override {
    Vec unused(at.q.size());
    for (std::size_t r = 0; r < rows_.size(); ++r)
      g[static_cast<Index>(r)] = rows_[r](at.q, unused);
  }
  void jacobian(const Arguments& at, RowMat& G) const override {
    Vec gradient(at.q.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      (void)rows_[r](at.q, gradient);
      G.row(static_cast<Index>(r)) = gradient;
    }
  }
  std::vector<Row> rows_;
};

double circle(const Vec& q, Vec& gradient) {
  gradient = q;
  return (q.squaredNorm() - 1.0) / 2;
}
double line(const Vec& q, Vec& gradient) {
  gradient.setZero();
  gradient[1] = 1.0;
  return q[1];
}

/// A projection with its matrix taken at `reference`.
struct Prepared {
  Prepared(const System& s, const Vec& reference) : system{s} {
    const Structure& structure = system.structure();
    system.prepare(ev);
    kkt.analyse(structure.M, structure.G);
    const Vec zero = Vec::Zero(reference.size());
    projection.start(system);
    const Needs wanted = needs(Target::constraint_jacobian, Target::constraint_rate);
    EXPECT_EQ(system.evaluate(wanted, {.q = reference, .v = zero}, ev), Status::ok);
    EXPECT_EQ(kkt.factor(structure.M, ev.G, Vec::Zero(system.nc())), Status::ok);
    G0 = ev.G;
  }
  Status position(State& at, Needs also = 0) {
    return projection.position(system, kkt, at, ev, also);
  }
  System system;
  Projection projection;
  Kkt kkt;
  Evaluation ev;
  Mat G0;
};

System circle_system(double mass_ratio = 1.0) {
  return System{
      std::make_shared<Constraints>(2, std::vector<Constraints::Row>{circle}, mass_ratio)};
}

State at(double x, double y) { return {0.0, Vec{{x, y}}, Vec::Zero(2)}; }

TEST(Projection, MovesAlongTheReferenceDirectionsOnly) {
  // matrix and direction of the point (1, 0), masses 5 and 1: q.y must not change at all
  Prepared prepared{circle_system(5.0), Vec{{1.0, 0.0}}};
  State s = at(1.1, 0.3);
  ASSERT_EQ(prepared.position(s), Status::ok);
  EXPECT_EQ(s.q[1], 0.3);
  EXPECT_NEAR(s.q[0], std::sqrt(1 - 0.09), 1e-14);
  // correction() = -M⁻¹Gᵀλ
  const Vec expected = -prepared.G0.transpose() * prepared.projection.lambda();
  EXPECT_NEAR(prepared.projection.correction()[0], expected[0] / 5.0, 1e-15);
  EXPECT_NEAR(prepared.projection.correction()[0], s.q[0] - 1.1, 1e-15);
}

TEST(Projection, ConvergesFasterThanItsFrozenMatrixAlone) {
  // far from the reference the frozen matrix gains a factor 1 - cos(angle) per iteration
  Prepared prepared{circle_system(), Vec{{1.0, 0.0}}};
  State s = at(1.3, 0.8);  // half a turn of the frozen matrix would need some 40 iterations
  ASSERT_EQ(prepared.position(s), Status::ok);
  Counters work;
  prepared.projection.report(work);
  EXPECT_LE(work.newton_iterations, 9);
  EXPECT_NEAR(s.q.norm(), 1.0, 1e-14);
}

TEST(Projection, EvaluatesWhatTheCallerWantsAtThePointFound) {
  Prepared prepared{circle_system(), Vec{{1.0, 0.0}}};
  State s = at(1.05, 0.1);
  ASSERT_EQ(prepared.position(s, need(Target::constraint_jacobian)), Status::ok);
  const Mat G = prepared.ev.G;
  EXPECT_EQ(G(0, 0), s.q[0]);
  EXPECT_EQ(G(0, 1), s.q[1]);
}

TEST(Projection, PassesDependentConstraintsThatAgree) {
  const System twice{
      std::make_shared<Constraints>(2, std::vector<Constraints::Row>{circle, circle})};
  Prepared prepared{twice, Vec{{1.0, 0.0}}};
  State s = at(1.05, 0.2);
  ASSERT_EQ(prepared.position(s), Status::ok);
  EXPECT_NEAR(s.q.norm(), 1.0, 1e-14);
}

TEST(Projection, NamesConstraintsThatContradict) {
  // however little: rounding is 1e-16 here
  for (const double by : {1e-2, 1e-6, 1e-10}) {
    const auto larger = [by](const Vec& q, Vec& gradient) { return circle(q, gradient) - by; };
    const System both{
        std::make_shared<Constraints>(2, std::vector<Constraints::Row>{circle, larger})};
    Prepared prepared{both, Vec{{1.0, 0.0}}};
    State s = at(1.05, 0.2);
    EXPECT_EQ(prepared.position(s), Status::constraints_contradict) << by;
  }
}

TEST(Projection, FailsWhereThereIsNoPoint) {
  // the line x = 1.5 upwards from (1.5, 0) never meets the circle
  const auto right = [](const Vec& q, Vec& gradient) {
    gradient << 1.0, 0.0;
    return q[0] - 1.5;
  };
  const System none{std::make_shared<Constraints>(2, std::vector<Constraints::Row>{circle, right})};
  Prepared prepared{none, Vec{{1.0, 0.2}}};
  State s = at(1.0, 0.2);
  const Status st = prepared.position(s);
  EXPECT_TRUE(st == Status::iteration_limit || st == Status::projection_diverged) << name(st);
}

TEST(Projection, ReachesRoundingFarFromTheOrigin) {
  // coordinates of 1e6: the circle's g cannot be computed better than 1e-10
  const auto far = [](const Vec& q, Vec& gradient) {
    gradient << q[0] - 1e6, q[1];
    return (gradient.squaredNorm() - 1.0) / 2;
  };
  const System system{std::make_shared<Constraints>(2, std::vector<Constraints::Row>{far})};
  Prepared prepared{system, Vec{{1e6 + 1.0, 0.0}}};
  State s{0.0, Vec{{1e6 + 1.02, 0.1}}, Vec::Zero(2)};
  EXPECT_EQ(prepared.position(s), Status::ok);
  EXPECT_NEAR(std::hypot(s.q[0] - 1e6, s.q[1]), 1.0, 1e-9);
}

TEST(Projection, ReportsAFormulaThatIsNotFinite) {
  const auto bad = [](const Vec& q, Vec& gradient) {
    gradient << 1.0, 0.0;
    return q[0] > 1.01 ? std::nan("") : q[0] - 1.0;
  };
  const System system{std::make_shared<Constraints>(2, std::vector<Constraints::Row>{bad})};
  Prepared prepared{system, Vec{{1.0, 0.0}}};
  State s = at(1.02, 0.0);
  EXPECT_EQ(prepared.position(s), Status::non_finite);
}

TEST(Projection, VelocityIsTheNearestInTheMassMetric) {
  const Problem p = double_pendulum();
  Prepared prepared{p.system, p.start.q};
  const Vec v0{{0.3, -1.2, 2.0, 0.4}};
  Vec v = v0;
  ASSERT_EQ(prepared.projection.velocity(p.system, prepared.kkt, prepared.ev, v), Status::ok);
  EXPECT_LE((prepared.G0 * v).lpNorm<Eigen::Infinity>(), 1e-15);
  // M (v - v0) is normal: it does no work along any velocity that keeps the constraints
  const Mat M = p.system.structure().M;
  const Vec impulse = M * (v - v0);
  const Vec allowed = p.start.v;
  EXPECT_LE(std::abs(impulse.dot(allowed)), 1e-14 * impulse.norm() * allowed.norm());
}

TEST(Projection, VelocityConvergesWithAMatrixTakenNearby) {
  const Problem p = double_pendulum();
  Prepared prepared{p.system, p.truth(0.05).q};  // factorised here,
  const Arguments start{.t = 0.0, .q = p.start.q, .v = p.start.v};
  const Needs wanted = needs(Target::constraint_jacobian, Target::constraint_rate);
  ASSERT_EQ(p.system.evaluate(wanted, start, prepared.ev), Status::ok);  // G taken there
  Vec v{{0.3, -1.2, 2.0, 0.4}};
  ASSERT_EQ(prepared.projection.velocity(p.system, prepared.kkt, prepared.ev, v), Status::ok);
  EXPECT_LE((Mat(prepared.ev.G) * v).lpNorm<Eigen::Infinity>(), 1e-15);
}

TEST(Projection, NormalVelocityOfRoundingIsDropped) {
  const Problem p = double_pendulum();
  Prepared prepared{p.system, p.start.q};
  const Mat inverse_mass = Mat(p.system.structure().M).diagonal().cwiseInverse().asDiagonal();
  Vec v = 1e-20 * inverse_mass * prepared.G0.transpose() * Vec{{0.7, -0.3}};
  const double before = v.norm();
  ASSERT_EQ(prepared.projection.velocity(p.system, prepared.kkt, prepared.ev, v), Status::ok);
  EXPECT_LE(v.norm(), 1e-14 * before);
}

TEST(Projection, MovingConstraintGivesTheVelocityOfTheAnchor) {
  const Problem p = driven_pendulum();
  Prepared prepared{p.system, p.start.q};
  Vec v = Vec::Zero(2);
  ASSERT_EQ(prepared.projection.velocity(p.system, prepared.kkt, prepared.ev, v), Status::ok);
  EXPECT_NE(prepared.ev.g_t[0], 0.0);
  EXPECT_NEAR((prepared.G0 * v)[0], -prepared.ev.g_t[0], 1e-16);
}

TEST(Projection, LineAndCircleMeetWhereTheyShould) {
  const System both{std::make_shared<Constraints>(2, std::vector<Constraints::Row>{circle, line})};
  Prepared prepared{both, Vec{{0.9, 0.1}}};
  State s = at(0.9, 0.1);
  ASSERT_EQ(prepared.position(s), Status::ok);
  EXPECT_NEAR(s.q[0], 1.0, 1e-14);
  EXPECT_NEAR(s.q[1], 0.0, 1e-14);
}

}  // namespace
}  // namespace taut::test
