// SPDX-License-Identifier: BSD-3-Clause
#include "registry.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut::papers {

// how a failing test names its parameter
void PrintTo(const Item& item, std::ostream* out) { *out << item.topic << ' ' << item.name; }

namespace {

TEST(PaperRegistry, EveryItemBelongsToATopicAndIsThereOnce) {
  std::set<std::string_view> known;
  for (const Topic& topic : topics()) EXPECT_TRUE(known.insert(topic.name).second) << topic.name;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Item& item : items()) {
    EXPECT_TRUE(known.contains(item.topic)) << item.topic;
    EXPECT_TRUE(seen.insert({item.topic, item.name}).second) << item.name;
    EXPECT_FALSE(item.about.empty());
  }
}

// those that take more than a second or two, or depend on how a solver's steps are rounded
bool is_left_out(const Item& item) {
  static const std::set<std::pair<std::string_view, std::string_view>> left_out{
      {"stiff-rk", "software"},      {"slow-manifolds", "figure3"}, {"slow-manifolds", "figure4"},
      {"slow-manifolds", "figure5"}, {"slow-manifolds", "figure6"}, {"variational", "dna"},
      {"variational", "water-rdf"},  {"involutive", "tables5-6"},   {"involutive", "tables11-12"},
  };
  return left_out.contains({item.topic, item.name});
}

std::vector<Item> quick_items() {
  std::vector<Item> quick;
  for (const Item& item : items())
    if (!is_left_out(item)) quick.push_back(item);
  return quick;
}

class PaperItem : public ::testing::TestWithParam<Item> {};

TEST_P(PaperItem, AgreesRowByRow) {
  std::set<std::string> names;
  for (const Row& row : GetParam().compute()) {
    EXPECT_TRUE(names.insert(row.name).second) << "twice: " << row.name;
    EXPECT_NE(verdict(row), "failed") << row.name;
    EXPECT_NE(verdict(row), "differs")
        << row.name << ": " << row.obtained << ", known " << row.reference.value_or(0.0)
        << ", published " << row.published.value_or(0.0);
    EXPECT_TRUE((verdict(row) != "misprint" && verdict(row) != "open") || !row.note.empty())
        << row.name;
  }
  EXPECT_GE(names.size(), 5u);
}
INSTANTIATE_TEST_SUITE_P(Quick, PaperItem, ::testing::ValuesIn(quick_items()),
                         [](const auto& given) {
                           std::string name{given.param.topic};
                           name.append("_").append(given.param.name);
                           for (char& c : name)
                             if (c == '-' || c == '.') c = '_';
                           return name;
                         });

std::vector<std::string> misprints(std::string_view name) {
  std::vector<std::string> found;
  for (const Item& item : items())
    if (item.topic == "slow-manifolds" && item.name == name)
      for (const Row& row : item.compute())
        if (verdict(row) == "misprint") found.push_back(row.name);
  return found;
}

TEST(SlowManifolds, MisprintsOfTheTableAndOfTheMultipliersAreNamed) {
  EXPECT_EQ(misprints("table1"), (std::vector<std::string>{"omega = 1000, iteration 1: g1'",
                                                           "omega = 10000, iteration 2: g2"}));
  EXPECT_EQ(misprints("multipliers").size(), 2u);
  EXPECT_TRUE(misprints("points").empty());
}

}  // namespace
}  // namespace taut::papers
