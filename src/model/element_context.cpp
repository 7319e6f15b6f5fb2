// SPDX-License-Identifier: BSD-3-Clause
#include "model/element_context.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "formula/origins.hpp"
#include "model/dependencies.hpp"
#include "model/elements/space.hpp"

namespace taut {

using formula::Number;
using formula::Sym;

std::string ElementContext::where(std::string_view field) const {
  return field.empty() ? label_ : fmt::format("{}: {}", label_, field);
}

void ElementContext::refuse(Position at, std::string_view field, std::string what,
                            std::string remedy) {
  compiler_.problems_.add(at, where(field), std::move(what), std::move(remedy));
}

// What fields stand for ---------------------------------------------------------------------------

std::optional<Number> ElementContext::number(const Value& value, std::string_view field) {
  return compiler_.number_of(value, where(field), bindings_);
}

std::optional<Number> ElementContext::number(const std::optional<Value>& value,
                                             std::string_view field) {
  return value ? number(*value, field) : std::nullopt;
}

std::optional<std::vector<Number>> ElementContext::numbers(const std::vector<Value>& values,
                                                           std::string_view field) {
  return compiler_.numbers_of(values, where(field), bindings_);
}

std::optional<std::array<Number, 3>> ElementContext::space_vector(const std::vector<Value>& values,
                                                                  std::string_view field,
                                                                  std::size_t dimension) {
  if (values.empty()) return elements::NumberVec3{};
  const auto all = numbers(values, field);
  if (values.size() != dimension) {
    refuse(values.front().at(), field, fmt::format("has {} components", values.size()),
           dimension == 3 ? "a body moves in space: give three"
                          : "a body with one moment of inertia moves in the plane: give two");
    return {};
  }
  if (!all) return {};
  elements::NumberVec3 result{};
  std::copy(all->begin(), all->end(), result.begin());
  return result;
}

std::optional<std::string> ElementContext::name(const Name& name, std::string_view field) {
  return substitute_name(name.text, name.at, bindings_, symbols(), where(field),
                         compiler_.problems_);
}

std::optional<Value> ElementContext::expression(const Value& value, std::string_view field) {
  return substitute(value, bindings_, symbols(), where(field), compiler_.problems_);
}

std::optional<End> ElementContext::end(const Name& name, std::string_view field) {
  const auto text = this->name(name, field);
  if (!text) return {};
  if (const auto found = find_end(symbols(), *text)) return found;
  if (incomplete()) return {};
  const std::string near = *text == "ground" || *text == "world"
                               ? "origin"
                               : nearest_name(*text, names_of_ends(symbols()));
  refuse(name.at, field, fmt::format("there is no point or anchor '{}'", *text),
         near.empty() ? "name a point of [points], an anchor of [anchors], or origin"
                      : fmt::format("did you mean '{}'?", near));
  return {};
}

std::optional<Ends> ElementContext::ends(const std::array<Name, 2>& names) {
  const auto a = end(names[0], "between");
  const auto b = end(names[1], "between");
  if (!a || !b) return {};
  if (!a->moves() && !b->moves()) {
    refuse(names[0].at, "between", "both ends are anchors, nothing can move",
           "connect at least one point of [points]");
    return {};
  }
  if (*a == *b) {
    refuse(names[1].at, "between", "both ends are the same point", "connect two different points");
    return {};
  }
  if (!a->fits(b->dimension()) && !b->fits(a->dimension())) {
    refuse(names[0].at, "between",
           fmt::format("connects a point in {} dimensions with one in {}", a->dimension(),
                       b->dimension()),
           "give both points two numbers, or both three");
    return {};
  }
  return Ends{*a, *b};
}

std::optional<std::vector<End>> ElementContext::ends(const std::vector<Name>& names,
                                                     std::size_t count) {
  if (names.size() != count) {
    refuse(names.empty() ? at_ : names.front().at, "between",
           fmt::format("has {} names", names.size()),
           fmt::format("give {} points, in the order in which they are joined",
                       count == 3 ? "three" : "four"));
    return {};
  }
  std::vector<End> result;
  for (const Name& name : names) {
    const auto found = end(name, "between");
    if (!found) return {};
    if (std::find(result.begin(), result.end(), *found) != result.end()) {
      refuse(name.at, "between", fmt::format("names '{}' twice", name.text),
             "give different points");
      return {};
    }
    result.push_back(*found);
  }
  std::size_t dimension = count == 4 ? 3 : 0;
  for (const End& found : result)
    if (found.moves() && dimension == 0) dimension = found.dimension();
  if (dimension == 0) {
    refuse(names.front().at, "between", "all of them are anchors, nothing can move",
           "name at least one point of [points]");
    return {};
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!result[i].fits(dimension)) {
      refuse(names[i].at, "between",
             fmt::format("'{}' has {} coordinates, not {}", names[i].text, result[i].dimension(),
                         dimension),
             count == 4 ? "a dihedral joins points in space: give them three numbers"
                        : "give all of its points two numbers, or all three");
      return {};
    }
  return result;
}

std::optional<Softness> ElementContext::softness(const Value& compliance, const Value& damping,
                                                 const std::array<const char*, 2>& fields) {
  const auto C = number(compliance, fields[0]);
  const auto c = number(damping, fields[1]);
  if (C && *C < 0.0)
    refuse(at_, fields[0], fmt::format("{} is negative", C->value()),
           "give 0 for rigid, or a positive compliance");
  if (c && *c < 0.0)
    refuse(damping.at(), fields[1], fmt::format("{} is negative", c->value()),
           "give 0 for none, or a positive damping");
  else if (C && c && *C == 0.0 && *c > 0.0)
    refuse(damping.at(), fields[1], "what is rigid has no motion that could be damped",
           fmt::format("give a {} > 0 with it, or leave {} out", fields[0], fields[1]));
  if (!C || !c) return {};
  return Softness{.compliance = *C, .damping = *c};
}

std::optional<Number> ElementContext::length(const std::optional<Value>& given,
                                             const std::optional<Ends>& between) {
  if (given) return number(*given, "length");
  if (!between) return {};
  return distance_at_start(*between);
}

std::optional<Value> ElementContext::moving(const std::optional<Value>& given,
                                            std::string_view field, unsigned allow) {
  if (!given || given->is_number()) return {};
  Problems ignored;  // whoever takes it for what it is reports its mistakes
  const auto text = substitute(*given, bindings_, symbols(), where(field), ignored);
  if (!text || text->is_number()) return {};
  const formula::Recording none{nullptr};
  formula::Graph graph;
  LocalScope scope{symbols(), allow, where(field), ignored};
  const auto node = scope.node(*text, graph);
  const auto names_time = [&](std::string_view name) {
    return name == "t" || (name == "theta" && symbols().vibrates) ||
           (name == "lambda" && (allow & multipliers) != 0);
  };
  if (!node) {
    const auto names = identifiers(text->text());
    return std::any_of(names.begin(), names.end(), names_time) ? text : std::nullopt;
  }
  return graph.reads(*node) != 0 ? text : std::nullopt;
}

// The model as far as it is known -----------------------------------------------------------------

std::vector<Number> ElementContext::position_at_start(const End& end) {
  std::vector<Number> result;
  for (std::size_t i = 0; i < end.dimension(); ++i) {
    if (end.point != nullptr) {
      result.push_back(start_of(end.point->first + static_cast<int>(i)));
    } else if (end.marker != nullptr) {
      Number x = start_of(end.marker->body.first + static_cast<int>(i));
      for (std::size_t c = 0; c < 3; ++c)
        x += end.marker->at[c] * column_at_start(end.marker->body, c)[i];
      result.push_back(x);
    } else if (!end.anchor->fixed.empty()) {
      result.push_back(end.anchor->fixed[i]);
    } else {
      // a moving anchor: its expression with t as a number
      const Number t = compiler_.start_time_;
      Bindings start{{"t", t}};
      if (symbols().vibrates)
        start.emplace_back("theta", symbols().theta_rate * t + compiler_.theta_phase_);
      start.insert(start.end(), symbols().inputs.begin(), symbols().inputs.end());
      result.push_back(
          taut::number(end.anchor->at[i], symbols(), label_, compiler_.problems_, &start)
              .value_or(0.0));
    }
  }
  return result;
}

std::optional<Number> ElementContext::distance_at_start(const Ends& between) {
  const auto a = position_at_start(between[0]);
  const auto b = position_at_start(between[1]);
  Number distance = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    distance = hypot(distance, a[i] - b[i]);
  if (distance > 0.0) return distance;
  refuse(at_, "length", "both ends stand at the same place at the start",
         "give a length, or move one of the points");
  return {};
}

std::array<Number, 3> ElementContext::column_at_start(const Symbols::BodyEntry& body,
                                                      std::size_t c) const {
  if (body.planar()) {
    const Number a = start_of(body.angle), cosine = elements::cosine(a), sine = elements::sine(a);
    const std::array<elements::NumberVec3, 3> R{
        {{cosine, sine, 0.0}, {-sine, cosine, 0.0}, {0.0, 0.0, 1.0}}};
    return R[c];
  }
  if (body.column[c] < 0)
    return elements::cross(column_at_start(body, (c + 1) % 3), column_at_start(body, (c + 2) % 3));
  const int first = body.column[c];
  return {start_of(first), start_of(first + 1), start_of(first + 2)};
}

namespace {

/// The box that points and bodies stand in at the start.
struct StartBox {
  bool known = false, any = false;
  elements::NumberVec3 low{}, high{};
};

}  // namespace

Number ElementContext::widest_at_start(const std::array<Number, 3>& from) {
  using formula::Op;
  auto& box = shared<StartBox>();
  if (!box.known) {
    for (const auto& [name, point] : symbols().points) {
      for (int i = 0; i < 3; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const Number x = i < point.dimension ? start_of(point.first + i) : Number{0.0};
        box.low[k] = box.any ? record(Op::min, box.low[k], x) : x;
        box.high[k] = box.any ? record(Op::max, box.high[k], x) : x;
      }
      box.any = true;
    }
    box.known = true;
  }
  if (!box.any) return 1.0;
  Number squared = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Number far = record(Op::max, abs(box.low[k] - from[k]), abs(box.high[k] - from[k]));
    squared += far * far;
  }
  Number widest = record(Op::sqrt, squared, {});
  if (widest == 0.0) widest = elements::norm(from);
  return widest > 0.0 && isfinite(widest) ? widest : Number{1.0};
}

