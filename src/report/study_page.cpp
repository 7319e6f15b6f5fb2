// SPDX-License-Identifier: BSD-3-Clause
// Pages of fits and of designs.
#include "report/study_page.hpp"

#include <cmath>

#include <fmt/format.h>

#include "report/page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/fit.hpp"
#include "taut/report/optimize.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

Json known(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

/// Column k of rows of `width`.
Json column_of(const std::vector<double>& rows, std::size_t width, std::size_t k) {
  Json column = Json::array();
  for (std::size_t i = k; i < rows.size(); i += width) column.push_back(known(rows[i]));
  return column;
}

void add_charts(const Fit& fit, const std::vector<FitSeries>& series, Json& charts) {
  for (std::size_t s = 0; s < series.size() && s < fit.after.size(); ++s) {
    const FitSeries& one = series[s];
    const std::size_t width = one.columns.size();
    for (std::size_t k = 0; k < width; ++k) {
      const std::string title =
          series.size() > 1 ? fmt::format("{}: {}", one.name, one.columns[k]) : one.columns[k];
      double sigma = 1.0;
      for (const auto& [column, value] : fit.sigma)
        if (column == one.columns[k]) sigma = value;
      Json residuals = Json::array();
      for (std::size_t i = k; i < one.values.size(); i += width)
        residuals.push_back(known((fit.after[s][i] - one.values[i]) / sigma));
      charts.push_back(
          {{"title", title},
           {"x", "t [s]"},
           {"y", one.columns[k]},
           {"log", false},
           {"lines",
            {study_line("data", "points", 6, one.t, column_of(one.values, width, k)),
             study_line("before", "dashed", 1, one.t, column_of(fit.before[s], width, k)),
             study_line("after", "line", 0, one.t, column_of(fit.after[s], width, k))}}});
      charts.push_back({{"title", title + ": residuals"},
                        {"x", "t [s]"},
                        {"y", "in units of sigma"},
                        {"log", false},
                        {"lines", Json::array({study_line("residual", "points", 0, one.t,
                                                          std::move(residuals))})}});
    }
  }
}

}  // namespace

Json study_page(const std::string& title, const std::string& model, const std::string& subtitle,
                const std::string& message) {
  return {{"title", title},          {"model", model},
          {"subtitle", subtitle},    {"message", message},
          {"notes", Json::array()},  {"tables", Json::array()},
          {"charts", Json::array()}, {"version", std::string{version()}}};
}

Json study_line(const std::string& label, const char* kind, int color, Json x, Json y) {
  return {
      {"label", label}, {"kind", kind}, {"color", color}, {"x", std::move(x)}, {"y", std::move(y)}};
}

std::string write_fit_html(const Fit& fit, const std::vector<FitSeries>& series,
                           const std::string& model, const std::string& file) {
  Json page = study_page("Fit of", model,
                         fmt::format("{} residuals, {} iterations, {} runs; taut {}", fit.residuals,
                                     fit.iterations, fit.runs, version()),
                         fit.message);
  for (const std::string& direction : fit.undetermined)
    page["notes"].push_back("The data do not determine " + direction);
  Json rows = Json::array();
  for (const FittedVariable& one : fit.variables)
    rows.push_back({one.name, known(one.start), known(one.value), known(one.deviation),
                    known(one.lower), known(one.upper), one.at_bound ? "held at its bound" : ""});
  page["tables"].push_back({{"caption", "What was found"},
                            {"head", {"", "before", "after", "\u00b1", "95 % from", "to", ""}},
                            {"rows", std::move(rows)}});
  Json head = Json::array({""}), correlations = Json::array();
  for (std::size_t i = 0; i < fit.variables.size(); ++i) {
    head.push_back(fit.variables[i].name);
    Json row = Json::array({fit.variables[i].name});
    for (std::size_t j = 0; j < fit.variables.size(); ++j)
      row.push_back(fit.correlation.size() > 0
                        ? known(fit.correlation(static_cast<Index>(i), static_cast<Index>(j)))
                        : Json{});
    correlations.push_back(std::move(row));
  }
  page["tables"].push_back(
      {{"caption", "Correlations"}, {"head", std::move(head)}, {"rows", std::move(correlations)}});
  add_charts(fit, series, page["charts"]);
  return write_file(file, page_html(Page::study, model + ": fit", text(page, -1)));
}

std::string write_optimum_html(const Optimum& optimum, const std::string& model,
                               const std::string& file) {
  const bool any = !optimum.points.empty();
  Json page =
      study_page("Design of", model,
                 fmt::format("{} {}; {} starts; taut {}", optimum.maximize ? "greatest" : "least",
                             optimum.objective, optimum.points.size(), version()),
                 any ? optimum.point().message : "");
  if (!any) return write_file(file, page_html(Page::study, model + ": design", text(page, -1)));
  const DesignPoint& best = optimum.point();
  Json rows = Json::array(
      {{optimum.objective, known(optimum.before), known(best.objective), Json{}, Json{}, ""}});
  for (std::size_t i = 0; i < optimum.variables.size(); ++i) {
    const DesignVariable& one = optimum.variables[i];
    const double value = best.value[static_cast<Index>(i)];
    rows.push_back({one.name, known(optimum.points[0].start[static_cast<Index>(i)]), known(value),
                    known(one.lower), known(one.upper),
                    value <= one.lower || value >= one.upper ? "at its bound" : ""});
  }
  for (std::size_t i = 0; i < optimum.subject_to.size() && best.measured.size() > 0; ++i) {
    const DesignBound& bound = optimum.subject_to[i];
    const auto at = static_cast<Index>(i);
    rows.push_back({bound.measure.text, Json{}, known(best.measured[at]),
                    bound.below ? Json{} : known(bound.bound),
                    bound.below ? known(bound.bound) : Json{},
                    fmt::format("a unit more: {:.4g}", best.prices[at])});
  }
  page["tables"].push_back({{"caption", "What was found"},
                            {"head", {"", "before", "after", "from", "to", ""}},
                            {"rows", std::move(rows)}});
  Json starts = Json::array(), course = Json::array(), violations = Json::array();
  Json head = Json::array({"start", "ended", "objective", "iterations", "gradients"});
  for (const DesignVariable& one : optimum.variables) head.push_back(one.name);
  for (std::size_t k = 0; k < optimum.points.size(); ++k) {
    const DesignPoint& point = optimum.points[k];
    Json row = {static_cast<int>(k), point.good() ? "converged" : point.message,
                known(point.objective), point.iterations, point.runs};
    for (const double value : point.value) row.push_back(known(value));
    starts.push_back(std::move(row));
    Json number = Json::array();
    for (std::size_t i = 0; i < point.objectives.size(); ++i) number.push_back(i);
    const int color = static_cast<int>(k % 7);
    const std::string label = fmt::format("start {}", k);
    course.push_back(study_line(label, "line", color, number, point.objectives));
    violations.push_back(study_line(label, "line", color, std::move(number), point.violations));
  }
  page["tables"].push_back(
      {{"caption", "Searches"}, {"head", std::move(head)}, {"rows", std::move(starts)}});
  page["charts"].push_back({{"title", optimum.objective},
                            {"x", "iteration"},
                            {"y", optimum.objective},
                            {"log", false},
                            {"lines", std::move(course)}});
  if (!optimum.subject_to.empty())
    page["charts"].push_back({{"title", "violation of the bounds"},
                              {"x", "iteration"},
                              {"y", "relative"},
                              {"log", true},
                              {"lines", std::move(violations)}});
  return write_file(file, page_html(Page::study, model + ": design", text(page, -1)));
}

}  // namespace taut
