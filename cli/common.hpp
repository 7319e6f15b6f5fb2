// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/run/summary.hpp"
#include "taut/simulation/plan.hpp"

namespace taut::cli {

/// Options of every command that reads a model.
struct ModelArguments {
  std::filesystem::path file;
  std::vector<std::string> settings;  ///< name=value
  std::string reading, omega;         ///< empty: as the model says
  bool json = false;
  bool jets = false;           ///< the command knows what to do with a model that has [jets]
  bool any_equations = false;  ///< and with fewer equations than unknowns in it

  void add_to(CLI::App& app);

  /// What they say; mistakes go to `problems`.
  [[nodiscard]] SimulationOptions options(Problems& problems) const;
};

/// The model, as its file states it but for --reading where that is no reading: it is then found
/// with all other mistakes.
[[nodiscard]] Model read_model(const ModelArguments& arguments, Problems& problems);

/// Reads and compiles a model with the options of its command. Mistakes of the file and of the
/// command line go to `problems` together; the result may only be used when there is none.
[[nodiscard]] PreparedModel prepare(const ModelArguments& arguments, Problems& problems);

/// Whether the command knows what to do with a model that has [jets]: what it does not goes to
/// `problems`.
void check_jets_apply(const ModelArguments& arguments, const PreparedModel& prepared,
                      Problems& problems);

/// Checks of options: a number above 0, or one that is not below. (CLI::PositiveNumber says what it
/// takes with the 309 digits of the largest number.)
[[nodiscard]] CLI::Validator positive();
[[nodiscard]] CLI::Validator not_negative();

/// Check of a format: h5 only where the library can write it.
[[nodiscard]] CLI::Validator built_in();

/// A number, or an expression; nothing where the text is empty.
[[nodiscard]] Value parse_value(const std::string& text);
[[nodiscard]] std::optional<Value> parse_optional(const std::string& text);

/// Says what is wrong with the input on standard error, and as JSON on standard output when asked.
/// Returns the exit code.
int report_bad_input(const Problems& problems, bool json);

/// The same for a mistake that is none of the model.
int report_bad_input(const std::string& what, bool json);

/// Says on standard error what a start had to change and which constraints are redundant.
void report_start(const Moved& all, const std::vector<std::string>& redundant);

}  // namespace taut::cli
