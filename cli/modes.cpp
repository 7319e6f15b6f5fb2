// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "linear_arguments.hpp"
#include "sweep_arguments.hpp"
#include "taut/report/modes.hpp"

namespace taut::cli {
namespace {

std::string root_text(const Mode& mode) {
  if (mode.s.imag() == 0.0) return fmt::format("{:.10g}", mode.s.real());
  return fmt::format("{:.10g} +- {:.10g}i", mode.s.real(), mode.s.imag());
}

void print_mode(std::size_t number, const Mode& mode) {
  std::string line = fmt::format("{:>4}  {:<10} {:<34}", number, name(mode.kind), root_text(mode));
  if (mode.s.imag() != 0.0)
    line += fmt::format(" {:>12.7g} Hz  {:>12.7g} rad/s  zeta {:>11.4g}", mode.hertz(),
                        mode.omega(), mode.damping_ratio());
  else if (mode.kind == ModeKind::drift && mode.multiplicity > 1)
    line += fmt::format(" {} roots", mode.multiplicity);
  fmt::print("{}", line);
  fmt::print("{}{}\n", mode.label.empty() ? "" : "  ", mode.label);
}

class ModesCommand final : public Command {
 public:
  explicit ModesCommand(CLI::App& program)
      : Command{program, "modes", "frequencies, damping and shapes of small vibrations",
                "Example: taut modes models/four_bar.toml"} {
    arguments_.add_to(app());
    app()
        .add_option("--lowest", which_.lowest,
                    "so many modes, the lowest first (default: all, 20 of a large model)")
        ->check(CLI::Range(1, 10000));
    app()
        .add_option("--near", which_.near, "those nearest to this angular frequency [rad/s]")
        ->check(positive());
    app().add_option(
        "--vary", vary_,
        "roots over a parameter, NAME=A:B:N or NAME=A:B:N:log, modes followed by their "
        "shapes");
    app()
        .add_option("--orders", orders_,
                    "with --vary of a speed [rad/s]: where vibrations have these multiples of it "
                    "(Campbell's diagram), such as 1,2")
        ->delimiter(',')
        ->allow_extra_args(false);
    app().add_flag("--csv", csv_, "write modes.csv");
    app().add_flag("--html", html_, "write modes.html: the list, and the shapes that move");
  }

  int run() override {
    Problems problems{arguments_.model.file.string()};
    const LinearQuestion asked = arguments_.question(problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    if (!orders_.empty() && vary_.empty())
      problems.add({}, "--orders", "are those of a parameter that varies", "give --vary, too");
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    if (!vary_.empty()) return vary(asked, problems);
    const Modes found = modes(asked.model, asked.options, asked.linear, which_, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    if (arguments_.model.json) fmt::print("{}", modes_json(found));
    if (found.linear.status != Status::ok) return report_no_linear(found.linear);
    if (!arguments_.model.json) print(found);
    return write(found);
  }

 private:
  int vary(const LinearQuestion& asked, Problems& problems) {
    const std::optional<SweepAxis> axis = parse_axis(vary_);
    if (!axis || axis->points < 2 || axis->first == axis->last ||
        (axis->log && !(axis->first > 0.0 && axis->last > 0.0))) {
      problems.add({}, "--vary " + vary_, "is not of the form NAME=A:B:N or NAME=A:B:N:log",
                   "write the first and the last value and how many, such as --vary v=1:9:81");
      return report_bad_input(problems, arguments_.model.json);
    }
    RootLocus locus = root_locus(asked.model, asked.options, asked.linear, which_, *axis, problems);
    for (const double order : orders_)
      if (!(order > 0.0))
        problems.add({}, "--orders", fmt::format("{} is no order", order),
                     "give multiples of the speed that are above 0");
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    locus.orders = orders_;
    locus.critical = critical_speeds(locus, orders_);
    if (arguments_.model.json)
      fmt::print("{}", locus_json(locus));
    else
      print(locus);
    return write([&](Results& results) {
      using std::filesystem::path;
      if (csv_)
        results.add("modes.csv",
                    [&](const path& file) { return write_locus_csv(locus, file.string()); });
      if (html_)
        results.add("modes.html",
                    [&](const path& file) { return write_locus_html(locus, file.string()); });
    });
  }

  static void print(const RootLocus& locus) {
    fmt::print("{} ({}), {} from {:.6g} to {:.6g}\n\n", locus.model, locus.reading, locus.parameter,
               locus.values.front(), locus.values.back());
    for (std::size_t k = 0; k < locus.tracks.size(); ++k) {
      const auto& s = locus.tracks[k].s;
      const auto there = [](const std::complex<double>& z) { return !std::isnan(z.real()); };
      const auto first = std::find_if(s.begin(), s.end(), there);
      const auto last = std::find_if(s.rbegin(), s.rend(), there);
      fmt::print("{:>4}  {:.6g} +- {:.6g}i  to  {:.6g} +- {:.6g}i  {}\n", k + 1, first->real(),
                 first->imag(), last->real(), last->imag(), locus.tracks[k].label);
    }
    if (!locus.crossings.empty()) fmt::print("\n");
    for (const RootCrossing& crossing : locus.crossings)
      fmt::print("{} {} {} = {:.6g} (between {:.6g} and {:.6g}): mode {}{}\n",
                 crossing.omega == 0.0 ? "divergence" : "flutter",
                 crossing.unstable_above ? "above" : "below", locus.parameter, crossing.at,
                 crossing.below, crossing.above, crossing.track + 1,
                 crossing.omega == 0.0 ? "" : fmt::format(", {:.6g} rad/s", crossing.omega));
    if (!locus.critical.empty()) fmt::print("\n");
    for (const CriticalSpeed& one : locus.critical)
      fmt::print("order {:.6g} meets mode {} at {} = {:.6g} ({:.6g} rad/s)\n", one.order,
                 one.track + 1, locus.parameter, one.at, one.omega);
    for (std::size_t n = 0; n < locus.values.size(); ++n)
      if (!locus.reasons[n].empty())
        fmt::print(stderr, "note: no modes at {} = {}: {}\n", locus.parameter, locus.values[n],
                   locus.reasons[n]);
  }

  static void print(const Modes& found) {
    fmt::print("{} ({})\n{}\n\n", found.linear.model, found.linear.reading,
               point_text(found.linear));
    for (std::size_t k = 0; k < found.modes.size(); ++k) print_mode(k + 1, found.modes[k]);
    for (const Note& note : found.linear.notes) fmt::print(stderr, "note: {}\n", note.text());
  }

  int write(const Modes& found) const {
    return write([&](Results& results) {
      using std::filesystem::path;
      if (csv_)
        results.add("modes.csv",
                    [&](const path& file) { return write_modes_csv(found, file.string()); });
      if (html_)
        results.add("modes.html",
                    [&](const path& file) { return write_modes_html(found, file.string()); });
    });
  }

  template <class Add>
  int write(const Add& add) const {
    return csv_ || html_ ? arguments_.write(add) : done;
  }

  LinearArguments arguments_;
  ModesOptions which_;
  std::string vary_;
  std::vector<double> orders_;
  bool csv_ = false, html_ = false;
};

}  // namespace

std::unique_ptr<Command> modes_command(CLI::App& program) {
  return std::make_unique<ModesCommand>(program);
}

}  // namespace taut::cli
