// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "problems.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/status.hpp"

namespace taut::test {

/// Errors of one method on one problem over halved steps, and the order they show.
struct Study {
  struct Line {
    double h = 0.0, error_q = 0.0, error_v = 0.0;
  };
  std::vector<Line> lines;
  Status status = Status::ok;
  int used = 0;  ///< lines above the roundoff floor
  double order_q = 0.0, order_v = 0.0;
  double max_g = 0.0, max_Gv = 0.0;
  Counters counters;  ///< of the finest run
};

inline std::ostream& operator<<(std::ostream& out, const Study& study) {
  out << "\n  h  error q  error v  order q  order v\n";
  for (std::size_t k = 0; k < study.lines.size(); ++k) {
    const auto& [h, q, v] = study.lines[k];
    out << "  " << h << "  " << q << "  " << v;
    if (k > 0) {
      const auto& [h0, q0, v0] = study.lines[k - 1];
      out << "  " << std::log(q0 / q) / std::log(h0 / h) << "  "
          << std::log(v0 / v) / std::log(h0 / h);
    }
    out << '\n';
  }
  return out << "  orders of the last " << study.used << ": " << study.order_q << ' '
             << study.order_v << "; max |g| " << study.max_g << ", max |G v + g_t| " << study.max_Gv
             << ", status " << name(study.status) << '\n';
}

struct StudyOptions {
  double ceiling = 1e-3;  ///< errors above it are not yet in the asymptotic range
  double floor = 1e-12;   ///< errors below it are rounding
  int lines = 6;          ///< wanted between the two
  int coarsest = 20;      ///< steps of the first run
  double ratio = 1.5;     ///< of steps between runs
};

/// Runs a method with ever smaller steps until enough errors lie between ceiling and floor; orders
/// are the slopes of straight lines through their logarithms.
template <class Method>
Study convergence_study(const Problem& problem, StudyOptions options) {
  Study study;
  const State exact = problem.truth(problem.T);
  double x = 0, q = 0, v = 0, xx = 0, xq = 0, xv = 0;
  for (double steps = options.coarsest; study.used < options.lines; steps *= options.ratio) {
    const int n = static_cast<int>(std::lround(steps));
    const double h = problem.T / n;
    Method method;
    State s = problem.start;
    study.status = method.start(problem.system, s);
    for (int i = 0; i < n && study.status == Status::ok; ++i) {
      study.status = method.step(problem.system, h, s);
      const Residuals r = residuals(problem.system, s);
      study.max_g = std::max(study.max_g, r.g);
      study.max_Gv = std::max(study.max_Gv, r.Gv);
    }
    const double error_q = (s.q - exact.q).norm(), error_v = (s.v - exact.v).norm();
    study.lines.push_back({h, error_q, error_v});
    study.counters = method.counters;
    if (study.status != Status::ok || n > 50'000) break;
    if (std::max(error_q, error_v) > options.ceiling) continue;
    if (std::min(error_q, error_v) < options.floor) break;

    const double lx = std::log(h), lq = std::log(error_q), lv = std::log(error_v);
    x += lx, q += lq, v += lv, xx += lx * lx, xq += lx * lq, xv += lx * lv;
    ++study.used;
  }
  const double n = study.used, det = n * xx - x * x;
  study.order_q = (n * xq - x * q) / det;
  study.order_v = (n * xv - x * v) / det;
  return study;
}

/// n steps of h from s; the state where a step fails.
template <class Method>
State run(Method& method, const System& system, State s, double h, int n) {
  if (method.start(system, s) != Status::ok) return s;
  for (int i = 0; i < n; ++i)
    if (method.step(system, h, s) != Status::ok) break;
  return s;
}

}  // namespace taut::test
