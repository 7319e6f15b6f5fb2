// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <type_traits>

namespace taut::python {
namespace {

using Reader = void (*)(nb::handle, SimulationOptions&, const std::string&, Problems&);

void refuse(const std::string& name, nb::handle given, const char* what, const char* remedy,
            Problems& problems) {
  problems.add({}, name + "=", std::string{nb::repr(given).c_str()} + " is not " + what, remedy);
}

std::optional<double> number(nb::handle given) {
  if (PyBool_Check(given.ptr())) return {};
  const double x = PyFloat_AsDouble(given.ptr());
  if (x == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return {};
  }
  return x;
}

/// A member of a group of the options.
template <auto group, auto member>
auto& inner(SimulationOptions& options) {
  return (options.*group).*member;
}

/// A field of the options: a member, or what a function takes out of them.
template <auto which>
auto& field(SimulationOptions& options) {
  if constexpr (std::is_member_object_pointer_v<decltype(which)>)
    return options.*which;
  else
    return which(options);
}

template <auto which>
void value(nb::handle given, SimulationOptions& options, const std::string& name,
           Problems& problems) {
  std::optional<Value> read = read_value(given);
  if (read)
    field<which>(options) = std::move(read);
  else
    refuse(name, given, "a number or an expression", "give a number, or a text such as \"2*pi\"",
           problems);
}

/// A number greater than 0; where the field is a whole number, one of those.
template <auto which>
void positive(nb::handle given, SimulationOptions& options, const std::string& name,
              Problems& problems) {
  using Field = std::remove_reference_t<decltype(field<which>(options))>;
  constexpr bool whole = std::is_integral_v<Field>;
  const std::optional<double> x = number(given);
  const bool good = x && *x > 0.0 && std::isfinite(*x) &&
                    *x < static_cast<double>(std::numeric_limits<Field>::max()) &&
                    (!whole || std::floor(*x) == *x);
  if (good)
    field<which>(options) = static_cast<Field>(*x);
  else
    refuse(name, given, whole ? "a whole number greater than 0" : "a number greater than 0",
           "leave it out where there is none", problems);
}

template <auto which>
void real(nb::handle given, SimulationOptions& options, const std::string& name,
          Problems& problems) {
  const std::optional<double> x = number(given);
  if (x && std::isfinite(*x))
    field<which>(options) = *x;
  else
    refuse(name, given, "a number", "give a number", problems);
}

template <auto which>
void flag(nb::handle given, SimulationOptions& options, const std::string& name,
          Problems& problems) {
  if (PyBool_Check(given.ptr()))
    field<which>(options) = given.ptr() == Py_True;
  else
    refuse(name, given, "True or False", "give one of them", problems);
}

/// One of the choices by its name.
template <auto which, auto choices>
void choice(nb::handle given, SimulationOptions& options, const std::string& name,
            Problems& problems) {
  std::string text, all;
  const bool is_text = nb::try_cast(given, text);
  for (const auto& [known, meant] : choices()) {
    all += (all.empty() ? "" : ", ") + std::string{known};
    if (!is_text || known != text) continue;
    field<which>(options) = meant;
    return;
  }
  refuse(name, given, "one of its choices", ("they are: " + all).c_str(), problems);
}

// choices that the library has no names of
template <class Choice, std::size_t n>
using Named = std::array<std::pair<std::string_view, Choice>, n>;

const auto& parametrisations() {
  static constexpr Named<Parametrisation, 2> all{
      {{"arc", Parametrisation::arc}, {"time", Parametrisation::time}}};
  return all;
}
const auto& projected_stages() {
  static constexpr Named<bool, 2> all{{{"accepted", false}, {"stages", true}}};
  return all;
}
const auto& impasses() {
  static constexpr Named<AtImpasse, 2> all{
      {{"continue", AtImpasse::go_on}, {"stop", AtImpasse::stop}}};
  return all;
}
const auto& averagings() {
  static constexpr Named<Averaging, 2> all{
      {{"accurate", Averaging::accurate}, {"plain", Averaging::plain}}};
  return all;
}
const auto& slow_ways() {
  static const Named<SlowVia, 3> all{{{name(SlowVia::filter), SlowVia::filter},
                                      {name(SlowVia::newton), SlowVia::newton},
                                      {name(SlowVia::expansion), SlowVia::expansion}}};
  return all;
}
const auto& row_sets() {
  static constexpr Named<Rows, 3> all{
      {{"thinned", Rows::thinned}, {"all", Rows::all}, {"none", Rows::none}}};
  return all;
}
const auto& column_sets() {
  static const Named<std::string, 3> all{{{"auto", "auto"}, {"all", "all"}, {"stated", "stated"}}};
  return all;
}

void band(nb::handle given, SimulationOptions& options, const std::string& name,
          Problems& problems) {
  std::vector<double> ends;
  if (nb::try_cast(given, ends) && ends.size() == 2 && ends[0] > 0.0 && ends[1] >= ends[0] &&
      std::isfinite(ends[1]))
    options.slow.band = Band{.lowest = ends[0], .highest = ends[1]};
  else
    refuse(name, given, "a band of frequencies", "give two of them, (LOW, HIGH), 0 < LOW <= HIGH",
           problems);
}

void micro_steps(nb::handle given, SimulationOptions& options, const std::string& name,
                 Problems& problems) {
  constexpr double least = 4, most = 100000;
  const std::optional<double> x = number(given);
  if (x && *x >= least && *x <= most && std::floor(*x) == *x)
    options.averaging.micro_steps = static_cast<int>(*x);
  else
    refuse(name, given, "a whole number from 4 to 100000", "leave it out: it is found", problems);
}

void method(nb::handle given, SimulationOptions& options, const std::string& name,
            Problems& problems) {
  if (!nb::try_cast(given, options.method))
    refuse(name, given, "the name of a method", "taut.methods() has them all", problems);
}

void reading(nb::handle given, SimulationOptions& options, const std::string& name,
             Problems& problems) {
  std::string text;
  if (nb::try_cast(given, text)) options.reading = Reading::named(text);
  if (options.reading) return;
  std::string all;
  for (const std::string_view known : Reading::names())
    all += (all.empty() ? "" : ", ") + std::string{known};
  refuse(name, given, "a reading", ("readings are: " + all).c_str(), problems);
}

void times(nb::handle given, SimulationOptions& options, const std::string& name,
           Problems& problems) {
  if (!nb::try_cast(given, options.times))
    refuse(name, given, "a row of times", "give an array or a list of growing numbers", problems);
}

const std::map<std::string, Reader, std::less<>>& readers() {
  using O = SimulationOptions;
  using C = CurveOptions;
  using T = ThermalOptions;
  static const std::map<std::string, Reader, std::less<>> all{
      {"from_", value<&O::from>},
      {"until", value<&O::until>},
      {"every", value<&O::every>},
      {"t_eval", times},
      {"columns", choice<&O::columns, column_sets>},
      {"reading", reading},
      {"omega", value<&O::omega>},
      {"method", method},
      {"step", value<&O::step>},
      {"tol", value<&O::tol>},
      {"rtol", value<&O::tol>},
      {"max_step", value<&O::max_step>},
      {"beta", real<&O::beta>},
      {"gamma", real<&O::gamma>},
      {"temperature", value<inner<&O::thermal, &T::temperature>>},
      {"friction", value<inner<&O::thermal, &T::friction>>},
      {"drag", value<inner<&O::thermal, &T::drag>>},
      {"seed", value<inner<&O::thermal, &T::seed>>},
      {"multiplier_window", positive<inner<&O::thermal, &T::multiplier_window>>},
      {"keep_start", flag<&O::keep_start>},
      {"slow_start", flag<&O::slow_start>},
      {"via", choice<inner<&O::slow, &SlowOptions::via>, slow_ways>},
      {"band", band},
      {"micro_steps", micro_steps},
      {"averaging", choice<inner<&O::averaging, &AveragingOptions::averaging>, averagings>},
      {"project_every", positive<&O::project_every>},
      {"project_above", positive<&O::project_above>},
      {"error_estimate", flag<&O::error_estimate>},
      {"rows", choice<&O::rows, row_sets>},
      {"extremes", flag<&O::extremes>},
      {"max_steps", positive<&O::max_steps>},
      {"max_seconds", positive<&O::max_seconds>},
      {"keep_energy", flag<inner<&O::curve, &C::keep_energy>>},
      {"parameter", choice<inner<&O::curve, &C::parameter>, parametrisations>},
      {"tableau", choice<inner<&O::curve, &C::tableau>, tableau_choices>},
      {"project", choice<inner<&O::curve, &C::project_stages>, projected_stages>},
      {"newton", choice<inner<&O::curve, &C::newton>, newton_choices>},
      {"distribution", choice<inner<&O::curve, &C::distribution>, distribution_choices>},
      {"form", choice<inner<&O::curve, &C::form>, form_choices>},
      {"at_impasse", choice<inner<&O::curve, &C::at_impasse>, impasses>},
      {"arc", positive<inner<&O::curve, &C::arc>>},
      {"every_arc", positive<inner<&O::curve, &C::every_arc>>},
  };
  return all;
}

// a parameter or an input
bool has_number(const Model& model, const std::string& name) {
  const auto same = [&](const Parameter& p) { return p.name == name; };
  return std::any_of(model.parameters.begin(), model.parameters.end(), same) ||
         std::any_of(model.inputs.begin(), model.inputs.end(), same);
}

// start(bob.x): a start value
bool is_start(const std::string& name) { return name.starts_with("start("); }

void set_parameter(const std::string& name, nb::handle given, const Model& model,
                   SimulationOptions& options, Problems& problems) {
  if (std::optional<Value> read = read_value(given))
    options.set.emplace_back(name, std::move(*read));
  else if (!has_number(model, name) && !is_start(name))
    problems.add({}, name + "=", "is neither an option nor a parameter",
                 "options are those of 'taut run'; m.parameters has the parameters");
  else
    refuse(name, given, "a number or an expression", "give a number, or a text", problems);
}

}  // namespace

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const auto& reader : readers()) names.push_back(reader.first);
  return names;
}

