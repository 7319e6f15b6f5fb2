// SPDX-License-Identifier: BSD-3-Clause
// The pendula of Tao and Owhadi, sections 4.1 and 4.2, against their angles; structure of the step.
#include "methods/gauss_newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "methods/shake.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {
namespace {

using Reals = std::vector<double>;

struct Built {
  System system;
  State start;
};

Built build(const std::string& toml, double C = 0.0) {
  Problems problems{"test"};
  Model model = read_model(toml, problems);
  model.set("C", C);
  const CompiledModel compiled = compile(model, problems);
  problems.throw_if_any();
  return {compiled.system, consistent_start(compiled.system, compiled.given).state};
}

/// Section 4.1, gravity towards -y; `sign` -1 as printed there, which is violent and chaotic.
Built paper_pendulum(double C = 0.0, int sign = 1) {
  std::string text = R"toml(
name = "double pendulum"
[parameters]
C = 0
[points]
b1 = { mass = 1, at = [0, -1] }
b2 = { mass = 1, at = [1, -2] }
[[gravity]]
acceleration = [0, SIGN]
[[constraint]]
zero = "b1.x^2 + b1.y^2 - 1"
compliance = "C"
[[constraint]]
zero = "(b2.x - b1.x)^2 + (b2.y - b1.y)^2 - 2"
compliance = "C"
)toml";
  text.replace(text.find("SIGN"), 4, sign > 0 ? "-1" : "1");
  return build(text, C);
}

/// Section 4.2.
Built paper_chain() {
  return build(R"toml(
name = "chain"
[parameters]
C = 0
[[chain]]
links = 10
length = "sqrt(5)"
mass = 1
direction = [1, -2]
[[gravity]]
acceleration = [0, -1]
)toml");
}

/// Hanging masses 1 on massless links, in the angles from -y, by RK4 with a small step.
class Angles {
 public:
  Angles(Reals lengths, Reals angles) : L_{std::move(lengths)}, angle_{std::move(angles)} {
    rate_.assign(L_.size(), 0.0);
  }

  void advance(double T, int steps) {
    const std::size_t n = L_.size();
    const double h = T / steps;
    for (int s = 0; s < steps; ++s) {
      Reals q = angle_, v = rate_, dq(n, 0.0), dv(n, 0.0);
      const double weight[] = {1, 2, 2, 1}, next[] = {0.5, 0.5, 1, 0};
      for (int stage = 0; stage < 4; ++stage) {
        const Reals a = accelerations(q, v);
        for (std::size_t i = 0; i < n; ++i) {
          dq[i] += h / 6 * weight[stage] * v[i];
          dv[i] += h / 6 * weight[stage] * a[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
          const double vi = v[i];
          q[i] = angle_[i] + next[stage] * h * vi;
          v[i] = rate_[i] + next[stage] * h * a[i];
        }
      }
      for (std::size_t i = 0; i < n; ++i) {
        angle_[i] += dq[i];
        rate_[i] += dv[i];
      }
    }
  }

  [[nodiscard]] Vec q() const {
    Vec q(2 * static_cast<Index>(L_.size()));
    double x = 0.0, y = 0.0;
    for (std::size_t i = 0; i < L_.size(); ++i) {
      q[2 * static_cast<Index>(i)] = x += L_[i] * std::sin(angle_[i]);
      q[2 * static_cast<Index>(i) + 1] = y -= L_[i] * std::cos(angle_[i]);
    }
    return q;
  }

  /// Multipliers of |d|² - L² of two links, from the accelerations.
  [[nodiscard]] Vec lambda() const {
    const Reals a = accelerations(angle_, rate_);
    double d[2][2], force[2][2], x = 0.0, y = 1.0;  // force: m a - gravity
    for (int i = 0; i < 2; ++i) {
      const double s = std::sin(angle_[i]), c = std::cos(angle_[i]), w = rate_[i];
      d[i][0] = L_[i] * s;
      d[i][1] = -L_[i] * c;
      force[i][0] = x += L_[i] * (c * a[i] - s * w * w);
      force[i][1] = y += L_[i] * (s * a[i] + c * w * w);
    }
    const auto along = [&](const double* f, int i) { return f[0] * d[i][0] + f[1] * d[i][1]; };
    const double second = -along(force[1], 1) / (2 * L_[1] * L_[1]);
    const double first = (-along(force[0], 0) + 2 * along(d[1], 0) * second) / (2 * L_[0] * L_[0]);
    return Vec{{first, second}};
  }

 private:
  [[nodiscard]] Reals accelerations(const Reals& q, const Reals& v) const {
    const std::size_t n = L_.size();
    std::vector<Reals> M(n, Reals(n));
    Reals f(n);
    for (std::size_t i = 0; i < n; ++i) {
      f[i] = -static_cast<double>(n - i) * L_[i] * std::sin(q[i]);
      for (std::size_t j = 0; j < n; ++j) {
        const double m = static_cast<double>(n - std::max(i, j)) * L_[i] * L_[j];
        M[i][j] = m * std::cos(q[i] - q[j]);
        f[i] -= m * std::sin(q[i] - q[j]) * v[j] * v[j];
      }
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = k + 1; i < n; ++i) {
        const double l = M[i][k] / M[k][k];
        for (std::size_t j = k; j < n; ++j) M[i][j] -= l * M[k][j];
        f[i] -= l * f[k];
      }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) f[k] -= M[k][j] * f[j];
      f[k] /= M[k][k];
    }
    return f;
  }

  Reals L_, angle_, rate_;
};

