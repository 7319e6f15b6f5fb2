// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace taut::cli {

/// What the program returns to the shell.
enum Exit : int {
  done = 0,
  failed = 1,     ///< what was computed is on disk, and why it stopped is said
  bad_input = 2,  ///< nothing was computed, nothing written
};

/// A command of the program. Its constructor registers the options; run() does what it is for.
class Command {
 public:
  virtual ~Command() = default;
  [[nodiscard]] virtual int run() = 0;
  [[nodiscard]] bool chosen() const { return app_->parsed(); }

 protected:
  /// `about` is the line in the list of commands, `example` stands at the end of its help.
  Command(CLI::App& program, const char* name, const char* about, const char* example)
      : app_{program.add_subcommand(name, about)} {
    app_->footer(example);
  }
  [[nodiscard]] CLI::App& app() { return *app_; }

 private:
  CLI::App* app_;
};

std::unique_ptr<Command> run_command(CLI::App& program);
std::unique_ptr<Command> start_command(CLI::App& program);
std::unique_ptr<Command> check_command(CLI::App& program);
std::unique_ptr<Command> complete_command(CLI::App& program);
std::unique_ptr<Command> equilibria_command(CLI::App& program);
std::unique_ptr<Command> linearize_command(CLI::App& program);
std::unique_ptr<Command> modes_command(CLI::App& program);
std::unique_ptr<Command> periodic_command(CLI::App& program);
std::unique_ptr<Command> response_command(CLI::App& program);
std::unique_ptr<Command> compare_command(CLI::App& program);
std::unique_ptr<Command> spectrum_command(CLI::App& program);
std::unique_ptr<Command> sweep_command(CLI::App& program);
std::unique_ptr<Command> report_command(CLI::App& program);
std::unique_ptr<Command> play_command(CLI::App& program);
std::unique_ptr<Command> methods_command(CLI::App& program);
std::unique_ptr<Command> paper_command(CLI::App& program);

}  // namespace taut::cli
