// SPDX-License-Identifier: BSD-3-Clause
// What StiffPotential makes of a system, against the system itself and differences of it.
#include "stiff_potential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stiff_problems.hpp"

namespace taut::test {
namespace {

double largest(const Vec& x) { return x.lpNorm<Eigen::Infinity>(); }

// two springs of different stiffness, one on a moving anchor; a rigid rod, drag and gravity
const std::string springs_and_rod = R"toml(
name = "two springs and a rod"
[anchors]
hook = ["0.3*sin(3*t)", "0"]
[points]
a = { mass = 1, at = [0.8, -0.6], velocity = [0.3, 0.5] }
b = { mass = 2, at = [1.4, -1.4], velocity = [-0.4, 0.2] }
c = { mass = 1, at = [1.4, -2.4], velocity = [-0.4, 0.2] }
[[spring]]
between   = ["hook", "a"]
length    = 1
stiffness = 1e10
[[spring]]
between   = ["a", "b"]
length    = 1
stiffness = 1e7
[[rod]]
between = ["b", "c"]
[[force]]
on    = "b"
value = ["-0.3*b.vx", "-0.3*b.vy*abs(b.vy)"]
[[gravity]]
acceleration = [0, -1]
)toml";

class StiffRows : public ::testing::Test {
 protected:
  StiffRows()
      : model_{from_text(springs_and_rod)},
        groups_{find_stiff_directions(model_.system, model_.start, 100.0)},
        potential_{
            std::make_shared<const StiffPotential>(model_.system, groups_, model_.start, 1e-3)},
        system_{potential_},
        at_{model_.start} {
    // links turned away from where directions were found, and under load
    at_.t = 0.05;
    const double a = 1.000001, b = 0.9999;
    at_.q[0] = 0.3 * std::sin(0.15) + a * std::sin(1.1);
    at_.q[1] = -a * std::cos(1.1);
    at_.q[2] = at_.q[0] + b * std::sin(0.4);
    at_.q[3] = at_.q[1] - b * std::cos(0.4);
    at_.q[4] = at_.q[2];
    at_.q[5] = at_.q[3] - 1.0;
    model_.system.prepare(given_);
    system_.prepare(read_);
  }

  // the system as given and as read, where every target is known
  void evaluate(const State& at) {
    const Vec a = Vec::LinSpaced(model_.system.nq(), -1.0, 2.0);
    const Vec lambda = Vec::LinSpaced(system_.nc(), 0.5, 1.5), of_rod = lambda.head(1);
    const Needs wanted =
        needs(Target::force, Target::constraint, Target::constraint_jacobian,
              Target::constraint_rate, Target::constraint_curvature, Target::stiffness);
    ASSERT_EQ(model_.system.evaluate(wanted, {at.t, at.q, at.v, &a, &of_rod}, given_), Status::ok);
    ASSERT_EQ(system_.evaluate(wanted, {at.t, at.q, at.v, &a, &lambda}, read_), Status::ok);
  }

  // γ of a state
  Vec raw(const State& at) {
    Evaluation ev;
    system_.prepare(ev);
    Vec lambda = Vec::Zero(system_.nc()), gamma = lambda;
    EXPECT_EQ(system_.evaluate(need(Target::constraint), {at.t, at.q, at.v}, ev), Status::ok);
    potential_->multipliers_at_rest(ev, lambda);
    potential_->raw(ev, lambda, gamma);
    return gamma;
  }

  // where the motion would be after a time, at constant velocity
  [[nodiscard]] State moved(double time) const {
    return {at_.t + time, at_.q + time * at_.v, at_.v};
  }