Angles pendulum_angles() { return {{1.0, std::sqrt(2.0)}, {0.0, std::acos(-1.0) / 4}}; }
Angles chain_angles() { return {Reals(10, std::sqrt(5.0)), Reals(10, std::atan2(1.0, 2.0))}; }

/// Largest distance of the last point from the truth over all steps.
template <class M>
double error(M method, const Built& p, Angles truth, double h, double T) {
  State s = p.start;
  if (method.start(p.system, s) != Status::ok) return INFINITY;
  double largest = 0.0;
  for (int n = 0; n < std::lround(T / h); ++n) {
    if (method.step(p.system, h, s) != Status::ok) return INFINITY;
    truth.advance(h, 6);
    largest = std::max(largest, (s.q - truth.q()).tail(2).norm());
  }
  return largest;
}

TEST(GaussNewton, IsAsExactAsShakeOnThePendulumOfThePaper) {
  const double h = 0.1, T = 100.0;
  const double shake = error(Shake{}, paper_pendulum(), pendulum_angles(), h, T);
  EXPECT_NEAR(shake, 0.0449, 0.001);  // a prototype gave this
  for (const double omega : {1e4, 1e5, double{INFINITY}}) {
    SCOPED_TRACE(omega);
    const double own = error(GaussNewton{{.beta = 0.26}}, paper_pendulum(1 / (omega * omega)),
                             pendulum_angles(), h, T);
    EXPECT_NEAR(own, 0.0085, 0.0005);  // likewise
    EXPECT_LE(own, shake / 4);
  }
}

TEST(GaussNewton, IsAsExactAsShakeOnTheChainOfThePaper) {
  const double shake = error(Shake{}, paper_chain(), chain_angles(), 0.05, 50.0);
  const double own = error(GaussNewton{{.beta = 0.26}}, paper_chain(), chain_angles(), 0.05, 50.0);
  EXPECT_NEAR(shake, 0.0032, 0.0005);
  EXPECT_LE(own, shake);
}

TEST(GaussNewton, IsStableForEveryStiffnessAndWeight) {
  const double omegas[] = {10, 20, 50, 100, 300, 500, 1000, 2000, INFINITY};
  for (const double beta : {0.25, 0.26, 0.3, 0.4, 0.5, 0.7, 1.0})
    for (const double omega : omegas) {
      SCOPED_TRACE(::testing::Message() << "beta " << beta << " omega " << omega);
      const Built p = paper_pendulum(1 / (omega * omega));
      GaussNewton method{{.beta = beta}};
      State s = p.start;
      ASSERT_EQ(method.start(p.system, s), Status::ok);
      double fastest = 0.0;
      for (int n = 0; n < 10'000; ++n) {
        ASSERT_EQ(method.step(p.system, 0.1, s), Status::ok);
        fastest = std::max(fastest, s.v.lpNorm<Eigen::Infinity>());
      }
      EXPECT_LE(fastest, 0.85);  // 0.83 in truth
    }
}

TEST(GaussNewton, MultipliersAreThoseOfTheConstraints) {
  const auto largest_error = [](double h, double beta) {
    const Built p = paper_pendulum();
    GaussNewton method{{.beta = beta}};
    State s = p.start;
    Angles truth = pendulum_angles();
    Vec a, lambda;
    double largest = 0.0;
    EXPECT_EQ(method.start(p.system, s), Status::ok);
    for (int n = 0; n <= std::lround(20.0 / h); ++n) {
      EXPECT_EQ(method.multipliers(p.system, s, a, lambda), Status::ok);
      largest = std::max(largest, (lambda - truth.lambda()).lpNorm<Eigen::Infinity>());
      EXPECT_EQ(method.step(p.system, h, s), Status::ok);
      truth.advance(h, 20);
    }
    return largest;
  };
  const double coarse = largest_error(0.1, 0.26), fine = largest_error(0.05, 0.26);
  EXPECT_LE(coarse, 0.01);  // of 1.65; SHAKE has 0.082
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.3);
}

