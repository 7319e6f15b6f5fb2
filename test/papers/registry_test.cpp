// SPDX-License-Identifier: BSD-3-Clause
#include "registry.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "independent.hpp"

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

// those that take more than a second or two, or depend on how a solver's steps are rounded: of what
// they obtain the verdict alone is kept
bool is_slow(std::string_view topic, std::string_view item) {
  static const std::set<std::pair<std::string_view, std::string_view>> slow{
      {"stiff-rk", "software"},      {"slow-manifolds", "figure3"}, {"slow-manifolds", "figure4"},
      {"slow-manifolds", "figure5"}, {"slow-manifolds", "figure6"}, {"variational", "dna"},
      {"variational", "water-rdf"},  {"variational", "water-100"},  {"involutive", "tables5-6"},
      {"involutive", "tables11-12"}, {"involutive", "inexact"},     {"involutive", "speedups"},
  };
  return slow.contains({topic, item});
}

std::vector<Item> items_that_are(bool slow) {
  std::vector<Item> found;
  for (const Item& item : items())
    if (is_slow(item.topic, item.name) == slow) found.push_back(item);
  return found;
}

/// What rows had when they were last looked at, verdict and value, by topic, item and row. Not
/// truth: a guard against changes that nobody wanted. A value of nan is not the same in every run,
/// nor is the verdict; of inf, the verdict is. Made anew by
///
///   rm test/papers/kept.txt; TAUT_KEEP=test/papers/kept.txt taut_papers_test
///   --gtest_filter=*Item.*
struct Kept {
  std::string verdict;
  double value = 0.0;
};
using Key = std::pair<std::string, std::string>;  // "topic item", row

const std::map<Key, Kept>& kept() {
  static const std::map<Key, Kept> rows = [] {
    std::map<Key, Kept> read;
    std::ifstream file{TAUT_KEPT};
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields{line};
      std::string item, row, verdict, value;
      std::getline(fields, item, '\t');
      std::getline(fields, row, '\t');
      std::getline(fields, verdict, '\t');
      std::getline(fields, value);
      read[{item, row}] = {verdict, std::strtod(value.c_str(), nullptr)};
    }
    return read;
  }();
  return rows;
}

void expect_as_kept(const Item& item, const Row& row) {
  const std::string key = fmt::format("{} {}", item.topic, item.name);
  if (const char* file = std::getenv("TAUT_KEEP")) {
    std::ofstream{file, std::ios::app}
        << fmt::format("{}\t{}\t{}\t{:.7g}\n", key, row.name, name(verdict(row)),
                       row.volatile_value               ? std::nan("")
                       : is_slow(item.topic, item.name) ? std::numeric_limits<double>::infinity()
                                                        : row.obtained);
    return;
  }
  const auto found = kept().find({key, row.name});
  ASSERT_NE(found, kept().end()) << row.name << ": not in " << TAUT_KEPT;
  if (std::isnan(found->second.value)) return;  // not the same in every run
  EXPECT_EQ(name(verdict(row)), found->second.verdict) << row.name << ": " << row.obtained;
  if (std::isinf(found->second.value)) return;
  EXPECT_NEAR(row.obtained, found->second.value, 2e-3 * std::abs(found->second.value) + 1e-13)
      << row.name;
}

/// The paragraphs of a laboratory's page under "What contradicts" or "What differs", by heading.
std::map<std::string, std::string> paragraphs(std::string_view topic, std::string_view section) {
  std::ifstream file{fmt::format("{}/docs/manual/{}-laboratory.md", TAUT_ROOT, topic)};
  std::map<std::string, std::string> found;
  bool inside = false;
  std::string heading;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      inside = line.substr(3) == section;
      heading.clear();
    } else if (inside && line.starts_with("### ")) {
      heading = line.substr(4);
      found[heading];
    } else if (inside && !heading.empty() && !line.starts_with("<!--")) {
      found[heading] += line;
    }
  }
  return found;
}

constexpr const char* what_contradicts = "What contradicts";
constexpr const char* what_differs = "What differs";

