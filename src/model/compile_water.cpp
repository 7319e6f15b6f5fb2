// SPDX-License-Identifier: BSD-3-Clause
// Water, TIP3P (jorgensen1983): lengths in Angstrom, masses in u, energies in kcal/mol or eV.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "model/compiler.hpp"

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

}  // namespace

void Compiler::compile_waters() {
  int number_of_water = 0;
  std::set<std::string_view> names;
  std::vector<std::vector<double>> centres;
  for (const Element& element : model_.elements) {
    const auto* water = std::get_if<Water>(&element.what);
    if (water == nullptr) continue;
    const std::string where = fmt::format("water {}", ++number_of_water);
    const auto molecules = number_of(water->molecules, where + ": molecules");
    auto centre = numbers_of(water->at, where + ": at", {});
    std::optional<double> spacing = default_spacing;
    if (water->spacing) spacing = number_of(*water->spacing, where + ": spacing");
    if (!element.repeat.ranges.empty())
      problems_.add(element.position, where, "[[water]] cannot be repeated",
                    "write one table for each group of molecules");
    if (molecules &&
        (*molecules < 1.0 || *molecules != std::floor(*molecules) || *molecules > most_molecules)) {
      problems_.add(water->molecules.at(), where + ": molecules",
                    fmt::format("{} molecules", *molecules),
                    fmt::format("give a whole number from 1 to {}", most_molecules));
      continue;
    }
    if (!molecules || !centre || !spacing) continue;
    if (centre->empty()) centre->assign(3, 0.0);
    if (centre->size() != 3) {
      problems_.add(element.position, where + ": at", "has two numbers, and water is in space",
                    "give three numbers");
      continue;
    }
    if (!names.insert(water->prefix).second) {
      problems_.add(element.position, where,
                    fmt::format("another [[water]] has the name '{}'", water->prefix),
                    "give it a name of its own");
      continue;
    }
    // [start] may put them elsewhere
    if (std::find(centres.begin(), centres.end(), *centre) != centres.end() && model_.start.empty())
      problems_.add(element.position, where + ": at",
                    "its molecules would overlap those of the water before",
                    "give the centre of its lattice, away from the other");
    centres.push_back(*centre);
    const int side = static_cast<int>(std::ceil(std::cbrt(*molecules) - 1e-9));
    std::array<double, 3> step{*spacing, *spacing, *spacing};
    if (box_.size() == 3 && !water->spacing)
      for (std::size_t i = 0; i < 3; ++i) step[i] = box_[i] / side;
    double tightest = *std::min_element(step.begin(), step.end());
    // the last of a line and the image of the first
    if (box_.size() == 3)
      for (std::size_t i = 0; i < 3; ++i)
        tightest = std::min(tightest, box_[i] - (side - 1) * step[i]);
    if (!(tightest >= smallest_spacing)) {
      problems_.add(water->spacing ? water->spacing->at() : element.position, where + ": spacing",
                    fmt::format("molecules {} apart would overlap", tightest),
                    fmt::format("leave at least {} between them: fewer molecules, or a larger box",
                                smallest_spacing));
      continue;
    }
    for (int k = 0; k < static_cast<int>(*molecules); ++k) {
      const std::array<int, 3> cell{k % side, k / side % side, k / (side * side)};
      std::vector<double> at(3);
      for (std::size_t i = 0; i < 3; ++i)
        at[i] = (*centre)[i] + step[i] * (cell[i] - (side - 1) / 2.0);
      const auto add = [&](const char* site, const std::vector<double>& x, double mass,
                           double charge) {
        const std::string name = fmt::format("{}{}{}", water->prefix, k + 1, site);
        declare(name, where, element.position);
        add_point(name, x, {});
        mass_.resize(q_.size(), mass);
        charge_.resize(q_.size() - 3, 0.0);
        charge_.resize(q_.size(), charge);
      };
      add("O", at, oxygen_mass, oxygen_charge);
      const auto h = hydrogens(k);
      const auto beside = [&](std::size_t n) {
        return std::vector{at[0] + h[n][0], at[1] + h[n][1], at[2] + h[n][2]};
      };
      add("Ha", beside(0), hydrogen_mass, hydrogen_charge);
      add("Hb", beside(1), hydrogen_mass, hydrogen_charge);
    }
    position_of_coordinate_.resize(q_.size(), element.position);
  }
}

void Compiler::compile(const Water& water, const Copy& copy) {
  // its points stand already; mistakes in its fields are reported there
  const auto molecules = number(water.molecules, symbols_, copy.label, problems_);
  const auto softness = softness_of(water.compliance, 0.0, copy);
  if (!molecules || !softness) return;
  const std::array<std::array<const char*, 2>, 3> rods{{{"O", "Ha"}, {"O", "Hb"}, {"Ha", "Hb"}}};
  WaterSites sites{.units = water.units, .range = range_of(water.cutoff, {}, copy)};
  if (!water.cutoff && box_.size() == 3) {
    const double half = *std::min_element(box_.begin(), box_.end()) / 2.0;
    sites.range = PairSwitch{.from = 0.9 * half, .cutoff = half};
  }
  for (int k = 1; k <= static_cast<int>(std::min(*molecules, most_molecules)); ++k) {
    const auto site = [&](const char* name) {
      return symbols_.points.find(fmt::format("{}{}{}", water.prefix, k, name));
    };
    if (site("O") == symbols_.points.end() || site("Hb") == symbols_.points.end()) return;
    for (const auto& [a, b] : rods) {
      const bool along = std::string_view{a} == "O";
      const double length = along ? bond_length : 2.0 * bond_length * std::sin(bond_angle / 2.0);
      add_rod({End{.point = &site(a)->second}, End{.point = &site(b)->second}}, length, *softness,
              fmt::format("{}{} {}{}", water.prefix, k, a, b));
    }
    sites.oxygens.push_back(site("O")->second.first);
    for (const char* name : {"O", "Ha", "Hb"}) sites.all.push_back(site(name)->second.first);
  }

  // molecules of all tables act on one another
  if (waters_ &&
      (waters_->units != sites.units || waters_->range.has_value() != sites.range.has_value() ||
       (sites.range && waters_->range->cutoff != sites.range->cutoff))) {
    problems_.add(copy.at, copy.label, "has other units or another cut-off than the water before",
                  "give all [[water]] the same: its molecules act on one another");
    return;
  }
  if (!waters_) {
    waters_ = std::move(sites);
    waters_->label = copy.label;
    waters_->at = copy.at;
    return;
  }
  waters_->oxygens.insert(waters_->oxygens.end(), sites.oxygens.begin(), sites.oxygens.end());
  waters_->all.insert(waters_->all.end(), sites.all.begin(), sites.all.end());
}

void Compiler::add_water_pairs() {
  if (!waters_) return;
  const double unit = waters_->units == "eV" ? kcal_per_ev : 1.0;
  const Copy copy{waters_->label, waters_->at, {}};
  const auto add = [&](std::vector<int> sites, PairLaw law) {
    std::sort(sites.begin(), sites.end());
    law.label = waters_->label;
    return add_pairs(
        {.law = std::move(law), .among = sites, .with = sites, .range = waters_->range}, copy);
  };
  // what is wrong with the one is wrong with the other
  if (add(waters_->oxygens, {.repulsion = repulsion / unit, .attraction = attraction / unit}))
    (void)add(waters_->all, {.coulomb = coulomb / unit});
}

}  // namespace taut
