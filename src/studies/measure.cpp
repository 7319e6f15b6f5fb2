// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include "taut/core/wording.hpp"

namespace taut {
namespace {

using Of = RunMeasure::Of;

constexpr std::array<std::pair<std::string_view, Of>, 9> functions{{{"end", Of::end},
                                                                    {"min", Of::min},
                                                                    {"max", Of::max},
                                                                    {"mean", Of::mean},
                                                                    {"range", Of::range},
                                                                    {"rms", Of::rms},
                                                                    {"peak", Of::peak},
                                                                    {"frequency", Of::frequency},
                                                                    {"event", Of::event}}};
constexpr std::array<std::pair<std::string_view, Of>, 7> fields{
    {{"t", Of::t},
     {"energy_error", Of::energy_error},
     {"max_constraint", Of::max_constraint},
     {"steps", Of::steps},
     {"rejected", Of::rejected},
     {"force_evaluations", Of::force_evaluations},
     {"wall_seconds", Of::wall_seconds}}};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// what stands in NAME( ... ); nothing where the text is not of that form
std::optional<std::string_view> argument_of(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || !text.ends_with(')')) return std::nullopt;
  text.remove_prefix(name.size());
  text = trimmed(text);
  if (!text.starts_with('(')) return std::nullopt;
  const std::string_view inner = text.substr(1, text.size() - 2);
  int depth = 0;  // (a) + (b) begins and ends with a bracket, too
  for (const char c : inner) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0) return std::nullopt;
  }
  return trimmed(inner);
}

bool takes_expression(Of of) { return of <= Of::frequency; }

// lambda(NAME) and abs(lambda(NAME)) are no expressions of a model: names of rows have spaces
void read_row(RunMeasure& measure) {
  std::string_view text = measure.argument;
  if (const auto inner = argument_of(text, "abs"); inner && argument_of(*inner, "lambda")) {
    measure.absolute = true;
    text = *inner;
  }
  if (const auto row = argument_of(text, "lambda")) measure.row = *row;
}

std::optional<RunMeasure> read_measure(const std::string& text) {
  const std::string_view plain = trimmed(text);
  RunMeasure measure{.text = std::string{plain}};
  for (const auto& [name, of] : fields)
    if (plain == name) {
      measure.of = of;
      return measure;
    }
  for (const auto& [name, of] : functions)
    if (const auto argument = argument_of(plain, name); argument && !argument->empty()) {
      measure.of = of;
      measure.argument = *argument;
      if (takes_expression(of)) read_row(measure);
      return measure;
    }
  return std::nullopt;
}

bool is_expression(const RunMeasure& measure) {
  return takes_expression(measure.of) && measure.row.empty();
}

std::string remedy(const std::string& name, const std::vector<std::string>& known,
                   const char* kind) {
  const std::string near = nearest_name(name, known);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  if (known.empty()) return fmt::format("the model has no {}", kind);
  return fmt::format("{} are: {}", kind, fmt::join(known, ", "));
}

/// Upward passages of `mean` for each unit of time, from the first to the last; before each but the
/// first the value was below it by a tenth of its deviation.
double passages_per_time(const std::vector<std::pair<double, double>>& rows, double mean,
                         double deviation) {
  int passages = 0;
  double first = 0.0, last = 0.0;
  bool armed = false;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& [t, x] = rows[k];
    if (x < mean - 0.1 * deviation) armed = true;
    if (!armed || !(x > mean) || k == 0) continue;
    const auto& [t0, x0] = rows[k - 1];
    last = t0 + (t - t0) * (mean - x0) / (x - x0);
    if (passages++ == 0) first = last;
    armed = false;
  }
  return passages > 1 ? (passages - 1) / (last - first) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

const std::vector<std::string>& measure_forms() {
  static const std::vector<std::string> forms = [] {
    std::vector<std::string> list;
    for (const auto& [name, of] : functions)
      list.push_back(fmt::format("{}({})", name, of == Of::event ? "NAME" : "X"));
    for (const auto& [name, of] : fields) list.emplace_back(name);
    return list;
  }();
  return forms;
}

std::vector<RunMeasure> read_measures(const std::vector<std::string>& texts, Problems& problems) {
  std::vector<RunMeasure> measures;
  for (const std::string& text : texts) {
    const std::optional<RunMeasure> measure = read_measure(text);
    if (!measure) {
      std::vector<std::string> known;
      for (const auto& [name, of] : fields) known.emplace_back(name);
      const std::string near = nearest_name(text, known);
      problems.add({}, "<<measure>> " + text, "is no measure of a run",
                   fmt::format("{}measures are: stable, {}",
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                               fmt::join(measure_forms(), ", ")));
      continue;
    }
    const bool twice = std::any_of(measures.begin(), measures.end(), [&](const RunMeasure& other) {
      return other.text == measure->text;
    });
    if (twice)
      problems.add({}, "<<measure>> " + text, "is asked for twice", "leave one out");
    else
      measures.push_back(*measure);
  }
  return measures;
}

bool needs_close_rows(const std::vector<RunMeasure>& measures) {
  return std::any_of(measures.begin(), measures.end(), [](const RunMeasure& measure) {
    return takes_expression(measure.of) && measure.of != Of::end;
  });
}

