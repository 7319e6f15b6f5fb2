// SPDX-License-Identifier: BSD-3-Clause
// taut run --ensemble
#include "ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "command.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "taut/core/threads.hpp"
#include "taut/report/ensemble.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

void print_ensemble(const Ensemble& all, const Results& results) {
  fmt::print("{} ({})\nmethod        {}\n", all.model, all.reading, all.method);
  fmt::print("runs          {} of {}, {} failed, {:.3g} s on {} thread{}\n", all.finished, all.runs,
             all.failed, all.seconds, all.threads, all.threads == 1 ? "" : "s");
  if (all.spread > 0.0)
    fmt::print("starts        apart by {:.6g} in each coordinate\n", all.spread);
  if (!all.apart.empty())
    fmt::print("apart         {:.6g} at t = {:.6g}, {:.6g} at t = {:.6g}\n", all.apart.front(),
               all.t.front(), all.apart.back(), all.t.back());
  if (all.growth.exponential)
    fmt::print("Lyapunov time {:.4g} s ({:.4g} to {:.4g}), from t = {:.4g} to {:.4g}\n",
               all.growth.time, all.growth.time_low, all.growth.time_high, all.growth.from,
               all.growth.to);
  else
    fmt::print("Lyapunov time none: {}\n", all.growth.reason);
  fmt::print("\n");
  for (const fs::path& file : results.files()) fmt::print("written       {}\n", file.string());
}

}  // namespace

void EnsembleArguments::add_to(CLI::App& app) {
  app.add_option("--ensemble", runs,
                 "so many runs of perturbed starts, or of --distribution: mean, spread and "
                 "envelope of every column over time, Lyapunov's time")
      ->check(CLI::Range(1.0, 1e9));
  app.add_option("--spread", spread,
                 "of --ensemble: standard deviation of each coordinate at the start; absent: 1e-4 "
                 "of the largest")
      ->check(positive());
  app.add_option("--correlation", correlations,
                 "of --ensemble: NAME,NAME=R between two of its distributions; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--sampling", sampling,
                 "of --ensemble: random (default), latin: hypercubes, sobol: Sobol's sequence")
      ->check(CLI::IsMember({"random", "latin", "sobol"}));
  app.add_option("--quantiles", quantiles,
                 "of --ensemble: with commas (default 0.05,0.25,0.5,0.75,0.95)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--threads", threads, "of --ensemble; absent: one for each core")
      ->check(CLI::Range(1, 1024));
}

int run_ensemble(const EnsembleArguments& arguments, const MotionArguments& motion, Model model,
                 const std::vector<std::string>& formats, const fs::path& folder, bool page,
                 bool quiet, Problems& problems) {
  using Kind = SampleDesign::Kind;
  const bool json = motion.model.json;
  EnsembleOptions options{.spread = arguments.spread,
                          .quantiles = arguments.quantiles,
                          .threads = arguments.threads,
                          .cancel = &catch_interrupts()};
  SampleDesign& design = options.design;
  design.distributions = read_distributions(arguments.distributions, problems);
  design.correlations = read_correlations(arguments.correlations, problems);
  design.runs = static_cast<std::size_t>(arguments.runs);
  design.kind = arguments.sampling == "latin"   ? Kind::latin
                : arguments.sampling == "sobol" ? Kind::sobol
                                                : Kind::random;
  const std::string& seed = motion.thermal.seed;
  static_cast<void>(std::from_chars(seed.data(), seed.data() + seed.size(), design.seed));
  SimulationOptions simulation = motion.options(problems);
  // where there is no noise, the seed is of what is drawn alone
  if (!model.thermostat && !simulation.thermal.temperature) simulation.thermal.seed.reset();
  if (!problems.empty()) return report_bad_input(problems, json);
  use_threads(1);  // runs share the cores, not evaluations
  Ensemble found;
  {
    const ProgressLine progress{json || quiet};
    options.progress = progress.of_runs();
    found = ensemble(std::move(model), simulation, options, problems);
  }
  if (!problems.empty()) return report_bad_input(problems, json);
  if (!make_folder(folder)) return failed;
  const FolderLock lock{folder};
  if (!lock.problem().empty()) return report_bad_input(lock.problem(), json);
  Results results{folder};
  const auto put = [&](const char* format, auto write) {
    const std::string name = std::string{"ensemble."} + format;
    if (std::find(formats.begin(), formats.end(), format) == formats.end())
      results.replaces(name);
    else
      results.add(name, [&](const fs::path& file) { return write(found, file.string()); });
  };
  put("csv", write_ensemble_csv);
  put("h5", write_ensemble_hdf5);
  put("json", write_ensemble_json);
  if (page)
    results.add("ensemble.html",
                [&](const fs::path& file) { return write_ensemble_html(found, file.string()); });
  else
    results.replaces("ensemble.html");
  results.commit();
  if (json)
    fmt::print("{}", ensemble_json(found));
  else if (!quiet)
    print_ensemble(found, results);
  for (const FailureGroup& one : found.failures)
    fmt::print(stderr, "note: {} of {} runs failed; the first, run {}: {}\n", one.count,
               found.finished, one.first, one.reason);
  if (found.status != Status::ok)
    fmt::print(stderr, "taut: {}: {} of {} runs are done\n", name(found.status), found.finished,
               found.runs);
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return found.status == Status::ok && found.failed < found.finished && results.problems().empty()
             ? done
             : failed;
}

}  // namespace taut::cli
