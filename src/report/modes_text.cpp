// SPDX-License-Identifier: BSD-3-Clause
// JSON and CSV of linear models, modes and responses.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "report/csv.hpp"
#include "report/json_numbers.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/modes.hpp"

namespace taut {
namespace {

Json rows_of(const Mat& m) {
  Json rows = Json::array();
  for (Index i = 0; i < m.rows(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < m.cols(); ++j) row.push_back(number_of(m(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// {rows, columns, entries: [[i, j, value], ...]}
Json entries_of(const Sparse& m) {
  Json entries = Json::array();
  for (Index i = 0; i < m.outerSize(); ++i)
    for (Sparse::InnerIterator it{m, i}; it; ++it)
      if (it.value() != 0.0) entries.push_back({it.row(), it.col(), number_of(it.value())});
  return {{"rows", m.rows()}, {"columns", m.cols()}, {"entries", std::move(entries)}};
}

Json head_of(const LinearModel& linear, std::vector<Note>& notes) {
  Json j;
  j["status"] = name(linear.status);
  if (linear.status != Status::ok) {
    j["reason"] = linear.reason;
    j["hint"] = linear.hint();
  }
  j["model"] = linear.model;
  j["reading"] = linear.reading;
  if (linear.status != Status::ok) return j;
  NamedNumbers number{notes};
  j["point"] = {{"kind", name(linear.kind)}, {"t", linear.state.t}};
  j["point"]["q"] = number("q", linear.coordinates, linear.state.q);
  j["point"]["v"] = number("v", linear.velocities, linear.state.v);
  return j;
}

std::string table(const Mat& m, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns) text += ',' + csv_field(column);
  text += '\n';
  for (Index i = 0; i < m.rows(); ++i) {
    text += csv_field(rows[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < m.cols(); ++j) text += fmt::format(",{}", m(i, j));
    text += '\n';
  }
  return text;
}

Json shares_json(const std::vector<ModeShare>& list) {
  Json shares = Json::object();
  for (const ModeShare& one : list) add_entry(shares, one.name, number_of(one.share));
  return shares;
}

Json mode_json(const Modes& modes, const Mode& mode) {
  const LinearModel& linear = modes.linear;
  Json j;
  j["s"] = complex_of(mode.s);
  j["kind"] = name(mode.kind);
  j["hertz"] = mode.hertz();
  j["omega"] = mode.omega();
  j["omega_damped"] = mode.omega_damped();
  j["damping_ratio"] = mode.damping_ratio();
  j["decay"] = -mode.s.real();
  if (mode.multiplicity != 1) j["multiplicity"] = mode.multiplicity;
  j["label"] = mode.label;
  j["elements"] = shares_json(mode.elements);
  j["dissipation"] = shares_json(mode.dissipation);
  j["parts"] = shares_json(mode.parts);
  Json participation = Json::object();
  for (std::size_t k = 0; k < mode.participation.size(); ++k)
    add_entry(participation, linear.input_names[k], number_of(mode.participation[k]));
  j["participation"] = std::move(participation);
  const auto states = static_cast<Index>(linear.coordinates.size());
  if (states <= LinearModel::most_coordinates) {
    Json shape = Json::object();
    for (Index i = 0; i < mode.shape.size(); ++i) {
      // what is rounding is nothing
      if (std::abs(mode.shape[i]) < 1e-14) continue;
      add_entry(shape, linear.coordinates[static_cast<std::size_t>(i)], complex_of(mode.shape[i]));
    }
    j["shape"] = std::move(shape);
  }
  return j;
}

}  // namespace

std::string linear_json(const LinearModel& linear, bool transfer) {
  std::vector<Note> notes = linear.notes;
  Json j = head_of(linear, notes);
  if (linear.status == Status::ok) {
    j["equations"] = {{"coordinates", linear.coordinates},
                      {"velocities", linear.velocities},
                      {"constraints", linear.constraints},
                      {"M", entries_of(linear.M)},
                      {"D", entries_of(linear.D)},
                      {"K", entries_of(linear.K)},
                      {"G", entries_of(linear.G)},
                      {"N", entries_of(linear.N)},
                      {"F", rows_of(linear.F)}};
    j["states"] = linear.state_names;
    j["places"] = linear.places;
    j["inputs"] = linear.input_names;
    j["outputs"] = linear.output_names;
    j["A"] = rows_of(linear.A);
    j["B"] = rows_of(linear.B);
    j["C"] = rows_of(linear.C);
    j["D"] = rows_of(linear.Dt);
    if (transfer) {
      j["transfer"] = Json::array();
      for (const TransferFunction& one : transfer_functions(linear)) {
        Json zeros = Json::array(), poles = Json::array();
        for (const auto& z : one.zeros) zeros.push_back(complex_of(z));
        for (const auto& p : one.poles) poles.push_back(complex_of(p));
        j["transfer"].push_back({{"input", one.input},
                                 {"output", one.output},
                                 {"gain", number_of(one.gain)},
                                 {"zeros", std::move(zeros)},
                                 {"poles", std::move(poles)},
                                 {"static_gain", number_of(one.static_gain)}});
      }
    }
  }
  add_notes(notes, j);
  return text(j, -1);
}

std::string modes_json(const Modes& modes) {
  std::vector<Note> notes = modes.linear.notes;
  Json j = head_of(modes.linear, notes);
  j["roots"] = modes.of;
  j["stable"] = modes.stable();
  j["modes"] = Json::array();
  for (const Mode& mode : modes.modes) j["modes"].push_back(mode_json(modes, mode));
  add_notes(notes, j);
  return text(j, -1);
}

std::string responses_json(const LinearModel& linear,
                           const std::vector<FrequencyResponse>& responses) {
  std::vector<Note> notes = linear.notes;
  Json j = head_of(linear, notes);
  j["responses"] = Json::array();
  for (const FrequencyResponse& one : responses) {
    Json r{{"input", one.input}, {"output", one.output}};
    r["static_gain"] = number_of(one.static_gain);
    r["peaks"] = Json::array();
    for (const ResonancePeak& peak : one.peaks)
      r["peaks"].push_back({{"omega", peak.omega},
                            {"hertz", peak.omega / (2 * std::numbers::pi)},
                            {"amplitude", number_of(peak.amplitude)},
                            {"phase", number_of(peak.phase)},
                            {"undamped", peak.undamped},
                            {"half_below", number_of(peak.half_below)},
                            {"half_above", number_of(peak.half_above)},
                            {"width", number_of(peak.width())}});
    Json re = Json::array(), im = Json::array();
    for (const auto& value : one.values) {
      re.push_back(number_of(value.real()));
      im.push_back(number_of(value.imag()));
    }
    r["omega"] = one.omega;
    r["real"] = std::move(re);
    r["imag"] = std::move(im);
    j["responses"].push_back(std::move(r));
  }
  add_notes(notes, j);
  return text(j, -1);
}

std::vector<std::pair<std::string, std::string>> linear_csv(const LinearModel& linear) {
  const auto& x = linear.state_names;
  const auto& u = linear.input_names;
  const auto& y = linear.output_names;
  const auto& q = linear.coordinates;
  const auto& c = linear.constraints;
  return {{"A.csv", table(linear.A, x, x)},      {"B.csv", table(linear.B, x, u)},
          {"C.csv", table(linear.C, y, x)},      {"D.csv", table(linear.Dt, y, u)},
          {"M.csv", table(Mat{linear.M}, q, q)}, {"damping.csv", table(Mat{linear.D}, q, q)},
          {"K.csv", table(Mat{linear.K}, q, q)}, {"G.csv", table(Mat{linear.G}, c, q)},
          {"N.csv", table(Mat{linear.N}, c, q)}, {"F.csv", table(linear.F, q, u)}};
}

std::string write_modes_csv(const Modes& modes, const std::string& file) {
  std::string text = "number,kind,real,imag,hertz,omega,damping_ratio,label\n";
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    text += fmt::format("{},{},{},{},{},{},{},{}\n", k + 1, name(mode.kind), mode.s.real(),
                        mode.s.imag(), mode.hertz(), mode.omega(), mode.damping_ratio(),
                        csv_field(mode.label));
  }
  return write_file(file, text);
}

std::string write_responses_csv(const std::vector<FrequencyResponse>& responses,
                                const std::string& file) {
  std::string text = "omega";
  for (const FrequencyResponse& one : responses)
    text += ',' + csv_field(fmt::format("|{} / {}|", one.output, one.input)) + ',' +
            csv_field(fmt::format("phase of {} / {}", one.output, one.input));
  text += '\n';
  for (std::size_t k = 0; !responses.empty() && k < responses.front().omega.size(); ++k) {
    text += fmt::format("{}", responses.front().omega[k]);
    for (const FrequencyResponse& one : responses)
      text += fmt::format(",{},{}", std::abs(one.values[k]), std::arg(one.values[k]));
    text += '\n';
  }
  return write_file(file, text);
}

}  // namespace taut
