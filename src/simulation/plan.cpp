// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/plan.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/name_list.hpp"
#include "core/notes.hpp"
#include "model/compiled_system.hpp"
#include "simulation/choose_method.hpp"
#include "simulation/plan_steps.hpp"
#include "taut/core/wording.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

// beta and gamma; what projected-rk alone reads is looked at by check_curve_options()
void check_weights(const Plan& plan, Problems& problems) {
  const MethodOptions weights{.beta = plan.asked.beta, .gamma = plan.asked.gamma};
  for (const OptionRefusal& refused : check_options(plan.method.name, weights)) {
    const std::string option = fmt::format("<<{}>>", refused.option);
    if (refused.cause == OptionRefusal::Cause::out_of_range)
      problems.add(
          {}, option, fmt::format("{} cannot do with {}", refused.method, refused.value),
          fmt::format("leave it out, or give a number of at least {}", refused.range.least));
    else
      problems.add({}, option, fmt::format("{} has no such parameter", refused.method),
                   refused.option == "beta"
                       ? "leave it out, or take newmark, zhang-skeel or gauss-newton"
                       : "leave it out, or take newmark");
  }
}

void check_method_options(const Plan& plan, Problems& problems) {
  const SimulationOptions& asked = plan.asked;
  const MethodInfo& method = plan.method;
  if (method.adaptive && asked.step)
    problems.add({}, "<<step>>", fmt::format("{} chooses its own steps", method.name),
                 "give <<tol>> instead, or a method with constant steps");
  if (!method.adaptive && asked.tol)
    problems.add({}, "<<tol>>", fmt::format("{} takes constant steps", method.name),
                 "give <<step>> instead, or an adaptive method");
  const CompiledRun& run = plan.prepared.compiled.run;
  if (!method.adaptive) check_max_step(run, problems);
  check_weights(plan, problems);
}

void check_unused(const Plan& plan, Problems& problems) {
  const SlowOptions& slow = plan.asked.slow;
  if (plan.asked.slow_start && plan.asked.keep_start)
    problems.add({}, "<<slow start>>", "<<keep start>> says the opposite", "leave out one of them");
  if (plan.asked.slow_start && plan.prepared.reading.kind() == Reading::Kind::averaged)
    problems.add({}, "<<slow start>>", "the averaged reading has no fast vibrations",
                 "leave it out, or run the model as written");
  const bool slow_start = plan.asked.slow_start || plan.prepared.model.slow_start;
  if (plan.prepared.reading.kind() != Reading::Kind::slow && !plan.run.projection.any() &&
      !slow_start) {
    const char* const remedy =
        "it goes with <<reading: slow>>, <<slow start>>, <<project every>> or <<project above>>";
    if (slow.via != SlowVia::automatic)
      problems.add({}, "<<via>>", "nothing here looks for slow motion", remedy);
    if (slow.band) problems.add({}, "<<band>>", "nothing here looks for slow motion", remedy);
  }
  if (plan.prepared.reading.kind() != Reading::Kind::averaged) {
    const AveragingOptions& averaging = plan.asked.averaging;
    const char* const remedy = "it goes with <<reading: averaged>>";
    if (averaging.micro_steps > 0)
      problems.add({}, "<<micro steps>>", "nothing here is averaged", remedy);
    if (averaging.averaging) problems.add({}, "<<averaging>>", "nothing here is averaged", remedy);
  }
}

void check_plan(const Plan& plan, Problems& problems) {
  const PreparedModel& prepared = plan.prepared;
  const Structure& structure =
      (prepared.reading.made() ? plan.system : prepared.system).structure();
  const CompiledRun& run = prepared.compiled.run;
  if (!run.until)
    problems.add({}, "until", "there is no end time", "give <<until: T>>, or until in [run]");
  if (const Note reason = fits(plan.method, structure); !reason.empty())
    problems.add({}, fmt::format("method {}", plan.method.name), reason.text(),
                 methods_that_fit(structure));
  check_method_options(plan, problems);
  check_thermal(plan, problems);
  check_curve_options(plan, problems);
  check_acting(plan, problems);
  constexpr double most_values = 5e8;  // 4 GB
  if (run.every && run.until &&
      (*run.until - run.from) / *run.every *
              static_cast<double>(2 * structure.nq + static_cast<Index>(structure.rows.size()) +
                                  5) >
          most_values)
    problems.add({}, "every", fmt::format("{} asks for too many rows to be kept", *run.every),
                 "choose output times farther apart");
}

