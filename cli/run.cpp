// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "averaged_arguments.hpp"
#include "command.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "jets.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "run_table.hpp"
#include "slow_arguments.hpp"
#include "taut/methods/fits.hpp"
#include "taut/methods/gauss_newton.hpp"
#include "taut/methods/langevin.hpp"
#include "taut/methods/registry.hpp"
#include "taut/readings/readings.hpp"
#include "taut/readings/slow_flow.hpp"
#include "taut/report/writers.hpp"
#include "taut/run/choose_method.hpp"
#include "taut/run/choose_start.hpp"
#include "taut/run/integrate.hpp"
#include "taut/run/slow_reading.hpp"
#include "thermal_arguments.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  ModelArguments model;
  std::string method, step, tol, until, from, every;  // empty: as the model says
  SlowArguments slow;
  AveragedArguments averaged;
  ThermalArguments thermal;
  CurveArguments curve;
  std::optional<double> beta, gamma;
  double project_every = 0.0, project_above = 0.0;
  fs::path out;
  std::vector<std::string> formats{"csv"};
  std::int64_t max_steps = 0;
  double max_seconds = 0.0;
  double checkpoint_every = 5.0;
  bool resume = false, quiet = false, keep_start = false;

  void add_to(CLI::App& app);
  void edit(Model& model) const;
};

