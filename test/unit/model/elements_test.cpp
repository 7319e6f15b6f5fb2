// SPDX-License-Identifier: BSD-3-Clause
// Every bundle of every element, against finite differences and against dual numbers that share no
// code with the graph.
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "formula/dual.hpp"
#include "model/elements/rod.hpp"
#include "model/elements/spring.hpp"
#include "support.hpp"

namespace taut::test {
namespace {

using formula::D2;
using formula::Tay2;

/// One element between two points a and b of `dim` dimensions, copied `copies` times on separate
/// points, so that both the scalar and the lane kernels are met.
std::string two_points(int dim, const std::string& element, int copies) {
  const std::string at_a = dim == 2 ? "[0.3, 0.7]" : "[0.3, 0.7, -0.4]";
  const std::string at_b = dim == 2 ? "[1.1, -0.2]" : "[1.1, -0.2, 0.5]";
  std::string text = "name = \"pair\"\n[points]\n";
  for (int k = 0; k < copies; ++k) {
    const std::string n = std::to_string(k);
    text += "a" + n + " = { mass = 1.5, at = " + at_a + " }\n";
    text += "b" + n + " = { mass = 0.5, at = " + at_b + " }\n";
  }
  for (int k = 0; k < copies; ++k) {
    std::string one_element = element;
    for (std::size_t i; (i = one_element.find('#')) != std::string::npos;)
      one_element.replace(i, 1, std::to_string(k));
    text += one_element + "\n";
  }
  return text;
}

struct Shape {
  int dim;
  int copies;
};

class Elements : public testing::TestWithParam<Shape> {
 protected:
  void build(const std::string& element) {
    model_ = compile_text(two_points(GetParam().dim, element, GetParam().copies));
    system_ = model_.system;
    system_.prepare(out_);
    n_ = 2 * GetParam().dim;
    q_ = random_vector(system_.nq(), 1);
    v_ = random_vector(system_.nq(), 2);
    a_ = random_vector(system_.nq(), 3);
    lambda_ = random_vector(system_.nc(), 4);
  }

  void evaluate(Needs wanted) {
    ASSERT_EQ(system_.evaluate(wanted, arguments(), out_), Status::ok);
  }
  Arguments arguments() { return {.t = 0.2, .q = q_, .v = v_, .a = &a_, .lambda = &lambda_}; }

  /// Position block of copy k: a and b.
  Vec block(const Vec& x, int k) const { return x.segment(k * n_, n_); }
  Mat block(const Sparse& m, int k) const { return Mat(m).block(k * n_, k * n_, n_, n_); }

  /// The Jacobian of any field of the evaluation, by differences.
  Mat d_dq(Needs wanted, const std::function<Vec()>& field) {
    const Vec q = q_;
    const Mat result = differences(
        [&](const Vec& x) {
          q_ = x;
          evaluate(wanted);
          return field();
        },
        q);
    q_ = q;
    return result;
  }
  Mat d_dv(Needs wanted, const std::function<Vec()>& field) {
    const Vec v = v_;
    const Mat result = differences(
        [&](const Vec& x) {
          v_ = x;
          evaluate(wanted);
          return field();
        },
        v);
    v_ = v;
    return result;
  }

  /// Residual r = M a - f + Gᵀλ whose derivatives are K and D.
  Vec residual() {
    evaluate(needs(Target::mass, Target::force, Target::constraint_jacobian));
    Vec r = out_.M * a_ - out_.f;
    if (system_.nc() > 0) r += out_.G.transpose() * lambda_;
    return r;
  }

  void expect_jacobians_match_differences() {
    const Mat K = d_dq(0, [this] { return residual(); });
    const Mat D = d_dv(0, [this] { return residual(); });
    evaluate(needs(Target::stiffness, Target::damping));
    EXPECT_LE((Mat(out_.K) - K).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + K.cwiseAbs().maxCoeff()));
    EXPECT_LE((Mat(out_.D) - D).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + D.cwiseAbs().maxCoeff()));
  }

  CompiledModel model_;
  System system_;
  Evaluation out_;
  Index n_ = 0;
  Vec q_, v_, a_, lambda_;
};

INSTANTIATE_TEST_SUITE_P(InTwoAndThreeDimensions, Elements,
                         testing::Values(Shape{2, 1}, Shape{3, 1}, Shape{2, 70}, Shape{3, 70}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.dim) + "D" +
                                  std::to_string(shape.param.copies);
                         });

/// Value, gradient and Hessian of an energy of two points by dual numbers.
template <std::size_t N, class Energy>
D2<N> dual(const Energy& energy, const Vec& x) {
  std::array<D2<N>, N> point;
  for (std::size_t i = 0; i < N; ++i) point[i] = D2<N>::variable(x[static_cast<Index>(i)], i);
  const std::span<const D2<N>> all{point};
  return energy(all.first(N / 2), all.last(N / 2));
}

