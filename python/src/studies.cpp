// SPDX-License-Identifier: BSD-3-Clause
// Studies of a model: what those commands of the program say that look at more than one motion.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bound.hpp"
#include "options.hpp"
#include "taut/methods/fits.hpp"
#include "taut/methods/registry.hpp"
#include "taut/report/compare.hpp"
#include "taut/report/fit.hpp"
#include "taut/report/modes.hpp"
#include "taut/report/periodic.hpp"
#include "taut/report/signals.hpp"
#include "taut/report/stability.hpp"
#include "taut/simulation/at_rest.hpp"
#include "taut/studies/compare.hpp"
#include "taut/version.hpp"

namespace taut::python {
namespace {

using Names = std::vector<std::string>;
/// A parameter with its values.
using Listed = std::pair<std::string, std::vector<double>>;

void refuse_jets(const PreparedModel& prepared) {
  if (!prepared.compiled.jets) return;
  Problems problems{prepared.model.file};
  problems.add(prepared.model.jets->position, "jets", "this is for mechanical models",
               "with [jets] there are run, start, check and complete");
  problems.throw_if_any();
}

std::string list_of(const Names& names) {
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  return list;
}

NamedPlaces read_places(const nb::dict& at, Problems& problems) {
  NamedPlaces places;
  for (const auto& [key, given] : at) {
    double value = 0.0;
    const auto name = nb::cast<std::string>(key);
    if (nb::try_cast(given, value) && std::isfinite(value))
      places.emplace_back(name, value);
    else
      problems.add({},
                   "at=", std::string{nb::repr(given).c_str()} + " is no place of '" + name + "'",
                   "give a number, such as at={\"" + name + "\": 0}");
  }
  return places;
}

std::string at_rest(BoundModel& bound, const nb::dict& given, const nb::dict& at, double reach,
                    int starts, double max_seconds, nb::object progress) {
  SimulationOptions options;
  const PreparedModel prepared = prepared_for(bound, given, options);
  refuse_jets(prepared);
  Problems problems{bound.model().file};
  const Reading reading = reading_at_rest(prepared, options.averaging, problems);
  const NamedPlaces places = read_places(at, problems);
  std::vector<Note> notes;
  SweepCase made = read_at_rest(prepared.compiled, reading, places, notes, problems);
  problems.throw_if_any();
  const std::string title = prepared.model.name, read_as{reading.name()};
  if (made.status != Status::ok)
    return equilibria_json(prepared.compiled.system.structure(),
                           {.status = made.status, .reason = made.reason}, title, read_as);
  Watch watch{std::move(progress)};
  std::atomic<double> fraction = 0.0;
  EquilibriaOptions search{.reach = reach,
                           .starts = starts,
                           .second_opinion = made.second_opinion,
                           .max_seconds = max_seconds,
                           .cancel = watch.cancel(),
                           .progress = [&](double f) { fraction = f; }};
  Equilibria all =
      watched(watch, fraction, [&] { return equilibria(made.system, made.near, search); });
  all.notes.insert(all.notes.begin(), notes.begin(), notes.end());
  return equilibria_json(made.system.structure(), all, title, read_as);
}

std::vector<SweepAxis> read_axes(const std::vector<Listed>& vary, const CompiledModel& model,
                                 Problems& problems) {
  std::vector<SweepAxis> axes;
  const auto names = model.parameter_names();
  const Names known{names.begin(), names.end()};
  for (const auto& [name, values] : vary) {
    if (model.parameter_index(name) < 0) {
      const std::string meant = nearest_name(name, known);
      problems.add({}, name + "=", "there is no parameter '" + name + "'",
                   !meant.empty()  ? "did you mean '" + meant + "'?"
                   : known.empty() ? "the model has no parameters"
                                   : "parameters are: " + list_of(known));
    } else if (values.size() < 2) {
      problems.add({}, name + "=", "one value is too few", "give 2 or more");
    }
    if (!values.empty()) axes.push_back(SweepAxis::of(name, values));
  }
  return axes;
}

std::string stability(BoundModel& bound, const nb::dict& given, const std::vector<Listed>& vary,
                      const nb::dict& at, double reach, unsigned threads, nb::object progress) {
  SimulationOptions options;
  const PreparedModel prepared = prepared_for(bound, given, options);
  refuse_jets(prepared);
  Problems problems{bound.model().file};
  const std::vector<SweepAxis> axes = read_axes(vary, prepared.compiled, problems);
  if (axes.empty() || axes.size() > 2)
    problems.add({}, "measure=", "a sweep of the measure 'stable' has one or two axes",
                 "vary one or two parameters; for measures of runs, any number");
  const Reading reading = reading_at_rest(prepared, options.averaging, problems);
  const NamedPlaces places = read_places(at, problems);
  static_cast<void>(given_at(prepared.compiled, places, problems));
  problems.throw_if_any();
  Watch watch{std::move(progress)};
  std::atomic<double> fraction = 0.0;
  const MakeSweepCase make = cases_at_rest(prepared, reading, axes, places);
  const auto until_cancelled = [&](const std::vector<double>& values) -> SweepCase {
    if (*watch.cancel()) return {.status = Status::cancelled};
    return make(values);
  };
  const StabilitySweep sweep = watched(watch, fraction, [&] {
    return sweep_stability(
        axes, until_cancelled,
        {.reach = reach, .threads = threads, .progress = [&](double f) { fraction = f; }});
  });
  return sweep_json(sweep, {.model = prepared.model.name,
                            .reading = std::string{reading.name()},
                            .file = bound.model().file,
                            .version = std::string{version()}});
}

/// Where, with respect to what: of linearize() and modes().
struct Linear {
  SimulationOptions options;
  LinearizeOptions linear;
};

Linear read_linear(const nb::dict& given, const Model& model, nb::object at,
                   const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                   Problems& problems) {
  Linear asked{.options = read_options(given, model, problems),
               .linear = {.inputs = inputs, .outputs = outputs}};
  if (at.is_none()) return asked;
  if (nb::isinstance<nb::str>(at)) {
    const auto word = nb::cast<std::string>(at);
    if (word == "start")
      asked.linear.at = LinearizeAt::start;
    else if (word == "equilibrium")
      asked.linear.at = LinearizeAt::equilibrium;
    else
      problems.add({}, "at=", "'" + word + "' is no place",
                   "give \"start\", \"equilibrium\" or a time");
    return asked;
  }
  asked.linear.at = LinearizeAt::time;
  if (!nb::try_cast(at, asked.linear.time) || !std::isfinite(asked.linear.time))
    problems.add({}, "at=", std::string{nb::repr(at).c_str()} + " is no place",
                 "give \"start\", \"equilibrium\" or a time");
  return asked;
}

std::string linear_model(BoundModel& bound, const nb::dict& given, nb::object at,
                         const Names& inputs, const Names& outputs, bool transfer) {
  Problems problems{bound.model().file};
  const Linear asked = read_linear(given, bound.model(), std::move(at), inputs, outputs, problems);
  problems.throw_if_any();
  nb::gil_scoped_release released;
  return linear_json(linearize(bound.model(), asked.options, asked.linear), transfer);
}

std::string small_motions(BoundModel& bound, const nb::dict& given, nb::object at,
                          const Names& inputs, const Names& outputs, int lowest, double near,
                          const std::vector<Listed>& vary, const std::vector<double>& orders) {
  Problems problems{bound.model().file};
  const Linear asked = read_linear(given, bound.model(), std::move(at), inputs, outputs, problems);
  if (lowest < 0) problems.add({}, "lowest=", "is less than 1", "leave it out for all modes");
  if (!(near >= 0.0 && std::isfinite(near)))
    problems.add({}, "near=", "is no angular frequency", "give one greater than 0 [rad/s]");
  if (vary.size() > 1 || (vary.size() == 1 && vary.front().second.size() < 2))
    problems.add({}, "vary=", "roots are followed over two values or more of one parameter",
                 "give vary={\"NAME\": [values]}");
  problems.throw_if_any();
  nb::gil_scoped_release released;
  const ModesOptions which{.lowest = lowest, .near = near};
  if (vary.empty()) return modes_json(modes(bound.model(), asked.options, asked.linear, which));
  RootLocus locus = root_locus(bound.model(), asked.options, asked.linear, which,
                               SweepAxis::of(vary.front().first, vary.front().second), problems);
  problems.throw_if_any();
  locus.orders = orders;
  locus.critical = critical_speeds(locus, orders);
  return locus_json(locus);
}

std::string spectra(BoundModel& bound, const nb::dict& given, const Names& of,
                    const std::string& window, int averages, int peaks, double after,
                    bool over_time, const std::string& angle, const std::vector<double>& orders) {
  Problems problems{bound.model().file};
  SimulationOptions options = read_options(given, bound.model(), problems);
  SignalOptions which{.of = of,
                      .spectrum = {.averages = averages, .most_peaks = peaks},
                      .after = after,
                      .over_time = over_time,
                      .angle = angle,
                      .orders = orders};
  const auto names = window_names();
  const auto found = std::find(names.begin(), names.end(), window);
  if (found == names.end())
    problems.add({}, "window=", "'" + window + "' is no window",
                 "windows are: " + list_of({names.begin(), names.end()}));
  else
    which.spectrum.window = static_cast<Window>(found - names.begin());
  problems.throw_if_any();
  Watch watch{nb::none()};
  options.cancel = watch.cancel();
  const std::atomic<double> fraction = 0.0;
  return watched(watch, fraction,
                 [&] { return signals_json(signals(bound.model(), options, which)); });
}

std::string nonlinear_responses(BoundModel& bound, const nb::dict& given, const std::string& input,
                                nb::object amplitude, const Names& outputs,
                                std::pair<double, double> range) {
  Problems problems{bound.model().file};
  SimulationOptions options = read_options(given, bound.model(), problems);
  const std::optional<Value> size = read_value(amplitude);
  if (!size)
    problems.add({}, "amplitude=", "is neither a number nor an expression",
                 "give one, such as 0.3");
  problems.throw_if_any();
  Watch watch{nb::none()};
  options.cancel = watch.cancel();
  const std::atomic<double> fraction = 0.0;
  const NonlinearResponseOptions which{.input = input,
                                       .amplitude = *size,
                                       .outputs = outputs,
                                       .from = range.first,
                                       .to = range.second};
  return watched(watch, fraction, [&] {
    return nonlinear_response_json(nonlinear_response(bound.model(), options, which));
  });
}

std::string periodic_motions(BoundModel& bound, const nb::dict& given, nb::object period,
                             const nb::dict& from, std::optional<double> settle,
                             const std::vector<Listed>& vary) {
  Problems problems{bound.model().file};
  SimulationOptions options = read_options(given, bound.model(), problems);
  PeriodicOptions periodic{.settle = settle};
  if (!period.is_none()) {
    periodic.period = read_value(period);
    if (!periodic.period)
      problems.add({}, "period=", "is neither a number nor an expression",
                   "give one, such as \"2*pi/w\"");
  }
  for (const auto& [key, one] : from) {
    const auto name = nb::cast<std::string>(key);
    if (std::optional<Value> value = read_value(one))
      periodic.from.emplace_back(name, std::move(*value));
    else
      problems.add({},
                   "from_=", std::string{nb::repr(one).c_str()} + " is no value of '" + name + "'",
                   "give a number, such as from_={\"" + name + "\": 1}");
  }
  if (settle && !(*settle >= 0.0 && std::isfinite(*settle)))
    problems.add({}, "settle=", "is no time", "give one that is not below 0 [s]");
  const bool ranged =
      vary.size() == 1 && (vary.front().second.size() == 2 ||
                           (vary.front().second.size() == 3 && vary.front().second[2] >= 2.0));
  if (!vary.empty() && !ranged)
    problems.add({}, "vary=", "is not the range of one parameter",
                 "give vary={\"NAME\": (A, B)}, or (A, B, N) for steps of at most 1/N");
  problems.throw_if_any();
  Watch watch{nb::none()};
  options.cancel = watch.cancel();
  const std::atomic<double> fraction = 0.0;
  if (vary.empty())
    return watched(watch, fraction, [&] {
      return periodic_json(periodic_motion(bound.model(), options, periodic));
    });
  const auto& [name, ends] = vary.front();
  const int parts = ends.size() == 3 ? static_cast<int>(ends[2]) : 0;
  const BranchOptions branch = BranchOptions::over(name, ends[0], ends[1], parts);
  return watched(watch, fraction, [&] {
    return branch_json(periodic_branch(bound.model(), options, periodic, branch));
  });
}

std::string responses(BoundModel& bound, const nb::dict& given, nb::object at, const Names& inputs,
                      const Names& outputs, std::optional<std::pair<double, double>> range,
                      int points) {
  Problems problems{bound.model().file};
  const Linear asked = read_linear(given, bound.model(), std::move(at), inputs, outputs, problems);
  if (inputs.empty() && bound.model().inputs.empty())
    problems.add({}, "inputs=", "the model has no inputs, and none is named",
                 "name a parameter, or the coordinate on which a force acts: inputs=\"x\"");
  if (range &&
      !(range->first > 0.0 && range->second > range->first && std::isfinite(range->second)))
    problems.add({}, "range=", "is not of the form (FROM, TO) with 0 < FROM < TO",
                 "give two frequencies, such as (0.1, 100)");
  constexpr int most = 1000000;
  if (points < 2 || points > most)
    problems.add({}, "points=", "are too few, or too many", "give 2 to 1000000");
  problems.throw_if_any();
  nb::gil_scoped_release released;
  const auto [from, to] = range.value_or(std::pair{0.0, 0.0});
  const Responses found = frequency_responses(bound.model(), asked.options, asked.linear,
                                              {.from = from, .to = to, .points = points}, problems);
  problems.throw_if_any();
  return responses_json(found.linear, found.all);
}

std::vector<MethodInfo> read_methods(const Names& asked, Problems& problems) {
  const std::vector<MethodInfo> all = all_methods();
  if (asked.empty()) return all;
  Names names;
  for (const MethodInfo& info : all) names.emplace_back(info.name);
  std::vector<MethodInfo> methods;
  for (auto it = asked.begin(); it != asked.end(); ++it) {
    const auto found = std::find(names.begin(), names.end(), *it);
    if (found == names.end()) {
      const std::string meant = nearest_name(*it, names);
      problems.add(
          {}, "methods=", "there is no method '" + *it + "'",
          meant.empty() ? "methods are: " + list_of(names) : "did you mean '" + meant + "'?");
    } else if (std::find(asked.begin(), it, *it) == it) {
      methods.push_back(all[static_cast<std::size_t>(found - names.begin())]);
    }
  }
  return methods;
}

std::string comparison(BoundModel& bound, const nb::dict& given, const Names& methods,
                       std::vector<double> tols, std::vector<double> steps, double max_seconds,
                       double budget, nb::object progress) {
  SimulationOptions asked;
  PreparedModel prepared = prepared_for(bound, given, asked);
  refuse_jets(prepared);
  Problems problems{bound.model().file};
  leave_to_comparison(prepared, problems);
  Watch watch{std::move(progress)};
  CompareOptions options{.tols = std::move(tols),
                         .steps = std::move(steps),
                         .max_seconds = max_seconds,
                         .budget = budget,
                         .cancel = watch.cancel()};
  options.methods = read_methods(methods, problems);
  const auto positive = [](double x) { return x > 0.0 && std::isfinite(x); };
  const auto check = [&](const char* name, std::vector<double>& list) {
    if (!std::all_of(list.begin(), list.end(), positive))
      problems.add({}, name, "is not a row of numbers above 0", "give such as [1e-4, 1e-6, 1e-8]");
    std::sort(list.rbegin(), list.rend());  // the largest first
  };
  check("tols=", options.tols);
  check("steps=", options.steps);
  if (!positive(max_seconds) || !positive(budget))
    problems.add({}, "budget=", "times are greater than 0", "give seconds");
  problems.throw_if_any();
  const Plan made = plan(std::move(prepared), asked, problems);
  problems.throw_if_any();
  const CompareProblem problem = compare_problem(made);
  if (!methods.empty())
    for (const MethodInfo& info : options.methods)
      if (const Note reason = fits(info, problem.equations.structure()); !reason.empty())
        problems.add({}, "methods=", reason.text(),
                     methods_that_fit(problem.equations.structure()));
  problems.throw_if_any();
  options.automatic = made.method.name;
  std::atomic<double> fraction = 0.0;
  options.progress = [&](std::string_view, double f) { fraction = f; };
  Comparison found;
  if (made.start.status == Status::ok) {
    found = watched(watch, fraction, [&] { return compare(problem, options); });
  } else {
    found.ending = Comparison::Ending::no_reference;
    found.reason = "there is no start: " + made.start.reason;
    found.hint = hint(made.start.status);
    found.from = problem.start.t;
    found.until = problem.until;
  }
  found.notes.insert(found.notes.begin(), made.notes.begin(), made.notes.end());
  return compare_json(found, {.version = std::string{version()},
                              .model = made.prepared.model.name,
                              .file = bound.model().file,
                              .reading = std::string{made.prepared.reading.name()},
                              .start = "that of a run with " + std::string{made.method.name} +
                                       ", the same for all"});
}

/// What is to be found: name, bounds, whether of each series, and what was known before.
FitVariable read_variable(nb::handle given) {
  FitVariable variable{.name = nb::cast<std::string>(given["name"]),
                       .lower = nb::cast<double>(given["lower"]),
                       .upper = nb::cast<double>(given["upper"]),
                       .of_each_series = nb::cast<bool>(given["each"])};
  if (const nb::object prior = given["prior"]; !prior.is_none())
    variable.prior = nb::cast<std::pair<double, double>>(prior);
  return variable;
}

/// The fit as JSON, and of each series the motion before and after at its times, row after row.
nb::tuple fitted(BoundModel& bound, const nb::dict& given, const nb::list& data,
                 const nb::list& vary, const std::vector<std::pair<std::string, double>>& sigma,
                 const std::string& loss, int max_iterations) {
  Problems problems{bound.model().file};
  const SimulationOptions options = read_options(given, bound.model(), problems);
  std::vector<FitSeries> series;
  for (const nb::handle one : data) {
    const auto name = nb::cast<std::string>(one["name"]);
    if (one["t"].is_none())
      series.push_back(read_series(name, problems));
    else
      series.push_back({.name = name,
                        .t = nb::cast<std::vector<double>>(one["t"]),
                        .columns = nb::cast<Names>(one["columns"]),
                        .values = nb::cast<std::vector<double>>(one["values"])});
  }
  FitOptions wanted{.sigma = sigma, .max_iterations = max_iterations};
  for (const nb::handle one : vary) wanted.vary.push_back(read_variable(one));
  if (loss == "huber")
    wanted.loss = FitLoss::huber;
  else if (loss == "cauchy")
    wanted.loss = FitLoss::cauchy;
  else if (loss != "squares")
    problems.add({}, "loss=", "there is no loss '" + loss + "'",
                 "they are: squares, huber, cauchy");
  problems.throw_if_any();
  Fit found;
  Watch watch;
  const std::atomic<double> fraction = 0.0;
  found = watched(watch, fraction, [&] {
    SimulationOptions cancelled = options;
    cancelled.cancel = watch.cancel();
    return fit(bound.model(), cancelled, series, wanted, problems);
  });
  problems.throw_if_any();
  nb::list motions;
  for (std::size_t s = 0; s < series.size() && s < found.after.size(); ++s)
    motions.append(nb::make_tuple(series[s].name, series[s].t, series[s].columns, series[s].values,
                                  found.before[s], found.after[s]));
  return nb::make_tuple(fit_json(found), motions);
}

}  // namespace

void bind_studies(nb::class_<BoundModel>& model) {
  model
      .def("equilibria", at_rest, nb::arg("options"), nb::arg("at"), nb::arg("reach"),
           nb::arg("starts"), nb::arg("max_seconds"), nb::arg("progress").none())
      .def("stability", stability, nb::arg("options"), nb::arg("vary"), nb::arg("at"),
           nb::arg("reach"), nb::arg("threads"), nb::arg("progress").none())
      .def("linearize", linear_model, nb::arg("options"), nb::arg("at").none(), nb::arg("inputs"),
           nb::arg("outputs"), nb::arg("transfer"))
      .def("modes", small_motions, nb::arg("options"), nb::arg("at").none(), nb::arg("inputs"),
           nb::arg("outputs"), nb::arg("lowest"), nb::arg("near"), nb::arg("vary"),
           nb::arg("orders"))
      .def("spectrum", spectra, nb::arg("options"), nb::arg("of"), nb::arg("window"),
           nb::arg("averages"), nb::arg("peaks"), nb::arg("after"), nb::arg("over_time"),
           nb::arg("angle"), nb::arg("orders"))
      .def("nonlinear_response", nonlinear_responses, nb::arg("options"), nb::arg("input"),
           nb::arg("amplitude"), nb::arg("outputs"), nb::arg("range"))
      .def("response", responses, nb::arg("options"), nb::arg("at").none(), nb::arg("inputs"),
           nb::arg("outputs"), nb::arg("range").none(), nb::arg("points"))
      .def("periodic", periodic_motions, nb::arg("options"), nb::arg("period").none(),
           nb::arg("from_"), nb::arg("settle").none(), nb::arg("vary"))
      .def("compare", comparison, nb::arg("options"), nb::arg("methods"), nb::arg("tols"),
           nb::arg("steps"), nb::arg("max_seconds"), nb::arg("budget"), nb::arg("progress").none())
      .def("fit", fitted, nb::arg("options"), nb::arg("data"), nb::arg("vary"), nb::arg("sigma"),
           nb::arg("loss"), nb::arg("max_iterations"));
}

}  // namespace taut::python
