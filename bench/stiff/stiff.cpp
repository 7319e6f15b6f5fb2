// SPDX-License-Identifier: BSD-3-Clause
// Stiff and rigid models side by side: what taut's own method and the peers a user would pick need
// for the same accuracy of q and v, in one run, so that ratios of times mean something.
//
//   taut_bench_stiff [--json] [--only TEXT] [--seconds S] [--limit S] [--models DIR]
//
//   --only     cases whose name contains TEXT; "long chains" for the cost of their links alone
//   --seconds  CPU time spent on repeating each run; the fastest counts
//   --limit    CPU time after which a run is given up (more where the first method needs long)
//
// All cases together take some six minutes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "cases.hpp"
#include "links.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "scan.hpp"
#include "table.hpp"

namespace taut::bench {
namespace {

// the first is the one the others are compared with
constexpr std::array methods{"radau", "cvode-bdf", "arkode", "ida"};
// the others are given at least so many times the time of its longest run
constexpr double patience = 600.0;

struct Settings {
  bool json = false;
  std::string only;
  ScanSettings scan;
  std::string models = TAUT_MODELS;
};

Settings read(int count, char** words) {
  Settings settings;
  Options{}
      .flag("--json", settings.json)
      .text("--only", settings.only)
      .number("--seconds", settings.scan.repeat)
      .number("--limit", settings.scan.limit)
      .text("--models", settings.models)
      .read(count, words,
            "usage: taut_bench_stiff [--json] [--only TEXT] [--seconds S] [--limit S] [--models "
            "DIR]");
  return settings;
}

void run(const Settings& settings) {
  std::vector<Comparison> comparisons;
  for_each_case(settings.models, settings.only, [&](Case c) {
    Comparison& comparison = comparisons.emplace_back(Comparison{.c = std::move(c)});
    ScanSettings scan_settings = settings.scan;
    for (const char* method : methods) {
      const Scan& done = comparison.scans.emplace_back(scan(comparison.c, method, scan_settings));
      if (comparison.scans.size() > 1) continue;
      for (const Sample& sample : done.samples)
        scan_settings.limit = std::max(scan_settings.limit, patience * sample.seconds);
    }
    if (!settings.json) print(comparison);
  });
  std::vector<LinkCost> costs;
  if (std::string_view{"long chains"}.find(settings.only) != std::string_view::npos)
    costs = link_costs(settings.models, methods.front());
  if (settings.json)
    print_json(comparisons, costs);
  else if (!costs.empty())
    print(costs);
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  using namespace taut::bench;
  try {
    run(read(count, words));
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 2;
  }
  return 0;
}
