// SPDX-License-Identifier: BSD-3-Clause
#include <cassert>

#include "model/model_file_elements.hpp"

namespace taut::model_file {

decltype(Element::what) body(const Fields& fields) {
  Body body;
  if (const auto name = fields.name("name")) body.prefix = name->text;
  body.mass = fields.number("mass", 1.0);
  body.inertia = fields.numbers("inertia");
  body.at = fields.numbers("at");
  body.velocity = fields.numbers("velocity");
  body.rotation = fields.numbers("rotation");
  body.spin = fields.numbers("spin");
  body.compliance = fields.number("compliance", 0.0);
  // three numbers for each name
  const auto names = fields.names("markers");
  const auto at = fields.numbers("markers");
  assert(at.size() == 3 * names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    body.markers.push_back({names[i].text, {at[3 * i], at[3 * i + 1], at[3 * i + 2]}});
  return body;
}

decltype(Element::what) joint(const Fields& fields) {
  const std::string kind = fields.text("kind");
  const auto between = fields.names("between");
  assert(between.size() == 2);
  return Joint{.kind = kind == "hinge"   ? Joint::Kind::hinge
                       : kind == "fixed" ? Joint::Kind::fixed
                                         : Joint::Kind::ball,
               .between = {between[0], between[1]},
               .at = fields.numbers("at"),
               .axis = fields.numbers("axis"),
               .compliance = fields.number("compliance", 0.0)};
}

}  // namespace taut::model_file
