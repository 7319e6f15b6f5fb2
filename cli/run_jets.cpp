// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "interrupt.hpp"
#include "jets.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "taut/report/report.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

// options of `taut run` that a model with [jets] has
const std::vector<std::string> options_of_jets{
    "--help",         "MODEL",      "--set",       "--json",        "--method",
    "--step",         "--tol",      "--until",     "--from",        "--every",
    "--out",          "--format",   "--max-steps", "--resume",      "--quiet",
    "--parameter",    "--tableau",  "--project",   "--newton",      "--form",
    "--at-impasse",   "--arc",      "--every-arc", "--max-seconds", "--checkpoint-every",
    "--distribution", "--no-report"};

/// Everything about a run that is settled before it begins.
struct JetPlan {
  FormChoice choice;
  CurveEvents events;
  FollowOptions options;
  std::vector<std::string> notes;
};

void check_jet_run(const Loaded& loaded, const JetRunArguments& arguments, Problems& problems) {
  const CompiledRun& run = loaded.compiled.run;
  if (run.step && run.tol)
    problems.add({}, "run: step", "steps are constant or follow from tol, not both",
                 "remove step or tol below [run], or give --step or --tol");
  if (!run.until && arguments.curve.arc <= 0.0)
    problems.add({}, "until", "there is no end",
                 "give --until X, until in [run], or a length of the curve with --arc S");
  if (arguments.curve.every_arc > 0.0 && run.every)
    problems.add({}, "--every-arc", "rows are at given x or at given lengths, not at both",
                 "leave out one of --every and --every-arc");
  constexpr double most_rows = 1e8;
  if (run.every && run.until && std::abs(*run.until - run.from) / *run.every > most_rows)
    problems.add({}, "every", fmt::format("{} asks for too many rows to be kept", *run.every),
                 "choose rows farther apart");
  if (arguments.curve.every_arc > 0.0 &&
      arguments.curve.arc / arguments.curve.every_arc > most_rows)
    problems.add({}, "--every-arc", "asks for too many rows to be kept",
                 "choose rows farther apart");
}

JetPlan make_jet_plan(const Loaded& loaded, const JetRunArguments& arguments, Problems& problems) {
  const CompiledRun& run = loaded.compiled.run;
  const JetSystem& system = *loaded.compiled.jets;
  const CurveArguments& curve = arguments.curve;
  JetPlan plan;
  FollowOptions& options = plan.options;
  options.until = run.until;
  options.arc = curve.arc;
  options.integrator = curve.integrator();
  if (run.tol) options.integrator.tol = *run.tol;
  if (run.step) options.integrator.step = *run.step;
  const std::string at_impasse = curve.at_impasse.empty() ? run.at_impasse : curve.at_impasse;
  options.at_impasse = at_impasse == "stop" ? AtImpasse::stop : AtImpasse::go_on;
  options.every = run.every.value_or(0.0);
  options.every_arc = curve.every_arc;
  options.max_steps = arguments.max_steps;
  options.max_seconds = arguments.max_seconds;

  // steps cannot have errors below the rounding of a few evaluations
  constexpr double least_tol = 1e-14;
  if (options.integrator.step <= 0.0 && options.integrator.tol < least_tol)
    plan.notes.push_back(
        fmt::format("a tolerance of {:.2g} is below rounding: errors of about {} "
                    "are what can be had",
                    options.integrator.tol, least_tol));

  plan.choice = choose_form(system, curve.form_kind(), curve.options().distribution);
  // what there is no form for is settled before anything is computed
  if (plan.choice.status == Status::not_supported)
    problems.add({}, "jets", plan.choice.message, plan.choice.remedy);
  if (plan.choice.status != Status::ok) return plan;
  const CurveStructure& structure = plan.choice.form.curve.structure();
  const ProjectionMethod newton = options.integrator.projection.method;
  if ((newton == ProjectionMethod::exact || newton == ProjectionMethod::inexact) &&
      structure.k > 0 && !structure.second_derivatives)
    problems.add({}, fmt::format("--newton {}", curve.newton),
                 fmt::format("the second derivatives that it needs are not known of the form {}",
                             name(plan.choice.kind)),
                 "leave it out, or give another --form");
  const bool completed = plan.choice.kind == FormKind::completed;
  plan.events =
      curve_events(system, plan.choice.form.curve, completed ? &*plan.choice.completion : nullptr);
  if (!plan.events.reason.empty())
    problems.add({}, "event", plan.events.reason,
                 "let it read what the form has, or choose another with --form");
  return plan;
}