template <std::size_t N>
void expect_potential(const D2<N>& truth, const Vec& f, const Mat& K) {
  for (std::size_t i = 0; i < N; ++i) {
    EXPECT_NEAR(f[static_cast<Index>(i)], -truth.gradient[i],
                1e-13 * (1 + std::abs(truth.gradient[i])));
    for (std::size_t j = 0; j < N; ++j)
      EXPECT_NEAR(K(static_cast<Index>(i), static_cast<Index>(j)), truth.hessian[i][j], 1e-12);
  }
}

TEST_P(Elements, SpringHasTheDerivativesOfItsEnergy) {
  build("[[spring]]\nbetween = [\"a#\", \"b#\"]\nstiffness = 3.5\nlength = 0.8\n");
  evaluate(needs(Target::force, Target::stiffness, Target::potential_energy));
  const auto energy = [](auto a, auto b) {
    using S = typename decltype(a)::value_type;
    return elements::spring<S>(a, b, S{3.5}, S{0.8});
  };
  double total = 0.0;
  for (int k = 0; k < GetParam().copies; ++k) {
    const Vec x = block(q_, k);
    if (GetParam().dim == 2) {
      const auto truth = dual<4>(energy, x);
      expect_potential(truth, block(out_.f, k), block(out_.K, k));
      total += truth.value;
    } else {
      const auto truth = dual<6>(energy, x);
      expect_potential(truth, block(out_.f, k), block(out_.K, k));
      total += truth.value;
    }
  }
  EXPECT_NEAR(out_.potential_energy, total, 1e-12 * total);
  expect_jacobians_match_differences();
}

TEST_P(Elements, SpringThirdContractionIsTheGradientOfTheSecond) {
  build("[[spring]]\nbetween = [\"a#\", \"b#\"]\nstiffness = 3.5\nlength = 0.8\n");
  const Mat truth = d_dq(need(Target::stiffness), [this] { return one(a_.dot(out_.K * a_)); });
  evaluate(need(Target::third));
  EXPECT_LE((out_.third - truth.transpose()).cwiseAbs().maxCoeff(),
            1e-8 * (1 + truth.cwiseAbs().maxCoeff()));
}

