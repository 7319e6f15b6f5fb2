// SPDX-License-Identifier: BSD-3-Clause
// What a model looks like: its points, rods, springs and bodies, and what [drawing] adds to them.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/dense_decompositions.hpp"
#include "model/trace.hpp"

namespace taut {

using formula::NodeId;
using formula::Slot;

namespace {

constexpr std::string_view axis_names = "xyz";

/// Edges and axes of the uniform box with the second moments J and mass m:  J_k = m edge_k² / 12.
void set_box(const Mat& J, Scene::Body& body) {
  const auto edge = [&](double moment) {
    return std::sqrt(12.0 * std::max(moment, 0.0) / body.mass);
  };
  const SymmetricModes principal = symmetric_modes(J);
  if (!principal.found) return;
  const Mat& axes = principal.shapes;
  const Vec third = axes.col(2);
  // a reflection would turn faces inside out
  const double volume = (axes(1, 0) * axes(2, 1) - axes(2, 0) * axes(1, 1)) * third[0] +
                        (axes(2, 0) * axes(0, 1) - axes(0, 0) * axes(2, 1)) * third[1] +
                        (axes(0, 0) * axes(1, 1) - axes(1, 0) * axes(0, 1)) * third[2];
  for (std::size_t k = 0; k < 3; ++k) {
    body.box[k] = edge(principal.omega2[Index(k)]);
    for (std::size_t i = 0; i < 3; ++i)
      body.axes[3 * i + k] = axes(Index(i), Index(k)) * (k == 2 && volume < 0.0 ? -1.0 : 1.0);
  }
}

}  // namespace

/// Builds the scene once all elements are known, from what they have noted with show().
class Compiler::SceneCompiler {
 public:
  explicit SceneCompiler(Compiler& compiler)
      : c_{compiler}, symbols_{compiler.symbols_}, problems_{compiler.problems_} {}

  [[nodiscard]] Scene compile() {
    scene_.box = c_.box_;
    points_and_bodies();
    markers();
    anchors();
    for (const ShownLine& shown : c_.shown_lines_) {
      scene_.lines.push_back(shown.line);
      scene_.lines.back().ends = {number_of(shown.between[0]), number_of(shown.between[1])};
      for (const auto& [field, number] : shown.numbers) {
        scene_.lines.back().*field = number.value();
        c_.keep(number,
                [k = scene_.lines.size() - 1, field = field](CompiledModel& model) -> double& {
                  return model.scene.lines[k].*field;
                });
      }
    }
    drawn_points();
    drawn_lines();
    outlines();
    return std::move(scene_);
  }

 private:
  using Component = Scene::Component;
  using Kind = Scene::Point::Kind;

  int add(Scene::Point point) {
    scene_.points.push_back(std::move(point));
    return static_cast<int>(scene_.points.size()) - 1;
  }