/// Three points and two rods in the plane, free, turning and drifting.
Built trimer(double C = 1e-4) {
  return build(R"toml(
name = "trimer"
[parameters]
C = 0
[points]
a = { mass = 1.0, at = [0, 0], velocity = [0.3, 0.1] }
b = { mass = 2.0, at = [1, 0], velocity = [0.3, 1.1] }
c = { mass = 0.7, at = [1, 0.8], velocity = [-0.9, 1.1] }
[[rod]]
between = ["a", "b"]
compliance = "C"
[[rod]]
between = ["b", "c"]
)toml",
               C);
}

Vec momenta(const System& system, const State& s) {
  Vec p = Vec::Zero(3);
  for (Index i = 0; i < s.q.size(); i += 2) {
    const double m = system.structure().M.coeff(i, i);
    p[0] += m * s.v[i];
    p[1] += m * s.v[i + 1];
    p[2] += m * (s.q[i] * s.v[i + 1] - s.q[i + 1] * s.v[i]);
  }
  return p;
}

// from the given start on: also where it is moved onto the smooth motion
TEST(GaussNewton, KeepsLinearAndAngularMomentum) {
  const Built p = trimer();
  GaussNewton method;
  State s = p.start;
  const Vec before = momenta(p.system, s);
  ASSERT_EQ(method.start(p.system, s), Status::ok);
  double change = 0.0;
  for (int n = 0; n < 2000; ++n) {
    ASSERT_EQ(method.step(p.system, 0.1, s), Status::ok);
    change = std::max(change, (momenta(p.system, s) - before).lpNorm<Eigen::Infinity>());
  }
  EXPECT_LE(change, 1e-12);
  EXPECT_GE((s.q - p.start.q).norm(), 1.0);
}

TEST(GaussNewton, StepMapKeepsVolumeButIsNotSymplectic) {
  const Built p = paper_pendulum(1.0 / 400);
  const auto step = [&](const Vec& z) {
    GaussNewton method{{.beta = 0.4}};
    State s{0.0, z.head(4), z.tail(4)};
    EXPECT_EQ(method.start(p.system, s), Status::ok);
    EXPECT_EQ(method.step(p.system, 0.1, s), Status::ok);
    Vec to(8);
    to << s.q, s.v;
    return to;
  };
  Vec z0(8);
  z0 << 0.1, -0.98, 1.05, -1.9, 0.4, 0.1, -0.3, 0.5;
  const double d = 1e-4;
  Mat J(8, 8), Omega = Mat::Zero(8, 8);
  for (Index i = 0; i < 8; ++i) {
    const Vec e = d * Vec::Unit(8, i);
    J.col(i) =
        (8 * (step(z0 + e) - step(z0 - e)) - (step(z0 + 2 * e) - step(z0 - 2 * e))) / (12 * d);
  }
  Omega.topRightCorner(4, 4).setIdentity();
  Omega.bottomLeftCorner(4, 4) = -Mat::Identity(4, 4);
  EXPECT_NEAR(J.determinant(), 1.0, 1e-9);
  EXPECT_GE((J.transpose() * Omega * J - Omega).lpNorm<Eigen::Infinity>(), 1e-3);
}

// λ must not swing about its value: the start is on g = 0, the smooth motion is not
TEST(GaussNewton, StartsSmoothlyInMotion) {
  for (const double C : {0.0, 1e-9}) {
    const Built p = trimer(C);
    GaussNewton method;
    State s = p.start;
    Vec a, lambda, last, before;
    double swing = 0.0, size = 0.0;
    ASSERT_EQ(method.start(p.system, s), Status::ok);
    for (int n = 0; n < 100; ++n) {
      ASSERT_EQ(method.step(p.system, 0.02, s), Status::ok);
      ASSERT_EQ(method.multipliers(p.system, s, a, lambda), Status::ok);
      if (n > 1) swing = std::max(swing, (lambda - 2 * last + before).lpNorm<Eigen::Infinity>());
      size = std::max(size, lambda.lpNorm<Eigen::Infinity>());
      before = last;
      last = lambda;
    }
    EXPECT_LE(swing, 0.02 * size) << C;
  }
}

