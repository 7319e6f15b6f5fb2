// SPDX-License-Identifier: BSD-3-Clause
// The manual page of the model file states the schema, word by word.
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/element_descriptor.hpp"
#include "model/model_file_schema.hpp"
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

TEST(ModelFileManual, StatesEverySectionWithEveryKeyAndItsMeaningAndNothingElse) {
  const std::string page = manual();
  const auto begin = page.find("### `");
  ASSERT_NE(begin, std::string::npos);
  std::string rest = page.substr(begin);
  for (const Section& section : schema()) {
    const std::string stated = reference(section);
    ASSERT_TRUE(rest.starts_with(stated)) << "docs/manual/model-file.md must go on with:\n"
                                          << stated << "\nand not with:\n"
                                          << rest.substr(0, stated.size());
    rest.erase(0, stated.size());
    if (!rest.empty()) {
      ASSERT_EQ(rest.front(), '\n') << rest;
      rest.erase(0, 1);
    }
  }
  EXPECT_EQ(rest, "");
}

// What the manual says of an absent key is what the element has when nobody gives it: the words
// come from the element itself, so that this is about them, and not about how they are made.
TEST(ModelFileManual, SaysWhatStandsInForAnAbsentKey) {
  const auto meaning = [](std::string_view section, std::string_view key) {
    return find_section(section)->find(key)->meaning;
  };
  EXPECT_EQ(meaning("rod", "compliance"), "compliance [m/N]; 0 when absent: rigid");
  EXPECT_EQ(
      meaning("rod", "length"),
      "length [m], of t, inputs and coordinates where it changes; the distance at the start when "
      "absent");
  EXPECT_EQ(meaning("chain", "name"), "NAME of its points; link when absent");
  EXPECT_EQ(meaning("chain", "from"),
            "point or anchor the first link hangs on; origin when absent");
  EXPECT_EQ(meaning("event", "action"), "what happens then; record when absent");
  EXPECT_EQ(meaning("spring", "stiffness"), "stiffness [N/m]");
}

// one place: every kind of element a model can hold is in the file, but for what only C++ can state
TEST(ModelFileManual, EveryElementHasItsSection) {
  std::size_t in_files = 0;
  for (const ElementDescriptor* element : element_descriptors()) {
    if (element->key.empty()) {
      EXPECT_TRUE(std::holds_alternative<Functor>(element->blank));
      continue;
    }
    ++in_files;
    const Section* section = find_section(element->key);
    ASSERT_NE(section, nullptr) << element->key;
    EXPECT_EQ(section->element, element);
    EXPECT_EQ(kind_of({.what = element->blank, .name = {}, .position = {}, .repeat = {}}),
              element->key);
  }
  EXPECT_EQ(in_files, std::variant_size_v<AnyElement> - 1);
}

TEST(ModelFileManual, NamesEveryReservedName) {
  const std::string page = manual();
  for (const std::string& name : reserved_names()) {
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace taut::model_file
