// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_schema.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/element_descriptor.hpp"

namespace taut::model_file {
namespace {

constexpr bool required = true;
constexpr bool optional = false;

const Key repeat_key{
    "repeat", Type::repeat, optional,
    "indices with their ranges, such as { k = \"1:n\" }: the entry stands once for each"};
const Key keep_key{"keep", Type::flag, optional,
                   "whether these start values stay where the start is made consistent, at and a "
                   "velocity that is given: what else there is moves; false when absent"};
const Key name_key{"name", Type::text, optional,
                   "what messages and results call it; its kind and number when absent"};

/// An element: its own keys, and those every element has.
Section section_of(const ElementDescriptor& element) {
  Section section{element.key, Form::elements, element.meaning, {}, {}, &element};
  for (const ElementDescriptor::Field& field : element.fields) section.keys.push_back(field.key);
  if (section.find("name") == nullptr) section.keys.push_back(name_key);
  section.keys.push_back(repeat_key);
  return section;
}

std::vector<Section> make_schema() {
  std::vector<Section> s;
  s.push_back(
      {"parameters",
       Form::named,
       "named numbers, which the command line may override",
       {{"value", Type::number, required, "a number, or an expression of other parameters"}},
       "value"});
  s.push_back({"inputs",
               Form::named,
               "names that are set from outside during a run, and their values until then",
               {{"value", Type::number, required, "a number, or an expression of parameters"}},
               "value"});
  s.push_back(
      {"points",
       Form::named,
       "point masses: each owns the coordinates NAME.x, NAME.y (and NAME.z)",
       {{"mass", Type::number, optional,
         "mass [kg]; 0 when absent: uniform bars, [[kinetic]] or rigid constraints make up for it"},
        {"at", Type::vector, required,
         "position at the start [m]; three numbers make a point in space"},
        {"velocity", Type::vector, optional, "velocity at the start [m/s]; at rest when absent"},
        {"charge", Type::number, optional, "charge of [[pair]]s of Coulomb's law; 0 when absent"},
        keep_key,
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
                 "inertia [kg, kg m^2]; 0 when absent: [[kinetic]] gives it, or a rigid constraint "
                 "determines the coordinate"},
                {"at", Type::number, optional, "value at the start; 0 when absent"},
                {"velocity", Type::number, optional, "velocity at the start; 0 when absent"},
                keep_key,
                repeat_key},
               "at"});
  s.push_back({"states",
               Form::named,
               "first-order states: NAME' = rate; controllers, actuators, temperatures, pressures",
               {{"rate", Type::number, required,
                 "what the state changes by per second, an expression of parameters, t, "
                 "coordinates, velocities and states"},
                {"at", Type::number, optional, "value at the start; 0 when absent"},
                repeat_key}});
  s.push_back(
      {"definitions",
       Form::named,
       "named sub-expressions of parameters, t, coordinates, velocities and states",
       {{"value", Type::number, required, "the expression the name stands for"}, repeat_key},
       "value"});
  s.push_back(
      {"tables",
       Form::named,
       "functions that are given by numbers: expressions call them as NAME(x), or NAME(x, y)",
       {{"file", Type::text, optional,
         "file beside the model with two columns, x and y, or three: x, y and z"},
        {"columns", Type::plain_numbers, optional,
         "which columns of the file these are, from 1 on; all when absent"},
        {"x", Type::plain_numbers, optional, "without a file: the arguments, increasing"},
        {"y", Type::plain_numbers, optional,
         "the values there; of two variables the second one, increasing"},
        {"z", Type::matrix, optional,
         "of two variables: the values, a row for each x with a number for each y"},
        {"kind",
         Type::choice,
         optional,
         "what stands between the points: straight lines, a cubic spline, or cubics that grow and "
         "fall with the points; linear when absent",
         {"linear", "cubic", "monotone"}},
        {"periodic", Type::flag, optional,
         "whether it repeats itself in x, the last point being the first of the next period; false "
         "when absent"},
        {"outside",
         Type::choice,
         optional,
         "what it is beyond its points: an error, its value at the end, or a straight line with "
         "the slope at the end; refuse when absent",
         {"refuse", "hold", "extend"}}},
       "file"});
  s.push_back({"outputs",
               Form::named,
               "values that are columns of every file and plot, and names for expressions",
               {{"value", Type::number, required,
                 "expression of coordinates, velocities, t, definitions and other outputs; with "
                 "[jets], of unknowns and their derivatives"},
                repeat_key},
               "value"});
  const Section box{"box",
                    Form::table,
                    "periodic box: [[pair]]s see the nearest image of each other point",
                    {{"size", Type::vector, required, "lengths of its edges [m]"}}};
  const Section jets{
      "jets",
      Form::table,
      "a differential system of any order that is not stated as a mechanical one",
      {{"unknowns", Type::references, required, "names of the unknowns"},
       {"independent", Type::text, optional, "name of the variable they depend on; x when absent"},
       {"order", Type::number, optional,
        "of the system; that of the highest derivative that appears when absent"},
       repeat_key}};
  for (const ElementDescriptor* element : element_descriptors()) {
    if (element->key.empty()) continue;
    // among elements, where messages and the manual list them
    if (element->key == "body") s.push_back(box);
    if (element->key == "equation") s.push_back(jets);
    s.push_back(section_of(*element));
  }
  s.push_back({"vibration",
               Form::table,
               "fast external vibration with the phase theta = omega t + phase",
               {{"omega", Type::number, required, "frequency [rad/s]"},
                {"phase", Type::number, optional, "theta at t = 0 [rad]; 0 when absent"}}});
  s.push_back({"thermostat",
               Form::table,
               "heat bath of a Langevin motion: friction, and noise that makes up for it",
               {{"temperature", Type::number, required, "k T, in the unit of energy [J]"},
                {"friction", Type::number, optional,
                 "rate at which all velocities are forgotten [1/s]; this or drag"},
                {"drag", Type::number, optional,
                 "force per velocity [kg/s]: rate drag/mass of each coordinate"},
                {"seed", Type::number, optional, "of the noise, a whole number; 1 when absent"},
                {"after", Type::number, optional,
                 "its temperature is averaged from this time on [s]; 0 when absent"}}});
  const Key statistic_name{"name", Type::name, optional,
                           "of its file NAME.csv; its kind and number when absent"};
  const Key sample_every{"every", Type::number, optional,
                         "distance of samples [s], rounded to steps; every step when absent"};
  const Key sample_after{"after", Type::number, optional,
                         "no samples before this time [s]; 0 when absent"};
  const Key bins{"bins", Type::number, optional, "number of bins; 100 when absent"};
  const Key sampled{"value", Type::number, required, "expression of coordinates, velocities and t"};
  s.push_back({"histogram",
               Form::elements,
               "how often a value of a run lies where",
               {sampled,
                {"from", Type::number, required, "lower end of the bins"},
                {"to", Type::number, required, "upper end of the bins"},
                bins,
                sample_every,
                sample_after,
                statistic_name}});
  s.push_back({"radial_distribution",
               Form::elements,
               "distances between points of a group, or of two groups",
               {{"among", Type::patterns, required, "the points"},
                {"with", Type::patterns, optional,
                 "the other group; pairs within the first group when absent"},
                {"to", Type::number, required, "largest distance [m]"},
                bins,
                sample_every,
                sample_after,
                statistic_name}});
  s.push_back({"autocorrelation",
               Form::elements,
               "how long a value of a run resembles itself",
               {sampled,
                {"lag", Type::number, required, "longest time between two samples [s]"},
                sample_every,
                sample_after,
                statistic_name}});
  s.push_back({"drawing.points",
               Form::named,
               "points that are only shown, of use where coordinates are angles",
               {{"at", Type::vector, required,
                 "position [m]; expressions may use coordinates, definitions and t"},
                repeat_key},
               "at"});
  s.push_back(
      {"drawing.line",
       Form::elements,
       "a line that is only shown",
       {{"through", Type::references, required,
         "two or more points, anchors, markers of bodies or drawn points, in order"},
        {"load", Type::text, optional,
         "a constraint that keeps the length of this line, zero = \"distance - length\": it is "
         "shown as a rod, with the multiplier as its load"},
        repeat_key}});
  s.push_back({"start",
               Form::named,
               "start values that replace those given with the coordinates",
               {{"at", Type::number, optional, "position at the start"},
                {"velocity", Type::number, optional, "velocity at the start"},
                {"derivatives", Type::numbers, optional,
                 "of an unknown of [jets]: its first, second, ... derivative at the start"},
                keep_key,
                repeat_key},
               "at"});
  s.push_back(
      {"run",
       Form::table,
       "what `taut run` does when the command line does not say otherwise",
       {{"from", Type::number, optional, "time at the start [s]; 0 when absent"},
        {"until", Type::number, optional, "time at the end [s]"},
        {"step", Type::number, optional, "step of methods with a fixed step [s]"},
        {"tol", Type::number, optional, "tolerance of methods that choose their steps"},
        {"max_step", Type::number, optional,
         "no step of any method is longer [s]; with [jets]: of arc length, or of x"},
        {"every", Type::number, optional,
         "distance of output times [s]; the steps themselves when absent"},
        {"omega", Type::number, optional, "frequency of the penalized reading [rad/s]"},
        {"reading", Type::text, optional, "reading of the model; the model as written when absent"},
        {"method", Type::text, optional, "method; taut chooses when absent, and says why"},
        {"error_estimate", Type::flag, optional,
         "whether a second run tells how exact the motion is; where that is quick when absent"},
        {"at_impasse",
         Type::choice,
         optional,
         "what a run with [jets] does where the solution turns back; continue when absent",
         {"continue", "stop"}},
        {"columns",
         Type::choice,
         optional,
         "of the motion: all quantities of elements, only what is stated, or auto, all where they "
         "are not too many; auto when absent",
         {"auto", "all", "stated"}}}});
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
    case Type::space_vector:
      return "three numbers or expressions, such as [0, 0, \"h/2\"]";
    case Type::inertia:
      return "a number or an expression, or three or six of them, such as [1, 2, \"2*a\"]";
    case Type::numbers:
      return "one or more numbers or expressions, such as [0, \"-a\"]";
    case Type::plain_numbers:
      return "one or more numbers, such as [0, 2.5]";
    case Type::matrix:
      return "rows of numbers, equally long, such as [[1, 2], [3, 4]]";
    case Type::assignments:
      return "names with a number or expression each, such as { \"bob.vx\" = \"-0.8*bob.vx\" }";
    case Type::markers:
      return "names with up to three numbers or expressions each, such as { tip = [0, \"h/2\"] }";
    case Type::reference:
      return "a name in quotes";
    case Type::references:
      return "names in quotes, such as [\"a\", \"b\"]";
    case Type::pair:
      return "two names, such as [\"origin\", \"bob\"]";
    case Type::patterns:
      return "names of points in quotes, such as [\"w*O\"]; * stands for any characters";
    case Type::name:
      return "a name in quotes: letters, digits and _";
    case Type::text:
      return "text in quotes";
    case Type::choice:
      return fmt::format("\"{}\"", fmt::join(key.choices, "\" or \""));
    case Type::flag:
      return "true or false";
    case Type::repeat:
      return "indices with ranges, such as { k = \"1:n\" }";
  }
  return {};
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names{
      "t",    "pi",    "e",     "v",    "origin", "sqrt", "exp",   "log",  "sin",
      "cos",  "tan",   "asin",  "acos", "atan",   "sinh", "cosh",  "tanh", "abs",
      "sign", "floor", "atan2", "pow",  "min",    "max",  "hypot", "less", "select"};
  return names;
}

}  // namespace taut::model_file
