// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "common.hpp"
#include "paper.hpp"
#include "taut/core/wording.hpp"
#include "taut/version.hpp"

namespace taut::cli {
namespace {

// before the options are parsed, or when they cannot be
bool wants_json(int argc, char** argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* word) { return std::string_view{word} == "--json"; });
}

// a word that is no command, with the command that was probably meant; empty when all is well
std::string unknown_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return {};
  const std::string near = nearest_name(argv[1], names);
  return fmt::format("there is no command '{}'; {}", argv[1],
                     near.empty() ? fmt::format("commands are: {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean '{}'?", near));
}

int main(int argc, char** argv) {
  speak(Dialect::command_line);
  if (argc > 1 && std::string_view{argv[1]} == "paper")
    return become_paper(argv + 1, wants_json(argc, argv));
  CLI::App program{
      "taut computes the motion of stiff, vibrating and constrained mechanical systems.", "taut"};
  program.set_version_flag("--version", "taut " + std::string{version()});
  program.require_subcommand(1);
  program.footer(
      "Example: taut run models/double_pendulum.toml\n"
      "'taut COMMAND --help' has the options of a command.");
  const std::array commands{run_command(program),        start_command(program),
                            check_command(program),      complete_command(program),
                            equilibria_command(program), compare_command(program),
                            sweep_command(program),      report_command(program),
                            methods_command(program),    paper_command(program)};

  if (const std::string what = unknown_command(program, argc, argv); !what.empty())
    return report_bad_input(what, wants_json(argc, argv));
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    std::string command;
    for (const CLI::App* used : program.get_subcommands()) command = " " + used->get_name();
    return report_bad_input(
        fmt::format("{}; 'taut{} --help' shows what is possible", error.what(), command),
        wants_json(argc, argv));
  }
  const auto chosen = std::find_if(commands.begin(), commands.end(),
                                   [](const auto& command) { return command->chosen(); });
  const int code = (*chosen)->run();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "taut: standard output cannot be written: {}\n", std::strerror(errno));
  return code == done ? failed : code;
}

}  // namespace
}  // namespace taut::cli

int main(int argc, char** argv) {
  try {
    return taut::cli::main(argc, argv);
  } catch (const std::exception& error) {
    // out of memory, standard output gone, or a mistake of the program itself
    fmt::print(stderr, "taut: {}\n", error.what());
    return taut::cli::failed;
  }
}