// what is left once method, system and start are settled
void plan_run(Plan& plan) {
  const CompiledRun& run = plan.prepared.compiled.run;
  const SimulationOptions& asked = plan.asked;
  plan.method_options.tol = run.tol.value_or(plan.method_options.tol);
  if (plan.method.adaptive) plan.method_options.tol = reachable(plan.method_options.tol, plan);
  plan.method_options.beta = asked.beta;
  plan.method_options.gamma = asked.gamma;
  plan.method_options.projected = projected_options(asked.curve);
  plan.run.until = *run.until;
  plan.run.every = run.every.value_or(0.0);
  plan.run.times = asked.times;
  plan.run.max_step = run.max_step.value_or(0.0);
  plan.run.rows = asked.rows;
  plan.run.extremes = asked.extremes;
  plan.run.max_steps = asked.max_steps;
  plan.run.max_seconds = asked.max_seconds;
  plan.run.cancel = asked.cancel;
  plan.run.progress = asked.progress;
  plan.run.observers = asked.observers;
  plan.run.samplers = plan_samplers(plan);
  plan.run.acting = plan_acting(plan);
  plan.bath = plan.prepared.compiled.bath;
  if (plan.method.adaptive) return;
  if (run.step) {
    plan.run.step = *run.step;
    return;
  }
  StepChoice choice = plan.prepared.reading.made()
                          ? choose_slow_step(plan.start.state, *run.until)
                          : choose_step(plan.prepared.system, plan.start.state, *run.until,
                                        steps_over_stiffness(plan.method));
  plan.run.step = choice.step;
  plan.notes.push_back(std::move(choice.reason));
  if (!run.max_step || *run.max_step >= choice.step) return;
  plan.run.step = *run.max_step;
  plan.notes.back() = note<notes::step_of_limit>(plan.run.step);
}

std::string describe(const std::optional<HeatBath>& bath) {
  if (!bath) return "none";
  return fmt::format("temperature {} friction {} drag {} seed {}", bath->temperature,
                     bath->friction, bath->drag, bath->seed);
}

std::string text(const Value& value) {
  return value.is_number() ? fmt::format("{}", value.number()) : value.text();
}

std::string text(const std::optional<double>& number, const char* absent) {
  return number ? fmt::format("{}", *number) : absent;
}

std::string settings(const SimulationOptions& asked) {
  std::vector<std::string> all;
  for (const auto& [name, value] : asked.set) all.push_back(name + "=" + text(value));
  return fmt::format("'{}'", fmt::join(all, " "));
}

// a spring that pushes is allowed, and more often a mistake of sign
void tell_of_negative_stiffness(Plan& plan) {
  std::vector<std::string> springs;
  for (const Scene::Line& line : plan.prepared.compiled.scene.lines)
    if (line.kind == Scene::Line::Kind::spring && line.stiffness < 0.0)
      springs.push_back(line.name);
  if (!springs.empty())
    plan.notes.push_back(note<notes::stiffness_negative>(list_of_names(springs)));
}

// bodies that touch a plane with nothing but their centres, which nobody has asked for
void tell_of_contacts(Plan& plan) {
  const std::vector<Element>& elements = plan.prepared.model.elements;
  std::vector<std::string> bodies;
  for (const Element& element : elements)
    if (const auto* body = std::get_if<Body>(&element.what);
        body != nullptr && (body->shape.empty() || body->shape.front().name != "sphere"))
      bodies.push_back(body->prefix);
  for (const Element& element : elements)
    if (const auto* contact = std::get_if<Contact>(&element.what);
        contact != nullptr && !bodies.empty() && !contact->plane.empty() &&
        contact->among.empty() && contact->radius.empty())
      plan.notes.push_back(note<notes::contact_of_centres>(
          element.name.empty() ? "a contact" : fmt::format("'{}'", element.name),
          list_of_names(bodies)));
}