// what the bits of a run depend on
RunIdentity jet_identity(const Loaded& loaded, const JetRunArguments& arguments,
                         const JetPlan& plan) {
  const CompiledRun& run = loaded.compiled.run;
  const auto text = [](const std::optional<double>& number) {
    return number ? fmt::format("{}", *number) : "none";
  };
  return {{"taut version", TAUT_VERSION},
          {"model", fingerprint(loaded.text)},
          {"--set", fmt::format("'{}'", fmt::join(arguments.model.settings, " "))},
          {"form", std::string{name(plan.choice.kind)}},
          {"of projected-rk", arguments.curve.identity()},
          {"at impasse", plan.options.at_impasse == AtImpasse::stop ? "stop" : "continue"},
          {"tol", fmt::format("{}", plan.options.integrator.tol)},
          {"step", fmt::format("{}", plan.options.integrator.step)},
          {"from", fmt::format("{}", run.from)},
          {"until", text(run.until)},
          {"every", text(run.every)}};
}

constexpr std::size_t most_lines = 12;  // of a list; the rest is in summary.json

void print_more_lines(std::size_t count) {
  if (count > most_lines) fmt::print("    ... and {} more in summary.json\n", count - most_lines);
}

void print_impasses(const CurveSummary& s) {
  for (std::size_t k = 0; k < std::min(s.impasse_points.size(), most_lines); ++k) {
    const ImpassePoint& point = s.impasse_points[k];
    fmt::print(
        "impasse point {0} = {1:.10g}, arc length {2:.6g}: {0} {3}; no bound on the derivative of "
        "{4}\n",
        s.coordinates.front(), point.p[0], point.s, name(point.kind),
        fmt::join(point.unbounded, ", "));
    for (Index i = 1; i < std::min<Index>(point.p.size(), most_lines); ++i)
      fmt::print("              {:<18} {:>24}\n", s.coordinates[static_cast<std::size_t>(i)],
                 point.p[i]);
  }
  print_more_lines(s.impasse_points.size());
}

void print_curve_summary(const CurveSummary& s, const std::vector<fs::path>& files) {
  fmt::print("{}: {}\n", s.model, name(s.status));
  fmt::print("              {}\n", s.message);
  if (s.coordinates.empty()) return;  // there is no curve
  fmt::print("method        projected-rk, form {}, distribution {}\n", s.form, s.distribution);
  if (!s.reason.empty()) fmt::print("              {}\n", s.reason);
  if (s.index) fmt::print("index         {}\n", *s.index);
  fmt::print("\n    {:<18} {:>24} {:>24}\n", "coordinate", "p", "dp/ds");
  for (std::size_t i = 0; i < std::min(s.coordinates.size(), most_lines); ++i)
    fmt::print("    {:<18} {:>24} {:>24}\n", s.coordinates[i], s.p[static_cast<Index>(i)],
               s.V[static_cast<Index>(i)]);
  print_more_lines(s.coordinates.size());
  for (std::size_t i = 0; i < std::min(s.unknowns.size(), most_lines); ++i)
    fmt::print("    {:<18} {:>24}\n", s.unknowns[i].first, s.unknowns[i].second);
  print_more_lines(s.unknowns.size());
  fmt::print("\narc length    {:.10g}\n", s.s);
  if (s.equations > 0)
    fmt::print("equations     max |f| = {:.2e}, {:.2e} of its terms{}\n", s.max_equation,
               s.max_relative, s.worst_equation.empty() ? "" : " in " + s.worst_equation);
  print_impasses(s);
  for (std::size_t k = 0; k < std::min(s.events.size(), most_lines); ++k)
    fmt::print("event         {} at {} = {}\n", s.events[k].name, s.coordinates.front(),
               s.events[k].p[0]);
  print_more_lines(s.events.size());
  fmt::print("cost          {} steps", s.counters.steps);
  if (s.step > 0.0) fmt::print(" of {:.6g}", s.step);
  if (s.counters.rejected > 0) fmt::print(" ({} rejected)", s.counters.rejected);
  fmt::print(", {} directions, {} projections with {} iterations, {:.3g} s\n",
             s.counters.directions + s.output_evaluations, s.counters.projections,
             s.counters.iterations, s.wall_seconds);
  for (const std::string& note : s.notes) fmt::print("note          {}\n", note);
  for (const fs::path& file : files) fmt::print("written       {}\n", file.string());
}

