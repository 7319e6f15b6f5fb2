// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/model/compile.hpp"
#include "taut/run/summary.hpp"

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
};

/// A model with the command line applied to it.
struct Loaded {
  std::string text;  ///< of the file
  Model model;
  CompiledModel compiled;
  std::string reading;  ///< as-written, rigid, penalized, slow or averaged
  System system;        ///< the reading, or what the slow and averaged ones are made of; compliant
                        ///< constraints are rows with C > 0
  bool omega_given = false;  ///< with --omega or in [run], not as a parameter alone
};

/// Reads, edits and compiles a model. Mistakes of the file and of the command line go to `problems`
/// together; the result may only be used when there is none. `edit` changes the model before it is
/// compiled.
[[nodiscard]] Loaded load(const ModelArguments& arguments, Problems& problems,
                          const std::function<void(Model&)>& edit = {});

/// The same model with other values of some parameters, compiled again.
[[nodiscard]] Loaded with_values(const Loaded& loaded,
                                 const std::vector<std::pair<std::string, double>>& values,
                                 Problems& problems);

/// Checks of options: a number above 0, or one that is not below. (CLI::PositiveNumber says what it
/// takes with the 309 digits of the largest number.)
[[nodiscard]] CLI::Validator positive();
[[nodiscard]] CLI::Validator not_negative();

/// A number, or an expression.
[[nodiscard]] Value parse_value(const std::string& text);

/// Says what is wrong with the input on standard error, and as JSON on standard output when asked.
/// Returns the exit code.
int report_bad_input(const Problems& problems, bool json);

/// The same for a mistake that is none of the model.
int report_bad_input(const std::string& what, bool json);

/// Says on standard error what a start had to change and which constraints are redundant.
void report_start(const Moved& moved, const std::vector<std::string>& redundant);

}  // namespace taut::cli
