// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/instant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "taut/core/problems.hpp"

namespace taut {
namespace {

constexpr std::array<std::string_view, 5> of_the_whole{"t", "energy", "kinetic_energy",
                                                       "potential_energy", "work"};

double whole(const Frame& frame, Index index) {
  switch (index) {
    case 0:
      return frame.state.t;
    case 1:
      return frame.energy();
    case 2:
      return frame.kinetic_energy;
    case 3:
      return frame.potential_energy;
    default:
      return frame.work;
  }
}

}  // namespace

FrameNames::FrameNames(const System& system) {
  const std::optional<System> shown = system.quantities();
  *this = FrameNames{system.structure(), shown ? &shown->structure() : nullptr};
}

FrameNames::FrameNames(const Structure& structure, const Structure* of_quantities) {
  // the first to claim a name has it
  const auto claim = [&](const std::string& name, Kind kind, std::size_t index) {
    place_.try_emplace(name, Place{kind, static_cast<Index>(index)});
  };
  for (std::size_t i = 0; i < structure.coordinates.size(); ++i) {
    claim(structure.velocities[i], Kind::v, i);
    if (i >= static_cast<std::size_t>(structure.places())) {
      claim(fmt::format("rate({})", structure.velocities[i]), Kind::a, i);
      continue;
    }
    claim(structure.coordinates[i], Kind::q, i);
    claim(fmt::format("a({})", structure.coordinates[i]), Kind::a, i);
  }
  for (std::size_t r = 0; r < structure.rows.size(); ++r) {
    claim(structure.rows[r].name, Kind::lambda, r);
    claim(fmt::format("lambda({})", structure.rows[r].name), Kind::lambda, r);
  }
  for (std::size_t k = 0; of_quantities != nullptr && k < of_quantities->observables.size(); ++k)
    claim(of_quantities->observables[k].name, Kind::quantity, k);
  for (std::size_t k = 0; k < structure.observables.size(); ++k)
    claim(structure.observables[k].name, Kind::observable, k);
  for (std::size_t i = 0; i < of_the_whole.size(); ++i)
    claim(std::string{of_the_whole[i]}, Kind::whole, i);
}

double FrameNames::operator()(const Frame& frame, std::string_view name) const {
  const auto found = place_.find(name);
  if (found == place_.end()) {
    std::vector<std::string> known;
    for (const auto& [text, place] : place_) known.push_back(text);
    std::sort(known.begin(), known.end());  // hash maps have no order; messages should
    const std::string near = nearest_name(name, known);
    Problems problems;
    problems.add({}, fmt::format("'{}'", name), "the motion has no number of this name",
                 near.empty() ? fmt::format("there are: {}", fmt::join(known, ", "))
                              : fmt::format("did you mean '{}'?", near));
    throw ModelError{std::move(problems)};
  }
  const Index i = found->second.index;
  const auto entry = [i](const Vec& values) {
    return i < values.size() ? values[i] : std::numeric_limits<double>::quiet_NaN();
  };
  switch (found->second.kind) {
    case Kind::q:
      return entry(frame.state.q);
    case Kind::v:
      return entry(frame.state.v);
    case Kind::a:
      return entry(frame.a);
    case Kind::lambda:
      return entry(frame.lambda);
    case Kind::observable:
      return entry(frame.observable);
    case Kind::quantity:
      return entry(frame.quantity);
    case Kind::whole:
      break;
  }
  return whole(frame, i);
}

double Instant::operator[](std::string_view name) const {
  const double value = (*names_)(frame_, name);  // a name that does not exist is said in any case
  return status_ == Status::ok ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace taut