std::optional<Value> read_value(nb::handle given) {
  if (const std::optional<double> x = number(given)) return Value{*x};
  std::string text;
  if (nb::try_cast(given, text)) return Value{std::move(text)};
  return {};
}

SimulationOptions read_options(const nb::dict& given, const Model& model, Problems& problems) {
  SimulationOptions options;
  const auto option = [&](const std::string& name, nb::handle what) {
    const auto found = readers().find(name);
    if (found != readers().end()) found->second(what, options, name, problems);
    return found != readers().end();
  };
  if (given.contains("tol") && given.contains("rtol"))
    problems.add({}, "tol=", "is the same as rtol=, which is given, too", "give one of them");
  for (const auto& [key, what] : given) {
    const auto name = nb::cast<std::string>(key);
    if (what.is_none() && (readers().contains(name) || name == "set" || name == "options"))
      continue;
    if (name == "set" && nb::isinstance<nb::dict>(what)) {
      for (const auto& [parameter, number] : nb::cast<nb::dict>(what))
        set_parameter(nb::cast<std::string>(parameter), number, model, options, problems);
    } else if (name == "options" && nb::isinstance<nb::dict>(what)) {
      for (const auto& [called, value] : nb::cast<nb::dict>(what))
        if (const auto one = nb::cast<std::string>(called); !option(one, value))
          problems.add({}, "options=", "there is no option '" + one + "'",
                       nearest_name(one, option_names()).empty()
                           ? "give parameters by their names, or in set="
                           : "did you mean '" + nearest_name(one, option_names()) + "'?");
    } else if (readers().contains(name) && has_number(model, name)) {
      problems.add({}, name + "=", "is an option, and this model has a parameter of that name",
                   "give set={'" + name + "': ...} for the parameter, options={'" + name +
                       "': ...} for the option");
    } else if (!option(name, what)) {
      set_parameter(name, what, model, options, problems);
    }
  }
  return options;
}

