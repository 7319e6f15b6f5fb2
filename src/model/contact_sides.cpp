// SPDX-License-Identifier: BSD-3-Clause
#include "model/elements/contact_sides.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "model/elements/contact_law.hpp"
#include "model/elements/frame.hpp"
#include "model/pair_groups.hpp"

namespace taut::elements {
namespace {

/// One number, or that of each side.
std::optional<std::array<Number, 2>> of_both(const std::vector<Value>& values,
                                             std::string_view field, ElementContext& context) {
  if (values.size() > 2) {
    context.refuse(values.front().at(), field, fmt::format("has {} numbers", values.size()),
                   "give one, or two: of among, and of the other side");
    return {};
  }
  const auto numbers = context.numbers(values, field);
  if (!numbers || numbers->empty()) return {};
  return std::array{numbers->front(), numbers->back()};
}

/// (1 - ν²)/E of both sides, summed up.
std::optional<Number> modulus(const Contact& contact, ElementContext& context) {
  const auto E = of_both(contact.young, "young", context);
  const auto nu = contact.poisson.empty() ? std::optional{std::array<Number, 2>{0.0, 0.0}}
                                          : of_both(contact.poisson, "poisson", context);
  if (contact.poisson.empty())
    context.refuse(contact.young.front().at(), "young", "stands without poisson",
                   "give Poisson's ratio as well, such as poisson = 0.3");
  if (!E || !nu || contact.poisson.empty()) return {};
  Number sum = 0.0;
  for (const std::size_t side : {0, 1}) {
    const Number& e = (*E)[side];
    const Number& n = (*nu)[side];
    if (!(e > 0.0)) {
      context.refuse(contact.young.front().at(), "young", fmt::format("{} is not > 0", e.value()),
                     "give a modulus > 0");
      return {};
    }
    if (!(n >= 0.0 && n <= 0.5)) {
      context.refuse(contact.poisson.front().at(), "poisson",
                     fmt::format("{} is not between 0 and 0.5", n.value()),
                     "give Poisson's ratio, such as 0.3");
      return {};
    }
    sum += (1.0 - n * n) / e;
  }
  return 1.0 / sum;
}

/// The radius of a body that is drawn as a sphere; 0 where it is not.
Number radius_of_shape(const std::string& body, ElementContext& context) {
  const ShownBody* const shown = context.look_of(body);
  const bool is_sphere = shown != nullptr && shown->look.shape == Scene::Body::Shape::sphere;
  return is_sphere ? shown->box[0] / 2.0 : Number{0.0};
}

std::optional<Symbols::BodyEntry> body_of(const std::string& name, const End& end,
                                          const Symbols& symbols) {
  if (end.marker != nullptr) return end.marker->body;
  const auto it = symbols.bodies.find(name);
  return it != symbols.bodies.end() ? std::optional{it->second} : std::nullopt;
}

std::optional<std::vector<Sphere>> spheres(const std::vector<Name>& names, std::string_view field,
                                           const std::optional<Number>& radius,
                                           ElementContext& context) {
  const Symbols& symbols = context.symbols();
  std::vector<Sphere> found;
  const auto add = [&](const std::string& name, const End& end) {
    const bool known = std::any_of(found.begin(), found.end(),
                                   [&](const Sphere& sphere) { return sphere.end == end; });
    if (known) return;
    Sphere sphere{.name = name, .end = end, .body = body_of(name, end, symbols)};
    sphere.radius = radius ? *radius : radius_of_shape(name, context);
    found.push_back(std::move(sphere));
  };
  // anchors and markers by their names, points by patterns
  std::vector<Name> points;
  for (const Name& pattern : names) {
    const auto name = context.name(pattern, field);
    if (!name) return {};
    const auto end = find_end(symbols, *name);
    if (end && end->point == nullptr)
      add(*name, *end);
    else
      points.push_back({*name, pattern.at});
  }
  if (!points.empty() || names.empty()) {
    const auto firsts = points_like(points, field, context);
    if (!firsts) return {};
    for (const int first : *firsts) {
      const std::string& x = context.coordinates()[static_cast<std::size_t>(first)];
      const std::string name = x.substr(0, x.size() - 2);  // without .x
      add(name, *find_end(symbols, name));
    }
  }
  return found;
}

}  // namespace

std::optional<ContactNumbers> contact_numbers(const Contact& contact, ElementContext& context) {
  ContactNumbers result;
  const bool hertz = !contact.young.empty();
  bool sound = true;
  if (hertz == contact.stiffness.has_value()) {
    context.refuse(context.at(), {}, hertz ? "has both stiffness and young" : "has no stiffness",
                   "give stiffness, or young and poisson");
    sound = false;
  }
  if (!contact.poisson.empty() && !hertz) {
    context.refuse(contact.poisson.front().at(), "poisson", "stands without young",
                   "give Young's modulus as well, or leave it out");
    sound = false;
  }
  if (hertz) {
    const auto E = modulus(contact, context);
    sound &= E.has_value();
    result.modulus = E.value_or(0.0);
  }
  if (contact.stiffness) {
    result.stiffness = positive(context, *contact.stiffness, "stiffness");
    sound &= result.stiffness.has_value();
  }
  if (contact.exponent) {
    const auto n = exponent_of(context, *contact.exponent);
    sound &= n.has_value();
    result.exponent = n.value_or(1.0);
  } else if (hertz) {
    result.exponent = 1.5;
  }
  const auto c = positive(context, contact.damping, "damping", true);
  const auto d = positive(context, contact.dashpot, "dashpot", true);
  sound &= c && d;
  result.damping = c.value_or(0.0);
  result.dashpot = d.value_or(0.0);
  if (contact.friction) {
    const auto mu = positive(context, *contact.friction, "friction", true);
    sound &= mu.has_value();
    if (mu && *mu > 0.0) result.friction = mu;
  }
  if (contact.friction_speed) {
    if (!contact.friction)
      context.refuse(contact.friction_speed->at(), "friction_speed", "there is no friction",
                     "give friction, too");
    const auto speed = positive(context, *contact.friction_speed, "friction_speed");
    sound &= speed.has_value();
    result.friction_speed = speed.value_or(1e-3);
  }
  return sound ? std::optional{result} : std::nullopt;
}

std::optional<ContactGroups> contact_groups(const Contact& contact, ElementContext& context) {
  if (!contact.plane.empty() && !contact.with.empty()) {
    context.refuse(contact.with.front().at, "with", "stands beside a plane",
                   "state two contacts: one with the plane, one with the other group");
    return {};
  }
  std::optional<std::array<Number, 2>> radius;
  if (!contact.radius.empty()) {
    radius = of_both(contact.radius, "radius", context);
    if (!radius) return {};
    for (const Number& r : *radius)
      if (!(r >= 0.0)) {
        context.refuse(contact.radius.front().at(), "radius",
                       fmt::format("{} is not >= 0", r.value()), "give a radius, or 0 for a point");
        return {};
      }
  }
  const auto radius_of = [&](std::size_t side) {
    return radius ? std::optional{(*radius)[side]} : std::nullopt;
  };
  auto among = spheres(contact.among, "among", radius_of(0), context);
  auto with = contact.with.empty() ? among : spheres(contact.with, "with", radius_of(1), context);
  if (!among || !with) return {};
  ContactGroups result{*std::move(among), *std::move(with), 0};
  for (const auto* group : {&result.among, &result.with})
    for (const Sphere& sphere : *group)
      if (sphere.end.moves() && result.dimension == 0) result.dimension = sphere.end.dimension();
  if (result.dimension == 0) {
    context.refuse(context.at(), "among", "nothing there can move", "name at least one point");
    return {};
  }
  for (const auto* group : {&result.among, &result.with})
    for (const Sphere& sphere : *group)
      if (!sphere.end.fits(result.dimension)) {
        context.refuse(context.at(), "among",
                       fmt::format("'{}' has {} coordinates, not {}", sphere.name,
                                   sphere.end.dimension(), result.dimension),
                       "name points of the plane, or points in space");
        return {};
      }
  return result;
}

std::vector<std::pair<const Sphere*, const Sphere*>> pairs_of(const std::vector<Sphere>& among,
                                                              const std::vector<Sphere>& with,
                                                              bool within) {
  std::vector<std::pair<const Sphere*, const Sphere*>> result;
  const auto index_in = [](const std::vector<Sphere>& group, const Sphere& sphere) {
    const auto it = std::find_if(group.begin(), group.end(),
                                 [&](const Sphere& other) { return other.end == sphere.end; });
    return static_cast<std::size_t>(it - group.begin());
  };
  for (std::size_t i = 0; i < among.size(); ++i)
    for (std::size_t j = within ? i + 1 : 0; j < with.size(); ++j) {
      const Sphere &a = among[i], &b = with[j];
      if (a.end == b.end || (!a.end.moves() && !b.end.moves())) continue;
      if (a.body && b.body && a.body->first == b.body->first) continue;
      if (!within) {
        // one that is in both groups meets each of the others once
        const std::size_t a_in_with = index_in(with, a), b_in_among = index_in(among, b);
        if (a_in_with < with.size() && b_in_among < among.size() && b_in_among < i) continue;
      }
      result.emplace_back(&a, &b);
    }
  return result;
}

std::optional<ContactPlane> contact_plane(const Contact& contact, ElementContext& context) {
  if (contact.plane.empty()) {
    for (const auto& [given, at, field] :
         {std::tuple{!contact.at.empty(), contact.at.empty() ? Position{} : contact.at.front().at(),
                     "at"},
          std::tuple{contact.on.has_value(), contact.on ? contact.on->at : Position{}, "on"},
          std::tuple{contact.size.has_value(), contact.size ? contact.size->at() : Position{},
                     "size"}})
      if (given)
        context.refuse(at, field, "stands without plane",
                       "give the normal of the plane, or leave it out");
    return {};
  }
  ContactPlane result{.dimension = contact.plane.size()};
  const auto normal = context.numbers(contact.plane, "plane");
  const auto at = context.numbers(contact.at, "at");
  if (contact.on) {
    result.body = body_called(*contact.on, "on", context);
    if (!result.body) return {};
    if (result.body->dimension() != result.dimension) {
      context.refuse(contact.on->at, "on", "one is of the plane, the other of space",
                     "give the normal as many components as its points have coordinates");
      return {};
    }
    result.centre = find_end(context.symbols(), *context.name(*contact.on, "on"));
  }
  if (!contact.at.empty() && contact.at.size() != contact.plane.size()) {
    context.refuse(
        contact.at.front().at(), "at",
        fmt::format("has {} components, plane has {}", contact.at.size(), contact.plane.size()),
        "give both as many");
    return {};
  }
  if (!normal || !at) return {};
  std::copy(normal->begin(), normal->end(), result.normal.begin());
  std::copy(at->begin(), at->end(), result.at.begin());
  const double length = norm(result.normal);
  if (!(length > 0.0)) {
    context.refuse(contact.plane.front().at(), "plane", "has no direction",
                   "give the normal of the plane, such as [0, 0, 1]");
    return {};
  }
  for (double& component : result.normal) component /= length;
  return result;
}

bool add_many(const ContactNumbers& numbers, const ContactGroups& groups, bool within,
              const std::optional<ContactPlane>& plane, ElementContext& context) {
  // each sphere once, with the groups it is in
  std::vector<std::pair<const Sphere*, int>> all;
  const auto add = [&](const std::vector<Sphere>& group, int side) {
    std::map<int, std::size_t> known;
    for (std::size_t i = 0; i < all.size(); ++i) known.emplace(all[i].first->end.point->first, i);
    for (const Sphere& sphere : group)
      if (const auto it = known.find(sphere.end.point->first); it != known.end())
        all[it->second].second |= side;
      else
        all.emplace_back(&sphere, side);
  };
  const auto is_known = [](const Sphere& sphere) {
    if (sphere.end.point == nullptr) return false;
    return !sphere.body || sphere.body->planar() ||
           std::all_of(sphere.body->column.begin(), sphere.body->column.end(),
                       [](int column) { return column >= 0; });
  };
  for (const auto* group : {&groups.among, &groups.with})
    if (!std::all_of(group->begin(), group->end(), is_known)) return false;
  add(groups.among, within || plane ? 3 : 1);
  if (!within && !plane) add(groups.with, 2);
  if (all.size() <= most_spheres || (plane && plane->body)) return false;

  ContactField::Setup setup{.dimension = static_cast<int>(groups.dimension),
                            .plane = plane.has_value(),
                            .stiffness = numbers.stiffness.value_or(0.0),
                            .modulus = numbers.modulus,
                            .exponent = numbers.exponent,
                            .damping = numbers.damping,
                            .dashpot = numbers.dashpot,
                            .friction = numbers.friction.value_or(0.0),
                            .friction_speed = numbers.friction_speed,
                            .label = context.label()};
  if (plane) {
    setup.normal = plane->normal;
    setup.at = plane->at;
  }
  for (const auto& [sphere, side] : all) {
    const bool needs_radius = !plane || !numbers.stiffness;
    if (needs_radius && !(sphere->radius > 0.0)) {
      context.refuse(context.at(), "radius", fmt::format("'{}' has none", sphere->name),
                     "give radius, or a body of the shape of a sphere");
      return true;
    }
    ContactField::Sphere one{
        .first = sphere->end.point->first, .radius = sphere->radius, .name = sphere->name};
    if (sphere->body) {
      one.angle = sphere->body->angle;
      if (!sphere->body->planar()) one.column = sphere->body->column;
    }
    setup.spheres.push_back(std::move(one));
    setup.side.push_back(side);
  }
  context.add_contacts(std::move(setup));
  return true;
}

void ContactPlane::show(const std::vector<Sphere>& spheres, const std::optional<Value>& size,
                        ElementContext& context) const {
  double edge = 0.0;
  if (size) {
    const auto given = positive(context, *size, "size");
    if (!given) return;
    edge = *given;
  } else {
    for (const Sphere& sphere : spheres) {
      edge = std::max(edge, 4.0 * sphere.radius.value());
      if (body || !sphere.end.moves()) continue;
      const auto x = context.position_at_start(sphere.end);
      Vec3 d{};
      for (std::size_t i = 0; i < x.size(); ++i) d[i] = x[i].value() - at[i];
      const double across = dot(d, normal);
      for (std::size_t i = 0; i < 3; ++i) d[i] -= across * normal[i];
      edge = std::max(edge, 2.0 * norm(d) + 4.0 * sphere.radius.value());
    }
    if (edge == 0.0) edge = 1.0;
  }
  // two directions at right angles to the normal; in the plane one
  const std::size_t small = std::abs(normal[0]) <= std::abs(normal[1]) ? 0 : 1;
  Vec3 e{};
  e[dimension == 2 ? 2 : small] = 1.0;
  Vec3 first = cross(normal, e);
  const double length = norm(first);
  for (double& component : first) component /= length;
  const Vec3 second = cross(normal, first);
  std::vector<std::array<formula::Number, 3>> corners;
  const auto corner = [&](double a, double b) {
    std::array<formula::Number, 3> x{at[0], at[1], at[2]};
    for (std::size_t i = 0; i < 3; ++i) x[i] += edge / 2.0 * (a * first[i] + b * second[i]);
    corners.push_back(x);
  };
  if (dimension == 2) {
    corner(-1.0, 0.0);
    corner(1.0, 0.0);
  } else {
    for (const auto& [a, b] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
      corner(a, b);
  }
  context.show_outline({.name = context.label(),
                        .body = body,
                        .corners = std::move(corners),
                        .closed = dimension == 3});
}

}  // namespace taut::elements
