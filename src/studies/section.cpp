// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/section.hpp"

#include <algorithm>

#include "taut/core/wording.hpp"

namespace taut {
namespace {

std::string name_of(const std::string& zero) { return worded("<<section>> ") + zero; }

}  // namespace

void add_section(const std::string& zero, Model& model) {
  Element element;
  element.name = name_of(zero);
  element.what = Event{.zero = zero, .direction = Event::Direction::rising};
  model.elements.push_back(std::move(element));
}

void make_room_for_section(Plan& plan) {
  constexpr std::int64_t many = 1'000'000;
  plan.run.max_events = std::max(plan.run.max_events, many);
}

Section take_section(const std::string& zero, Result& result) {
  Section section{.zero = zero};
  const Structure& structure = result.plan->prepared.compiled.system.structure();
  section.coordinates = structure.place_names();
  section.velocities = structure.velocities;
  std::vector<EventRecord>& events = result.summary.events;
  const auto is_other = [name = name_of(zero)](const EventRecord& e) { return e.name != name; };
  const auto first = std::stable_partition(events.begin(), events.end(), is_other);
  const auto count = static_cast<Index>(events.end() - first);
  section.q.resize(count, static_cast<Index>(section.coordinates.size()));
  section.v.resize(count, static_cast<Index>(section.velocities.size()));
  Index row = 0;
  for (auto event = first; event != events.end(); ++event, ++row) {
    section.t.push_back(event->state.t);
    section.q.row(row) = event->state.q.head(section.q.cols()).transpose();
    section.v.row(row) = event->state.v.head(section.v.cols()).transpose();
  }
  events.erase(first, events.end());
  return section;
}

}  // namespace taut
