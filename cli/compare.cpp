// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "command.hpp"
#include "interrupt.hpp"
#include "motion_arguments.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "taut/methods/registry.hpp"
#include "taut/report/compare.hpp"
#include "taut/version.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_of_range = 100;

struct CompareArguments {
  MotionArguments motion;
  std::vector<std::string> methods;
  std::string tols, steps;
  double max_seconds = CompareOptions{}.max_seconds, budget = CompareOptions{}.budget;
  fs::path out;
  bool quiet = false;

  void add_to(CLI::App& app);
};

void CompareArguments::add_to(CLI::App& app) {
  motion.model.add_to(app);
  app.add_option("--methods", methods, "names of methods, with commas; absent: all that fit")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--tols", tols,
                 "A:B:N, N tolerances of adaptive methods from A to B (default 1e-3:1e-11:9)");
  app.add_option("--steps", steps,
                 "A:B:N, N steps of other methods from A to B [s]; absent: halved again and again");
  app.add_option("--until", motion.until, "end time [s]");
  app.add_option("--from", motion.from, "start time [s]");
  app.add_option("--max-seconds", max_seconds, "wall time for a run (default 1)")
      ->check(positive());
  app.add_option("--budget", budget, "wall time for everything (default 60)")->check(positive());
  app.add_flag("--keep-start", motion.keep_start,
               "take the start as given, with the vibrations of compliant constraints");
  app.add_flag("--slow-start", motion.slow_start,
               "begin near the start, where nothing vibrates fast");
  motion.slow.add_to(app);
  motion.averaged.add_to(app);
  app.add_option("--out", out, "folder for the results (default out/NAME)");
  app.add_flag("--quiet", quiet, "print nothing but failures");
}

// A:B:N as N numbers in geometric progression, the largest first; empty where it is not that
std::vector<double> parse_range(const std::string& text) {
  double a = 0.0, b = 0.0;
  int n = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, a);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ':') return {};
  const auto last = std::from_chars(first.ptr + 1, end, b);
  if (last.ec != std::errc{} || last.ptr == end || *last.ptr != ':') return {};
  const auto count = std::from_chars(last.ptr + 1, end, n);
  if (count.ec != std::errc{} || count.ptr != end) return {};
  const bool good = a > 0.0 && b > 0.0 && std::isfinite(a) && std::isfinite(b) && n >= 1 &&
                    n <= most_of_range && (n == 1) == (a == b);
  if (!good) return {};
  if (a < b) std::swap(a, b);
  std::vector<double> values{a};
  for (int k = 1; k < n; ++k)
    values.push_back(k == n - 1 ? b : a * std::pow(b / a, static_cast<double>(k) / (n - 1)));
  return values;
}

std::vector<double> read_range(const char* option, const std::string& text, double most,
                               Problems& problems) {
  if (text.empty()) return {};
  std::vector<double> values = parse_range(text);
  if (values.empty() || values.front() > most)
    problems.add({}, fmt::format("{} {}", option, text), "is not of the form A:B:N",
                 fmt::format("write two different numbers above 0{} and how many (2 to {}), such "
                             "as {} 1e-4:1e-10:7",
                             std::isfinite(most) ? fmt::format(" and up to {}", most) : "",
                             most_of_range, option));
  return values;
}

