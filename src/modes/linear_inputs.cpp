// SPDX-License-Identifier: BSD-3-Clause
#include "modes/linear_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "modes/derived_systems.hpp"

namespace taut {
namespace {

void add_column(Mat& to, const Vec& column) {
  to.conservativeResize(column.size(), to.cols() + 1);
  to.rightCols(1) = column;
}

}  // namespace

LinearInputs::LinearInputs(const LinearPoint& point, const PreparedModel& prepared,
                           const std::vector<std::string>& asked, Problems& problems)
    : forces_(point.system.nq(), 0) {
  const Structure& structure = point.system.structure();
  const std::vector<SystemInput>& inputs = prepared.compiled.system.structure().inputs;
  std::vector<std::string> wanted = asked;
  if (wanted.empty())
    for (const SystemInput& input : inputs) wanted.push_back(input.name);
  for (const std::string& name : wanted) {
    const auto input = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const SystemInput& i) { return i.name == name; });
    if (input != inputs.end()) {
      add_input(point, static_cast<int>(input - inputs.begin()), name, problems);
      continue;
    }
    const auto end = structure.coordinates.begin() + structure.places();
    const auto at = std::find(structure.coordinates.begin(), end, name);
    if (at == end) {
      std::vector<std::string> known = structure.place_names();
      for (const SystemInput& one : inputs) known.push_back(one.name);
      const std::string near = nearest_name(name, known);
      problems.add({}, "input " + name,
                   "neither an input or parameter of the model nor a coordinate",
                   near.empty() ? "name an input, a parameter, or the coordinate on which a force "
                                  "acts"
                                : fmt::format("did you mean '{}'?", near));
      continue;
    }
    names_.push_back(name);
    numbers_.push_back(-1);
    add_column(forces_, Vec::Unit(structure.nq, at - structure.coordinates.begin()));
  }
}

void LinearInputs::add_input(const LinearPoint& point, int number, const std::string& name,
                             Problems& problems) {
  const System& system = point.system;
  const std::optional<System> derived = derived_by_input(system, number);
  if (!derived) {
    problems.add({}, "input " + name, "this reading has no derivatives by inputs",
                 "give <<reading: as-written>>");
    return;
  }
  const Structure& below = derived->structure();
  Evaluation ev;
  derived->prepare(ev);
  Needs wanted = needs(Target::mass, Target::force);
  if (below.nc > 0)
    wanted |= needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
  const State& at = point.state;
  const Vec mu = read_multipliers(system, point.all_rows);
  if (const Status status =
          derived->evaluate(wanted, {.t = at.t, .q = at.q, .v = at.v, .mu = &mu}, ev);
      status != Status::ok) {
    problems.add({}, "input " + name, std::string{sentence(status)}, "linearise at another place");
    return;
  }
  // f_u - M_u a - G_uᵀ lambda, and springs in the place of compliant rows pull at what g_u asks for
  Vec force = ev.f - (below.mass_constant ? below.M : ev.M) * point.a;
  if (below.nc > 0) force -= ev.G.transpose() * point.all_rows;
  Evaluation own;
  for (std::size_t r = 0; r < below.rows.size(); ++r) {
    const auto i = static_cast<Index>(r);
    if (ev.g[i] == 0.0 && ev.g_t[i] == 0.0) continue;
    const Row& row = system.structure().rows[r];
    const char* const remedy =
        "take an input that acts on a force or a spring, or make the constraint compliant";
    const std::vector<int>& read = system.structure().read_multipliers;
    const bool is_read = std::find(read.begin(), read.end(), static_cast<int>(r)) != read.end();
    if (row.equation >= 0 || row.damping > 0.0 || is_read) {
      problems.add({}, "input " + name,
                   fmt::format("the constraint '{}' reads it: the motion would follow its second "
                               "derivative, too",
                               row.name),
                   remedy);
      return;
    }
    if (own.G.size() == 0) {
      const SystemImplementation* const model = system.implementation().model();
      model->prepare(own);
      if (model->evaluate(need(Target::constraint_jacobian), {.t = at.t, .q = at.q, .v = at.v},
                          own) != Status::ok)
        return;
    }
    force -= own.G.row(i).transpose() * (ev.g[i] / row.compliance);
  }
  names_.push_back(name);
  numbers_.push_back(number);
  add_column(forces_, force);
}

}  // namespace taut
