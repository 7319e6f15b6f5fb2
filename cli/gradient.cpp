// SPDX-License-Identifier: BSD-3-Clause
#include "gradient.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "interrupt.hpp"
#include "motion_arguments.hpp"
#include "results.hpp"
#include "taut/report/gradient.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

class GradientCommand final : public Command {
 public:
  explicit GradientCommand(CLI::App& program)
      : Command{program, "gradient", "gradients of measures by any number of parameters",
                "Example: taut gradient model.toml --measure 'rms(bob.x)' --by k,c,start"} {
    arguments_.add_to(app());
    app()
        .add_option("--measure", measures_,
                    "a number of the motion: end(X), integral(X), mean(X), rms(X), min(X), max(X), "
                    "peak(X), range(X), event(NAME); may be repeated")
        ->required()
        ->allow_extra_args(false);
    app()
        .add_option("--by", by_, "parameters, inputs, start(NAME), or start: all of the start")
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false);
    app().add_flag("--curves", curves_, "derivatives by the course of inputs and parameters, too");
    app()
        .add_option("--memory", memory_, "for the motion, in MB (default 256)")
        ->check(CLI::PositiveNumber);
    app().add_option("--out", out_, "folder for gradient.json (default out/NAME-gradient)");
  }

  int run() override;

 private:
  static void print(const Gradient& found);

  MotionArguments arguments_;
  std::vector<std::string> measures_, by_;
  bool curves_ = false;
  double memory_ = 256.0;
  fs::path out_;
};

void GradientCommand::print(const Gradient& found) {
  for (std::size_t k = 0; k < found.measures.size(); ++k) {
    const auto row = static_cast<Index>(k);
    fmt::print("{} = {:.12g}\n", found.measures[k], found.value[row]);
    for (std::size_t j = 0; j < found.names.size(); ++j)
      fmt::print("  by {:<20} {:>20.12g}\n", found.names[j], found.by(row, static_cast<Index>(j)));
    fmt::print("  by {:<20} {:>20.12g}\n", "the end of the run", found.by_until[row]);
  }
}

int GradientCommand::run() {
  const bool json = arguments_.model.json;
  Problems problems{arguments_.model.file.string()};
  const Model model = read_model(arguments_.model, problems);
  if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
  SimulationOptions options = arguments_.options(problems);
  options.cancel = &catch_interrupts();
  std::vector<MotionMeasure> measures;
  for (const std::string& text : measures_) measures.push_back(read_motion_measure(text, problems));
  if (!problems.empty()) return report_bad_input(problems, json);
  const Gradient found = gradient(model, options, measures, by_,
                                  {.memory = 1e6 * memory_, .curves = curves_}, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  if (out_.empty()) out_ = fs::path{"out"} / (arguments_.model.file.stem().string() + "-gradient");
  std::error_code error;
  fs::create_directories(out_, error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", out_.string(), error.message());
    return failed;
  }
  Results results{out_};
  results.add("gradient.json",
              [&](const fs::path& file) { return write_gradient_json(found, file); });
  results.commit();
  if (json)
    fmt::print("{}", gradient_json(found));
  else if (found.good())
    print(found);
  if (!found.good()) fmt::print(stderr, "taut: {}\n", found.message);
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return found.good() && results.problems().empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> gradient_command(CLI::App& program) {
  return std::make_unique<GradientCommand>(program);
}

}  // namespace taut::cli
