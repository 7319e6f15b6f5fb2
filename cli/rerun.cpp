// SPDX-License-Identifier: BSD-3-Clause
#include "rerun.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>

#include "interrupt.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;
using Times = std::map<fs::path, fs::file_time_type>;

// of the model and of the tables and meshes beside it that it names
Times saved(const fs::path& file) {
  std::error_code ignored;  // what is being saved just now is looked at again
  Times times{{file, fs::last_write_time(file, ignored)}};
  std::ifstream stream{file};
  const std::string text{std::istreambuf_iterator<char>{stream}, {}};
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path{"."};
  for (const fs::directory_entry& beside : fs::directory_iterator{folder, ignored})
    if (beside.is_regular_file(ignored) &&
        text.find('"' + beside.path().filename().string() + '"') != std::string::npos)
      times[beside.path()] = beside.last_write_time(ignored);
  return times;
}

int in_a_process(const std::function<int()>& once) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return once();
  if (child == 0) {
    const int code = once();
    std::fflush(nullptr);
    std::_Exit(code);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return EXIT_FAILURE;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

}  // namespace

int rerun(const fs::path& file, const std::function<int()>& once) {
  const std::atomic<bool>& interrupted = catch_interrupts();
  for (;;) {
    const Times before = saved(file);
    const int code = in_a_process(once);
    if (!interrupted)
      fmt::print(stderr, "\n{} is run again when it is saved (Ctrl-C ends this)\n", file.string());
    while (!interrupted && saved(file) == before)
      std::this_thread::sleep_for(std::chrono::milliseconds{200});
    if (interrupted) return code;
  }
}

}  // namespace taut::cli
