// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/signal_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "taut/core/wording.hpp"
#include "taut/simulation/instant.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

constexpr double quiet = 1e-6;  // share of power that may lie in the upper half

/// Numbers of a motion at evenly spread times, the angle behind them.
class Recorder {
 public:
  Recorder(const CompiledModel& compiled, std::vector<std::string> of,
           const std::vector<bool>& by_name, std::size_t first_output)
      : names_{compiled.system}, of_{std::move(of)} {
    std::size_t output = first_output;
    for (const bool named : by_name) places_.push_back(named ? -1 : compiled.outputs[output++]);
    columns.resize(of_.size());
  }

  void begin(double first, double interval) {
    first_ = first;
    interval_ = interval;
    t.clear();
    for (std::vector<double>& column : columns) column.clear();
  }

  void operator()(const Frame& frame) {
    // rows of events stand between: those of the grid alone, the last of several at one time
    const double place = (frame.state.t - first_) / interval_;
    const double nearest = std::round(place);
    if (std::abs(place - nearest) > 1e-6 || nearest < 0.0) return;
    const auto k = static_cast<std::size_t>(nearest);
    if (k > t.size()) return;
    const bool again = k < t.size();
    if (again && k + 1 < t.size()) return;
    if (!again) t.push_back(frame.state.t);
    for (std::size_t i = 0; i < of_.size(); ++i) {
      const double x = places_[i] < 0 ? names_(frame, of_[i]) : frame.observable[places_[i]];
      if (again)
        columns[i].back() = x;
      else
        columns[i].push_back(x);
    }
  }

  std::vector<double> t;
  std::vector<std::vector<double>> columns;

 private:
  FrameNames names_;
  std::vector<std::string> of_;
  std::vector<int> places_;
  double first_ = 0.0, interval_ = 1.0;
};

/// What of a signal is not a number at all times has no spectrum.
bool is_finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

/// What changes by no more than the errors of a run says nothing about its frequencies.
bool is_seen(const std::vector<double>& x) {
  constexpr double seen = 1e-6;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return *high - *low > seen * std::max(std::abs(*low), std::abs(*high));
}

std::vector<std::string> usual(const PreparedModel& prepared) {
  std::vector<std::string> names;
  if (const std::optional<System> shown = prepared.compiled.system.quantities())
    for (const Observable& one : shown->structure().observables)
      if (one.kind == Observable::Kind::output) names.push_back(one.name);
  if (names.empty()) names = prepared.compiled.system.structure().names_at_rest();
  return names;
}

void check(const SignalOptions& which, Problems& problems) {
  if (which.spectrum.averages < 1)
    problems.add({}, "<<averages>>", "is less than 1", "give how many pieces are averaged");
  if (which.spectrum.most_peaks < 0)
    problems.add({}, "<<peaks>>", "is less than 0", "give how many peaks are looked for");
  if (!(which.after >= 0.0) || !std::isfinite(which.after))
    problems.add({}, "<<after>>", "is no time after the start",
                 "give seconds that are not below 0");
  for (const double order : which.orders)
    if (!which.angle.empty() && !(order > 0.0 && std::isfinite(order)))
      problems.add({}, "<<orders>>", fmt::format("{} is no order", order),
                   "give multiples of the angle that are above 0, such as 1,2,0.5");
}

}  // namespace