std::vector<MethodInfo> read_methods(const std::vector<std::string>& asked, Problems& problems) {
  const std::vector<MethodInfo> all = all_methods();
  if (asked.empty()) return all;
  std::vector<MethodInfo> methods;
  std::vector<std::string> names;
  for (const MethodInfo& info : all) names.emplace_back(info.name);
  for (auto it = asked.begin(); it != asked.end(); ++it) {
    const auto found = std::find(names.begin(), names.end(), *it);
    if (found == names.end()) {
      const std::string near = nearest_name(*it, names);
      problems.add({}, "--methods", fmt::format("there is no method '{}'", *it),
                   near.empty() ? fmt::format("methods are: {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near));
    } else if (std::find(asked.begin(), it, *it) == it) {
      methods.push_back(all[static_cast<std::size_t>(found - names.begin())]);
    }
  }
  return methods;
}

std::string short_time(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

// what the mark in the table means, with the methods for each reason
void print_cuts(const Comparison& c) {
  std::vector<std::pair<Note, std::vector<std::string_view>>> cuts;
  for (const ComparedMethod& m : c.methods) {
    if (!m.cut) continue;
    const auto same = [&](const auto& known) { return known.first == m.note; };
    auto found = std::find_if(cuts.begin(), cuts.end(), same);
    if (found == cuts.end()) found = cuts.insert(cuts.end(), {m.note, {}});
    found->second.push_back(m.info.name);
  }
  for (const auto& [reason, names] : cuts)
    fmt::print("* {}: {}\n", fmt::join(names, ", "), reason.text());
}

void print_methods(const Comparison& c) {
  fmt::print("{:<23}{:>5}{:>6} {:>9} ", "", "order", "seen", "best");
  for (const double level : compare_levels)
    fmt::print(" {:>20}", fmt::format("error {:.0e}", level));
  fmt::print("\n");
  for (const ComparedMethod& m : c.methods) {
    const std::optional<double> best = m.best_error();
    const std::string error = !best ? "-"
                              : *best <= c.reference.uncertainty.q
                                  ? fmt::format("<{:.1e}", c.reference.uncertainty.q)
                                  : fmt::format("{:.1e}", *best);
    fmt::print("{:<23}{:>5}{:>6} {:>9}{}", m.info.name, m.info.order,
               m.order ? fmt::format("{:.1f}", *m.order) : "-", error, m.cut ? '*' : ' ');
    for (const std::optional<CompareReach>& cost : m.reaches)
      fmt::print(" {:>20}", cost ? fmt::format("{:.0f} {:>10}", cost->force_evaluations,
                                               short_time(cost->seconds))
                                 : "-");
    fmt::print("\n");
  }
  print_cuts(c);
}

void print_comparison(const Comparison& c, const CompareSubject& subject,
                      const std::vector<fs::path>& files) {
  fmt::print("{}: {} from t = {:.6g} to {:.6g}\n", subject.model, subject.reading, c.from, c.until);
  fmt::print("start         {}\n", subject.start);
  if (!c.reference.methods.empty())
    fmt::print("reference     {} at {:.0e}; {} at {:.0e} differs by {:.1e}\n",
               c.reference.methods[0], c.reference.tols[0], c.reference.methods[1],
               c.reference.tols[1], c.reference.uncertainty.q);
  if (!c.reference.note.empty()) fmt::print("              {}\n", c.reference.note.text());
  if (!c.methods.empty()) {
    fmt::print(
        "errors        of positions, relative to the motion; what they cost: force "
        "evaluations and time\n\n");
    print_methods(c);
    fmt::print("\n");
  }
  if (!c.left_out.empty()) {
    std::vector<std::string> names;
    for (const auto& left_out : c.left_out) names.push_back(left_out.name);
    fmt::print("left out      {} do{} not fit: compare.json says why\n", fmt::join(names, ", "),
               names.size() == 1 ? "es" : "");
  }
  for (const Note& note : c.notes) fmt::print("note          {}\n", note.text());
  for (const std::string& advice : c.advice) fmt::print("fastest       {}\n", advice);
  for (const fs::path& file : files) fmt::print("written       {}\n", file.string());
}

class CompareCommand final : public Command {
 public:
  explicit CompareCommand(CLI::App& program)
      : Command{program, "compare", "error against cost of every method that fits a model",
                "Example: taut compare models/stiff_double_pendulum.toml --methods radau,dop853"} {
    arguments_.add_to(app());
  }

  int run() override;

 private:
  [[nodiscard]] int finish(const Comparison& comparison, const CompareSubject& subject) const;
  [[nodiscard]] fs::path out() const {
    return arguments_.out.empty() ? fs::path{"out"} / arguments_.motion.model.file.stem()
                                  : arguments_.out;
  }

  CompareArguments arguments_;
};

int CompareCommand::run() {
  const MotionArguments& motion = arguments_.motion;
  const bool json = motion.model.json;
  Problems problems{motion.model.file.string()};
  CompareOptions options;
  options.methods = read_methods(arguments_.methods, problems);
  options.tols = read_range("--tols", arguments_.tols, 0.1, problems);
  options.steps = read_range("--steps", arguments_.steps, HUGE_VAL, problems);
  options.max_seconds = arguments_.max_seconds;
  options.budget = arguments_.budget;
  const SimulationOptions asked = motion.options(problems);
  Model model = read_model(motion.model, problems);
  if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
  PreparedModel prepared = taut::prepare(std::move(model), asked, problems);
  if (problems.empty()) check_jets_apply(motion.model, prepared, problems);
  if (problems.empty()) leave_to_comparison(prepared, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  const Plan made = plan(std::move(prepared), asked, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  const CompareProblem problem = compare_problem(made);
  if (!arguments_.methods.empty())
    for (const MethodInfo& info : options.methods)
      if (const Note reason = fits(info, problem.equations.structure()); !reason.empty())
        problems.add({}, "--methods", reason.text(),
                     methods_that_fit(problem.equations.structure()));
  if (!problems.empty()) return report_bad_input(problems, json);

  options.cancel = &catch_interrupts();
  options.automatic = made.method.name;
  Comparison comparison;
  if (made.start.status == Status::ok) {
    const ProgressLine progress{arguments_.quiet};
    options.progress = progress.of_work();
    comparison = compare(problem, options);
  } else {
    comparison.ending = Comparison::Ending::no_reference;
    comparison.reason = fmt::format("there is no start: {}", made.start.reason);
    comparison.hint = hint(made.start.status);
    comparison.from = problem.start.t;
    comparison.until = problem.until;
  }
  comparison.notes.insert(comparison.notes.begin(), made.notes.begin(), made.notes.end());
  return finish(comparison, {.version = std::string{version()},
                             .model = made.prepared.model.name,
                             .file = motion.model.file.string(),
                             .reading = std::string{made.prepared.reading.name()},
                             .start = fmt::format("that of 'taut run' with {}, the same for all",
                                                  made.method.name)});
}

int CompareCommand::finish(const Comparison& comparison, const CompareSubject& subject) const {
  const std::string json = compare_json(comparison, subject);
  std::error_code ignored;  // where there is no folder, the results say so
  fs::create_directories(out(), ignored);
  Results results{out()};
  results.add("compare.csv",
              [&](const fs::path& file) { return write_compare_csv(comparison, file); });
  results.add("compare.html",
              [&](const fs::path& file) { return write_compare_html(comparison, subject, file); });
  results.add("compare.json",
              [&](const fs::path& file) { return write_compare_json(comparison, subject, file); });
  results.commit();
  if (arguments_.motion.model.json)
    fmt::print("{}", json);
  else if (!arguments_.quiet)
    print_comparison(comparison, subject, results.files());
  const bool good = comparison.ending == Comparison::Ending::done;
  if (!good) fmt::print(stderr, "taut: {}\n    {}\n", comparison.reason, comparison.hint);
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return good && results.problems().empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> compare_command(CLI::App& program) {
  return std::make_unique<CompareCommand>(program);
}

}  // namespace taut::cli
