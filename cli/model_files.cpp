// SPDX-License-Identifier: BSD-3-Clause
#include "model_files.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace taut::cli {

void ModelFiles::add_out_to(CLI::App& app) {
  app.add_option("--out", out, "folder of these files; default out/MODEL");
}

std::filesystem::path ModelFiles::folder_of_results() const {
  return out.empty() ? std::filesystem::path{"out"} / model.file.stem() : out;
}

int ModelFiles::report_files(const Results& results) const {
  if (!model.json) {
    std::vector<std::string> files;
    for (const std::filesystem::path& file : results.files()) files.push_back(file.string());
    if (!files.empty()) fmt::print("\nwritten: {}\n", fmt::join(files, ", "));
  }
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return results.problems().empty() ? done : failed;
}

}  // namespace taut::cli
