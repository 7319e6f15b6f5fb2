// SPDX-License-Identifier: BSD-3-Clause
#include "model_file_schema.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace taut::model_file {
namespace {

constexpr bool required = true;
constexpr bool optional = false;

const Key repeat_key{
    "repeat", Type::repeat, optional,
    "indices with their ranges, such as { k = \"1:n\" }: the entry stands once for each"};
const Key name_key{"name", Type::text, optional,
                   "what messages and results call it; its kind and number when absent"};
const Key between_key{"between", Type::pair, required, "the two points or anchors it joins"};

/// An element: its own keys, and those every element has.
Section element(std::string_view name, std::string_view meaning, std::vector<Key> keys) {
  if (std::none_of(keys.begin(), keys.end(), [](const Key& k) { return k.name == "name"; })) {
    keys.push_back(name_key);
  }
  keys.push_back(repeat_key);
  return {name, Form::elements, meaning, std::move(keys)};
}

std::vector<Section> make_schema() {
  std::vector<Section> s;
  s.push_back(
      {"parameters",
       Form::named,
       "named numbers, which the command line may override",
       {{"value", Type::number, required, "a number, or an expression of other parameters"}},
       "value"});
  s.push_back(
      {"points",
       Form::named,
       "point masses: each owns the coordinates NAME.x, NAME.y (and NAME.z)",
       {{"mass", Type::number, optional,
         "mass [kg]; 0 when absent: uniform bars or [[kinetic]] carry it"},
        {"at", Type::vector, required,
         "position at the start [m]; three numbers make a point in space"},
        {"velocity", Type::vector, optional, "velocity at the start [m/s]; at rest when absent"},
        repeat_key}});
  s.push_back({"anchors",
               Form::named,
               "points that are fixed, or move as given functions of t",
               {{"at", Type::vector, required, "position [m]; expressions may use t"}, repeat_key},
               "at"});
  s.push_back({"coordinates",
               Form::named,
               "plain coordinates: angles, or any generalised coordinate",
               {{"mass", Type::number, optional,
                 "inertia [kg, kg m^2]; 0 when absent: [[kinetic]] gives it"},
                {"at", Type::number, optional, "value at the start; 0 when absent"},
                {"velocity", Type::number, optional, "velocity at the start; 0 when absent"},
                repeat_key},
               "at"});
  s.push_back(
      {"definitions",
       Form::named,
       "named sub-expressions of parameters, t, coordinates and velocities",
       {{"value", Type::number, required, "the expression the name stands for"}, repeat_key},
       "value"});
  s.push_back(element(
      "rod", "keeps two points at a distance, rigidly or as a stiff spring",
      {between_key,
       {"length", Type::number, optional, "length [m]; the distance at the start when absent"},
       {"compliance", Type::number, optional, "compliance [m/N]; 0 when absent: rigid"},
       {"damping", Type::number, optional,
        "damping of a compliant rod [N s/m]; 0 when absent: none"},
       {"mass", Type::number, optional, "mass of the uniform bar [kg]; massless when absent"}}));
  s.push_back(element("spring", "linear spring with the energy stiffness/2 (distance - length)^2",
                      {between_key,
                       {"stiffness", Type::number, required, "stiffness [N/m]"},
                       {"length", Type::number, optional,
                        "length at rest [m]; the distance at the start when absent"}}));
  s.push_back(element("damper", "linear damper along the line between two points",
                      {between_key, {"damping", Type::number, required, "damping [N s/m]"}}));
  s.push_back(
      element("gravity", "uniform gravity on point masses and uniform bars",
              {{"acceleration", Type::vector, required, "acceleration [m/s^2]"},
               {"on", Type::references, optional, "the points it acts on; all when absent"}}));
  s.push_back(element(
      "chain", "equal links in one line: points NAME1, NAME2, ... joined by rods",
      {{"name", Type::name, optional, "NAME of its points; link when absent"},
       {"links", Type::number, required, "number of links"},
       {"from", Type::reference, optional,
        "point or anchor the first link hangs on; origin when absent"},
       {"length", Type::number, optional, "length of each link [m]; 1 when absent"},
       {"mass", Type::number, optional, "mass of each point [kg]; 1 when absent"},
       {"direction", Type::vector, optional, "in which it lies at the start; [1, 0] when absent"},
       {"compliance", Type::number, optional,
        "compliance of each link [m/N]; 0 when absent: rigid"},
       {"damping", Type::number, optional,
        "damping of each compliant link [N s/m]; 0 when absent: none"}}));
  s.push_back(element(
      "potential", "potential energy",
      {{"energy", Type::number, required, "energy [J], an expression of coordinates and t"}}));
  s.push_back(element(
      "force", "force on a coordinate or a point",
      {{"on", Type::reference, required, "the coordinate or point it acts on"},
       {"value", Type::number_or_vector, required,
        "force [N, N m]: one for a coordinate, as many as it has coordinates for a point"}}));
  s.push_back(
      element("constraint", "an expression of coordinates and t that is kept at zero",
              {{"zero", Type::number, required, "the expression g that is kept at 0"},
               {"compliance", Type::number, optional,
                "g divided by its multiplier lambda; 0 when absent: rigid"},
               {"damping", Type::number, optional,
                "of a compliant constraint: what lambda gains per rate of g; 0 when absent"}}));
  s.push_back(element("kinetic",
                      "kinetic energy; mass matrix and inertial forces are derived from it",
                      {{"energy", Type::number, required,
                        "energy [J], an expression quadratic in the velocities"}}));
  s.push_back(
      element("invariant", "a quantity that the motion keeps",
              {{"value", Type::number, required, "expression of coordinates, velocities and t"}}));
  s.push_back(
      element("event", "something that happens when an expression crosses zero",
              {{"zero", Type::number, required, "expression of coordinates, velocities and t"},
               {"direction",
                Type::choice,
                optional,
                "which crossings count; any when absent",
                {"any", "rising", "falling"}},
               {"action",
                Type::choice,
                optional,
                "what happens then; record when absent",
                {"record", "stop"}}}));
  s.push_back({"vibration",
               Form::table,
               "fast external vibration with the phase theta = omega t + phase",
               {{"omega", Type::number, required, "frequency [rad/s]"},
                {"phase", Type::number, optional, "theta at t = 0 [rad]; 0 when absent"}}});
  s.push_back({"start",
               Form::named,
               "start values that replace those given with the coordinates",
               {{"at", Type::number, optional, "position at the start"},
                {"velocity", Type::number, optional, "velocity at the start"}},
               "at"});
  s.push_back(
      {"run",
       Form::table,
       "what `taut run` does when the command line does not say otherwise",
       {{"from", Type::number, optional, "time at the start [s]; 0 when absent"},
        {"until", Type::number, optional, "time at the end [s]"},
        {"step", Type::number, optional, "step of methods with a fixed step [s]"},
        {"tol", Type::number, optional, "tolerance of methods that choose their steps"},
        {"every", Type::number, optional,
         "distance of output times [s]; the steps themselves when absent"},
        {"omega", Type::number, optional, "frequency of the penalized reading [rad/s]"},
        {"reading", Type::text, optional, "reading of the model; the model as written when absent"},
        {"method", Type::text, optional, "method; taut chooses when absent, and says why"}}});
  return s;
}

}  // namespace

