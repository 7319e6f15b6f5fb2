// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/wording.hpp"

#include <gtest/gtest.h>

#include "taut/core/problems.hpp"

namespace taut {
namespace {

struct Spoken {
  explicit Spoken(Dialect dialect) { speak(dialect); }
  ~Spoken() { speak(Dialect::cpp); }
};

TEST(Wording, OptionsAreCalledAsTheyAreWhereTheSentenceIsShown) {
  const char* const sentence = "loosen <<tol>>, raise <<max steps>>, or give <<reading: rigid>>";
  EXPECT_EQ(worded(sentence), "loosen .tol, raise .max_steps, or give .reading = rigid");
  {
    const Spoken spoken{Dialect::command_line};
    EXPECT_EQ(worded(sentence), "loosen --tol, raise --max-steps, or give --reading rigid");
  }
  const Spoken spoken{Dialect::python};
  EXPECT_EQ(worded(sentence), "loosen tol=, raise max_steps=, or give reading=rigid");
}

TEST(Wording, WhatIsNoOptionStays) {
  for (const char* const text : {"", "a < b << c", "{k}", "a << b", "<<", ">>"})
    EXPECT_EQ(worded(text), text);
}

TEST(Wording, ProblemsAreWorded) {
  Problems problems;
  problems.add({}, "<<step>>", "is not <<tol>>", "give <<method: radau>>");
  const Problem only = problems.sorted().front();
  EXPECT_EQ(only.where, ".step");
  EXPECT_EQ(only.what, "is not .tol");
  EXPECT_EQ(only.remedy, "give .method = radau");
}

}  // namespace
}  // namespace taut