// a form that is not to be had is the failure of the run
CurveSummary compute(const JetPlan& plan, CurveMotion& motion) {
  const FormChoice& choice = plan.choice;
  if (choice.status == Status::ok)
    return follow(choice.form.curve, plan.events.events, choice.start, plan.options, motion);
  CurveSummary summary;
  summary.status = choice.status;
  summary.message = choice.message;
  summary.hint = choice.remedy;
  return summary;
}

int finish(const Loaded& loaded, const JetRunArguments& arguments, const JetPlan& plan,
           const CurveSummary& summary, const CurveMotion& motion) {
  Written written;
  write_motion(arguments.out, arguments.formats, motion, written);
  add_report(arguments.out, arguments.report, written, [&](const fs::path& report) {
    const CurveIntegratorOptions& integrator = plan.options.integrator;
    return write_report(motion, summary,
                        {.file = arguments.model.file.string(),
                         .text = loaded.text,
                         .version = TAUT_VERSION,
                         .scene = loaded.compiled.scene,
                         .tolerance = integrator.step > 0.0 ? 0.0 : integrator.tol},
                        report);
  });
  // the summary last: where it is, the rest is, too
  const fs::path file = arguments.out / "summary.json";
  written.add(file, write_summary_json(summary, file));
  std::error_code ignored;  // a checkpoint that stays is harmless: its identity is checked
  if (written.problems.empty() && !may_continue(summary.status))
    fs::remove(plan.options.checkpoint.file, ignored);

  if (arguments.model.json)
    fmt::print("{}", summary_json(summary));
  else if (!arguments.quiet)
    print_curve_summary(summary, written.files);
  if (!summary.good()) {
    fmt::print(stderr, "taut: {}: {}\n", name(summary.status), summary.message);
    if (!summary.hint.empty()) fmt::print(stderr, "    {}\n", summary.hint);
  }
  for (const std::string& problem : written.problems) fmt::print(stderr, "taut: {}\n", problem);
  return summary.good() && written.problems.empty() ? done : failed;
}

}  // namespace

void refuse_others(const CLI::App& app, const std::vector<std::string>& known, Problems& problems) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const std::string given = option->get_name();
    // with [jets] a model is read as it is written, which may be said
    if (given == "--reading" && option->as<std::string>() == "as-written") continue;
    if (std::find(known.begin(), known.end(), given) == known.end())
      problems.add({}, given, "is for mechanical models, and this one has [jets]", "leave it out");
  }
}

int run_jets(const CLI::App& app, const Loaded& loaded, const JetRunArguments& arguments) {
  const bool json = arguments.model.json;
  Problems problems{arguments.model.file.string()};
  refuse_others(app, options_of_jets, problems);
  check_jet_run(loaded, arguments, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  JetPlan plan = make_jet_plan(loaded, arguments, problems);
  if (!problems.empty()) return report_bad_input(problems, json);

  CheckpointOptions& checkpoint = plan.options.checkpoint;
  checkpoint.file = arguments.out / "checkpoint.bin";
  checkpoint.seconds = arguments.checkpoint_every;
  checkpoint.identity = jet_identity(loaded, arguments, plan);
  if (arguments.resume)
    if (const std::string problem = find_resumption(checkpoint, plan.notes); !problem.empty())
      return report_bad_input(problem, json);

  plan.options.extremes = true;
  plan.options.cancel = &catch_interrupts();
  std::error_code error;
  fs::create_directories(arguments.out, error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", arguments.out.string(),
               error.message());
    return failed;
  }

  CurveMotion motion;
  CurveSummary summary;
  {
    const ProgressLine progress{arguments.quiet};
    plan.options.progress = progress.callback();
    summary = compute(plan, motion);
  }
  if (plan.choice.kind == FormKind::completed) {
    CompletedUnknowns others{*loaded.compiled.jets, *plan.choice.completion};
    motion.find(others);
    Vec last;
    if (summary.p.size() > 0 && others(summary.p, last) == Status::ok)
      for (std::size_t i = 0; i < others.names().size(); ++i)
        summary.unknowns.emplace_back(others.names()[i], last[static_cast<Index>(i)]);
  }
  summary.model = loaded.model.name;
  summary.form = name(plan.choice.kind);
  summary.distribution = name(plan.choice.form.distribution);
  summary.reason = plan.choice.reason;
  if (const auto& completion = plan.choice.completion; completion && completion->index >= 0)
    summary.index = completion->index;
  summary.notes.insert(summary.notes.begin(), plan.notes.begin(), plan.notes.end());
  if (!arguments.quiet && plan.choice.status == Status::ok) report_start(plan.choice.start);
  return finish(loaded, arguments, plan, summary, motion);
}

}  // namespace taut::cli
