// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/optimize.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "core/parallel.hpp"
#include "studies/sqp.hpp"
#include "studies/varied_model.hpp"

namespace taut {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

class Optimizing {
 public:
  Optimizing(const VariedModel& varied, const OptimizeOptions& wanted)
      : varied_{varied}, wanted_{wanted} {
    const auto n = static_cast<Index>(wanted.vary.size());
    lower_.resize(n);
    upper_.resize(n);
    for (Index i = 0; i < n; ++i) {
      lower_[i] = wanted.vary[static_cast<std::size_t>(i)].lower;
      upper_[i] = wanted.vary[static_cast<std::size_t>(i)].upper;
    }
    measures_.push_back(wanted.objective);
    for (const DesignBound& one : wanted.subject_to) measures_.push_back(one.measure);
  }

  // the values of the model, then points between the bounds
  [[nodiscard]] Vec start(std::size_t number) const {
    Vec p = varied_.values().cwiseMax(lower_).cwiseMin(upper_);
    if (number == 0) return p;
    std::mt19937_64 random{wanted_.seed + 0x9e3779b97f4a7c15u * number};
    for (double& one : p) {
      const auto i = &one - p.data();
      const double share = static_cast<double>(random() >> 11) * 0x1p-53;
      one = lower_[i] + share * (upper_[i] - lower_[i]);
    }
    return p;
  }

  [[nodiscard]] DesignPoint search(std::size_t number) const {
    DesignPoint found;
    found.start = start(number);
    found.value = found.start;
    found.objective = nan;
    Gradient here;
    if (!evaluate(found.start, here, found)) {
      found.status = here.status == Status::ok ? Status::not_supported : here.status;
      return found;
    }
    const Vec scale = scales(found.start);
    const double sign = wanted_.maximize ? -1.0 : 1.0;
    const double unit = std::abs(here.value[0]) > 0.0 ? std::abs(here.value[0]) : 1.0;
    SqpProblem problem;
    problem.lower = lower_.cwiseQuotient(scale);
    problem.upper = upper_.cwiseQuotient(scale);
    problem.tol = wanted_.tol;
    problem.max_iterations = wanted_.max_iterations;
    problem.at = [&](const Vec& x, SqpProblem::Point& point) {
      Gradient at;
      if (!evaluate(x.cwiseProduct(scale).cwiseMax(lower_).cwiseMin(upper_), at, found))
        return false;
      const auto m = static_cast<Index>(wanted_.subject_to.size());
      point.f = sign * at.value[0] / unit;
      point.gradient = sign / unit * scale.cwiseProduct(at.by.row(0).transpose());
      point.c.resize(m);
      point.A.resize(m, x.size());
      for (Index i = 0; i < m; ++i) {
        const DesignBound& bound = wanted_.subject_to[static_cast<std::size_t>(i)];
        const double factor = (bound.below ? 1.0 : -1.0) / size_of(bound);
        point.c[i] = factor * (at.value[i + 1] - bound.bound);
        point.A.row(i) = factor * at.by.row(i + 1).cwiseProduct(scale.transpose());
      }
      return true;
    };
    problem.seen = [&](const Vec&, const SqpProblem::Point& point) {
      found.objectives.push_back(sign * unit * point.f);
      found.violations.push_back(point.c.size() > 0 ? std::max(0.0, point.c.maxCoeff()) : 0.0);
      return wanted_.cancel == nullptr || !wanted_.cancel->load(std::memory_order_relaxed);
    };
    const SqpResult result = minimise(problem, found.start.cwiseQuotient(scale));
    found.status = result.status;
    found.message = result.message;
    if (result.evaluations > 1 || result.status == Status::ok) {
      found.value = result.x.cwiseProduct(scale).cwiseMax(lower_).cwiseMin(upper_);
      found.objective = sign * unit * result.point.f;
      const auto m = static_cast<Index>(wanted_.subject_to.size());
      found.measured.resize(m);
      found.prices.resize(m);
      for (Index i = 0; i < m; ++i) {
        const DesignBound& bound = wanted_.subject_to[static_cast<std::size_t>(i)];
        const double size = size_of(bound);
        found.measured[i] = bound.bound + (bound.below ? 1 : -1) * size * result.point.c[i];
        found.prices[i] = unit * result.multipliers[i] / size;
      }
      found.violation = m > 0 ? std::max(0.0, result.point.c.maxCoeff()) : 0.0;
    }
    found.iterations = result.iterations;
    return found;
  }

 private:
  static double size_of(const DesignBound& bound) {
    return bound.bound == 0.0 ? 1.0 : std::abs(bound.bound);
  }

