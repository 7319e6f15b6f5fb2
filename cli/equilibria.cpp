// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "at_arguments.hpp"
#include "averaged_arguments.hpp"
#include "command.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "state_table.hpp"
#include "taut/report/stability.hpp"
#include "taut/run/motion_at.hpp"
#include "taut/simulation/at_rest.hpp"
#include "taut/statics/equilibria.hpp"

namespace taut::cli {
namespace {

constexpr std::size_t most_frequencies = 6;

std::string motion_about(const Equilibrium& e) {
  std::string text;
  if (!e.omega.empty()) {
    const std::size_t shown = std::min(e.omega.size(), most_frequencies);
    for (std::size_t k = e.omega.size() - shown; k < e.omega.size(); ++k)
      text += fmt::format("{}{:.6g}", text.empty() ? "omega = " : ", ", e.omega[k]);
    text += " rad/s";
    if (shown < e.omega.size()) text += fmt::format(" and {} faster", e.omega.size() - shown);
  }
  if (e.growth > 0.0)
    text += fmt::format("{}grows at {:.6g} 1/s", text.empty() ? "" : "; ", e.growth);
  if (e.stability == Stability::undecided)
    text += fmt::format("{}softest omega^2 = {:.3g} with an error of {:.2g}",
                        text.empty() ? "" : "; ", e.softest, e.softest_error);
  return text;
}

State at_rest(const State& near, const Structure& structure, const Equilibrium& e) {
  State state = near;
  state.q.head(structure.places()) = e.q.head(structure.places());
  state.v.head(structure.places()).setZero();
  state.v.tail(structure.nz) = e.q.tail(structure.nz);
  return state;
}

void print_equilibrium(std::size_t number, const System& system, const State& near,
                       const Equilibrium& e, int digits) {
  const Structure& structure = system.structure();
  fmt::print("{}. {}, {:.4g} from the start\n", number, name(e.stability), e.distance);
  if (const std::string motion = motion_about(e); !motion.empty()) fmt::print("    {}\n", motion);
  const std::vector<std::string> names = structure.names_at_rest();
  const StateTable tables{motion_at(system, at_rest(near, structure, e)), structure.coordinates,
                          "--json"};
  const auto text = [digits](double x) { return fmt::format("{:.{}g}", x + 0.0, digits); };
  for (Index i = 0; i < structure.nq; ++i)
    if (const std::string& name = names[static_cast<std::size_t>(i)];
        !tables.hides_coordinate(name))
      fmt::print("    {:<20} {:>24}\n", name, text(e.q[i]));
  for (std::size_t r = 0; r < structure.rows.size(); ++r)
    if (!tables.hides_row(structure.rows[r].name))
      fmt::print("    {:<20} {:>24}\n", "lambda(" + structure.rows[r].name + ")",
                 text(e.lambda[static_cast<Index>(r)]));
  tables.print(digits);
  fmt::print("\n");
}

bool damped(const Structure& structure, const Equilibria& all) {
  return structure.force_uses_velocity &&
         std::any_of(all.found.begin(), all.found.end(),
                     [](const Equilibrium& e) { return !e.omega.empty(); });
}

class EquilibriaCommand final : public Command {
 public:
  explicit EquilibriaCommand(CLI::App& program)
      : Command{program, "equilibria",
                "where a model can rest near its start, and whether it stays there",
                "Example: taut equilibria models/inverted_pendulum.toml --set omega=1e6"} {
    arguments_.add_to(app());
    averaging_.add_to(app());
    app()
        .add_option("--at", at_, "search near these coordinates: NAME=VALUE, several with commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    app()
        .add_option("--reach", options_.reach,
                    "largest change of a coordinate from there; taken from the model when absent")
        ->check(positive());
    app()
        .add_option("--digits", digits_, "of numbers that are printed (default 8)")
        ->check(CLI::Range(1, 17));
    app()
        .add_option("--starts", options_.starts, "points from which searches begin (default 24)")
        ->check(CLI::Range(1, 100000));
    app()
        .add_option("--max-seconds", options_.max_seconds,
                    "end the searches after so much wall time")
        ->check(positive());
  }

  int run() override {
    Problems problems{arguments_.file.string()};
    const PreparedModel prepared = prepare(arguments_, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);
    const Reading reading = reading_at_rest(prepared, averaging_.options(), problems);
    const NamedPlaces at = read_at(at_, problems);
    std::vector<Note> notes;
    SweepCase made = read_at_rest(prepared.compiled, reading, at, notes, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);
    if (made.status != Status::ok) {
      const Equilibria none{.status = made.status, .reason = made.reason};
      return report(prepared.compiled.system, prepared.compiled.given, prepared, reading, none);
    }
    options_.second_opinion = made.second_opinion;
    options_.cancel = &catch_interrupts();
    Equilibria all;
    {
      const ProgressLine progress{arguments_.json};
      options_.progress = progress.of_fraction();
      all = equilibria(made.system, made.near, options_);
    }
    all.notes.insert(all.notes.begin(), notes.begin(), notes.end());
    return report(made.system, made.near, prepared, reading, all);
  }

 private:
  int report(const System& system, const State& near, const PreparedModel& prepared,
             const Reading& reading, const Equilibria& all) const {
    const Structure& structure = system.structure();
    if (arguments_.json)
      fmt::print("{}",
                 equilibria_json(structure, all, prepared.model.name, std::string{reading.name()}));
    if (all.status != Status::ok) {
      const std::string_view hint =
          all.status == Status::iteration_limit
              ? "give another start with --at, a larger --reach, or more --starts"
              : all.hint();
      fmt::print(stderr, "taut: no equilibrium: {}\n", all.reason);
      if (!hint.empty()) fmt::print(stderr, "    {}\n", hint);
      return failed;
    }
    const int code = catch_interrupts() ? failed : done;
    if (arguments_.json) return code;
    fmt::print("{} ({})\n\n", prepared.model.name, reading.name());
    for (std::size_t k = 0; k < all.found.size(); ++k)
      print_equilibrium(k + 1, system, near, all.found[k], digits_);
    if (damped(structure, all))
      fmt::print("omega is that of the damped vibrations; 'taut modes' has their damping\n");
    for (const Note& note : all.notes) fmt::print(stderr, "note: {}\n", note.text());
    return code;
  }

  ModelArguments arguments_;
  AveragedArguments averaging_;
  std::vector<std::string> at_;
  EquilibriaOptions options_;
  int digits_ = 8;
};

}  // namespace

std::unique_ptr<Command> equilibria_command(CLI::App& program) {
  return std::make_unique<EquilibriaCommand>(program);
}

}  // namespace taut::cli