// Ewald's sum of charges that do not add up to 0 is one with a background that nobody stated
void tell_of_background(Plan& plan) {
  const auto* const model =
      dynamic_cast<const CompiledSystem*>(&plan.prepared.compiled.system.implementation());
  if (model == nullptr) return;
  for (const PairField& field : model->pairs())
    for (const EwaldSum& sum : field.images())
      if (!sum.is_neutral())
        plan.notes.push_back(note<notes::charges_not_neutral>(field.label(), sum.charge()));
}

std::string band(const SlowOptions& options) {
  return options.band ? fmt::format("{}:{}", options.band->lowest, options.band->highest) : "";
}

}  // namespace

double reachable(double tol, Plan& plan) {
  // steps have the rounding of a few evaluations; a series adds less to a state than it has digits
  const double least = plan.method.name == "taylor" ? 1e-15 : 1e-14;
  if (!(tol < least)) return tol;
  plan.notes.push_back(note<notes::tolerance_below_rounding>(tol, least));
  return least;
}

void check_max_step(const CompiledRun& run, Problems& problems) {
  if (run.step && run.max_step && *run.step > *run.max_step)
    problems.add(
        {}, "<<max step>>",
        fmt::format("{:.6g} is shorter than the steps asked for, {:.6g}", *run.max_step, *run.step),
        "leave out one of <<step>> and <<max step>>, here and in [run]");
}

std::string methods_that_fit(const Structure& structure) {
  std::vector<std::string_view> names;
  for (const MethodInfo& info : all_methods())
    if (fits(info, structure).empty()) names.push_back(info.name);
  return fmt::format("methods that fit: {}", fmt::join(names, ", "));
}

Note why_not(const MethodInfo& method, const PreparedModel& prepared) {
  Note why = fits(method, prepared.system.structure());
  return why.empty() ? thermal_misfit(method, prepared.compiled) : why;
}

Plan plan(PreparedModel prepared, const SimulationOptions& options, Problems& problems) {
  Plan made;
  made.prepared = std::move(prepared);
  made.asked = options;
  made.error_estimate =
      options.error_estimate ? options.error_estimate : made.prepared.compiled.run.error_estimate;
  if (made.prepared.compiled.jets) {
    plan_curve(made, problems);
    return made;
  }
  tell_of_negative_stiffness(made);
  tell_of_contacts(made);
  tell_of_background(made);
  if (made.prepared.model.start_at_rest) start_at_rest(made, problems);
  made.run.projection = plan_projection(made, problems);
  if (!problems.empty()) return made;
  switch (made.prepared.reading.kind()) {
    case Reading::Kind::slow:
      plan_slow_motion(made, problems);
      break;
    case Reading::Kind::averaged:
      plan_averaged_motion(made);
      break;
    default:
      plan_motion(made);
      break;
  }
  check_unused(made, problems);
  check_plan(made, problems);
  if (problems.empty()) plan_run(made);
  return made;
}

Plan plan(const Model& model, const SimulationOptions& options, Problems& problems) {
  PreparedModel prepared = prepare(model, options, problems);
  if (!problems.empty()) return {};
  return plan(std::move(prepared), options, problems);
}

Plan plan(const Model& model, const SimulationOptions& options) {
  Problems problems{model.file};
  Plan made = plan(model, options, problems);
  problems.throw_if_any();
  return made;
}

double Plan::tolerance() const {
  if (curve) {
    const CurveIntegratorOptions& integrator = curve->options.integrator;
    return integrator.step > 0.0 ? 0.0 : integrator.tol;
  }
  return method.adaptive ? method_options.tol : 0.0;
}

void Plan::watch(const std::atomic<bool>* cancel, std::function<void(const Progress&)> progress) {
  if (curve) {
    curve->options.cancel = cancel;
    curve->options.progress = std::move(progress);
  } else {
    run.cancel = cancel;
    run.progress = std::move(progress);
  }
}

