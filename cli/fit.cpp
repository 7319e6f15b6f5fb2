// SPDX-License-Identifier: BSD-3-Clause
#include "fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "motion_arguments.hpp"
#include "results.hpp"
#include "taut/report/fit.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

/// A number that is all of a text.
bool read_number(const std::string& text, double& value) {
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size();
}

void add_mistake(const std::string& given, const char* write, Problems& problems) {
  problems.add({}, given, "cannot be read", fmt::format("write {}", write));
}

/// NAME or NAME=LOWER:UPPER, either of which may be left out.
FitVariable read_variable(const std::string& given, bool each, Problems& problems) {
  FitVariable variable{.name = given.substr(0, given.find('=')), .of_each_series = each};
  if (variable.name.size() == given.size()) return variable;
  const std::string range = given.substr(variable.name.size() + 1);
  const std::size_t colon = range.find(':');
  if (colon == std::string::npos) {
    add_mistake(given, "NAME=LOWER:UPPER", problems);
    return variable;
  }
  const std::string lower = range.substr(0, colon), upper = range.substr(colon + 1);
  if ((!lower.empty() && !read_number(lower, variable.lower)) ||
      (!upper.empty() && !read_number(upper, variable.upper)))
    add_mistake(given, "NAME=LOWER:UPPER, both numbers", problems);
  return variable;
}

class FitCommand final : public Command {
 public:
  explicit FitCommand(CLI::App& program)
      : Command{program, "fit", "finds parameters and starts that come nearest to data",
                "Example: taut fit model.toml data.csv --vary k=1:10,c,start(bob.vx)"} {
    arguments_.add_to(app());
    app()
        .add_option("data", data_, "files of comma-separated values: t, then columns of a motion")
        ->required();
    const auto list = [&](const char* name, std::vector<std::string>& to, const char* about) {
      return app().add_option(name, to, about)->delimiter(',')->allow_extra_args(false);
    };
    list("--vary", vary_, "what is to be found: NAME, or NAME=LOWER:UPPER");
    list("--vary-each", each_, "the same, with a value of its own for each file");
    list("--sigma", sigma_,
         "standard deviation of the noise of a column: bob.x=0.01; absent: found");
    list("--prior", prior_, "what is known before: k=5+-0.5");
    app()
        .add_option("--loss", loss_, "how residuals count: squares (default), huber, cauchy")
        ->check(CLI::IsMember({"squares", "huber", "cauchy"}));
    app().add_option("--out", out_, "folder for the results (default out/NAME-fit)");
  }

  int run() override;

 private:
  [[nodiscard]] FitOptions wanted(Problems& problems) const;
  static void print(const Fit& fit);

  MotionArguments arguments_;
  std::vector<std::string> data_, vary_, each_, sigma_, prior_;
  std::string loss_ = "squares";
  fs::path out_;
};

FitOptions FitCommand::wanted(Problems& problems) const {
  FitOptions options;
  for (const std::string& one : vary_) options.vary.push_back(read_variable(one, false, problems));
  for (const std::string& one : each_) options.vary.push_back(read_variable(one, true, problems));
  for (const std::string& one : sigma_) {
    const std::size_t at = one.rfind('=');
    double value = 0.0;
    if (at == std::string::npos || !read_number(one.substr(at + 1), value))
      add_mistake(one, "--sigma COLUMN=NUMBER", problems);
    options.sigma.emplace_back(one.substr(0, at), value);
  }
  for (const std::string& one : prior_) {
    const std::size_t at = one.find('='), plus_minus = one.find("+-");
    double value = 0.0, deviation = 0.0;
    const bool good = at != std::string::npos && plus_minus != std::string::npos &&
                      read_number(one.substr(at + 1, plus_minus - at - 1), value) &&
                      read_number(one.substr(plus_minus + 2), deviation);
    if (!good) {
      add_mistake(one, "--prior NAME=VALUE+-DEVIATION", problems);
      continue;
    }
    bool found = false;
    for (FitVariable& variable : options.vary)
      if (variable.name == one.substr(0, at)) {
        variable.prior = {value, deviation};
        found = true;
      }
    if (!found) problems.add({}, one, "does not vary", "name it in --vary, too");
  }
  options.loss = loss_ == "huber"    ? FitLoss::huber
                 : loss_ == "cauchy" ? FitLoss::cauchy
                                     : FitLoss::squares;
  return options;
}

void FitCommand::print(const Fit& fit) {
  fmt::print("{:<20} {:>14} {:>14} {:>12}   {}\n", "", "before", "after", "+-", "95 %");
  for (const FittedVariable& one : fit.variables) {
    fmt::print("{:<20} {:>14.8g} {:>14.8g} ", one.name, one.start, one.value);
    if (one.at_bound)
      fmt::print("held at its bound\n");
    else if (std::isfinite(one.deviation))
      fmt::print("{:>12.3g}   {:.6g} ... {:.6g}\n", one.deviation, one.lower, one.upper);
    else
      fmt::print("not determined\n");
  }
  for (std::size_t i = 0; i < fit.variables.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double c = fit.correlation(static_cast<Index>(i), static_cast<Index>(j));
      if (std::abs(c) > 0.95)
        fmt::print("{} and {} are hard to tell apart: correlation {:.4f}\n", fit.variables[j].name,
                   fit.variables[i].name, c);
    }
  for (const std::string& direction : fit.undetermined)
    fmt::print("the data do not determine {}\n", direction);
  for (const auto& [column, sigma] : fit.sigma) fmt::print("sigma of {}: {:.4g}\n", column, sigma);
  fmt::print("{} residuals, {} iterations, {} runs\n", fit.residuals, fit.iterations, fit.runs);
}

int FitCommand::run() {
  const bool json = arguments_.model.json;
  Problems problems{arguments_.model.file.string()};
  const Model model = read_model(arguments_.model, problems);
  if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
  const SimulationOptions options = arguments_.options(problems);
  const FitOptions wanted_options = wanted(problems);
  std::vector<FitSeries> series;
  for (const std::string& file : data_) series.push_back(read_series(file, problems));
  if (!problems.empty()) return report_bad_input(problems, json);
  const Fit found = fit(model, options, series, wanted_options, problems);
  if (!problems.empty()) return report_bad_input(problems, json);

  if (out_.empty()) out_ = fs::path{"out"} / (arguments_.model.file.stem().string() + "-fit");
  std::error_code error;
  fs::create_directories(out_, error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", out_.string(), error.message());
    return failed;
  }
  Results results{out_};
  for (std::size_t s = 0; s < series.size() && s < found.after.size(); ++s)
    results.add(fmt::format("fit{}.csv", s + 1),
                [&](const fs::path& file) { return write_fit_csv(found, series[s], s, file); });
  results.add("fit.json", [&](const fs::path& file) { return write_fit_json(found, file); });
  results.add("fit.html", [&](const fs::path& file) {
    return write_fit_html(found, series, model.name, file);
  });
  results.commit();
  if (json)
    fmt::print("{}", fit_json(found));
  else if (!found.variables.empty())
    print(found);
  if (!found.good()) fmt::print(stderr, "taut: {}\n", found.message);
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return found.good() && results.problems().empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> fit_command(CLI::App& program) {
  return std::make_unique<FitCommand>(program);
}

}  // namespace taut::cli
