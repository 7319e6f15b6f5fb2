// SPDX-License-Identifier: BSD-3-Clause
#include "formula/parser.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "random_tree.hpp"
#include "run_program.hpp"
#include "taut/formula/formula.hpp"
#include "taut/formula/program.hpp"

namespace taut::formula {
namespace {

using namespace testing;

/// x, y, bob1.x are coordinates 0, 1, 2; k is the number 3; {n} is a parameter.
class TestScope : public Scope {
 public:
  std::optional<NodeId> name(std::string_view name, Position at, Graph& graph) override {
    asked.emplace_back(name, at);
    if (name == "x") return graph.input({Slot::q, 0});
    if (name == "y") return graph.input({Slot::q, 1});
    if (name == "bob1.x") return graph.input({Slot::q, 2});
    if (name == "k") return graph.constant(3.0);
    return {};
  }
  std::optional<NodeId> velocity(std::string_view name, Position, Graph& graph) override {
    if (name == "x") return graph.input({Slot::v, 0});
    if (name == "bob1.x") return graph.input({Slot::v, 2});
    return {};
  }
  NodeId instance_number(double value, Graph& graph) override {
    instances.push_back(value);
    return graph.input({Slot::parameter, static_cast<int>(instances.size()) - 1});
  }
  [[nodiscard]] std::vector<std::string> candidates() const override {
    ++candidate_calls;
    return {"x", "y", "bob1.x", "k", "omega"};
  }

  std::vector<std::pair<std::string, Position>> asked;
  std::vector<double> instances;
  mutable int candidate_calls = 0;
};

struct Parsed {
  std::optional<NodeId> node;
  std::vector<Problem> problems;
  TestScope scope;
  Formula formula;
};

Parsed parse_text(std::string_view text, Position at = {4, 10}) {
  Parsed result;
  Problems problems;
  result.node = parse(text, {at, "force 1: value"}, result.scope, result.formula.graph, problems);
  result.problems = problems.sorted();
  return result;
}

/// The value at x = 2, y = 5, bob1.x = 7, v = 11, 12, 13.
double value(std::string_view text) {
  Parsed p = parse_text(text);
  EXPECT_TRUE(p.node) << text << ": " << (p.problems.empty() ? "" : p.problems[0].what);
  if (!p.node) return std::nan("");
  p.formula.roots = {{Role::observable, *p.node, 0}};
  Point at;
  at.q = {2.0, 5.0, 7.0};
  at.v = {11.0, 12.0, 13.0};
  at.parameter = p.scope.instances;
  const Values values = run(derive(p.formula, need(Target::observable)), at);
  return values.empty() ? 0.0 : values.begin()->second;
}

TEST(Parser, FollowsOrdinaryMathematics) {
  EXPECT_EQ(value("1 + 2*3"), 7.0);
  EXPECT_EQ(value("2 - 3 - 4"), -5.0);
  EXPECT_EQ(value("24/4/3"), 2.0);
  EXPECT_EQ(value("-x^2"), -4.0);
  EXPECT_EQ(value("(-x)^2"), 4.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("2^-x^2"), 0.0625);
  EXPECT_EQ(value("-2^0.5"), -std::sqrt(2.0));
  EXPECT_EQ(value("x*-y"), -10.0);
  EXPECT_EQ(value("x--y"), 7.0);
  EXPECT_EQ(value("+-+x"), -2.0);
  EXPECT_EQ(value("2*x^2/4"), 2.0);
  EXPECT_EQ(value("\n x\t+\r\n y "), 7.0);
}

TEST(Parser, ReadsNumbersAndNames) {
  EXPECT_EQ(value("1.5"), 1.5);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1.E+2"), 100.0);
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("bob1.x"), 7.0);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("v(x) + v( bob1.x )"), 24.0);
  EXPECT_EQ(value("{12} - {-3.5}*k"), 22.5);
}

