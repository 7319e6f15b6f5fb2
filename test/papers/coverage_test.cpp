// SPDX-License-Identifier: BSD-3-Clause
#include "coverage.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "registry.hpp"

namespace taut::papers {
namespace {

std::vector<std::string> parts(std::string_view list) {
  std::vector<std::string> result;
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    result.emplace_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 2);
  }
  return result;
}

TEST(PaperCoverage, NamesItemsThatExistAndEveryItem) {
  for (const Topic& topic : topics()) {
    std::set<std::string> there, named;
    for (const Item& item : items())
      if (item.topic == topic.name) there.emplace(item.name);
    EXPECT_GE(coverage(topic.name).size(), 20u) << topic.name;
    for (const Covered& row : coverage(topic.name))
      for (const std::string& item : parts(row.items)) {
        EXPECT_TRUE(there.contains(item)) << topic.name << ' ' << row.what << ": " << item;
        named.insert(item);
      }
    for (const std::string& item : there)
      EXPECT_TRUE(named.contains(item)) << topic.name << ' ' << item << " is not in its coverage";
  }
  EXPECT_TRUE(coverage("no such topic").empty());
}

TEST(PaperCoverage, HasAPlaceOrAReasonForEverything) {
  for (const Topic& topic : topics())
    for (const Covered& row : coverage(topic.name)) {
      SCOPED_TRACE(row.what);
      EXPECT_TRUE(!row.items.empty() || !row.reason.empty());
      EXPECT_TRUE(row.items.empty() || !row.where.empty());
      for (const std::string& place : parts(row.where))
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::path{TAUT_ROOT} / place)) << place;
    }
}

TEST(PaperCoverage, IsWhatTheDocumentationShows) {
  for (const Topic& topic : topics()) {
    const auto file =
        std::filesystem::path{TAUT_ROOT} / "docs/papers" / (std::string{topic.name} + ".md");
    std::ifstream in{file};
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_EQ(text.str(), coverage_page(topic.name)) << file << ": run ./taut docs";
  }
}

}  // namespace
}  // namespace taut::papers
