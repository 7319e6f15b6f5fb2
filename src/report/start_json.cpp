// SPDX-License-Identifier: BSD-3-Clause
#include "json.hpp"
#include "taut/report/writers.hpp"

namespace taut {

std::string start_json(const Structure& structure, const Start& start) {
  Json j;
  j["status"] = name(start.status);
  if (start.status != Status::ok) {
    j["reason"] = start.reason;
    j["hint"] = hint(start.status);
    return text(j);
  }
  std::vector<std::string> notes, constraints;
  for (const Row& row : structure.rows) constraints.push_back(row.name);
  NamedNumbers number{notes};
  j["t"] = number("t", start.state.t);
  j["q"] = number("q", structure.coordinates, start.state.q);
  j["v"] = number("v", structure.velocities, start.state.v);
  j["a"] = number("a", structure.coordinates, start.a);
  j["lambda"] = number("lambda", constraints, start.lambda);
  j["moved"] = moved_json(moved(structure, start), number);
  j["iterations"] = start.iterations;
  j["redundant"] = start.redundant;
  j["notes"] = notes;
  return text(j);
}

}  // namespace taut
