// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/color_names.hpp"
#include "model/elements/orientation.hpp"
#include "model/elements/quantities.hpp"
#include "model/elements/space.hpp"

namespace taut {
namespace elements {

// A rigid body as the position x of its centre of mass and a matrix R, whose columns r_1, r_2, r_3
// are the body's axes in space. A point p of the body is at x + R p, so that with the inertia
// tensor I about the centre, in these axes,
//
//   T = m/2 |x'|² + 1/2 Σ_ij J_ij r_i' . r_j',      J = ∫ p pᵀ dm = tr(I)/2 - I              (1)
//
// M is constant for every body. That R is a rotation is a constraint,
//
//   g_ii = (r_i . r_i - 1) / 2,    g_ij = r_i . r_j / √2 (i < j),    |g| = |RᵀR - 1|_F / 2   (2)
//
// whose compliance makes a spring of the energy ω²/8 |RᵀR - 1|_F². J is positive definite unless
// the body is flat; then r_3 across it carries no mass, and is not a coordinate but
//
//   r_3 = r_1 x r_2                                                                          (3)
//
// (and likewise for the other two). In the plane a body is the place of its centre and one angle a,
//
//   r_1 = (cos a, sin a),  r_2 = (-sin a, cos a),   T = m/2 |x'|² + I/2 a'²                  (4)
//
// without any row, and a counts turns. The multipliers of (2) are energies [N m], λ_ii > 0 where
// the body keeps its mass from flying apart along axis i.

/// Energy of a product of inertia, one term of (1) for i < j:  J_ij r_i' . r_j'.
template <class S>
[[nodiscard]] S product_of_inertia(Point<S> v_i, Point<S> v_j, const S& J) {
  return J * dot(v_i, v_j);
}

/// g_ii of (2).
template <class S>
[[nodiscard]] S axis_length(Point<S> r) {
  return (dot(r, r) - 1.0) / 2.0;
}

/// g_ij of (2).
template <class S>
[[nodiscard]] S axes_angle(Point<S> r_i, Point<S> r_j) {
  return dot(r_i, r_j) * (std::numbers::sqrt2 / 2.0);
}

}  // namespace elements

namespace {

using elements::NumberVec3, elements::Vec3;

// relative rounding of moments of inertia that expressions give: below it a body is flat
constexpr double flat = 1e-12;
constexpr std::array<std::array<std::size_t, 2>, 3> pairs_of_axes{{{0, 1}, {0, 2}, {1, 2}}};

/// Eigenvalues of a symmetric matrix 11 22 33 12 13 23, largest first, by Jacobi's rotations.
Vec3 principal_moments(const std::array<double, 6>& I) {
  std::array<Vec3, 3> A{{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
  constexpr int sweeps = 12;  // convergence is quadratic: six are plenty
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const auto& [p, q] : pairs_of_axes) {
      if (A[p][q] == 0.0) continue;
      const double cot = (A[q][q] - A[p][p]) / (2 * A[p][q]);
      const double t = std::copysign(1.0, cot) / (std::abs(cot) + std::hypot(cot, 1.0));
      const double c = 1 / std::hypot(t, 1.0), s = t * c;
      for (Vec3& row : A) {
        const double x = row[p], y = row[q];
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
      }
      const Vec3 a = A[p], b = A[q];
      for (std::size_t k = 0; k < 3; ++k) {
        A[p][k] = c * a[k] - s * b[k];
        A[q][k] = s * a[k] + c * b[k];
      }
    }
  }
  Vec3 result{A[0][0], A[1][1], A[2][2]};
  std::sort(result.begin(), result.end(), std::greater<>{});
  return result;
}

/// Names a marker cannot have: NAME.x is a coordinate already.
bool is_component(const std::string& name) {
  static const std::array<std::string, 8> components{"x",  "y",  "z",     "vx",
                                                     "vy", "vz", "angle", "vangle"};
  const auto digit = [](char c) { return c >= '1' && c <= '3'; };
  return std::find(components.begin(), components.end(), name) != components.end() ||
         (name.size() == 3 && name[0] == 'r' && digit(name[1]) && digit(name[2]));
}

/// Values of a symmetric matrix, by which something is decided.
std::array<double, 6> plain_moments(const std::array<Number, 6>& A) {
  std::array<double, 6> plain{};
  std::copy(A.begin(), A.end(), plain.begin());
  return plain;
}

/// Whether A - least has positive leading minors: all its eigenvalues are above `least`.
bool is_definite(const std::array<Number, 6>& A, const Number& least) {
  const Number a = A[0] - least, b = A[1] - least, c = A[2] - least;
  return a > 0.0 && a * b - A[3] * A[3] > 0.0 &&
         a * (b * c - A[5] * A[5]) - A[3] * (A[3] * c - A[5] * A[4]) +
                 A[4] * (A[3] * A[5] - b * A[4]) >
             0.0;
}

/// J = tr(I)/2 - I as 11 22 33 12 13 23; exactly 0 for the axis across a flat body.
std::optional<std::array<Number, 6>> second_moments(const Body& body, ElementContext& context) {
  const auto given = context.numbers(body.inertia, "inertia");
  if (body.inertia.size() != 3 && body.inertia.size() != 6) {
    context.refuse(
        context.at(), "inertia", fmt::format("has {} numbers", body.inertia.size()),
        "give three principal moments, or six: xx, yy, zz, xy, xz, yz; one in the plane");
    return {};
  }
  if (!given) return {};
  std::array<Number, 6> I{}, J{};
  std::copy(given->begin(), given->end(), I.begin());
  const Number size = I[0] + I[1] + I[2], least = flat * size;
  for (std::size_t i = 0; i < 3; ++i) {
    J[i] = size / 2 - I[i];
    J[3 + i] = -I[3 + i];
  }
  const bool oblique = I[3] != 0.0 || I[4] != 0.0 || I[5] != 0.0;
  const Position first = body.inertia.front().at();
  const auto refuse_moments = [&](const Vec3& moment) {
    context.refuse(first, "inertia",
                   fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g}",
                               moment[0], moment[1], moment[2]),
                   "each is positive and at most the sum of the two others");
  };
  const auto refuse_rod = [&] {
    context.refuse(first, "inertia",
                   "is that of a thin rod, which has no moment about its own axis",
                   "give it a small one there, or state a [[rod]] with a mass");
  };
  const auto any = [](const auto& A, const auto& is) {
    return std::any_of(A.begin(), A.begin() + 3, is);
  };
  if (!(size > 0.0) || (!oblique && any(J, [&](const Number& x) { return x < -least; }))) {
    refuse_moments(principal_moments(plain_moments(I)));
    return {};
  }
  if (!oblique) {
    if (any(I, [&](const Number& x) { return x <= least; })) {
      refuse_rod();
      return {};
    }
    for (std::size_t i = 0; i < 3; ++i)
      if (J[i] <= least) J[i] = 0.0;
    return J;
  }
  // most bodies are far from the borders: of these the values may change
  if (is_definite(J, least) && is_definite(I, least)) return J;
  const Vec3 moment = principal_moments(plain_moments(I));
  const double plain_size = size, least_of_J = (moment[1] + moment[2] - moment[0]) / 2;
  if (least_of_J < -flat * plain_size) {
    refuse_moments(moment);
    return {};
  }
  if (moment[2] <= flat * plain_size) {
    refuse_rod();
    return {};
  }
  if (least_of_J <= flat * plain_size) {
    context.refuse(first, "inertia", "is that of a flat body in axes that are not its own",
                   fmt::format("give the principal moments {:.6g}, {:.6g}, {:.6g} in place of six "
                               "numbers, and turn the body with rotation",
                               moment[0], moment[1], moment[2]));
    return {};
  }
  return J;
}