const Key* Section::find(std::string_view key) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> Section::key_names() const {
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  return names;
}

const std::vector<Section>& schema() {
  static const std::vector<Section> sections = make_schema();
  return sections;
}

const Section* find_section(std::string_view name) {
  const auto& all = schema();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Section& s) { return s.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string heading(const Section& section) {
  return section.form == Form::elements ? fmt::format("[[{}]]", section.name)
                                        : fmt::format("[{}]", section.name);
}

std::string describe(const Key& key) {
  switch (key.type) {
    case Type::number:
      return "a number or an expression in quotes";
    case Type::vector:
      return "two or three numbers or expressions, such as [1, \"-g\"]";
    case Type::number_or_vector:
      return "a number or an expression, or an array of up to three";
    case Type::reference:
      return "a name in quotes";
    case Type::references:
      return "names in quotes, such as [\"a\", \"b\"]";
    case Type::pair:
      return "two names, such as [\"origin\", \"bob\"]";
    case Type::name:
      return "a name in quotes: letters, digits and _";
    case Type::text:
      return "text in quotes";
    case Type::choice:
      return fmt::format("\"{}\"", fmt::join(key.choices, "\" or \""));
    case Type::repeat:
      return "indices with ranges, such as { k = \"1:n\" }";
  }
  return {};
}

bool is_planned_section(std::string_view name) {
  constexpr std::array planned{"body", "pair", "jets"};
  return std::find(planned.begin(), planned.end(), name) != planned.end();
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names{
      "t",     "theta", "pi",   "e",    "v",    "origin", "sqrt", "exp",   "log", "sin",
      "cos",   "tan",   "asin", "acos", "atan", "sinh",   "cosh", "tanh",  "abs", "sign",
      "floor", "atan2", "pow",  "min",  "max",  "hypot",  "less", "select"};
  return names;
}

}  // namespace taut::model_file
