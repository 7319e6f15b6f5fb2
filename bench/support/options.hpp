// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut::bench {

/// Options of a benchmark's command line: flags, and words followed by a value.
class Options {
 public:
  Options& flag(std::string_view word, bool& to);
  Options& number(std::string_view word, double& to);
  Options& text(std::string_view word, std::string& to);

  /// Fills in what the command line says; throws with `usage` where it says anything else.
  void read(int count, char** words, const std::string& usage) const;

 private:
  struct Option {
    std::string_view word;
    bool* flag = nullptr;
    double* number = nullptr;
    std::string* text = nullptr;
  };
  std::vector<Option> options_;
};

}  // namespace taut::bench
