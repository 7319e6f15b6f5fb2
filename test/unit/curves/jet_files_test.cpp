// SPDX-License-Identifier: BSD-3-Clause
// [jets] in model files: the system they state, and every mistake with its place.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "forms_support.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut {
namespace {

using namespace test;

CompiledModel forms_compile(const std::string& text) {
  Problems problems{"test.toml"};
  CompiledModel compiled = compile(read_model(text, problems), problems);
  EXPECT_TRUE(problems.empty()) << problems.message();
  return compiled;
}

/// Every mistake as `line:column where: what`.
std::vector<std::string> forms_mistakes(const std::string& text) {
  Problems problems{"test.toml"};
  const Model model = read_model(text, problems);
  static_cast<void>(compile(model, problems));
  std::vector<std::string> result;
  for (const Problem& problem : problems.sorted())
    result.push_back(std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column) +
                     " " + problem.where + ": " + problem.what + "; " + problem.remedy);
  return result;
}

void forms_expect_mistake(const std::string& text, const std::string& where,
                          const std::string& part) {
  const auto found = forms_mistakes(text);
  ASSERT_EQ(found.size(), 1U) << testing::PrintToString(found);
  EXPECT_EQ(found[0].rfind(where, 0), 0U) << found[0];
  EXPECT_NE(found[0].find(part), std::string::npos) << found[0];
}

TEST(JetFiles, SystemOfTheFileIsThatOfTheBuilder) {
  const CompiledModel compiled = forms_compile(R"toml(
name = "particle"
[parameters]
m = 2
[jets]
unknowns = ["u", "v1", "w"]
[definitions]
r3 = "(u^2 + v1^2 + w^2)^1.5"
[[equation]]
name = "first"
zero = "m*u'' + u/r3 + v1'"
[[equation]]
zero = "m*der(v1, 2) + v1/r3 - u'"
[[equation]]
zero = "m*w'' + w/r3"
[[invariant]]
name = "energy"
value = "u'^2 + v1'^2 + w'^2 - 1/sqrt(u^2 + v1^2 + w^2)"
[[event]]
name = "plane"
zero = "w"
direction = "falling"
action = "stop"
[start]
u = { at = 1, derivatives = [0.1] }
v1 = { at = 1, derivatives = ["m/10"] }
w = { at = 1, derivatives = [-0.1] }
[run]
from = 0.25
until = 3
at_impasse = "stop"
)toml");
  ASSERT_TRUE(compiled.jets);
  const JetSystem& system = *compiled.jets;
  EXPECT_EQ(system.order, 2);
  EXPECT_EQ(system.equations.size(), 4U);
  EXPECT_EQ(system.equations[0].name, "first");
  EXPECT_EQ(system.equations[1].name, "equation 2");
  ASSERT_EQ(system.events.size(), 1U);
  EXPECT_TRUE(system.events[0].stops);
  EXPECT_EQ(system.events[0].direction, Observable::Direction::falling);
  EXPECT_EQ(system.given[0], 0.25);
  EXPECT_EQ(system.given[5], 0.2);
  EXPECT_TRUE(std::isnan(system.given[7]));
  EXPECT_EQ(compiled.run.at_impasse, "stop");
  EXPECT_EQ(system.value(system.equations[3].node, system.given), 0.0);

  const CurveForm from_file = invariants_form(system), built = invariants_form(forms_particle());
  Vec p(7);
  p << 0.2, 0.3, 0.9, 0.4, 0.5, -0.1, 0.2;
  EXPECT_LE((forms_direction(from_file, p) - forms_direction(built, p)).norm(), 1e-14);
  CurveEvaluation a, b;
  from_file.curve.prepare(a);
  built.curve.prepare(b);
  ASSERT_EQ(from_file.curve.value(p, a), Status::ok);
  ASSERT_EQ(built.curve.value(p, b), Status::ok);
  EXPECT_NEAR(a.f[0], b.f[0], 1e-14);
}

TEST(JetFiles, UnknownsAndEquationsAreRepeated) {
  const CompiledModel compiled = forms_compile(R"toml(
[parameters]
n = 5
[jets]
independent = "t"
unknowns = ["u{k}"]
repeat = { k = "1:n" }
[[equation]]
name = "decay {k}"
zero = "u{k}' + {k}*u{k} - sin(t)"
repeat = { k = "1:n" }
)toml");
  const JetSystem& system = *compiled.jets;
  ASSERT_EQ(system.n(), 5);
  EXPECT_EQ(system.order, 1);
  EXPECT_EQ(system.name_of(6), "u1'");
  EXPECT_EQ(system.equations[2].name, "decay 3");
  Vec p(6);
  p << 0.5, 1, 2, 3, 4, 5;
  const Vec V = forms_direction(general_form(system), [&] {
    Vec all = Vec::Zero(11);
    all.head(6) = p;
    for (Index k = 1; k <= 5; ++k) all[5 + k] = std::sin(0.5) - static_cast<double>(k) * p[k];
    return all;
  }());
  const double y1 = std::sin(0.5) - 3 * 3.0;
  EXPECT_NEAR(V[3] / V[0], y1, 1e-13);
  EXPECT_NEAR(V[8] / V[0], std::cos(0.5) - 3 * y1, 1e-13);
}

