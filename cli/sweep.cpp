// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "ranks.hpp"
#include "sweep_arguments.hpp"

namespace taut::cli {
namespace {

// a word as a shell has to be given it
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word)
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  return quoted + "'";
}

// What was given on the command line, to be given again to this command or another one, but for
// some options.
std::string command_line(const CLI::App& app, const std::string& command,
                         const std::vector<std::string>& but) {
  std::string line = "taut " + command;
  for (const CLI::Option* option : app.get_options()) {
    if (std::find(but.begin(), but.end(), option->get_name()) != but.end()) continue;
    const std::string name = option->get_positional() ? "" : " " + option->get_name();
    if (option->get_items_expected_max() == 0 && option->count() > 0)
      line += name;
    else
      for (const std::string& value : option->results()) line += name + " " + shell_word(value);
  }
  return line;
}

class SweepCommand final : public Command {
 public:
  explicit SweepCommand(CLI::App& program)
      : Command{program, "sweep", "a measure of a model, or of its runs, over its parameters",
                "Examples: taut sweep models/inverted_pendulum.toml --set omega=1e6 --vary "
                "vmax=1:3:21 --at q=0\n"
                "          taut sweep models/double_pendulum.toml --vary g=1:20:100 --measure "
                "\"max(lambda(rod 1))\""} {
    arguments_.add_to(app());
  }

  int run() override;
  int samples(Model model, std::vector<RunMeasure> measures, Ranks& ranks, Problems& problems);

 private:
  SweepArguments arguments_;
};

int SweepCommand::run() {
  Ranks ranks;
  const bool json = arguments_.motion.model.json, stability = arguments_.stability();
  // resumed again, nothing would be left to do
  arguments_.command = command_line(app(), "sweep", {"--resume"});
  std::vector<std::string> of_sweeps = arguments_.of_sweeps;
  if (arguments_.sampled()) of_sweeps.emplace_back("--seed");
  arguments_.run_command = command_line(app(), "run", of_sweeps);
  const std::string file = arguments_.motion.model.file.string();
  Problems problems{file};
  const std::vector<RunMeasure> measures =
      stability ? std::vector<RunMeasure>{} : read_measures(arguments_.measures, problems);
  Model model = read_model(arguments_.motion.model, problems);
  if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
  if (ranks.several() && arguments_.merge)
    problems.add({}, "--merge", "is for one process", "leave out mpirun");
  if (arguments_.sampled()) return samples(std::move(model), measures, ranks, problems);
  const std::vector<SweepAxis> axes = arguments_.axes(app(), model, problems);
  std::vector<std::string> parameters;
  // of other names it is known already that they are wrong
  const bool known = problems.empty();
  for (const SweepAxis& axis : axes)
    if (known || axis.parameter.starts_with("start(")) parameters.push_back(axis.parameter);
  if (!stability) parameters = name_start_values(parameters, model, problems, "--vary");
  const MotionSweep runs{std::move(model), arguments_.motion.options(problems), measures, problems};
  if (problems.empty()) check_jets_apply(arguments_.motion.model, runs.prepared(), problems);
  if (stability && (ranks.several() || arguments_.merge || !arguments_.shard.empty()))
    problems.add({}, "--measure stable", "is for one process",
                 "leave out --shard, --merge, mpirun");
  static_cast<void>(arguments_.share(problems));
  if (!problems.empty()) return report_bad_input(problems, json);
  return stability ? sweep_equilibria(arguments_, runs.prepared(), axes, problems)
                   : sweep_motions(arguments_, runs, axes, parameters, ranks, problems);
}

int SweepCommand::samples(Model model, std::vector<RunMeasure> measures, Ranks& ranks,
                          Problems& problems) {
  const bool json = arguments_.motion.model.json;
  arguments_.check_sampled(app(), problems);
  static_cast<void>(arguments_.share(problems));
  const SamplePoints points{arguments_.design(problems), problems};
  const std::vector<RunCondition> conditions = read_conditions(arguments_.probabilities, problems);
  // what is asked for by a condition alone is a measure, too
  std::vector<std::string> more;
  for (const RunCondition& condition : conditions)
    if (std::none_of(measures.begin(), measures.end(),
                     [&](const RunMeasure& m) { return m.text == condition.measure; }) &&
        std::find(more.begin(), more.end(), condition.measure) == more.end())
      more.push_back(condition.measure);
  for (RunMeasure& measure : read_measures(more, problems)) measures.push_back(std::move(measure));
  std::vector<std::string> names;
  for (const Distribution& one : points.design().distributions) names.push_back(one.name);
  const std::vector<std::string> parameters = name_start_values(names, model, problems);
  SimulationOptions options = arguments_.motion.options(problems);
  // where there is no noise, it is of what is drawn alone
  if (!model.thermostat && !options.thermal.temperature) options.thermal.seed.reset();
  const MotionSweep runs{std::move(model), std::move(options), measures, problems};
  if (problems.empty()) check_jets_apply(arguments_.motion.model, runs.prepared(), problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  return sweep_samples(arguments_, runs, points, parameters, conditions, ranks, problems);
}

}  // namespace

std::unique_ptr<Command> sweep_command(CLI::App& program) {
  return std::make_unique<SweepCommand>(program);
}

}  // namespace taut::cli
