// SPDX-License-Identifier: BSD-3-Clause
#include "model/pair_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace taut {
namespace {

/// Whether a name fits a pattern in which `*` stands for any characters.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t star = std::string_view::npos;  // the last one met, and how far it reaches
  std::size_t reached = 0;
  std::size_t p = 0;
  for (std::size_t n = 0; n < name.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      reached = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++reached;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

std::optional<std::vector<int>> points_like(const std::vector<Name>& patterns,
                                            std::string_view field, ElementContext& context) {
  const auto& points = context.symbols().points;
  std::vector<int> found;
  if (patterns.empty())
    for (const auto& [name, point] : points) found.push_back(point.first);
  bool fine = true;
  for (const Name& pattern : patterns) {
    const auto text = context.name(pattern, field);
    if (!text) return {};
    const std::size_t before = found.size();
    if (text->find('*') == std::string::npos) {
      const auto it = points.find(*text);
      if (it != points.end()) found.push_back(it->second.first);
    } else {
      for (const auto& [name, point] : points)
        if (matches(*text, name)) found.push_back(point.first);
    }
    if (found.size() > before) continue;
    fine = false;
    if (context.incomplete()) continue;
    if (context.symbols().markers.contains(*text)) {
      context.refuse(pattern.at, field,
                     fmt::format("'{}' is a marker, which has no such pairs", *text),
                     "name points: a body is one, at its centre of mass; springs act on markers");
      continue;
    }
    std::vector<std::string> candidates;
    for (const auto& [known, entry] : points) candidates.push_back(known);
    std::sort(candidates.begin(), candidates.end());
    const std::string near = nearest_name(*text, candidates);
    context.refuse(pattern.at, field, fmt::format("there is no point '{}'", *text),
                   near.empty()
                       ? "name points of [points], [[chain]] or [[water]]; * stands for any "
                         "characters"
                       : fmt::format("did you mean '{}'?", near));
  }
  if (!fine) return {};
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<PairSwitch> range_of(const std::optional<Value>& cutoff,
                                   const std::optional<Value>& from, ElementContext& context) {
  const auto length = [&](const Value& value, const char* field) -> std::optional<double> {
    const auto x = context.number(value, field);
    if (!x || *x > 0.0) return x;
    context.refuse(value.at(), field, fmt::format("{} is not > 0", *x), "give a distance > 0");
    return {};
  };
  std::optional<double> end;
  if (cutoff) end = length(*cutoff, "cutoff");
  if (from && !cutoff)
    context.refuse(from->at(), "from", "stands without cutoff",
                   "give the cut-off at which the force ends, or leave from out");
  if (!end) return {};
  const std::optional<double> begin = from ? length(*from, "from") : std::optional{0.9 * *end};
  if (!begin) return {};
  if (!(*begin < *end)) {
    context.refuse(from->at(), "from", fmt::format("{} is not before the cut-off {}", *begin, *end),
                   "begin the way to 0 before the cut-off, such as at 0.9 of it");
    return {};
  }
  return PairSwitch{.from = *begin, .cutoff = *end};
}

std::optional<double> accuracy_of(const std::string& electrostatics,
                                  const std::optional<Value>& accuracy, ElementContext& context) {
  constexpr double when_absent = 1e-6;
  if (electrostatics != "ewald") {
    if (accuracy)
      context.refuse(accuracy->at(), "accuracy", "is that of Ewald's sum, and there is none",
                     "give electrostatics = \"ewald\", or leave accuracy out");
    return accuracy ? std::nullopt : std::optional{0.0};
  }
  const std::vector<double>& box = context.box();
  if (box.size() != 3) {
    context.refuse(context.at(), "electrostatics",
                   "is Ewald's sum over all images, and there is no [box] with three edges",
                   "give [box] size = [a, b, c], or leave electrostatics out");
    return {};
  }
  if (!accuracy) return when_absent;
  const auto given = context.number(*accuracy, "accuracy");
  if (!given) return {};
  if (*given >= EwaldSum::least_accuracy && *given <= EwaldSum::greatest_accuracy) return *given;
  context.refuse(accuracy->at(), "accuracy", fmt::format("is {}", *given),
                 fmt::format("give a number from {} to {}", EwaldSum::least_accuracy,
                             EwaldSum::greatest_accuracy));
  return {};
}

bool add_pairs(PairBuilder::Use use, ElementContext& context) {
  const std::vector<std::string>& coordinates = context.coordinates();
  const auto dimension_of = [&](int first) {
    const auto next = static_cast<std::size_t>(first) + 2;
    return next < coordinates.size() && coordinates[next].ends_with(".z") ? 3 : 2;
  };
  use.dimension = use.among.empty() ? 3 : dimension_of(use.among.front());
  for (const auto* group : {&use.among, &use.with})
    for (const int point : *group)
      if (dimension_of(point) != use.dimension) {
        context.refuse(context.at(), {}, "acts between points in the plane and points in space",
                       "give all of its points two numbers, or all three");
        return false;
      }
  const std::vector<double>& box = context.box();
  if (!box.empty()) {
    const double shortest = *std::min_element(box.begin(), box.end());
    if (static_cast<int>(box.size()) != use.dimension) {
      context.called("box").refuse(
          context.model().box->position, "size",
          fmt::format("has {} edges, and {} acts between points of {} coordinates", box.size(),
                      context.label(), use.dimension),
          "give the box as many edges as points have coordinates");
      return false;
    }
    if (use.accuracy > 0.0 && !use.range) {
      // about as many charges within as make both parts of the sum equally long
      constexpr double charges_within = 200.0;
      const double density = static_cast<double>(use.among.size()) / (box[0] * box[1] * box[2]);
      const double enough = std::cbrt(0.75 * charges_within / (std::numbers::pi * density));
      const double cutoff = std::min(shortest / 2.0, enough);
      use.range = PairSwitch{.from = 0.9 * cutoff, .cutoff = cutoff};
    }
    if (!use.range || use.range->cutoff > shortest / 2.0) {
      context.refuse(context.at(), "cutoff",
                     use.range
                         ? fmt::format("{} is more than half of the shortest edge {} of [box]",
                                       use.range->cutoff, shortest)
                         : "is missing: in a [box] forces must end before the next image",
                     fmt::format("give a cut-off of at most {}", shortest / 2.0));
      return false;
    }
  }
  context.add_pairs(std::move(use));
  return true;
}

}  // namespace taut
