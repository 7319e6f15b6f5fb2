// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "taut/studies/measure.hpp"
#include "taut/version.hpp"

namespace taut::cli {
namespace {

// of all axes together: of equilibria, which are in memory, and of runs, which stand in a file
constexpr double most_equilibria = 1e6, most_runs = 1e9;

}  // namespace

std::optional<SweepAxis> parse_axis(const std::string& text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos || equal == 0) return std::nullopt;
  SweepAxis axis{.parameter = text.substr(0, equal)};
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data() + equal + 1, end, axis.first);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ':') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, axis.last);
  if (last.ec != std::errc{} || last.ptr == end || *last.ptr != ':') return std::nullopt;
  const auto points = std::from_chars(last.ptr + 1, end, axis.points);
  if (points.ec != std::errc{}) return std::nullopt;
  const std::string_view rest{points.ptr, static_cast<std::size_t>(end - points.ptr)};
  if (!rest.empty() && rest != ":log") return std::nullopt;
  axis.log = !rest.empty();
  return axis;
}

namespace {

void check_parameter(const std::string& name, const std::string& where, const Model& model,
                     bool stability, Problems& problems) {
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  if (!stability)
    for (const Parameter& input : model.inputs) known.push_back(input.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string near = nearest_name(name, known);
  problems.add({}, where, fmt::format("there is no parameter '{}'", name),
               !near.empty()   ? fmt::format("did you mean '{}'?", near)
               : known.empty() ? "the model has no parameters"
                               : fmt::format("parameters are: {}", fmt::join(known, ", ")));
}

void check_range(const SweepAxis& axis, bool stability, const std::string& where,
                 Problems& problems) {
  const bool single = axis.points == 1 && !stability;
  if (!std::isfinite(axis.first) || !std::isfinite(axis.last) ||
      (axis.first == axis.last && !single))
    problems.add({}, where, fmt::format("{} to {} is no range", axis.first, axis.last),
                 "give two different numbers");
  if (axis.log && !(axis.first > 0.0 && axis.last > 0.0))
    problems.add({}, where, "equal ratios need numbers > 0 at both ends",
                 "give such numbers, or leave out :log");
  if (axis.points < 1 || (axis.points == 1 && stability))
    problems.add({}, where, fmt::format("{} points are too few", axis.points),
                 stability ? "give 2 or more: a border lies between two of them"
                           : "give 1 or more; 1 is the first value alone");
}

// options that were given and say nothing about this kind of sweep
void refuse(const CLI::App& app, const std::vector<std::string>& useless, const char* why,
            Problems& problems) {
  for (const std::string& name : useless)
    if (const CLI::Option* option = app.get_option_no_throw(name);
        option != nullptr && option->count() > 0)
      problems.add({}, name, why, "leave it out");
}

std::vector<std::string> options_of_runs(const CLI::App& app) {
  const std::vector<std::string> shared{"MODEL",         "--help",      "--set",  "--reading",
                                        "--omega",       "--json",      "--vary", "--measure",
                                        "--micro-steps", "--averaging", "--out",  "--threads",
                                        "--at",          "--reach",     "--quiet"};
  std::vector<std::string> others;
  for (const CLI::Option* option : app.get_options())
    if (const std::string name = option->get_name();
        std::find(shared.begin(), shared.end(), name) == shared.end())
      others.push_back(name);
  return others;
}

}  // namespace

void SweepArguments::add_to(CLI::App& app) {
  motion.add_to(app);
  // that of [jets], which are not swept over
  app.remove_option(app.get_option("--distribution"));
  const std::size_t of_runs = app.get_options().size();
  app.add_option("--vary", vary,
                 "NAME=A:B:N, N values of a parameter, an input or start(NAME) from A to B; "
                 "NAME=A:B:N:log in equal ratios; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--measure", measures,
                 fmt::format("what is found at each value: stable (default), or of a run {}; may "
                             "be repeated",
                             fmt::join(measure_forms(), ", ")))
      ->allow_extra_args(false);
  app.add_option("--at", at,
                 "of stable: the equilibrium nearest to these coordinates, NAME=VALUE, several "
                 "with commas; absent: nearest to the start")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--reach", reach,
                 "of stable: largest change of a coordinate from there; taken from the model when "
                 "absent")
      ->check(positive());
  app.add_option("--out", out, "folder for the results (default out/NAME)");
  app.add_option("--format", formats, "of the table: csv, h5; both with a comma")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"csv", "h5"}))
      ->check(built_in());
  app.add_flag("--resume", resume, "continue an interrupted sweep with the runs that are done");
  app.add_flag("--quiet", quiet, "print nothing but failures");
  app.add_flag("--one-by-one", one_by_one,
               "runs one after another on each core, never side by side: the same bits");
  app.add_option("--sample", sample, "so many runs with numbers that are drawn, not on a grid")
      ->check(CLI::Range(1.0, 1e12));
  app.add_option("--distribution", distributions,
                 "NAME=uniform(A,B), normal(MEAN,DEVIATION), lognormal(MEAN,DEVIATION) of the "
                 "logarithm, or triangular(A,MODE,B), of a parameter, an input or start(NAME); may "
                 "be repeated")
      ->allow_extra_args(false);
  app.add_option("--correlation", correlations, "NAME,NAME=R between two of them; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--sampling", sampling,
                 "random (default), latin: hypercubes, sobol: Sobol's sequence")
      ->check(CLI::IsMember({"random", "latin", "sobol"}));
  app.get_option("--seed")->description(
      "of what is drawn, and of noise: a whole number (default 1)");
  app.add_flag("--indices", indices, "Sobol indices: which number the variance comes from");
  app.add_option("--probability", probabilities,
                 "that MEASURE > NUMBER, MEASURE < NUMBER, or that event(NAME) happens; may be "
                 "repeated")
      ->allow_extra_args(false);
  app.add_option("--quantiles", quantiles, "of the measures, with commas (default 0.05,0.5,0.95)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(0.0, 1.0));
  app.add_option(
         "--until-error", until_error,
         "fewer runs where means are known to this share of themselves, probabilities to it")
      ->check(positive());
  app.add_option("--shard", shard, "I/N: the Ith of N parts of the runs, for --merge");
  app.add_flag("--merge", merge, "the results of all parts that --shard has done in the folder");
  app.add_option("--device", device,
                 "cuda: runs on an NVIDIA GPU; cuda-fast: with products and sums in one operation; "
                 "absent: on the processor")
      ->check(CLI::IsMember({"cuda", "cuda-fast"}));
  app.add_option("--threads", threads, "to be used; absent: one for each core")
      ->check(CLI::Range(1, 1024));
  const std::vector<const CLI::Option*> all = std::as_const(app).get_options();
  of_sweeps = {"--json"};
  for (std::size_t k = of_runs; k < all.size(); ++k) of_sweeps.push_back(all[k]->get_name());
}