TEST(Parser, KnowsItsFunctions) {
  EXPECT_EQ(value("sqrt(4)+exp(0)+log(1)+sin(0)+cos(0)+tan(0)+asin(0)+acos(1)+atan(0)"), 4.0);
  EXPECT_EQ(value("sinh(0)+cosh(0)+tanh(0)+abs(-2)+sign(-3)+floor(2.7)"), 4.0);
  EXPECT_EQ(value("atan2(x, y)"), std::atan2(2.0, 5.0));
  EXPECT_EQ(value("pow(x, y)"), 32.0);
  EXPECT_EQ(value("min(x, y) + max(x, y)"), 7.0);
  EXPECT_EQ(value("hypot(3, 4*x/2)"), 5.0);
  EXPECT_EQ(value("select(less(x, y), 10, 20)"), 10.0);
}

struct Mistake {
  std::string_view text;
  int column;               // within the text, from 1
  std::string_view what;    // part of the message
  std::string_view remedy;  // part of it
};

class ParserMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(ParserMistakes, AreSaidWhereTheyStand) {
  const Mistake& m = GetParam();
  const Parsed p = parse_text(m.text, {3, 1});
  EXPECT_FALSE(p.node);
  ASSERT_EQ(p.problems.size(), 1u) << p.problems.at(1).what;
  const Problem& problem = p.problems[0];
  EXPECT_EQ(problem.at.line, 3);
  EXPECT_EQ(problem.at.column, m.column);
  EXPECT_EQ(problem.where, "force 1: value");
  EXPECT_NE(problem.what.find(m.what), std::string::npos) << problem.what;
  EXPECT_NE(problem.remedy.find(m.remedy), std::string::npos) << problem.remedy;
}

INSTANTIATE_TEST_SUITE_P(
    All, ParserMistakes,
    ::testing::Values(
        Mistake{"", 1, "empty", "write"}, Mistake{"  ", 3, "empty", "write"},
        Mistake{"x + omeg", 5, "unknown name 'omeg'", "'omega'"},
        Mistake{"x + zzz", 5, "unknown name 'zzz'", "define"},
        Mistake{"omeg * (omeg + 1)", 1, "'omeg'", "'omega'"},
        Mistake{"1 + sine(x)", 5, "unknown function 'sine'", "'sin'"},
        Mistake{"ln(x)", 1, "unknown function 'ln'", "'log'"},
        Mistake{"x(3)", 1, "'x' is not a function", "x*("},
        Mistake{"gronk(3)", 1, "unknown function 'gronk'", "atan2"},
        Mistake{"sin + 1", 1, "'sin' is a function", "sin(x)"},
        Mistake{"2*atan2(x)", 3, "takes 2 arguments, not 1", "atan2(x, y)"},
        Mistake{"sin(x, y)", 1, "takes 1 argument, not 2", "sin(x)"},
        Mistake{"sin()", 1, "takes 1 argument, not 0", "sin(x)"},
        Mistake{"select(1,2,3,4,5)", 1, "takes 3 arguments, not 5", "select"},
        Mistake{"v(y)", 3, "unknown coordinate 'y'", ""}, Mistake{"v(x + 1)", 5, "'+'", ""},
        Mistake{"v(3)", 3, "coordinate", "v(q)"}, Mistake{"(x + 1", 1, "never closed", "')'"},
        Mistake{"sin(x", 4, "never closed", "')'"}, Mistake{"x + 1)", 6, "')'", "parentheses"},
        Mistake{"x +", 4, "ends too early", "number"}, Mistake{"x * / y", 5, "'/'", ""},
        Mistake{"x y", 3, "'y'", "'*'"}, Mistake{"2x", 1, "'2x'", "2*x"},
        Mistake{"x ** 2", 3, "'**'", "x^2"}, Mistake{"x < 2", 3, "'<'", "less(a, b)"},
        Mistake{"x == 2", 3, "'='", "less(a, b)"},
        Mistake{"1e999", 1, "outside the range", "1e308"},
        Mistake{"x + 1e-999", 5, "outside the range", "1e308"},
        Mistake{"x + $y", 5, "'$'", "names"}, Mistake{"π + 1", 1, "'π'", ""},
        Mistake{"{k}", 1, "no number", "repeat"}, Mistake{"{12", 1, "never closed", "'}'"},
        Mistake{"x,y", 2, "','", ""}));

