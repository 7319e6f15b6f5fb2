// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/status.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace taut {
namespace {

TEST(Status, EveryEnumeratorHasItsOwnNameSentenceAndHint) {
  std::set<std::string> names, sentences;
  const int count = static_cast<int>(Status::multipliers_redundant) + 1;
  for (int k = 0; k < count; ++k) {
    const auto status = static_cast<Status>(k);
    SCOPED_TRACE(k);
    const std::string text{sentence(status)};
    ASSERT_FALSE(text.empty());
    EXPECT_NE(text.back(), '.');
    names.emplace(name(status));
    sentences.insert(text);
    const bool good = status == Status::ok || status == Status::stopped_by_event;
    EXPECT_EQ(hint(status).empty(), good);
  }
  EXPECT_EQ(static_cast<int>(names.size()), count);
  EXPECT_EQ(static_cast<int>(sentences.size()), count);
}

TEST(Status, NamesAreThoseOfTheSummary) {
  EXPECT_EQ(name(Status::ok), "done");
  EXPECT_EQ(name(Status::constraints_contradict), "constraints_contradict");
}

}  // namespace
}  // namespace taut
