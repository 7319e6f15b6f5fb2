// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/response.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numbers>

#include "command.hpp"
#include "interrupt.hpp"
#include "linear_arguments.hpp"
#include "taut/report/modes.hpp"
#include "taut/report/periodic.hpp"

namespace taut::cli {
namespace {

class ResponseCommand final : public Command {
 public:
  explicit ResponseCommand(CLI::App& program)
      : Command{program, "response",
                "amplitude and phase under a small shaking force or input, over its frequency",
                "Example: taut response models/quarter_car.toml --at start --input w --output x"} {
    arguments_.add_to(app());
    app().add_option("--range", range_,
                     "angular frequencies FROM:TO [rad/s]; around all roots when absent");
    app().add_flag("--hertz", hertz_, "the range is in Hz");
    app()
        .add_option("--points", options_.points, "frequencies, in equal ratios (default 400)")
        ->check(CLI::Range(2, 1000000));
    app().add_option(
        "--amplitude", amplitude_,
        "of a vibration that is not small, in the place of one input: periodic motions "
        "over the range, round folds, with their stability");
    app().add_flag("--csv", csv_, "write response.csv");
    app().add_flag("--html", html_, "write response.html: Bode and Nyquist plots");
  }

  int run() override {
    Problems problems{arguments_.model.file.string()};
    const LinearQuestion asked = arguments_.question(problems);
    if (asked.model.text.empty() && !problems.empty())
      return report_bad_input(problems, arguments_.model.json);
    read_range(problems);
    if (arguments_.inputs.empty() && asked.model.inputs.empty())
      problems.add({}, "--input", "the model has no inputs, and none is named",
                   "name a parameter, or the coordinate on which a force acts: --input x");
    if (!amplitude_.empty()) return respond_nonlinearly(asked, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    const Responses found =
        frequency_responses(asked.model, asked.options, asked.linear, options_, problems);
    const LinearModel& linear = found.linear;
    const std::vector<FrequencyResponse>& all = found.all;
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    if (linear.status != Status::ok) {
      if (arguments_.model.json) fmt::print("{}", responses_json(linear, {}));
      return report_no_linear(linear);
    }
    if (arguments_.model.json)
      fmt::print("{}", responses_json(linear, all));
    else
      print(linear, all);
    return write(linear, all);
  }

 private:
  int respond_nonlinearly(const LinearQuestion& asked, Problems& problems) {
    const bool json = arguments_.model.json;
    if (range_.empty())
      problems.add({}, "--range", "is missing", "give the frequencies: --range 0.5:2");
    if (!arguments_.at.empty())
      problems.add({}, "--at", "does not go with --amplitude: the motion is not about one place",
                   "leave it out");
    std::vector<std::string> inputs = arguments_.inputs;
    if (inputs.empty())
      for (const Parameter& input : asked.model.inputs) inputs.push_back(input.name);
    if (inputs.size() > 1)
      problems.add({}, "--input", "several do not vibrate together", "name one of them");
    if (!problems.empty()) return report_bad_input(problems, json);
    SimulationOptions options = asked.options;
    options.cancel = &catch_interrupts();
    const NonlinearResponse found = nonlinear_response(asked.model, options,
                                                       {.input = inputs.front(),
                                                        .amplitude = parse_value(amplitude_),
                                                        .outputs = arguments_.outputs,
                                                        .from = options_.from,
                                                        .to = options_.to},
                                                       problems);
    if (!problems.empty()) return report_bad_input(problems, json);
    if (json)
      fmt::print("{}", nonlinear_response_json(found));
    else
      print(found);
    const PeriodicBranch& branch = found.branch;
    if (branch.status != Status::ok) {
      fmt::print(stderr, "taut: {}\n", branch.reason);
      if (!branch.hint.empty()) fmt::print(stderr, "    {}\n", branch.hint);
    }
    int written = done;
    if ((csv_ || html_) && !found.points.empty())
      written = arguments_.write([&](Results& results) {
        using std::filesystem::path;
        if (csv_)
          results.add("response.csv", [&](const path& file) {
            return write_nonlinear_response_csv(found, file.string());
          });
        if (html_)
          results.add("response.html", [&](const path& file) {
            return write_nonlinear_response_html(found, file.string());
          });
      });
    return branch.status == Status::ok ? written : failed;
  }

  static void print(const NonlinearResponse& found) {
    const PeriodicBranch& branch = found.branch;
    if (found.points.empty()) return;
    fmt::print("{} ({}), {} vibrates by {:.6g}: {} periodic motions\n", branch.model,
               branch.reading, found.input, found.amplitude, branch.points.size());
    for (std::size_t i = 0; i < found.outputs.size(); ++i) {
      fmt::print("\n{}\n    {:>14}{:>16}{:>14}\n", found.outputs[i], "rad/s", "amplitude",
                 "phase [deg]");
      const auto say = [&](std::size_t k, std::string_view what) {
        const std::complex<double> first = found.points[k].first[static_cast<Index>(i)];
        fmt::print("    {:>14.9g}{:>16.8g}{:>14.2f}  {}\n", branch.points[k].parameter,
                   std::abs(first), std::arg(first) * 180 / std::numbers::pi, what);
      };
      const auto size = [&](std::size_t k) {
        return std::abs(found.points[k].first[static_cast<Index>(i)]);
      };
      for (std::size_t k = 0; k < branch.points.size(); ++k) {
        const BranchPoint& point = branch.points[k];
        const bool end = k == 0 || k + 1 == branch.points.size();
        const bool peak = !end && size(k) > size(k - 1) && size(k) > size(k + 1);
        if (point.kind != BranchPoint::Kind::plain)
          say(k, name(point.kind));
        else if (end || peak)
          say(k, fmt::format("{}{}", point.motion.stable() ? "stable" : "unstable",
                             peak ? ", largest nearby" : ""));
      }
    }
  }

  void read_range(Problems& problems) {
    if (range_.empty()) return;
    const std::size_t colon = range_.find(':');
    const auto number = [](std::string_view text, double& to) {
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), to);
      return error == std::errc{} && rest == text.data() + text.size();
    };
    const std::string_view text{range_};
    const bool good = colon != std::string::npos && number(text.substr(0, colon), options_.from) &&
                      number(text.substr(colon + 1), options_.to) && options_.from > 0.0 &&
                      options_.to > options_.from;
    if (!good) {
      problems.add({}, "--range " + range_, "is not of the form FROM:TO with 0 < FROM < TO",
                   "write --range 0.1:100");
      return;
    }
    if (hertz_) {
      options_.from *= 2 * std::numbers::pi;
      options_.to *= 2 * std::numbers::pi;
    }
  }

