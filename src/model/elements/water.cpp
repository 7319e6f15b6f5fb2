// SPDX-License-Identifier: BSD-3-Clause
// Water, TIP3P (jorgensen1983): lengths in Angstrom, masses in u, energies in kcal/mol or eV.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/rod.hpp"
#include "model/pair_groups.hpp"

namespace taut {
namespace {

constexpr double oxygen_mass = 15.9994;    // [u]
constexpr double hydrogen_mass = 1.008;    // [u]
constexpr double oxygen_charge = -0.834;   // [e]
constexpr double hydrogen_charge = 0.417;  // [e]
constexpr double bond_length = 0.9572;     // [Angstrom]
constexpr double bond_angle = 104.52 * std::numbers::pi / 180.0;
constexpr double repulsion = 582.0e3;        // [kcal Angstrom^12 / mol]
constexpr double attraction = 595.0;         // [kcal Angstrom^6 / mol]
constexpr double coulomb = 332.0637;         // [kcal Angstrom / (mol e^2)]
constexpr double kcal_per_ev = 23.06054783;  // kcal/mol in one eV
constexpr double default_spacing = 3.1;      // [Angstrom]: density of the liquid
constexpr double smallest_spacing = 2.0;     // [Angstrom]: hydrogens of neighbours cannot meet
constexpr double most_molecules = 1e5;

/// Places of both hydrogens, seen from the oxygen, in the orientation of molecule k: quaternions
/// that fill the rotations evenly, so that neighbours differ.
std::array<std::array<double, 3>, 2> hydrogens(int k) {
  const auto part = [k](double step) { return std::fmod(step * (k + 0.5), 1.0); };
  // powers of 1/1.2207..., the root of x^4 = x + 1
  const double u = part(0.8191725133961645);
  const double s = 2.0 * std::numbers::pi * part(0.6710436067037893);
  const double t = 2.0 * std::numbers::pi * part(0.5497004779019703);
  const double x = std::sqrt(1.0 - u) * std::sin(s), y = std::sqrt(1.0 - u) * std::cos(s);
  const double z = std::sqrt(u) * std::sin(t), w = std::sqrt(u) * std::cos(t);
  const std::array<std::array<double, 3>, 2> axes{
      {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
       {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)}}};
  std::array<std::array<double, 3>, 2> result{};
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < 3; ++i)
      result[h][i] =
          bond_length * (std::cos(bond_angle / 2.0) * axes[0][i] +
                         (h == 0 ? 1.0 : -1.0) * std::sin(bond_angle / 2.0) * axes[1][i]);
  return result;
}

/// Sites of water, whose molecules act on one another.
struct WaterSites {
  std::string units;
  std::optional<PairSwitch> range;
  std::string electrostatics;
  double accuracy;  ///< of Ewald's sum; 0: none
  std::vector<int> oxygens, all;
  std::string label;  ///< of the first table
  Position at;
};

/// What all [[water]] of a model share.
struct Waters {
  std::set<std::string> names;
  std::vector<std::vector<double>> centres;
  std::optional<WaterSites> sites;
};

