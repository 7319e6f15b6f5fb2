// SPDX-License-Identifier: BSD-3-Clause
// Every section of a model file, read as it is meant.
#include <gtest/gtest.h>

#include "taut/model/model_file.hpp"

namespace taut {
namespace {

Model read(std::string_view text) {
  Problems problems;
  Model model = read_model(text, problems);
  EXPECT_TRUE(problems.empty()) << problems.message();
  EXPECT_FALSE(model.incomplete);
  return model;
}

template <class What>
const What& only(const Model& model) {
  static const What none{};
  EXPECT_EQ(model.elements.size(), 1U);
  if (model.elements.size() != 1) return none;
  const auto* what = std::get_if<What>(&model.elements[0].what);
  EXPECT_NE(what, nullptr);
  return what != nullptr ? *what : none;
}

TEST(ModelFile, AnEmptyFileIsAnEmptyModel) {
  const Model model = read("");
  EXPECT_TRUE(model.name.empty());
  EXPECT_TRUE(model.points.empty());
  EXPECT_FALSE(model.run.until);
}

TEST(ModelFile, ParametersKeepTheOrderOfTheFile) {
  const Model model = read("name = \"m\"\n[parameters]\nz = 1\na = \"2*z\"\nM = { value = 3 }\n");
  EXPECT_EQ(model.name, "m");
  ASSERT_EQ(model.parameters.size(), 3U);
  EXPECT_EQ(model.parameters[0].name, "z");
  EXPECT_EQ(model.parameters[0].value.number(), 1.0);
  EXPECT_EQ(model.parameters[1].name, "a");
  EXPECT_EQ(model.parameters[1].value.text(), "2*z");
  EXPECT_EQ(model.parameters[1].value.at().line, 4);
  EXPECT_EQ(model.parameters[1].value.at().column, 6) << "the first character after the quote";
  EXPECT_EQ(model.parameters[2].value.number(), 3.0);
}

TEST(ModelFile, SetReplacesAParameter) {
  Model model = read("[parameters]\na = 1\n");
  EXPECT_TRUE(model.set("a", "3*pi"));
  EXPECT_EQ(model.parameters[0].value.text(), "3*pi");
  EXPECT_FALSE(model.set("b", 1.0));
}

TEST(ModelFile, PointsInThePlaneAndInSpace) {
  const Model model = read(R"toml(
[points]
b = { mass = "m", at = [1, "-l"], velocity = [0, 0.5] }
a = { at = [1, 2, 3] }
)toml");
  ASSERT_EQ(model.points.size(), 2U);
  EXPECT_EQ(model.points[0].name, "b");
  EXPECT_EQ(model.points[0].mass.text(), "m");
  EXPECT_EQ(model.points[0].at[1].text(), "-l");
  ASSERT_EQ(model.points[0].velocity.size(), 2U);
  EXPECT_EQ(model.points[0].velocity[1].number(), 0.5);
  EXPECT_EQ(model.points[0].position.line, 3);
  EXPECT_EQ(model.points[1].at.size(), 3U);
  EXPECT_EQ(model.points[1].mass.number(), 0.0);
  EXPECT_TRUE(model.points[1].velocity.empty());
}

TEST(ModelFile, AnchorsCoordinatesAndDefinitions) {
  const Model model = read(R"toml(
[anchors]
wall  = [0, "sin(t)"]
"post{k}" = { at = ["{k}", 0], repeat = { k = "1:3" } }
[coordinates]
q = { mass = 1, at = 0.5, velocity = "w" }
beta = 0.25
[definitions]
xb = "cos(t)"
"d{k}" = { value = "q*{k}", repeat = { k = "1:3" } }
)toml");
  ASSERT_EQ(model.anchors.size(), 2U);
  EXPECT_EQ(model.anchors[0].at[1].text(), "sin(t)");
  EXPECT_EQ(model.anchors[1].repeat.ranges[0].index, "k");
  ASSERT_EQ(model.coordinates.size(), 2U);
  EXPECT_EQ(model.coordinates[0].velocity->text(), "w");
  EXPECT_EQ(model.coordinates[1].name, "beta");
  EXPECT_EQ(model.coordinates[1].at.number(), 0.25);
  EXPECT_EQ(model.coordinates[1].mass.number(), 0.0);
  ASSERT_EQ(model.definitions.size(), 2U);
  EXPECT_EQ(model.definitions[1].value.text(), "q*{k}");
  EXPECT_EQ(model.definitions[1].repeat.ranges.size(), 1U);
}

TEST(ModelFile, Rod) {
  const Model model = read(R"toml(
[[rod]]
between = ["origin", "b"]
length = 2
compliance = "1/omega^2"
mass = 3
name = "upper"
)toml");
  const Rod& rod = only<Rod>(model);
  EXPECT_EQ(rod.between[0].text, "origin");
  EXPECT_EQ(rod.between[1].text, "b");
  EXPECT_EQ(rod.between[1].at.line, 3);
  EXPECT_EQ(rod.length->number(), 2.0);
  EXPECT_EQ(rod.compliance.text(), "1/omega^2");
  EXPECT_EQ(rod.mass->number(), 3.0);
  EXPECT_EQ(model.elements[0].name, "upper");
  EXPECT_EQ(model.elements[0].position.line, 2);
}

TEST(ModelFile, RodWithDefaults) {
  const Model model = read("[[rod]]\nbetween = [\"a\", \"b\"]\n");
  const Rod& rod = only<Rod>(model);
  EXPECT_FALSE(rod.length);
  EXPECT_EQ(rod.compliance.number(), 0.0);
  EXPECT_FALSE(rod.mass);
  EXPECT_TRUE(model.elements[0].name.empty());
}

TEST(ModelFile, SpringAndDamper) {
  const Model spring =
      read("[[spring]]\nbetween = [\"a\", \"b\"]\nstiffness = \"k\"\nlength = 1\n");
  EXPECT_EQ(only<Spring>(spring).stiffness.text(), "k");
  EXPECT_EQ(only<Spring>(spring).length->number(), 1.0);
  const Model damper = read("[[damper]]\nbetween = [\"a\", \"b\"]\ndamping = 4\n");
  EXPECT_EQ(only<Damper>(damper).damping.number(), 4.0);
  EXPECT_EQ(only<Damper>(damper).between[0].text, "a");
}

TEST(ModelFile, Gravity) {
  const Model all = read("[[gravity]]\nacceleration = [0, \"-g\"]\n");
  EXPECT_EQ(only<Gravity>(all).acceleration[1].text(), "-g");
  EXPECT_TRUE(only<Gravity>(all).on.empty());
  const Model some = read("[[gravity]]\nacceleration = [0, 0, -1]\non = [\"a\", \"b\"]\n");
  EXPECT_EQ(only<Gravity>(some).acceleration.size(), 3U);
  EXPECT_EQ(only<Gravity>(some).on[1].text, "b");
  const Model one = read("[[gravity]]\nacceleration = [0, -1]\non = \"a\"\n");
  EXPECT_EQ(only<Gravity>(one).on.size(), 1U);
}

TEST(ModelFile, Chain) {
  const Model model = read(R"toml(
[[chain]]
name = "cable"
links = "n"
from = "hook"
length = "1/n"
mass = 2
direction = [0, -1]
compliance = 1e-6
)toml");
  const Chain& chain = only<Chain>(model);
  EXPECT_EQ(chain.prefix, "cable");
  EXPECT_EQ(chain.links.text(), "n");
  EXPECT_EQ(chain.from.text, "hook");
  EXPECT_EQ(chain.length.text(), "1/n");
  EXPECT_EQ(chain.mass.number(), 2.0);
  EXPECT_EQ(chain.direction[1].number(), -1.0);
  EXPECT_EQ(chain.compliance.number(), 1e-6);

  const Model least = read("[[chain]]\nlinks = 3\n");
  EXPECT_EQ(only<Chain>(least).prefix, "link");
  EXPECT_EQ(only<Chain>(least).from.text, "origin");
  EXPECT_TRUE(only<Chain>(least).direction.empty());
}

TEST(ModelFile, ExpressionElements) {
  EXPECT_EQ(only<Potential>(read("[[potential]]\nenergy = \"q^2\"\n")).energy.text(), "q^2");
  EXPECT_EQ(only<Kinetic>(read("[[kinetic]]\nenergy = \"v(q)^2\"\n")).energy.text(), "v(q)^2");
  const Model constraint =
      read("[[constraint]]\nzero = \"q - t\"\ncompliance = 0.5\nname = \"drive\"\n");
  EXPECT_EQ(only<Constraint>(constraint).zero.text(), "q - t");
  EXPECT_EQ(only<Constraint>(constraint).compliance.number(), 0.5);
  EXPECT_EQ(constraint.elements[0].name, "drive");
  const Model invariant = read("[[invariant]]\nvalue = \"q\"\nname = \"area\"\n");
  EXPECT_EQ(only<Invariant>(invariant).value.text(), "q");
}

TEST(ModelFile, ForceOnACoordinateAndOnAPoint) {
  const Model coordinate = read("[[force]]\non = \"bob.x\"\nvalue = \"-q\"\n");
  EXPECT_EQ(only<Force>(coordinate).on.text, "bob.x");
  EXPECT_EQ(only<Force>(coordinate).value.size(), 1U);
  const Model point = read("[[force]]\non = \"bob\"\nvalue = [1, \"t\"]\n");
  EXPECT_EQ(only<Force>(point).value[1].text(), "t");
}

TEST(ModelFile, Events) {
  const Model plain = read("[[event]]\nzero = \"q\"\n");
  EXPECT_EQ(only<Event>(plain).direction, Event::Direction::any);
  EXPECT_EQ(only<Event>(plain).action, Event::Action::record);
  const Model stop = read("[[event]]\nzero = \"q\"\ndirection = \"falling\"\naction = \"stop\"\n");
  EXPECT_EQ(only<Event>(stop).direction, Event::Direction::falling);
  EXPECT_EQ(only<Event>(stop).action, Event::Action::stop);
  const Model rising = read("[[event]]\nzero = \"q\"\ndirection = \"rising\"\n");
  EXPECT_EQ(only<Event>(rising).direction, Event::Direction::rising);
}

TEST(ModelFile, VibrationAndRun) {
  const Model model = read(R"toml(
[vibration]
omega = 1e6
phase = "pi/2"
[run]
from = 1
until = "2*pi"
step = 0.01
tol = 1e-8
every = 0.1
omega = 100
reading = "penalized"
method = "cvode-bdf"
)toml");
  EXPECT_EQ(model.vibration->omega.number(), 1e6);
  EXPECT_EQ(model.vibration->phase.text(), "pi/2");
  EXPECT_EQ(model.run.from->number(), 1.0);
  EXPECT_EQ(model.run.until->text(), "2*pi");
  EXPECT_EQ(model.run.step->number(), 0.01);
  EXPECT_EQ(model.run.tol->number(), 1e-8);
  EXPECT_EQ(model.run.every->number(), 0.1);
  EXPECT_EQ(model.run.omega->number(), 100.0);
  EXPECT_EQ(model.run.reading->text, "penalized");
  EXPECT_EQ(model.run.method->text, "cvode-bdf");
}

TEST(ModelFile, StartValuesInEveryNotation) {
  const Model model = read(R"toml(
[start]
q = 1
"bob.x" = "2*a"
bob.y = { at = 3, velocity = 4 }
beta = { velocity = 5 }
ted = { x = 6, y = 7 }
)toml");
  ASSERT_EQ(model.start.size(), 6U);
  const std::vector<std::string> names{"q", "bob.x", "bob.y", "beta", "ted.x", "ted.y"};
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(model.start[i].coordinate, names[i]);
  EXPECT_EQ(model.start[0].at->number(), 1.0);
  EXPECT_FALSE(model.start[0].velocity);
  EXPECT_EQ(model.start[1].at->text(), "2*a");
  EXPECT_EQ(model.start[2].at->number(), 3.0);
  EXPECT_EQ(model.start[2].velocity->number(), 4.0);
  EXPECT_FALSE(model.start[3].at);
  EXPECT_EQ(model.start[3].velocity->number(), 5.0);
  EXPECT_EQ(model.start[5].at->number(), 7.0);
}

TEST(ModelFile, ElementsOfAllKindsStandInFileOrder) {
  const Model model = read(R"toml(
[[spring]]
between = ["a", "b"]
stiffness = 1
[[rod]]
between = ["c", "d"]
[[gravity]]
acceleration = [0, -1]
[[rod]]
between = ["e1", "f"]
[[constraint]]
zero = "q"
[[spring]]
between = ["g", "h"]
stiffness = 2
)toml");
  std::vector<std::size_t> kinds;
  for (const Element& element : model.elements) kinds.push_back(element.what.index());
  // rod 0, spring 1, gravity 3, constraint 7 in the variant
  const auto index_of = [](auto what) { return decltype(Element::what){what}.index(); };
  const std::size_t rod = index_of(Rod{}), spring = index_of(Spring{});
  EXPECT_EQ(kinds, (std::vector<std::size_t>{spring, rod, index_of(Gravity{}), rod,
                                             index_of(Constraint{}), spring}));
  EXPECT_EQ(std::get<Rod>(model.elements[3].what).between[0].text, "e1");
}

TEST(ModelFile, RepeatKeepsTheOrderOfItsIndices) {
  const Model model = read(R"toml(
[[spring]]
between = ["p{j}", "p{i+1}"]
stiffness = "1/{j}"
repeat = { j = "1:n", i = "j+1 : max(n, (2*j))" }
)toml");
  const auto& ranges = model.elements.at(0).repeat.ranges;
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].index, "j");
  EXPECT_EQ(ranges[0].from.text(), "1");
  EXPECT_EQ(ranges[0].to.text(), "n");
  EXPECT_EQ(ranges[1].index, "i");
  EXPECT_EQ(ranges[1].from.text(), "j+1 ");
  EXPECT_EQ(ranges[1].to.text(), " max(n, (2*j))");
  EXPECT_EQ(ranges[1].to.at().line, 5);
  EXPECT_EQ(ranges[1].to.at().column, 33);
}