TEST_P(Elements, RodHasTheDerivativesOfItsConstraint) {
  build("[[rod]]\nbetween = [\"a#\", \"b#\"]\nlength = 0.9\n");
  evaluate(needs(Target::constraint, Target::constraint_jacobian, Target::constraint_curvature,
                 Target::velocity_jacobian, Target::stiffness));
  const auto g = [](auto a, auto b) {
    using S = typename decltype(a)::value_type;
    return elements::rod<S>(a, b, S{0.9});
  };
  const Mat G(out_.G), N(out_.N);
  for (int k = 0; k < GetParam().copies; ++k) {
    const Vec x = block(q_, k), v = block(v_, k);
    const auto check = [&](const auto& truth) {
      const auto size = static_cast<Index>(truth.gradient.size());
      EXPECT_NEAR(out_.g[k], truth.value, 1e-14);
      double curvature = 0.0;
      for (Index i = 0; i < size; ++i) {
        EXPECT_NEAR(G(k, k * n_ + i), truth.gradient[static_cast<std::size_t>(i)], 1e-14);
        double row = 0.0;
        for (Index j = 0; j < size; ++j) {
          const double h = truth.hessian[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
          EXPECT_NEAR(Mat(out_.K)(k * n_ + i, k * n_ + j), lambda_[k] * h, 1e-13);
          row += h * v[j];
        }
        EXPECT_NEAR(N(k, k * n_ + i), row, 1e-13);
        curvature += v[i] * row;
      }
      EXPECT_NEAR(out_.curvature[k], curvature, 1e-13);
    };
    if (GetParam().dim == 2)
      check(dual<4>(g, x));
    else
      check(dual<6>(g, x));
    // once more along a line, by Taylor arithmetic
    std::vector<Tay2> line;
    for (Index i = 0; i < n_; ++i) line.emplace_back(x[i], v[i], 0.0);
    const std::span<const Tay2> all{line};
    const auto half = static_cast<std::size_t>(n_ / 2);
    EXPECT_NEAR(out_.curvature[k], g(all.first(half), all.last(half)).second, 1e-13);
  }
  expect_jacobians_match_differences();
}

TEST_P(Elements, DamperPullsAgainstTheRateOfItsLength) {
  build("[[damper]]\nbetween = [\"a#\", \"b#\"]\ndamping = 0.7\n");
  evaluate(need(Target::force));
  for (int k = 0; k < GetParam().copies; ++k) {
    const Vec x = block(q_, k), v = block(v_, k), f = block(out_.f, k);
    const Index half = n_ / 2;
    const Vec d = x.head(half) - x.tail(half);
    const Vec truth = -0.7 * d.dot(v.head(half) - v.tail(half)) / d.squaredNorm() * d;
    EXPECT_LE((f.head(half) - truth).norm(), 1e-13);
    EXPECT_LE((f.tail(half) + truth).norm(), 1e-13);
  }
  EXPECT_FALSE(system_.structure().conservative);
  EXPECT_TRUE(system_.structure().force_uses_velocity);
  expect_jacobians_match_differences();
}

TEST_P(Elements, UniformBarHasTheKineticEnergyOfAnIntegralOverTheBar) {
  build("[[rod]]\nbetween = [\"a#\", \"b#\"]\nlength = 0.9\nmass = 1.8\n");
  evaluate(needs(Target::kinetic_energy, Target::momentum));
  double T = 0.0;
  for (int k = 0; k < GetParam().copies; ++k) {
    const Vec v = block(v_, k);
    const Index half = n_ / 2;
    T += 0.75 * v.head(half).squaredNorm() + 0.25 * v.tail(half).squaredNorm();
    // Gauss' rule with two points is exact for the square of a linear function
    for (const double s : {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)})
      T += 0.5 * 1.8 / 2.0 * ((1 - s) * v.head(half) + s * v.tail(half)).squaredNorm();
  }
  EXPECT_NEAR(out_.kinetic_energy, T, 1e-12 * T);
  EXPECT_TRUE(system_.structure().mass_constant);
  EXPECT_FALSE(system_.structure().mass_diagonal);
  const Sparse& M = system_.structure().M;
  EXPECT_NEAR(v_.dot(M * v_) / 2.0, T, 1e-12 * T);
  EXPECT_LE((out_.momentum - M * v_).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(Elements, GravityActsOnPointsAndBars) {
  const std::string g = GetParam().dim == 2 ? "[0.3, -9.81]" : "[0.3, -9.81, 0.1]";
  build("[[rod]]\nbetween = [\"a#\", \"b#\"]\nlength = 0.9\nmass = 1.8\n");
  const int copies = GetParam().copies;
  std::string text = two_points(
      GetParam().dim, "[[rod]]\nbetween = [\"a#\", \"b#\"]\nlength = 0.9\nmass = 1.8\n", copies);
  model_ = compile_text(text + "[[gravity]]\nacceleration = " + g + "\n");
  system_ = model_.system;
  system_.prepare(out_);
  evaluate(needs(Target::force, Target::potential_energy));
  double U = 0.0;
  const std::array acceleration{0.3, -9.81, 0.1};
  for (Index i = 0; i < system_.nq(); ++i) {
    const bool is_a = (i / GetParam().dim) % 2 == 0;
    const double m = (is_a ? 1.5 : 0.5) + 0.9;  // a point and half of the bar
    const double w = m * acceleration[static_cast<std::size_t>(i % GetParam().dim)];
    EXPECT_NEAR(out_.f[i], w, 1e-14 * std::abs(w));
    U -= w * q_[i];
  }
  EXPECT_NEAR(out_.potential_energy, U, 1e-12 * std::abs(U));
}

TEST_P(Elements, MovingAnchorGivesTheTimeDerivatives) {
  const std::string c =
      GetParam().dim == 2 ? "[\"sin(3*t)\", \"t^2\"]" : "[\"sin(3*t)\", \"t^2\", \"exp(t)\"]";
  const std::string text =
      two_points(GetParam().dim, "[[rod]]\nbetween = [\"a#\", \"c\"]\nlength = 0.9\n",
                 GetParam().copies) +
      "[anchors]\nc = " + c + "\n";
  model_ = compile_text(text);
  system_ = model_.system;
  system_.prepare(out_);
  n_ = 2 * GetParam().dim;
  q_ = random_vector(system_.nq(), 1);
  v_ = random_vector(system_.nq(), 2);
  evaluate(needs(Target::constraint, Target::constraint_rate, Target::constraint_curvature));
  for (int k = 0; k < GetParam().copies; ++k) {
    // the whole motion q + v s, t + s as one Taylor series in s
    const Vec x = block(q_, k), v = block(v_, k);
    std::vector<Tay2> a, c_of_t;
    for (int i = 0; i < GetParam().dim; ++i) a.emplace_back(x[i], v[i], 0.0);
    const Tay2 t{0.2, 1.0, 0.0};
    c_of_t = {sin(3.0 * t), t * t};
    if (GetParam().dim == 3) c_of_t.push_back(exp(t));
    const Tay2 g = elements::rod<Tay2>(a, c_of_t, Tay2{0.9});
    EXPECT_NEAR(out_.g[k], g.value, 1e-14);
    EXPECT_NEAR(out_.curvature[k], g.second, 1e-12);
  }
  const double h = 1e-4;
  Evaluation later = out_, earlier = out_;
  ASSERT_EQ(system_.evaluate(need(Target::constraint), {.t = 0.2 + h, .q = q_, .v = v_}, later),
            Status::ok);
  ASSERT_EQ(system_.evaluate(need(Target::constraint), {.t = 0.2 - h, .q = q_, .v = v_}, earlier),
            Status::ok);
  EXPECT_LE((out_.g_t - (later.g - earlier.g) / (2 * h)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_TRUE(system_.structure().constraint_uses_time);
}

}  // namespace
}  // namespace taut::test
