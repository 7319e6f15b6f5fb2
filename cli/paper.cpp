// SPDX-License-Identifier: BSD-3-Clause
#include "paper.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "common.hpp"

namespace taut::cli {
namespace {

// listed with the other commands, and never run: main() hands over before the options are read
class Paper final : public Command {
 public:
  explicit Paper(CLI::App& program)
      : Command{program, "paper", "the papers' tables and figures, computed when asked", ""} {}
  int run() override { return failed; }
};

}  // namespace

std::unique_ptr<Command> paper_command(CLI::App& program) {
  return std::make_unique<Paper>(program);
}

int become_paper(char** arguments, bool json) {
  std::error_code unknown;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  program.replace_filename("taut-paper");
  // the arguments, the terminal, signals and the exit code are then its own
  execv(program.c_str(), arguments);
  return report_bad_input("the papers are a program of their own, taut-paper, which is not at " +
                              program.string() +
                              "; './taut paper' in the source folder builds it, and so does the "
                              "target taut_paper",
                          json);
}

}  // namespace taut::cli
