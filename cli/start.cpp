// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/start.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "common.hpp"
#include "taut/readings/readings.hpp"
#include "taut/report/writers.hpp"

namespace taut::cli {
namespace {

void print_table(const Structure& structure, const Start& start) {
  fmt::print("{:<20} {:>24} {:>24} {:>24}\n", "coordinate", "q", "v", "a");
  for (Index i = 0; i < structure.nq; ++i)
    fmt::print("{:<20} {:>24} {:>24} {:>24}\n", structure.coordinates[i], start.state.q[i],
               start.state.v[i], start.a[i]);
  if (!structure.rows.empty()) fmt::print("\n{:<20} {:>24}\n", "constraint", "lambda");
  for (std::size_t r = 0; r < structure.rows.size(); ++r)
    fmt::print("{:<20} {:>24}\n", structure.rows[r].name, start.lambda[static_cast<Index>(r)]);
  const Moved changes = moved(structure, start);
  if (!changes.any()) fmt::print("\nThe start is consistent as given.\n");
}

class StartCommand final : public Command {
 public:
  explicit StartCommand(CLI::App& program)
      : Command{program, "start",
                "consistent initial state with accelerations and multipliers, and what was changed",
                "Example: taut start models/andrews.toml --json"} {
    arguments_.add_to(app());
  }

  int run() override {
    Problems problems{arguments_.file.string()};
    const Loaded loaded = load(arguments_, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);

    const System system = springs(loaded.system);
    const Start start = consistent_start(system, loaded.compiled.given);
    if (arguments_.json) fmt::print("{}", start_json(system.structure(), start));
    if (start.status != Status::ok) {
      fmt::print(stderr, "taut: no consistent start: {}\n    {}\n", start.reason,
                 hint(start.status));
      return failed;
    }
    if (!arguments_.json) print_table(system.structure(), start);
    report_start(moved(system.structure(), start), start.redundant);
    return done;
  }

 private:
  ModelArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> start_command(CLI::App& program) {
  return std::make_unique<StartCommand>(program);
}

}  // namespace taut::cli