double ElementContext::charge(int coordinate) const {
  const auto i = static_cast<std::size_t>(coordinate);
  return i < compiler_.charge_.size() ? compiler_.charge_[i] : 0.0;
}

// What an element brings with it ------------------------------------------------------------------

void ElementContext::add_point(const NewPoint& point) {
  compiler_.charge_.resize(compiler_.q_.size(), 0.0);
  compiler_.add_point(point.name, point.at, point.velocity);
  compiler_.mass_.resize(compiler_.q_.size(), point.mass);
  compiler_.charge_.resize(compiler_.q_.size(), point.charge);
  compiler_.position_of_coordinate_.resize(compiler_.q_.size(), at_);
}

void ElementContext::add_coordinate(const std::string& name, const Number& at,
                                    const Number& velocity, const Number& mass) {
  compiler_.structure_.coordinates.push_back(name);
  compiler_.structure_.velocities.push_back(fmt::format("v({})", name));
  compiler_.q_.push_back(at);
  compiler_.v_.push_back(velocity);
  compiler_.mass_.push_back(mass);
  compiler_.position_of_coordinate_.push_back(at_);
}

// What it gives to the system ---------------------------------------------------------------------

void ElementContext::add_formula(formula::Role role, const Value& value, unsigned allow,
                                 std::string_view field) {
  const auto text = expression(value, field);
  if (!text) return;
  Compiler::Trace trace = this->trace(allow, field);
  const auto root = trace.expression(*text);
  if (!root) return;
  trace.root(role, *root);
  trace.finish(label_);
}

