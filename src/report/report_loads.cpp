// SPDX-License-Identifier: BSD-3-Clause
// Loads of constraints from their multipliers, of springs from places.
#include "report/report_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "report/report_scene.hpp"

namespace taut {
namespace {

using Place = std::array<double, 3>;

// Where the points of a scene are in the rows of a motion.
class ScenePlaces {
 public:
  ScenePlaces(const Motion& motion, const Scene& scene)
      : motion_{motion}, scene_{scene}, drawn_{drawn_columns(motion)} {}

  [[nodiscard]] double distance(const Scene::Line& line, std::size_t row) const {
    const Place a = place(line.ends[0], row), b = place(line.ends[1], row);
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      double d = b[k] - a[k];
      // the nearest image
      if (k < scene_.box.size()) d -= scene_.box[k] * std::round(d / scene_.box[k]);
      sum += d * d;
    }
    return std::sqrt(sum);
  }

 private:
  [[nodiscard]] double value(const Scene::Component& c, std::size_t row) const {
    if (c.coordinate >= 0)
      return motion_.q[row * motion_.coordinates.size() + static_cast<std::size_t>(c.coordinate)];
    if (c.observable >= 0)
      return motion_.place[row * motion_.drawn.size() + drawn_.at(c.observable)];
    return c.value;
  }

  [[nodiscard]] Place place(int index, std::size_t row) const {
    const Scene::Point& point = scene_.points.at(static_cast<std::size_t>(index));
    Place at{};
    for (std::size_t k = 0; k < 3; ++k) at[k] = value(point.at[k], row);
    if (point.body < 0) return at;
    const Scene::Body& body = scene_.bodies.at(static_cast<std::size_t>(point.body));
    Place moved{};
    for (std::size_t i = 0; i < 3; ++i) {
      moved[i] = value(body.position[i], row);
      for (std::size_t k = 0; k < 3; ++k) moved[i] += value(body.rotation[3 * i + k], row) * at[k];
    }
    return moved;
  }

  const Motion& motion_;
  const Scene& scene_;
  std::map<int, std::size_t> drawn_;
};

// keeps the larger one
void see(double force, double t, bool between, ReportLoad& load) {
  if (!(std::abs(force) > load.largest)) return;
  load.largest = std::abs(force);
  load.negative = force < 0.0;
  load.at = t;
  load.between = between;
}

std::vector<ReportLoad::Kind> kinds_of(const Motion& motion, const Scene& scene) {
  using Kind = ReportLoad::Kind;
  std::vector<Kind> kinds(motion.constraints.size(), Kind::constraint);
  for (const Scene::Line& line : scene.lines)
    if (line.kind == Scene::Line::Kind::rod && line.row >= 0 &&
        static_cast<std::size_t>(line.row) < kinds.size())
      kinds[static_cast<std::size_t>(line.row)] = line.mass > 0.0 ? Kind::bar : Kind::rod;
  return kinds;
}

}  // namespace

std::vector<bool> rods(const Scene& scene, std::size_t rows) {
  std::vector<bool> is_rod(rows, false);
  for (const Scene::Line& line : scene.lines)
    if (line.kind == Scene::Line::Kind::rod && line.row >= 0 &&
        static_cast<std::size_t>(line.row) < rows)
      is_rod[static_cast<std::size_t>(line.row)] = true;
  return is_rod;
}

std::vector<bool> internal_rows(const Motion& motion, const Scene& scene) {
  std::set<std::string_view> bodies;
  for (const Scene::Body& body : scene.bodies) bodies.insert(body.name);
  std::vector<bool> internal;
  for (const std::string& name : motion.constraints)
    internal.push_back(bodies.contains(std::string_view{name}.substr(0, name.rfind(" axes "))));
  return internal;
}

std::vector<ReportLoad> loads(const Motion& motion, const Scene& scene) {
  const std::vector<bool> internal = internal_rows(motion, scene);
  const std::vector<ReportLoad::Kind> kinds = kinds_of(motion, scene);
  const std::size_t count = motion.constraints.size();
  const std::size_t before = motion.coordinates.size() + motion.velocities.size();
  std::vector<ReportLoad> all;
  for (std::size_t c = 0; c < count; ++c) {
    if (internal[c]) continue;
    ReportLoad load{.kind = kinds[c], .row = c, .name = motion.constraints[c]};
    for (std::size_t row = 0; row < motion.rows(); ++row) {
      see(motion.lambda[row * count + c], motion.t[row], false, load);
      if (motion.extremes.empty()) continue;
      const std::size_t at = row * motion.width() + before + c;
      see(motion.extremes.low[at], motion.t[row], true, load);
      see(motion.extremes.high[at], motion.t[row], true, load);
    }
    if (load.largest >= 0.0) all.push_back(load);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const ReportLoad& a, const ReportLoad& b) { return a.largest > b.largest; });
  return all;
}

std::optional<ReportLoad> main_load(const Motion& motion, const Scene& scene) {
  const std::vector<ReportLoad> all = loads(motion, scene);
  const bool any_rod =
      std::any_of(all.begin(), all.end(), [](const ReportLoad& load) { return load.is_force(); });
  for (const ReportLoad& load : all)
    if (load.largest > 0.0 && (!any_rod || load.is_force())) return load;
  return {};
}

std::optional<ReportLoad> spring_load(const Motion& motion, const Scene& scene) {
  const ScenePlaces places{motion, scene};
  ReportLoad largest{.kind = ReportLoad::Kind::spring, .row = 0, .name = {}};
  for (const Scene::Line& line : scene.lines) {
    if (line.kind != Scene::Line::Kind::spring || line.depth > 0.0) continue;
    const double before = largest.largest;
    for (std::size_t row = 0; row < motion.rows(); ++row)
      see(line.stiffness * (places.distance(line, row) - line.length), motion.t[row], false,
          largest);
    if (largest.largest > before) largest.name = line.name;
  }
  if (!(largest.largest > 0.0)) return {};
  return largest;
}

}  // namespace taut
