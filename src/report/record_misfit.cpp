// SPDX-License-Identifier: BSD-3-Clause
// Whether a record that was read can be shown.
#include <algorithm>
#include <array>
#include <map>

#include "report/record_fields.hpp"
#include "report/report_scene.hpp"
#include "run/complete_columns.hpp"

namespace taut {
namespace {

bool named(const std::vector<std::string>& names, const Vec& values) {
  return static_cast<std::size_t>(values.size()) <= names.size();
}

// -1 stands for none
bool within(int index, std::size_t size) {
  return index >= -1 && (index < 0 || static_cast<std::size_t>(index) < size);
}

// whether each place of a scene has its column in a motion
class Placed {
 public:
  explicit Placed(const Motion& motion) : motion_{motion}, drawn_{drawn_columns(motion)} {}

  [[nodiscard]] bool operator()(const Scene& scene) const {
    const auto point = [&](const Scene::Point& p) {
      return all(p.at) && within(p.body, scene.bodies.size());
    };
    const auto body = [&](const Scene::Body& b) { return all(b.position) && all(b.rotation); };
    const auto end = [&](int k) { return k >= 0 && within(k, scene.points.size()); };
    const auto line = [&](const Scene::Line& l) {
      return end(l.ends[0]) && end(l.ends[1]) && within(l.row, motion_.constraints.size());
    };
    return std::all_of(scene.points.begin(), scene.points.end(), point) &&
           std::all_of(scene.bodies.begin(), scene.bodies.end(), body) &&
           std::all_of(scene.lines.begin(), scene.lines.end(), line);
  }

 private:
  template <std::size_t n>
  [[nodiscard]] bool all(const std::array<Scene::Component, n>& components) const {
    return std::all_of(components.begin(), components.end(), [&](const Scene::Component& c) {
      return within(c.coordinate, motion_.coordinates.size()) &&
             (c.observable == -1 || drawn_.contains(c.observable));
    });
  }

  const Motion& motion_;
  const std::map<int, std::size_t> drawn_;
};

}  // namespace

std::string misfit(const RunRecord& run) {
  const Motion& m = run.motion;
  const Summary& s = run.summary;
  if (run.system.coordinates < 0 || run.system.rigid < 0 || run.system.compliant < 0)
    return "it counts less than nothing";
  if (!complete(m) || !complete(m.extremes, m.rows(), m.width()) ||
      m.observables.size() != m.drawn.size() + m.invariants.size())
    return "columns of its motion have gaps";
  if (!named(s.coordinates, s.state.q) || !named(s.velocities, s.state.v) ||
      !named(s.constraints, s.lambda) ||
      !std::all_of(s.events.begin(), s.events.end(), [&](const EventRecord& event) {
        return named(s.coordinates, event.state.q) && named(s.velocities, event.state.v) &&
               named(s.coordinates, event.after.q) && named(s.velocities, event.after.v);
      }))
    return "numbers of its summary have no names";
  if (s.error_estimate) {
    const ErrorEstimate& e = *s.error_estimate;
    const std::size_t rows = e.t.size();
    if (!named(s.coordinates, e.q) || !named(s.velocities, e.v) ||
        !named(s.constraints, e.lambda) || e.q_along.size() != rows || e.v_along.size() != rows ||
        e.lambda_along.size() != rows)
      return "its errors have no names or no times";
  }
  if (!Placed{m}(run.subject.scene)) return "its scene has places that its motion does not have";
  return {};
}

std::string misfit(const CurveRecord& run) {
  const CurveMotion& m = run.motion;
  const CurveSummary& s = run.summary;
  if (!complete(m) || !complete(m.rows(), {{m.unknown, m.unknowns.size()}}) ||
      !complete(m.extremes, m.rows(), m.width()) || (m.rows() > 0 && m.coordinates.empty()))
    return "columns of its motion have gaps";
  if (!named(s.coordinates, s.p) || !named(s.coordinates, s.V) ||
      !std::all_of(s.events.begin(), s.events.end(),
                   [&](const CurveEventRecord& event) { return named(s.coordinates, event.p); }) ||
      !std::all_of(s.impasse_points.begin(), s.impasse_points.end(),
                   [&](const ImpassePoint& point) {
                     return point.p.size() > 0 && named(s.coordinates, point.p);
                   }))
    return "numbers of its summary have no names";
  return {};
}

}  // namespace taut