void add_markers(const Body& body, const std::string& name, const Symbols::BodyEntry& entry,
                 ElementContext& context) {
  for (const Body::Marker& marker : body.markers) {
    const std::string full = fmt::format("{}.{}", name, marker.name);
    ElementContext point = context.called("marker " + full);
    const auto at = point.space_vector(marker.at, {}, entry.dimension());
    if (is_component(marker.name))
      point.refuse(point.at(), {}, fmt::format("'{}' names a coordinate of the body", full),
                   "give the marker another name");
    point.declare(full);
    point.add_marker(full, {.body = entry, .at = at.value_or(NumberVec3{})});
  }
}

/// One number in the plane; nothing where it has mistakes.
std::optional<Number> in_the_plane(const std::vector<Value>& values, const char* field,
                                   ElementContext& context) {
  if (values.empty()) return Number{0.0};
  const auto all = context.numbers(values, field);
  if (values.size() == 1 && all) return all->front();
  if (all)
    context.refuse(values.front().at(), field, fmt::format("has {} numbers", values.size()),
                   "a body with one moment of inertia moves in the plane: give one");
  return {};
}

/// The start of a body whose coordinates have just been added, from `first` on: that of its centre,
/// and that of what it is turned by.
void keep(const Body& body, int first, int dimension, ElementContext& context) {
  const auto end = static_cast<int>(context.coordinates().size());
  context.keep_start_of(first, dimension, !body.velocity.empty());
  context.keep_start_of(first + dimension, end - first - dimension, !body.spin.empty());
}