namespace {

/// The numbers of all tables: those of files do not stand in the text of the model.
std::string tables_of(const Model& model) {
  std::string all;
  for (const Table& table : model.tables)
    for (const std::vector<double>* numbers : {&table.x, &table.y, &table.z}) {
      all += fmt::format("{};", numbers->size());
      all.append(reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(double));
    }
  return all.empty() ? "none" : fingerprint(all);
}

}  // namespace

RunIdentity Plan::identity() const {
  const CompiledRun& given = prepared.compiled.run;
  RunIdentity all{{"taut version", std::string{version()}},
                  {"model", fingerprint(prepared.model.text)},
                  {"tables", tables_of(prepared.model)},
                  {"<<set>>", settings(asked)}};
  const auto add = [&](const char* name, std::string value) {
    all.emplace_back(name, std::move(value));
  };
  add("<<columns>>", prepared.model.run.columns ? prepared.model.run.columns->text : "auto");
  if (curve) {
    const FollowOptions& options = curve->options;
    add("form", std::string{name(curve->choice.kind)});
    add("of projected-rk", taut::identity(asked.curve));
    add("at impasse", options.at_impasse == AtImpasse::stop ? "stop" : "continue");
    add("tol", fmt::format("{}", options.integrator.tol));
    add("step", fmt::format("{}", options.integrator.step));
    add("<<max step>>", text(given.max_step, "none"));
    add("from", fmt::format("{}", given.from));
    add("until", text(given.until, "none"));
    add("every", text(given.every, "none"));
    return all;
  }
  const Reading& reading = prepared.reading;
  const bool uses_omega = given.omega && (reading.kind() == Reading::Kind::penalized ||
                                          reading.kind() == Reading::Kind::slow);
  const AveragingOptions averaging = averaging_options(*this);
  const SlowOptions slow = slow_options(*this);
  add("reading", std::string{reading.name()});
  add("omega", uses_omega ? fmt::format("{}", *given.omega) : "none");
  add("method", std::string{method.name});
  add("<<beta>>", text(asked.beta, "own"));
  add("<<gamma>>", text(asked.gamma, "own"));
  add("of projected-rk", taut::identity(asked.curve));
  add("tol", method.adaptive ? fmt::format("{}", method_options.tol) : "none");
  add("<<keep start>>", asked.keep_start ? "yes" : "no");
  add("<<slow start>>", asked.slow_start ? "yes" : "no");
  add("<<via>>", slow.via == SlowVia::automatic ? "" : std::string{name(slow.via)});
  add("<<band>>", band(slow));
  add("<<micro steps>>", fmt::format("{}", averaging.micro_steps));
  add("<<averaging>>", !averaging.averaging                          ? ""
                       : *averaging.averaging == Averaging::accurate ? "accurate"
                                                                     : "plain");
  add("<<project every>>", fmt::format("{}", asked.project_every));
  add("<<project above>>", fmt::format("{}", asked.project_above));
  add("heat bath", describe(bath));
  add("<<multiplier window>>", fmt::format("{}", asked.thermal.multiplier_window));
  add("step", fmt::format("{}", run.step));
  add("<<max step>>", text(given.max_step, "none"));
  add("from", fmt::format("{}", given.from));
  add("until", fmt::format("{}", run.until));
  add("every", fmt::format("{}", run.every));
  return all;
}

std::string Plan::keep_checkpoints(const std::string& file, double seconds, bool resume) {
  std::error_code unknown;  // what cannot be looked at cannot be written either, which is a note
  if (const auto there = std::filesystem::status(file, unknown);
      std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    return fmt::format(
        "{}: checkpoints are written there, but it is no file: remove it, or take "
        "another folder",
        file);
  CheckpointOptions& checkpoint = curve ? curve->options.checkpoint : run.checkpoint;
  checkpoint.file = file;
  checkpoint.seconds = seconds;
  checkpoint.identity = identity();
  if (!resume) return {};
  CheckpointFound found = find_checkpoint(checkpoint.file, checkpoint.identity);
  if (found.kind == CheckpointFound::Kind::refused)
    return found.problem + worded("; leave out <<resume>> to start over");
  if (found.kind == CheckpointFound::Kind::none)
    notes.push_back(note<notes::nothing_to_resume>());
  else
    checkpoint.resume = std::move(found.content);
  return {};
}

}  // namespace taut
