// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/contact_law.hpp"
#include "model/elements/contact_sides.hpp"
#include "model/elements/frame.hpp"

namespace taut {
namespace {

using elements::ContactLaw;
using elements::ContactPlane;
using elements::Sphere;

using Vector = std::vector<Sym>;

Vector operator+(const Vector& a, const Vector& b) {
  Vector sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.push_back(a[i] + b[i]);
  return sum;
}
Vector operator-(const Vector& a, const Vector& b) {
  Vector difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(a[i] - b[i]);
  return difference;
}
Vector operator*(const Sym& s, const Vector& a) {
  Vector product;
  for (const Sym& x : a) product.push_back(s * x);
  return product;
}

/// ω x r, in space and in the plane, where ω has one component.
Vector turned(const Vector& omega, const Vector& r) {
  if (r.size() == 2) return {-(omega[0] * r[1]), omega[0] * r[0]};
  Vector result;
  for (std::size_t i = 0; i < 3; ++i)
    result.push_back(omega[(i + 1) % 3] * r[(i + 2) % 3] - omega[(i + 2) % 3] * r[(i + 1) % 3]);
  return result;
}
/// r x F
Vector moment(const Vector& r, const Vector& F) {
  if (r.size() == 2) return {r[0] * F[1] - r[1] * F[0]};
  return turned(r, F);
}

/// ω = 1/2 Σ_c r_c x r_c'
Vector angular_velocity(Trace& trace, const Symbols::BodyEntry& body) {
  if (body.planar()) return {trace.coordinate(body.angle, Slot::v)};
  Vector omega(3, Sym{0.0});
  for (std::size_t c = 0; c < 3; ++c)
    omega = omega + Sym{0.5} * turned(trace.column(body, c), trace.column(body, c, true));
  return omega;
}

/// One side of a contact where the other touches it: a point of a body (or of the ground, or a mass
/// that does not turn), and the way from there to the place of the contact.
struct Side {
  std::optional<End> end;  // none: the ground
  std::optional<Symbols::BodyEntry> body;
  Vector arm;

  [[nodiscard]] Vector velocity(Trace& trace) const {
    const std::size_t dimension = arm.size();
    Vector v(dimension, Sym{0.0});
    if (end) v = trace.velocity(*end, dimension);
    if (body) v = v + turned(angular_velocity(trace, *body), arm);
    return v;
  }
  void push(Trace& trace, const Vector& F) const {
    if (!end || !end->moves()) return;
    trace.force(*end, F);
    if (body) trace.torque(*body, moment(arm, F));
  }
};

/// Where and how deep two sides touch: u, the direction n of the push on the first, both sides.
struct Touch {
  Sym u;
  Vector n;
  Side first, second;
};

/// Two spheres with d = x_a - x_b:  u = R_a + R_b - |d|, n = d/|d|; they touch in the middle of
/// where they overlap.
Touch touch(Trace& trace, const Sphere& a, const Sphere& b, std::size_t dimension) {
  const Vector d = trace.position(a.end, dimension) - trace.position(b.end, dimension);
  const Sym distance = sqrt(elements::dot(Points{d}, Points{d}));
  const Vector n = (1.0 / distance) * d;
  const Sym R_a = trace.parameter(a.radius), R_b = trace.parameter(b.radius);
  const Sym u = trace.parameter(a.radius + b.radius) - distance;
  return {u, n, {a.end, a.body, (u / 2.0 - R_a) * n}, {b.end, b.body, (R_b - u / 2.0) * n}};
}

/// A sphere and a plane through p with normal n:  u = R - n . (x - p).
Touch touch(Trace& trace, const Sphere& a, const ContactPlane& plane, std::size_t dimension) {
  Vector n, p;
  for (std::size_t i = 0; i < dimension; ++i) {
    n.push_back(trace.parameter(plane.normal[i]));
    p.push_back(trace.parameter(plane.at[i]));
  }
  if (plane.body) {
    const elements::Frame frame{plane.body};
    n = frame.to_world(n, trace);
    p = frame.to_world(p, trace) + trace.position(*plane.centre, dimension);
  }
  const Vector x = trace.position(a.end, dimension);
  const Vector from_plane = x - p;
  const Sym R = trace.parameter(a.radius);
  const Sym u = R - elements::dot(Points{from_plane}, Points{n});
  const Vector arm = (u / 2.0 - R) * n;
  Side second{plane.centre, plane.body, Vector(dimension, Sym{0.0})};
  if (plane.body) second.arm = x + arm - trace.position(*plane.centre, dimension);
  return {u, n, {a.end, a.body, arm}, second};
}

/// Friction of Coulomb, regular at rest: with the velocity w of sliding, the force
///
///   F = -μ N w / sqrt(w² + w_s²)   on the first side, -F on the second, both where they touch  (2)
struct Friction {
  Number coefficient, speed;