void add_planar_body(const Body& body, const std::string& name, ElementContext& context) {
  const auto mass = context.number(body.mass, "mass");
  const auto inertia = context.number(body.inertia.front(), "inertia");
  const auto at = context.numbers(body.at, "at");
  const auto velocity = context.numbers(body.velocity, "velocity");
  const auto angle = in_the_plane(body.rotation, "rotation", context);
  const auto spin = in_the_plane(body.spin, "spin", context);
  for (const auto& [values, field] : {std::pair{&body.at, "at"}, {&body.velocity, "velocity"}})
    if (!values->empty() && values->size() != 2)
      context.refuse(values->front().at(), field, fmt::format("has {} components", values->size()),
                     "a body with one moment of inertia moves in the plane: give two; in space "
                     "give three moments");
  if (!body.axes.empty() || !body.euler.empty() || !body.quaternion.empty())
    context.refuse(context.at(), {}, "a body in the plane has one angle",
                   "give it as rotation, and no axes, euler or quaternion");
  for (const auto& [number, value, field] :
       {std::tuple{&mass, &body.mass, "mass"}, {&inertia, &body.inertia.front(), "inertia"}})
    if (*number && !(**number > 0.0))
      context.refuse(value->at(), field, fmt::format("{} is not > 0", (*number)->value()),
                     fmt::format("give the {} of the body", field));
  const auto two = [](const std::optional<std::vector<Number>>& given) {
    return given && given->size() == 2 ? *given : std::vector<Number>{0.0, 0.0};
  };
  Symbols::BodyEntry entry{.first = static_cast<int>(context.coordinates().size()),
                           .column = {-1, -1, -1}};
  context.add_point(
      {.name = name, .at = two(at), .velocity = two(velocity), .mass = mass.value_or(1.0)});
  entry.angle = static_cast<int>(context.coordinates().size());
  context.add_coordinate(name + ".angle", angle.value_or(0.0), spin.value_or(0.0),
                         inertia.value_or(1.0));
  if (body.keep) keep(body, entry.first, 2, context);
  context.add_body(name, entry);
  add_markers(body, name, context.symbols().bodies.at(name), context);
}