  [[nodiscard]] Vec scales(const Vec& p) const {
    Vec scale(p.size());
    for (Index i = 0; i < p.size(); ++i) {
      const double range = upper_[i] - lower_[i];
      scale[i] = std::isfinite(range) ? range : p[i] != 0.0 ? std::abs(p[i]) : 1.0;
    }
    return scale;
  }

  bool evaluate(const Vec& p, Gradient& at, DesignPoint& found) const {
    Problems problems;
    SimulationOptions options = varied_.options();
    options.cancel = wanted_.cancel;
    ++found.runs;
    try {
      at = gradient(varied_.at(p), options, measures_, varied_.names(), {}, problems);
      if (!problems.empty()) {
        found.message = ModelError{problems}.what();
        return false;
      }
    } catch (const std::exception& error) {
      found.message = error.what();
      return false;
    }
    if (!at.good()) found.message = at.message;
    return at.good();
  }

  const VariedModel& varied_;
  const OptimizeOptions& wanted_;
  std::vector<MotionMeasure> measures_;
  Vec lower_, upper_;
};

void check(const OptimizeOptions& wanted, Problems& problems) {
  if (wanted.vary.empty())
    problems.add({}, "optimize", "nothing may vary", "name what may: --vary NAME=LOWER:UPPER");
  if (wanted.starts < 1)
    problems.add({}, "<<starts>>", "must be 1 or more", "give a number of starts");
  if (!(wanted.tol > 0.0)) problems.add({}, "optimize: tol", "must be above 0", "give such a one");
  for (const DesignVariable& variable : wanted.vary) {
    if (!(variable.lower < variable.upper))
      problems.add({}, fmt::format("optimize of {}", variable.name),
                   fmt::format("{} : {} is no range", variable.lower, variable.upper),
                   "write LOWER:UPPER");
    else if (wanted.starts > 1 && !(std::isfinite(variable.lower) && std::isfinite(variable.upper)))
      problems.add({}, fmt::format("optimize of {}", variable.name),
                   "several starts lie between bounds, and it has none on one side",
                   "write NAME=LOWER:UPPER");
  }
}

}  // namespace

DesignBound read_design_bound(std::string_view text, Problems& problems) {
  DesignBound result;
  int depth = 0;
  std::size_t at = std::string_view::npos;
  for (std::size_t i = 0; i < text.size() && at == std::string_view::npos; ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && (text[i] == '<' || text[i] == '>')) at = i;
  }
  const auto refuse = [&] {
    problems.add({}, fmt::format("'{}'", text), "is no bound of a measure",
                 "write one such as 'max(travel) < 0.1'");
    return result;
  };
  if (at == std::string_view::npos) return refuse();
  std::string_view right = text.substr(at + 1);
  if (right.starts_with('=')) right.remove_prefix(1);
  const std::string number{without_blanks(right)};
  char* end = nullptr;
  result.bound = std::strtod(number.c_str(), &end);
  if (number.empty() || end != number.c_str() + number.size() || !std::isfinite(result.bound))
    return refuse();
  result.below = text[at] == '<';
  result.measure = read_motion_measure(text.substr(0, at), problems);
  return result;
}

Optimum optimize(const Model& model, const SimulationOptions& options,
                 const OptimizeOptions& wanted, Problems& problems) {
  Optimum result{.variables = wanted.vary,
                 .objective = wanted.objective.text,
                 .maximize = wanted.maximize,
                 .subject_to = wanted.subject_to};
  check(wanted, problems);
  std::vector<std::string> names;
  for (const DesignVariable& variable : wanted.vary) names.push_back(variable.name);
  const VariedModel varied{model, options, "optimize", names, problems};
  if (!problems.empty()) return result;
  // what is wrong with the model as it stands is wrong everywhere
  std::vector<MotionMeasure> measures{wanted.objective};
  for (const DesignBound& one : wanted.subject_to) measures.push_back(one.measure);
  SimulationOptions first = varied.options();
  first.cancel = wanted.cancel;
  const Gradient before =
      gradient(varied.at(varied.values()), first, measures, names, {}, problems);
  if (!problems.empty()) return result;
  result.before = before.good() ? before.value[0] : nan;
  const Optimizing optimizing{varied, wanted};
  result.points.resize(static_cast<std::size_t>(wanted.starts));
  parallel_for(result.points.size(), wanted.threads,
               [&](std::size_t k) { result.points[k] = optimizing.search(k); });
  const auto better = [&](const DesignPoint& a, const DesignPoint& b) {
    if (a.good() != b.good()) return a.good();
    return a.good() && (wanted.maximize ? a.objective > b.objective : a.objective < b.objective);
  };
  for (std::size_t k = 1; k < result.points.size(); ++k)
    if (better(result.points[k], result.points[result.best])) result.best = k;
  return result;
}

}  // namespace taut
