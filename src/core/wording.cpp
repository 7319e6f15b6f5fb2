// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/wording.hpp"

#include <algorithm>
#include <atomic>

namespace taut {
namespace {

std::atomic<Dialect> dialect_of_process{Dialect::cpp};

void put_option(std::string_view name, std::string_view value, Dialect dialect, std::string& to) {
  std::string spelled{name};
  std::replace(spelled.begin(), spelled.end(), ' ', dialect == Dialect::command_line ? '-' : '_');
  const bool bare = value.empty();
  switch (dialect) {
    case Dialect::cpp:
      to += "." + spelled + (bare ? "" : " = ");
      break;
    case Dialect::command_line:
      to += "--" + spelled + (bare ? "" : " ");
      break;
    case Dialect::python:
      // a word of the language
      to += spelled + (spelled == "from" ? "_=" : "=");
      break;
  }
  to += value;
}

}  // namespace

void speak(Dialect dialect) { dialect_of_process.store(dialect, std::memory_order_relaxed); }

Dialect spoken() { return dialect_of_process.load(std::memory_order_relaxed); }

std::string worded(std::string_view sentence) {
  const Dialect dialect = spoken();
  constexpr std::string_view opening = "<<", closing = ">>", between = ": ";
  std::string text;
  while (true) {
    const std::size_t begin = sentence.find(opening);
    if (begin == std::string_view::npos) break;
    const std::size_t end = sentence.find(closing, begin);
    if (end == std::string_view::npos) break;
    text += sentence.substr(0, begin);
    const std::string_view option = sentence.substr(begin + 2, end - begin - 2);
    const std::size_t colon = option.find(between);
    const bool bare = colon == std::string_view::npos;
    put_option(option.substr(0, colon), bare ? std::string_view{} : option.substr(colon + 2),
               dialect, text);
    sentence.remove_prefix(end + 2);
  }
  return text += sentence;
}

}  // namespace taut