void ElementContext::add_row(Compiler::Trace& trace, const Sym& g, Softness softness,
                             const std::string& name, Number scale) {
  const int number = next_row();
  trace.row(g, number);
  if (compiler_.records_rows_)
    compiler_.recorded_rows_.push_back(Compiler::recorded(trace, number));
  compiler_.note_determining(trace, number, softness.compliance);
  const Number damping = softness.damping * softness.compliance;
  static_cast<void>(damping > 0.0);  // whether energy is kept is decided by it
  scale = record(formula::Op::max, scale, trace.magnitude(trace.formula().roots.back().node));
  compiler_.structure_.rows.push_back({.name = name,
                                       .compliance = softness.compliance.value(),
                                       .damping = damping.value(),
                                       .equation = number,
                                       .scale = scale.value()});
  const auto keep = [&](const Number& value, double Row::*field) {
    compiler_.keep_in_structure(value, [number, field](Structure& s) -> double& {
      return s.rows[static_cast<std::size_t>(number)].*field;
    });
  };
  keep(softness.compliance, &Row::compliance);
  keep(damping, &Row::damping);
  keep(scale, &Row::scale);
}

void ElementContext::add_velocity_row(Compiler::Trace& trace, const Sym& value,
                                      const std::string& name) {
  const int number = next_row();
  trace.row(value, number, formula::Role::rolling);
  compiler_.note_determining(trace, number, 0.0);
  compiler_.structure_.rows.push_back({.name = name, .equation = number, .of_velocities = true});
}

void ElementContext::add_observable(Compiler::Trace& trace, const Sym& value,
                                    Observable observable) {
  std::vector<Observable>& all = compiler_.structure_.observables;
  trace.observable(value, static_cast<int>(all.size()));
  observable.name = label_;
  all.push_back(std::move(observable));
}

bool ElementContext::add_observable(const Value& value, Observable observable,
                                    std::string_view field) {
  const auto text = expression(value, field);
  if (!text) return false;
  // an invariant is a function of the state, that methods move states onto
  const bool invariant = observable.kind == Observable::Kind::invariant;
  Compiler::Trace trace = this->trace(invariant ? everything & ~multipliers : everything, field);
  const auto root = trace.expression(*text);
  if (!root) return false;
  add_observable(trace, *root, std::move(observable));
  trace.finish(label_);
  return true;
}

void ElementContext::add_weight(const Symbols::PointEntry& point, const Number& mass) {
  for (int i = 0; i < point.dimension; ++i)
    compiler_.weight_mass_[static_cast<std::size_t>(point.first + i)] += mass;
}

void ElementContext::join(const Ends& between) {
  if (between[0].point != nullptr && between[1].point != nullptr)
    compiler_.pairs_.join(between[0].point->first, between[1].point->first);
}

}  // namespace taut