void add_body(const Body& body, const std::string& name, ElementContext& context) {
  if (body.inertia.size() == 1) {
    add_planar_body(body, name, context);
    return;
  }
  const auto mass = context.number(body.mass, "mass");
  const auto moments = second_moments(body, context);
  const auto at = context.space_vector(body.at, "at");
  const auto velocity = context.space_vector(body.velocity, "velocity");
  const auto R = elements::orientation(body, context);
  const auto spin = context.space_vector(body.spin, "spin");
  if (mass && !(*mass > 0.0))
    context.refuse(body.mass.at(), "mass", fmt::format("{} is not > 0", mass->value()),
                   "give the mass of the body");

  // what has mistakes stands in with anything, so that its names are known
  const auto J = moments.value_or(std::array<Number, 6>{1.0, 1.0, 1.0, 0.0, 0.0, 0.0});
  const auto x = at.value_or(NumberVec3{}), v = velocity.value_or(NumberVec3{});
  const NumberVec3 w = spin.value_or(NumberVec3{});
  const auto next = [&] { return static_cast<int>(context.coordinates().size()); };
  Symbols::BodyEntry entry{.first = next(), .column = {-1, -1, -1}, .products = {J[3], J[4], J[5]}};
  context.add_point({.name = name,
                     .at = {x.begin(), x.end()},
                     .velocity = {v.begin(), v.end()},
                     .mass = mass.value_or(1.0)});
  for (std::size_t c = 0; c < 3; ++c) {
    if (J[c] == 0.0) continue;
    entry.column[c] = next();
    // r_c' = R (spin x e_c)
    const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
    for (std::size_t i = 0; i < 3; ++i)
      context.add_coordinate(fmt::format("{}.r{}{}", name, i + 1, c + 1), R[c][i],
                             w[b] * R[a][i] - w[a] * R[b][i], J[c]);
  }
  if (body.keep) keep(body, entry.first, 3, context);
  context.add_body(name, entry);
  // where another body has the name already, its markers are those of the first
  add_markers(body, name, context.symbols().bodies.at(name), context);
}

void declare(const Body& body, const Element& element, ElementContext& context) {
  const auto name = context.name({body.prefix, element.position}, "name");
  if (!name) return;
  if (*name == "ground" || name->empty())
    context.refuse(context.at(), "name",
                   name->empty() ? "is missing" : "ground is what joints call the fixed world",
                   "give the body a name of its own");
  context.declare(*name);
  ElementContext named = context.called("body " + *name);
  add_body(body, *name, named);
}

/// Edges of what a body is drawn as; nothing where they have mistakes.
std::optional<ShownBody> look_of(const Body& body, ElementContext& context) {
  ShownBody shown;
  Scene::Body& look = shown.look;
  const auto digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  const std::string& color = body.color;
  const bool is_code =
      color.size() == 7 && color[0] == '#' && std::all_of(color.begin() + 1, color.end(), digit);
  std::string name = color;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::vector<std::string>& names = elements::color_names();
  if (!is_code && !color.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string near = nearest_name(name, names);
    context.refuse(context.at(), "color", fmt::format("'{}' is no colour", color),
                   near.empty() ? "give a name such as steelblue, or #rrggbb"
                                : fmt::format("did you mean '{}'?", near));
    return {};
  }
  look.color = color;
  const auto scale = context.number(body.mesh_scale, "mesh_scale");
  if (scale && !(*scale > 0.0)) {
    context.refuse(body.mesh_scale.at(), "mesh_scale", fmt::format("{} is not > 0", scale->value()),
                   "give the length of the file's unit in metres, such as 0.001");
    return {};
  }
  if (body.surface && !body.shape.empty()) {
    context.refuse(context.at(), "mesh", "is given beside a shape", "leave out one of the two");
    return {};
  }
  if (body.surface && scale) {
    look.shape = Scene::Body::Shape::mesh;
    look.mesh = body.surface;
    shown.box = {*scale, *scale, *scale};
    return shown;
  }
  if (body.shape.empty()) return shown;
  const Body::Marker& shape = body.shape.front();
  const auto size = context.numbers(shape.at, "shape");
  const bool planar = body.inertia.size() == 1;
  const bool box = shape.name == "box", cylinder = shape.name == "cylinder",
             sphere = shape.name == "sphere";
  const std::size_t wanted = box ? (planar ? 2 : 3) : cylinder ? 2 : 1;
  if (body.shape.size() != 1 || (!box && !cylinder && !sphere) || shape.at.size() != wanted) {
    context.refuse(context.at(), "shape", "is no shape",
                   "write { box = [a, b, c] } (in the plane [a, b]), { cylinder = [radius, "
                   "length] } along the third axis, or { sphere = [radius] }");
    return {};
  }
  if (!size) return {};
  for (const Number& edge : *size)
    if (!(edge > 0.0)) {
      context.refuse(shape.at.front().at(), "shape", fmt::format("{} is not > 0", edge.value()),
                     "give lengths > 0");
      return {};
    }
  const Number first = (*size)[0];
  if (box) shown.box = {first, (*size)[1], planar ? Number{0.0} : (*size)[2]};
  if (cylinder) shown.box = {2 * first, 2 * first, (*size)[1]};
  if (sphere) shown.box = {2 * first, 2 * first, 2 * first};
  look.shape = cylinder ? Scene::Body::Shape::cylinder
               : sphere ? Scene::Body::Shape::sphere
                        : Scene::Body::Shape::box;
  return shown;
}

