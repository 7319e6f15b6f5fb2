// SPDX-License-Identifier: BSD-3-Clause
// What taut computes beside what is true: prints docs/validation.md.
//
//   taut_bench_validation [--json] [--seconds S] [--models DIR]
#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "options.hpp"
#include "page.hpp"

namespace taut::bench {
namespace {

// besides the one that taut chooses
const std::vector<std::string> methods{"radau"};

struct Settings {
  bool json = false;
  double seconds = 0.05;  ///< spent on repeating each run; the fastest counts
  std::string models = TAUT_MODELS;
};

Settings read(int count, char** words) {
  Settings settings;
  Options{}
      .flag("--json", settings.json)
      .number("--seconds", settings.seconds)
      .text("--models", settings.models)
      .read(count, words, "usage: taut_bench_validation [--json] [--seconds S] [--models DIR]");
  return settings;
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  using namespace taut::bench;
  try {
    const Settings settings = read(count, words);
    std::vector<Section> sections;
    for (Trial& trial : trials(settings.models)) {
      std::vector<TrialRun> runs = run_all(trial, methods, settings.seconds);
      sections.push_back({std::move(trial), std::move(runs)});
    }
    settings.json ? print_json(sections) : print_page(sections);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 2;
  }
  return 0;
}
