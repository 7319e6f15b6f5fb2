// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies, the points fixed to them, and the joints between them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "model/elements/body.hpp"
#include "model/elements/joint.hpp"
#include "model/trace.hpp"

namespace taut {

using formula::Role;
using formula::Sym;
using Points = elements::Point<Sym>;

namespace {

using Vec3 = std::array<double, 3>;

// relative rounding of moments of inertia that expressions give: below it a body is flat
constexpr double flat = 1e-12;
// terms of a product of two unit vectors, with the roundings of its factors; at the start all of
// them may be 0
constexpr double scale_of_axes = 2.0;
constexpr std::array<std::array<std::size_t, 2>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double norm(const Vec3& a) { return std::hypot(a[0], a[1], a[2]); }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Columns of the rotation by the angle |w| about w:
/// R e = e + sin|w|/|w| w x e + (1 - cos|w|)/|w|² w x (w x e).
std::array<Vec3, 3> rotation_by(const Vec3& w) {
  const double angle = norm(w);
  const auto sinc = [](double x) { return x == 0.0 ? 1.0 : std::sin(x) / x; };
  const double s = sinc(angle), c = std::pow(sinc(angle / 2), 2) / 2;
  std::array<Vec3, 3> R{};
  for (std::size_t k = 0; k < 3; ++k) {
    R[k][k] = 1.0;
    const Vec3 first = cross(w, R[k]), second = cross(w, first);
    for (std::size_t i = 0; i < 3; ++i) R[k][i] += s * first[i] + c * second[i];
  }
  return R;
}

/// Eigenvalues of a symmetric matrix 11 22 33 12 13 23, largest first, by Jacobi's rotations.
Vec3 principal_moments(const std::array<double, 6>& I) {
  std::array<Vec3, 3> A{{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
  constexpr int sweeps = 12;  // convergence is quadratic: six are plenty
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const auto& [p, q] : pairs) {
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

/// Two directions that make a right-handed system with a unit vector.
std::array<Vec3, 2> across(const Vec3& n) {
  // from the axis of space that is farthest from n
  Vec3 e{};
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  e[static_cast<std::size_t>(std::min_element(n.begin(), n.end(), smaller) - n.begin())] = 1.0;
  Vec3 u = cross(e, n);
  const double length = norm(u);
  for (double& x : u) x /= length;
  return {u, cross(n, u)};
}

/// Names a marker cannot have: NAME.x is a coordinate already.
bool is_component(const std::string& name) {
  static const std::array<std::string, 6> components{"x", "y", "z", "vx", "vy", "vz"};
  const auto digit = [](char c) { return c >= '1' && c <= '3'; };
  return std::find(components.begin(), components.end(), name) != components.end() ||
         (name.size() == 3 && name[0] == 'r' && digit(name[1]) && digit(name[2]));
}

}  // namespace

std::optional<Vec3> Compiler::vector_of(const std::vector<Value>& values, const std::string& where,
                                        const Bindings& bindings, Position at) {
  if (values.empty()) return Vec3{};
  const auto numbers = numbers_of(values, where, bindings);
  if (values.size() != 3) {
    problems_.add(at, where, fmt::format("has {} components", values.size()),
                  "a body moves in space: give three");
    return {};
  }
  if (!numbers) return {};
  return Vec3{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

std::optional<std::array<double, 6>> Compiler::second_moments(const Body& body,
                                                              const std::string& where,
                                                              const Bindings& bindings,
                                                              Position at) {
  const auto given = numbers_of(body.inertia, where, bindings);
  if (body.inertia.size() != 3 && body.inertia.size() != 6) {
    problems_.add(at, where, fmt::format("has {} numbers", body.inertia.size()),
                  "give three principal moments, or six: xx, yy, zz, xy, xz, yz");
    return {};
  }
  if (!given) return {};
  std::array<double, 6> I{};
  std::copy(given->begin(), given->end(), I.begin());
  const Vec3 moment = principal_moments(I);
  const double size = I[0] + I[1] + I[2];
  const double least = (moment[1] + moment[2] - moment[0]) / 2;  // of J
  const Position first = body.inertia.front().at();
  if (!(size > 0.0) || least < -flat * size) {
    problems_.add(first, where,
                  fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g}", moment[0],
                              moment[1], moment[2]),
                  "each is positive and at most the sum of the two others");
    return {};
  }
  if (moment[2] <= flat * size) {
    problems_.add(first, where, "is that of a thin rod, which has no moment about its own axis",
                  "give it a small one there, or state a [[rod]] with a mass");
    return {};
  }
  const bool oblique = I[3] != 0.0 || I[4] != 0.0 || I[5] != 0.0;
  if (oblique && least <= flat * size) {
    problems_.add(first, where, "is that of a flat body in axes that are not its own",
                  fmt::format("give the principal moments {:.6g}, {:.6g}, {:.6g} in place of six "
                              "numbers, and turn the body with rotation",
                              moment[0], moment[1], moment[2]));
    return {};
  }
  std::array<double, 6> J{};
  for (std::size_t i = 0; i < 3; ++i) {
    J[i] = size / 2 - I[i];
    if (J[i] <= flat * size) J[i] = 0.0;
    J[3 + i] = -I[3 + i];
  }
  return J;
}

void Compiler::compile_bodies() {
  int number_of_body = 0;
  for (const Element& element : model_.elements) {
    const auto* body = std::get_if<Body>(&element.what);
    if (body == nullptr) continue;
    for_each_copy(element.repeat, symbols_, "body", problems_, [&](const Bindings& bindings) {
      const std::string where = fmt::format("body {}", ++number_of_body);
      const auto name = substitute_name(body->prefix, element.position, bindings, symbols_,
                                        where + ": name", problems_);
      if (!name) return;
      if (*name == "ground" || name->empty())
        problems_.add(element.position, where + ": name",
                      name->empty() ? "is missing" : "ground is what joints call the fixed world",
                      "give the body a name of its own");
      declare(*name, where, element.position);
      add_body(*body, *name, bindings, element.position);
    });
  }
}

void Compiler::add_body(const Body& body, const std::string& name, const Bindings& bindings,
                        Position position) {
  const std::string where = "body " + name;
  const auto mass = number_of(body.mass, where + ": mass", bindings);
  const auto moments = second_moments(body, where + ": inertia", bindings, position);
  const auto at = vector_of(body.at, where + ": at", bindings, position);
  const auto velocity = vector_of(body.velocity, where + ": velocity", bindings, position);
  const auto rotation = vector_of(body.rotation, where + ": rotation", bindings, position);
  const auto spin = vector_of(body.spin, where + ": spin", bindings, position);
  if (mass && !(*mass > 0.0))
    problems_.add(body.mass.at(), where + ": mass", fmt::format("{} is not > 0", *mass),
                  "give the mass of the body");

  // what has mistakes stands in with anything, so that its names are known
  const auto J = moments.value_or(std::array{1.0, 1.0, 1.0, 0.0, 0.0, 0.0});
  const auto x = at.value_or(Vec3{}), v = velocity.value_or(Vec3{});
  const auto R = rotation_by(rotation.value_or(Vec3{}));
  const Vec3 w = spin.value_or(Vec3{});
  Symbols::BodyEntry entry{
      .first = static_cast<int>(q_.size()), .column = {-1, -1, -1}, .products = {J[3], J[4], J[5]}};
  add_point(name, {x.begin(), x.end()}, {v.begin(), v.end()});
  mass_.resize(q_.size(), mass.value_or(1.0));
  for (std::size_t c = 0; c < 3; ++c) {
    if (J[c] == 0.0) continue;
    entry.column[c] = static_cast<int>(q_.size());
    // r_c' = R (spin x e_c)
    const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string coordinate = fmt::format("{}.r{}{}", name, i + 1, c + 1);
      structure_.coordinates.push_back(coordinate);
      structure_.velocities.push_back(fmt::format("v({})", coordinate));
      q_.push_back(R[c][i]);
      v_.push_back(w[b] * R[a][i] - w[a] * R[b][i]);
    }
    mass_.resize(q_.size(), J[c]);
  }
  position_of_coordinate_.resize(q_.size(), position);
  symbols_.bodies.try_emplace(name, entry);
  add_markers(body, name, bindings, position);
}

void Compiler::add_markers(const Body& body, const std::string& name, const Bindings& bindings,
                           Position position) {
  for (const Body::Marker& marker : body.markers) {
    const std::string full = fmt::format("{}.{}", name, marker.name);
    const std::string where = "marker " + full;
    const auto at = vector_of(marker.at, where, bindings, position);
    if (is_component(marker.name))
      problems_.add(position, where, fmt::format("'{}' names a coordinate of the body", full),
                    "give the marker another name");
    declare(full, where, position);
    symbols_.markers.try_emplace(
        full, Symbols::MarkerEntry{.body = symbols_.bodies.at(name), .at = at.value_or(Vec3{})});
  }
}

Vec3 Compiler::column_at_start(const Symbols::BodyEntry& body, std::size_t c) const {
  if (body.column[c] < 0)
    return cross(column_at_start(body, (c + 1) % 3), column_at_start(body, (c + 2) % 3));
  const auto first = static_cast<std::size_t>(body.column[c]);
  return {q_[first], q_[first + 1], q_[first + 2]};
}

void Compiler::compile(const Body& body, const Copy& copy) {
  // its coordinates stand already; mistakes in its other fields are reported there
  const auto name =
      substitute_name(body.prefix, copy.at, copy.bindings, symbols_, copy.label, problems_);
  const auto softness = softness_of(body.compliance, 0.0, copy);
  const auto it = name ? symbols_.bodies.find(*name) : symbols_.bodies.end();
  if (it == symbols_.bodies.end() || !softness) return;
  const Symbols::BodyEntry& entry = it->second;

  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (entry.products[k] == 0.0) continue;
    Trace trace{*this, velocities, copy.label};
    const auto v_i = trace.column(entry, pairs[k][0], true);
    const auto v_j = trace.column(entry, pairs[k][1], true);
    trace.root(Role::kinetic, elements::product_of_inertia(Points{v_i}, Points{v_j},
                                                           trace.parameter(entry.products[k])));
    trace.finish(*name + " (inertia)");
  }
  for (std::size_t c = 0; c < 3; ++c) {
    if (entry.column[c] < 0) continue;
    const std::string label = fmt::format("{} axes {}{}", *name, c + 1, c + 1);
    Trace trace{*this, positions, label};
    const auto r = trace.column(entry, c);
    add_row(trace, elements::axis_length(Points{r}), *softness, label, scale_of_axes);
    trace.finish(label);
  }
  for (const auto& [i, j] : pairs) {
    if (entry.column[i] < 0 || entry.column[j] < 0) continue;
    const std::string label = fmt::format("{} axes {}{}", *name, i + 1, j + 1);
    Trace trace{*this, positions, label};
    const auto r_i = trace.column(entry, i), r_j = trace.column(entry, j);
    add_row(trace, elements::axes_angle(Points{r_i}, Points{r_j}), *softness, label, scale_of_axes);
    trace.finish(label);
  }
}

/// A body with a place on it and three directions in it, or the ground with the same in space.
/// Those of the two sides coincide at the start.
struct Compiler::JointSide {
  std::optional<Symbols::MarkerEntry> place;  // on a body
  Vec3 at{};                                  // of the ground
  std::array<Vec3, 3> directions{};
  double size = 0.0;  // of the terms a place is the sum of

