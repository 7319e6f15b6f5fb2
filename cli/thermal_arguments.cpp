// SPDX-License-Identifier: BSD-3-Clause
#include "thermal_arguments.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "common.hpp"

namespace taut::cli {

namespace fs = std::filesystem;

void ThermalArguments::add_to(CLI::App& app) {
  app.add_option("--temperature", temperature, "k T of a heat bath, in the unit of energy [J]");
  auto* rate = app.add_option("--friction", friction, "of the heat bath: rate [1/s]");
  app.add_option("--drag", drag, "of the heat bath: coefficient [kg/s], rate drag/mass")
      ->excludes(rate);
  app.add_option("--seed", seed, "of its noise: a whole number (default 1)");
  app.add_option("--multiplier-window", multiplier_window,
                 "average the multipliers of stiff constraints over windows of this width [s]")
      ->check(positive());
}

ThermalOptions ThermalArguments::options() const {
  return {.temperature = parse_optional(temperature),
          .friction = parse_optional(friction),
          .drag = parse_optional(drag),
          .seed = parse_optional(seed),
          .multiplier_window = multiplier_window};
}

std::vector<std::string> earlier_statistics(const fs::path& out) {
  std::vector<std::string> names{"statistics.json"};
  std::ifstream in{out / "summary.json"};
  const auto earlier = nlohmann::json::parse(in, nullptr, false);
  if (!earlier.is_object() || !earlier.contains("statistics")) return names;
  for (const auto& statistic : earlier["statistics"]) {
    if (!statistic.is_object() || !statistic.contains("file")) continue;
    const auto& file = statistic["file"];
    if (!file.is_string()) continue;
    const fs::path name{file.get<std::string>()};
    if (name == name.filename() && name.extension() == ".csv") names.push_back(name.string());
  }
  return names;
}

}  // namespace taut::cli