/// Molecules on a lattice.
void declare(const Water& water, const Element& element, ElementContext& context) {
  Waters& waters = context.shared<Waters>();
  const std::vector<double>& box = context.box();
  const std::optional<double> molecules = context.number(water.molecules, "molecules");
  const auto given_centre = context.numbers(water.at, "at");
  std::optional<double> spacing = default_spacing;
  if (water.spacing) spacing = context.number(*water.spacing, "spacing");
  if (!element.repeat.ranges.empty())
    context.refuse(context.at(), {}, "[[water]] cannot be repeated",
                   "write one table for each group of molecules");
  if (molecules &&
      (*molecules < 1.0 || *molecules != std::floor(*molecules) || *molecules > most_molecules)) {
    context.refuse(water.molecules.at(), "molecules", fmt::format("{} molecules", *molecules),
                   fmt::format("give a whole number from 1 to {}", most_molecules));
    return;
  }
  if (!molecules || !given_centre || !spacing) return;
  const std::vector<double> centre =
      given_centre->empty() ? std::vector<double>(3, 0.0) : plain(*given_centre);
  if (centre.size() != 3) {
    context.refuse(context.at(), "at", "has two numbers, and water is in space",
                   "give three numbers");
    return;
  }
  if (!waters.names.insert(water.prefix).second) {
    context.refuse(context.at(), {},
                   fmt::format("another [[water]] has the name '{}'", water.prefix),
                   "give it a name of its own");
    return;
  }
  // [start] may put them elsewhere
  if (std::find(waters.centres.begin(), waters.centres.end(), centre) != waters.centres.end() &&
      context.model().start.empty())
    context.refuse(context.at(), "at", "its molecules would overlap those of the water before",
                   "give the centre of its lattice, away from the other");
  waters.centres.push_back(centre);
  const int side = static_cast<int>(std::ceil(std::cbrt(*molecules) - 1e-9));
  std::array<double, 3> step{*spacing, *spacing, *spacing};
  if (box.size() == 3 && !water.spacing)
    for (std::size_t i = 0; i < 3; ++i) step[i] = box[i] / side;
  double tightest = *std::min_element(step.begin(), step.end());
  // the last of a line and the image of the first
  if (box.size() == 3)
    for (std::size_t i = 0; i < 3; ++i)
      tightest = std::min(tightest, box[i] - (side - 1) * step[i]);
  if (!(tightest >= smallest_spacing)) {
    context.refuse(water.spacing ? water.spacing->at() : context.at(), "spacing",
                   fmt::format("molecules {} apart would overlap", tightest),
                   fmt::format("leave at least {} between them: fewer molecules, or a larger box",
                               smallest_spacing));
    return;
  }
  for (int k = 0; k < static_cast<int>(*molecules); ++k) {
    const std::array<int, 3> cell{k % side, k / side % side, k / (side * side)};
    std::vector<double> at(3);
    for (std::size_t i = 0; i < 3; ++i) at[i] = centre[i] + step[i] * (cell[i] - (side - 1) / 2.0);
    const auto add = [&](const char* site, const std::vector<double>& x, double mass,
                         double charge) {
      const std::string name = fmt::format("{}{}{}", water.prefix, k + 1, site);
      context.declare(name);
      context.add_point({.name = name, .at = {x.begin(), x.end()}, .mass = mass, .charge = charge});
    };
    add("O", at, oxygen_mass, oxygen_charge);
    const auto h = hydrogens(k);
    const auto beside = [&](std::size_t n) {
      return std::vector{at[0] + h[n][0], at[1] + h[n][1], at[2] + h[n][2]};
    };
    add("Ha", beside(0), hydrogen_mass, hydrogen_charge);
    add("Hb", beside(1), hydrogen_mass, hydrogen_charge);
  }
}

/// Three rods for each molecule, and the sites that act on one another.
void compile(const Water& water, ElementContext& context) {
  // its points stand already; mistakes in its fields are reported there
  const std::optional<double> molecules = context.number(water.molecules, {});
  const auto softness = context.softness(water.compliance);
  if (!molecules || !softness) return;
  const std::vector<double>& box = context.box();
  const auto& points = context.symbols().points;
  const std::array<std::array<const char*, 2>, 3> rods{{{"O", "Ha"}, {"O", "Hb"}, {"Ha", "Hb"}}};
  const auto accuracy = accuracy_of(water.electrostatics, water.accuracy, context);
  if (!accuracy) return;
  WaterSites sites{.units = water.units,
                   .range = range_of(water.cutoff, {}, context),
                   .electrostatics = water.electrostatics,
                   .accuracy = *accuracy,
                   .oxygens = {},
                   .all = {},
                   .label = context.label(),
                   .at = context.at()};
  if (!water.cutoff && box.size() == 3) {
    const double half = *std::min_element(box.begin(), box.end()) / 2.0;
    sites.range = PairSwitch{.from = 0.9 * half, .cutoff = half};
  }
  for (int k = 1; k <= static_cast<int>(std::min(*molecules, most_molecules)); ++k) {
    const auto site = [&](const char* name) {
      return points.find(fmt::format("{}{}{}", water.prefix, k, name));
    };
    if (site("O") == points.end() || site("Hb") == points.end()) return;
    for (const auto& [a, b] : rods) {
      const bool along = std::string_view{a} == "O";
      const double length = along ? bond_length : 2.0 * bond_length * std::sin(bond_angle / 2.0);
      elements::add_rod(context, {End{.point = &site(a)->second}, End{.point = &site(b)->second}},
                        length, *softness, fmt::format("{}{} {}{}", water.prefix, k, a, b));
    }
    sites.oxygens.push_back(site("O")->second.first);
    for (const char* name : {"O", "Ha", "Hb"}) sites.all.push_back(site(name)->second.first);
  }

  // molecules of all tables act on one another
  std::optional<WaterSites>& before = context.shared<Waters>().sites;
  if (!before) {
    before = std::move(sites);
    return;
  }
  if (before->units != sites.units || before->range.has_value() != sites.range.has_value() ||
      (sites.range && before->range->cutoff != sites.range->cutoff) ||
      before->electrostatics != sites.electrostatics || before->accuracy != sites.accuracy) {
    context.refuse(context.at(), {},
                   "has other units, another cut-off or electrostatics than the water before",
                   "give all [[water]] the same: its molecules act on one another");
    return;
  }
  before->oxygens.insert(before->oxygens.end(), sites.oxygens.begin(), sites.oxygens.end());
  before->all.insert(before->all.end(), sites.all.begin(), sites.all.end());
}

