// SPDX-License-Identifier: BSD-3-Clause
// CSV and JSON of drawn runs.
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/sweep_fields.hpp"
#include "run/atomic_file.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/samples.hpp"

namespace taut {
namespace {

const char* word_of(Distribution::Kind kind) {
  switch (kind) {
    case Distribution::Kind::uniform:
      return "uniform";
    case Distribution::Kind::normal:
      return "normal";
    case Distribution::Kind::lognormal:
      return "lognormal";
    case Distribution::Kind::triangular:
      return "triangular";
  }
  return "";
}
const char* word_of(SampleDesign::Kind kind) {
  switch (kind) {
    case SampleDesign::Kind::random:
      return "random";
    case SampleDesign::Kind::latin:
      return "latin";
    case SampleDesign::Kind::sobol:
      return "sobol";
  }
  return "";
}

Json estimate_json(const Estimate& e) {
  return {{"value", number_or_null(e.value)},
          {"low", number_or_null(e.low)},
          {"high", number_or_null(e.high)}};
}

Json design_json(const SampleDesign& design) {
  Json j{{"runs", design.runs},
         {"sampling", word_of(design.kind)},
         {"seed", design.seed},
         {"indices", design.indices},
         {"distributions", Json::array()},
         {"correlations", Json::array()}};
  for (const Distribution& one : design.distributions)
    j["distributions"].push_back(
        {{"name", one.name}, {"kind", word_of(one.kind)}, {"numbers", one.numbers}});
  for (const SampleDesign::Correlation& one : design.correlations)
    j["correlations"].push_back({{"names", {one.first, one.second}}, {"value", one.value}});
  return j;
}

Json measure_json(const MeasureStatistics& m, const RunStatistics& all,
                  const SampleDesign& design) {
  Json j{{"name", m.name},
         {"count", m.count},
         {"mean", estimate_json(m.mean)},
         {"deviation", number_or_null(m.deviation)},
         {"least", number_or_null(m.least)},
         {"least_run", m.least_run},
         {"greatest", number_or_null(m.greatest)},
         {"greatest_run", m.greatest_run}};
  j["quantiles"] = Json::array();
  for (std::size_t k = 0; k < m.quantiles.size(); ++k) {
    Json one{{"p", all.quantiles[k]}};
    one.update(estimate_json(m.quantiles[k]));
    j["quantiles"].push_back(std::move(one));
  }
  j["bins"] = {{"from", number_or_null(m.bins.from)},
               {"to", number_or_null(m.bins.to)},
               {"counts", m.bins.counts}};
  j["indices"] = Json::array();
  for (std::size_t k = 0; k < m.indices.size(); ++k)
    j["indices"].push_back({{"name", design.distributions[k].name},
                            {"first", estimate_json(m.indices[k].first)},
                            {"total", estimate_json(m.indices[k].total)}});
  j["convergence"] = Json::array();
  for (const MeasureStatistics::Progress& at : m.convergence) {
    Json one{{"runs", at.runs}};
    one.update(estimate_json(at.mean));
    j["convergence"].push_back(std::move(one));
  }
  return j;
}

}  // namespace

std::string samples_json(const SampleReport& report) {
  const RunStatistics& s = report.statistics;
  const SampleDesign& design = report.points->design();
  Json j{{"kind", "samples"},
         {"version", report.origin.version},
         {"file", report.origin.file},
         {"command", report.origin.command},
         {"run", report.origin.run},
         {"status", name(report.sweep->status)},
         {"model", report.origin.model},
         {"reading", report.origin.reading},
         {"method", report.method},
         {"design", design_json(design)},
         {"runs", s.runs},
         {"finished", s.finished},
         {"failed", s.failed},
         {"resumed", report.sweep->resumed},
         {"seconds", report.sweep->seconds},
         {"threads", report.sweep->threads}};
  if (!report.sweep->device.empty()) {
    j["device"] = report.sweep->device;
    j["left_by_device"] = report.sweep->left_by_device;
  }
  if (!report.sweep->note.empty()) j["note"] = worded(report.sweep->note);
  j["measures"] = Json::array();
  for (const MeasureStatistics& m : s.measures) j["measures"].push_back(measure_json(m, s, design));
  j["probabilities"] = Json::array();
  for (const RunStatistics::Probability& p : s.probabilities) {
    Json one{{"text", p.text}, {"count", p.count}};
    one.update(estimate_json(p.share));
    j["probabilities"].push_back(std::move(one));
  }
  j["failures"] = Json::array();
  for (std::size_t k = 0; k < s.failed_runs.size(); ++k)
    j["failures"].push_back({{"index", s.failed_runs[k]},
                             {"values", (*report.points)(s.failed_runs[k])},
                             {"reason", s.reasons[k]}});
  j["failure_groups"] = failure_groups_json(s.failures, *report.points);
  const RunStatistics::Matrix& matrix = s.matrix;
  j["matrix"] = {{"names", matrix.names},
                 {"low", matrix.low},
                 {"high", matrix.high},
                 {"bins", RunStatistics::Matrix::bins},
                 {"counts", matrix.counts}};
  Json pictured{{"runs", s.pictured}, {"values", Json::array()}, {"measures", Json::array()}};
  for (const std::size_t k : s.pictured) pictured["values"].push_back((*report.points)(k));
  const std::size_t count = s.measures.size();
  for (std::size_t r = 0; r < s.pictured.size(); ++r) {
    Json row = Json::array();
    for (std::size_t m = 0; m < count; ++m)
      row.push_back(number_or_null(s.pictured_measures[r * count + m]));
    pictured["measures"].push_back(std::move(row));
  }
  j["pictured"] = std::move(pictured);
  return text(j, -1);
}

std::string write_samples_csv(const SampleReport& report, const std::string& file) {
  AtomicFile atomic{file};
  if (std::string problem = atomic.create(); !problem.empty()) return problem;
  std::ofstream out{atomic.part(), std::ios::binary};
  for (const Distribution& one : report.points->design().distributions)
    out << csv_field(one.name) << ',';
  out << "status";
  for (const std::string& measure : report.measures) out << ',' << csv_field(measure);
  out << '\n';
  std::string problem =
      report.sweep->store.for_each(0, report.statistics.runs, [&](const RunStore::Run& run) {
        if (!run.done()) return;
        out << fmt::format("{},{},{}\n", fmt::join((*report.points)(run.number), ","),
                           RunStore::name_of(run.status), fmt::join(run.measures, ","));
      });
  out.close();
  if (!out) return fmt::format("{}: cannot be written", file);
  return problem.empty() ? atomic.commit() : problem;
}

std::string write_samples_html(const SampleReport& report, const std::string& file) {
  return write_file(file, page_html(Page::samples, report.origin.model, samples_json(report)));
}

}  // namespace taut
