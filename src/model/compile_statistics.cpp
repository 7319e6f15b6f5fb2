// SPDX-License-Identifier: BSD-3-Clause
// Heat bath and statistics of a model.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "model/pair_groups.hpp"

namespace taut {
namespace {

constexpr double most_bins = 1e6;
constexpr double largest_seed = 0x1p53;  // whole numbers that a double holds

std::string_view kind_of(const Statistic& statistic) {
  switch (statistic.kind) {
    case Statistic::Kind::histogram:
      return "histogram";
    case Statistic::Kind::radial_distribution:
      return "radial_distribution";
    case Statistic::Kind::autocorrelation:
      return "autocorrelation";
  }
  return {};
}

// files are called after it
bool fits_a_file(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

void Compiler::compile_thermostat(CompiledModel& result) {
  if (!model_.thermostat) return;
  const Thermostat& thermostat = *model_.thermostat;
  if (!model_.states.empty())
    problems_.add(thermostat.position, "thermostat",
                  "a heat bath has no law for first-order states",
                  "leave out [thermostat] or [states]");
  HeatBath& bath = result.bath.emplace();
  const auto set = [&](const Value& value, const char* field, const char* rule, auto allowed,
                       auto& to) {
    const std::string where = fmt::format("thermostat: {}", field);
    const auto x = number_of(value, where);
    if (x && !allowed(*x))
      problems_.add(value.at(), where, fmt::format("{} is not {}", x->value(), rule),
                    fmt::format("give {}{}",
                                std::string_view{rule}.starts_with('>') ? "a number " : "", rule));
    else if (x)
      to = *x;
  };
  const auto set_and_keep = [&](const Value& value, const char* field, const char* rule,
                                auto allowed, double HeatBath::*to) {
    Number number = bath.*to;
    set(value, field, rule, allowed, number);
    bath.*to = number.value();
    keep(number, [to](CompiledModel& model) -> double& { return *model.bath.*to; });
  };
  const auto positive = [](const Number& x) { return x > 0.0; };
  set_and_keep(
      thermostat.temperature, "temperature", ">= 0", [](const Number& x) { return x >= 0.0; },
      &HeatBath::temperature);
  if (thermostat.friction)
    set_and_keep(*thermostat.friction, "friction", "> 0", positive, &HeatBath::friction);
  if (thermostat.drag) set_and_keep(*thermostat.drag, "drag", "> 0", positive, &HeatBath::drag);
  double seed = 1.0;
  set(
      thermostat.seed, "seed", "a whole number from 0 to 2^53",
      [](double x) { return x >= 0.0 && x < largest_seed && x == std::floor(x); }, seed);
  bath.seed = static_cast<std::uint64_t>(seed);
  if (thermostat.friction.has_value() == thermostat.drag.has_value())
    problems_.add(thermostat.position, "thermostat",
                  thermostat.drag ? "has both friction and drag" : "has neither friction nor drag",
                  "give friction, a rate [1/s] for all coordinates, or drag [kg/s], a rate "
                  "drag/mass for each");
  if (const auto after = number_of(thermostat.after, "thermostat: after")) {
    result.bath_after = after->value();
    keep(*after, [](CompiledModel& model) -> double& { return model.bath_after; });
  }
}

std::vector<CompiledStatistic> Compiler::compile_statistics() {
  std::vector<CompiledStatistic> all;
  std::map<std::string_view, int> count;
  for (const Statistic& statistic : model_.statistics) {
    const std::string_view kind = kind_of(statistic);
    const int number = ++count[kind];
    CompiledStatistic compiled;
    compiled.kind = statistic.kind;
    compiled.name = statistic.name.empty() ? fmt::format("{}_{}", kind, number) : statistic.name;
    const std::string& name = compiled.name;
    constexpr std::array taken{"motion", "multipliers", "temperature"};
    if (!fits_a_file(name))
      problems_.add(statistic.position, fmt::format("{} {}", kind, number),
                    fmt::format("the name \"{}\" cannot be that of a file", name),
                    "names are made of letters, digits and _");
    if (std::find(taken.begin(), taken.end(), name) != taken.end() ||
        std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.name == name; }))
      problems_.add(statistic.position, name, "something else that a run writes has this name",
                    "give it another name");
    compile(statistic, compiled);
    all.push_back(std::move(compiled));
  }
  return all;
}

void Compiler::compile(const Statistic& statistic, CompiledStatistic& to) {
  const auto set = [&](const std::optional<Value>& value, const char* field, double above,
                       double& out) {
    if (!value) return;
    const std::string where = fmt::format("{}: {}", to.name, field);
    const auto x = number_of(*value, where);
    if (x && !(*x > above))
      problems_.add(value->at(), where, fmt::format("{} is not > {}", x->value(), above),
                    fmt::format("give a number > {}", above));
    else if (x)
      out = *x;
  };
  constexpr double any = -std::numeric_limits<double>::infinity();
  set(statistic.from, "from", any, to.from);
  set(statistic.to, "to", to.from, to.to);
  set(statistic.lag, "lag", 0.0, to.lag);
  set(statistic.every, "every", 0.0, to.every);
  set(statistic.after, "after", any, to.after);
  double bins = to.bins;
  set(statistic.bins, "bins", 0.0, bins);
  if (bins > most_bins || bins != std::floor(bins))
    problems_.add(statistic.bins.at(), to.name + ": bins",
                  fmt::format("{} is not a whole number from 1 to {:.0e}", bins, most_bins),
                  "give such a number");
  else
    to.bins = static_cast<int>(bins);

  if (statistic.kind == Statistic::Kind::radial_distribution) {
    compile_groups(statistic, to);
    return;
  }
  to.observable = static_cast<int>(structure_.observables.size());
  const Bindings none;
  ElementContext context{*this, to.name, statistic.position, none};
  context.add_observable(statistic.value, {.kind = Observable::Kind::sample}, "value");
}

int Compiler::compile_sample(const Output& output) {
  if (!output.value.is_number() && names_a_number(output.value.text())) return -1;
  const auto observable = static_cast<int>(structure_.observables.size());
  const Bindings none;
  ElementContext context{*this, output.name, {}, none};
  context.add_observable(output.value, {.kind = Observable::Kind::sample}, "value");
  return observable;
}

void Compiler::compile_groups(const Statistic& statistic, CompiledStatistic& to) {
  const Bindings none;
  ElementContext context{*this, to.name, statistic.position, none};
  const auto among = points_like(statistic.among, "among", context);
  const auto with =
      statistic.with.empty() ? std::vector<int>{} : points_like(statistic.with, "with", context);
  if (!among || !with) return;
  to.among = *among;
  to.with = *with;
  if (to.with.empty() && to.among.size() < 2)
    problems_.add(statistic.position, to.name + ": among",
                  "is one point, which has no distance to others",
                  "name two points or more, or a second group with `with`");

  std::set<int> dimensions;
  for (const auto& [name, point] : symbols_.points)
    if (std::binary_search(to.among.begin(), to.among.end(), point.first) ||
        std::binary_search(to.with.begin(), to.with.end(), point.first))
      dimensions.insert(point.dimension);
  if (dimensions.size() != 1) {
    problems_.add(statistic.position, to.name, "has points of the plane and points of space",
                  "take points of the same dimension");
    return;
  }
  to.dimension = *dimensions.begin();

  if (!model_.box || box_.empty()) return;
  to.box = box_;
  const double shortest = *std::min_element(box_.begin(), box_.end());
  if (static_cast<int>(box_.size()) != to.dimension)
    problems_.add(model_.box->position, "box: size",
                  fmt::format("has {} edges, and the points of {} have {} coordinates", box_.size(),
                              to.name, to.dimension),
                  "give the box as many edges as points have coordinates");
  else if (shortest > 0.0 && to.to > shortest / 2)
    problems_.add(
        statistic.to->at(), to.name + ": to",
        fmt::format("{} is more than half of the shortest edge {} of [box]", to.to, shortest),
        "farther points have nearer images: give at most half of the edge");
}

}  // namespace taut
