// SPDX-License-Identifier: BSD-3-Clause
#include "registry.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <ostream>
#include <regex>
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

// those that take more than a second or two, or depend on how a solver's steps are rounded
bool is_left_out(std::string_view topic, std::string_view item) {
  static const std::set<std::pair<std::string_view, std::string_view>> left_out{
      {"stiff-rk", "software"},      {"slow-manifolds", "figure3"}, {"slow-manifolds", "figure4"},
      {"slow-manifolds", "figure5"}, {"slow-manifolds", "figure6"}, {"variational", "dna"},
      {"variational", "water-rdf"},  {"variational", "water-100"},  {"involutive", "tables5-6"},
      {"involutive", "tables11-12"}, {"involutive", "inexact"},     {"involutive", "speedups"},
  };
  return left_out.contains({topic, item});
}

std::vector<Item> quick_items() {
  std::vector<Item> quick;
  for (const Item& item : items())
    if (!is_left_out(item.topic, item.name)) quick.push_back(item);
  return quick;
}

/// What rows had when they were last looked at, verdict and value, by topic, item and row. Not
/// truth: a guard against changes that nobody wanted. Made anew by
///
///   rm test/papers/kept.txt; TAUT_KEEP=test/papers/kept.txt taut_papers_test --gtest_filter=Quick*
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
                       row.volatile_value ? std::nan("") : row.obtained);
    return;
  }
  const auto found = kept().find({key, row.name});
  ASSERT_NE(found, kept().end()) << row.name << ": not in " << TAUT_KEPT;
  if (std::isnan(found->second.value)) return;  // not the same in every run
  EXPECT_EQ(name(verdict(row)), found->second.verdict) << row.name << ": " << row.obtained;
  EXPECT_NEAR(row.obtained, found->second.value, 2e-3 * std::abs(found->second.value) + 1e-13)
      << row.name;
}

/// What the page of a laboratory says under "What contradicts" and "What differs", in small
/// letters.
std::string explanations(std::string_view topic) {
  std::ifstream file{fmt::format("{}/docs/manual/{}-laboratory.md", TAUT_ROOT, topic)};
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## "))
      inside = line == "## What contradicts" || line == "## What differs";
    if (inside) text += line + "\n";
  }
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Whether one of the places of a source, as "Table 6" or "(38)", is spoken of: its words or its
/// number.
bool is_explained(const std::string& text, const std::string& source) {
  std::string small = source;
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::regex number{"[0-9]+(\\.[0-9]+)*"};
  std::istringstream places{small};
  for (std::string place; std::getline(places, place, ',');) {
    place.erase(0, place.find_first_not_of(' '));
    if (text.find(place) != std::string::npos) return true;
    std::smatch found;
    if (!std::regex_search(place, found, number)) continue;
    const std::string n = std::regex_replace(found.str(), std::regex{"\\."}, "\\.");
    if (std::regex_search(text, std::regex{"(^|[^0-9.])" + n + "($|[^0-9.]|\\.[^0-9])"}))
      return true;
  }
  return false;
}

class PaperItem : public ::testing::TestWithParam<Item> {};

TEST_P(PaperItem, SaysOfEachRowWhereItComesFromAndWhy) {
  std::set<std::string> names;
  const std::string explained = explanations(GetParam().topic);
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
    if (found == Verdict::differs || found == Verdict::contradicts) {
      EXPECT_FALSE(row.evidence.empty()) << row.obtained << ", published " << *row.published;
      EXPECT_TRUE(is_explained(explained, row.source)) << row.source << ": not in the manual";
    }
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

INSTANTIATE_TEST_SUITE_P(Quick, PaperItem, ::testing::ValuesIn(quick_items()),
                         [](const auto& given) {
                           std::string name{given.param.topic};
                           name.append("_").append(given.param.name);
                           for (char& c : name)
                             if (c == '-' || c == '.') c = '_';
                           return name;
                         });

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