void compile(const Body& body, ElementContext& context) {
  // its coordinates stand already; mistakes in its other fields are reported there
  const auto name = context.name({body.prefix, context.at()}, {});
  const auto softness = context.softness(body.compliance);
  const auto& bodies = context.symbols().bodies;
  const auto it = name ? bodies.find(*name) : bodies.end();
  if (it == bodies.end() || !softness) return;
  const Symbols::BodyEntry& entry = it->second;
  if (const auto look = look_of(body, context)) context.show_body(*name, *look);
  if (entry.planar()) {
    if (softness->compliance > 0.0)
      context.refuse(body.compliance.at(), "compliance", "a body in the plane has no rows",
                     "leave it out");
    return;
  }

  for (std::size_t k = 0; k < pairs_of_axes.size(); ++k) {
    if (entry.products[k] == 0.0) continue;
    Trace trace = context.trace(velocities);
    const auto v_i = trace.column(entry, pairs_of_axes[k][0], true);
    const auto v_j = trace.column(entry, pairs_of_axes[k][1], true);
    trace.root(Role::kinetic, elements::product_of_inertia(Points{v_i}, Points{v_j},
                                                           trace.parameter(entry.products[k])));
    trace.finish(*name + " (inertia)");
  }
  for (std::size_t c = 0; c < 3; ++c) {
    if (entry.column[c] < 0) continue;
    const std::string label = fmt::format("{} axes {}{}", *name, c + 1, c + 1);
    Trace trace = context.called(label).trace(positions);
    const auto r = trace.column(entry, c);
    context.add_row(trace, elements::axis_length(Points{r}), *softness, label,
                    elements::scale_of_axes);
    trace.finish(label);
  }
  for (const auto& [i, j] : pairs_of_axes) {
    if (entry.column[i] < 0 || entry.column[j] < 0) continue;
    const std::string label = fmt::format("{} axes {}{}", *name, i + 1, j + 1);
    Trace trace = context.called(label).trace(positions);
    const auto r_i = trace.column(entry, i), r_j = trace.column(entry, j);
    context.add_row(trace, elements::axes_angle(Points{r_i}, Points{r_j}), *softness, label,
                    elements::scale_of_axes);
    trace.finish(label);
  }
  ElementContext own = context.called(*name);
  elements::show_rotation(own, entry);
}

}  // namespace

