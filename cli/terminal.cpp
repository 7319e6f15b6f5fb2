// SPDX-License-Identifier: BSD-3-Clause
#include "terminal.hpp"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace taut::cli {
namespace {

// without setting the locale of the program, which numbers are written in
bool locale_is_utf8() {
  const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale == nullptr) return false;
  const bool utf8 = std::string_view{::nl_langinfo_l(CODESET, locale)} == "UTF-8";
  ::freelocale(locale);
  return utf8;
}

}  // namespace

Terminal terminal(int descriptor) {
  Terminal found{.is_one = ::isatty(descriptor) == 1};
  if (!found.is_one) return found;
  const char* const kind = std::getenv("TERM");
  found.escapes = kind == nullptr || std::string_view{kind} != "dumb";
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) found.width = size.ws_col;
  found.unicode = locale_is_utf8();
  return found;
}

std::string painted(int descriptor, Color color, std::string_view text) {
  const char* const none = std::getenv("NO_COLOR");
  const bool wanted = none == nullptr || *none == '\0';
  if (!wanted || !terminal(descriptor).escapes) return std::string{text};
  const char* const code = color == Color::red ? "31" : color == Color::green ? "32" : "33";
  return "\x1b[1;" + std::string{code} + "m" + std::string{text} + "\x1b[0m";
}

}  // namespace taut::cli
