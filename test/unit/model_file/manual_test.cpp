// SPDX-License-Identifier: BSD-3-Clause
// The manual page of the model file states the schema, word by word.
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model_file_schema.hpp"
#include "taut/model/model_file.hpp"

namespace taut::model_file {
namespace {

std::string manual() {
  std::ifstream in{taut_SOURCE_DIR "/docs/manual/model-file.md"};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The table of a section, as it must stand in the manual.
std::string reference(const Section& section) {
  std::string text = fmt::format("### `{}`\n\n{}\n\n| key | holds | meaning |\n|---|---|---|\n",
                                 heading(section), section.meaning);
  for (const Key& key : section.keys) {
    text += fmt::format("| `{}`{} | {} | {} |\n", key.name, key.required ? " (required)" : "",
                        describe(key), key.meaning);
  }
  return text;
}

TEST(ModelFileManual, StatesEverySectionWithEveryKeyAndItsMeaning) {
  const std::string page = manual();
  ASSERT_FALSE(page.empty());
  for (const Section& section : schema()) {
    EXPECT_NE(page.find(reference(section)), std::string::npos)
        << "docs/manual/model-file.md must contain:\n"
        << reference(section);
  }
}

TEST(ModelFileManual, NamesEveryReservedName) {
  const std::string page = manual();
  for (const std::string& name : reserved_names()) {
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
  }
}

TEST(ModelFileManual, ExamplesAreRead) {
  const std::string page = manual();
  const std::regex block{"```toml\n([^`]*)```"};
  int examples = 0;
  for (auto it = std::sregex_iterator{page.begin(), page.end(), block};
       it != std::sregex_iterator{}; ++it) {
    Problems problems;
    (void)read_model((*it)[1].str(), problems);
    EXPECT_TRUE(problems.empty()) << (*it)[1].str() << problems.message();
    ++examples;
  }
  EXPECT_GE(examples, 8);
}

}  // namespace
}  // namespace taut::model_file