TEST(Parser, ReportsSeveralMistakesOfOneText) {
  const Parsed p = parse_text("omeg*sine(x) + atan2(1) +\n  (bob1.y + 1e999)", {7, 20});
  EXPECT_FALSE(p.node);
  ASSERT_EQ(p.problems.size(), 5u);
  const auto at = [&](std::size_t k) {
    return std::pair{p.problems[k].at.line, p.problems[k].at.column};
  };
  EXPECT_EQ(at(0), std::pair(7, 20));
  EXPECT_EQ(at(1), std::pair(7, 25));
  EXPECT_EQ(at(2), std::pair(7, 35));
  EXPECT_EQ(at(3), std::pair(8, 4));
  EXPECT_EQ(at(4), std::pair(8, 13));
  EXPECT_EQ(p.problems[3].remedy, "did you mean 'bob1.x'?");
  EXPECT_EQ(p.scope.candidate_calls, 1);  // it may be dear
}

TEST(Parser, AsksForNamesWithTheirPositions) {
  const Parsed p = parse_text("x +\n y*bob1.x", {2, 5});
  ASSERT_TRUE(p.node);
  ASSERT_EQ(p.scope.asked.size(), 3u);
  EXPECT_EQ(p.scope.asked[1].second.line, 3);
  EXPECT_EQ(p.scope.asked[1].second.column, 2);
  EXPECT_EQ(p.scope.asked[2].first, "bob1.x");
  EXPECT_EQ(p.scope.candidate_calls, 0);
}

TEST(Parser, RefusesWhatIsTooLarge) {
  const auto repeated = [](std::string_view piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
  };
  EXPECT_TRUE(parse_text(repeated("(", 150) + "x" + repeated(")", 150)).node);
  for (const std::string& text :
       {repeated("(", 300) + "x" + repeated(")", 300), repeated("sin(", 300) + "x",
        repeated("(", 60000), repeated("x^", 1000) + "x"}) {
    const Parsed p = parse_text(text);
    EXPECT_FALSE(p.node);
    ASSERT_EQ(p.problems.size(), 1u);
    EXPECT_NE(p.problems[0].what.find("nested deeper"), std::string::npos);
  }
  // long but flat is fine, up to the length
  EXPECT_TRUE(parse_text(repeated("-", 60000) + "x").node);
  EXPECT_TRUE(parse_text(std::string{"x"} + repeated("+x*y", 16000)).node);
  const Parsed p = parse_text(repeated("x+", 40000) + "x");
  ASSERT_EQ(p.problems.size(), 1u);
  EXPECT_NE(p.problems[0].what.find("characters"), std::string::npos);
}

TEST(Parser, ManyMistakesStayFew) {
  std::string text = "1";
  for (int i = 0; i < 9000; ++i) text += fmt::format("+a{}", i);
  const Parsed p = parse_text(text);
  EXPECT_FALSE(p.node);
  EXPECT_LE(p.problems.size(), 20u);
}

TEST(Parser, SurvivesAnyBytes) {
  Random random{99};
  constexpr std::string_view pieces[] = {
      "x", "y", "(", ")", ",",  "+", "-",  "*", "/",      "^", "sin",  "v",        "{",
      "}", "1", ".", "e", "1e", " ", "\n", "k", "select", "=", "\xff", "\xc3\xa9", "\0"};
  for (int k = 0; k < 20000; ++k) {
    std::string text;
    const int length = pick(random, 40);
    for (int i = 0; i < length; ++i) {
      if (pick(random, 10) == 0) {
        text += static_cast<char>(pick(random, 256));
      } else {
        text += pieces[pick(random, static_cast<int>(std::size(pieces)))];
      }
    }
    const Parsed p = parse_text(text);
    EXPECT_EQ(p.node.has_value(), p.problems.empty());
    for (const Problem& problem : p.problems) {
      EXPECT_FALSE(problem.what.empty());
      EXPECT_FALSE(problem.remedy.empty());
      EXPECT_GE(problem.at.line, 4);
    }
  }
}

}  // namespace
}  // namespace taut::formula