template <>
const ElementDescriptor& describe<Body>() {
  using model_file::Type;
  static const ElementDescriptor descriptor = make_descriptor<Body>({
      .key = "body",
      .meaning = "a rigid body: its centre of mass is the point NAME, the columns of its rotation "
                 "matrix NAME.r11, ..., NAME.r33 are its axes in space; in the plane it has "
                 "NAME.angle",
      .fields = {{.name = "name",
                  .holds = &Body::prefix,
                  .meaning = "NAME of the body",
                  .required = true},
                 {.name = "mass",
                  .holds = &Body::mass,
                  .meaning = "mass",
                  .unit = "kg",
                  .required = true},
                 {.name = "inertia",
                  .holds = &Body::inertia,
                  .meaning = "about the centre of mass, in the body's axes",
                  .unit = "kg m^2",
                  .detail = ": principal moments, or xx, yy, zz, xy, xz, yz; one number makes it "
                            "a body in the plane",
                  .required = true,
                  .type = Type::inertia},
                 {.name = "at",
                  .holds = &Body::at,
                  .meaning = "centre of mass at the start",
                  .unit = "m",
                  .absent = "the origin"},
                 {.name = "velocity",
                  .holds = &Body::velocity,
                  .meaning = "its velocity at the start",
                  .unit = "m/s",
                  .absent = "at rest"},
                 {.name = "rotation",
                  .holds = &Body::rotation,
                  .meaning = "how the body is turned at the start, axis times angle",
                  .unit = "rad",
                  .detail = "; an angle in the plane",
                  .absent = "not at all",
                  .type = Type::number_or_vector},
                 {.name = "axes",
                  .holds = &Body::axes,
                  .meaning = "or two of its axes in space, { x = [0, 1, 0], z = [0, 0, 1] }"},
                 {.name = "euler",
                  .holds = &Body::euler,
                  .meaning = "or yaw, pitch and roll: about z, then its own y, then its own x",
                  .unit = "rad",
                  .type = Type::space_vector},
                 {.name = "quaternion",
                  .holds = &Body::quaternion,
                  .meaning = "or a unit quaternion w, x, y, z",
                  .type = Type::numbers},
                 {.name = "spin",
                  .holds = &Body::spin,
                  .meaning = "angular velocity at the start, in the body's axes",
                  .unit = "rad/s",
                  .detail = "; one number in the plane",
                  .absent = "none",
                  .type = Type::number_or_vector},
                 {.name = "keep",
                  .holds = &Body::keep,
                  .meaning = "whether its place and how it is turned stay where the start is made "
                             "consistent, and velocity and spin that are given: what else there "
                             "is moves"},
                 {.name = "compliance",
                  .holds = &Body::compliance,
                  .meaning = "of its rigidity",
                  .unit = "1/(N m)",
                  .detail = ", see the manual",
                  .effect = ": rigid"},
                 {.name = "markers",
                  .holds = &Body::markers,
                  .meaning = "points NAME.MARKER of the body, in its axes from the centre of mass",
                  .unit = "m"},
                 {.name = "shape",
                  .holds = &Body::shape,
                  .meaning =
                      "how it is drawn: { box = [a, b, c] }, { cylinder = [radius, length] } "
                      "along the third axis, { sphere = [radius] }",
                  .unit = "m",
                  .absent = "the uniform box with its mass and inertia"},
                 {.name = "color",
                  .holds = &Body::color,
                  .meaning = "of the drawing: a name or #rrggbb",
                  .type = Type::text},
                 {.name = "mesh",
                  .holds = &Body::mesh,
                  .meaning = "how it is drawn: an STL or OBJ file beside the model, in the body's "
                             "axes from the centre of mass",
                  .type = Type::text},
                 {.name = "mesh_scale",
                  .holds = &Body::mesh_scale,
                  .meaning = "length of the unit of that file",
                  .unit = "m"}},
      .compile = compile,
      .declare = declare,
      .owns = Owns::bodies,
      .others_need_it = true,
  });
  return descriptor;
}

}  // namespace taut
