// SPDX-License-Identifier: BSD-3-Clause
#include <cassert>

#include "model/model_file_elements.hpp"

namespace taut::model_file {

decltype(Element::what) pair_law(const Fields& fields) {
  const std::string law = fields.text("law");
  return Pair{.law = law == "coulomb" ? Pair::Law::coulomb
                     : law == "power" ? Pair::Law::power
                                      : Pair::Law::lennard_jones,
              .among = fields.names("among"),
              .with = fields.names("with"),
              .epsilon = fields.number("epsilon"),
              .sigma = fields.number("sigma"),
              .repulsion = fields.number("repulsion"),
              .attraction = fields.number("attraction"),
              .strength = fields.number("strength"),
              .exponent = fields.number("exponent"),
              .cutoff = fields.number("cutoff"),
              .from = fields.number("from"),
              .apart = fields.number("apart", 3.0)};
}

decltype(Element::what) water(const Fields& fields) {
  Water water;
  if (const auto name = fields.name("name")) water.prefix = name->text;
  if (const auto units = fields.name("units")) water.units = units->text;
  water.molecules = fields.number("molecules", 1.0);
  water.spacing = fields.number("spacing");
  water.at = fields.numbers("at");
  water.compliance = fields.number("compliance", 0.0);
  water.cutoff = fields.number("cutoff");
  return water;
}

decltype(Element::what) bond(const Fields& fields) {
  const auto between = fields.names("between");
  assert(between.size() == 2);
  return Bond{.between = {between[0], between[1]},
              .stiffness = fields.number("stiffness", 0.0),
              .length = fields.number("length"),
              .depth = fields.number("depth")};
}

decltype(Element::what) angle(const Fields& fields) {
  return Angle{.between = fields.names("between"),
               .stiffness = fields.number("stiffness", 0.0),
               .angle = fields.number("angle")};
}

decltype(Element::what) dihedral(const Fields& fields) {
  return Dihedral{.between = fields.names("between"),
                  .barrier = fields.number("barrier", 0.0),
                  .multiplicity = fields.number("multiplicity", 1.0),
                  .phase = fields.number("phase", 0.0)};
}

}  // namespace taut::model_file