/// The pairs between all molecules.
void act_on_one_another(ElementContext& context) {
  const std::optional<WaterSites>& waters = context.shared<Waters>().sites;
  if (!waters) return;
  const double unit = waters->units == "eV" ? kcal_per_ev : 1.0;
  ElementContext water = context.called(waters->label, waters->at);
  const auto add = [&](std::vector<int> sites, PairLaw law, double accuracy = 0.0) {
    std::sort(sites.begin(), sites.end());
    law.label = waters->label;
    return add_pairs({.law = std::move(law),
                      .among = sites,
                      .with = sites,
                      .range = waters->range,
                      .accuracy = accuracy},
                     water);
  };
  // what is wrong with the one is wrong with the other
  if (add(waters->oxygens, {.repulsion = repulsion / unit, .attraction = attraction / unit}) &&
      waters->electrostatics != "none")
    add(waters->all, {.coulomb = coulomb / unit}, waters->accuracy);
}

}  // namespace

template <>
const ElementDescriptor& describe<Water>() {
  using model_file::Type;
  static const ElementDescriptor descriptor = make_descriptor<Water>({
      .key = "water",
      .meaning = "molecules of water (TIP3P) on a lattice: points NAME1O, NAME1Ha, NAME1Hb, ...",
      .fields = {{.name = "name", .holds = &Water::prefix, .meaning = "NAME of its points"},
                 {.name = "molecules",
                  .holds = &Water::molecules,
                  .meaning = "number of molecules",
                  .required = true},
                 {.name = "units",
                  .holds = &Water::units,
                  .meaning = "of energy, with lengths in Angstrom and masses in u",
                  .type = Type::choice,
                  .choices = {"kcal/mol", "eV"}},
                 {.name = "spacing",
                  .holds = &Water::spacing,
                  .meaning = "of the lattice",
                  .unit = "Angstrom",
                  .absent = "3.1",
                  .effect = ", and in a [box] what fills it"},
                 {.name = "at",
                  .holds = &Water::at,
                  .meaning = "centre of the lattice",
                  .absent = "the origin"},
                 {.name = "compliance",
                  .holds = &Water::compliance,
                  .meaning = "compliance of each rod",
                  .effect = ": rigid"},
                 {.name = "cutoff",
                  .holds = &Water::cutoff,
                  .meaning = "of the pairs",
                  .absent = "none",
                  .effect = ", and in a [box] half of its shortest edge"},
                 {.name = "electrostatics",
                  .holds = &Water::electrostatics,
                  .meaning = "what charges do beyond the cut-off; none: charges act by a [[pair]] "
                             "of the model's own",
                  .type = Type::choice,
                  .choices = {"reaction-field", "ewald", "none"}},
                 {.name = "accuracy",
                  .holds = &Water::accuracy,
                  .meaning = "of Ewald's sum, as of a [[pair]]",
                  .absent = "1e-6"}},
      .compile = compile,
      .declare = declare,
      .finish = act_on_one_another,
      .owns = Owns::molecules,
      .may_repeat = false,
      .others_need_it = true,
      .own_units = true,
  });
  return descriptor;
}

}  // namespace taut
