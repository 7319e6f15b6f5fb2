// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <fmt/format.h>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/fit.hpp"

namespace taut {
namespace {

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

Json matrix(const Mat& of) {
  Json rows = Json::array();
  for (Index i = 0; i < of.rows(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < of.cols(); ++j) row.push_back(finite(of(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string fit_json(const Fit& fit) {
  Json json;
  json["status"] = name(fit.status);
  json["message"] = fit.message;
  json["iterations"] = fit.iterations;
  json["runs"] = fit.runs;
  json["residuals"] = fit.residuals;
  json["cost_before"] = finite(fit.cost_before);
  json["cost"] = finite(fit.cost);
  Json variables = Json::object();
  for (const FittedVariable& one : fit.variables)
    add_entry(variables, one.name,
              {{"start", one.start},
               {"value", one.value},
               {"deviation", finite(one.deviation)},
               {"lower", finite(one.lower)},
               {"upper", finite(one.upper)},
               {"at_bound", one.at_bound}});
  json["variables"] = std::move(variables);
  json["covariance"] = matrix(fit.covariance);
  json["correlation"] = matrix(fit.correlation);
  json["undetermined"] = fit.undetermined;
  Json sigma = Json::object();
  for (const auto& [column, value] : fit.sigma) add_entry(sigma, column, finite(value));
  json["sigma"] = std::move(sigma);
  return text(json);
}

std::string write_fit_json(const Fit& fit, const std::string& file) {
  return write_file(file, fit_json(fit));
}

std::string write_fit_csv(const Fit& fit, const FitSeries& series, std::size_t number,
                          const std::string& file) {
  std::string all = "t";
  for (const std::string& column : series.columns)
    for (const char* what : {"data", "before", "after", "residual"})
      all += "," + csv_field(fmt::format("{} {}", column, what));
  all += '\n';
  const std::size_t width = series.columns.size();
  for (std::size_t i = 0; i < series.t.size(); ++i) {
    all += fmt::format("{}", series.t[i]);
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t at = i * width + k;
      double sigma = 1.0;
      for (const auto& [column, value] : fit.sigma)
        if (column == series.columns[k]) sigma = value;
      all +=
          fmt::format(",{},{},{},{}", series.values[at], fit.before[number][at],
                      fit.after[number][at], (fit.after[number][at] - series.values[at]) / sigma);
    }
    all += '\n';
  }
  return write_file(file, all);
}

}  // namespace taut
