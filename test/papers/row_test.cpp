// SPDX-License-Identifier: BSD-3-Clause
#include "row.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace taut::papers {
namespace {

TEST(Row, APrintedNumberAgreesWithinOneUnitOfItsLastDigit) {
  EXPECT_EQ(verdict(printed("", 2.36, 2.37, "Table 1", unit_of(0.01))), Verdict::agrees);
  EXPECT_EQ(verdict(printed("", 2.36, 2.35, "Table 1", unit_of(0.01))), Verdict::agrees);
  EXPECT_EQ(verdict(printed("", 2.36, 2.326, "Table 1", unit_of(0.01))), Verdict::differs);
  EXPECT_EQ(verdict(printed("", 2.36, -2.36, "Table 1", unit_of(0.01))), Verdict::differs);
  EXPECT_NEAR(*deviation(printed("", 2.0, 2.2, "Table 1", unit_of(0.1))), 0.1, 1e-12);
}

TEST(Row, ACountIsEqualOrNot) {
  EXPECT_EQ(verdict(printed("", 4835, 4835, "Table 1", counted())), Verdict::agrees);
  EXPECT_EQ(verdict(printed("", 4835, 4834, "Table 1", counted())), Verdict::differs);
}

TEST(Row, WhatPrintCannotHaveRightContradictsAndNothingElse) {
  Row row =
      at_odds(printed("", 7.49e-8, -7.49e-8, "Table 1", unit_of(1e-10)), {"Table 1", "no sign"});
  EXPECT_EQ(verdict(row), Verdict::contradicts);
  EXPECT_EQ(remarks(row), "no sign");
  row.obtained = 7.49e-8;  // a print that is right after all
  EXPECT_EQ(verdict(row), Verdict::agrees);
  EXPECT_EQ(remarks(row), "");
}

TEST(Row, WhatWasTriedInVainIsSaidOnlyWhereItDiffers) {
  Row row = with_note(tried(printed("", 4, 7489, "Table 6", counted()), {"Solvers", "all of it"}),
                      "seen");
  EXPECT_EQ(verdict(row), Verdict::differs);
  EXPECT_EQ(remarks(row), "all of it; seen");
  row.obtained = 4;
  EXPECT_EQ(remarks(row), "seen");
}

TEST(Row, WhatIsNotAsPrintedSaysWhereTheManualHasMoreOfIt) {
  Row row = tried(printed("", 4, 7489, "Table 6", counted()), {"The effort of (3.8), f_k", "much"});
  EXPECT_EQ(place_in_manual("stiff-rk", row),
            "docs/manual/stiff-rk-laboratory.md#the-effort-of-38-f_k");
  row.obtained = 4;
  EXPECT_EQ(place_in_manual("stiff-rk", row), "");
}

TEST(Row, AStatementIsMeasuredByItsBound) {
  const auto order = [](double obtained) {
    return verdict(stated("", "O(h^3)", "Theorem 4.1", 3.0, obtained, at_least(0.15)));
  };
  EXPECT_EQ(order(2.9), Verdict::measured);
  EXPECT_EQ(order(4.0), Verdict::measured);
  EXPECT_EQ(order(2.8), Verdict::differs);
  EXPECT_EQ(verdict(stated("", "less", "", 1.0, 0.5, at_most())), Verdict::measured);
  EXPECT_EQ(verdict(stated("", "less", "", 1.0, 1.5, at_most(0.1))), Verdict::differs);
  EXPECT_EQ(verdict(at_odds(stated("", "less", "", 1.0, 1.5, at_most(0.1)), {"Why", "why"})),
            Verdict::contradicts);
}

TEST(Row, AMagnitudeMayBeMissedByAFactorBothWays) {
  const auto size = [](double obtained) {
    return verdict(printed("", 1e-5, obtained, "Figure 3", factor(2.0)));
  };
  EXPECT_EQ(size(1.9e-5), Verdict::agrees);
  EXPECT_EQ(size(0.51e-5), Verdict::agrees);
  EXPECT_EQ(size(2.1e-5), Verdict::differs);
  EXPECT_EQ(size(0.49e-5), Verdict::differs);
  EXPECT_EQ(size(-1e-5), Verdict::differs);
}

TEST(Row, WhatThePaperDoesNotHaveIsOursWhateverItsValue) {
  const Row row = ours("", 1.0);
  EXPECT_EQ(verdict(row), Verdict::ours);
  EXPECT_FALSE(deviation(row).has_value());
  EXPECT_FALSE(deviation(printed("", 0.0, 1.0, "", rounding(1e-9))).has_value());
}

TEST(Row, AnIndependentProgramIsMetOrTheRowDiffers) {
  Row row = ours("", 1.0);
  row.reference = 1.001;
  row.reference_within = 1e-2;
  EXPECT_EQ(verdict(row), Verdict::ours);
  row.reference_within = 1e-4;
  EXPECT_EQ(verdict(row), Verdict::differs);
  // it does not make a printed number agree
  row = printed("", 2.0, 1.0, "Table 1", unit_of(0.1));
  row.reference = 1.0;
  EXPECT_EQ(verdict(row), Verdict::differs);
}

TEST(Row, WhatCouldNotBeComputedHasFailed) {
  const Row row = printed("", 1.0, std::nan(""), "Table 1", unit_of(0.1));
  EXPECT_EQ(verdict(row), Verdict::failed);
  EXPECT_FALSE(deviation(row).has_value());
}

TEST(Row, VerdictsAreCountedApart) {
  const Counts found = counts(
      {ours("", 1.0), ours("", 2.0), printed("", 1.0, 1.0, "Table 1", counted()),
       printed("", 1.0, 2.0, "Table 1", counted()), printed("", 1.0, 3.0, "Table 1", counted())});
  EXPECT_EQ(words(found), "1 agrees, 2 differ, 2 ours");
  EXPECT_EQ(words(Counts{}), "no rows");
}

}  // namespace
}  // namespace taut::papers
