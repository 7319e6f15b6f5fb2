// SPDX-License-Identifier: BSD-3-Clause
// Pages of modes and of responses: their JSON with what is drawn.
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/report_scene.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/modes.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

/// Points with their places and how each mode moves them; lines between them, edges of bodies.
Json scene_json(const Modes& modes) {
  if (modes.places.empty()) return nullptr;
  const Scene& scene = modes.scene;
  Json j;
  j["dimension"] = scene.dimension;
  j["points"] = scene.points.size();
  j["masses"] = Json::array();
  for (std::size_t k = 0; k < scene.points.size(); ++k)
    if (scene.points[k].kind == Scene::Point::Kind::mass) j["masses"].push_back(k);
  j["places"] = modes.places;
  j["lines"] = Json::array();
  for (const Scene::Line& line : scene.lines)
    j["lines"].push_back({{"ends", line.ends}, {"kind", kind_name(line.kind)}});
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const std::size_t first = scene.points.size() + 8 * b;
    for (std::size_t corner = 0; corner < 8; ++corner)
      for (std::size_t k = 0; k < 3; ++k)
        if (((corner >> k) & 1) == 0)
          j["lines"].push_back({{"ends", {first + corner, first + corner + (std::size_t{1} << k)}},
                                {"kind", "body"}});
  }
  j["moves"] = Json::array();
  for (const auto& mode : modes.moves) {
    Json all = Json::array();
    for (const auto& place : mode)
      for (const auto& z : place) {
        all.push_back(z.real());
        all.push_back(z.imag());
      }
    j["moves"].push_back(std::move(all));
  }
  return j;
}

}  // namespace

std::string write_modes_html(const Modes& modes, const std::string& file) {
  Json j = Json::parse(modes_json(modes));
  j["version"] = version();
  j["scene"] = scene_json(modes);
  return write_file(file, page_html(Page::modes, modes.linear.model + ": modes", text(j, -1)));
}

std::string write_responses_html(const LinearModel& linear,
                                 const std::vector<FrequencyResponse>& responses,
                                 const std::string& file) {
  Json j = Json::parse(responses_json(linear, responses));
  j["version"] = version();
  return write_file(file, page_html(Page::modes, linear.model + ": response", text(j, -1)));
}

}  // namespace taut
