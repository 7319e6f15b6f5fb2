// SPDX-License-Identifier: BSD-3-Clause
// taut sweep --measure stable
#include <fmt/format.h>

#include "at_arguments.hpp"
#include "command.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "sweep_arguments.hpp"
#include "taut/report/stability.hpp"
#include "taut/simulation/at_rest.hpp"

namespace taut::cli {
namespace {

void print_points(const StabilitySweep& sweep) {
  for (const SweepAxis& axis : sweep.axes) fmt::print("{:<14} ", axis.parameter);
  fmt::print("{:<10} {:>14} {:>12}\n", "", "lowest omega", "growth");
  for (const SweepPoint& p : sweep.points) {
    for (const double value : p.values) fmt::print("{:<14.8g} ", value);
    if (!p.exists) {
      fmt::print("none\n");
      continue;
    }
    const Equilibrium& e = p.equilibrium;
    fmt::print("{:<10} {:>14.6g} {:>12.6g}{}\n", name(e.stability),
               e.omega.empty() ? 0.0 : e.omega.back(), e.growth,
               p.jumped ? "  another equilibrium" : "");
  }
}

void print_borders(const StabilitySweep& sweep) {
  if (sweep.borders.empty()) {
    std::size_t stable = 0;
    for (const SweepPoint& p : sweep.points)
      stable += p.exists && p.equilibrium.leans_stable() ? 1 : 0;
    const std::size_t all = sweep.points.size() - sweep.without;
    fmt::print("\nno border: {}\n",
               stable == all ? "stable at all values"
               : stable == 0 ? "unstable at all values"
                             : "stable at some values, where another equilibrium was followed");
    return;
  }
  fmt::print("\nborder\n");
  for (const SweepBorder& border : sweep.borders) {
    std::string where;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
      where += fmt::format("{}{} = {:.8g}", i == 0 ? "" : ", ", sweep.axes[i].parameter,
                           border.values[i]);
    fmt::print("    {} (+- {:.2g}), stable {}\n", where, border.uncertainty,
               border.stable_above ? "above" : "below");
  }
}

int finish(const SweepArguments& arguments, const StabilitySweep& sweep,
           const SweepOrigin& origin) {
  const std::string data = sweep_json(sweep, origin);
  if (arguments.motion.model.json) fmt::print("{}", data);
  if (sweep.status != Status::ok) {
    fmt::print(
        stderr, "taut: {}\n    {}\n", sweep.reason,
        "give a state nearer to an equilibrium with --at, a larger --reach, or other values");
    return failed;
  }
  const std::filesystem::path out = arguments.folder();
  if (!make_folder(out)) return failed;
  using std::filesystem::path;
  Results results{out};
  results.add("sweep.csv", [&](const path& file) { return write_sweep_csv(sweep, file); });
  results.add("sweep.svg", [&](const path& file) {
    return write_sweep_svg(sweep, fmt::format("{} ({})", origin.model, origin.reading), file);
  });
  results.add("sweep.html",
              [&](const path& file) { return write_sweep_html(sweep, origin, file); });
  results.commit();
  if (!arguments.motion.model.json && !arguments.quiet) {
    fmt::print("{} ({})\n\n", origin.model, origin.reading);
    print_points(sweep);
    print_borders(sweep);
    std::vector<std::string> files;
    for (const path& file : results.files()) files.push_back(file.string());
    if (!files.empty()) fmt::print("\nwritten: {}\n", fmt::join(files, ", "));
  }
  if (sweep.without > 0)
    fmt::print(stderr, "note: {} of {} points have no equilibrium that was found\n", sweep.without,
               sweep.points.size());
  if (sweep.jumps > 0)
    fmt::print(stderr,
               "note: the equilibrium came to an end {} time{}; the nearest other one was "
               "followed then\n",
               sweep.jumps, sweep.jumps == 1 ? "" : "s");
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return results.problems().empty() ? done : failed;
}

}  // namespace

int sweep_equilibria(const SweepArguments& arguments, const PreparedModel& prepared,
                     const std::vector<SweepAxis>& axes, Problems& problems) {
  const Reading reading = reading_at_rest(prepared, arguments.motion.averaged.options(), problems);
  const NamedPlaces at = read_at(arguments.at, problems);
  static_cast<void>(given_at(prepared.compiled, at, problems));
  if (!problems.empty()) return report_bad_input(problems, arguments.motion.model.json);

  StabilitySweep sweep;
  {
    const ProgressLine progress{arguments.motion.model.json || arguments.quiet};
    sweep = sweep_stability(axes, cases_at_rest(prepared, reading, axes, at),
                            {.reach = arguments.reach,
                             .threads = arguments.threads,
                             .progress = progress.of_fraction()});
  }
  return finish(arguments, sweep, arguments.origin(prepared.model.name, reading));
}

}  // namespace taut::cli
