// SPDX-License-Identifier: BSD-3-Clause
// Mistakes in model files: all are found in one go, each with its line, what is wrong and a remedy.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "taut/model/model_file.hpp"

namespace taut {
namespace {

Problems problems_of(std::string_view text) {
  Problems problems{"m.toml"};
  (void)read_model(text, problems);
  return problems;
}

/// The only problem of a text, as one line: `line:column: where: what | remedy`.
std::string only_problem(std::string_view text) {
  const auto list = problems_of(text).sorted();
  EXPECT_EQ(list.size(), 1U) << problems_of(text).message();
  if (list.empty()) return {};
  const Problem& p = list.front();
  return std::to_string(p.at.line) + ":" + std::to_string(p.at.column) + ": " + p.where + ": " +
         p.what + " | " + p.remedy;
}

TEST(ModelFileMistakes, TenInOneFileAreAllReported) {
  const Problems problems = problems_of(R"toml(name = 3
[parameters]
g = inf
e = 2
[points]
bob = { mass = "m", at = [1], velocity = [0, 1] }
[anchors]
bob = [0, 0]
[[rod]]
betwen = ["origin", "bob"]
length = bob.x
[[spring]]
between = ["origin", "bob", "bob"]
[[gravty]]
acceleration = [0, -1]
[run]
method = 5
)toml");
  const std::vector<std::pair<int, std::string>> expected{
      {1, "name"},          {3, "parameter g"},  {4, "parameter e"},
      {6, "point bob: at"}, {8, "anchor bob"},   {10, "rod 1"},
      {11, "TOML syntax"},  {12, "spring 1"},    {13, "spring 1: between"},
      {14, "file"},         {17, "run: method"},
  };
  const auto list = problems.sorted();
  ASSERT_EQ(list.size(), expected.size()) << problems.message();
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].at.line, expected[i].first) << list[i].what;
    EXPECT_GT(list[i].at.column, 0);
    EXPECT_EQ(list[i].where, expected[i].second);
    EXPECT_FALSE(list[i].remedy.empty());
  }
}

TEST(ModelFileMistakes, MessageIsOneLineForTheMistakeAndOneForTheRemedy) {
  EXPECT_EQ(problems_of("[run]\nuntil = true\n").message(),
            "m.toml:2:9: run: until: is true; must be a number or an expression in quotes\n"
            "    write until = 1.5, or until = \"2*a\"\n"
            "1 mistake in the model; nothing was computed");
}

