// SPDX-License-Identifier: BSD-3-Clause
#include "report/record_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/archive_list.hpp"
#include "curves/curve_integrator.hpp"
#include "run/archive_events.hpp"

namespace taut {
namespace {

template <class Value>
void archive_named(Archive& archive, std::vector<std::pair<std::string, Value>>& named) {
  archive_list(archive, named, [&](auto& entry) { archive(entry.first, entry.second); });
}

template <class Value>
void archive_optional(Archive& archive, std::optional<Value>& value) {
  bool there = value.has_value();
  archive(there);
  if (archive.loading()) value = there ? std::optional<Value>{Value{}} : std::nullopt;
  if (there) archive(*value);
}

template <std::size_t n>
void archive_components(Archive& archive, std::array<Scene::Component, n>& components) {
  for (Scene::Component& c : components) archive(c.coordinate, c.observable, c.value);
}

void record_fields(Archive& archive, Scene::Point& point) {
  archive(point.name);
  archive_choice(archive, point.kind, Scene::Point::Kind::drawn);
  archive_components(archive, point.at);
  archive(point.mass, point.body);
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
}

void record_fields(Archive& archive, Scene& scene) {
  archive.tag("scene");
  archive(scene.dimension);
  archive_list(archive, scene.points, [&](auto& point) { record_fields(archive, point); });
  archive_list(archive, scene.lines, [&](auto& line) { record_fields(archive, line); });
  archive_list(archive, scene.bodies, [&](auto& body) { record_fields(archive, body); });
  archive(scene.box);
}

void record_fields(Archive& archive, StatisticResult& statistic) {
  archive(statistic.name, statistic.kind, statistic.samples, statistic.note);
  archive_named(archive, statistic.numbers);
  archive_named(archive, statistic.columns);
}

void record_fields(Archive& archive, Moved& moved) {
  archive_named(archive, moved.q);
  archive_named(archive, moved.v);
  archive(moved.distance, moved.velocity_distance);
}

void record_fields(Archive& archive, ErrorEstimate& errors) {
  archive(errors.q, errors.v, errors.lambda);
  archive(errors.t, errors.q_along, errors.v_along, errors.lambda_along);
  archive(errors.companion, errors.wall_seconds);
}

void record_core(Archive& archive, SummaryCore& summary) {
  archive_choice(archive, summary.status, Status::invalid_argument);
  archive(summary.message, summary.hint, summary.model, summary.reason);
  archive_list(archive, summary.coordinates);
  archive(summary.output_evaluations, summary.step);
  archive_list(archive, summary.notes);
  archive(summary.wall_seconds);
}

}  // namespace

void record_fields(Archive& archive, ReportSubject& subject) {
  archive.tag("subject");
  archive(subject.file, subject.text, subject.version, subject.tolerance, subject.own_units);
  record_fields(archive, subject.scene);
}

void record_fields(Archive& archive, SystemFacts& system) {
  archive.tag("system");
  archive(system.coordinates, system.rigid, system.compliant, system.conservative);
}

void record_fields(Archive& archive, Motion& motion) {
  for (auto* names : {&motion.coordinates, &motion.velocities, &motion.constraints, &motion.drawn,
                      &motion.invariants})
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
  record_core(archive, summary);
  bool read = summary.reading.has_value();
  archive(read);
  ReadingKind reading = summary.reading.value_or(ReadingKind::as_written);
  archive_choice(archive, reading, ReadingKind::averaged);
  summary.reading = read ? std::optional{reading} : std::nullopt;
  archive(summary.method);
  archive_list(archive, summary.velocities);
  archive_list(archive, summary.constraints);
  archive(summary.state, summary.lambda);
  archive(summary.counters, summary.reading_evaluations, summary.projections,
          summary.projection_evaluations);
  archive(summary.max_constraint, summary.max_velocity_constraint, summary.max_relative_constraint,
          summary.max_stretch);
  archive(summary.energy_start, summary.energy_end);
  archive_optional(archive, summary.energy_error);
  archive(summary.energy_scale);
  archive_choice(archive, summary.energy_scale_is, EnergyScale::rounding);
  archive_named(archive, summary.invariant_errors);
  bool estimated = summary.error_estimate.has_value();
  archive(estimated, summary.no_error_estimate);
  if (archive.loading() && estimated) summary.error_estimate.emplace();
  if (estimated) record_fields(archive, *summary.error_estimate);
  archive_list(archive, summary.statistics, [&](auto& found) { record_fields(archive, found); });
  archive_list(archive, summary.redundant);
  record_fields(archive, summary.moved);
  archive_events(archive, summary.events);
}

void record_fields(Archive& archive, CurveMotion& motion) {
  archive_list(archive, motion.coordinates);
  archive_list(archive, motion.unknowns);
  archive(motion, motion.unknown);
}

void record_fields(Archive& archive, CurveSummary& summary) {
  archive.tag("curve summary");
  record_core(archive, summary);
  archive(summary.form, summary.distribution);
  archive_optional(archive, summary.index);
  archive(summary.p, summary.V, summary.s);
  archive_named(archive, summary.unknowns);
  archive_counters(archive, summary.counters);
  std::int64_t equations = summary.equations;
  archive(equations);
  summary.equations = static_cast<Index>(equations);
  archive(summary.max_equation, summary.max_relative, summary.worst_equation);
  archive_named(archive, summary.moved);
  archive_list(archive, summary.found);
  archive_named(archive, summary.taken);
  archive_events(archive, summary.events);
  archive_impasses(archive, summary.impasse_points);
}

}  // namespace taut
