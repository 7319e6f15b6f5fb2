// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "averaged_arguments.hpp"
#include "model_files.hpp"
#include "sweep_arguments.hpp"
#include "taut/report/periodic.hpp"

namespace taut::cli {
namespace {

std::string complex_text(std::complex<double> z) {
  if (z.imag() == 0.0) return fmt::format("{:.10g}", z.real());
  return fmt::format("{:.10g} {} {:.10g}i", z.real(), z.imag() < 0.0 ? '-' : '+',
                     std::abs(z.imag()));
}

std::string_view words_of(Floquet verdict) {
  switch (verdict) {
    case Floquet::stable:
      return "stable: small changes die away";
    case Floquet::neutral:
      return "neutral: small changes neither grow nor die away";
    case Floquet::divergence:
      return "unstable: a multiplier beyond 1, small changes leave without coming back";
    case Floquet::flip:
      return "unstable: a multiplier below -1, small changes double the period";
    case Floquet::torus:
      break;
  }
  return "unstable: a pair of multipliers outside of the unit circle, vibrations about the motion "
         "grow";
}

std::string_view words_of(BranchPoint::Kind kind) {
  switch (kind) {
    case BranchPoint::Kind::fold:
      return "fold: the branch turns back";
    case BranchPoint::Kind::flip:
      return "flip: a multiplier passes -1, the period doubles";
    case BranchPoint::Kind::torus:
      return "torus: a pair of multipliers passes the unit circle";
    case BranchPoint::Kind::branch:
      return "branch: a multiplier passes 1";
    case BranchPoint::Kind::plain:
      break;
  }
  return "";
}

std::string_view in_a_word(const PeriodicMotion& motion) {
  if (!motion.stable()) return "unstable";
  return motion.verdict() == Floquet::neutral ? "neutral" : "stable";
}

class PeriodicCommand final : public Command {
 public:
  explicit PeriodicCommand(CLI::App& program)
      : Command{program, "periodic",
                "a periodic motion, its stability, and how it changes with a parameter",
                "Example: taut periodic models/duffing.toml --vary w=0.9:2"} {
    files_.model.add_to(app());
    averaging_.add_to(app());
    app().add_option("--period", period_,
                     "period [s] of what drives the model, an expression, where its formulas do "
                     "not tell it (or several of them); of a free motion a guess");
    app()
        .add_option("--from", from_,
                    "NAME=VALUE, coordinates, velocities and states of a guess beside the start of "
                    "the model; several with commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    app()
        .add_option("--settle", settle_,
                    "time [s] that the guess is given to come near (default: as long as it takes)")
        ->check(not_negative());
    app()
        .add_option("--max-seconds", max_seconds_, "end the search after so much wall time")
        ->check(positive());
    app().add_option("--vary", vary_,
                     "follow the motion over a parameter, NAME=A:B or NAME=A:B:N with steps of at "
                     "most 1/N; or over the energy of a free motion that keeps it, energy=A:B");
    app().add_flag("--csv", csv_, "write periodic.csv: one period, or the points of the branch");
    app().add_flag("--html", html_, "write periodic.html: the motion, its multipliers, the branch");
    files_.add_out_to(app());
  }

  int run() override {
    Problems problems{files_.model.file.string()};
    const Model model = read_model(files_.model, problems);
    if (model.text.empty() && !problems.empty())
      return report_bad_input(problems, files_.model.json);
    SimulationOptions options = files_.model.options(problems);
    options.averaging = averaging_.options();
    options.max_seconds = max_seconds_;
    const PeriodicOptions periodic = asked(problems);
    const BranchOptions branch = read_vary(problems);
    if (!problems.empty()) return report_bad_input(problems, files_.model.json);
    if (vary_.empty()) {
      const PeriodicMotion motion = periodic_motion(model, options, periodic, problems);
      return finish(motion, problems, periodic_json, write_periodic_csv, write_periodic_html);
    }
    const PeriodicBranch found = periodic_branch(model, options, periodic, branch, problems);
    return finish(found, problems, branch_json, write_branch_csv, write_branch_html);
  }

 private:
  [[nodiscard]] PeriodicOptions asked(Problems& problems) const {
    PeriodicOptions periodic{.period = parse_optional(period_), .settle = settle_};
    for (const std::string& item : from_) {
      const std::size_t equal = item.find('=');
      if (equal == 0 || equal == std::string::npos || equal + 1 == item.size()) {
        problems.add({}, "--from " + item, "is not of the form NAME=VALUE",
                     "write --from x=0.5, or --from \"x=0.5,v(x)=1\"");
        continue;
      }
      periodic.from.emplace_back(item.substr(0, equal), parse_value(item.substr(equal + 1)));
    }
    return periodic;
  }

  [[nodiscard]] BranchOptions read_vary(Problems& problems) const {
    if (vary_.empty()) return {};
    std::optional<SweepAxis> axis = parse_axis(vary_);
    const bool stepped = axis.has_value();
    if (!axis) axis = parse_axis(vary_ + ":2");
    if (!axis || axis->log || axis->points < 2) {
      problems.add({}, "--vary " + vary_, "is not of the form NAME=A:B or NAME=A:B:N",
                   "write the first and the last value, such as --vary w=0.9:2");
      return {};
    }
    for (const std::string& setting : files_.model.settings)
      if (setting.starts_with(axis->parameter + '='))
        problems.add({}, "--vary " + vary_, "is set and varied", "leave out --set " + setting);
    return BranchOptions::over(axis->parameter, axis->first, axis->last,
                               stepped ? axis->points : 0);
  }

  /// What was found is printed and written; also of a branch that ended before its range did.
  template <class Found, class ToJson, class ToCsv, class ToHtml>
  [[nodiscard]] int finish(const Found& found, const Problems& problems, const ToJson& to_json,
                           const ToCsv& to_csv, const ToHtml& to_html) const {
    if (!problems.empty()) return report_bad_input(problems, files_.model.json);
    if (files_.model.json)
      fmt::print("{}", to_json(found));
    else
      print(found);
    int code = done;
    if (found.status != Status::ok) {
      fmt::print(stderr, "taut: {}\n", found.reason);
      if (!found.hint.empty()) fmt::print(stderr, "    {}\n", found.hint);
      code = failed;
    }
    if ((csv_ || html_) && has_something(found)) {
      using std::filesystem::path;
      const int written = files_.write([&](Results& results) {
        if (csv_)
          results.add("periodic.csv",
                      [&](const path& file) { return to_csv(found, file.string()); });
        if (html_)
          results.add("periodic.html",
                      [&](const path& file) { return to_html(found, file.string()); });
      });
      code = std::max(code, written);
    }
    return code;
  }

  [[nodiscard]] static bool has_something(const PeriodicMotion& motion) {
    return motion.status == Status::ok;
  }
  [[nodiscard]] static bool has_something(const PeriodicBranch& branch) {
    return !branch.points.empty();
  }

  [[nodiscard]] static std::string turned(const PeriodicMotion& motion, Index k) {
    if (k >= motion.turns.size() || motion.turns[k] == 0.0) return {};
    const double turns = motion.turns[k] / (2 * std::numbers::pi);
    return fmt::format(", {:.0f} turn{} in a period", turns, std::abs(turns) < 1.5 ? "" : "s");
  }

  static void print(const PeriodicMotion& motion) {
    if (motion.status != Status::ok) return;
    fmt::print("{} ({})\n", motion.model, motion.reading);
    fmt::print("{} motion of period {:.12g} s ({:.7g} Hz), closed to {:.1e} of its size\n",
               motion.free ? "free" : "driven", motion.period, 1 / motion.period, motion.closing);
    fmt::print("{}\n", words_of(motion.verdict()));
    if (motion.moved > 1.0)
      fmt::print(
          "far from the start: {:.2g} times as far as it is large; --from and --settle say "
          "which is meant\n",
          motion.moved);
    if (motion.nodes.size() > 1) fmt::print("found in {} parts\n", motion.nodes.size());
    fmt::print("\n");
    constexpr std::size_t most = 30;
    const std::size_t shown = std::min(most, motion.coordinates.size());
    for (std::size_t k = 0; k < shown; ++k)
      fmt::print("{:<16} from {:.9g} to {:.9g}{}\n", motion.coordinates[k],
                 motion.lowest[static_cast<Index>(k)], motion.highest[static_cast<Index>(k)],
                 turned(motion, static_cast<Index>(k)));
    if (shown < motion.coordinates.size())
      fmt::print("... and {} more: --csv\n", motion.coordinates.size() - shown);
    fmt::print("\n      multiplier                              size            exponent [1/s]\n");
    const Index some = std::min<Index>(static_cast<Index>(most), motion.multipliers.size());
    for (Index k = 0; k < some; ++k) {
      const std::complex<double> m = motion.multipliers[k];
      fmt::print("{:>4}  {:<38}  {:<14.10g}  {}{}\n", k + 1, complex_text(m), std::abs(m),
                 complex_text(std::log(m) / motion.period), k < motion.trivial ? "  trivial" : "");
    }
  }

  static void print(const PeriodicBranch& branch) {
    if (branch.points.empty()) return;
    fmt::print("{} ({}), {} from {:.6g} to {:.6g}: {} periodic motions\n\n", branch.model,
               branch.reading, branch.parameter, branch.points.front().parameter,
               branch.points.back().parameter, branch.points.size());
    const auto say = [&](const BranchPoint& point) {
      const PeriodicMotion& motion = point.motion;
      std::string line = fmt::format("{} = {:<12.9g}", branch.parameter, point.parameter);
      line += fmt::format("  T = {:<12.9g}", motion.period);
      if (motion.lowest.size() > 0)
        line += fmt::format("  {} from {:.7g} to {:.7g}", motion.coordinates.front(),
                            motion.lowest[0], motion.highest[0]);
      return line;
    };
    std::string_view last;
    for (std::size_t k = 0; k < branch.points.size(); ++k) {
      const BranchPoint& point = branch.points[k];
      if (point.kind != BranchPoint::Kind::plain) {
        fmt::print("{:<9} {}\n          {}\n", name(point.kind), say(point), words_of(point.kind));
        continue;
      }
      const std::string_view now = in_a_word(point.motion);
      if (now != last || k + 1 == branch.points.size()) fmt::print("{:<9} {}\n", now, say(point));
      last = now;
    }
  }

  ModelFiles files_;
  AveragedArguments averaging_;
  std::string period_, vary_;
  std::vector<std::string> from_;
  std::optional<double> settle_;
  double max_seconds_ = 0.0;
  bool csv_ = false, html_ = false;
};

}  // namespace

std::unique_ptr<Command> periodic_command(CLI::App& program) {
  return std::make_unique<PeriodicCommand>(program);
}

}  // namespace taut::cli