TEST(ModelFileMistakes, GoldenMessages) {
  EXPECT_EQ(only_problem("[[rod]]\nbetween = [\"a\", \"b\"]\nlenght = 1\n"),
            "3:1: rod 1: \"lenght\" is not a key of [[rod]] | did you mean length?");
  EXPECT_EQ(only_problem("[[rod]]\nbetween = [\"a\", \"b\"]\ncolour = 1\n"),
            "3:1: rod 1: \"colour\" is not a key of [[rod]] | keys of [[rod]]: between, length, "
            "compliance, damping, mass, name, repeat");
  EXPECT_EQ(only_problem("[pionts]\n"),
            "1:2: file: \"pionts\" is not a section of a model | did you mean [points]?");
  EXPECT_EQ(only_problem("until = 3\n"),
            "1:1: file: \"until\" is not a section of a model | put until below [run]");
  EXPECT_EQ(only_problem("[[jets]]\nunknowns = [\"y\"]\n"),
            "1:3: jets: is an array of 1; must be written [jets] | write [jets] on a line of its "
            "own, and its keys below");
  EXPECT_EQ(only_problem("[jets]\norder = 2\n"),
            "1:1: jets: unknowns is missing (names of the unknowns) | write unknowns = [\"y\", "
            "\"z\"]");
  EXPECT_EQ(
      only_problem("[rod]\nbetween = [\"a\", \"b\"]\n"),
      "1:2: rod: is a table; must be written [[rod]] | write [[rod]] on a line of its own, and "
      "its keys below");
  EXPECT_EQ(only_problem("[[run]]\nuntil = 1\n"),
            "1:3: run: is an array of 1; must be written [run] | write [run] on a line of its own, "
            "and its keys below");
  EXPECT_EQ(
      only_problem("[points]\na = { at = [1, 2], velocity = [1, 2, 3] }\n"),
      "2:31: point a: velocity: has 3 components; must have 2 as at has | give at and velocity "
      "equally many numbers");
  EXPECT_EQ(
      only_problem("[points]\n\"a.b\" = { at = [1, 2] }\n"),
      "2:1: point a.b: the name \"a.b\" contains a character that is not a letter, a digit or "
      "_ | names are made of letters, digits and _, such as bob_1");
  EXPECT_EQ(
      only_problem("[points]\n\"a{k}\" = { at = [1, 2] }\n"),
      "2:1: point a{k}: the name \"a{k}\" contains {...}, which only repeat gives a meaning | "
      "add repeat = { k = \"1:n\" }");
  EXPECT_EQ(
      only_problem("[parameters]\nsin = 1\n"),
      "2:1: parameter sin: the name \"sin\" is a reserved name | choose another name, such as "
      "sin1");
  EXPECT_EQ(only_problem("[parameters]\na = 1\n[definitions]\na = 2\n"),
            "4:1: definition a: the name \"a\" is already that of the parameter in line 2 | give "
            "every parameter, point, anchor, coordinate, definition and output its own name");
  EXPECT_EQ(
      only_problem("[[event]]\nzero = \"q\"\ndirection = \"risign\"\n"),
      "3:13: event 1: direction: is \"risign\"; must be \"any\" or \"rising\" or \"falling\" | "
      "did you mean \"rising\"?");
  EXPECT_EQ(
      only_problem("[[potential]]\n"),
      "1:1: potential 1: energy is missing (energy [J], an expression of coordinates and t) | "
      "write energy = 1.5, or energy = \"2*a\"");
  EXPECT_EQ(only_problem("[[potential]]\nenergy = ' '\n"),
            "2:10: potential 1: energy: is an empty text; must be a number or an expression in "
            "quotes | write energy = 1.5, or energy = \"2*a\"");
}

// Words of other programs have a remedy of their own.
TEST(ModelFileMistakes, WordsOfOtherProgramsAreUnderstood) {
  EXPECT_EQ(
      only_problem("[[Motors]]\non = \"a\"\n"),
      "1:3: file: \"Motors\" is not a section of a model | a motor is a key of its [[joint]]: "
      "torque or force, an expression, or angle or travel, a prescribed motion");
  EXPECT_EQ(only_problem("[[belt]]\nbetween = [\"a\", \"b\"]\n"),
            "1:3: file: \"belt\" is not a section of a model | a belt is a [[gear]] between two "
            "hinges, by their names: ratio is the radius of the second over that of the first; "
            "with a compliance it gives way");
  EXPECT_EQ(only_problem("[[revolute]]\nbetween = [\"a\", \"b\"]\n"),
            "1:3: file: \"revolute\" is not a section of a model | write [[joint]] with kind = "
            "\"hinge\"");
  EXPECT_EQ(only_problem("[constants]\ng = 9.81\n"),
            "1:2: file: \"constants\" is not a section of a model | did you mean [parameters]?");
  EXPECT_EQ(only_problem("[[spring]]\nbetween = [\"a\", \"b\"]\nk = 1\n"),
            "3:1: spring 1: \"k\" is not a key of [[spring]] | did you mean stiffness?");
  EXPECT_EQ(only_problem("[[spring]]\nbetween = [\"a\", \"b\"]\nstiffness = 1\nl0 = 1\n"),
            "4:1: spring 1: \"l0\" is not a key of [[spring]] | did you mean length?");
  // what it holds is not looked at where it could not stand there
  EXPECT_EQ(only_problem("[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\nangle = \"30 deg\"\n"),
            "5:1: body 1: \"angle\" is not a key of [[body]] | did you mean rotation?");
  EXPECT_EQ(
      only_problem("[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\nmarkers = { e = [1, 0] }\n"),
      "5:13: body 1: markers: the name \"e\" is a reserved name | choose another name, such "
      "as e1");
}

