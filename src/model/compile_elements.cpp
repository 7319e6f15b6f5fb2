// SPDX-License-Identifier: BSD-3-Clause
// Mechanical words of a model: masses, rods, springs, dampers, gravity, chains.
#include <cmath>

#include <fmt/format.h>

#include "model/elements/damper.hpp"
#include "model/elements/gravity.hpp"
#include "model/elements/point_mass.hpp"
#include "model/elements/rod.hpp"
#include "model/elements/spring.hpp"
#include "model/elements/uniform_bar.hpp"
#include "model/trace.hpp"

namespace taut {

using formula::Role;
using formula::Slot;
using formula::Sym;
using Points = elements::Point<Sym>;

void Compiler::compile_masses() {
  weight_mass_.assign(q_.size(), 0.0);
  const auto add = [&](int first, int dimension, const std::string& label) {
    const double m = mass_[static_cast<std::size_t>(first)];
    if (m == 0.0) return;
    Trace trace{*this, velocities, label};
    std::vector<Sym> v;
    for (int i = 0; i < dimension; ++i) v.push_back(trace.coordinate(first + i, Slot::v));
    trace.root(Role::kinetic, elements::point_mass(Points{v}, trace.parameter(m)));
    trace.finish(label);
  };
  // in the order of q, so that equal models give equal batches
  std::vector<std::pair<int, int>> owners;  // first coordinate, dimension
  for (const auto& [name, point] : symbols_.points) {
    owners.emplace_back(point.first, point.dimension);
    for (int i = 0; i < point.dimension; ++i)
      weight_mass_[static_cast<std::size_t>(point.first + i)] =
          mass_[static_cast<std::size_t>(point.first)];
  }
  for (const auto& [name, index] : symbols_.coordinates) owners.emplace_back(index, 1);
  for (const auto& [name, body] : symbols_.bodies)
    for (const int column : body.column)
      if (column >= 0) owners.emplace_back(column, 3);
  std::sort(owners.begin(), owners.end());
  for (const auto& [first, dimension] : owners)
    add(first, dimension, "mass of " + structure_.coordinates[static_cast<std::size_t>(first)]);
}

std::optional<Compiler::End> Compiler::find_end(const std::string& name) const {
  if (const auto it = symbols_.points.find(name); it != symbols_.points.end())
    return End{.point = &it->second};
  if (const auto it = symbols_.anchors.find(name); it != symbols_.anchors.end())
    return End{.anchor = &it->second};
  if (const auto it = symbols_.markers.find(name); it != symbols_.markers.end())
    return End{.marker = &it->second};
  return {};
}

std::vector<std::string> Compiler::names_of_ends() const {
  std::vector<std::string> names;
  for (const auto& [known, entry] : symbols_.points) names.push_back(known);
  for (const auto& [known, entry] : symbols_.markers) names.push_back(known);
  for (const auto& [known, entry] : symbols_.anchors) names.push_back(known);
  std::sort(names.begin(), names.end());  // hash maps have no order; messages should
  return names;
}

std::optional<Compiler::End> Compiler::end(const Name& name, const Copy& copy,
                                           const std::string& field) {
  const std::string where = copy.label + ": " + field;
  const auto text = substitute_name(name.text, name.at, copy.bindings, symbols_, where, problems_);
  if (!text) return {};
  if (const auto found = find_end(*text)) return found;
  if (symbols_.incomplete) return {};
  const std::string near = nearest_name(*text, names_of_ends());
  problems_.add(name.at, where, fmt::format("there is no point or anchor '{}'", *text),
                near.empty() ? "name a point of [points], an anchor of [anchors], or origin"
                             : fmt::format("did you mean '{}'?", near));
  return {};
}

std::optional<std::array<Compiler::End, 2>> Compiler::ends(const std::array<Name, 2>& names,
                                                           const Copy& copy) {
  const auto a = end(names[0], copy, "between");
  const auto b = end(names[1], copy, "between");
  if (!a || !b) return {};
  if (!a->moves() && !b->moves()) {
    problems_.add(names[0].at, copy.label + ": between", "both ends are anchors, nothing can move",
                  "connect at least one point of [points]");
    return {};
  }
  if (a->point == b->point && a->anchor == b->anchor && a->marker == b->marker) {
    problems_.add(names[1].at, copy.label + ": between", "both ends are the same point",
                  "connect two different points");
    return {};
  }
  if (!a->fits(b->dimension()) && !b->fits(a->dimension())) {
    problems_.add(names[0].at, copy.label + ": between",
                  fmt::format("connects a point in {} dimensions with one in {}", a->dimension(),
                              b->dimension()),
                  "give both points two numbers, or both three");
    return {};
  }
  return std::array{*a, *b};
}

std::vector<double> Compiler::position_at_start(const End& end, const Copy& copy) {
  std::vector<double> result;
  for (std::size_t i = 0; i < end.dimension(); ++i) {
    if (end.point != nullptr) {
      result.push_back(q_[static_cast<std::size_t>(end.point->first) + i]);
    } else if (end.marker != nullptr) {
      double x = q_[static_cast<std::size_t>(end.marker->body.first) + i];
      for (std::size_t c = 0; c < 3; ++c)
        x += end.marker->at[c] * column_at_start(end.marker->body, c)[i];
      result.push_back(x);
    } else if (!end.anchor->fixed.empty()) {
      result.push_back(end.anchor->fixed[i]);
    } else {
      // a moving anchor: its expression with t as a number
      const Bindings start{{"t", given_.t},
                           {"theta", symbols_.theta_rate * given_.t + theta_phase_}};
      result.push_back(
          number(end.anchor->at[i], symbols_, copy.label, problems_, &start).value_or(0.0));
    }
  }
  return result;
}

std::optional<double> Compiler::length_of(const std::optional<Value>& given,
                                          const std::optional<std::array<End, 2>>& between,
                                          const Copy& copy) {
  if (given) return number_of(*given, copy.label + ": length", copy.bindings);
  if (!between) return {};
  return distance_at_start(*between, copy);
}

std::optional<double> Compiler::distance_at_start(const std::array<End, 2>& between,
                                                  const Copy& copy) {
  const auto a = position_at_start(between[0], copy);
  const auto b = position_at_start(between[1], copy);
  double distance = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    distance = std::hypot(distance, a[i] - b[i]);
  if (distance > 0.0) return distance;
  problems_.add(copy.at, copy.label + ": length", "both ends stand at the same place at the start",
                "give a length, or move one of the points");
  return {};
}

namespace {

/// Dimension in which two ends are connected; the origin takes that of the other.
template <class Ends>
std::size_t dimension_of(const Ends& between) {
  return between[0].moves() ? between[0].dimension() : between[1].dimension();
}

}  // namespace

std::optional<Compiler::Softness> Compiler::softness_of(const Value& compliance,
                                                        const Value& damping, const Copy& copy) {
  const auto C = number_of(compliance, copy.label + ": compliance", copy.bindings);
  const auto c = number_of(damping, copy.label + ": damping", copy.bindings);
  if (C && *C < 0.0)
    problems_.add(copy.at, copy.label + ": compliance", fmt::format("{} is negative", *C),
                  "give 0 for rigid, or a positive compliance");
  if (c && *c < 0.0)
    problems_.add(damping.at(), copy.label + ": damping", fmt::format("{} is negative", *c),
                  "give 0 for none, or a positive damping");
  else if (C && c && *C == 0.0 && *c > 0.0)
    problems_.add(damping.at(), copy.label + ": damping",
                  "what is rigid has no motion that could be damped",
                  "give a compliance > 0 with it, or leave damping out");
  if (!C || !c) return {};
  return Softness{.compliance = *C, .damping = *c};
}

void Compiler::add_row(Trace& trace, formula::Sym g, Softness softness, const std::string& name,
                       double scale) {
  const int number = static_cast<int>(structure_.rows.size());
  trace.row(g, number);
  structure_.rows.push_back(
      {.name = name,
       .compliance = softness.compliance,
       .damping = softness.damping * softness.compliance,
       .equation = number,
       .scale = std::max(scale, trace.magnitude(trace.formula().roots.back().node))});
}

void Compiler::add_rod(const std::array<End, 2>& between, double length, Softness softness,
                       const std::string& label) {
  join(between);
  show({.name = label,
        .kind = Scene::Line::Kind::rod,
        .row = static_cast<int>(structure_.rows.size())},
       between);
  const std::size_t dimension = dimension_of(between);
  Trace trace{*this, time | positions, label};
  const auto a = trace.position(between[0], dimension);
  const auto b = trace.position(between[1], dimension);
  add_row(trace, elements::rod(Points{a}, Points{b}, trace.parameter(length)), softness, label);
  trace.finish(label);
}

void Compiler::compile(const Rod& rod, const Copy& copy) {
  const auto between = ends(rod.between, copy);
  const auto softness = softness_of(rod.compliance, rod.damping, copy);
  const auto length = length_of(rod.length, between, copy);
  const auto mass = number_of(rod.mass.value_or(0.0), copy.label + ": mass", copy.bindings);
  if (length && !(*length > 0.0))
    problems_.add(rod.length->at(), copy.label + ": length", fmt::format("{} is not > 0", *length),
                  "give a positive length; for two points that coincide use [[constraint]]");
  if (mass && *mass < 0.0)
    problems_.add(rod.mass->at(), copy.label + ": mass", fmt::format("{} is negative", *mass),
                  "give a mass >= 0");
  if (mass && *mass > 0.0 && between &&
      ((*between)[0].marker != nullptr || (*between)[1].marker != nullptr))
    problems_.add(rod.mass->at(), copy.label + ": mass", "a bar with a mass ends on a body",
                  "join a massless rod, or give the bar's ends points of [points]");
  if (!between || !softness || !length || !mass || !(*length > 0.0)) return;
  add_rod(*between, *length, *softness, copy.label);
  if (*mass == 0.0) return;
  shown_lines_.back().line.mass = *mass;

  // a uniform bar: its kinetic energy, and half of its weight on each end
  const std::size_t dimension = dimension_of(*between);
  Trace trace{*this, time | velocities, copy.label};
  const auto v_a = trace.velocity((*between)[0], dimension);
  const auto v_b = trace.velocity((*between)[1], dimension);
  trace.root(Role::kinetic,
             elements::uniform_bar(Points{v_a}, Points{v_b}, trace.parameter(*mass)));
  trace.finish(copy.label + " (bar)");
  for (const End& end : *between)
    if (end.point != nullptr)
      for (std::size_t i = 0; i < dimension; ++i)
        weight_mass_[static_cast<std::size_t>(end.point->first) + i] += *mass / 2.0;
}

void Compiler::compile(const Spring& spring, const Copy& copy) {
  const auto between = ends(spring.between, copy);
  const auto k = number_of(spring.stiffness, copy.label + ": stiffness", copy.bindings);
  const auto length = length_of(spring.length, between, copy);
  if (!between || !k || !length) return;
  join(*between);
  show({.name = copy.label, .kind = Scene::Line::Kind::spring, .stiffness = *k, .length = *length},
       *between);
  const std::size_t dimension = dimension_of(*between);
  Trace trace{*this, time | positions, copy.label};
  const auto a = trace.position((*between)[0], dimension);
  const auto b = trace.position((*between)[1], dimension);
  if (*length == 0.0)
    trace.root(Role::potential,
               elements::spring_of_no_length(Points{a}, Points{b}, trace.parameter(*k)));
  else
    trace.root(Role::potential, elements::spring(Points{a}, Points{b}, trace.parameter(*k),
                                                 trace.parameter(*length)));
  trace.finish(copy.label);
}

void Compiler::compile(const Damper& damper, const Copy& copy) {
  const auto between = ends(damper.between, copy);
  const auto c = number_of(damper.damping, copy.label + ": damping", copy.bindings);
  if (!between || !c) return;
  show({.name = copy.label, .kind = Scene::Line::Kind::damper}, *between);
  const std::size_t dimension = dimension_of(*between);
  Trace trace{*this, time | positions | velocities, copy.label};
  const auto a = trace.position((*between)[0], dimension);
  const auto b = trace.position((*between)[1], dimension);
  const auto v_a = trace.velocity((*between)[0], dimension);
  const auto v_b = trace.velocity((*between)[1], dimension);
  const Sym s =
      elements::damper(Points{a}, Points{b}, Points{v_a}, Points{v_b}, trace.parameter(*c));
  std::vector<Sym> on_a, on_b;
  for (std::size_t i = 0; i < dimension; ++i) {
    const Sym component = s * (a[i] - b[i]);
    on_a.push_back(-component);
    on_b.push_back(component);
  }
  trace.force((*between)[0], on_a);
  trace.force((*between)[1], on_b);
  trace.finish(copy.label);
}

void Compiler::add_gravity(const Symbols::PointEntry& point,
                           const std::vector<double>& acceleration, const std::string& label) {
  const double m = weight_mass_[static_cast<std::size_t>(point.first)];
  if (m == 0.0) return;
  Trace trace{*this, positions, label};
  std::vector<Sym> x, weight;
  for (int i = 0; i < point.dimension; ++i) {
    const double w = m * acceleration[static_cast<std::size_t>(i)];
    if (w == 0.0) continue;
    x.push_back(trace.coordinate(point.first + i, Slot::q));
    weight.push_back(trace.parameter(w));
  }
  if (x.empty()) return;
  trace.root(Role::potential, elements::gravity(Points{x}, Points{weight}));
  trace.finish(label);
}

void Compiler::compile(const Gravity& gravity, const Copy& copy) {
  const auto acceleration =
      numbers_of(gravity.acceleration, copy.label + ": acceleration", copy.bindings);
  std::vector<Symbols::PointEntry> points;
  for (const Name& name : gravity.on) {
    const auto on = end(name, copy, "on");
    if (on && on->point == nullptr)
      problems_.add(name.at, copy.label + ": on",
                    fmt::format("'{}' is {}", name.text,
                                on->anchor != nullptr ? "an anchor" : "a point of a body"),
                    "gravity acts on points and on bodies");
    if (on && on->point != nullptr) points.push_back(*on->point);
  }
  if (gravity.on.empty())
    for (const auto& [name, point] : symbols_.points) points.push_back(point);
  if (!acceleration) return;
  if (points.empty() && gravity.on.empty())
    problems_.add(copy.at, copy.label, "there is no point it could act on",
                  "gravity acts on [points] and bodies; for plain coordinates state a "
                  "[[potential]]");
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const Symbols::PointEntry& point : points) {
    if (static_cast<std::size_t>(point.dimension) != acceleration->size()) {
      problems_.add(copy.at, copy.label + ": acceleration",
                    fmt::format("has {} components, but {} has {}", acceleration->size(),
                                structure_.coordinates[static_cast<std::size_t>(point.first)],
                                point.dimension),
                    "give as many components as the points have");
      return;
    }
    add_gravity(point, *acceleration, copy.label);
  }
}

void Compiler::compile(const Chain& chain, const Copy& copy) {
  // its points stand already; mistakes in its fields are reported there
  const auto links = number(chain.links, symbols_, copy.label, problems_);
  const auto length = number(chain.length, symbols_, copy.label, problems_);
  const auto softness = softness_of(chain.compliance, chain.damping, copy);
  auto from = symbols_.points.find(fmt::format("{}1", chain.prefix));
  if (!links || !length || !softness || from == symbols_.points.end()) return;
  auto previous = end(chain.from, copy, "from");
  if (!previous) return;
  for (int k = 1; k <= static_cast<int>(*links); ++k) {
    const auto it = symbols_.points.find(fmt::format("{}{}", chain.prefix, k));
    if (it == symbols_.points.end()) return;
    const End current{.point = &it->second};
    add_rod({*previous, current}, *length, *softness, fmt::format("{} link {}", chain.prefix, k));
    previous = current;
  }
}

}  // namespace taut
