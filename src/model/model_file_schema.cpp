// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_schema.hpp"

#include <algorithm>

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
const Key between_key{"between", Type::pair, required,
                      "the two points, anchors or markers it joins"};

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
        {"charge", Type::number, optional, "charge of [[pair]]s of Coulomb's law; 0 when absent"},
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
  s.push_back(element(
      "gravity", "uniform gravity on point masses, uniform bars and bodies",
      {{"acceleration", Type::vector, required, "acceleration [m/s^2]"},
       {"on", Type::references, optional, "the points and bodies it acts on; all when absent"}}));
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
      "pair", "a law between all pairs of points of a group, or of two groups",
      {{"law",
        Type::choice,
        required,
        "energy of a pair at the distance r",
        {"lennard-jones", "coulomb", "power"}},
       {"among", Type::patterns, optional, "the points; all when absent"},
       {"with", Type::patterns, optional,
        "the other group; pairs within the first group when absent"},
       {"epsilon", Type::number, optional,
        "of 4 epsilon ((sigma/r)^12 - (sigma/r)^6), Lennard-Jones [J]"},
       {"sigma", Type::number, optional, "with epsilon [m]"},
       {"repulsion", Type::number, optional,
        "instead of epsilon and sigma: of repulsion/r^12 - attraction/r^6 [J m^12]"},
       {"attraction", Type::number, optional, "with repulsion [J m^6]"},
       {"strength", Type::number, optional,
        "of Coulomb's strength charge charge'/r, 1 when absent; of the power law strength "
        "r^exponent"},
       {"exponent", Type::number, optional, "of the power law"},
       {"cutoff", Type::number, optional,
        "distance beyond which there is no force [m]; none when absent. Coulomb's ends there with "
        "a reaction field, others with a smooth switch"},
       {"from", Type::number, optional,
        "where the switch to 0 at the cut-off begins [m]; 0.9 of the cut-off when absent; not for "
        "Coulomb's"},
       {"apart", Type::number, optional,
        "points joined by fewer rods, springs and bonds than this have no such force; 3 when "
        "absent"}}));
  s.push_back(element(
      "water", "molecules of water (TIP3P) on a lattice: points NAME1O, NAME1Ha, NAME1Hb, ...",
      {{"name", Type::name, optional, "NAME of its points; water when absent"},
       {"molecules", Type::number, required, "number of molecules"},
       {"units",
        Type::choice,
        optional,
        "of energy, with lengths in Angstrom and masses in u; kcal/mol when absent",
        {"kcal/mol", "eV"}},
       {"spacing", Type::number, optional,
        "of the lattice [Angstrom]; 3.1 when absent, and in a [box] what fills it"},
       {"at", Type::vector, optional, "centre of the lattice; the origin when absent"},
       {"compliance", Type::number, optional, "compliance of each rod; 0 when absent: rigid"},
       {"cutoff", Type::number, optional,
        "of the pairs; none when absent, and in a [box] half of its shortest edge"}}));
  s.push_back(
      element("bond", "bond with the energy stiffness/2 (distance - length)^2, or Morse's",
              {between_key,
               {"stiffness", Type::number, required, "stiffness at rest [N/m]"},
               {"length", Type::number, optional,
                "length at rest [m]; the distance at the start when absent"},
               {"depth", Type::number, optional,
                "of Morse's well [J]: energy that breaks the bond; harmonic when absent"}}));
  s.push_back(element("angle",
                      "keeps the angle at the middle one of three points: stiffness/2 (angle - "
                      "its value at rest)^2",
                      {{"between", Type::references, required, "three points or anchors"},
                       {"stiffness", Type::number, required, "stiffness [N m]"},
                       {"angle", Type::number, optional,
                        "angle at rest [rad], at most pi; that of the start when absent"}}));
  s.push_back(
      element("dihedral",
              "torsion of four points about the middle two: barrier/2 (1 + cos(multiplicity "
              "phi - phase)), phi = pi where they are spread out",
              {{"between", Type::references, required, "four points or anchors in space"},
               {"barrier", Type::number, required, "height of the barriers [J]"},
               {"multiplicity", Type::number, optional, "number of barriers; 1 when absent"},
               {"phase", Type::number, optional, "of the first barrier [rad]; 0 when absent"}}));
  s.push_back({"box",
               Form::table,
               "periodic box: [[pair]]s see the nearest image of each other point",
               {{"size", Type::vector, required, "lengths of its edges [m]"}}});
  s.push_back(element(
      "body",
      "a rigid body: its centre of mass is the point NAME, the columns of its rotation matrix "
      "NAME.r11, ..., NAME.r33 are its axes in space",
      {{"name", Type::name, required, "NAME of the body"},
       {"mass", Type::number, required, "mass [kg]"},
       {"inertia", Type::inertia, required,
        "about the centre of mass, in the body's axes [kg m^2]: principal moments, or xx, yy, zz, "
        "xy, xz, yz"},
       {"at", Type::space_vector, optional,
        "centre of mass at the start [m]; the origin when absent"},
       {"velocity", Type::space_vector, optional,
        "its velocity at the start [m/s]; at rest when absent"},
       {"rotation", Type::space_vector, optional,
        "how the body is turned at the start, axis times angle [rad]; not at all when absent"},
       {"spin", Type::space_vector, optional,
        "angular velocity at the start, in the body's axes [rad/s]; none when absent"},
       {"compliance", Type::number, optional,
        "of its rigidity [1/(N m)], see the manual; 0 when absent: rigid"},
       {"markers", Type::markers, optional,
        "points NAME.MARKER of the body, in its axes from the centre of mass [m]"}}));
  s.push_back(element(
      "joint", "joint between two bodies, or a body and the ground",
      {{"kind",
        Type::choice,
        required,
        "what it leaves free: every turn, that about an axis, nothing",
        {"ball", "hinge", "fixed"}},
       {"between", Type::pair, required, "two bodies, or a body and \"ground\""},
       {"at", Type::space_vector, required, "where it sits at the start, in space [m]"},
       {"axis", Type::space_vector, optional, "direction of a hinge at the start, in space"},
       {"compliance", Type::number, optional,
        "of each of its rows [m/N, 1/(N m)]; 0 when absent: rigid"}}));
  s.push_back(element(
      "potential", "potential energy",
      {{"energy", Type::number, required, "energy [J], an expression of coordinates and t"}}));
  s.push_back(element(
      "force", "force on a coordinate, a point or a marker",
      {{"on", Type::reference, required, "the coordinate, point or marker it acts on"},
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
              {{"value", Type::number, required,
                "expression of coordinates, velocities and t; with [jets], of unknowns and their "
                "derivatives"}}));
  s.push_back(
      element("event", "something that happens when an expression crosses zero",
              {{"zero", Type::number, required,
                "expression of coordinates, velocities and t; with [jets], of unknowns and their "
                "derivatives"},
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
  s.push_back(
      {"jets",
       Form::table,
       "a differential system of any order that is not stated as a mechanical one",
       {{"unknowns", Type::references, required, "names of the unknowns"},
        {"independent", Type::text, optional, "name of the variable they depend on; x when absent"},
        {"order", Type::number, optional,
         "of the system; that of the highest derivative that appears when absent"},
        repeat_key}});
  s.push_back(element("equation", "an equation of the system that [jets] states",
                      {{"zero", Type::number, required,
                        "expression of the unknowns, their derivatives and the independent "
                        "variable that is kept at 0"}}));
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
        {"every", Type::number, optional,
         "distance of output times [s]; the steps themselves when absent"},
        {"omega", Type::number, optional, "frequency of the penalized reading [rad/s]"},
        {"reading", Type::text, optional, "reading of the model; the model as written when absent"},
        {"method", Type::text, optional, "method; taut chooses when absent, and says why"},
        {"at_impasse",
         Type::choice,
         optional,
         "what a run with [jets] does where the solution turns back; continue when absent",
         {"continue", "stop"}}}});
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
      return "three numbers or expressions, such as [1, 2, \"2*a\"], or six";
    case Type::numbers:
      return "one or more numbers or expressions, such as [0, \"-a\"]";
    case Type::markers:
      return "names with three numbers or expressions each, such as { tip = [0, 0, \"h/2\"] }";
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
    case Type::repeat:
      return "indices with ranges, such as { k = \"1:n\" }";
  }
  return {};
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names{
      "t",     "theta", "pi",   "e",    "v",    "origin", "sqrt", "exp",   "log", "sin",
      "cos",   "tan",   "asin", "acos", "atan", "sinh",   "cosh", "tanh",  "abs", "sign",
      "floor", "atan2", "pow",  "min",  "max",  "hypot",  "less", "select"};
  return names;
}

}  // namespace taut::model_file
