// SPDX-License-Identifier: BSD-3-Clause
// JSON, CSV and the page of periodic motions and their branches.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "report/csv.hpp"
#include "report/json_numbers.hpp"
#include "report/page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/periodic.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

/// Where a motion or a branch failed, and where it did not.
template <class Found>
Json head_of(const Found& found) {
  Json j;
  j["status"] = name(found.status);
  if (found.status != Status::ok) {
    j["reason"] = found.reason;
    j["hint"] = found.hint;
  }
  j["model"] = found.model;
  j["reading"] = found.reading;
  j["version"] = version();
  return j;
}

Json by_name(const std::vector<std::string>& names, const Vec& values) {
  Json object = Json::object();
  for (std::size_t k = 0; k < names.size(); ++k)
    add_entry(object, names[k], number_of(values[static_cast<Index>(k)]));
  return object;
}

Json columns_of(const std::vector<std::string>& names, const Mat& columns) {
  Json object = Json::object();
  for (std::size_t k = 0; k < names.size(); ++k) {
    Json column = Json::array();
    for (const double x : columns.col(static_cast<Index>(k))) column.push_back(number_of(x));
    add_entry(object, names[k], std::move(column));
  }
  return object;
}

void add_multipliers(const PeriodicMotion& motion, Json& j) {
  j["verdict"] = name(motion.verdict());
  j["stable"] = motion.stable();
  j["growing"] = motion.growing();
  j["trivial"] = motion.trivial;
  j["multipliers"] = Json::array();
  for (const auto& m : motion.multipliers) j["multipliers"].push_back(complex_of(m));
}

/// Places and states of first order, as the motion has them at its start.
Vec names_at_start(const PeriodicMotion& motion) {
  const Index all = motion.lowest.size();
  const auto states = all - static_cast<Index>(motion.velocities.size());
  Vec values(all);
  values << motion.state.q.head(all - states), motion.state.v.tail(states);
  return values;
}

std::string extremes_header(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& one : names)
    text += ',' + csv_field("min " + one) + ',' + csv_field("max " + one);
  return text;
}

}  // namespace

std::string periodic_json(const PeriodicMotion& motion) {
  Json j = head_of(motion);
  if (motion.status != Status::ok) return text(j, -1);
  j["driven"] = !motion.free;
  j["period"] = motion.period;
  j["hertz"] = 1 / motion.period;
  j["omega"] = 2 * std::numbers::pi / motion.period;
  j["closing"] = motion.closing;
  j["iterations"] = motion.iterations;
  j["parts"] = motion.nodes.size();
  j["moved"] = number_of(motion.moved);
  j["turns"] = Json::object();
  for (Index i = 0; i < motion.turns.size(); ++i)
    if (motion.turns[i] != 0.0)
      j["turns"][motion.coordinates[static_cast<std::size_t>(i)]] =
          std::lround(motion.turns[i] / (2 * std::numbers::pi));
  j["energy"] = number_of(motion.energy);
  add_multipliers(motion, j);
  j["exponents"] = Json::array();
  for (const auto& m : motion.multipliers)
    j["exponents"].push_back(complex_of(std::log(m) / motion.period));
  j["lowest"] = by_name(motion.coordinates, motion.lowest);
  j["highest"] = by_name(motion.coordinates, motion.highest);
  j["start"] = {{"t", motion.state.t},
                {"q", by_name(motion.coordinates, names_at_start(motion))},
                {"v", by_name(motion.velocities, motion.state.v)}};
  j["orbit"] = {{"t", motion.times},
                {"q", columns_of(motion.coordinates, motion.places)},
                {"v", columns_of(motion.velocities, motion.speeds)}};
  return text(j, -1);
}

namespace {

Json json_of(const PeriodicBranch& branch) {
  Json j = head_of(branch);
  j["vary"] = branch.parameter;
  j["driven"] = !branch.free;
  j["points"] = Json::array();
  for (const BranchPoint& point : branch.points) {
    const PeriodicMotion& motion = point.motion;
    Json one;
    one["kind"] = name(point.kind);
    one["value"] = number_of(point.parameter);
    one["period"] = motion.period;
    one["closing"] = motion.closing;
    one["energy"] = number_of(motion.energy);
    add_multipliers(motion, one);
    one["lowest"] = by_name(motion.coordinates, motion.lowest);
    one["highest"] = by_name(motion.coordinates, motion.highest);
    j["points"].push_back(std::move(one));
  }
  return j;
}

}  // namespace