// What is left of the vibration of the method itself, whose angle at each step has the cosine
// 1 - 1/(2 beta): fourth differences of λ show it, those of smooth motion are O(h⁴). A start on the
// smooth motion but for O(h²) in its rate would leave O(h).
TEST(GaussNewton, StartLeavesVibrationsOfOrderTwo) {
  for (const double C : {0.0, 1e-12}) {
    const auto vibration = [C](double h) {
      const Built p = trimer(C);
      GaussNewton method;
      State s = p.start;
      Vec a;
      std::vector<Vec> lambda(24);
      EXPECT_EQ(method.start(p.system, s), Status::ok);
      for (Vec& now : lambda) {
        EXPECT_EQ(method.step(p.system, h, s), Status::ok);
        EXPECT_EQ(method.multipliers(p.system, s, a, now), Status::ok);
      }
      double most = 0.0;
      for (std::size_t n = 4; n < lambda.size(); ++n)
        most = std::max(most, (lambda[n] - 4 * lambda[n - 1] + 6 * lambda[n - 2] -
                               4 * lambda[n - 3] + lambda[n - 4])
                                  .lpNorm<Eigen::Infinity>());
      return most;
    };
    const double coarse = vibration(0.02), fine = vibration(0.01);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2) << C << ": " << coarse << ' ' << fine;
  }
}

TEST(GaussNewton, MultipliersAndAccelerationsInsideStepsAreOfOrderTwo) {
  const auto largest_errors = [](double h) {
    const Built p = paper_pendulum();
    GaussNewton method;
    State s = p.start;
    Angles truth = pendulum_angles();
    Vec a, lambda, errors = Vec::Zero(2);
    EXPECT_EQ(method.start(p.system, s), Status::ok);
    for (int n = 0; n < std::lround(2.0 / h); ++n) {
      EXPECT_EQ(method.step(p.system, h, s), Status::ok);
      for (const int quarter : {1, 2, 3, 4}) {
        // accelerations of the truth by a difference, far finer than the step
        truth.advance(h / 4, 20);
        Angles later = truth, last = truth;
        constexpr double d = 1e-3;
        later.advance(d, 1);
        last.advance(-d, 1);
        const Vec a_truth = (later.q() - 2 * truth.q() + last.q()) / (d * d);
        State at = s;
        at.t = s.t - h + quarter * h / 4;
        EXPECT_EQ(method.multipliers(p.system, at, a, lambda), Status::ok);
        errors[0] = std::max(errors[0], (lambda - truth.lambda()).lpNorm<Eigen::Infinity>());
        errors[1] = std::max(errors[1], (a - a_truth).lpNorm<Eigen::Infinity>());
      }
    }
    return errors;
  };
  const Vec coarse = largest_errors(0.04), fine = largest_errors(0.02);
  for (const Index i : {0, 1}) EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 2.0, 0.3) << coarse[i];
}

// rows inside of steps are neither better nor worse than those at their ends
TEST(GaussNewton, RunsReportTheConstraintsAsTheyAre) {
  const Built p = trimer(0.0);
  const auto ran = [&](double every) {
    Motion motion;
    const Summary summary = integrate(p.system, p.start, GaussNewton{},
                                      {.until = 2.0, .step = 0.05, .every = every}, motion);
    EXPECT_EQ(summary.status, Status::ok) << summary.message;
    double swing = 0.0;
    const std::size_t nr = motion.constraints.size();
    for (std::size_t k = 2 * nr; k + nr < motion.lambda.size(); ++k)
      swing = std::max(swing, std::abs(motion.lambda[k + nr] - motion.lambda[k]));
    EXPECT_LE(swing, 0.2) << every;  // of up to 2.3 N, smooth
    return summary.max_constraint;
  };
  const double at_steps = ran(0.0), inside = ran(0.013);
  EXPECT_GE(at_steps, 1e-4);
  EXPECT_NEAR(inside, at_steps, 0.1 * at_steps);
}

TEST(GaussNewton, RefusesDampedRowsAndWeightsBelowAQuarter) {
  const Built damped = build(R"toml(
name = "soft"
[parameters]
C = 0
[points]
a = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "a"]
compliance = 1e-3
damping = 1e-2
)toml");
  GaussNewton method;
  EXPECT_EQ(method.start(damped.system, damped.start), Status::not_supported);
  EXPECT_NE(method.message().find("velocities"), std::string::npos) << method.message();
  GaussNewton weak{{.beta = 0.2}};
  EXPECT_EQ(weak.start(trimer().system, trimer().start), Status::not_supported);
  EXPECT_NE(weak.message().find("0.25"), std::string::npos);
}

}  // namespace
}  // namespace taut::test
