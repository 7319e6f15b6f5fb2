// SPDX-License-Identifier: BSD-3-Clause
#include "report/record_fields.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/archive_list.hpp"
#include "run/archive_events.hpp"

namespace taut {
namespace {

template <std::size_t n>
void archive_components(Archive& archive, std::array<Scene::Component, n>& components) {
  for (Scene::Component& c : components) archive(c.coordinate, c.observable, c.value);
}

void record_fields(Archive& archive, Scene::Point& point) {
  archive(point.name);
  archive_choice(archive, point.kind, Scene::Point::Kind::drawn);
  archive_components(archive, point.at);
  archive(point.mass, point.body, point.radius);
}

void record_fields(Archive& archive, Scene::Line& line) {
  archive(line.name);
  archive_choice(archive, line.kind, Scene::Line::Kind::drawn);
  archive(line.ends[0], line.ends[1], line.row);
  archive(line.stiffness, line.length, line.mass, line.depth);
}

void record_fields(Archive& archive, Scene::Body& body) {
  archive(body.name);
  archive_components(archive, body.position);
  archive_components(archive, body.rotation);
  for (double& edge : body.box) archive(edge);
  for (double& entry : body.axes) archive(entry);
  archive(body.mass);
  archive_choice(archive, body.shape, Scene::Body::Shape::mesh);
  archive(body.color);
  Mesh mesh = body.mesh ? *body.mesh : Mesh{};
  archive_list(archive, mesh.corners, [&](auto& p) { archive(p[0], p[1], p[2]); });
  archive_list(archive, mesh.triangles, [&](auto& k) { archive(k[0], k[1], k[2]); });
  for (const auto& triangle : mesh.triangles)
    for (const int k : triangle)
      require_sense(k >= 0 && static_cast<std::size_t>(k) < mesh.corners.size(), "corners in it");
  if (body.shape == Scene::Body::Shape::mesh) body.mesh = std::make_shared<const Mesh>(mesh);
}

void record_fields(Archive& archive, Scene& scene) {
  archive.tag("scene");
  archive(scene.dimension);
  archive_list(archive, scene.points, [&](auto& point) { record_fields(archive, point); });
  archive_list(archive, scene.lines, [&](auto& line) { record_fields(archive, line); });
  archive_list(archive, scene.bodies, [&](auto& body) { record_fields(archive, body); });
  archive(scene.box);
}

// All of a summary, in both directions.
class SummaryParts {
 public:
  explicit SummaryParts(Archive& archive) : archive_{archive} {}

  template <class Field>
  void operator()(const char* /*name*/, Field& field) {
    store(field);
  }
  void operator()(const char* /*name*/, const std::vector<std::string>& /*names*/, Vec& values) {
    store(values);
  }
  template <class Field>
  void where(bool /*there*/, const char* /*name*/, Field& field) {
    store(field);
  }
  template <class Field>
  void unnamed(Field& field) {
    store(field);
  }

 private:
  template <class Field>
  void store(Field& field) {
    if constexpr (std::is_integral_v<Field>) {
      std::int64_t number = field;
      archive_(number);
      field = static_cast<Field>(number);
    } else {
      archive_(field);
    }
  }
  template <class Item>
  void store(std::vector<Item>& items) {
    archive_list(archive_, items, [&](Item& item) { store(item); });
  }
  template <class Value>
  void store(std::optional<Value>& value) {
    bool there = value.has_value();
    archive_(there);
    if (archive_.loading()) value = there ? std::optional<Value>{Value{}} : std::nullopt;
    if (there) store(*value);
  }
  template <class Value>
  void store(std::pair<std::string, Value>& named) {
    archive_(named.first, named.second);
  }
  void store(Status& status) { archive_choice(archive_, status, Status::multipliers_redundant); }
  void store(ReadingKind& reading) { archive_choice(archive_, reading, ReadingKind::averaged); }
  void store(EnergyScale& scale) { archive_choice(archive_, scale, EnergyScale::rounding); }
  void store(StatisticResult& statistic) {
    archive_(statistic.name, statistic.kind, statistic.samples, statistic.note);
    store(statistic.numbers);
    store(statistic.columns);
  }
  void store(Moved& moved) {
    store(moved.q);
    store(moved.v);
    store(moved.turned);
    store(moved.spun);
    archive_(moved.distance, moved.velocity_distance);
  }
  void store(ErrorEstimate& errors) {
    archive_(errors.q, errors.v, errors.lambda, errors.t, errors.q_along, errors.v_along,
             errors.lambda_along, errors.companion, errors.wall_seconds);
  }
  void store(std::vector<EventRecord>& events) { archive_events(archive_, events); }
  void store(std::vector<CurveEventRecord>& events) { archive_events(archive_, events); }
  void store(std::vector<ImpassePoint>& points) { archive_impasses(archive_, points); }

  Archive& archive_;
};

}  // namespace

void record_fields(Archive& archive, ReportSubject& subject) {
  archive.tag("subject");
  archive(subject.file, subject.text, subject.version, subject.tolerance, subject.watched,
          subject.own_units);
  archive_list(archive, subject.parameters,
               [&](auto& parameter) { archive(parameter.first, parameter.second); });
  record_fields(archive, subject.scene);
}

void record_fields(Archive& archive, SystemFacts& system) {
  archive.tag("system");
  archive(system.coordinates, system.rigid, system.compliant, system.conservative);
}

void record_fields(Archive& archive, Motion& motion) {
  for (auto* names : {&motion.coordinates, &motion.velocities, &motion.constraints, &motion.drawn,
                      &motion.invariants, &motion.outputs, &motion.quantities})
    archive_list(archive, *names);
  archive_list(archive, motion.observables, [&](Index& observable) {
    std::int64_t number = observable;
    archive(number);
    observable = static_cast<Index>(number);
  });
  archive(motion);
}

void record_fields(Archive& archive, Summary& summary) {
  archive.tag("summary");
  Summary::fields(summary, SummaryParts{archive});
}

void record_fields(Archive& archive, CurveMotion& motion) {
  archive_list(archive, motion.coordinates);
  archive_list(archive, motion.unknowns);
  archive_list(archive, motion.outputs);
  archive(motion, motion.unknown);
}

void record_fields(Archive& archive, CurveSummary& summary) {
  archive.tag("curve summary");
  CurveSummary::fields(summary, SummaryParts{archive});
}

}  // namespace taut
