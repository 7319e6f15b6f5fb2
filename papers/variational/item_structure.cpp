// SPDX-License-Identifier: BSD-3-Clause
// Theorems 1.1 and 2.1: symplectic form, reversal, volume and orders on the double pendulum.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "items.hpp"
#include "methods/composition.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/midpoint.hpp"
#include "methods/newmark.hpp"
#include "methods/newmark_linear.hpp"
#include "methods/push_forward_newmark.hpp"
#include "methods/zhang_skeel.hpp"
#include "methods/zhang_skeel_simplified.hpp"
#include "methods/zhang_skeel_stiff.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"

namespace taut::papers::variational {
namespace {

constexpr double h = 0.1, beta = 0.4;

/// One step from (q, v), both in one vector; masses are 1.
Vec step_map(const System& system, Method method, const Vec& x, double length) {
  const Index n = system.nq();
  State s{0.0, x.head(n), x.tail(n)};
  Vec y = Vec::Constant(2 * n, std::nan(""));
  if (method->start(system, s) == Status::ok && method->step(system, length, s) == Status::ok)
    y << s.q, s.v;
  return y;
}

/// Derivative of the step map by central differences of fourth order.
template <class M>
Mat derivative(const System& system, const M& method, const Vec& x) {
  constexpr double d = 3e-4;
  Mat J(x.size(), x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const auto at = [&](double shift) {
      Vec moved = x;
      moved[j] += shift;
      return step_map(system, Method{method}, moved, h);
    };
    J.col(j) = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
  }
  return J;
}

/// max |Jᵀ Ω J - Ω| at a point of a motion where the springs are stretched.
template <class M>
double symplectic_defect(const System& system, const State& start, const M& method) {
  const Track there = track(system, start, Method{method}, h, 1.0);
  const Index n = system.nq();
  Vec x(2 * n);
  x << there.states.back().q, there.states.back().v;
  const Mat J = derivative(system, method, x);
  Mat form = Mat::Zero(2 * n, 2 * n);
  form.topRightCorner(n, n) = Mat::Identity(n, n);
  form.bottomLeftCorner(n, n) = -Mat::Identity(n, n);
  return (J.transpose() * form * J - form).cwiseAbs().maxCoeff();
}

/// max |difference| from the start after 1000 steps forth and 1000 back.
template <class M>
double reversal(const System& system, const State& start, const M& method) {
  Method m{method};
  State s = start;
  bool good = m->start(system, s) == Status::ok;
  for (int n = 0; n < 1000 && good; ++n) good = m->step(system, h, s) == Status::ok;
  for (int n = 0; n < 1000 && good; ++n) good = m->step(system, -h, s) == Status::ok;
  if (!good) return std::nan("");
  return std::max((s.q - start.q).lpNorm<Eigen::Infinity>(),
                  (s.v - start.v).lpNorm<Eigen::Infinity>());
}

template <class M>
double error_at(const System& system, const State& start, const M& method, const State& truth,
                double length) {
  const Track found = track(system, start, Method{method}, length, truth.t);
  return found.whole ? (found.states.back().q - truth.q).norm() : std::nan("");
}

}  // namespace

Shown structure() {
  const CompiledModel model = double_pendulum();
  const System soft = penalized(model.system, 20.0);
  const System rows_kept = equations(soft);
  std::vector<Row> rows;
  enum class Symplectic { by_theorem, no };
  enum class Reversible { by_theorem, ours, no };
  const auto laws = [&](const char* name, const System& system, const auto& method,
                        const char* source, Symplectic symplectic, Reversible reversible) {
    const std::string defect = fmt::format("{}: symplectic defect of a step", name);
    const double form = symplectic_defect(system, model.given, method);
    if (symplectic == Symplectic::by_theorem) {
      rows.push_back(
          stated(defect, "variational and thus symplectic", source, 0.0, form, at_most(1e-8)));
      rows.back().volatile_value = true;  // of differences
    } else {
      rows.push_back(
          ours(defect, form, "not symplectic; the size depends on where it is measured"));
    }
    const std::string there_and_back =
        fmt::format("{}: change after 1000 steps forth and back", name);
    const double back = reversal(system, model.given, method);
    if (reversible == Reversible::by_theorem)
      rows.push_back(
          stated(there_and_back, "symmetric, time-reversible", source, 0.0, back, at_most(1e-11)));
    else
      rows.push_back(ours(there_and_back, back));
    rows.back().volatile_value = back < 1e-9;  // rounding
  };
  using S = Symplectic;
  using R = Reversible;
  laws("Zhang-Skeel", soft, ZhangSkeel{beta}, "Theorem 1.1, Corollary 2.2", S::by_theorem,
       R::by_theorem);
  laws("push-forward Newmark", soft, PushForwardNewmark{beta}, "section 2.1, Theorem 2.4",
       S::by_theorem, R::by_theorem);
  laws("Zhang-Skeel simplified", soft, ZhangSkeelSimplified{beta}, "Theorem 2.1", S::no,
       R::by_theorem);
  laws("Zhang-Skeel stiff", rows_kept, ZhangSkeelStiff{beta}, "Theorem 2.4", S::no, R::by_theorem);
  laws("Gauss-Newton", rows_kept, GaussNewton{{.beta = beta}}, "", S::no, R::ours);
  laws("implicit midpoint", soft, Midpoint{}, "", S::no, R::ours);
  laws("Newmark", soft, Newmark{{.beta = beta}}, "", S::no, R::ours);
  laws("Newmark, one iteration", soft, NewmarkLinear{{.beta = beta}}, "", S::no, R::no);

  // Theorem 2.1 (2), Remark 2.2: where Hess V is diagonal in a fixed basis, or with one coordinate
  const CompiledModel one = compiled(R"toml(
[coordinates]
q = { mass = 1, at = 0.7, velocity = 0.3 }
[[potential]]
energy = "1 - cos(3*q)"
)toml");
  const CompiledModel two = compiled(R"toml(
[coordinates]
a = { mass = 1, at = 0.7, velocity = 0.3 }
b = { mass = 1, at = -0.4, velocity = 0.9 }
[[potential]]
energy = "1 - cos(3*a) + b^4"
)toml");
  const std::string commuting =
      "Zhang-Skeel simplified is symplectic where M + b Hess V commutes with V''' f";
  rows.push_back(stated("Zhang-Skeel simplified, one coordinate: symplectic defect of a step",
                        commuting, "Theorem 2.1 (2), Remark 2.2", 0.0,
                        symplectic_defect(one.system, one.given, ZhangSkeelSimplified{beta}),
                        at_most(1e-8)));
  rows.back().volatile_value = true;
  rows.push_back(
      stated("Zhang-Skeel simplified, two that do not interact: symplectic defect of a step",
             commuting, "Theorem 2.1 (2), Remark 2.2", 0.0,
             symplectic_defect(two.system, two.given, ZhangSkeelSimplified{beta}), at_most(1e-8)));
  rows.back().volatile_value = true;

  // momentum maps: a point in a central potential
  const CompiledModel central = compiled(R"toml(
[points]
p = { mass = 1, at = [1, 0.2], velocity = [0.1, 0.8] }
[[potential]]
energy = "(p.x^2 + p.y^2)^2/4 - 1/sqrt(1 + p.x^2 + p.y^2)"
)toml");
  const auto turning = [&](const auto& method) {
    const Track found = track(central.system, central.given, Method{method}, h, 100.0);
    double worst = found.whole ? 0.0 : std::nan("");
    const auto L = [](const State& s) { return s.q[0] * s.v[1] - s.q[1] * s.v[0]; };
    for (const State& s : found.states) worst = std::max(worst, std::abs(L(s) - L(central.given)));
    return worst;
  };
  rows.push_back(stated("Zhang-Skeel, central potential: change of angular momentum, T = 100",
                        "variational methods conserve momentum maps", "Theorem 1.1", 0.0,
                        turning(ZhangSkeel{beta}), at_most(1e-11)));
  rows.back().volatile_value = true;

  const System mild = penalized(model.system, 2.0);
  constexpr double T = 5.0;
  const State truth =
      reference(mild, model.given, DormandPrince853{{.tol = 1e-13}}, T, T).states.back();
  const auto order = [&](const char* name, const auto& method, double promised, const char* source,
                         double length) {
    const double coarse = error_at(mild, model.given, method, truth, length);
    const double fine = error_at(mild, model.given, method, truth, length / 2);
    rows.push_back(
        stated(fmt::format("{}: order, omega = 2", name),
               promised == 2.0 ? "convergent of order 2" : "compositions have any even order",
               source, promised, std::log2(coarse / fine), near(0.15)));
    return fine;
  };
  order("Zhang-Skeel", ZhangSkeel{beta}, 2.0, "Theorem 1.1, Corollary 2.1", 0.02);
  order("Zhang-Skeel simplified", ZhangSkeelSimplified{beta}, 2.0, "Theorem 2.1, Corollary 2.1",
        0.02);
  rows.push_back(ours("implicit midpoint: order, omega = 2",
                      std::log2(error_at(mild, model.given, Midpoint{}, truth, 0.02) /
                                error_at(mild, model.given, Midpoint{}, truth, 0.01))));
  const double yoshida = order("Zhang-Skeel, Yoshida's composition",
                               Composition<ZhangSkeel, Yoshida4>{}, 4.0, "Remark 2.1", 0.02);
  const double suzuki = order("Zhang-Skeel, Suzuki's composition",
                              Composition<ZhangSkeel, Suzuki4>{}, 4.0, "Remark 2.1", 0.02);
  rows.push_back(
      ours("error of Yoshida's composition over that of Suzuki's, equal steps", yoshida / suzuki));
  return rows;
}

}  // namespace taut::papers::variational
