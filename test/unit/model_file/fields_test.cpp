// SPDX-License-Identifier: BSD-3-Clause
// Every key of the schema, given everything it must refuse; and input made to break the reader.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/model_file_scan.hpp"
#include "model/model_file_schema.hpp"
#include "taut/model/model_file.hpp"

namespace taut::model_file {
namespace {

/// Something a key accepts.
std::string sample(const Key& key) {
  switch (key.type) {
    case Type::number:
    case Type::number_or_vector:
      return "\"2*a\"";
    case Type::vector:
    case Type::numbers:
      return "[1, \"a\"]";
    case Type::plain_numbers:
      return "[1, 2.5]";
    case Type::space_vector:
    case Type::inertia:
      return "[1, \"a\", 0.5]";
    case Type::matrix:
      return "[[1, 2], [3, 4]]";
    case Type::assignments:
      return "{ a = 2, \"bob.vx\" = \"2*a\" }";
    case Type::markers:
      return "{ tip = [1, \"a\", 0.5] }";
    case Type::reference:
      return "\"bob\"";
    case Type::references:
    case Type::patterns:
      return "[\"bob\", \"ted\"]";
    case Type::pair:
      return "[\"origin\", \"bob\"]";
    case Type::name:
    case Type::text:
      return "\"word\"";
    case Type::choice:
      return fmt::format("\"{}\"", key.choices.front());
    case Type::flag:
      return "true";
    case Type::repeat:
      return "{ k = \"1:3\" }";
  }
  return {};
}

/// A file with this section, in which `key` holds `value` and every other required key a sample.
std::string file_with(const Section& section, const Key& key, const std::string& value) {
  std::string entries;
  for (const Key& other : section.keys) {
    if (&other == &key || !other.required) continue;
    entries += fmt::format("{} = {}\n", other.name, sample(other));
  }
  entries += fmt::format("{} = {}\n", key.name, value);
  if (section.form != Form::named) return heading(section) + "\n" + entries;
  const std::string name = key.type == Type::repeat ? "\"x{k}\"" : "x1";
  return fmt::format("[{}.{}]\n{}", section.name, name, entries);
}

Problems problems_of(const std::string& text) {
  Problems problems;
  (void)read_model(text, problems);
  return problems;
}

template <class Visit>
void for_each_key(Visit visit) {
  for (const Section& section : schema()) {
    for (const Key& key : section.keys) visit(section, key);
  }
}

bool is_numeric(const Key& key) {
  return key.type == Type::number || key.type == Type::vector ||
         key.type == Type::number_or_vector || key.type == Type::space_vector ||
         key.type == Type::inertia || key.type == Type::numbers;
}

TEST(ModelFileFields, EveryKeyAcceptsWhatItIsFor) {
  for_each_key([](const Section& section, const Key& key) {
    if (section.name == "tables")
      return;                        // no key makes sense alone: test/unit/watch/tables_test.cpp
    if (key.name == "mesh") return;  // names a file: mesh_test.cpp
    const std::string text = file_with(section, key, sample(key));
    EXPECT_TRUE(problems_of(text).empty()) << text << problems_of(text).message();
  });
}

TEST(ModelFileFields, EveryNumberMustBeFinite) {
  int tried = 0;
  for_each_key([&](const Section& section, const Key& key) {
    if (!is_numeric(key)) return;
    for (const std::string bad : {"nan", "inf", "-inf", "+nan"}) {
      const bool in_space = key.type == Type::space_vector || key.type == Type::inertia;
      const std::string value = in_space ? "[0, 1, " + bad + "]"
                                : key.type == Type::vector || key.type == Type::numbers
                                    ? "[0, " + bad + "]"
                                    : bad;
      const auto list = problems_of(file_with(section, key, value)).sorted();
      ASSERT_EQ(list.size(), 1U) << section.name << "." << key.name << " = " << value;
      EXPECT_NE(list[0].what.find("must be finite"), std::string::npos) << list[0].what;
      EXPECT_FALSE(list[0].remedy.empty());
      ++tried;
    }
  });
  EXPECT_GT(tried, 4 * 30);
}

TEST(ModelFileFields, NumbersTooLargeForTheMachineAreRefused) {
  for_each_key([&](const Section& section, const Key& key) {
    if (key.type != Type::number) return;
    for (const std::string bad : {"1e999", "-1e400", "99999999999999999999"}) {
      const auto list = problems_of(file_with(section, key, bad)).sorted();
      ASSERT_FALSE(list.empty()) << section.name << "." << key.name << " = " << bad;
      EXPECT_NE(list[0].remedy.find("1.7e308"), std::string::npos) << list[0].what;
    }
  });
}

TEST(ModelFileFields, EveryKeyRefusesValuesOfAnotherType) {
  const std::vector<std::string> odd{"true",        "1979-05-27", "07:32:00",     "[]",
                                     "[[1, 2], 3]", "[true, 1]",  "[1, 2, 3, 4]", "{ a = 1 }",
                                     "\"\"",        "{ }"};
  for_each_key([&](const Section& section, const Key& key) {
    for (const std::string& value : odd) {
      // what they are for
      if (key.type == Type::numbers && value == "[1, 2, 3, 4]") continue;
      if (key.type == Type::flag && value == "true") continue;
      if (key.type == Type::assignments && value == "{ a = 1 }") continue;
      const std::string text = file_with(section, key, value);
      const auto list = problems_of(text).sorted();
      EXPECT_GE(list.size(), 1U) << text;
      for (const Problem& problem : list) {
        EXPECT_GT(problem.at.line, 0) << text << problem.what;
        EXPECT_FALSE(problem.remedy.empty()) << text;
      }
    }
    if (!is_numeric(key)) {
      EXPECT_GE(problems_of(file_with(section, key, "5")).sorted().size(), 1U) << key.name;
    }
  });
}

TEST(ModelFileFields, EveryRequiredKeyIsAskedFor) {
  for_each_key([](const Section& section, const Key& key) {
    if (!key.required) return;
    const std::string text =
        section.form == Form::named ? fmt::format("[{}.x1]\n", section.name) : heading(section);
    const auto list = problems_of(text).sorted();
    const bool asked = std::any_of(list.begin(), list.end(), [&](const Problem& p) {
      return p.what.find(fmt::format("{} is missing", key.name)) != std::string::npos;
    });
    EXPECT_TRUE(asked) << text << " " << key.name;
  });
}

TEST(ModelFileFields, ReservedNamesCannotBeGiven) {
  for (const std::string& name : reserved_names()) {
    for (const std::string_view entry :
         {"[parameters]\n{} = 1\n", "[points]\n{} = {{ at = [0, 0] }}\n", "[coordinates]\n{} = 1\n",
          "[anchors]\n{} = [0, 0]\n", "[definitions]\n{} = 1\n"}) {
      const std::string text = fmt::format(fmt::runtime(entry), name);
      EXPECT_EQ(problems_of(text).sorted().size(), 1U) << text;
    }
  }
}

// Hostile input -----------------------------------------------------------------------------------

TEST(ModelFileHostile, DeepNesting) {
  const int deep = 100'000;
  for (const auto& [open, close] : std::vector<std::pair<std::string, std::string>>{
           {"[", "]"}, {"{ a = ", "}"}, {"{ a = [", "]}"}}) {
    std::string text = "a = ";
    for (int i = 0; i < deep; ++i) text += open;
    EXPECT_FALSE(problems_of(text).empty());
    for (int i = 0; i < deep; ++i) text += close;
    EXPECT_FALSE(problems_of(text).empty());
  }
}

TEST(ModelFileHostile, KeysOfManyParts) {
  std::string parts = "a";
  for (int i = 0; i < 1'000'000; ++i) parts += ".a";
  for (const std::string& text :
       {"[" + parts + "]\n", parts + " = 1\n", "b = { " + parts + " = 1 }\n", "[[" + parts + "]]\n",
        "x = \"\"\"unclosed\n\"\"\" \n[" + parts + "]\n", "# \"\n[" + parts + "]"}) {
    const Problems problems = problems_of(text);
    EXPECT_NE(problems.message().find("parts"), std::string::npos);
  }
}

TEST(ModelFileHostile, DotsInTextAreNotKeys) {
  std::string text = "[[potential]]\nenergy = \"";
  for (int i = 0; i < 1000; ++i) text += "a.x + ";
  EXPECT_TRUE(problems_of(text + "0\"\n").empty());
}

TEST(ModelFileHostile, MoreValuesThanAreAllowed) {
  std::string text = "a = [0";
  for (std::size_t i = 0; i <= max_values; ++i) text += ",0";
  const Problems problems = problems_of(text + "]\n");
  EXPECT_NE(problems.message().find("holds more than"), std::string::npos);
}

TEST(ModelFileHostile, FilesTooLong) {
  const Problems problems = problems_of(std::string(max_file_size + 1, ' '));
  EXPECT_NE(problems.message().find("longer than 16 MiB"), std::string::npos);
}

TEST(ModelFileHostile, LongNamesAndTexts) {
  const std::string longest(100'000, 'x');
  EXPECT_EQ(problems_of("[parameters]\n" + longest + " = 1\n").sorted().size(), 1U);
  EXPECT_EQ(problems_of("name = \"" + longest + "\"\n").sorted().size(), 1U);
  EXPECT_EQ(problems_of("[" + longest + "]\n").sorted().size(), 1U);
  for (const std::string& text : {"[parameters]\n" + longest + " = 1\n", "[" + longest + "]\n"}) {
    EXPECT_LT(problems_of(text).message().size(), 2000U) << "messages stay readable";
  }
}

TEST(ModelFileHostile, BinaryGarbage) {
  std::mt19937 random{7};  // NOLINT: the same garbage every time
  std::uniform_int_distribution<int> byte{0, 255};
  for (int round = 0; round < 200; ++round) {
    std::string text(static_cast<std::size_t>(1 + round * 5), '\0');
    for (char& c : text) c = static_cast<char>(byte(random));
    EXPECT_FALSE(problems_of(text).empty());
  }
}

TEST(ModelFileHostile, EveryPrefixOfAModelIsReadOrRefused) {
  const std::string text = R"toml([points]
"p{k}" = { mass = 1, at = ["{k}", 0], repeat = { k = "1:n" } }
[[rod]]
between = ["p{k}", '''p{k+1}''']
length = """
1"""
repeat = { k = "1:n-1" } # end
)toml";
  for (std::size_t n = 0; n <= text.size(); ++n) {
    const Problems problems = problems_of(text.substr(0, n));
    for (const Problem& problem : problems.sorted()) EXPECT_FALSE(problem.remedy.empty());
  }
  EXPECT_TRUE(problems_of(text).empty()) << problems_of(text).message();
}

}  // namespace
}  // namespace taut::model_file
