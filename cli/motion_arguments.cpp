// SPDX-License-Identifier: BSD-3-Clause
#include "motion_arguments.hpp"

namespace taut::cli {

void MotionArguments::add_to(CLI::App& app) {
  model.add_to(app);
  app.add_option("--method", method, "name of the method; taut chooses when absent");
  auto* constant = app.add_option(
      "--step", step, "constant step [s]; of a model with [jets]: of arc length, or of x");
  app.add_option("--tol", tol, "tolerance of an adaptive method (default 1e-8)")
      ->excludes(constant);
  app.add_option("--max-step", max_step,
                 "no step of any method is longer [s]; of a model with [jets]: as --step");
  app.add_option(
      "--beta", beta,
      "of linearly implicit and Newmark methods (default 0.25 for newmark, else theirs)");
  app.add_option("--gamma", gamma, "of newmark (default 0.5; more damps)");
  app.add_option("--until", until, "end time [s]");
  app.add_option("--from", from, "start time [s]");
  app.add_option("--every", every, "distance of output times [s]; absent: the steps themselves");
  app.add_option("--columns", columns,
                 "of the motion: all quantities of elements, only what is stated, or auto: all "
                 "where they are not too many (default)")
      ->check(CLI::IsMember({"auto", "all", "stated"}));
  app.add_option("--max-steps", max_steps, "stop after so many steps")->check(positive());
  app.add_option("--max-seconds", max_seconds, "stop after so much wall time")->check(positive());
  app.add_flag("--keep-start", keep_start,
               "take the start as given, with the vibrations of compliant constraints");
  app.add_flag("--slow-start", slow_start, "begin near the start, where nothing vibrates fast");
  slow.add_to(app);
  averaged.add_to(app);
  thermal.add_to(app);
  curve.add_to(app);
  app.add_option("--project-every", project_every,
                 "pull the state back onto the slow manifold at these distances [s]")
      ->check(positive());
  app.add_option("--project-above", project_above,
                 "the same when the energy of vibration exceeds so many times that of the stretch")
      ->check(positive());
}

SimulationOptions MotionArguments::options(Problems& problems) const {
  SimulationOptions options = model.options(problems);
  options.from = parse_optional(from);
  options.until = parse_optional(until);
  options.every = parse_optional(every);
  options.columns = columns;
  options.method = method;
  options.step = parse_optional(step);
  options.tol = parse_optional(tol);
  options.max_step = parse_optional(max_step);
  options.beta = beta;
  options.gamma = gamma;
  options.curve = curve.options();
  options.thermal = thermal.options();
  options.keep_start = keep_start;
  options.slow_start = slow_start;
  options.project_every = project_every;
  options.project_above = project_above;
  options.slow = slow.options(problems);
  options.averaging = averaged.options();
  options.max_steps = max_steps;
  options.max_seconds = max_seconds;
  return options;
}

}  // namespace taut::cli
