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
  static constexpr int samples = 8;  ///< times at which errors are taken
  std::vector<Line> lines;
  Status status = Status::ok;
  int used = 0;  ///< lines the orders come from
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
  double floor = 1e-12;  ///< errors below it are rounding
  int coarsest = 32;     ///< steps of the first run, a multiple of Study::samples
  int finest = 3000;     ///< no run takes more steps
  double ratio = 1.5;    ///< of steps between runs
  int lines = 4;         ///< the finest ones above the floor, used for the order
};

/// Runs a method with ever smaller steps. Errors are root mean squares over times spread over the
/// motion, so that no accidental zero of the error is taken for accuracy; orders are the slopes of
/// straight lines through the logarithms of the last errors above the floor.
template <class Method>
Study convergence_study(const Problem& problem, StudyOptions options) {
  Study study;
  std::vector<State> exact;
  for (int k = 1; k <= Study::samples; ++k)
    exact.push_back(problem.truth(problem.T * k / Study::samples));

  for (double steps = options.coarsest; steps <= options.finest; steps *= options.ratio) {
    const int stride = static_cast<int>(std::lround(steps / Study::samples));
    const double h = problem.T / (stride * Study::samples);
    Method method;
    State s = problem.start;
    Study::Line line{h};
    study.status = method.start(problem.system, s);
    for (const State& there : exact) {
      for (int i = 0; i < stride && study.status == Status::ok; ++i) {
        study.status = method.step(problem.system, h, s);
        const Residuals r = residuals(problem.system, s);
        study.max_g = std::max(study.max_g, r.g);
        study.max_Gv = std::max(study.max_Gv, r.Gv);
      }
      line.error_q += (s.q - there.q).squaredNorm() / Study::samples;
      line.error_v += (s.v - there.v).squaredNorm() / Study::samples;
    }
    if (study.status != Status::ok) return study;
    line.error_q = std::sqrt(line.error_q);
    line.error_v = std::sqrt(line.error_v);
    study.counters = method.counters;
    study.lines.push_back(line);
    if (std::min(line.error_q, line.error_v) < options.floor) break;
  }

  double x = 0, q = 0, v = 0, xx = 0, xq = 0, xv = 0;
  for (auto line = study.lines.rbegin(); line != study.lines.rend(); ++line) {
    if (std::min(line->error_q, line->error_v) < options.floor) continue;
    if (study.used == options.lines) break;
    const double lx = std::log(line->h), lq = std::log(line->error_q), lv = std::log(line->error_v);
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
