// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <algorithm>
#include <stdexcept>

namespace taut::bench {

Options& Options::flag(std::string_view word, bool& to) {
  options_.push_back({.word = word, .flag = &to});
  return *this;
}

Options& Options::number(std::string_view word, double& to) {
  options_.push_back({.word = word, .number = &to});
  return *this;
}

Options& Options::text(std::string_view word, std::string& to) {
  options_.push_back({.word = word, .text = &to});
  return *this;
}

void Options::read(int count, char** words, const std::string& usage) const {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto option = std::find_if(options_.begin(), options_.end(),
                                     [&](const Option& known) { return known.word == word; });
    const bool known = option != options_.end();
    if (known && option->flag != nullptr)
      *option->flag = true;
    else if (known && i + 1 < count && option->number != nullptr)
      *option->number = std::stod(words[++i]);
    else if (known && i + 1 < count && option->text != nullptr)
      *option->text = words[++i];
    else
      throw std::runtime_error{usage};
  }
}

}  // namespace taut::bench
