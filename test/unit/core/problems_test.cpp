// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/problems.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

TEST(Problems, AreReportedAllAtOnceInFileOrder) {
  Problems problems{"a.toml"};
  EXPECT_TRUE(problems.empty());
  EXPECT_NO_THROW(problems.throw_if_any());
  problems.add({7, 3}, "rod 2: length", "is -1", "give a length > 0");
  problems.add({2, 9}, "points: bob", "has no mass", "add mass = ...");
  problems.add({7, 1}, "rod 2", "has no end", "give between = [a, b]");
  try {
    problems.throw_if_any();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string{error.what()},
              "a.toml:2:9: points: bob: has no mass\n    add mass = ...\n"
              "a.toml:7:1: rod 2: has no end\n    give between = [a, b]\n"
              "a.toml:7:3: rod 2: length: is -1\n    give a length > 0\n"
              "3 mistakes in the model; nothing was computed");
    EXPECT_EQ(error.problems().sorted().size(), 3u);
  }
}

TEST(Problems, WithoutAFileHaveNoPosition) {
  Problems problems;
  problems.add({}, "rod", "is bent", "straighten it");
  EXPECT_EQ(problems.message(),
            "model: rod: is bent\n    straighten it\n"
            "1 mistake in the model; nothing was computed");
}

TEST(Problems, BeyondTheLimitAreCounted) {
  Problems problems;
  for (std::size_t k = 0; k < Problems::limit + 23; ++k) problems.add({}, "a", "b", "c");
  EXPECT_EQ(problems.sorted().size(), Problems::limit);
  EXPECT_EQ(problems.dropped(), 23u);
  EXPECT_NE(problems.message().find("... and 23 more\n123 mistakes"), std::string::npos);
}

TEST(NearestName, FindsSlipsAndLeavesOtherWordsAlone) {
  const std::vector<std::string> names{"between", "length", "compliance", "name", "mass"};
  EXPECT_EQ(nearest_name("lenght", names), "length");
  EXPECT_EQ(nearest_name("complience", names), "compliance");
  EXPECT_EQ(nearest_name("betwen", names), "between");
  EXPECT_EQ(nearest_name("mas", names), "mass");
  EXPECT_EQ(nearest_name("mass", names), "");  // it is there: no slip
  EXPECT_EQ(nearest_name("velocity", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_EQ(nearest_name("PI", {"p", "pi", "phi"}), "pi");
}

}  // namespace
}  // namespace taut