bool needs_quality(const std::vector<RunMeasure>& measures) {
  return std::any_of(measures.begin(), measures.end(), [](const RunMeasure& measure) {
    return measure.of == Of::energy_error || measure.of == Of::max_constraint;
  });
}

void add_measures(const std::vector<RunMeasure>& measures, Model& model) {
  for (const RunMeasure& measure : measures)
    if (is_expression(measure))
      model.outputs.push_back({.name = worded("<<measure>> ") + measure.text,
                               .value = measure.argument,
                               .column = false});
}

RunMeter::RunMeter(const std::vector<RunMeasure>& measures, const CompiledModel& model,
                   Problems& problems)
    : measures_{measures}, courses_(measures.size()), names_{model.system} {
  const Structure& structure = model.system.structure();
  std::vector<std::string> rows, events;
  for (const Row& row : structure.rows) rows.push_back(row.name);
  for (const Observable& observable : structure.observables)
    if (observable.kind == Observable::Kind::event) events.push_back(observable.name);

  auto output = model.outputs.begin();
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const RunMeasure& measure = measures_[k];
    if (is_expression(measure)) {
      courses_[k].observable = *output++;
      courses_[k].named = courses_[k].observable < 0;
    } else if (!measure.row.empty()) {
      const auto found = std::find(rows.begin(), rows.end(), measure.row);
      if (found == rows.end())
        problems.add({}, "<<measure>> " + measure.text,
                     fmt::format("there is no constraint '{}'", measure.row),
                     remedy(measure.row, rows, "constraints"));
      else
        courses_[k].row = static_cast<int>(found - rows.begin());
    } else if (measure.of == Of::event &&
               std::find(events.begin(), events.end(), measure.argument) == events.end()) {
      problems.add({}, "<<measure>> " + measure.text,
                   fmt::format("there is no event '{}'", measure.argument),
                   remedy(measure.argument, events, "events"));
    }
  }
}

void RunMeter::restart() {
  for (Course& course : courses_)
    course = {.observable = course.observable, .row = course.row, .named = course.named};
  started_ = false;
}

void RunMeter::operator()(const Frame& frame) {
  x_.assign(courses_.size(), 0.0);
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    const Course& course = courses_[k];
    if (course.named)
      x_[k] = names_(frame, measures_[k].argument);
    else if (course.row >= 0)
      x_[k] = frame.lambda[course.row];
    else if (course.observable >= 0)
      x_[k] = frame.observable[course.observable];
  }
  add(frame.state.t, x_);
}

void RunMeter::add(double t, const std::vector<double>& values) {
  const double dt = started_ ? t - last_t_ : 0.0;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    Course& course = courses_[k];
    if (course.observable < 0 && course.row < 0 && !course.named) continue;
    const double x = measures_[k].absolute ? std::abs(values[k]) : values[k];
    if (started_) {
      course.integral += dt / 2 * (course.last + x);
      course.square += dt / 2 * (course.last * course.last + x * x);
      // what has no value somewhere has no least one
      course.least = std::isnan(x) ? x : std::min(course.least, x);
      course.greatest = std::isnan(x) ? x : std::max(course.greatest, x);
    } else {
      course.least = course.greatest = x;
    }
    course.last = x;
    if (measures_[k].of == Of::frequency) course.rows.emplace_back(t, x);
  }
  if (!started_) first_t_ = t;
  last_t_ = t;
  started_ = true;
}

std::vector<double> RunMeter::result(const Summary& summary) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double length = last_t_ - first_t_;
  std::vector<double> values;
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const Course& course = courses_[k];
    const auto event = std::find_if(
        summary.events.begin(), summary.events.end(),
        [&](const EventRecord& record) { return record.name == measures_[k].argument; });
    values.push_back([&] {
      if (takes_expression(measures_[k].of) && !started_) return nan;
      switch (measures_[k].of) {
        case Of::end:
          return course.last;
        case Of::min:
          return course.least;
        case Of::max:
          return course.greatest;
        case Of::mean:
          return length > 0.0 ? course.integral / length : course.last;
        case Of::range:
          return course.greatest - course.least;
        case Of::rms:
          return length > 0.0 ? std::sqrt(course.square / length) : std::abs(course.last);
        case Of::peak:
          return std::max(-course.least, course.greatest);
        case Of::frequency: {
          const double mean = length > 0.0 ? course.integral / length : course.last;
          const double variance = length > 0.0 ? course.square / length - mean * mean : 0.0;
          return passages_per_time(course.rows, mean, std::sqrt(std::max(0.0, variance)));
        }
        case Of::event:
          return event == summary.events.end() ? nan : event->state.t;
        case Of::t:
          return summary.state.t;
        case Of::energy_error:
          return summary.energy_error.value_or(nan);
        case Of::max_constraint:
          return summary.max_constraint;
        case Of::steps:
          return static_cast<double>(summary.counters.steps);
        case Of::rejected:
          return static_cast<double>(summary.counters.rejected);
        case Of::force_evaluations:
          return static_cast<double>(summary.counters.force_evaluations);
        case Of::wall_seconds:
          return summary.wall_seconds;
      }
      return nan;
    }());
  }
  return values;
}

}  // namespace taut