/// Whether the manual has the evidence of a row that is not what is printed.
void expect_explained(std::string_view topic, const Row& row) {
  ASSERT_TRUE(is_explained(row));
  EXPECT_FALSE(row.evidence.empty()) << row.obtained << ", published " << *row.published;
  const auto there =
      paragraphs(topic, verdict(row) == Verdict::contradicts ? what_contradicts : what_differs);
  const auto found = there.find(row.heading);
  ASSERT_NE(found, there.end()) << "'" << row.heading << "' is no heading of the manual there";
  EXPECT_GE(found->second.size(), 100u) << "is this the evidence? " << found->second;
}

class PaperItem : public ::testing::TestWithParam<Item> {};

TEST_P(PaperItem, SaysOfEachRowWhereItComesFromAndWhy) {
  std::set<std::string> names;
  for (const Row& row : computed(GetParam()).rows) {
    SCOPED_TRACE(row.name);
    EXPECT_TRUE(names.insert(row.name).second) << "twice";
    const Verdict found = verdict(row);
    EXPECT_NE(found, Verdict::failed);
    EXPECT_TRUE(meets_reference(row))
        << row.obtained << ", " << row.independent << " has " << row.reference.value_or(0.0);
    // print has a place and a rule, and nothing else has a place in print
    EXPECT_EQ(row.published.has_value(), !row.source.empty());
    EXPECT_EQ(row.published.has_value() || row.reference.has_value(),
              row.tolerance.rule != Rule::none);
    EXPECT_TRUE(row.statement.empty() || row.published);
    if (is_explained(row)) expect_explained(GetParam().topic, row);
    if (row.print_at_odds) {
      EXPECT_EQ(found, Verdict::contradicts) << row.obtained;
    }
    expect_as_kept(GetParam(), row);
  }
  EXPECT_GE(names.size(), 5u);
  for (const IndependentValue& value : independent_values())
    if (value.topic == GetParam().topic && value.item == GetParam().name) {
      EXPECT_TRUE(names.contains(value.row)) << value.program << ": " << value.row;
    }
}

std::string test_name(const ::testing::TestParamInfo<Item>& given) {
  std::string name{given.param.topic};
  name.append("_").append(given.param.name);
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Quick, PaperItem, ::testing::ValuesIn(items_that_are(false)), test_name);
INSTANTIATE_TEST_SUITE_P(Slow, PaperItem, ::testing::ValuesIn(items_that_are(true)), test_name);

// the other way round: what the manual explains, rows still say
TEST(PaperRegistry, WhatTheManualExplainsRowsSay) {
  for (const Topic& topic : topics()) {
    std::string folder{topic.name}, sources;
    for (char& c : folder)
      if (c == '-') c = '_';
    for (const auto& entry :
         std::filesystem::directory_iterator{fmt::format("{}/papers/{}", TAUT_ROOT, folder)}) {
      std::ifstream file{entry.path()};
      sources.append(std::istreambuf_iterator<char>{file}, {});
    }
    for (const char* section : {what_contradicts, what_differs})
      for (const auto& [heading, text] : paragraphs(topic.name, section))
        EXPECT_NE(sources.find('"' + heading + '"'), std::string::npos)
            << topic.name << ": no row has '" << heading << "'";
  }
}

TEST(PaperRegistry, IndependentValuesBelongToItems) {
  EXPECT_GE(independent_values().size(), 100u);
  for (const IndependentValue& value : independent_values()) {
    bool found = false;
    for (const Item& item : items()) found |= item.topic == value.topic && item.name == value.item;
    EXPECT_TRUE(found) << value.program << ": " << value.topic << ' ' << value.item;
    EXPECT_GE(value.within, 0.0) << value.row;
  }
}

std::vector<std::string> contradictions(std::string_view name) {
  std::vector<std::string> found;
  for (const Item& item : items())
    if (item.topic == "slow-manifolds" && item.name == name)
      for (const Row& row : item.compute().rows)
        if (verdict(row) == Verdict::contradicts) found.push_back(row.name);
  return found;
}

TEST(SlowManifolds, MisprintsOfTheTableAndOfTheMultipliersAreNamed) {
  EXPECT_EQ(contradictions("table1"), (std::vector<std::string>{"omega = 1000, iteration 1: g1'",
                                                                "omega = 10000, iteration 2: g2"}));
  EXPECT_EQ(contradictions("multipliers").size(), 1u);
  EXPECT_TRUE(contradictions("points").empty());
}

}  // namespace
}  // namespace taut::papers
