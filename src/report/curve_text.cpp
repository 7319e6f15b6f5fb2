// SPDX-License-Identifier: BSD-3-Clause
// JSON of the start of a run along a curve.
#include "report/json.hpp"
#include "taut/report/writers.hpp"

namespace taut {

std::string start_json(const CurveStructure& structure, const CurveStart& start) {
  Json j;
  j["status"] = name(start.status);
  if (start.status != Status::ok) {
    j["reason"] = start.reason;
    j["hint"] = hint(start.status);
    return text(j);
  }
  std::vector<Note> notes;
  NamedNumbers number{notes};
  j["p"] = number("p", structure.coordinates, start.p);
  j["direction"] = number("direction", structure.coordinates, start.V);
  j["moved"] = number("moved", start.moved);
  j["distance"] = number("distance", start.distance);
  j["found"] = start.found;
  j["taken"] = number("taken", start.taken);
  j["unknowns"] = number("unknowns", start.unknowns);
  j["iterations"] = start.iterations;
  add_notes(notes, j);
  return text(j);
}

}  // namespace taut
