// SPDX-License-Identifier: BSD-3-Clause
#include "studies/fit_problem.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "taut/gradients/sensitivities.hpp"

namespace taut {
namespace {

std::vector<std::string> names_of(const FitOptions& wanted) {
  std::vector<std::string> names;
  for (const FitVariable& variable : wanted.vary) names.push_back(variable.name);
  return names;
}

}  // namespace

FitProblem::FitProblem(const Model& model, const SimulationOptions& options,
                       const std::vector<FitSeries>& series, const FitOptions& wanted,
                       Problems& problems)
    : series_{series}, wanted_{wanted}, varied_{model, options, "fit", names_of(wanted), problems} {
  check_series(problems);
  for (const FitVariable& variable : wanted.vary)
    if (!(variable.lower < variable.upper))
      problems.add({}, fmt::format("fit of {}", variable.name),
                   fmt::format("{} : {} is no range", variable.lower, variable.upper),
                   "write LOWER:UPPER");
  if (wanted.vary.empty())
    problems.add({}, "fit", "nothing is to be found", "name parameters that may vary");
  if (!problems.empty()) return;
  std::vector<double> values;
  first_.resize(wanted.vary.size());
  for (const bool each : {false, true})
    for (std::size_t s = 0; s < (each ? series.size() : 1); ++s)
      for (std::size_t i = 0; i < wanted.vary.size(); ++i) {
        if (wanted.vary[i].of_each_series != each) continue;
        if (s == 0) first_[i] = static_cast<Index>(names_.size());
        names_.push_back(each ? fmt::format("{} ({})", wanted.vary[i].name, series[s].name)
                              : wanted.vary[i].name);
        number_.push_back(i);
        values.push_back(std::clamp(varied_.values()[static_cast<Index>(i)], wanted.vary[i].lower,
                                    wanted.vary[i].upper));
      }
  start_ = Eigen::Map<const Vec>{values.data(), static_cast<Index>(values.size())};
}

Index FitProblem::unknown_of(std::size_t variable, std::size_t series) const {
  if (!wanted_.vary[variable].of_each_series) return first_[variable];
  const auto each = std::count_if(wanted_.vary.begin(), wanted_.vary.end(),
                                  [](const FitVariable& v) { return v.of_each_series; });
  return first_[variable] + static_cast<Index>(series) * each;
}

void FitProblem::check_series(Problems& problems) const {
  if (series_.empty()) problems.add({}, "fit", "there are no data", "give a file of them");
  for (const FitSeries& one : series_) {
    const bool grows = std::adjacent_find(one.t.begin(), one.t.end(), [](double a, double b) {
                         return !(a < b);
                       }) == one.t.end();
    if (one.t.size() < 2 || !grows || !std::isfinite(one.t.front()) || !std::isfinite(one.t.back()))
      problems.add({}, one.name, "its times do not grow from row to row, or are too few",
                   "sort the rows by t, one for each time");
  }
}

Model FitProblem::model_at(const Vec& p, std::size_t series) const {
  Vec values(varied_.values().size());
  for (Index i = 0; i < values.size(); ++i)
    values[i] = p[unknown_of(static_cast<std::size_t>(i), series)];
  return varied_.at(values);
}

bool FitProblem::at(const Vec& p, Point& point, std::string& why) {
  const std::vector<std::string>& names = varied_.names();
  point.values.resize(series_.size());
  point.slopes.resize(series_.size());
  for (std::size_t s = 0; s < series_.size(); ++s) {
    const FitSeries& one = series_[s];
    SimulationOptions options = varied_.options();
    options.until = Value{one.t.back()};
    options.every.reset();
    options.extremes = false;
    options.error_estimate = false;
    Problems problems;
    Plan made = plan(model_at(p, s), options, problems);
    if (!problems.empty()) {
      why = ModelError{problems}.what();
      return false;
    }
    const double begin = made.start.state.t;
    if (one.t.front() < begin) {
      why = fmt::format("{} begins at t = {}, before the motion does, at {}", one.name,
                        one.t.front(), begin);
      return false;
    }
    made.run.every = 0.0;
    made.run.times.assign(one.t.begin() + (one.t.front() == begin ? 1 : 0), one.t.end());
    const std::size_t first_row = one.t.front() == begin ? 0 : 1;
    ++runs_;
    const DifferentiatedRun run = differentiate(std::move(made), names, problems);
    if (!problems.empty() || !run.result.good() || !run.sensitivities.good()) {
      why = !problems.empty()    ? ModelError{problems}.what()
            : !run.result.good() ? run.result.summary.message
                                 : run.sensitivities.message;
      return false;
    }
    const std::size_t width = one.columns.size();
    point.values[s].resize(one.values.size());
    point.slopes[s].setZero(static_cast<Index>(one.values.size()), unknowns());
    try {
      for (std::size_t k = 0; k < width; ++k) {
        const Column column = run.result.motion.column(one.columns[k]);
        for (std::size_t i = 0; i < one.t.size(); ++i)
          point.values[s][i * width + k] = column[first_row + i];
        for (std::size_t j = 0; j < names.size(); ++j) {
          const Column slope = run.column(one.columns[k], names[j]);
          for (std::size_t i = 0; i < one.t.size(); ++i)
            point.slopes[s](static_cast<Index>(i * width + k), unknown_of(j, s)) +=
                slope[first_row + i];
        }
      }
    } catch (const ModelError& error) {
      why = fmt::format("{}: {}", one.name, error.what());
      return false;
    }
  }
  return true;
}

}  // namespace taut
