// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_scene.hpp"

#include <cmath>

namespace taut {
namespace {

constexpr std::size_t most_coordinates_with_loads = 5000;

const char* kind_name(Scene::Point::Kind kind) {
  switch (kind) {
    case Scene::Point::Kind::mass:
      return "mass";
    case Scene::Point::Kind::anchor:
      return "anchor";
    case Scene::Point::Kind::marker:
      return "marker";
    case Scene::Point::Kind::drawn:
      break;
  }
  return "drawn";
}

const char* shape_name(Scene::Body::Shape shape) {
  switch (shape) {
    case Scene::Body::Shape::cylinder:
      return "cylinder";
    case Scene::Body::Shape::sphere:
      return "sphere";
    case Scene::Body::Shape::mesh:
      return "mesh";
    case Scene::Body::Shape::box:
      break;
  }
  return "box";
}

Json json_of(const std::shared_ptr<const Mesh>& mesh) {
  if (!mesh) return nullptr;
  Json corners = Json::array(), triangles = Json::array();
  // digits that nobody sees are left out
  for (const auto& corner : mesh->corners)
    for (const double x : corner) corners.push_back(static_cast<double>(static_cast<float>(x)));
  for (const auto& triangle : mesh->triangles)
    for (const int k : triangle) triangles.push_back(k);
  return {{"corners", std::move(corners)}, {"triangles", std::move(triangles)}};
}

}  // namespace

const char* kind_name(Scene::Line::Kind kind) {
  switch (kind) {
    case Scene::Line::Kind::rod:
      return "rod";
    case Scene::Line::Kind::spring:
      return "spring";
    case Scene::Line::Kind::damper:
      return "damper";
    case Scene::Line::Kind::drawn:
      break;
  }
  return "drawn";
}

std::map<int, std::size_t> drawn_columns(const Motion& motion) {
  std::map<int, std::size_t> columns;
  for (std::size_t k = 0; k < motion.drawn.size(); ++k)
    columns.emplace(static_cast<int>(motion.observables[k]), k);
  return columns;
}

std::size_t SceneText::bytes() const {
  std::size_t sum = 1200 * scene_.bodies.size();
  for (const Scene::Body& body : scene_.bodies)
    if (body.mesh) sum += 66 * body.mesh->corners.size() + 24 * body.mesh->triangles.size();
  for (const Scene::Point& point : scene_.points) sum += 140 + point.name.size();
  for (const Scene::Line& line : scene_.lines) sum += 140 + line.name.size();
  return sum;
}

// Of the table; -1: a number.
int SceneText::column(const Scene::Component& c) const {
  if (c.coordinate >= 0)
    return static_cast<int>(columns_.q.at(static_cast<std::size_t>(c.coordinate)));
  if (c.observable >= 0) return static_cast<int>(columns_.place.at(drawn_.at(c.observable)));
  return -1;
}

// Columns that the picture is drawn from are there in any case.
void SceneText::need() {
  const auto mark = [&](const auto& components) {
    for (const Scene::Component& c : components)
      if (const int k = column(c); k >= 0)
        table_.columns[static_cast<std::size_t>(k)].needed = true;
  };
  for (const Scene::Point& point : scene_.points) mark(point.at);
  for (const Scene::Body& body : scene_.bodies) {
    mark(body.position);
    mark(body.rotation);
  }
  // colours of rods must not cost most of the rows
  loaded_ = columns_.q.size() <= most_coordinates_with_loads;
  for (const Scene::Line& line : scene_.lines)
    if (line.row >= 0 && loaded_)
      table_.columns[columns_.lambda.at(static_cast<std::size_t>(line.row))].needed = true;
}

Json SceneText::json(const Scene::Component& c) const {
  const int k = column(c);
  if (k >= 0) return {{"column", table_.place(static_cast<std::size_t>(k))}};
  return std::isfinite(c.value) ? Json(c.value) : Json{};
}

Json SceneText::load(const Scene::Line& line) const {
  if (line.row < 0 || !loaded_) return nullptr;
  return table_.place(columns_.lambda.at(static_cast<std::size_t>(line.row)));
}

Json SceneText::operator()() const {
  Json j;
  j["dimension"] = scene_.dimension;
  j["points"] = Json::array();
  for (const Scene::Point& point : scene_.points)
    j["points"].push_back({{"name", point.name},
                           {"kind", kind_name(point.kind)},
                           {"mass", point.mass},
                           {"at", json(point.at)},
                           {"body", point.body},
                           {"radius", point.radius}});
  j["lines"] = Json::array();
  for (const Scene::Line& line : scene_.lines)
    j["lines"].push_back({{"name", line.name},
                          {"kind", kind_name(line.kind)},
                          {"ends", line.ends},
                          {"column", load(line)},
                          {"stiffness", line.stiffness},
                          {"length", line.length}});
  j["bodies"] = Json::array();
  for (const Scene::Body& body : scene_.bodies)
    j["bodies"].push_back({{"name", body.name},
                           {"position", json(body.position)},
                           {"rotation", json(body.rotation)},
                           {"box", body.box},
                           {"axes", body.axes},
                           {"mass", body.mass},
                           {"shape", shape_name(body.shape)},
                           {"color", body.color},
                           {"mesh", json_of(body.mesh)}});
  j["box"] = scene_.box.empty() ? Json{} : Json(scene_.box);
  return j;
}

}  // namespace taut