  Loaded model_;
  std::vector<StiffGroup> groups_;
  std::shared_ptr<const StiffPotential> potential_;
  System system_;
  State at_;
  Evaluation given_, read_;
};

TEST_F(StiffRows, AreAsManyAsThereAreStiffDirections) {
  ASSERT_EQ(groups_.size(), 1u);
  EXPECT_EQ(groups_[0].count(), 2);
  EXPECT_EQ(groups_[0].coordinates, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_LT(groups_[0].C[0], groups_[0].C[1]);
  EXPECT_NEAR(potential_->fastest(), 1e5, 1e3);
  // rods are constraints already, and gravity has no stiffness
  EXPECT_TRUE(
      find_stiff_directions(load("double_pendulum").system, load("double_pendulum").start, 1.0)
          .empty());
}

TEST_F(StiffRows, DoNotChangeTheMotion) {
  evaluate(at_);
  Vec lambda = Vec::Zero(3);
  potential_->multipliers_at_rest(read_, lambda);
  // (3): with λ = λ* the force is the one given, to the rounding of the stiff ones
  const Vec force = read_.f - read_.G.bottomRows(2).transpose() * lambda.tail(2);
  EXPECT_LE(largest(force - given_.f), 1e-12 * largest(given_.f));
  EXPECT_GE(largest(given_.f), 1e3);  // which are large where the system is
  const Vec g = system_.structure().C.tail(2).cwiseProduct(lambda.tail(2));
  EXPECT_LE(largest(read_.g.tail(2) - g), 1e-14);
  EXPECT_EQ(read_.g[0], given_.g[0]);
  // what is left is in directions that X does not see
  for (const StiffGroup& group : groups_)
    for (Index k = 0; k < group.count(); ++k)
      EXPECT_LE(std::abs(group.X.col(k).dot(read_.f.head(4))) / group.C[k],
                1e-4 * largest(given_.f));
}

TEST_F(StiffRows, HaveVelocitiesThatAreDerivativesOfTheirRawValues) {
  evaluate(at_);
  const double h = 1e-5;
  Vec rate = (raw(moved(h)) - raw(moved(-h))) / (2 * h);
  potential_->turn(read_, rate);
  const Vec expected = read_.G * at_.v + read_.g_t;
  EXPECT_LE(largest(rate.tail(2) - expected.tail(2)), 1e-8);
  EXPECT_GE(largest(expected.tail(2)), 0.1);
}

TEST_F(StiffRows, HaveTheCurvatureOfTheirRawValuesAlongTheMotion) {
  evaluate(at_);
  const double h = 1e-4;
  Vec curvature = (raw(moved(h)) - 2 * raw(at_) + raw(moved(-h))) / (h * h);
  potential_->turn(read_, curvature);
  EXPECT_LE(largest(curvature.tail(2) - read_.curvature.tail(2)), 1e-5);
  EXPECT_GE(largest(read_.curvature.tail(2)), 0.1);
}

TEST_F(StiffRows, TakeTheStiffPartOutOfTheStiffness) {
  evaluate(model_.start);
  const Mat K = read_.K, given = given_.K;
  EXPECT_GE(given.cwiseAbs().maxCoeff(), 1e9);
  // what is stiff no more acts on the displacement X
  for (Index k = 0; k < 2; ++k) {
    Vec x = Vec::Zero(6);
    x.head(4) = groups_[0].X.col(k) / groups_[0].X.col(k).norm();
    EXPECT_LE(largest(K * x), 1e3);
    EXPECT_GE(largest(given * x), 1e6);
  }
}

// the forces of one set of directions are those of another, with other multipliers
TEST_F(StiffRows, CarryTheSameForcesInOtherDirections) {
  const StiffPotential other{*potential_, find_stiff_directions(model_.system, at_, 100.0), at_,
                             1e-3};
  evaluate(at_);
  Vec lambda(3), x(6);
  lambda << 0.0, 0.7, -1.3;
  potential_->displacement(read_, lambda, x);
  const Vec force = read_.G.bottomRows(2).transpose() * lambda.tail(2);
  Evaluation ev;
  other.prepare(ev);
  ASSERT_EQ(other.evaluate(need(Target::constraint_jacobian), {at_.t, at_.q, at_.v}, ev),
            Status::ok);
  Vec converted = Vec::Zero(3);
  other.multipliers_of(ev, x, converted);
  const Vec again = ev.G.bottomRows(2).transpose() * converted.tail(2);
  // up to what is soft: H has full rank away from smooth motion
  EXPECT_LE(largest(again - force), 0.05 * largest(force));
  EXPECT_NEAR(other.distortion(ev), 1.0, 1e-12);
  EXPECT_GT(potential_->distortion(read_), 1.0);
}

}  // namespace
}  // namespace taut::test
