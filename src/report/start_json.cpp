// SPDX-License-Identifier: BSD-3-Clause
#include "core/notes.hpp"
#include "report/json.hpp"
#include "taut/report/writers.hpp"
#include "taut/slow/slow_start.hpp"

namespace taut {
namespace {

/// What every start has; `notes` collects what is not finite.
Json fields(const Structure& structure, const Start& start, std::vector<Note>& notes) {
  Json j;
  j["status"] = name(start.status);
  if (start.status != Status::ok) {
    j["reason"] = start.reason;
    j["hint"] = hint(start.status);
    return j;
  }
  std::vector<std::string> constraints;
  for (const Row& row : structure.rows) constraints.push_back(row.name);
  NamedNumbers number{notes};
  j["t"] = number("t", start.state.t);
  const Index places = structure.places();
  j["q"] = number("q", structure.place_names(), start.state.q.head(places));
  j["v"] = number("v", structure.velocities, start.state.v);
  j["a"] = number("a", structure.place_names(), start.a.head(places));
  if (structure.nz > 0)
    j["rate"] = number("rate", structure.state_names(), start.a.tail(structure.nz));
  j["lambda"] = number("lambda", constraints, start.lambda);
  j["moved"] = moved_json(moved(structure, start), number);
  j["iterations"] = start.iterations;
  j["redundant"] = start.redundant;
  return j;
}

}  // namespace

std::string start_json(const Structure& structure, const Start& start) {
  std::vector<Note> notes;
  Json j = fields(structure, start, notes);
  if (start.status == Status::ok) add_notes(notes, j);
  return text(j);
}

std::string start_json(const Structure& structure, const SlowStart& start) {
  std::vector<Note> notes;
  Json j = fields(structure, start, notes);
  j["via"] = name(start.via);
  if (start.status != Status::ok) return text(j);
  j["order"] = start.order;
  NamedNumbers number{notes};
  if (start.band.highest > 0.0)
    j["band"] = {number("band", start.band.lowest), number("band", start.band.highest)};
  j["uncertainty"] = number("uncertainty", start.uncertainty);
  j["velocity_uncertainty"] = number("velocity_uncertainty", start.velocity_uncertainty);
  j["near"] = start.near;
  j["force_evaluations"] = start.force_evaluations;
  if (!start.reason.empty()) notes.push_back(note<notes::start_less_slow>(start.reason));
  add_notes(notes, j);
  return text(j);
}

}  // namespace taut
