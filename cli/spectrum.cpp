// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "command.hpp"
#include "interrupt.hpp"
#include "motion_arguments.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "taut/report/signals.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

class SpectrumCommand final : public Command {
 public:
  explicit SpectrumCommand(CLI::App& program)
      : Command{program, "spectrum",
                "frequencies in a motion: spectra with named peaks, rms, passages of zero, orders",
                "Example: taut spectrum models/double_pendulum.toml --of bob2.x --until 200"} {
    arguments_.add_to(app());
    app()
        .add_option("--of", which_.of,
                    "coordinates, velocities, outputs, spring 1.force, lambda(rod 1), or "
                    "expressions; several with commas (default: the outputs, else all coordinates)")
        ->delimiter(',')
        ->allow_extra_args(false);
    app()
        .add_option("--window", window_, "hann (default), flat-top, blackman-harris, none")
        ->check(
            CLI::IsMember(std::vector<std::string>{window_names().begin(), window_names().end()}));
    app()
        .add_option(
            "--averages", which_.spectrum.averages,
            "take the mean of the powers of so many pieces that overlap by half (default 1)")
        ->check(CLI::Range(1, 100000));
    app()
        .add_option("--peaks", which_.spectrum.most_peaks, "at most so many (default 12)")
        ->check(CLI::Range(0, 1000));
    app()
        .add_option("--after", which_.after, "leave out what comes before, from the start on [s]")
        ->check(not_negative());
    app().add_flag("--spectrogram", which_.over_time, "amplitudes over time and frequency, too");
    app().add_option("--angle", which_.angle,
                     "angle [rad] with whose multiples amplitudes are followed: a coordinate, or "
                     "an expression such as w*t");
    app()
        .add_option("--orders", which_.orders, "those multiples, with commas (default 1,2,3)")
        ->delimiter(',')
        ->allow_extra_args(false);
    app().add_flag("--csv", csv_,
                   "write spectrum.csv, and orders.csv and spectrogram.csv where there are any");
    app().add_flag("--html", html_, "write spectrum.html");
    app().add_option("--out", out_, "folder of these files; default out/MODEL");
  }

  int run() override {
    const bool json = arguments_.model.json;
    Problems problems{arguments_.model.file.string()};
    const Model model = read_model(arguments_.model, problems);
    if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
    SimulationOptions options = arguments_.options(problems);
    for (std::size_t k = 0; k < window_names().size(); ++k)
      if (window_ == window_names()[k]) which_.spectrum.window = static_cast<Window>(k);
    options.cancel = &catch_interrupts();
    const Signals found = signals(model, options, which_, problems);
    if (!problems.empty()) return report_bad_input(problems, json);
    if (json)
      fmt::print("{}", signals_json(found));
    else
      print(found);
    if (found.status != Status::ok) {
      fmt::print(stderr, "taut: {}\n", found.reason);
      if (!found.hint.empty()) fmt::print(stderr, "    {}\n", found.hint);
    }
    const int written = write(found);
    return found.status == Status::ok ? written : failed;
  }

 private:
  static void print(const Signals& found) {
    if (found.t.empty()) return;
    fmt::print("{} ({}, {}): {} rows from t = {:.6g} to {:.6g}, window {}\n", found.model,
               found.reading, found.method, found.t.size(), found.t.front(), found.t.back(),
               name(found.window));
    for (const Signal& signal : found.signals) {
      const SignalMeasures& m = signal.measures;
      const Spectrum& s = signal.spectrum;
      fmt::print("\n{}\n    mean {:.8g}, rms {:.8g}, from {:.8g} to {:.8g}\n", signal.name, m.mean,
                 m.rms, m.lowest, m.highest);
      print_passages(m);
      if (s.hertz.empty()) {
        fmt::print("    no spectrum: it is no number at some times\n");
        continue;
      }
      fmt::print("    lines {:.6g} Hz apart{}\n", s.resolution,
                 s.pieces > 1 ? fmt::format(", mean of {} pieces", s.pieces) : "");
      if (s.peaks.empty()) continue;
      fmt::print("\n    {:<14}{:>16}{:>16}{:>16}{:>12}\n", "", "Hz", "rad/s", "amplitude",
                 "phase [deg]");
      for (const SpectralPeak& p : s.peaks)
        fmt::print("    {:<14}{:>16.9g}{:>16.9g}{:>16.8g}{}\n", p.name, p.hertz,
                   2 * std::numbers::pi * p.hertz, p.amplitude,
                   std::isnan(p.phase) ? "" : fmt::format("{:>12.2f}", degrees(p.phase)));
      if (s.pieces == 1)
        fmt::print("    these hold {:.6g} % of the mean square about the mean\n",
                   100 * s.explained);
    }
    if (found.too_coarse)
      fmt::print(stderr,
                 "note: there is power in the upper half of what these rows show: what vibrates "
                 "faster stands here as if it were slower; give a shorter --every\n");
  }

  /// In (-180, 180] as it is printed.
  static double degrees(double phase) {
    constexpr double shown = 0.005;
    const double angle = phase * 180 / std::numbers::pi;
    if (std::abs(angle) < shown) return 0.0;
    return angle < -180 + shown ? 180.0 : angle;
  }

  static void print_passages(const SignalMeasures& m) {
    const std::size_t count = m.rising.size() + m.falling.size();
    if (count == 0) return;
    fmt::print("    passes zero {} times", count);
    if (m.rising.size() > 1)
      fmt::print(", {:.9g} times a second upwards",
                 static_cast<double>(m.rising.size() - 1) / (m.rising.back() - m.rising.front()));
    fmt::print("\n");
  }

  [[nodiscard]] int write(const Signals& found) const {
    if ((!csv_ && !html_) || found.signals.empty()) return done;
    const fs::path folder = out_.empty() ? fs::path{"out"} / arguments_.model.file.stem() : out_;
    if (!make_folder(folder)) return failed;
    Results results{folder};
    const auto add = [&](bool wanted, const char* file, auto writer) {
      if (wanted)
        results.add(file, [&](const fs::path& place) { return writer(found, place.string()); });
    };
    add(csv_, "spectrum.csv", write_spectrum_csv);
    add(csv_ && which_.over_time, "spectrogram.csv", write_spectrogram_csv);
    add(csv_ && !which_.angle.empty(), "orders.csv", write_orders_csv);
    add(html_, "spectrum.html", write_signals_html);
    results.commit();
    if (!arguments_.model.json) {
      std::vector<std::string> files;
      for (const fs::path& file : results.files()) files.push_back(file.string());
      if (!files.empty()) fmt::print("\nwritten: {}\n", fmt::join(files, ", "));
    }
    for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
    return results.problems().empty() ? done : failed;
  }

  MotionArguments arguments_;
  SignalOptions which_;
  std::string window_;
  fs::path out_;
  bool csv_ = false, html_ = false;
};

}  // namespace

std::unique_ptr<Command> spectrum_command(CLI::App& program) {
  return std::make_unique<SpectrumCommand>(program);
}

}  // namespace taut::cli
