// SPDX-License-Identifier: BSD-3-Clause
#include "registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace taut::papers {
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

class StiffRkItem : public ::testing::TestWithParam<const char*> {};

TEST_P(StiffRkItem, AgreesRowByRow) {
  for (const Item& item : items()) {
    if (item.topic != "stiff-rk" || item.name != GetParam()) continue;
    std::set<std::string> names;
    for (const Row& row : item.compute()) {
      EXPECT_TRUE(names.insert(row.name).second) << "twice: " << row.name;
      EXPECT_NE(verdict(row), "failed") << row.name;
      EXPECT_NE(verdict(row), "differs")
          << row.name << ": " << row.obtained << ", known " << row.reference.value_or(0.0);
    }
    EXPECT_GE(names.size(), 20u);
    return;
  }
  FAIL() << "no such item";
}
INSTANTIATE_TEST_SUITE_P(All, StiffRkItem,
                         ::testing::Values("orders", "plateau", "damping", "start", "newton",
                                           "estimator", "general-potential"),
                         [](const auto& given) {
                           std::string name = given.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace taut::papers