  void points_and_bodies() {
    // in the order of q: hash maps have none
    std::vector<const StringMap<Symbols::PointEntry>::value_type*> sorted;
    sorted.reserve(symbols_.points.size());
    for (const auto& named : symbols_.points) sorted.push_back(&named);
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* a, const auto* b) { return a->second.first < b->second.first; });
    scene_.points.reserve(sorted.size());
    for (const auto* named : sorted) {
      const auto& [name, entry] = *named;
      if (entry.dimension > 2) scene_.dimension = 3;
      if (const auto body = symbols_.bodies.find(name); body != symbols_.bodies.end()) {
        body_of_point_.emplace(body->second.first, static_cast<int>(scene_.bodies.size()));
        add_body(name, body->second);
        continue;
      }
      const Number mass = c_.mass_[static_cast<std::size_t>(entry.first)];
      Scene::Point point{.name = name, .kind = Kind::mass, .mass = mass.value()};
      c_.keep(mass, [k = scene_.points.size()](CompiledModel& model) -> double& {
        return model.scene.points[k].mass;
      });
      for (int i = 0; i < entry.dimension; ++i)
        point.at[static_cast<std::size_t>(i)].coordinate = entry.first + i;
      if (const auto radius = c_.shown_radii_.find(entry.first); radius != c_.shown_radii_.end()) {
        point.radius = radius->second.value();
        c_.keep(radius->second, [k = scene_.points.size()](CompiledModel& model) -> double& {
          return model.scene.points[k].radius;
        });
      }
      number_of_.emplace(&entry, add(std::move(point)));
    }
  }

  /// -1 where another point has taken the body's name, which is reported.
  [[nodiscard]] int body_with_centre(int first) const {
    const auto it = body_of_point_.find(first);
    return it != body_of_point_.end() ? it->second : -1;
  }

  [[nodiscard]] const Number& mass_of(int coordinate) const {
    return c_.mass_[static_cast<std::size_t>(coordinate)];
  }

  /// A bar along the first axis with the mass and inertia of the body.
  void add_planar_body(const std::string& name, const Symbols::BodyEntry& entry) {
    Scene::Body body{.name = name};
    keep_mass(mass_of(entry.first), body);
    for (std::size_t i = 0; i < 2; ++i)
      body.position[i].coordinate = entry.first + static_cast<int>(i);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        Trace trace{c_, positions, name};
        const NodeId node = trace.column(entry, c)[i].node(trace.graph());
        body.rotation[3 * i + c] =
            i == 2 || c == 2 ? Component{.value = i == c ? 1.0 : 0.0}
                             : place(trace, node, i, fmt::format("{}.r{}{}", name, i + 1, c + 1));
      }
    // I = m (a² + b²) / 12, drawn with b = a/8
    constexpr double slender = 8.0;
    const Number a = square_root(12.0 * mass_of(entry.angle) / mass_of(entry.first) /
                                 (1.0 + 1.0 / (slender * slender)));
    if (!add_look(body)) keep_box({a, a / slender, 0.0}, body);
    scene_.bodies.push_back(std::move(body));
  }

  static Number square_root(const Number& x) { return record(formula::Op::sqrt, x, {}); }
  void keep_mass(const Number& mass, Scene::Body& body) {
    body.mass = mass.value();
    c_.keep(mass, [k = scene_.bodies.size()](CompiledModel& model) -> double& {
      return model.scene.bodies[k].mass;
    });
  }
  void keep_box(const std::array<Number, 3>& box, Scene::Body& body) {
    for (std::size_t i = 0; i < 3; ++i) {
      body.box[i] = box[i].value();
      c_.keep(box[i], [k = scene_.bodies.size(), i](CompiledModel& model) -> double& {
        return model.scene.bodies[k].box[i];
      });
    }
  }

  /// What the body itself says of how it is drawn; false where it does not say its size.
  bool add_look(Scene::Body& body) {
    const auto shown = c_.shown_bodies_.find(body.name);
    if (shown == c_.shown_bodies_.end()) return false;
    const auto& [look, box] = shown->second;
    body.color = look.color;
    if (box[0].value() == 0.0) return false;  // none is given: those that are given are above 0
    body.shape = look.shape;
    body.mesh = look.mesh;
    body.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    keep_box(box, body);
    return true;
  }

  void add_body(const std::string& name, const Symbols::BodyEntry& entry) {
    if (entry.planar()) {
      add_planar_body(name, entry);
      return;
    }
    Scene::Body body{.name = name};
    keep_mass(mass_of(entry.first), body);
    std::array<Number, 3> J{};
    for (std::size_t c = 0; c < 3; ++c) {
      body.position[c].coordinate = entry.first + static_cast<int>(c);
      const int column = entry.column[c];
      if (column >= 0) J[c] = mass_of(column);
      for (std::size_t i = 0; i < 3; ++i) {
        Component& component = body.rotation[3 * i + c];
        if (column >= 0) {
          component.coordinate = column + static_cast<int>(i);
        } else {
          // of a flat body: the cross product of the other two
          Trace trace{c_, positions, name};
          const NodeId node = trace.column(entry, c)[i].node(trace.graph());
          component = place(trace, node, i, fmt::format("{}.r{}{}", name, i + 1, c + 1));
        }
      }
    }
    if (!add_look(body)) draw_moments(J, entry.products, body);
    scene_.bodies.push_back(std::move(body));
  }

  /// The uniform box with its mass and moments.
  void draw_moments(const std::array<Number, 3>& J, const std::array<Number, 3>& products,
                    Scene::Body& body) {
    const bool oblique = products[0] != 0.0 || products[1] != 0.0 || products[2] != 0.0;
    if (!oblique) {
      // moments about the body's own axes keep their order
      const Number& mass = mass_of(body.position[0].coordinate);
      std::array<Number, 3> box{};
      for (std::size_t k = 0; k < 3; ++k)
        box[k] = square_root(12.0 * record(formula::Op::max, J[k], 0.0) / mass);
      keep_box(box, body);
      return;
    }
    // a picture: its axes may be those of other parameters
    Mat A = Mat::Zero(3, 3);
    for (std::size_t k = 0; k < 3; ++k) A(Index(k), Index(k)) = J[k].value();
    A(0, 1) = A(1, 0) = products[0].value();
    A(0, 2) = A(2, 0) = products[1].value();
    A(1, 2) = A(2, 1) = products[2].value();
    set_box(A, body);
  }

  /// Component i of the next point as a number.
  Component place(const Number& number, std::size_t i) {
    static_cast<void>(isfinite(number));  // what is shown must be
    c_.keep(number, [k = scene_.points.size(), i](CompiledModel& model) -> double& {
      return model.scene.points[k].at[i].value;
    });
    return {.value = number.value()};
  }

  /// Component i of the next point, or of a body: a number, a coordinate, or else a value that is
  /// watched to be drawn.
  Component place(Trace& trace, NodeId node, std::size_t i, const std::string& name) {
    constexpr auto moving = formula::mask(Slot::q) | formula::mask(Slot::t) |
                            formula::mask(Slot::theta) | formula::mask(Slot::input);
    if ((trace.graph().reads(node) & moving) == 0) return place(trace.value_at_start(node), i);
    if (const int coordinate = trace.coordinate_of(node); coordinate >= 0)
      return {.coordinate = coordinate};
    std::vector<Observable>& observables = c_.structure_.observables;
    const int number = static_cast<int>(observables.size());
    observables.push_back({.name = "drawing " + name, .kind = Observable::Kind::drawn});
    trace.observable({trace.graph(), node}, number);
    trace.finish(observables.back().name, *c_.drawn_);
    return {.observable = number};
  }

  Scene::Point marker(const std::string& name, const Symbols::MarkerEntry& entry) {
    Scene::Point point{
        .name = name, .kind = Kind::marker, .body = body_with_centre(entry.body.first)};
    for (std::size_t i = 0; i < 3; ++i) point.at[i] = place(entry.at[i], i);
    return point;
  }

  void markers() {
    std::map<std::pair<int, std::string_view>, const Symbols::MarkerEntry*> sorted;
    for (const auto& [name, entry] : symbols_.markers)
      sorted.emplace(std::pair{entry.body.first, std::string_view{name}}, &entry);
    for (const auto& [key, entry] : sorted)
      number_of_.emplace(entry, add(marker(std::string{key.second}, *entry)));
    for (const auto& [name, entry] : c_.shown_joints_) add(marker(name, entry));
  }

  void anchors() {
    std::map<std::string_view, const Symbols::AnchorEntry*> sorted;
    for (const auto& [name, entry] : symbols_.anchors)
      if (!entry.any_dimension) sorted.emplace(name, &entry);  // the origin only where it is used
    for (const auto& [name, entry] : sorted) {
      Scene::Point point{.name = std::string{name}, .kind = Kind::anchor};
      if (entry->at.size() > 2) scene_.dimension = 3;
      for (std::size_t i = 0; i < std::min<std::size_t>(entry->at.size(), 3); ++i) {
        if (!entry->fixed.empty()) {
          point.at[i] = place(entry->fixed[i], i);
          continue;
        }
        Trace trace{c_, time, "anchor " + point.name};
        const auto at = trace.position({.anchor = entry}, entry->at.size());
        point.at[i] =
            place(trace, at[i].node(trace.graph()), i, fmt::format("{}.{}", name, axis_names[i]));
      }
      number_of_.emplace(entry, add(std::move(point)));
    }
  }

  /// Where an end stands in the scene. The origin and centres of bodies come when they are used.
  int number_of(const End& end) {
    const void* const entry = end.point != nullptr    ? static_cast<const void*>(end.point)
                              : end.anchor != nullptr ? static_cast<const void*>(end.anchor)
                                                      : static_cast<const void*>(end.marker);
    if (const auto it = number_of_.find(entry); it != number_of_.end()) return it->second;
    Scene::Point point{.name = "origin", .kind = Kind::anchor};
    if (end.point != nullptr) {
      point.kind = Kind::marker;
      point.body = body_with_centre(end.point->first);
      if (point.body < 0) return -1;
      point.name = scene_.bodies[static_cast<std::size_t>(point.body)].name;
    }
    return number_of_.emplace(entry, add(std::move(point))).first->second;
  }

  /// Planes of contacts, curves of joints: their corners, joined by lines.
  void outlines() {
    for (const ShownOutline& outline : c_.shown_outlines_) {
      const int first = static_cast<int>(scene_.points.size());
      const int count = static_cast<int>(outline.corners.size());
      for (const std::array<Number, 3>& corner : outline.corners) {
        Scene::Point point{.name = outline.name, .kind = Kind::drawn, .radius = -1.0};
        if (outline.body) {
          point.kind = Kind::marker;
          point.body = body_with_centre(outline.body->first);
        }
        for (std::size_t i = 0; i < 3; ++i) point.at[i] = place(corner[i], i);
        add(std::move(point));
      }
      for (int k = 0; k < (outline.closed ? count : count - 1); ++k)
        scene_.lines.push_back({.name = outline.name,
                                .kind = Scene::Line::Kind::drawn,
                                .ends = {first + k, first + (k + 1) % count}});
    }
  }

  // [drawing] -------------------------------------------------------------------------------------

  void drawn_points() {
    for (const Drawing::Point& point : c_.model_.drawing.points) {
      const std::string where = "drawing.point " + point.name;
      for_each_copy(point.repeat, symbols_, where, problems_, [&](const Bindings& bindings) {
        const auto name =
            substitute_name(point.name, point.position, bindings, symbols_, where, problems_);
        if (!name) return;
        c_.declare(*name, where, point.position);
        if (point.at.size() != 2 && point.at.size() != 3)
          problems_.add(point.position, where + ": at",
                        fmt::format("has {} components", point.at.size()), "give two or three");
        else
          number_of_drawn_.try_emplace(*name, add(drawn_point(point, *name, where, bindings)));
      });
    }
  }

  Scene::Point drawn_point(const Drawing::Point& point, const std::string& name,
                           const std::string& where, const Bindings& bindings) {
    Scene::Point shown{.name = name, .kind = Kind::drawn};
    if (point.at.size() > 2) scene_.dimension = 3;
    for (std::size_t i = 0; i < point.at.size(); ++i) {
      const auto text = substitute(point.at[i], bindings, symbols_, where, problems_);
      Trace trace{c_, time | positions, where};
      const auto value = text ? trace.expression(*text) : std::nullopt;
      if (!value) continue;
      shown.at[i] =
          place(trace, value->node(trace.graph()), i, fmt::format("{}.{}", name, axis_names[i]));
      if (!std::isfinite(shown.at[i].value))
        problems_.add(text->at(), where, "does not give a finite number",
                      "check divisions by zero, roots and logarithms of the parameters it uses");
    }
    return shown;
  }

  void drawn_lines() {
    int number = 0;
    for (const Drawing::Line& line : c_.model_.drawing.lines)
      for_each_copy(line.repeat, symbols_, "drawing.line", problems_,
                    [&](const Bindings& bindings) { drawn_line(line, ++number, bindings); });
  }

  void drawn_line(const Drawing::Line& line, int number, const Bindings& bindings) {
    const std::string where = fmt::format("drawing.line {}: through", number);
    if (line.through.size() < 2)
      problems_.add(line.through.empty() ? line.position : line.through.front().at, where,
                    line.through.empty() ? "has no name" : "has only one name",
                    "name two points or more, in the order in which they are joined");
    Scene::Line shown{.name = fmt::format("line {}", number), .kind = Scene::Line::Kind::drawn};
    if (line.load) carry(*line.load, fmt::format("drawing.line {}: load", number), bindings, shown);
    int before = -1;
    for (const Name& name : line.through) {
      const int current = drawn_end(name, where, bindings);
      if (before >= 0 && current == before)
        problems_.add(name.at, where, fmt::format("goes from '{}' to itself", name.text),
                      "name two different points");
      else if (before >= 0 && current >= 0) {
        shown.ends = {before, current};
        scene_.lines.push_back(shown);
      }
      before = current;
    }
  }

  /// Makes a line the rod that a constraint of this name stands for.
  void carry(const Name& load, const std::string& where, const Bindings& bindings,
             Scene::Line& line) {
    const auto text = substitute_name(load.text, load.at, bindings, symbols_, where, problems_);
    if (!text) return;
    std::vector<std::string> names;
    for (const Row& row : c_.structure_.rows) names.push_back(row.name);
    const auto row = std::find(names.begin(), names.end(), *text);
    if (row != names.end()) {
      line.name = *text;
      line.kind = Scene::Line::Kind::rod;
      line.row = static_cast<int>(row - names.begin());
      return;
    }
    const std::string near = nearest_name(*text, names);
    problems_.add(load.at, where, fmt::format("there is no constraint '{}'", *text),
                  names.empty()  ? "leave it out: the model has no constraints"
                  : near.empty() ? fmt::format("constraints are: {}", fmt::join(names, ", "))
                                 : fmt::format("did you mean '{}'?", near));
  }

  /// A point that a line goes through; -1 where there is none of this name.
  int drawn_end(const Name& name, const std::string& where, const Bindings& bindings) {
    const auto text = substitute_name(name.text, name.at, bindings, symbols_, where, problems_);
    if (!text) return -1;
    if (const auto it = number_of_drawn_.find(*text); it != number_of_drawn_.end())
      return it->second;
    if (const auto end = find_end(symbols_, *text)) return number_of(*end);
    if (symbols_.incomplete) return -1;
    std::vector<std::string> candidates = names_of_ends(symbols_);
    for (const auto& [known, number] : number_of_drawn_) candidates.push_back(known);
    std::sort(candidates.begin(), candidates.end());
    const std::string near = nearest_name(*text, candidates);
    problems_.add(name.at, where, fmt::format("there is no point '{}'", *text),
                  near.empty() ? "name a point of [points] or [drawing.points], an anchor, a "
                                 "marker of a body, or origin"
                               : fmt::format("did you mean '{}'?", near));
    return -1;
  }

  Compiler& c_;
  const Symbols& symbols_;
  Problems& problems_;
  Scene scene_;
  std::unordered_map<const void*, int> number_of_;  // of a point, an anchor or a marker
  std::unordered_map<int, int> body_of_point_;      // by the x of its centre in q
  StringMap<int> number_of_drawn_;
};

Scene Compiler::compile_scene() { return SceneCompiler{*this}.compile(); }

}  // namespace taut