TEST(ModelFileMistakes, MisspeltSectionsAreReadAsTheOneThatWasMeant) {
  Problems problems;
  const Model model = read_model("[point]\nbob = { at = [1, 0] }\n", problems);
  EXPECT_EQ(problems.sorted().size(), 1U);
  ASSERT_EQ(model.points.size(), 1U) << "nobody should be told that bob is unknown";
  EXPECT_FALSE(model.incomplete);
}

TEST(ModelFileMistakes, RepeatRanges) {
  const auto repeated = [](const std::string& repeat) {
    return only_problem("[points]\n\"p{k}\" = { at = [0, 0], repeat = " + repeat + " }\n");
  };
  const std::string remedy = " | write repeat = { k = \"1:n\" }, or { i = \"1:n\", j = \"i+1:n\" }";
  const std::string range = " is not a range; must be first:last, both included" + remedy;
  EXPECT_EQ(repeated("{ k = \"5\" }"), "2:40: point p{k}: repeat: \"5\"" + range);
  EXPECT_EQ(repeated("{ k = \"1:2:3\" }"), "2:40: point p{k}: repeat: \"1:2:3\"" + range);
  EXPECT_EQ(repeated("{ k = \":3\" }"), "2:40: point p{k}: repeat: \":3\"" + range);
  EXPECT_EQ(repeated("{ k = \"(1:3)\" }"), "2:40: point p{k}: repeat: \"(1:3)\"" + range);
  EXPECT_EQ(repeated("{ }"), "2:34: point p{k}: repeat: has no index" + remedy);
  EXPECT_EQ(repeated("{ k = 3 }"),
            "2:40: point p{k}: repeat: is 3; must be indices with ranges, such as { k = \"1:n\" }" +
                remedy);
  EXPECT_EQ(repeated("{ pi = \"1:3\" }"),
            "2:36: point p{k}: repeat: the index \"pi\" is a reserved name | call it i, j or k");
  EXPECT_EQ(only_problem("[parameters]\nk = 1\n[points]\n\"p{k}\" = { at = [0, 0], repeat = { k = "
                         "\"1:3\" } }\n"),
            "4:41: point p{k}: repeat: the index k is also the name of the parameter in line 2 | "
            "call the index i, j or k, or anything else that is not a name of the model");
}

TEST(ModelFileMistakes, StartValues) {
  EXPECT_EQ(only_problem("[start]\nbob.x = 1\n\"bob.x\" = 2\n"),
            "3:1: start bob.x: is given twice | remove one of the two");
  EXPECT_EQ(only_problem("[start]\n\"bob.vx\" = 1\n"),
            "2:1: start bob.vx: is not the name of a coordinate or an unknown | write q = 1, or "
            "\"bob.x\" = 1 for a coordinate of a point, \"arm.angle\" = 1 for one of a body; a "
            "derivative of an unknown y as y = { at = 1, derivatives = [2] }");
  EXPECT_EQ(only_problem("[start]\nbob = { x = 1, w = 2 }\n"),
            "2:16: start bob: \"w\" is not a coordinate of a point or a body | write bob.x = 1, or "
            "bob.x = { at = 1, velocity = 2 }");
  EXPECT_EQ(only_problem("[start]\nq = { at = 1, velocty = 2 }\n"),
            "2:15: start q: \"velocty\" is not a key of [start] | did you mean velocity?");
}

TEST(ModelFileMistakes, ElementNamesAreUnique) {
  EXPECT_EQ(
      only_problem("[[rod]]\nbetween = [\"a\", \"b\"]\nname = \"arm\"\n[[constraint]]\nzero = "
                   "\"q\"\nname = \"arm\"\n"),
      "6:9: constraint 1: name: \"arm\" is the name of another element (line 3) | give every "
      "element its own name, or none");
}

TEST(ModelFileMistakes, TwoFrequenciesOfOneName) {
  const std::string force = "[parameters]\nomega = 3\n[vibration]\nomega = ";
  EXPECT_EQ(only_problem(force + "4\n"),
            "2:1: parameter omega: is also what expressions call the frequency of [vibration] | "
            "choose another name, or write omega = \"omega\" below [vibration]");
  EXPECT_TRUE(problems_of(force + "\"omega\"\n").empty());
}