  [[nodiscard]] std::vector<Sym> position(Trace& trace) const {
    if (place) return trace.position({.marker = &*place}, 3);
    return {trace.parameter(at[0]), trace.parameter(at[1]), trace.parameter(at[2])};
  }
  [[nodiscard]] std::vector<Sym> direction(Trace& trace, std::size_t k) const {
    const Vec3& d = directions[k];
    std::vector<Sym> sum(3);
    for (std::size_t c = 0; c < 3; ++c) {
      if (!place) sum[c] = trace.parameter(d[c]);
      if (!place || d[c] == 0.0) continue;
      const auto r = trace.column(place->body, c);
      const Sym component = trace.parameter(d[c]);
      for (std::size_t i = 0; i < 3; ++i) sum[i] += component * r[i];
    }
    return sum;
  }
};

std::optional<Compiler::JointSide> Compiler::joint_side(const Name& name, const Vec3& at,
                                                        const std::array<Vec3, 3>& directions,
                                                        const Copy& copy) {
  const std::string where = copy.label + ": between";
  const auto text = substitute_name(name.text, name.at, copy.bindings, symbols_, where, problems_);
  if (!text) return {};
  if (*text == "ground") return JointSide{.at = at, .directions = directions, .size = norm(at)};
  const auto it = symbols_.bodies.find(*text);
  if (it == symbols_.bodies.end()) {
    if (symbols_.incomplete) return {};
    std::vector<std::string> candidates{"ground"};
    for (const auto& [known, entry] : symbols_.bodies) candidates.push_back(known);
    std::sort(candidates.begin(), candidates.end());
    const std::string near = nearest_name(*text, candidates);
    problems_.add(
        name.at, where, fmt::format("there is no body '{}'", *text),
        near.empty() ? "name a [[body]], or ground" : fmt::format("did you mean '{}'?", near));
    return {};
  }

  // into the axes of the body; what is lost in rounding becomes 0, and keeps formulas short
  const Symbols::BodyEntry& body = it->second;
  Vec3 from_centre{}, centre{};
  for (std::size_t i = 0; i < 3; ++i) {
    centre[i] = q_[static_cast<std::size_t>(body.first) + i];
    from_centre[i] = at[i] - centre[i];
  }
  const double size = norm(centre) + norm(from_centre);
  const auto turned = [&](const Vec3& d, double rounding) {
    Vec3 in_body{};
    for (std::size_t c = 0; c < 3; ++c) {
      in_body[c] = dot(column_at_start(body, c), d);
      if (std::abs(in_body[c]) <= rounding) in_body[c] = 0.0;
    }
    return in_body;
  };
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  JointSide side{.size = size};
  side.place = Symbols::MarkerEntry{.body = body, .at = turned(from_centre, roundings * size)};
  for (std::size_t k = 0; k < 3; ++k) side.directions[k] = turned(directions[k], roundings);
  return side;
}

void Compiler::compile(const Joint& joint, const Copy& copy) {
  const auto softness = softness_of(joint.compliance, 0.0, copy);
  const auto at = vector_of(joint.at, copy.label + ": at", copy.bindings, copy.at);
  const auto axis = vector_of(joint.axis, copy.label + ": axis", copy.bindings, copy.at);
  const bool is_hinge = joint.kind == Joint::Kind::hinge;
  if (axis && is_hinge && norm(*axis) == 0.0)
    problems_.add(copy.at, copy.label + ": axis", "a hinge needs the direction of its axis",
                  "give three numbers, not all zero");
  if (!is_hinge && !joint.axis.empty())
    problems_.add(joint.axis.front().at(), copy.label + ": axis", "only a hinge has an axis",
                  "leave it out, or make the joint a hinge");
  std::array<Vec3, 3> directions{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (is_hinge && axis && norm(*axis) > 0.0) {
    Vec3& d = directions[2] = *axis;
    const double length = norm(d);
    for (double& x : d) x /= length;
    const auto others = across(d);
    directions[0] = others[0];
    directions[1] = others[1];
  }
  if (joint.between[0].text == joint.between[1].text)
    problems_.add(joint.between[1].at, copy.label + ": between", "both sides are the same body",
                  "join two different bodies, or a body and ground");
  const auto first = joint_side(joint.between[0], at.value_or(Vec3{}), directions, copy);
  const auto second = joint_side(joint.between[1], at.value_or(Vec3{}), directions, copy);
  if (!softness || !at || !axis || !first || !second || (!first->place && !second->place)) return;
  shown_joints_.emplace_back(copy.label, first->place ? *first->place : *second->place);

  constexpr std::string_view xyz = "xyz";
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string label = fmt::format("{} {}", copy.label, xyz[i]);
    Trace trace{*this, positions, label};
    add_row(trace, first->position(trace)[i] - second->position(trace)[i], *softness, label,
            first->size + second->size);
    trace.finish(label);
  }
  // (2) or (3) of elements/joint.hpp: which direction of each side
  struct RightAngle {
    std::size_t first, second;
    std::string name;
  };
  std::vector<RightAngle> angles;
  if (is_hinge) angles = {{2, 0, "tilt 1"}, {2, 1, "tilt 2"}};
  if (joint.kind == Joint::Kind::fixed)
    angles = {{1, 2, "turn x"}, {2, 0, "turn y"}, {0, 1, "turn z"}};
  for (const RightAngle& angle : angles) {
    const std::string label = fmt::format("{} {}", copy.label, angle.name);
    Trace trace{*this, positions, label};
    const auto d = first->direction(trace, angle.first);
    const auto other = second->direction(trace, angle.second);
    add_row(trace, elements::right_angle(Points{d}, Points{other}), *softness, label,
            scale_of_axes);
    trace.finish(label);
  }
}

}  // namespace taut