Signals signals(const Model& model, const SimulationOptions& options, const SignalOptions& which,
                Problems& problems) {
  Signals made{.window = which.spectrum.window};
  check(which, problems);
  // names are numbers of the motion; what is none of them is an expression
  PreparedModel plain = prepare(model, options, problems);
  if (problems.empty() && plain.compiled.jets)
    problems.add(plain.model.jets->position, "jets", "signals are those of mechanical models",
                 "state the model with [states]");
  if (!problems.empty()) return made;
  std::vector<std::string> of = which.of.empty() ? usual(plain) : which.of;
  if (!which.angle.empty()) of.push_back(which.angle);
  const FrameNames known{plain.compiled.system};
  std::vector<bool> by_name;
  Model asked = model;
  std::size_t others = 0;
  for (const Output& output : model.outputs) others += output.column ? 0 : 1;
  for (const std::string& name : of) {
    by_name.push_back(known.has(name));
    if (!by_name.back())
      asked.outputs.push_back({.name = worded("<<of>> ") + name, .value = name, .column = false});
  }
  PreparedModel prepared = prepare(asked, options, problems);
  if (!problems.empty()) return made;
  Plan planned = plan(prepared, options, problems);
  if (!problems.empty()) return made;
  made.model = prepared.model.name;
  made.reading = prepared.reading.name();
  planned.error_estimate = false;
  planned.run.rows = Rows::none;
  planned.run.times.clear();
  const double from = planned.start.state.t, until = planned.run.until;
  const double first = from + which.after;
  constexpr double fewest = 64, most = 262144, usual_rows = 8192;
  const bool given = planned.run.every > 0.0;
  if (!(until > first))
    problems.add({}, "<<after>>", fmt::format("nothing is left behind t = {:.6g}", first),
                 "give a time before the end of the run");
  if (!problems.empty()) return made;
  // with --after, rows of the whole run lie on the same grid
  double interval = given ? planned.run.every : (until - first) / usual_rows;
  if (given && (until - first) / interval < fewest)
    problems.add({}, "<<every>>",
                 fmt::format("{:.0f} rows are too few for a spectrum",
                             std::floor((until - first) / interval)),
                 "give a shorter distance, or run longer");
  if (!problems.empty()) return made;

  Recorder recorder{prepared.compiled, of, by_name, others};
  const std::size_t count = of.size() - (which.angle.empty() ? 0 : 1);
  for (;;) {
    Plan run = planned;
    run.run.every = interval;
    if (which.after > 0.0) {
      // a grid that has `first` on it
      run.run.every = 0.0;
      const double rows = std::floor((until - first) / interval * (1 + 1e-12));
      for (double k = first > from ? 0.0 : 1.0; k <= rows; ++k)
        run.run.times.push_back(std::min(first + k * interval, until));
    }
    recorder.begin(first, interval);
    run.run.observers.emplace_back([&recorder](const Frame& frame) { recorder(frame); });
    const Summary summary = simulate(std::move(run)).summary;
    made.method = summary.method;
    made.status = summary.good() ? Status::ok : summary.status;
    made.reason = summary.good() ? "" : summary.message;
    made.hint = summary.good() ? "" : summary.hint;
    made.t = recorder.t;
    made.signals.clear();
    made.too_coarse = false;
    if (static_cast<double>(made.t.size()) < fewest) {
      if (made.status == Status::ok) {
        made.status = Status::invalid_argument;
        made.reason = "the run ended before there were enough rows for a spectrum";
        made.hint = "give a shorter distance of rows, or run longer";
      }
      return made;
    }
    double tail = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      Signal signal{.name = of[k], .x = recorder.columns[k]};
      if (is_finite(signal.x) && is_seen(signal.x)) {
        // a look at the lines alone, as long as rows may be too far apart
        const Spectrum lines = spectrum(std::span{signal.x}.first(signal.x.size() - 1), interval,
                                        {.window = Window::hann, .averages = 1, .most_peaks = 0});
        tail = std::max(tail, lines.tail);
      }
      made.signals.push_back(std::move(signal));
    }
    made.too_coarse = tail > quiet;
    if (given || made.status != Status::ok || !made.too_coarse ||
        4 * (until - first) / interval > most)
      break;
    interval /= 4;
  }
  for (Signal& signal : made.signals) {
    signal.measures = signal_measures(made.t, signal.x);
    if (!is_finite(signal.x)) continue;
    // the last row of whole periods is the first of the next
    signal.spectrum =
        spectrum(std::span{signal.x}.first(signal.x.size() - 1), interval, which.spectrum);
    if (which.over_time) signal.over_time = spectrogram(made.t, signal.x, which.spectrum.window);
    if (!which.angle.empty())
      signal.orders = track_orders(made.t, recorder.columns.back(), signal.x, which.orders);
  }
  return made;
}

Signals signals(const Model& model, const SimulationOptions& options, const SignalOptions& which) {
  Problems problems{model.file};
  Signals made = signals(model, options, which, problems);
  problems.throw_if_any();
  return made;
}

}  // namespace taut
