// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <map>

#include "report/json.hpp"
#include "report/page_table.hpp"
#include "report/report_motion_table.hpp"
#include "taut/report/report.hpp"

namespace taut {

/// Of each observable of the system that is drawn its column of Motion::place.
[[nodiscard]] std::map<int, std::size_t> drawn_columns(const Motion& motion);

/// What pages call a line of a picture.
[[nodiscard]] const char* kind_name(Scene::Line::Kind kind);

/// The picture of a model as data of its page (web/README.md). Everything it is given must outlive
/// it.
class SceneText {
 public:
  SceneText(const RunRecord& run, const MotionColumns& columns, PageTable& table)
      : scene_{run.subject.scene},
        columns_{columns},
        table_{table},
        drawn_{drawn_columns(run.motion)} {}

  /// At most, but for names that need escapes.
  [[nodiscard]] std::size_t bytes() const;
  /// Keeps in the table what the picture is drawn from.
  void need();
  /// Whether rods have the colours of their loads.
  [[nodiscard]] bool shows_loads() const { return loaded_; }
  [[nodiscard]] Json operator()() const;

 private:
  [[nodiscard]] int column(const Scene::Component& c) const;
  [[nodiscard]] Json json(const Scene::Component& c) const;
  template <std::size_t n>
  [[nodiscard]] Json json(const std::array<Scene::Component, n>& all) const {
    Json list = Json::array();
    for (const Scene::Component& c : all) list.push_back(json(c));
    return list;
  }
  [[nodiscard]] Json load(const Scene::Line& line) const;

  const Scene& scene_;
  const MotionColumns& columns_;
  PageTable& table_;
  std::map<int, std::size_t> drawn_;
  bool loaded_ = true;
};

}  // namespace taut
