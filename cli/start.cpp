// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <string>
#include <utility>

#include "command.hpp"
#include "common.hpp"
#include "jets.hpp"
#include "slow_arguments.hpp"
#include "state_table.hpp"
#include "taut/report/writers.hpp"
#include "taut/run/motion_at.hpp"
#include "taut/simulation/diagnosis.hpp"

namespace taut::cli {
namespace {

void print_table(const System& system, const Start& start, int digits) {
  const Structure& structure = system.structure();
  const StateTable tables{motion_at(system, start.state), structure.coordinates, "--json"};
  const auto text = [digits](double x) { return fmt::format("{:.{}g}", x + 0.0, digits); };
  fmt::print("    {:<18} {:>24} {:>24} {:>24}\n", "coordinate", "q", "v", "a");
  for (Index i = 0; i < structure.places(); ++i)
    if (const std::string& name = structure.coordinates[static_cast<std::size_t>(i)];
        !tables.hides_coordinate(name))
      fmt::print("    {:<18} {:>24} {:>24} {:>24}\n", name, text(start.state.q[i]),
                 text(start.state.v[i]), text(start.a[i]));
  if (structure.nz > 0) fmt::print("\n    {:<18} {:>24} {:>24}\n", "state", "value", "rate");
  for (Index i = structure.places(); i < structure.nq; ++i)
    fmt::print("    {:<18} {:>24} {:>24}\n", structure.velocities[static_cast<std::size_t>(i)],
               text(start.state.v[i]), text(start.a[i]));
  tables.print(digits);
  bool first = true;
  for (std::size_t r = 0; r < structure.rows.size(); ++r) {
    const std::string& name = structure.rows[r].name;
    if (tables.hides_row(name)) continue;
    if (std::exchange(first, false)) fmt::print("\n    {:<18} {:>24}\n", "constraint", "lambda");
    fmt::print("    {:<18} {:>24}\n", name, text(start.lambda[static_cast<Index>(r)]));
  }
}

void print_verdict(const Structure& structure, const Start& start) {
  if (!moved(structure, start).any()) fmt::print("\nThe start is consistent as given.\n");
}

void print_verdict(const Structure& structure, const SlowStart& start) {
  if (start.order == 0) return;
  fmt::print("\nSlow to order {}, via {}, by {} evaluations of the force. ", start.order,
             name(start.via), start.force_evaluations);
  fmt::print("The slow manifold is about {:.2g} away in q, {:.2g} in v.\n", start.uncertainty,
             start.velocity_uncertainty);
  if (start.band.highest > 0.0)
    fmt::print("Vibrations from {:.4g} to {:.4g} rad/s were removed.\n", start.band.lowest,
               start.band.highest);
  if (!moved(structure, start).any()) fmt::print("The start is slow as given.\n");
  if (!start.near) fmt::print("As given, the start vibrates with more than the energy of g = 0.\n");
}

class StartCommand final : public Command {
 public:
  explicit StartCommand(CLI::App& program)
      : Command{program, "start",
                "consistent initial state with accelerations and multipliers, and what was changed",
                "Example: taut start models/stiff_double_pendulum.toml --slow"} {
    arguments_.add_to(app());
    arguments_.jets = true;
    auto* slow = app().add_flag("--slow", slow_,
                                "the state nearby from which compliant constraints do not vibrate");
    app()
        .add_option("--digits", digits_, "of numbers that are printed (default 8)")
        ->check(CLI::Range(1, 17));
    slow_arguments_.add_to(app());
    app().get_option("--via")->needs(slow);
    app().get_option("--band")->needs(slow);
  }

  int run() override {
    Problems problems{arguments_.file.string()};
    const PreparedModel prepared = prepare(arguments_, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);

    if (prepared.compiled.jets) return start_jets(app(), prepared, arguments_);
    if (!slow_ && prepared.reading.kind() != Reading::Kind::slow)
      return report(prepared.system, consistent_start(prepared), "consistent");
    const SlowOptions options = slow_arguments_.options(problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);
    const SlowStart start = slow_start(prepared, options);
    const int exit = report(prepared.system, start, "slow");
    if (exit == done && !start.reason.empty()) fmt::print(stderr, "note: {}\n", start.reason);
    return exit;
  }

 private:
  template <class AnyStart>
  int report(const System& system, const AnyStart& start, const char* kind) const {
    const Structure& structure = system.structure();
    if (arguments_.json) fmt::print("{}", start_json(structure, start));
    if (start.status != Status::ok) {
      const std::string_view remedy = std::is_same_v<AnyStart, SlowStart>
                                          ? "another way may do: --via expansion, newton or filter"
                                          : hint(start.status);
      fmt::print(stderr, "taut: no {} start: {}\n    {}\n", kind, start.reason, remedy);
      return failed;
    }
    if (!arguments_.json) {
      print_table(system, start, digits_);
      print_verdict(structure, start);
    }
    report_start(moved(structure, start), start.redundant);
    return done;
  }

  ModelArguments arguments_;
  bool slow_ = false;
  int digits_ = 8;
  SlowArguments slow_arguments_;
};

}  // namespace

std::unique_ptr<Command> start_command(CLI::App& program) {
  return std::make_unique<StartCommand>(program);
}

}  // namespace taut::cli
