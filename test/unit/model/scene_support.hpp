// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "readings/readings.hpp"
#include "support.hpp"

namespace taut::test {

/// A scene at one instant, put together from its plain numbers as a page does it.
class SceneAt {
 public:
  SceneAt(const CompiledModel& model, double t, const Vec& q)
      : scene_{model.scene}, q_{q}, v_{Vec::Zero(q.size())} {
    // what formulas read of multipliers is put in by a reading
    const System shown =
        model.system.structure().takes_multipliers ? springs(model.system) : model.system;
    shown.prepare(ev_);
    EXPECT_EQ(shown.evaluate(need(Target::observable), {t, q_, v_}, ev_), Status::ok);
  }
  explicit SceneAt(const CompiledModel& model) : SceneAt{model, model.given.t, model.given.q} {}

  [[nodiscard]] double value(const Scene::Component& component) const {
    if (component.coordinate >= 0) return q_[component.coordinate];
    return component.observable >= 0 ? ev_.observable[component.observable] : component.value;
  }
  [[nodiscard]] Mat rotation(const Scene::Body& body) const {
    Mat R(3, 3);
    for (Index i = 0; i < 9; ++i)
      R(i / 3, i % 3) = value(body.rotation[static_cast<std::size_t>(i)]);
    return R;
  }
  [[nodiscard]] Vec place(int number) const {
    const Scene::Point& point = scene_.points.at(static_cast<std::size_t>(number));
    Vec x(3);
    for (Index i = 0; i < 3; ++i) x[i] = value(point.at[static_cast<std::size_t>(i)]);
    if (point.body < 0) return x;
    const Scene::Body& body = scene_.bodies.at(static_cast<std::size_t>(point.body));
    const Mat R = rotation(body);
    Vec turned(3);
    for (Index i = 0; i < 3; ++i)
      turned[i] = value(body.position[static_cast<std::size_t>(i)]) + R.row(i).dot(x);
    return turned;
  }
  [[nodiscard]] Vec place(const std::string& name) const { return place(number_of(name)); }
  [[nodiscard]] double distance(const std::string& a, const std::string& b) const {
    return (place(a) - place(b)).norm();
  }
  [[nodiscard]] double distance(const Scene::Line& line) const {
    return (place(line.ends[0]) - place(line.ends[1])).norm();
  }

 private:
  [[nodiscard]] int number_of(const std::string& name) const {
    for (std::size_t i = 0; i < scene_.points.size(); ++i)
      if (scene_.points[i].name == name) return static_cast<int>(i);
    ADD_FAILURE() << "no point " << name;
    return 0;
  }

  const Scene& scene_;
  Vec q_, v_;
  Evaluation ev_;
};

inline CompiledModel compile_gallery_model(const std::filesystem::path& file) {
  Problems problems{file.string()};
  const Model model = read_model_file(file, problems);
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result;
}

inline std::vector<std::string> names_of(const std::vector<Scene::Point>& points) {
  std::vector<std::string> names;
  for (const Scene::Point& point : points) names.push_back(point.name);
  return names;
}

}  // namespace taut::test
