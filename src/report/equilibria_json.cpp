// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "report/json.hpp"
#include "taut/report/stability.hpp"

namespace taut {

std::string equilibria_json(const Structure& structure, const Equilibria& all,
                            const std::string& model, const std::string& reading) {
  std::vector<std::string> constraints;
  std::vector<Note> notes = all.notes;
  for (const Row& row : structure.rows) constraints.push_back(row.name);
  NamedNumbers number{notes};
  Json j;
  j["status"] = name(all.status);
  if (all.status != Status::ok) {
    j["reason"] = all.reason;
    j["hint"] = all.hint();
  }
  j["model"] = model;
  j["reading"] = reading;
  j["equilibria"] = Json::array();
  for (const Equilibrium& e : all.found) {
    Json one;
    one["q"] = number("q", structure.names_at_rest(), e.q);
    one["lambda"] = number("lambda", constraints, e.lambda);
    one["stability"] = name(e.stability);
    one["frequencies"] = e.omega;
    one["growth"] = number("growth", e.growth);
    // nothing can move: there is no softest direction
    one["softest"] = std::isinf(e.softest) ? Json{} : number("softest", e.softest);
    one["softest_error"] = number("softest_error", e.softest_error);
    one["distance"] = number("distance", e.distance);
    j["equilibria"].push_back(std::move(one));
  }
  j["reach"] = number("reach", all.reach);
  j["searches"] = all.searches;
  add_notes(notes, j);
  return text(j);
}

}  // namespace taut
