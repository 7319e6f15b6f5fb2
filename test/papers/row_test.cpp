// SPDX-License-Identifier: BSD-3-Clause
#include "row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace taut::papers {
namespace {

TEST(Row, ValueAgreesWithinTheRelativeDeviationOnBothSides) {
  EXPECT_EQ(verdict(value_row("", {}, 2.0, 2.19, 0.1)), "agrees");
  EXPECT_EQ(verdict(value_row("", {}, 2.0, 1.81, 0.1)), "agrees");
  EXPECT_EQ(verdict(value_row("", {}, 2.0, 2.21, 0.1)), "differs");
  EXPECT_EQ(verdict(value_row("", {}, -2.0, 2.0, 0.1)), "differs");
  EXPECT_NEAR(*deviation(value_row("", {}, 2.0, 2.2, 0.1)), 0.1, 1e-12);
}

TEST(Row, PublishedOrderIsABoundFromBelow) {
  EXPECT_EQ(verdict(order_row("", 3.0, {}, 2.9)), "agrees");
  EXPECT_EQ(verdict(order_row("", 3.0, {}, 4.0)), "exceeds");
  EXPECT_EQ(verdict(order_row("", 3.0, {}, 2.0)), "differs");
}

TEST(Row, ReferenceMustBeMetAlsoWhereTheBoundIs) {
  EXPECT_EQ(verdict(order_row("", 3.0, 4.0, 4.1)), "exceeds");
  EXPECT_EQ(verdict(order_row("", 3.0, 4.0, 3.5)), "differs");
}

TEST(Row, BoundFromAboveIsTheOtherWayRound) {
  const Row below{"", 1.0, {}, 0.5, Rule::at_most, 0.1},
      above{"", 1.0, {}, 1.5, Rule::at_most, 0.1};
  EXPECT_EQ(verdict(below), "exceeds");
  EXPECT_EQ(verdict(above), "differs");
}

TEST(Row, SizeMayDifferByAFactorBothWays) {
  EXPECT_EQ(verdict(size_row("", 1e-5, {}, 1.9e-5, 2.0)), "agrees");
  EXPECT_EQ(verdict(size_row("", 1e-5, {}, 0.51e-5, 2.0)), "agrees");
  EXPECT_EQ(verdict(size_row("", 1e-5, {}, 2.1e-5, 2.0)), "differs");
  EXPECT_EQ(verdict(size_row("", 1e-5, {}, 0.49e-5, 2.0)), "differs");
  EXPECT_EQ(verdict(size_row("", {}, 1e-5, -1e-5, 2.0)), "differs");
}

TEST(Row, MisprintMustBeMarkedAndContradictedByTheReference) {
  Row row = value_row("", 2.36, 2.326, 2.325, 0.005);
  EXPECT_EQ(verdict(row), "differs");
  row.misprint = true;
  EXPECT_EQ(verdict(row), "misprint");
  row.obtained = 2.40;  // neither
  EXPECT_EQ(verdict(row), "differs");
  row.published = 2.327, row.obtained = 2.326;  // a print that is right after all
  EXPECT_EQ(verdict(row), "agrees");
  row.reference.reset(), row.published = 2.4;
  EXPECT_EQ(verdict(row), "differs");
}

TEST(Row, NothingToCompareWithHasNoVerdictAndNoDeviation) {
  const Row row{"", {}, {}, 1.0};
  EXPECT_EQ(verdict(row), "");
  EXPECT_FALSE(deviation(row).has_value());
  EXPECT_FALSE(deviation(order_row("", 0.0, {}, 1.0)).has_value());
}

TEST(Row, WhatCouldNotBeComputedHasFailed) {
  const Row row = value_row("", {}, 1.0, std::numeric_limits<double>::quiet_NaN(), 0.1);
  EXPECT_EQ(verdict(row), "failed");
  EXPECT_FALSE(deviation(row).has_value());
}

TEST(Row, OpenIsADifferenceThatIsLeftOpenAndNothingElse) {
  Row row = value_row("", 2.0, {}, 2.5, 0.1);
  row.open = true;
  EXPECT_EQ(verdict(row), "open");
  row.obtained = 2.1;
  EXPECT_EQ(verdict(row), "agrees");
  row.obtained = std::nan("");
  EXPECT_EQ(verdict(row), "failed");
}

}  // namespace
}  // namespace taut::papers