void refuse_misspelled(SimulationOptions& options, const Model& model, Problems& problems) {
  std::erase_if(options.set, [&](const auto& given) {
    const std::string& name = given.first;
    if (has_number(model, name) || is_start(name)) return false;
    const std::string meant = nearest_name(name, option_names());
    if (!meant.empty())
      problems.add({}, name + "=", "is neither an option nor a parameter",
                   "did you mean '" + meant + "='?");
    return !meant.empty();
  });
}

std::string fixed_part(const SimulationOptions& options) {
  std::ostringstream out;
  out.precision(17);
  const auto say = [&](const std::optional<Value>& v) {
    if (!v)
      out << "-;";
    else if (v->is_number())
      out << v->number() << ';';
    else
      out << '"' << v->text() << "\";";
  };
  for (const auto& [name, v] : options.set)
    if (!v.is_number()) out << name << '=' << v.text() << ';';
  for (const auto* v :
       {&options.from, &options.until, &options.every, &options.omega, &options.step, &options.tol,
        &options.max_step, &options.thermal.temperature, &options.thermal.friction,
        &options.thermal.drag, &options.thermal.seed})
    say(*v);
  out << options.method << ';' << (options.reading ? options.reading->name() : "") << ';'
      << options.columns << ';' << (options.project_every > 0.0 || options.project_above > 0.0);
  return out.str();
}

}  // namespace taut::python