TEST(JetFiles, StartValuesAreRepeated) {
  const CompiledModel compiled = forms_compile(R"toml(
[parameters]
n = 4
[jets]
unknowns = ["u{k}"]
repeat = { k = "0:n" }
[[equation]]
zero = "u{k}' - {k}"
repeat = { k = "0:n" }
[start]
"u{k}" = { at = "{k}/n", derivatives = ["2*{k}"], repeat = { k = "0:n" } }
)toml");
  for (Index k = 0; k <= 4; ++k) {
    EXPECT_EQ(compiled.jets->given[compiled.jets->jet(0, k)], 0.25 * static_cast<double>(k));
    EXPECT_EQ(compiled.jets->given[compiled.jets->jet(1, k)], 2.0 * static_cast<double>(k));
  }
  const std::string two = R"toml([jets]
unknowns = ["u1", "u2"]
[[equation]]
zero = "u{k}' - 1"
repeat = { k = "1:2" }
[start]
)toml";
  forms_expect_mistake(two + "\"u{k}\" = { at = 1, repeat = { k = \"1:2\" } }\nu2 = 3\n",
                       "8:1 start u2", "given twice");
  forms_expect_mistake(two + "\"u{k}\" = 1\n", "7:1 start u{k}", "add repeat");
  forms_expect_mistake(two + "\"u{k}\" = { at = 1, repeat = { k = \"1:3\" } }\n", "7:1 start u3",
                       "no such unknown");
}

TEST(JetFiles, MistakesHaveTheirPlacesAndWords) {
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
order = 1
[[equation]]
zero = "y' + y''"
)toml",
                       "5:14 equation 1: zero", "order 2 in a system of order 1");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y", "z"]
[[equation]]
zero = "y' + y"
[[equation]]
zero = "y + x"
)toml",
                       "1:1 jets: unknowns", "z appears in no equation");
  forms_expect_mistake(R"toml([jets]
unknowns = ["yy"]
[[equation]]
zero = "yy' + yz'"
)toml",
                       "4:15 equation 1: zero", "did you mean 'yy'?");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
[[equation]]
zero = "y' + v(y)"
)toml",
                       "4:16 equation 1: zero", "write y' for the derivative");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
[[equation]]
zero = "y' + der(y)"
)toml",
                       "4:18 equation 1: zero", "der(y, 3)");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
[[equation]]
zero = "y ' + y"
)toml",
                       "4:11 equation 1: zero", "directly behind a name");
  forms_expect_mistake(R"toml([coordinates]
q = { mass = 1 }
[[potential]]
energy = "q'^2"
)toml",
                       "4:11 potential 1: energy", "write v(q) for the velocity of q");
  forms_expect_mistake(R"toml([coordinates]
q = { mass = 1 }
[[equation]]
zero = "q - 1"
)toml",
                       "3:1 equation 1", "without [jets]");
  forms_expect_mistake(R"toml([jets]
unknowns = ["x", "y"]
[[equation]]
zero = "y' + y"
[[equation]]
zero = "x' + y"
)toml",
                       "2:", "independent");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
[[equation]]
zero = "y' + y"
[[invariant]]
value = "y*y'"
[start]
y = 2
)toml",
                       "6:10 invariant 1: value", "reads y', whose start is not given");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
[[equation]]
zero = "y' + y"
[start]
y = { at = 1, derivatives = [1, 2] }
)toml",
                       "6:", "2 derivatives in a system of order 1");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
[[equation]]
zero = "y' + y"
[run]
method = "rattle"
)toml",
                       "6:", "projected-rk");
  forms_expect_mistake(R"toml([jets]
unknowns = ["y"]
[[equation]]
zero = "y' + y"
[run]
at_impasse = "go"
)toml",
                       "6:", "\"continue\" or \"stop\"");
}

TEST(JetFiles, AllMistakesOfAFileAreReported) {
  const auto found = forms_mistakes(R"toml([points]
bob = { mass = 1, at = [1, 0] }
[jets]
unknowns = ["y"]
order = 1.5
[[equation]]
zero = "y' + q"
[[rod]]
between = ["origin", "bob"]
[[rod]]
between = ["origin", "bob"]
[start]
z = 1
)toml");
  ASSERT_EQ(found.size(), 5U) << testing::PrintToString(found);
  EXPECT_EQ(found[0].rfind("2:1 [points]: does not belong", 0), 0U) << found[0];
  EXPECT_NE(found[1].find("jets: order: 1.5"), std::string::npos) << found[1];
  EXPECT_NE(found[2].find("unknown name 'q'"), std::string::npos) << found[2];
  EXPECT_EQ(found[3].rfind("8:1 [[rod]]", 0), 0U) << found[3];
  EXPECT_NE(found[4].find("there is no such unknown"), std::string::npos) << found[4];
}

}  // namespace
}  // namespace taut