TEST(ModelFile, TablesMayBeWrittenInAnyWayTomlAllows) {
  const Model model = read(R"toml(
points.bob.mass = 2
points.bob.at = [1,
                 2]
rod = [ { between = ["origin", "bob"] }, { between = ["bob", "x1"], length = '1.5' } ]
[anchors.x1]
at = [0, 0]
)toml");
  ASSERT_EQ(model.points.size(), 1U);
  EXPECT_EQ(model.points[0].mass.number(), 2.0);
  ASSERT_EQ(model.elements.size(), 2U);
  EXPECT_EQ(std::get<Rod>(model.elements[1].what).length->text(), "1.5");
  EXPECT_EQ(model.anchors.size(), 1U);
}

TEST(ModelFile, TextOverSeveralLinesKnowsWhereItBegins) {
  const Model model = read("[[potential]]\nenergy = \"\"\"\n  q^2\n\"\"\"\n");
  EXPECT_EQ(only<Potential>(model).energy.at().line, 3);
  EXPECT_EQ(only<Potential>(model).energy.at().column, 1);
}

TEST(ModelFile, TextAndCommentsMayUseAnyLanguage) {
  const Model model =
      read("# \u03c9\nname = \"Br\u00fccke? \u6a4b\"\n[parameters]\na = \"1\" # \u00e9\nb = 2\n");
  EXPECT_EQ(model.name, "Br\u00fccke? \u6a4b");
  EXPECT_EQ(model.parameters.size(), 2U);
  EXPECT_EQ(read("name = '\u00e9\u00e8'\n").name, "\u00e9\u00e8");
  EXPECT_EQ(read("name = \"\\u00e9\"\n").name, "\u00e9");
}

TEST(ModelFile, AByteOrderMarkIsSkipped) { EXPECT_EQ(read("\uFEFFname = \"m\"\n").name, "m"); }

TEST(ModelFile, LinesMayEndAsOnOtherSystems) {
  const Model model = read("name = \"m\"\r\n[parameters]\r\na = 1\r\n");
  EXPECT_EQ(model.parameters.size(), 1U);
}

}  // namespace
}  // namespace taut