  static void print(const LinearModel& linear, const std::vector<FrequencyResponse>& all) {
    fmt::print("{} ({})\n{}\n", linear.model, linear.reading, point_text(linear));
    for (const FrequencyResponse& one : all) {
      fmt::print("\n{} / {}\n    static gain {:.9g}\n", one.output, one.input, one.static_gain);
      for (const ResonancePeak& peak : one.peaks) {
        if (peak.undamped) {
          fmt::print(
              "    undamped resonance at {:.7g} rad/s ({:.6g} Hz): no amplitude is the "
              "largest\n",
              peak.omega, peak.omega / (2 * std::numbers::pi));
          continue;
        }
        fmt::print("    peak at {:.7g} rad/s ({:.6g} Hz): {:.7g}, phase {:.4g} deg", peak.omega,
                   peak.omega / (2 * std::numbers::pi), peak.amplitude,
                   peak.phase * 180 / std::numbers::pi);
        if (peak.width() > 0.0)
          fmt::print(", half power from {:.6g} to {:.6g} (Q = {:.4g})", peak.half_below,
                     peak.half_above, peak.omega / peak.width());
        fmt::print("\n");
      }
    }
    for (const Note& note : linear.notes) fmt::print(stderr, "note: {}\n", note.text());
  }

  int write(const LinearModel& linear, const std::vector<FrequencyResponse>& all) const {
    if (!csv_ && !html_) return done;
    return arguments_.write([&](Results& results) {
      using std::filesystem::path;
      if (csv_)
        results.add("response.csv",
                    [&](const path& file) { return write_responses_csv(all, file.string()); });
      if (html_)
        results.add("response.html", [&](const path& file) {
          return write_responses_html(linear, all, file.string());
        });
    });
  }

  LinearArguments arguments_;
  ResponseOptions options_;
  std::string range_, amplitude_;
  bool hertz_ = false, csv_ = false, html_ = false;
};

}  // namespace

std::unique_ptr<Command> response_command(CLI::App& program) {
  return std::make_unique<ResponseCommand>(program);
}

}  // namespace taut::cli
