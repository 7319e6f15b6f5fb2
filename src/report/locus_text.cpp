// SPDX-License-Identifier: BSD-3-Clause
// Roots over a parameter as JSON, CSV and a page.
#include <fmt/format.h>

#include <cmath>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/modes.hpp"
#include "taut/version.hpp"

namespace taut {

std::string locus_json(const RootLocus& locus) {
  Json j;
  j["model"] = locus.model;
  j["reading"] = locus.reading;
  j["point"] = {{"kind", name(locus.kind)}};
  j["version"] = version();
  j["vary"] = locus.parameter;
  j["values"] = locus.values;
  j["reasons"] = locus.reasons;
  j["labels"] = Json::array();
  j["tracks"] = Json::array();
  for (const RootTrack& track : locus.tracks) {
    j["labels"].push_back(track.label);
    Json s = Json::array();
    for (const auto& root : track.s)
      s.push_back(std::isnan(root.real()) ? Json{} : Json::array({root.real(), root.imag()}));
    j["tracks"].push_back(std::move(s));
  }
  j["crossings"] = Json::array();
  for (const RootCrossing& crossing : locus.crossings)
    j["crossings"].push_back({{"track", crossing.track},
                              {"below", crossing.below},
                              {"above", crossing.above},
                              {"at", crossing.at},
                              {"omega", crossing.omega},
                              {"unstable", crossing.unstable_above ? "above" : "below"}});
  if (!locus.orders.empty()) {
    j["orders"] = locus.orders;
    j["critical"] = Json::array();
    for (const CriticalSpeed& one : locus.critical)
      j["critical"].push_back(
          {{"track", one.track}, {"order", one.order}, {"at", one.at}, {"omega", one.omega}});
  }
  return text(j, -1);
}

std::string write_locus_csv(const RootLocus& locus, const std::string& file) {
  std::string text = csv_field(locus.parameter);
  for (std::size_t k = 0; k < locus.tracks.size(); ++k)
    text += fmt::format(",real {0},imag {0}", k + 1);
  text += '\n';
  for (std::size_t n = 0; n < locus.values.size(); ++n) {
    text += fmt::format("{}", locus.values[n]);
    for (const RootTrack& track : locus.tracks)
      text += fmt::format(",{},{}", track.s[n].real(), track.s[n].imag());
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_locus_html(const RootLocus& locus, const std::string& file) {
  return write_file(file, page_html(Page::modes, locus.model + ": roots", locus_json(locus)));
}

}  // namespace taut