std::string branch_json(const PeriodicBranch& branch) { return text(json_of(branch), -1); }

std::string nonlinear_response_json(const NonlinearResponse& response) {
  Json j = json_of(response.branch);
  j["input"] = response.input;
  j["amplitude"] = number_of(response.amplitude);
  j["outputs"] = response.outputs;
  for (std::size_t k = 0; k < response.points.size(); ++k) {
    const NonlinearResponse::At& at = response.points[k];
    Json& one = j["points"][k];
    one["mean"] = by_name(response.outputs, at.mean);
    one["lowest"] = by_name(response.outputs, at.lowest);
    one["highest"] = by_name(response.outputs, at.highest);
    Json first = Json::object();
    for (std::size_t i = 0; i < response.outputs.size(); ++i)
      add_entry(first, response.outputs[i], complex_of(at.first[static_cast<Index>(i)]));
    one["first"] = std::move(first);
  }
  return text(j, -1);
}

std::string write_nonlinear_response_csv(const NonlinearResponse& response,
                                         const std::string& file) {
  std::string text = "omega,kind,verdict";
  for (const std::string& one : response.outputs)
    for (const char* const what : {"amplitude", "phase", "mean", "min", "max"})
      text += ',' + csv_field(fmt::format("{} {}", what, one));
  text += '\n';
  for (std::size_t k = 0; k < response.points.size(); ++k) {
    const BranchPoint& point = response.branch.points[k];
    const NonlinearResponse::At& at = response.points[k];
    text +=
        fmt::format("{},{},{}", point.parameter, name(point.kind), name(point.motion.verdict()));
    for (Index i = 0; i < at.first.size(); ++i)
      text += fmt::format(",{},{},{},{},{}", std::abs(at.first[i]), std::arg(at.first[i]),
                          at.mean[i], at.lowest[i], at.highest[i]);
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_nonlinear_response_html(const NonlinearResponse& response,
                                          const std::string& file) {
  return write_file(file, page_html(Page::periodic, response.branch.model + ": response",
                                    nonlinear_response_json(response)));
}

std::string write_periodic_csv(const PeriodicMotion& motion, const std::string& file) {
  std::string text = "t";
  for (const auto* names : {&motion.coordinates, &motion.velocities})
    for (const std::string& one : *names) text += ',' + csv_field(one);
  text += '\n';
  for (std::size_t k = 0; k < motion.times.size(); ++k) {
    const auto row = static_cast<Index>(k);
    text += fmt::format("{}", motion.times[k]);
    for (const double x : motion.places.row(row)) text += fmt::format(",{}", x);
    for (const double x : motion.speeds.row(row)) text += fmt::format(",{}", x);
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_branch_csv(const PeriodicBranch& branch, const std::string& file) {
  std::string text = csv_field(branch.parameter) + ",kind,verdict,period,energy,|multiplier|";
  if (!branch.points.empty()) text += extremes_header(branch.points.front().motion.coordinates);
  text += '\n';
  for (const BranchPoint& point : branch.points) {
    const PeriodicMotion& motion = point.motion;
    const bool any = motion.trivial < motion.multipliers.size();
    text += fmt::format("{},{},{},{},{},{}", point.parameter, name(point.kind),
                        name(motion.verdict()), motion.period, motion.energy,
                        any ? std::abs(motion.multipliers[motion.trivial]) : 1.0);
    for (Index i = 0; i < motion.lowest.size(); ++i)
      text += fmt::format(",{},{}", motion.lowest[i], motion.highest[i]);
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_periodic_html(const PeriodicMotion& motion, const std::string& file) {
  return write_file(
      file, page_html(Page::periodic, motion.model + ": periodic motion", periodic_json(motion)));
}

std::string write_branch_html(const PeriodicBranch& branch, const std::string& file) {
  return write_file(
      file, page_html(Page::periodic, branch.model + ": periodic motions", branch_json(branch)));
}

}  // namespace taut
