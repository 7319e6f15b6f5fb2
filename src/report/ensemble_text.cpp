// SPDX-License-Identifier: BSD-3-Clause
// CSV, JSON and the page of an ensemble.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/csv.hpp"
#include "report/page.hpp"
#include "report/study_page.hpp"
#include "report/sweep_fields.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/ensemble.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

Json list_of(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(number_or_null(x));
  return list;
}

Json growth_json(const EnsembleGrowth& growth) {
  if (!growth.exponential) return {{"exponential", false}, {"reason", growth.reason}};
  return {{"exponential", true},
          {"rate", growth.rate},
          {"rate_error", growth.rate_error},
          {"time", growth.time},
          {"time_low", growth.time_low},
          {"time_high", number_or_null(growth.time_high)},
          {"from", growth.from},
          {"to", growth.to}};
}

std::string percent(double p) { return fmt::format("{:.6g} %", 100 * p); }

}  // namespace

std::string ensemble_json(const Ensemble& all) {
  Json j{{"kind", "ensemble"},  {"version", version()},     {"status", name(all.status)},
         {"model", all.model},  {"reading", all.reading},   {"method", all.method},
         {"runs", all.runs},    {"finished", all.finished}, {"failed", all.failed},
         {"spread", all.spread}};
  j["failure_groups"] = Json::array();
  for (const FailureGroup& one : all.failures)
    j["failure_groups"].push_back({{"status", one.status},
                                   {"reason", one.reason},
                                   {"count", one.count},
                                   {"first", one.first}});
  j["drawn"] = Json::array();
  for (const Distribution& one : all.drawn)
    j["drawn"].push_back({{"name", one.name}, {"numbers", one.numbers}});
  j["lyapunov"] = growth_json(all.growth);
  j["quantiles"] = all.quantiles;
  j["quantile_runs"] = all.quantile_runs;
  j["t"] = all.t;
  j["count"] = all.count;
  j["apart"] = list_of(all.apart);
  j["columns"] = Json::array();
  for (const EnsembleColumn& column : all.columns) {
    Json one{{"name", column.name},
             {"mean", list_of(column.mean)},
             {"deviation", list_of(column.deviation)},
             {"least", list_of(column.least)},
             {"greatest", list_of(column.greatest)},
             {"quantiles", Json::array()}};
    for (const std::vector<double>& q : column.quantiles) one["quantiles"].push_back(list_of(q));
    j["columns"].push_back(std::move(one));
  }
  return text(j, -1);
}

std::string write_ensemble_json(const Ensemble& ensemble, const std::string& file) {
  return write_file(file, ensemble_json(ensemble));
}

std::string write_ensemble_csv(const Ensemble& all, const std::string& file) {
  std::string text = "t,runs,apart";
  for (const EnsembleColumn& column : all.columns) {
    text += ',' + csv_field(column.name);
    for (const char* of : {"deviation", "least", "greatest"})
      text += ',' + csv_field(column.name + ' ' + of);
    for (const double p : all.quantiles) text += ',' + csv_field(column.name + ' ' + percent(p));
  }
  text += '\n';
  for (std::size_t k = 0; k < all.t.size(); ++k) {
    text += fmt::format("{},{},{}", all.t[k], all.count[k], all.apart[k]);
    for (const EnsembleColumn& c : all.columns) {
      text += fmt::format(",{},{},{},{}", c.mean[k], c.deviation[k], c.least[k], c.greatest[k]);
      for (const std::vector<double>& q : c.quantiles) text += fmt::format(",{}", q[k]);
    }
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_ensemble_html(const Ensemble& all, const std::string& file) {
  Json page = study_page(
      "Ensemble of", all.model,
      fmt::format("{} runs, {} failed, {}, {}", all.finished, all.failed, all.reading, all.method),
      all.status == Status::ok ? "" : std::string{sentence(all.status)});
  const EnsembleGrowth& growth = all.growth;
  page["notes"].push_back(
      growth.exponential
          ? fmt::format(
                "The runs part by e in {:.4g} s ({:.4g} to {:.4g}): Lyapunov's time, from t "
                "= {:.4g} to {:.4g}.",
                growth.time, growth.time_low, growth.time_high, growth.from, growth.to)
          : "No Lyapunov's time: " + growth.reason + ".");
  if (all.spread > 0.0)
    page["notes"].push_back(
        fmt::format("Starts have normal deviations of {:.6g} in each coordinate.", all.spread));
  page["notes"].push_back(
      fmt::format("Bands: all runs, and the outer quantiles asked for{}.",
                  all.quantile_runs < all.finished - all.failed
                      ? fmt::format(" (of the first {} runs)", all.quantile_runs)
                      : ""));
  if (!all.failures.empty()) {
    Json rows = Json::array();
    for (const FailureGroup& one : all.failures)
      rows.push_back({one.count, one.status, one.reason, one.first});
    page["tables"].push_back({{"caption", "Runs that failed"},
                              {"head", {"runs", "status", "reason", "first"}},
                              {"rows", std::move(rows)}});
  }
  const auto band = [&](const std::string& label, int color, const std::vector<double>& low,
                        const std::vector<double>& high) {
    Json one = study_line(label, "band", color, all.t, list_of(high));
    one["low"] = list_of(low);
    return one;
  };
  page["charts"].push_back(
      {{"title", "how far the runs are apart"},
       {"x", "t [s]"},
       {"y", "root of the sum of variances"},
       {"log", true},
       {"lines", Json::array({study_line("apart", "line", 0, all.t, list_of(all.apart))})}});
  constexpr std::size_t most = 24;  // charts of a page
  for (std::size_t c = 0; c < std::min(most, all.columns.size()); ++c) {
    const EnsembleColumn& column = all.columns[c];
    Json lines = Json::array({band("all", 6, column.least, column.greatest)});
    const auto [low, high] = std::minmax_element(all.quantiles.begin(), all.quantiles.end());
    if (all.quantiles.size() > 1)
      lines.push_back(
          band(percent(*low) + " to " + percent(*high), 1,
               column.quantiles[static_cast<std::size_t>(low - all.quantiles.begin())],
               column.quantiles[static_cast<std::size_t>(high - all.quantiles.begin())]));
    lines.push_back(study_line("mean", "line", 0, all.t, list_of(column.mean)));
    page["charts"].push_back({{"title", column.name},
                              {"x", "t [s]"},
                              {"y", column.name},
                              {"log", false},
                              {"lines", std::move(lines)}});
  }
  return write_file(file, page_html(Page::study, all.model + ": ensemble", text(page, -1)));
}

}  // namespace taut
