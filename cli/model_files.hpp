// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

#include "command.hpp"
#include "common.hpp"
#include "results.hpp"

namespace taut::cli {

/// A model, and the folder of files that are written about it.
struct ModelFiles {
  ModelArguments model;
  std::filesystem::path out;

  /// --out; the options of the model are added apart.
  void add_out_to(CLI::App& app);

  /// Where they are written.
  [[nodiscard]] std::filesystem::path folder_of_results() const;

  /// Writes the files that `add(results)` adds, says where they are, and returns the exit code.
  template <class Add>
  [[nodiscard]] int write(const Add& add) const {
    const std::filesystem::path folder = folder_of_results();
    if (!make_folder(folder)) return failed;
    Results results{folder};
    add(results);
    results.commit();
    return report_files(results);
  }

 private:
  [[nodiscard]] int report_files(const Results& results) const;
};

}  // namespace taut::cli
