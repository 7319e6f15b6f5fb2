// SPDX-License-Identifier: BSD-3-Clause
// Words of molecules: the box, pairs, bonds, angles, dihedrals. Water stands in compile_water.cpp.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "model/elements/angle.hpp"
#include "model/elements/bond.hpp"
#include "model/elements/dihedral.hpp"
#include "model/elements/spring.hpp"
#include "model/trace.hpp"

namespace taut {

using formula::Role;
using formula::Sym;
using Points = elements::Point<Sym>;

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

void Compiler::compile_box() {
  if (!model_.box) return;
  const auto size = numbers_of(model_.box->size, "box: size", {});
  if (!size) return;
  const auto shortest = std::min_element(size->begin(), size->end());
  if (shortest != size->end() && !(*shortest > 0.0))
    problems_.add(model_.box->position, "box: size", fmt::format("{} is not > 0", *shortest),
                  "give the lengths of its edges");
  else
    box_ = *size;
}

std::optional<std::vector<int>> Compiler::points_like(const std::vector<Name>& patterns,
                                                      const Copy& copy, const std::string& field) {
  const std::string where = copy.label + ": " + field;
  std::vector<int> found;
  if (patterns.empty())
    for (const auto& [name, point] : symbols_.points) found.push_back(point.first);
  bool fine = true;
  for (const Name& pattern : patterns) {
    const auto text =
        substitute_name(pattern.text, pattern.at, copy.bindings, symbols_, where, problems_);
    if (!text) return {};
    const std::size_t before = found.size();
    if (text->find('*') == std::string::npos) {
      const auto it = symbols_.points.find(*text);
      if (it != symbols_.points.end()) found.push_back(it->second.first);
    } else {
      for (const auto& [name, point] : symbols_.points)
        if (matches(*text, name)) found.push_back(point.first);
    }
    if (found.size() > before) continue;
    fine = false;
    if (symbols_.incomplete) continue;
    if (symbols_.markers.count(*text) != 0) {
      problems_.add(pattern.at, where,
                    fmt::format("'{}' is a marker, which has no such pairs", *text),
                    "name points: a body is one, at its centre of mass; springs act on markers");
      continue;
    }
    std::vector<std::string> candidates;
    for (const auto& [known, entry] : symbols_.points) candidates.push_back(known);
    std::sort(candidates.begin(), candidates.end());
    const std::string near = nearest_name(*text, candidates);
    problems_.add(pattern.at, where, fmt::format("there is no point '{}'", *text),
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

std::optional<PairSwitch> Compiler::range_of(const std::optional<Value>& cutoff,
                                             const std::optional<Value>& from, const Copy& copy) {
  const auto length = [&](const Value& value, const char* field) -> std::optional<double> {
    const std::string where = fmt::format("{}: {}", copy.label, field);
    const auto x = number_of(value, where, copy.bindings);
    if (!x || *x > 0.0) return x;
    problems_.add(value.at(), where, fmt::format("{} is not > 0", *x), "give a distance > 0");
    return {};
  };
  std::optional<double> end;
  if (cutoff) end = length(*cutoff, "cutoff");
  if (from && !cutoff)
    problems_.add(from->at(), copy.label + ": from", "stands without cutoff",
                  "give the cut-off at which the force ends, or leave from out");
  if (!end) return {};
  const std::optional<double> begin = from ? length(*from, "from") : std::optional{0.9 * *end};
  if (!begin) return {};
  if (!(*begin < *end)) {
    problems_.add(from->at(), copy.label + ": from",
                  fmt::format("{} is not before the cut-off {}", *begin, *end),
                  "begin the way to 0 before the cut-off, such as at 0.9 of it");
    return {};
  }
  return PairSwitch{.from = *begin, .cutoff = *end};
}

bool Compiler::add_pairs(PairBuilder::Use use, const Copy& copy) {
  const auto dimension_of = [&](int first) {
    const auto next = static_cast<std::size_t>(first) + 2;
    return next < structure_.coordinates.size() && structure_.coordinates[next].ends_with(".z") ? 3
                                                                                                : 2;
  };
  use.dimension = use.among.empty() ? 3 : dimension_of(use.among.front());
  for (const auto* group : {&use.among, &use.with})
    for (const int point : *group)
      if (dimension_of(point) != use.dimension) {
        problems_.add(copy.at, copy.label, "acts between points in the plane and points in space",
                      "give all of its points two numbers, or all three");
        return false;
      }
  if (!box_.empty()) {
    const double shortest = *std::min_element(box_.begin(), box_.end());
    if (static_cast<int>(box_.size()) != use.dimension) {
      problems_.add(model_.box->position, "box: size",
                    fmt::format("has {} edges, and {} acts between points of {} coordinates",
                                box_.size(), copy.label, use.dimension),
                    "give the box as many edges as points have coordinates");
      return false;
    }
    if (!use.range || use.range->cutoff > shortest / 2.0) {
      problems_.add(copy.at, copy.label + ": cutoff",
                    use.range ? fmt::format("{} is more than half of the shortest edge {} of [box]",
                                            use.range->cutoff, shortest)
                              : "is missing: in a [box] forces must end before the next image",
                    fmt::format("give a cut-off of at most {}", shortest / 2.0));
      return false;
    }
  }
  pairs_.add(std::move(use));
  return true;
}

void Compiler::compile(const Pair& pair, const Copy& copy) {
  const auto number = [&](const std::optional<Value>& value, const char* field) {
    return value ? number_of(*value, fmt::format("{}: {}", copy.label, field), copy.bindings)
                 : std::optional<double>{};
  };
  const std::array<std::pair<const char*, const std::optional<Value>*>, 6> keys{
      {{"epsilon", &pair.epsilon},
       {"sigma", &pair.sigma},
       {"repulsion", &pair.repulsion},
       {"attraction", &pair.attraction},
       {"strength", &pair.strength},
       {"exponent", &pair.exponent}}};
  const auto only = [&](std::initializer_list<std::string_view> fit, const char* law) {
    for (const auto& [key, value] : keys)
      if (*value && std::find(fit.begin(), fit.end(), key) == fit.end())
        problems_.add((*value)->at(), fmt::format("{}: {}", copy.label, key),
                      fmt::format("is no number of the law {}", law),
                      fmt::format("leave {} out, or choose the law that has it", key));
  };
  const auto not_negative = [&](const std::optional<double>& x, const std::optional<Value>& value,
                                const char* field) {
    if (x && !(*x >= 0.0))
      problems_.add(value->at(), fmt::format("{}: {}", copy.label, field),
                    fmt::format("{} is not >= 0", *x),
                    "give a number >= 0, or repulsion and attraction with signs of their own");
  };
  const auto missing = [&](const char* what, const char* remedy) {
    problems_.add(copy.at, copy.label, what, remedy);
  };

  PairBuilder::Use use{.law = {.label = copy.label}};
  bool complete = true;
  switch (pair.law) {
    case Pair::Law::lennard_jones: {
      only({"epsilon", "sigma", "repulsion", "attraction"}, "lennard-jones");
      const auto epsilon = number(pair.epsilon, "epsilon");
      const auto sigma = number(pair.sigma, "sigma");
      const auto repulsion = number(pair.repulsion, "repulsion");
      const auto attraction = number(pair.attraction, "attraction");
      const bool by_size = pair.epsilon && pair.sigma;
      const bool by_terms = pair.repulsion && pair.attraction;
      if (by_size == by_terms || pair.epsilon.has_value() != pair.sigma.has_value() ||
          pair.repulsion.has_value() != pair.attraction.has_value()) {
        missing("needs epsilon and sigma, or repulsion and attraction",
                "give one of these two pairs of numbers");
        return;
      }
      not_negative(epsilon, pair.epsilon, "epsilon");
      not_negative(sigma, pair.sigma, "sigma");
      complete = by_size ? epsilon && sigma : repulsion && attraction;
      if (!complete) break;
      const double sigma6 = by_size ? std::pow(*sigma, 6) : 0.0;
      use.law.repulsion = by_size ? 4.0 * *epsilon * sigma6 * sigma6 : *repulsion;
      use.law.attraction = by_size ? 4.0 * *epsilon * sigma6 : *attraction;
      break;
    }
    case Pair::Law::coulomb: {
      only({"strength"}, "coulomb");
      if (pair.from)
        problems_.add(pair.from->at(), copy.label + ": from",
                      "is no number of the law coulomb: its cut-off is a reaction field",
                      "leave from out");
      const auto strength = pair.strength ? number(pair.strength, "strength") : std::optional{1.0};
      complete = strength.has_value();
      use.law.coulomb = strength.value_or(0.0);
      break;
    }
    case Pair::Law::power: {
      only({"strength", "exponent"}, "power");
      const auto strength = number(pair.strength, "strength");
      const auto exponent = number(pair.exponent, "exponent");
      if (!pair.strength || !pair.exponent) missing("needs strength and exponent", "give both");
      complete = strength && exponent;
      if (complete) use.law.powers.push_back({*strength, *exponent});
      break;
    }
  }
  const auto apart = number_of(pair.apart, copy.label + ": apart", copy.bindings);
  if (apart && (*apart < 1.0 || *apart > 9.0 || *apart != std::floor(*apart)))
    problems_.add(pair.apart.at(), copy.label + ": apart", fmt::format("is {}", *apart),
                  "give a whole number from 1 (no pair is spared) to 9");
  use.apart = static_cast<int>(std::clamp(apart.value_or(3.0), 1.0, 9.0));
  use.range = range_of(pair.cutoff, pair.from, copy);
  if (pair.cutoff && !use.range) complete = false;

  const auto group = [&](const std::vector<Name>& names, const char* field) {
    auto points = points_like(names, copy, field);
    if (points && pair.law == Pair::Law::coulomb) {
      std::erase_if(*points, [&](int p) {
        return static_cast<std::size_t>(p) >= charge_.size() ||
               charge_[static_cast<std::size_t>(p)] == 0.0;
      });
      if (points->empty()) {
        problems_.add(copy.at, copy.label + ": " + field, "none of these points has a charge",
                      "give points a charge, such as { mass = 1, at = [0, 0, 0], charge = 1 }");
        points.reset();
      }
    }
    return points;
  };
  auto among = group(pair.among, "among");
  auto with = pair.with.empty() ? among : group(pair.with, "with");
  if (!complete || !apart || !among || !with) return;
  use.among = *std::move(among);
  use.with = *std::move(with);
  (void)add_pairs(std::move(use), copy);
}

std::vector<PairField> Compiler::finish_pairs() {
  std::vector<PairField> fields;
  charge_.resize(q_.size(), 0.0);
  std::array<double, 3> edge{};
  std::copy(box_.begin(), box_.end(), edge.begin());
  if (!pairs_.finish(structure_.coordinates, charge_, edge, fields))
    problems_.add(
        {}, "pair",
        fmt::format("laws of pairs make more than {} kinds of points", PairBuilder::most_kinds),
        "name groups with *, and give equal points equal laws");
  return fields;
}

void Compiler::compile(const Bond& bond, const Copy& copy) {
  const auto between = ends(bond.between, copy);
  const auto k = number_of(bond.stiffness, copy.label + ": stiffness", copy.bindings);
  const auto length = length_of(bond.length, between, copy);
  std::optional<double> depth;
  if (bond.depth) depth = number_of(*bond.depth, copy.label + ": depth", copy.bindings);
  const auto positive = [&](const std::optional<double>& x, const Value& value, const char* field) {
    if (!x || *x > 0.0) return;
    problems_.add(value.at(), fmt::format("{}: {}", copy.label, field),
                  fmt::format("{} is not > 0", *x), fmt::format("give a {} > 0", field));
  };
  positive(k, bond.stiffness, "stiffness");
  if (bond.length) positive(length, *bond.length, "length");
  if (bond.depth) positive(depth, *bond.depth, "depth");
  if (!between || !k || !length || (bond.depth && !depth)) return;
  join(*between);
  // the load of Morse's law is shown as that of its minimum
  show({.name = copy.label,
        .kind = Scene::Line::Kind::spring,
        .stiffness = *k,
        .length = *length,
        .depth = bond.depth ? *depth : 0.0},
       *between);
  const std::size_t dimension =
      (*between)[0].moves() ? (*between)[0].dimension() : (*between)[1].dimension();
  Trace trace{*this, time | positions, copy.label};
  const auto a = trace.position((*between)[0], dimension);
  const auto b = trace.position((*between)[1], dimension);
  const Sym stiffness = trace.parameter(*k);
  const Sym L = trace.parameter(*length);
  if (bond.depth)
    trace.root(Role::potential, elements::morse_bond(Points{a}, Points{b}, stiffness, L,
                                                     trace.parameter(depth.value_or(1.0))));
  else
    trace.root(Role::potential, elements::spring(Points{a}, Points{b}, stiffness, L));
  trace.finish(copy.label);
}

std::optional<std::vector<Compiler::End>> Compiler::ends_of(const std::vector<Name>& names,
                                                            std::size_t count, const Copy& copy) {
  const std::string where = copy.label + ": between";
  if (names.size() != count) {
    problems_.add(names.empty() ? copy.at : names.front().at, where,
                  fmt::format("has {} names", names.size()),
                  fmt::format("give {} points, in the order in which they are joined",
                              count == 3 ? "three" : "four"));
    return {};
  }
  std::vector<End> result;
  for (const Name& name : names) {
    const auto found = end(name, copy, "between");
    if (!found) return {};
    for (const End& other : result)
      if (other.point == found->point && other.anchor == found->anchor &&
          other.marker == found->marker) {
        problems_.add(name.at, where, fmt::format("names '{}' twice", name.text),
                      "give different points");
        return {};
      }
    result.push_back(*found);
  }
  std::size_t dimension = count == 4 ? 3 : 0;
  for (const End& found : result)
    if (found.moves() && dimension == 0) dimension = found.dimension();
  if (dimension == 0) {
    problems_.add(names.front().at, where, "all of them are anchors, nothing can move",
                  "name at least one point of [points]");
    return {};
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!result[i].fits(dimension)) {
      problems_.add(names[i].at, where,
                    fmt::format("'{}' has {} coordinates, not {}", names[i].text,
                                result[i].dimension(), dimension),
                    count == 4 ? "a dihedral joins points in space: give them three numbers"
                               : "give all of its points two numbers, or all three");
      return {};
    }
  return result;
}

void Compiler::compile(const Angle& angle, const Copy& copy) {
  const auto points = ends_of(angle.between, 3, copy);
  const auto k = number_of(angle.stiffness, copy.label + ": stiffness", copy.bindings);
  auto rest =
      angle.angle ? number_of(*angle.angle, copy.label + ": angle", copy.bindings) : std::nullopt;
  // beyond this an angle is straight: its energy has no kink there
  constexpr double straight = std::numbers::pi - 1e-9;
  if (rest && (*rest < 0.0 || *rest > std::numbers::pi + 1e-9)) {
    problems_.add(angle.angle->at(), copy.label + ": angle",
                  fmt::format("{} is not between 0 and pi", *rest),
                  "give the angle at rest in radians, such as \"109.5*pi/180\"");
    return;
  }
  if (!points || !k || (angle.angle && !rest)) return;
  const std::size_t dimension = std::find_if(points->begin(), points->end(), [](const End& e) {
                                  return e.moves();
                                })->dimension();
  if (!rest) {
    std::array<std::vector<double>, 3> at;
    for (std::size_t i = 0; i < 3; ++i) at[i] = position_at_start((*points)[i], copy);
    for (auto& x : at) x.resize(3, 0.0);
    double along = 0.0, across = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const auto u = [&](std::size_t c) { return at[0][c] - at[1][c]; };
      const auto w = [&](std::size_t c) { return at[2][c] - at[1][c]; };
      along += u(i) * w(i);
      across = std::hypot(across, u(i) * w(j) - u(j) * w(i));
    }
    if (along == 0.0 && across == 0.0) {
      problems_.add(copy.at, copy.label + ": angle", "two of its points coincide at the start",
                    "give the angle at rest, or move one of the points");
      return;
    }
    rest = std::atan2(across, along);
  }
  Trace trace{*this, time | positions, copy.label};
  const auto a = trace.position((*points)[0], dimension);
  const auto b = trace.position((*points)[1], dimension);
  const auto c = trace.position((*points)[2], dimension);
  const Sym stiffness = trace.parameter(*k);
  trace.root(Role::potential,
             *rest > straight ? elements::straight_angle(Points{a}, Points{b}, Points{c}, stiffness)
                              : elements::angle(Points{a}, Points{b}, Points{c}, stiffness,
                                                trace.parameter(*rest)));
  trace.finish(copy.label);
}

void Compiler::compile(const Dihedral& dihedral, const Copy& copy) {
  const auto points = ends_of(dihedral.between, 4, copy);
  const auto barrier = number_of(dihedral.barrier, copy.label + ": barrier", copy.bindings);
  const auto phase = number_of(dihedral.phase, copy.label + ": phase", copy.bindings);
  const auto multiplicity =
      number_of(dihedral.multiplicity, copy.label + ": multiplicity", copy.bindings);
  if (multiplicity && (*multiplicity < 1.0 || *multiplicity != std::floor(*multiplicity))) {
    problems_.add(dihedral.multiplicity.at(), copy.label + ": multiplicity",
                  fmt::format("{} is no number of barriers", *multiplicity),
                  "give a whole number from 1 on");
    return;
  }
  if (!points || !barrier || !phase || !multiplicity) return;
  Trace trace{*this, time | positions, copy.label};
  std::array<std::vector<Sym>, 4> at;
  for (std::size_t i = 0; i < 4; ++i) at[i] = trace.position((*points)[i], 3);
  trace.root(Role::potential,
             elements::dihedral<Sym>({Points{at[0]}, Points{at[1]}, Points{at[2]}, Points{at[3]}},
                                     trace.parameter(*barrier), trace.parameter(*multiplicity),
                                     trace.parameter(*phase)));
  trace.finish(copy.label);
}

}  // namespace taut
