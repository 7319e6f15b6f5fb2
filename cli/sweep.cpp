// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "command.hpp"
#include "common.hpp"
#include "rest.hpp"
#include "taut/report/stability.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> measures{"stable"};
constexpr int most_points = 1000000;  // of all axes together

// A:B:N; nothing where it is not that
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
  if (points.ec != std::errc{} || points.ptr != end) return std::nullopt;
  return axis;
}

std::optional<SweepAxis> read_axis(const std::string& text, const Model& model,
                                   Problems& problems) {
  const std::string where = "--vary " + text;
  const std::optional<SweepAxis> axis = parse_axis(text);
  if (!axis) {
    problems.add({}, where, "is not of the form NAME=A:B:N",
                 "write the first and the last value and how many, such as --vary vmax=1:3:21");
    return std::nullopt;
  }
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  if (std::find(known.begin(), known.end(), axis->parameter) == known.end()) {
    const std::string near = nearest_name(axis->parameter, known);
    problems.add({}, where, fmt::format("there is no parameter '{}'", axis->parameter),
                 !near.empty()   ? fmt::format("did you mean '{}'?", near)
                 : known.empty() ? "the model has no parameters"
                                 : fmt::format("parameters are: {}", fmt::join(known, ", ")));
  }
  if (!std::isfinite(axis->first) || !std::isfinite(axis->last) || axis->first == axis->last)
    problems.add({}, where, fmt::format("{} to {} is no range", axis->first, axis->last),
                 "give two different numbers");
  if (axis->points < 2)
    problems.add({}, where, fmt::format("{} points are too few", axis->points),
                 "give 2 or more: a border lies between two of them");
  return axis;
}

/// One line on standard error while it is a terminal.
class SweepProgress {
 public:
  explicit SweepProgress(bool quiet) : on_{!quiet && ::isatty(STDERR_FILENO) == 1} {}
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;
  ~SweepProgress() {
    if (on_) fmt::print(stderr, "\r\033[K");
  }
  [[nodiscard]] std::function<void(double)> callback() const {
    if (!on_) return {};
    return [](double fraction) {
      fmt::print(stderr, "\r{:.0f} %\033[K", 100 * fraction);
      std::fflush(stderr);
    };
  }

 private:
  bool on_;
};

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

class SweepCommand final : public Command {
 public:
  explicit SweepCommand(CLI::App& program)
      : Command{program, "sweep", "a measure of a model over its parameters: where it is stable",
                "Example: taut sweep models/inverted_pendulum.toml --set omega=1e6 --vary "
                "vmax=1:3:21 --at q=0"} {
    arguments_.add_to(app());
    averaging_.add_to(app());
    app()
        .add_option("--vary", vary_,
                    "NAME=A:B:N, N values of a parameter from A to B; once or twice")
        ->required()
        ->allow_extra_args(false);
    app().add_option("--measure", measure_, "what is found at each value: stable (default)");
    app()
        .add_option("--at", at_,
                    "the equilibrium nearest to these coordinates, NAME=VALUE, several with "
                    "commas; absent: nearest to the start")
        ->delimiter(',')
        ->allow_extra_args(false);
    app()
        .add_option("--reach", options_.reach,
                    "largest change of a coordinate from there; taken from the model when absent")
        ->check(CLI::PositiveNumber);
    app().add_option("--out", out_, "folder for the results (default out/NAME)");
    app()
        .add_option("--threads", options_.threads, "to be used; absent: one for each core")
        ->check(CLI::Range(1, 1024));
  }

  int run() override;

 private:
  [[nodiscard]] std::vector<SweepAxis> read_axes(const Model& model, Problems& problems) const;
  [[nodiscard]] int finish(const StabilitySweep& sweep, const Loaded& loaded,
                           const std::string& reading) const;
  [[nodiscard]] fs::path out() const {
    return out_.empty() ? fs::path{"out"} / arguments_.file.stem() : out_;
  }

  ModelArguments arguments_;
  AveragedArguments averaging_;
  std::vector<std::string> vary_, at_;
  std::string measure_ = "stable";
  SweepOptions options_;
  fs::path out_;
};

