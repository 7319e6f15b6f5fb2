// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "common.hpp"
#include "fit.hpp"
#include "gradient.hpp"
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
std::string unknown_command(const CLI::App& program, const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with('-')) return {};
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), words[0]) != names.end()) return {};
  const std::string near = nearest_name(words[0], names);
  return fmt::format("there is no command '{}'; {}", words[0],
                     near.empty() ? fmt::format("commands are: {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean '{}'?", near));
}

// A file that is opened must not become standard output: what is closed becomes a device. Standard
// output as one that cannot be written, so that it is said; messages nobody reads go nowhere.
void hold_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    // the lowest number that is free: this one
    if (::open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_RDWR) < 0) return;
  }
}

// An option that is none, with the one that was probably meant; empty where all are known.
std::string unknown_option(const CLI::App& command, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (int k = 2; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (!word.starts_with("--") || word.size() < 3) continue;
    const std::string given{word.substr(0, word.find('='))};
    if (std::find(names.begin(), names.end(), given) != names.end()) continue;
    const std::string near = nearest_name(given, names);
    return fmt::format("there is no option '{}'{}", given,
                       near.empty() ? "" : fmt::format(", did you mean '{}'?", near));
  }
  return {};
}

// `taut help`, `taut help run`: the same as --help behind them
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1));
  words.emplace_back("--help");
  return words;
}

int main(int argc, char** argv) {
  hold_standard_descriptors();
  // a file beyond the limit of its size is an error of writing it, not the end of the program
  std::signal(SIGXFSZ, SIG_IGN);
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
  const std::array commands{
      run_command(program),      start_command(program),      check_command(program),
      complete_command(program), equilibria_command(program), linearize_command(program),
      modes_command(program),    response_command(program),   periodic_command(program),
      spectrum_command(program), compare_command(program),    sweep_command(program),
      fit_command(program),      gradient_command(program),   optimize_command(program),
      report_command(program),   play_command(program),       methods_command(program),
      paper_command(program)};

  std::vector<std::string> words = words_of(argc, argv);
  if (const std::string what = unknown_command(program, words); !what.empty())
    return report_bad_input(what, wants_json(argc, argv));
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    program.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    std::string command;
    std::string what = error.what();
    for (const CLI::App* used : program.get_subcommands()) {
      command = " " + used->get_name();
      if (std::string unknown = unknown_option(*used, argc, argv); !unknown.empty())
        what = std::move(unknown);
    }
    return report_bad_input(
        fmt::format("{}; 'taut{} --help' shows what is possible", what, command),
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
  } catch (const std::bad_alloc&) {
    std::fputs(
        "taut: there is not enough memory: take a smaller model, fewer rows (--every), or raise "
        "the "
        "limit (ulimit -v)\n",
        stderr);
    return taut::cli::failed;
  } catch (const std::exception& error) {
    // standard output gone, or a mistake of the program itself
    std::fputs(("taut: " + std::string{error.what()} + "\n").c_str(), stderr);
    return taut::cli::failed;
  }
}