void RunArguments::add_to(CLI::App& app) {
  model.add_to(app);
  app.add_option("--method", method, "name of the method; taut chooses when absent");
  auto* constant = app.add_option(
      "--step", step, "constant step [s]; of a model with [jets]: of arc length, or of x");
  app.add_option("--tol", tol, "tolerance of an adaptive method (default 1e-8)")
      ->excludes(constant);
  app.add_option(
      "--beta", beta,
      "of linearly implicit and Newmark methods (default 0.25 for newmark, else theirs)");
  app.add_option("--gamma", gamma, "of newmark (default 0.5; more damps)");
  app.add_option("--until", until, "end time [s]");
  app.add_option("--from", from, "start time [s]");
  app.add_option("--every", every, "distance of output times [s]; absent: the steps themselves");
  app.add_option("--out", out, "folder for the results (default out/NAME)");
  app.add_option("--format", formats, "of the motion: csv, h5, json; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"csv", "h5", "json"}));
  app.add_option("--max-steps", max_steps, "stop after so many steps")->check(CLI::PositiveNumber);
  app.add_option("--max-seconds", max_seconds, "stop after so much wall time")
      ->check(CLI::PositiveNumber);
  app.add_flag("--keep-start", keep_start,
               "take the start as given, with the vibrations of compliant constraints");
  slow.add_to(app);
  averaged.add_to(app);
  thermal.add_to(app);
  curve.add_to(app);
  app.add_option("--project-every", project_every,
                 "pull the state back onto the slow manifold at these distances [s]")
      ->check(CLI::PositiveNumber);
  app.add_option("--project-above", project_above,
                 "the same when the energy of vibration exceeds so many times that of the stretch")
      ->check(CLI::PositiveNumber);
  app.add_flag("--resume", resume, "continue an interrupted run from its checkpoint");
  app.add_option("--checkpoint-every", checkpoint_every,
                 "wall time between checkpoints [s] (default 5; 0: every step)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--quiet", quiet, "print nothing but failures");
}

// the command line goes before [run]
void RunArguments::edit(Model& edited) const {
  RunSettings& run = edited.run;
  if (!method.empty()) run.method = Name{method, {}};
  if (!step.empty()) {
    run.step = parse_value(step);
    run.tol.reset();
  }
  if (!tol.empty()) {
    run.tol = parse_value(tol);
    run.step.reset();
  }
  if (!until.empty()) run.until = parse_value(until);
  if (!from.empty()) run.from = parse_value(from);
  if (!every.empty()) run.every = parse_value(every);
  if (!edited.jets) thermal.edit(edited);  // with [jets] they are refused by name
}

/// Everything about a run that is settled before it begins.
struct Plan {
  System system;  ///< what the method integrates
  Start start;
  MethodInfo method;
  std::string reason;
  double tol = 1e-8;
  std::optional<HeatBath> bath;
  RunOptions options;
  std::vector<std::string> notes;
};

std::string methods_that_fit(const Structure& structure) {
  std::vector<std::string_view> names;
  for (const MethodInfo& info : all_methods())
    if (fits(info, structure).empty()) names.push_back(info.name);
  return fmt::format("methods that fit: {}", fmt::join(names, ", "));
}

void check_weight(std::string_view option, std::optional<double> given, double least,
                  const MethodInfo& method, Problems& problems) {
  if (given && !(*given >= least && std::isfinite(*given)))
    problems.add({}, std::string{option}, fmt::format("{} cannot do with {}", method.name, *given),
                 fmt::format("leave it out, or give a number of at least {}", least));
}

void check_plan(const RunArguments& arguments, const Loaded& loaded, const Plan& plan,
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
  if (arguments.beta && !reads_beta(plan.method.name))
    problems.add({}, "--beta", fmt::format("{} has no such parameter", plan.method.name),
                 "leave it out, or take newmark, zhang-skeel or gauss-newton");
  if (arguments.gamma && !reads_gamma(plan.method.name))
    problems.add({}, "--gamma", fmt::format("{} has no such parameter", plan.method.name),
                 "leave it out, or take newmark");
  const bool gauss_newton = plan.method.name == GaussNewton::info.name;
  check_weight("--beta", arguments.beta, gauss_newton ? 0.25 : 0.0, plan.method, problems);
  check_weight("--gamma", arguments.gamma, 0.0, plan.method, problems);
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
void plan_motion(const RunArguments& arguments, const Loaded& loaded, Plan& plan,
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
  if (plan.options.projection.any() && !arguments.keep_start)
    plan.start = slow_start(equations(loaded.system), given, arguments.slow.options(problems));
}

// the same for its slow motions; where there are none, the start has failed
void plan_slow_motion(const RunArguments& arguments, const Loaded& loaded, Plan& plan,
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
void plan_averaged_motion(const RunArguments& arguments, const Loaded& loaded, Plan& plan) {
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

SlowProjection plan_projection(const RunArguments& arguments, const Loaded& loaded,
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

Plan make_plan(const RunArguments& arguments, const Loaded& loaded, Problems& problems) {
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

// what the bits of a run depend on
RunIdentity identity(const RunArguments& arguments, const Loaded& loaded, const Plan& plan) {
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

// the summary last: where it is, the rest is, too
Written write_results(const fs::path& out, const std::vector<std::string>& formats,
                      const Motion& motion, const Summary& summary) {
  Written written;
  remove_earlier_statistics(out);
  write_motion(out, formats, motion, written);
  for (const StatisticResult& statistic : summary.statistics)
    if (const fs::path file = out / statistic_file(statistic); !statistic.columns.empty())
      written.add(file, write_statistic_csv(statistic, file));
  if (!summary.statistics.empty())
    written.add(out / "statistics.json",
                write_statistics_json(summary.statistics, out / "statistics.json"));
  written.add(out / "summary.json", write_summary_json(summary, out / "summary.json"));
  return written;
}

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App& program)
      : Command{program, "run", "computes the motion of a model",
                "Example: taut run models/pendulum.toml --set g=1.62 --until 20 --every 0.1"} {
    arguments_.add_to(app());
    arguments_.model.jets = true;
  }

  int run() override;

 private:
  /// Fills plan.options.checkpoint; what is wrong with the checkpoint, or nothing.
  [[nodiscard]] std::string prepare_checkpoint(const Loaded& loaded, Plan& plan) const;
  [[nodiscard]] int finish(const Summary& summary, const Motion& motion,
                           const fs::path& checkpoint);
  [[nodiscard]] fs::path out() const {
    return arguments_.out.empty() ? fs::path{"out"} / arguments_.model.file.stem() : arguments_.out;
  }

  RunArguments arguments_;
};

std::string RunCommand::prepare_checkpoint(const Loaded& loaded, Plan& plan) const {
  CheckpointOptions& checkpoint = plan.options.checkpoint;
  checkpoint.file = out() / "checkpoint.bin";
  checkpoint.seconds = arguments_.checkpoint_every;
  checkpoint.identity = identity(arguments_, loaded, plan);
  return arguments_.resume ? find_resumption(checkpoint, plan.notes) : std::string{};
}

int RunCommand::run() {
  const bool json = arguments_.model.json;
  Problems problems{arguments_.model.file.string()};
  const Loaded loaded =
      load(arguments_.model, problems, [&](Model& model) { arguments_.edit(model); });
  if (!problems.empty()) return report_bad_input(problems, json);
  if (loaded.compiled.jets)
    return run_jets(app(), loaded,
                    {.model = arguments_.model,
                     .curve = arguments_.curve,
                     .out = out(),
                     .formats = arguments_.formats,
                     .max_steps = arguments_.max_steps,
                     .max_seconds = arguments_.max_seconds,
                     .checkpoint_every = arguments_.checkpoint_every,
                     .resume = arguments_.resume,
                     .quiet = arguments_.quiet});
  Plan plan = make_plan(arguments_, loaded, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  if (const std::string problem = prepare_checkpoint(loaded, plan); !problem.empty())
    return report_bad_input(problem, json);

  plan.options.cancel = &catch_interrupts();
  std::error_code error;
  fs::create_directories(out(), error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", out().string(), error.message());
    return failed;
  }

  Motion motion;
  Summary summary;
  {
    const ProgressLine progress{arguments_.quiet};
    plan.options.progress = progress.callback();
    Method method = make_method(plan.method.name, {.tol = plan.tol,
                                                   .beta = arguments_.beta,
                                                   .gamma = arguments_.gamma,
                                                   .projected = arguments_.curve.options()})
                        .value();
    if (plan.bath) method = Langevin{std::move(method), *plan.bath};
    summary = integrate(plan.system, plan.start, std::move(method), plan.options, motion);
  }
  summary.model = loaded.model.name;
  summary.reading = loaded.reading;
  summary.reason = plan.reason;
  summary.notes.insert(summary.notes.begin(), plan.notes.begin(), plan.notes.end());
  if (std::string note = slow_flow_note(plan.system); !note.empty())
    summary.notes.push_back(std::move(note));
  return finish(summary, motion, plan.options.checkpoint.file);
}

int RunCommand::finish(const Summary& summary, const Motion& motion, const fs::path& checkpoint) {
  const Written written = write_results(out(), arguments_.formats, motion, summary);
  std::error_code ignored;  // a checkpoint that stays is harmless: its identity is checked
  if (written.problems.empty() && !may_continue(summary.status)) fs::remove(checkpoint, ignored);

  if (arguments_.model.json)
    fmt::print("{}", summary_json(summary));
  else if (!arguments_.quiet)
    print_summary(summary, written.files);
  if (!arguments_.quiet) report_start(summary.moved, summary.redundant);
  if (!summary.good()) {
    fmt::print(stderr, "taut: {}: {}\n", name(summary.status), summary.message);
    if (!summary.hint.empty()) fmt::print(stderr, "    {}\n", summary.hint);
  }
  for (const std::string& problem : written.problems) fmt::print(stderr, "taut: {}\n", problem);
  return summary.good() && written.problems.empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> run_command(CLI::App& program) {
  return std::make_unique<RunCommand>(program);
}

}  // namespace taut::cli
