// SPDX-License-Identifier: BSD-3-Clause
// The corpus of the fuzz target, run through the same function as there.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "read_model.hpp"

namespace taut {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

TEST(FuzzCorpus, NoFileBreaksTheReaderOrTheCompiler) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator{taut_SOURCE_DIR "/test/fuzz/corpus"}) {
    SCOPED_TRACE(entry.path().string());
    const Problems problems = fuzz::read_and_compile(contents(entry.path()));
    // files are called after what they are: good ones and bad ones
    const bool bad = entry.path().filename().string().starts_with("bad_");
    EXPECT_EQ(bad, !problems.empty()) << problems.message();
    for (const Problem& problem : problems.sorted()) EXPECT_FALSE(problem.remedy.empty());
    if (!bad) {
      Problems none;
      const Model model = read_model(contents(entry.path()), none);
      EXPECT_TRUE(fuzz::SizeCheck{model}.is_small()) << "it is never compiled";
    }
    ++files;
  }
  EXPECT_GE(files, 20);
}

}  // namespace
}  // namespace taut
