// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "gradient.hpp"
#include "interrupt.hpp"
#include "motion_arguments.hpp"
#include "results.hpp"
#include "taut/report/optimize.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

class OptimizeCommand final : public Command {
 public:
  explicit OptimizeCommand(CLI::App& program)
      : Command{program, "optimize", "values with which a measure of the motion is least",
                "Example: taut optimize model.toml --minimize 'rms(body.a)' --vary k=1:10,c=0:5 "
                "--subject-to 'max(travel) < 0.1'"} {
    arguments_.add_to(app());
    app().add_option("--minimize", minimize_, "a measure such as rms(X), max(X), event(NAME)");
    app().add_option("--maximize", maximize_, "the same, to be greatest");
    app()
        .add_option("--vary", vary_, "what may vary: NAME, or NAME=LOWER:UPPER")
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false);
    app()
        .add_option("--subject-to", subject_to_, "MEASURE < NUMBER or >; may be repeated")
        ->allow_extra_args(false);
    app().add_option("--starts", starts_, "searches: from the values of the model, then others");
    app().add_option("--threads", threads_, "one for each core when absent");
    app().add_option("--out", out_, "folder for the results (default out/NAME-optimize)");
  }

  int run() override;

 private:
  [[nodiscard]] OptimizeOptions wanted(Problems& problems) const;
  static void print(const Optimum& found);

  MotionArguments arguments_;
  std::string minimize_, maximize_;
  std::vector<std::string> vary_, subject_to_;
  int starts_ = 1;
  unsigned threads_ = 0;
  fs::path out_;
};

/// NAME or NAME=LOWER:UPPER, either of which may be left out.
DesignVariable read_variable(const std::string& given, Problems& problems) {
  DesignVariable variable{.name = given.substr(0, given.find('='))};
  if (variable.name.size() == given.size()) return variable;
  const std::string range = given.substr(variable.name.size() + 1);
  const std::size_t colon = range.find(':');
  const auto read = [](const std::string& text, double& value) {
    if (text.empty()) return true;
    char* end = nullptr;
    value = std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size();
  };
  if (colon == std::string::npos || !read(range.substr(0, colon), variable.lower) ||
      !read(range.substr(colon + 1), variable.upper))
    problems.add({}, given, "cannot be read", "write NAME=LOWER:UPPER, both numbers");
  return variable;
}

OptimizeOptions OptimizeCommand::wanted(Problems& problems) const {
  OptimizeOptions options{.maximize = minimize_.empty(),
                          .starts = starts_,
                          .threads = threads_,
                          .cancel = &catch_interrupts()};
  if (minimize_.empty() == maximize_.empty())
    problems.add({}, "optimize", "one measure is to be least or greatest",
                 "give either --minimize or --maximize");
  else
    options.objective = read_motion_measure(minimize_.empty() ? maximize_ : minimize_, problems);
  for (const std::string& one : vary_) options.vary.push_back(read_variable(one, problems));
  for (const std::string& one : subject_to_)
    options.subject_to.push_back(read_design_bound(one, problems));
  return options;
}

void OptimizeCommand::print(const Optimum& found) {
  const DesignPoint& point = found.point();
  fmt::print("{:<24} {:>14} {:>14}\n", "", "before", "after");
  fmt::print("{:<24} {:>14.8g} {:>14.8g}\n", found.objective, found.before, point.objective);
  for (std::size_t i = 0; i < found.variables.size(); ++i) {
    const DesignVariable& one = found.variables[i];
    const double value = point.value[static_cast<Index>(i)];
    fmt::print("{:<24} {:>14.8g} {:>14.8g}{}\n", one.name,
               found.points[0].start[static_cast<Index>(i)], value,
               value <= one.lower || value >= one.upper ? "  at its bound" : "");
  }
  for (std::size_t i = 0; i < found.subject_to.size() && point.measured.size() > 0; ++i) {
    const DesignBound& bound = found.subject_to[i];
    const auto at = static_cast<Index>(i);
    fmt::print("{:<24} {:>14} {:>14.8g}", bound.measure.text,
               fmt::format("{} {:.6g}", bound.below ? "<=" : ">=", bound.bound),
               point.measured[at]);
    if (point.prices[at] > 1e-6 * std::abs(point.objective))
      fmt::print("  a unit more: {:.4g} of {}", point.prices[at], found.objective);
    fmt::print("\n");
  }
  int runs = 0;
  std::size_t good = 0;
  for (const DesignPoint& one : found.points) {
    runs += one.runs;
    good += one.good() ? 1 : 0;
  }
  fmt::print("{} of {} starts converged, {} gradients; best: start {}\n", good, found.points.size(),
             runs, found.best);
}

int OptimizeCommand::run() {
  const bool json = arguments_.model.json;
  Problems problems{arguments_.model.file.string()};
  const Model model = read_model(arguments_.model, problems);
  if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
  const SimulationOptions options = arguments_.options(problems);
  const OptimizeOptions wanted_options = wanted(problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  const Optimum found = optimize(model, options, wanted_options, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  if (out_.empty()) out_ = fs::path{"out"} / (arguments_.model.file.stem().string() + "-optimize");
  std::error_code error;
  fs::create_directories(out_, error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", out_.string(), error.message());
    return failed;
  }
  Results results{out_};
  results.add("optimize.json",
              [&](const fs::path& file) { return write_optimum_json(found, file); });
  results.add("optimize.csv", [&](const fs::path& file) { return write_optimum_csv(found, file); });
  results.add("optimize.html",
              [&](const fs::path& file) { return write_optimum_html(found, model.name, file); });
  results.commit();
  if (json)
    fmt::print("{}", optimum_json(found));
  else
    print(found);
  if (!found.good()) fmt::print(stderr, "taut: {}\n", found.point().message);
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return found.good() && results.problems().empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> optimize_command(CLI::App& program) {
  return std::make_unique<OptimizeCommand>(program);
}

}  // namespace taut::cli