// Recovery from syntax errors: what else is wrong must still be found.

TEST(ModelFileMistakes, ALineGivenTwiceDoesNotHideTheRest) {
  Problems problems;
  const Model model = read_model(
      "[points]\na = { at = [0, 0] }\na = { at = [1, 0] }\nb = { at = [true, 0] }\n", problems);
  const auto list = problems.sorted();
  ASSERT_EQ(list.size(), 2U) << problems.message();
  EXPECT_EQ(list[0].at.line, 3);
  EXPECT_NE(list[0].remedy.find("given once"), std::string::npos);
  EXPECT_EQ(list[1].where, "point b: at");
  EXPECT_EQ(model.points.size(), 2U);
  EXPECT_FALSE(model.incomplete) << "every name is known";
}

TEST(ModelFileMistakes, AnArrayThatIsNotClosedCostsItsSectionOnly) {
  const auto list = problems_of(
                        "[points]\na = { at = [0, 0 }\nb = { at = [1, 0] }\n"
                        "[run]\nuntil = true\n")
                        .sorted();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].where, "TOML syntax");
  EXPECT_EQ(list[1].where, "run: until");
}

TEST(ModelFileMistakes, AnArrayThatIsNotClosedAtTheEndOfItsSection) {
  Problems problems;
  const Model model = read_model(
      "[[gravity]]\nacceleration = [0,\n[[rod]]\nbetween = 3\n[[rod]]\nbetween = 4\n", problems);
  const auto list = problems.sorted();
  ASSERT_EQ(list.size(), 2U) << problems.message();
  EXPECT_EQ(list[0].where, "TOML syntax");
  EXPECT_EQ(list[1].at.line, 6);
  EXPECT_TRUE(model.incomplete);
}

TEST(ModelFileMistakes, ASectionGivenTwiceIsLeftOutOnce) {
  Problems problems;
  const Model model = read_model(
      "[points]\na = { at = [0, 0] }\n[run]\nuntil = 1\n[points]\nb = { at = [1, 1] }\n", problems);
  EXPECT_EQ(problems.sorted().size(), 1U) << problems.message();
  EXPECT_EQ(model.points.size(), 1U);
  EXPECT_TRUE(model.run.until);
}

TEST(ModelFileMistakes, LettersBeyondAsciiOutsideOfQuotes) {
  const auto list = problems_of("[parameters]\n\u03c9 = 3\n[run]\nuntil = true\n").sorted();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].at.line, 2);
  EXPECT_NE(list[0].remedy.find("ASCII"), std::string::npos);
  EXPECT_EQ(only_problem("name = \"\xC3(\"\n"),
            "1:9: file: is not UTF-8 text | save the file as UTF-8");
}

TEST(ModelFileMistakes, HeadersTheTomlLibraryDoesNotExpect) {
  EXPECT_EQ(only_problem("[[$x]]\n"),
            "1:3: TOML syntax: key: expected bare key starting character or string delimiter, saw "
            "'$' | keys are made of letters, digits, _ and -; others stand in quotes");
}

TEST(ModelFileMistakes, SyntaxErrorsWithoutEndComeToAnEnd) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "[[rod]]\nbetween = = 3\n";
  const Problems problems = problems_of(text);
  EXPECT_EQ(problems.sorted().size(), 10U);
}

TEST(ModelFileMistakes, AFileThatIsNotThere) {
  Problems problems;
  const Model model = read_model_file("/nowhere/at/all.toml", problems);
  ASSERT_EQ(problems.sorted().size(), 1U);
  EXPECT_NE(problems.message().find("does not exist"), std::string::npos);
  EXPECT_TRUE(model.incomplete);
}

TEST(ModelFileMistakes, AFolderIsNotAFile) {
  Problems problems;
  (void)read_model_file("/", problems);
  ASSERT_EQ(problems.sorted().size(), 1U);
  EXPECT_NE(problems.message().find("is not a file"), std::string::npos);
}

}  // namespace
}  // namespace taut
