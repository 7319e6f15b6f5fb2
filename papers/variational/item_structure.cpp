// SPDX-License-Identifier: BSD-3-Clause
// Theorems 1.1 and 2.1: symplectic form, reversal, volume and orders on the double pendulum.
#include <fmt/format.h>

#include <cmath>
#include <optional>

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

std::vector<Row> structure() {
  const CompiledModel model = double_pendulum();
  const System soft = penalized(model.system, 20.0);
  const System rows_kept = equations(soft);
  std::vector<Row> rows;
  const auto laws = [&](const char* name, const System& system, const auto& method, bool symplectic,
                        std::optional<double> defect, std::optional<double> back) {
    Row form{.name = fmt::format("{}: symplectic defect of a step", name),
             .obtained = symplectic_defect(system, model.given, method)};
    if (symplectic) {
      form.published = 0.0;
      form.rule = Rule::at_most;
      form.allowed = 1e-8;
    } else if (defect) {
      form.reference = defect;
      form.rule = Rule::none;
      form.note = "not symplectic; the size depends on where it is measured";
    }
    rows.push_back(form);
    Row reverse{.name = fmt::format("{}: change after 1000 steps forth and back", name),
                .obtained = reversal(system, model.given, method)};
    if (back) {
      reverse = size_row(reverse.name, {}, back, reverse.obtained, 3.0);
    } else {
      reverse.published = 0.0;
      reverse.rule = Rule::at_most;
      reverse.allowed = 1e-11;
    }
    rows.push_back(reverse);
  };
  laws("Zhang-Skeel", soft, ZhangSkeel{beta}, true, {}, {});
  laws("push-forward Newmark", soft, PushForwardNewmark{beta}, true, {}, {});
  laws("Zhang-Skeel simplified", soft, ZhangSkeelSimplified{beta}, false, 3.8, {});
  laws("Zhang-Skeel stiff", rows_kept, ZhangSkeelStiff{beta}, false, 3.8, {});
  laws("Gauss-Newton", rows_kept, GaussNewton{{.beta = beta}}, false, 0.22, {});
  laws("Newmark", soft, Newmark{{.beta = beta}}, false, 3.0, {});
  laws("Newmark, one iteration", soft, NewmarkLinear{{.beta = beta}}, false, {}, 0.59);

  const System mild = penalized(model.system, 2.0);
  constexpr double T = 5.0;
  const State truth =
      reference(mild, model.given, DormandPrince853{{.tol = 1e-13}}, T, T).states.back();
  const auto order = [&](const char* name, const auto& method, double promised, double length) {
    const double coarse = error_at(mild, model.given, method, truth, length);
    const double fine = error_at(mild, model.given, method, truth, length / 2);
    rows.push_back({.name = fmt::format("{}: order, omega = 2", name),
                    .published = promised,
                    .obtained = std::log2(coarse / fine),
                    .allowed = 0.15});
    return fine;
  };
  order("Zhang-Skeel", ZhangSkeel{beta}, 2.0, 0.02);
  order("Zhang-Skeel simplified", ZhangSkeelSimplified{beta}, 2.0, 0.02);
  order("implicit midpoint", Midpoint{}, 2.0, 0.02);
  const double yoshida =
      order("Zhang-Skeel, Yoshida's composition", Composition<ZhangSkeel, Yoshida4>{}, 4.0, 0.02);
  const double suzuki =
      order("Zhang-Skeel, Suzuki's composition", Composition<ZhangSkeel, Suzuki4>{}, 4.0, 0.02);
  rows.push_back(size_row("error of Yoshida's composition over that of Suzuki's, equal steps", {},
                          80.0, yoshida / suzuki, 3.0));
  return rows;
}

}  // namespace taut::papers::variational
