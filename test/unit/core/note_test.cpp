// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/note.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

#include "core/notes.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

constexpr NoteKind told_rate{"told-rate",
                             "{count} step{count|s} at {rate:.3g} 1/s, {count} in all"};
constexpr NoteKind told_choice{"told-choice",
                               "{late?late|early}{late? by far}; raise <<max steps>> of {who}"};
constexpr NoteKind told_names{"told-names", "{names}: {status}"};

TEST(Note, HasItsValuesByNameAndWritesThemIntoItsSentence) {
  const Note many = note<told_rate>(3, 2.0 / 3.0);
  EXPECT_EQ(many.text(), "3 steps at 0.667 1/s, 3 in all");
  EXPECT_EQ(note<told_rate>(1, 0.5).text(), "1 step at 0.5 1/s, 1 in all");
  EXPECT_EQ(note<told_rate>(0, 2).text(), "0 steps at 2 1/s, 0 in all");
  EXPECT_EQ(many.code(), "told-rate");
  ASSERT_EQ(many.values().size(), 2u);
  EXPECT_EQ(many.values()[1].first, "rate");
  EXPECT_EQ(std::get<double>(many.values()[1].second), 2.0 / 3.0);
  const std::vector<std::string> names{"a", "b"};
  EXPECT_EQ(note<told_names>(names, Status::step_limit).text(),
            "a, b: " + std::string{sentence(Status::step_limit)});
}

// A name of the user's is not looked through for options or places.
TEST(Note, CallsOptionsAsTheyAreCalledWhereItIsShown) {
  const Note late = note<told_choice>(true, "<<tol>> {late}");
  EXPECT_EQ(late.text(), "late by far; raise .max_steps of <<tol>> {late}");
  speak(Dialect::command_line);
  EXPECT_EQ(late.text(), "late by far; raise --max-steps of <<tol>> {late}");
  speak(Dialect::cpp);
  EXPECT_EQ(note<told_choice>(false, "x").text(), "early; raise .max_steps of x");
}

TEST(Note, IsKnownByItsCode) {
  const Note told = note<notes::resumed>(7);
  EXPECT_TRUE(told.is(notes::resumed));
  EXPECT_FALSE(told.is(notes::not_resumable));
  EXPECT_EQ(told, note<notes::resumed>(7));
  EXPECT_NE(told, note<notes::resumed>(8));
  EXPECT_TRUE(Note{}.empty());
  EXPECT_EQ(Note{}.text(), "");
}

TEST(Note, SaysTheSameOnceItIsStored) {
  const std::vector<std::string> names{"a", "b"};
  for (Note told : {note<told_rate>(3, 0.1), note<told_choice>(true, "x"), Note{},
                    note<told_names>(names, Status::unstable)}) {
    Archive out = Archive::writer();
    out(told);
    Archive in = Archive::reader(out.bytes());
    Note read;
    in(read);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(read, told);
    EXPECT_EQ(read.text(), told.text());
  }
}

// A file that nobody of ours has written: what cannot be written out is refused where it is read.
TEST(Note, ThatHasNoSentenceIsRefused) {
  static constexpr NoteKind forged{"forged", "{name:.3g}"};
  Note told = note<forged>("text");
  Archive out = Archive::writer();
  out(told);
  Archive in = Archive::reader(out.bytes());
  Note read;
  EXPECT_THROW(in(read), std::runtime_error);
}

// The code of a kind is its name: no two are the same, and who reads the one finds the other.
TEST(Notes, AreCalledByTheirCodes) {
  std::ifstream in{taut_SOURCE_DIR "/src/core/notes.hpp"};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  const std::regex kind{R"re(NoteKind (\w+)\{\s*"([^"]*)")re"};
  int found = 0;
  for (std::sregex_iterator at{text.begin(), text.end(), kind}, end; at != end; ++at, ++found) {
    std::string name = (*at)[1];
    std::replace(name.begin(), name.end(), '_', '-');
    EXPECT_EQ(name, (*at)[2]);
  }
  EXPECT_GT(found, 60);
}

}  // namespace
}  // namespace taut
