// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <fmt/format.h>

#include "methods/automatic.hpp"
#include "methods/langevin.hpp"
#include "readings/readings.hpp"
#include "simulation/choose_method.hpp"
#include "simulation/choose_start.hpp"
#include "slow/slow_flow.hpp"
#include "slow/slow_reading.hpp"
#include "taut/methods/fits.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut::cli {
namespace {

MethodOptions method_options(const MotionArguments& arguments, double tol) {
  return {.tol = tol,
          .beta = arguments.beta,
          .gamma = arguments.gamma,
          .projected = arguments.curve.options()};
}

// --beta and --gamma; what projected-rk alone reads is looked at by the arguments that hold it
void check_weights(const MotionArguments& arguments, const Plan& plan, Problems& problems) {
  for (const OptionRefusal& refused :
       check_options(plan.method.name, method_options(arguments, plan.tol))) {
    const std::string option = "--" + refused.option;
    if (refused.option != "beta" && refused.option != "gamma") continue;
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

void check_plan(const MotionArguments& arguments, const Loaded& loaded, const Plan& plan,
                Problems& problems) {
  const bool made = loaded.reading == "slow" || loaded.reading == "averaged";
  const Structure& structure = (made ? plan.system : loaded.system).structure();
  const CompiledRun& run = loaded.compiled.run;
  if (!run.until)
    problems.add({}, "until", "there is no end time", "give --until T, or until in [run]");
  if (const std::string reason = fits(plan.method, structure); !reason.empty())
    problems.add({}, fmt::format("method {}", plan.method.name), reason,
                 methods_that_fit(structure));
  if (plan.method.adaptive && !arguments.step.empty())
    problems.add({}, "--step", fmt::format("{} chooses its own steps", plan.method.name),
                 "give --tol instead, or a method with constant steps");
  if (!plan.method.adaptive && !arguments.tol.empty())
    problems.add({}, "--tol", fmt::format("{} takes constant steps", plan.method.name),
                 "give --step instead, or an adaptive method");
  check_weights(arguments, plan, problems);
  arguments.thermal.check(loaded, plan.system, plan.method, problems);
  arguments.curve.check(plan.method, plan.system.structure(), problems);
  constexpr double most_values = 5e8;  // 4 GB
  if (run.every && run.until &&
      (*run.until - run.from) / *run.every *
              static_cast<double>(2 * structure.nq + static_cast<Index>(structure.rows.size()) +
                                  5) >
          most_values)
    problems.add({}, "every", fmt::format("{} asks for too many rows to be kept", *run.every),
                 "choose output times farther apart");
}

// method, system and start of a run with the model as it is read
void plan_motion(const MotionArguments& arguments, const Loaded& loaded, Plan& plan,
                 Problems& problems) {
  const CompiledRun& run = loaded.compiled.run;
  const State& given = loaded.compiled.given;
  const double until = run.until.value_or(given.t);
  std::string name = run.method;
  if (name.empty()) {
    const Start start = consistent_start(springs(loaded.system), given);
    const bool constant_step =
        run.step.has_value() || arguments.thermal.needs_constant_step(loaded);
    MethodChoice choice = choose_method(loaded.system, start.state, until, constant_step);
    name = choice.name;
    plan.reason = std::move(choice.reason);
  }
  plan.method = make_method(name).value().info();
  plan.system = plan.method.compliance ? equations(loaded.system) : springs(loaded.system);
  StartChoice start = choose_start(loaded.system, given, plan.method, until, arguments.keep_start);
  plan.start = std::move(start.start);
  if (!start.note.empty()) plan.notes.push_back(std::move(start.note));
  // in the words of the method itself, which decides at the start it is given
  if (!plan.reason.empty() && plan.method.name == Automatic::info.name)
    plan.reason = stiffness_at_start(plan.system, plan.start.state, until).reason;
  if (plan.options.projection.any() && !arguments.keep_start)
    plan.start = slow_start(equations(loaded.system), given, arguments.slow.options(problems));
}

// the same for its slow motions; where there are none, the start has failed
void plan_slow_motion(const MotionArguments& arguments, const Loaded& loaded, Plan& plan,
                      Problems& problems) {
  const CompiledRun& run = loaded.compiled.run;
  SlowStartOptions options = arguments.slow.options(problems);
  options.tol = run.tol.value_or(plan.tol);
  if (arguments.keep_start)
    problems.add({}, "--keep-start", "the slow reading moves the start onto its manifold",
                 "leave it out, or run the model as written");
  std::string name = run.method;
  if (name.empty()) {
    name = run.step ? "rk4" : "dop853";
    plan.reason = "slow motion is not stiff: an explicit method with steps of its own size";
  }
  plan.method = make_method(name).value().info();
  const System system = equations(loaded.system);
  plan.system = system;
  SlowStart start = slow_start(system, loaded.compiled.given, options);
  if (start.status == Status::ok) {
    SlowReading reading = slow(system, start.state, options);
    start.status = reading.status;
    if (reading.status == Status::ok) {
      plan.system = std::move(reading.system);
      plan.notes.push_back(std::move(reading.note));
    } else {
      start.reason = std::move(reading.reason);
    }
  }
  plan.start = std::move(static_cast<Start&>(start));
}

// the same for the motion without its external vibration
void plan_averaged_motion(const MotionArguments& arguments, const Loaded& loaded, Plan& plan) {
  const CompiledRun& run = loaded.compiled.run;
  plan.system = springs(loaded.system);
  plan.start = consistent_start(plan.system, loaded.compiled.given);
  std::string name = run.method;
  if (name.empty() && !run.step) {
    name = "dop853";
    plan.reason = "averaged motion is slow: an explicit method with steps of its own size";
  }
  if (plan.start.status == Status::ok) {
    AveragedReading reading = averaged(plan.system, plan.start.state,
                                       arguments.averaged.options(run.tol.value_or(plan.tol)));
    plan.start.status = reading.status;
    if (reading.status == Status::ok) {
      plan.system = std::move(reading.system);
      plan.notes.push_back(fmt::format(
          "averaged over the vibration with {} micro-steps per period; the motion itself vibrates "
          "about it by {:.2g} in q and {:.2g} in v (mass metric), forces are good to {:.2g}",
          reading.steps, reading.amplitude, reading.velocity_amplitude, reading.force_error));
      for (std::string& note : reading.notes) plan.notes.push_back(std::move(note));
    } else {
      plan.start.reason = std::move(reading.reason);
    }
  }
  if (name.empty()) {
    MethodChoice choice =
        choose_method(plan.system, plan.start.state, run.until.value_or(0.0), run.step.has_value());
    name = std::move(choice.name);
    plan.reason = std::move(choice.reason);
  }
  plan.method = make_method(name).value().info();
}

SlowProjection plan_projection(const MotionArguments& arguments, const Loaded& loaded,
                               Problems& problems) {
  SlowProjection projection{
      .every = arguments.project_every, .vibration = arguments.project_above, .onto = {}};
  if (projection.every <= 0.0 && projection.vibration <= 0.0) return projection;
  const SlowStartOptions options = arguments.slow.options(problems);
  const System system = equations(loaded.system);
  const Structure& structure = system.structure();
  const char* const option = projection.every > 0.0 ? "--project-every" : "--project-above";
  if (structure.nc > 0 && !(structure.C.array() > 0.0).any())
    problems.add({}, option, "no constraint is compliant: there is nothing to be projected",
                 "leave it out, or give --reading penalized");
  if (loaded.reading == "slow")
    problems.add({}, option, "the slow reading stays on its manifold by itself", "leave it out");
  if (structure.nc == 0 && projection.vibration > 0.0)
    problems.add({}, "--project-above", "the energy of vibration is known of constraints only",
                 "give --project-every");
  projection.onto = [system, options](State& state, std::int64_t& evaluations) {
    SlowStart start = slow_start(system, state, options);
    evaluations += start.force_evaluations;
    if (start.status == Status::ok) state = std::move(start.state);
    return start.status;
  };
  return projection;
}

}  // namespace

std::string methods_that_fit(const Structure& structure) {
  std::vector<std::string_view> names;
  for (const MethodInfo& info : all_methods())
    if (fits(info, structure).empty()) names.push_back(info.name);
  return fmt::format("methods that fit: {}", fmt::join(names, ", "));
}

Plan make_plan(const MotionArguments& arguments, const Loaded& loaded, Problems& problems) {
  const CompiledRun& run = loaded.compiled.run;
  const bool slow = loaded.reading == "slow", averages = loaded.reading == "averaged";
  Plan plan;
  plan.options.projection = plan_projection(arguments, loaded, problems);
  if (!problems.empty()) return plan;
  if (slow)
    plan_slow_motion(arguments, loaded, plan, problems);
  else if (averages)
    plan_averaged_motion(arguments, loaded, plan);
  else
    plan_motion(arguments, loaded, plan, problems);
  if (!slow && !plan.options.projection.any()) arguments.slow.check_unused(problems);
  if (!averages) arguments.averaged.check_unused(problems);
  check_plan(arguments, loaded, plan, problems);
  if (!problems.empty()) return plan;

  plan.tol = run.tol.value_or(plan.tol);
  plan.options.until = *run.until;
  plan.options.every = run.every.value_or(0.0);
  plan.options.max_steps = arguments.max_steps;
  plan.options.max_seconds = arguments.max_seconds;
  plan.options.samplers = arguments.thermal.samplers(loaded);
  plan.bath = loaded.compiled.bath;
  if (!plan.method.adaptive) {
    if (run.step) {
      plan.options.step = *run.step;
    } else {
      StepChoice choice = slow || averages
                              ? choose_slow_step(plan.start.state, *run.until)
                              : choose_step(loaded.system, plan.start.state, *run.until,
                                            steps_over_stiffness(plan.method));
      plan.options.step = choice.step;
      plan.notes.push_back(std::move(choice.reason));
    }
  }
  return plan;
}

RunIdentity identity(const MotionArguments& arguments, const Loaded& loaded, const Plan& plan) {
  const CompiledRun& run = loaded.compiled.run;
  const bool uses_omega = run.omega && (loaded.reading == "penalized" || loaded.reading == "slow");
  return {{"taut version", TAUT_VERSION},
          {"model", fingerprint(loaded.text)},
          {"--set", fmt::format("'{}'", fmt::join(arguments.model.settings, " "))},
          {"reading", loaded.reading},
          {"omega", uses_omega ? fmt::format("{}", *run.omega) : "none"},
          {"method", std::string{plan.method.name}},
          {"--beta", arguments.beta ? fmt::format("{}", *arguments.beta) : "own"},
          {"--gamma", arguments.gamma ? fmt::format("{}", *arguments.gamma) : "own"},
          {"of projected-rk", arguments.curve.identity()},
          {"tol", plan.method.adaptive ? fmt::format("{}", plan.tol) : "none"},
          {"--keep-start", arguments.keep_start ? "yes" : "no"},
          {"--via", arguments.slow.via},
          {"--band", arguments.slow.band},
          {"--micro-steps", fmt::format("{}", arguments.averaged.micro_steps)},
          {"--averaging", arguments.averaged.averaging},
          {"--project-every", fmt::format("{}", arguments.project_every)},
          {"--project-above", fmt::format("{}", arguments.project_above)},
          {"heat bath", describe(plan.bath)},
          {"--multiplier-window", fmt::format("{}", arguments.thermal.multiplier_window)},
          {"step", fmt::format("{}", plan.options.step)},
          {"from", fmt::format("{}", run.from)},
          {"until", fmt::format("{}", plan.options.until)},
          {"every", fmt::format("{}", plan.options.every)}};
}

Summary carry_out(const MotionArguments& arguments, const Loaded& loaded, const Plan& plan,
                  Motion& motion) {
  Method method = make_method(plan.method.name, method_options(arguments, plan.tol)).value();
  if (plan.bath) method = Langevin{std::move(method), *plan.bath};
  Summary summary = integrate(plan.system, plan.start, std::move(method), plan.options, motion);
  summary.model = loaded.model.name;
  summary.reading = loaded.reading;
  summary.reason = plan.reason;
  summary.notes.insert(summary.notes.begin(), plan.notes.begin(), plan.notes.end());
  if (std::string note = slow_flow_note(plan.system); !note.empty())
    summary.notes.push_back(std::move(note));
  return summary;
}

}  // namespace taut::cli
