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
  app.add_option(
      "--beta", beta,
      "of linearly implicit and Newmark methods (default 0.25 for newmark, else theirs)");
  app.add_option("--gamma", gamma, "of newmark (default 0.5; more damps)");
  app.add_option("--until", until, "end time [s]");
  app.add_option("--from", from, "start time [s]");
  app.add_option("--every", every, "distance of output times [s]; absent: the steps themselves");
  app.add_option("--max-steps", max_steps, "stop after so many steps")->check(positive());
  app.add_option("--max-seconds", max_seconds, "stop after so much wall time")->check(positive());
  app.add_flag("--keep-start", keep_start,
               "take the start as given, with the vibrations of compliant constraints");
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

void MotionArguments::edit(Model& edited) const {
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

}  // namespace taut::cli