SampleDesign SweepArguments::design(Problems& problems) const {
  using Kind = SampleDesign::Kind;
  return {.distributions = read_distributions(distributions, problems),
          .correlations = read_correlations(correlations, problems),
          .runs = static_cast<std::size_t>(sample),
          .kind = sampling == "latin"   ? Kind::latin
                  : sampling == "sobol" ? Kind::sobol
                                        : Kind::random,
          .seed = seed(),
          .indices = indices};
}

std::uint64_t SweepArguments::seed() const {
  const std::string& text = motion.thermal.seed;
  std::uint64_t number = 1;
  static_cast<void>(std::from_chars(text.data(), text.data() + text.size(), number));
  return number;
}

void SweepArguments::check_sampled(const CLI::App& app, Problems& problems) const {
  refuse(app, {"--vary", "--at", "--reach"}, "is not for drawn runs (--sample)", problems);
  const std::string& text = motion.thermal.seed;
  if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 19)
    problems.add({}, "--seed " + text, "is no whole number", "give one, such as 7");
  if (measures.empty() && probabilities.empty())
    problems.add({}, "--measure", "nothing is asked of the runs",
                 "give --measure, such as \"end(X)\", or --probability");
  if (until_error > 0.0 && sampling == "latin")
    problems.add({}, "--until-error", "a Latin hypercube is made for a number of runs",
                 "take --sampling sobol or random");
  if (until_error > 0.0 && (merge || !shard.empty()))
    problems.add({}, "--until-error", "is for one process, which knows all runs",
                 "leave out --shard and --merge");
}

