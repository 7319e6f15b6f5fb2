// SPDX-License-Identifier: BSD-3-Clause
#include "open_page.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "terminal.hpp"

namespace taut::cli {
namespace {

#ifdef __APPLE__
constexpr const char* opener = "open";
bool has_display() { return true; }
#else
constexpr const char* opener = "xdg-open";
bool set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}
bool has_display() { return set("DISPLAY") || set("WAYLAND_DISPLAY"); }
#endif

// what a browser says is none of the program's words
[[noreturn]] void become_opener(const std::string& page) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (nowhere >= 0) ::dup2(nowhere, descriptor);
  ::setsid();
  ::execlp(opener, opener, page.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

}  // namespace

bool open_page(const std::string& page) {
  if (!terminal(STDERR_FILENO).is_one || !has_display()) return false;
  const pid_t first = ::fork();
  if (first < 0) return false;
  if (first == 0) {
    // nobody waits for the second: it may live as long as the browser
    if (::fork() == 0) become_opener(page);
    ::_exit(0);
  }
  int ended = 0;
  return ::waitpid(first, &ended, 0) == first;
}

}  // namespace taut::cli