std::vector<SweepAxis> SweepCommand::read_axes(const Model& model, Problems& problems) const {
  std::vector<SweepAxis> axes;
  for (const std::string& text : vary_)
    if (std::optional<SweepAxis> axis = read_axis(text, model, problems))
      axes.push_back(std::move(*axis));
  if (vary_.size() > 2)
    problems.add({}, "--vary", fmt::format("{} parameters are too many", vary_.size()),
                 "vary one or two");
  if (axes.size() == 2 && axes[0].parameter == axes[1].parameter)
    problems.add({}, "--vary " + axes[1].parameter, "is varied twice", "vary two parameters");
  double points = 1.0;
  for (const SweepAxis& axis : axes) points *= axis.points;
  if (points > most_points)
    problems.add({}, "--vary", fmt::format("{} points are too many", points),
                 fmt::format("give at most {}", most_points));
  if (std::find(measures.begin(), measures.end(), measure_) == measures.end())
    problems.add({}, "--measure " + measure_, "is not known",
                 fmt::format("measures are: {}", fmt::join(measures, ", ")));
  return axes;
}

int SweepCommand::run() {
  Problems problems{arguments_.file.string()};
  const Loaded loaded = load(arguments_, problems);
  if (!problems.empty()) return report_bad_input(problems, arguments_.json);
  const std::string reading = reading_at_rest(loaded, problems);
  if (reading != "averaged") averaging_.check_unused(problems);
  const std::vector<SweepAxis> axes = read_axes(loaded.model, problems);
  State tried = loaded.compiled.given;
  apply_at(at_, loaded.compiled.system.structure(), tried, problems);
  if (!problems.empty()) return report_bad_input(problems, arguments_.json);

  const MakeSweepCase make = [&](const std::vector<double>& values) -> SweepCase {
    Model model = loaded.model;
    for (std::size_t i = 0; i < axes.size(); ++i) model.set(axes[i].parameter, values[i]);
    Problems here{arguments_.file.string()};
    const CompiledModel compiled = compile(model, here);
    // sizes may depend on a parameter, and with them the names of --at
    std::vector<std::string> notes;
    State near = compiled.given;
    if (here.empty()) apply_at(at_, compiled.system.structure(), near, here);
    if (!here.empty()) return {.status = Status::not_supported, .reason = here.message()};
    SweepCase made = read_at_rest(compiled, reading, averaging_, notes);
    if (!at_.empty()) made.near.q = near.q;
    return made;
  };
  StabilitySweep sweep;
  {
    const SweepProgress progress{arguments_.json};
    options_.progress = progress.callback();
    sweep = sweep_stability(axes, make, options_);
  }
  return finish(sweep, loaded, reading);
}

int SweepCommand::finish(const StabilitySweep& sweep, const Loaded& loaded,
                         const std::string& reading) const {
  if (arguments_.json) fmt::print("{}", sweep_json(sweep, loaded.model.name, reading));
  if (sweep.status != Status::ok) {
    fmt::print(
        stderr, "taut: {}\n    {}\n", sweep.reason,
        "give a state nearer to an equilibrium with --at, a larger --reach, or other values");
    return failed;
  }
  std::error_code error;
  fs::create_directories(out(), error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", out().string(), error.message());
    return failed;
  }
  const fs::path csv = out() / "sweep.csv", svg = out() / "sweep.svg";
  std::string written = write_sweep_csv(sweep, csv);
  if (written.empty())
    written = write_sweep_svg(sweep, fmt::format("{} ({})", loaded.model.name, reading), svg);
  if (!arguments_.json) {
    fmt::print("{} ({})\n\n", loaded.model.name, reading);
    print_points(sweep);
    print_borders(sweep);
    if (written.empty()) fmt::print("\nwritten: {}, {}\n", csv.string(), svg.string());
  }
  if (sweep.without > 0)
    fmt::print(stderr, "note: {} of {} points have no equilibrium that was found\n", sweep.without,
               sweep.points.size());
  if (sweep.jumps > 0)
    fmt::print(stderr,
               "note: the equilibrium came to an end {} time{}; the nearest other one was "
               "followed then\n",
               sweep.jumps, sweep.jumps == 1 ? "" : "s");
  if (!written.empty()) fmt::print(stderr, "taut: {}\n", written);
  return written.empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> sweep_command(CLI::App& program) {
  return std::make_unique<SweepCommand>(program);
}

}  // namespace taut::cli