std::pair<std::size_t, std::size_t> SweepArguments::share(Problems& problems) const {
  if (shard.empty()) return {1, 1};
  std::size_t part = 0, parts = 0;
  const char* const end = shard.data() + shard.size();
  const auto first = std::from_chars(shard.data(), end, part);
  const auto last = first.ptr < end && *first.ptr == '/'
                        ? std::from_chars(first.ptr + 1, end, parts)
                        : std::from_chars_result{end, std::errc::invalid_argument};
  if (first.ec != std::errc{} || last.ec != std::errc{} || last.ptr != end || part < 1 ||
      part > parts)
    problems.add({}, "--shard " + shard, "is no part of several",
                 "write I/N with I from 1 to N, such as 3/8");
  if (merge) problems.add({}, "--merge", "is for when all shards are done", "leave out --shard");
  return {part, std::max<std::size_t>(parts, 1)};
}

bool SweepArguments::stability() const {
  if (sampled()) return false;
  return measures.empty() ||
         std::find(measures.begin(), measures.end(), "stable") != measures.end();
}

std::vector<SweepAxis> SweepArguments::axes(const CLI::App& app, const Model& model,
                                            Problems& problems) const {
  const bool names_known = problems.empty();
  std::vector<SweepAxis> list;
  for (const std::string& text : vary) {
    const std::string where = "--vary " + text;
    const std::optional<SweepAxis> axis = parse_axis(text);
    if (!axis) {
      problems.add({}, where, "is not of the form NAME=A:B:N or NAME=A:B:N:log",
                   "write the first and the last value and how many, such as --vary vmax=1:3:21");
      continue;
    }
    // of inputs and start values: name_start_values()
    if (names_known && (stability() || !axis->parameter.starts_with("start(")))
      check_parameter(axis->parameter, where, model, stability(), problems);
    check_range(*axis, stability(), where, problems);
    const auto same = [&](const SweepAxis& other) { return other.parameter == axis->parameter; };
    if (std::any_of(list.begin(), list.end(), same))
      problems.add({}, where, "is varied twice", "vary different parameters");
    for (const std::string& setting : motion.model.settings)
      if (setting.starts_with(axis->parameter + '='))
        problems.add({}, where, "is set and varied", "leave out --set " + setting);
    list.push_back(*axis);
  }
  if (vary.empty())
    problems.add({}, "--vary", "nothing varies",
                 "give --vary NAME=A:B:N, or --sample N with --distribution");
  refuse(app,
         {"--distribution", "--correlation", "--sampling", "--indices", "--probability",
          "--quantiles", "--until-error"},
         "is for drawn runs (--sample N)", problems);
  double count = 1.0;
  for (const SweepAxis& axis : list) count *= axis.points;
  if (const double most = stability() ? most_equilibria : most_runs; count > most)
    problems.add({}, "--vary", fmt::format("{} points are too many", count),
                 fmt::format("give at most {}", most));
  if (!stability()) {
    refuse(app, {"--at", "--reach"}, "is for --measure stable", problems);
    return list;
  }
  if (vary.size() > 2)
    problems.add({}, "--vary", fmt::format("{} parameters are too many", vary.size()),
                 "vary one or two; for measures of runs, any number");
  if (measures.size() > 1)
    problems.add({}, "--measure stable", "cannot stand beside other measures",
                 "sweep twice, with different --out");
  refuse(app, options_of_runs(app), "is for measures of runs, such as --measure \"max(X)\"",
         problems);
  return list;
}

SweepOrigin SweepArguments::origin(const std::string& model, const Reading& reading) const {
  return {.model = model,
          .reading = std::string{reading.name()},
          .file = motion.model.file.string(),
          .command = command,
          .version = std::string{version()},
          .run = run_command};
}

}  // namespace taut::cli