  /// F without its direction: F = -sliding w.
  [[nodiscard]] static Vector sliding(Trace& trace, const Touch& touch) {
    const Vector w = touch.first.velocity(trace) - touch.second.velocity(trace);
    return w - elements::dot(Points{w}, Points{touch.n}) * touch.n;
  }
  [[nodiscard]] Sym per_speed(Trace& trace, const Sym& N, const Vector& w) const {
    const Sym at = trace.parameter(speed);
    return trace.parameter(coefficient) * N / sqrt(elements::dot(Points{w}, Points{w}) + at * at);
  }
};

struct Matter {
  ContactLaw law;
  std::optional<Friction> friction;
};

/// The formula of one contact, and what is shown of it; `record(trace)` gives its Touch.
template <class Record>
void add(ElementContext& context, const Matter& matter, const Record& record) {
  Trace trace = context.trace(time | positions | velocities);
  const Touch touch = record(trace);
  const Sym N = elements::add_contact(trace, matter.law, touch.u);
  if (matter.friction) {
    const Vector w = Friction::sliding(trace, touch);
    const Vector F = -matter.friction->per_speed(trace, N, w) * w;
    touch.first.push(trace, F);
    touch.second.push(trace, Sym{-1.0} * F);
  }
  trace.finish(context.label());
  if (!context.shows_quantities()) return;
  Trace shown = context.trace(time | positions | velocities);
  const Touch seen = record(shown);
  const Sym rate = elements::rate_along(shown, seen.u);
  const Sym force = matter.law.normal(seen.u, rate, shown);
  Sym power = -(force * rate);
  ElementContext::Quantities columns{{"force", force}, {"penetration", max(0.0, seen.u)}};
  if (matter.friction) {
    const Vector w = Friction::sliding(shown, seen);
    const Sym w2 = elements::dot(Points{w}, Points{w});
    const Sym per_speed = matter.friction->per_speed(shown, force, w);
    columns.emplace_back("friction", per_speed * sqrt(w2));
    power = power - per_speed * w2;
  }
  columns.emplace_back("power", power);
  context.add_quantities(shown, columns);
}

/// Stiffness and exponent as they are given, or those of Hertz for two radii of curvature, 0 where
/// one is a plane.
std::optional<ContactLaw> law_of(const Contact& contact, const elements::ContactNumbers& numbers,
                                 const Number& R_a, const Number& R_b, ElementContext& context) {
  ContactLaw law{.stiffness = numbers.stiffness.value_or(0.0),
                 .exponent = numbers.exponent,
                 .damping = numbers.damping,
                 .dashpot = numbers.dashpot};
  if (numbers.stiffness) return law;
  // 1/R = 1/R_a + 1/R_b,  k = 4/3 E sqrt(R)
  const bool plane = !contact.plane.empty();
  if (!(R_a > 0.0) || (!plane && !(R_b > 0.0))) {
    context.refuse(contact.young.front().at(), "young",
                   "needs radii, and one of these points has none",
                   "give radius, or stiffness in place of young and poisson");
    return {};
  }
  const Number R = plane ? R_a : R_a * R_b / (R_a + R_b);
  law.stiffness = 4.0 / 3.0 * numbers.modulus * formula::record(formula::Op::sqrt, R, {});
  return law;
}

void compile(const Contact& contact, ElementContext& context) {
  const auto numbers = elements::contact_numbers(contact, context);
  const auto plane = elements::contact_plane(contact, context);
  auto groups = elements::contact_groups(contact, context);
  if (!numbers || !groups || (!contact.plane.empty() && !plane)) return;
  const auto& [among, with, dimension] = *groups;
  if (plane && plane->dimension != dimension) {
    context.refuse(contact.plane.front().at(), "plane",
                   fmt::format("has {} components", plane->dimension),
                   fmt::format("give as many as its points have coordinates: {}", dimension));
    return;
  }
  for (const auto* group : {&among, &with})
    for (const Sphere& sphere : *group)
      if (sphere.end.point != nullptr && !sphere.body)
        context.show_radius(sphere.end.point->first, sphere.radius);
  if (!context.box().empty()) {
    context.refuse(context.at(), {}, "does not see the images of a [box]",
                   "leave out [box], and state its walls as contacts with planes");
    return;
  }
  if (plane && !plane->body)
    for (const Sphere& sphere : among) {
      if (!(sphere.radius.value() > 0.0)) continue;
      // a start with other parameters is not looked at again
      double distance = 0.0;
      const auto x = context.position_at_start(sphere.end);
      for (std::size_t i = 0; i < x.size(); ++i)
        distance += plane->normal[i] * (x[i].value() - plane->at[i]);
      if (!(distance < 0.0)) continue;
      context.refuse(
          contact.plane.front().at(), "plane",
          fmt::format("the centre of '{}' starts {:.3g} m behind it", sphere.name, -distance),
          "its normal points to the side where the spheres are: turn it round, or move "
          "the start");
      return;
    }
  if (plane) plane->show(among, contact.size, context);
  if (elements::add_many(*numbers, *groups, contact.with.empty(), plane, context)) return;
  std::optional<Friction> friction;
  if (numbers->friction) friction = Friction{*numbers->friction, numbers->friction_speed};

  if (plane) {
    for (const Sphere& a : among) {
      if (plane->body && a.body && a.body->first == plane->body->first) continue;
      const auto law = law_of(contact, *numbers, a.radius, 0.0, context);
      if (!law) return;
      ElementContext own = among.size() == 1
                               ? context
                               : context.called(fmt::format("{} {}", context.label(), a.name));
      add(own, {*law, friction},
          [&, dimension = dimension](Trace& trace) { return touch(trace, a, *plane, dimension); });
    }
    return;
  }
  const auto pairs = elements::pairs_of(among, with, contact.with.empty());
  if (pairs.empty()) {
    context.refuse(context.at(), {}, "has no two spheres that could touch",
                   "name two or more, or a plane");
    return;
  }
  if (pairs.size() > elements::most_contacts) {
    context.refuse(context.at(), {}, fmt::format("is {} contacts", pairs.size()),
                   fmt::format("name fewer: at most {}", elements::most_contacts));
    return;
  }
  for (const auto& [a, b] : pairs) {
    const auto law = law_of(contact, *numbers, a->radius, b->radius, context);
    if (!law) return;
    if (!(a->radius + b->radius > 0.0)) {
      context.refuse(context.at(), "radius",
                     fmt::format("'{}' and '{}' have none: points never touch", a->name, b->name),
                     "give radius, or a body of the shape of a sphere");
      return;
    }
    ElementContext own =
        pairs.size() == 1
            ? context
            : context.called(fmt::format("{} {}-{}", context.label(), a->name, b->name));
    add(own, {*law, friction}, [&, a = a, b = b, dimension = dimension](Trace& trace) {
      return touch(trace, *a, *b, dimension);
    });
  }
}

}  // namespace

template <>
const ElementDescriptor& describe<Contact>() {
  using model_file::Type;
  static const ElementDescriptor descriptor = make_descriptor<Contact>({
      .key = "contact",
      .meaning = "contact of spheres with each other or with a plane, by stiffness, with friction",
      .fields = {{.name = "among",
                  .holds = &Contact::among,
                  .meaning = "the spheres: points, bodies, markers, anchors",
                  .absent = "all points and bodies",
                  .type = Type::patterns},
                 {.name = "with",
                  .holds = &Contact::with,
                  .meaning = "the other group",
                  .absent = "each with each of the first group",
                  .type = Type::patterns},
                 {.name = "radius",
                  .holds = &Contact::radius,
                  .meaning = "radius",
                  .unit = "m",
                  .detail = ", one or [that of among, that of with]",
                  .absent = "that of the shape of a body, and 0 on a plane",
                  .type = Type::number_or_vector},
                 {.name = "plane",
                  .holds = &Contact::plane,
                  .meaning = "normal of a plane that the spheres touch, on their side of it",
                  .absent = "they touch each other"},
                 {.name = "at",
                  .holds = &Contact::at,
                  .meaning = "a point of the plane",
                  .unit = "m",
                  .absent = "the origin"},
                 {.name = "on",
                  .holds = &Contact::on,
                  .meaning =
                      "the body that the plane is fixed to, in whose axes plane and at are given",
                  .absent = "the ground"},
                 {.name = "stiffness",
                  .holds = &Contact::stiffness,
                  .meaning =
                      "k of the force k u^exponent (1 + damping u') + dashpot u' at the overlap u",
                  .unit = "N/m",
                  .detail = ", N/m^exponent"},
                 {.name = "exponent",
                  .holds = &Contact::exponent,
                  .meaning = "exponent",
                  .absent = "1, and 1.5 with young"},
                 {.name = "young",
                  .holds = &Contact::young,
                  .meaning = "or Young's modulus, for the law of Hertz",
                  .unit = "Pa",
                  .detail = ": one, or [of among, of the other side]",
                  .type = Type::number_or_vector},
                 {.name = "poisson",
                  .holds = &Contact::poisson,
                  .meaning = "Poisson's ratio, with young",
                  .type = Type::number_or_vector},
                 {.name = "damping",
                  .holds = &Contact::damping,
                  .meaning = "of Hunt and Crossley: part of the force per rate of u",
                  .unit = "s/m"},
                 {.name = "dashpot",
                  .holds = &Contact::dashpot,
                  .meaning = "linear damping while they touch",
                  .unit = "N s/m"},
                 {.name = "friction",
                  .holds = &Contact::friction,
                  .meaning = "coefficient of Coulomb's friction",
                  .absent = "none"},
                 {.name = "friction_speed",
                  .holds = &Contact::friction_speed,
                  .meaning = "of sliding, at which 1/sqrt(2) of it acts",
                  .unit = "m/s",
                  .absent = "0.001"},
                 {.name = "size",
                  .holds = &Contact::size,
                  .meaning = "edge of the square a plane is drawn as",
                  .unit = "m",
                  .absent = "as the spheres at the start are wide"}},
      .compile = compile,
      .comes_last = true,
  });
  return descriptor;
}

}  // namespace taut
