// SPDX-License-Identifier: BSD-3-Clause
// What taut computes beside what is true: prints docs/validation.md.
//
//   taut_bench_validation [--json] [--estimates] [--seconds S] [--models DIR]
#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "estimates.hpp"
#include "options.hpp"
#include "page.hpp"

namespace taut::bench {
namespace {

// besides the one that taut chooses
const std::vector<std::string> methods{"radau"};

struct Settings {
  bool json = false;
  bool estimates = false;  ///< only the section on estimates of errors
  double seconds = 0.05;   ///< spent on repeating each run; the fastest counts
  std::string models = TAUT_MODELS;
};

Settings read(int count, char** words) {
  Settings settings;
  Options{}
      .flag("--json", settings.json)
      .flag("--estimates", settings.estimates)
      .number("--seconds", settings.seconds)
      .text("--models", settings.models)
      .read(count, words,
            "usage: taut_bench_validation [--json] [--estimates] [--seconds S] [--models DIR]");
  return settings;
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  using namespace taut::bench;
  try {
    const Settings settings = read(count, words);
    if (settings.estimates) {
      print_estimates(estimates(settings.models));
      return 0;
    }
    std::vector<Section> sections;
    for (Trial& trial : trials(settings.models)) {
      std::vector<TrialRun> runs = run_all(trial, methods, settings.seconds);
      sections.push_back({std::move(trial), std::move(runs)});
    }
    if (settings.json) {
      print_json(sections);
      return 0;
    }
    print_page(sections);
    print_estimates(estimates(settings.models));
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 2;
  }
  return 0;
}
