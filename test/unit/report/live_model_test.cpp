// SPDX-License-Identifier: BSD-3-Clause
// What a page asks of a model that is played with, and what it is told.
#include "play/live_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using LiveJson = nlohmann::json;

std::string text_of_model(const std::string& name) {
  std::ifstream in{std::string{taut_SOURCE_DIR} + "/models/" + name + ".toml"};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// A model in the hand, of the gallery or of its own text.
class Played {
 public:
  explicit Played(const std::string& text)
      : live_{std::string{taut_SOURCE_DIR} + "/models/quarter_car.toml"} {
    opened = ask({{"ask", "open"}, {"text", text}});
  }
  LiveJson ask(const LiveJson& question) { return LiveJson::parse(live_.answer(question.dump())); }
  std::string say(const std::string& question) { return live_.answer(question); }

  LiveJson opened;

 private:
  LiveModel live_;
};

double summary_number(const LiveJson& answer, const char* coordinate) {
  return answer["data"]["summary"]["q"][coordinate].get<double>();
}

TEST(LiveModel, RunsAsSimulateDoesWithAnyParameters) {
  Played played{text_of_model("double_pendulum")};
  ASSERT_TRUE(played.opened["ok"]);
  const Model model = load(std::string{taut_SOURCE_DIR} + "/models/double_pendulum.toml");
  // back and forth: compiled once, with other numbers
  for (const double g : {9.81, 1.62, 9.81}) {
    const LiveJson answer = played.ask({{"ask", "run"}, {"set", {{"g", g}}}, {"until", 3}});
    ASSERT_TRUE(answer["ok"]);
    const Result truth = simulate(model, {.set = {{"g", g}}, .until = 3.0});
    EXPECT_EQ(summary_number(answer, "bob2.x"), truth.summary.state.q[2]);
    EXPECT_EQ(answer["data"]["rows"].get<std::size_t>(), truth.motion.rows());
  }
}

TEST(LiveModel, MistakesAreListedWithTheirLinesAndTheModelBeforeStays) {
  Played played{text_of_model("double_pendulum")};
  const LiveJson wrong = played.ask(
      {{"ask", "open"}, {"text", "name = \"x\"\n[points]\nb = { mas = 1, at = [0, 0] }\n"}});
  ASSERT_FALSE(wrong["ok"]);
  EXPECT_EQ(wrong["problems"][0]["line"], 3);
  EXPECT_FALSE(wrong["problems"][0]["remedy"].get<std::string>().empty());
  EXPECT_TRUE(played.ask({{"ask", "run"}, {"until", 1}})["ok"]);
  const LiveJson unknown = played.ask({{"ask", "run"}, {"method", "eulr"}});
  EXPECT_FALSE(unknown["ok"]);
}

// two rods of length 1 from the origin: bob2 goes where it is dragged within a distance of 2, and
// beyond that to the nearest place on the circle
TEST(LiveModel, ADraggedPointIsWhereTheConstraintsAllow) {
  Played played{text_of_model("double_pendulum")};
  const auto point = [&](const LiveJson& answer, const char* name) {
    return std::hypot(answer["start"][std::string{name} + ".x"].get<double>(),
                      answer["start"][std::string{name} + ".y"].get<double>());
  };
  LiveJson run = played.ask({{"ask", "run"}, {"until", 1}});
  int bob2 = -1;
  const LiveJson& points = run["data"]["scene"]["points"];
  for (std::size_t k = 0; k < points.size(); ++k)
    if (points[k]["name"] == "bob2") bob2 = static_cast<int>(k);
  ASSERT_GE(bob2, 0);
  const LiveJson near = played.ask({{"ask", "drag"}, {"point", bob2}, {"to", {-0.3, 0.9}}});
  ASSERT_TRUE(near["ok"]) << near;
  EXPECT_NEAR(near["at"][0].get<double>(), -0.3, 1e-6);
  EXPECT_NEAR(near["at"][1].get<double>(), 0.9, 1e-6);
  EXPECT_NEAR(point(near, "bob1"), 1.0, 1e-12);
  const LiveJson far = played.ask({{"ask", "drag"}, {"point", bob2}, {"to", {3, -4}}});
  ASSERT_TRUE(far["ok"]);
  EXPECT_NEAR(far["at"][0].get<double>(), 2 * 0.6, 0.02);
  EXPECT_NEAR(far["at"][1].get<double>(), 2 * -0.8, 0.02);
  // the run begins there, until the start of the model is back
  run = played.ask({{"ask", "run"}, {"until", 0.01}});
  EXPECT_NEAR(summary_number(run, "bob2.x"), far["at"][0].get<double>(), 0.01);
  EXPECT_TRUE(played.ask({{"ask", "back"}})["ok"]);
  run = played.ask({{"ask", "run"}, {"until", 0.01}});
  EXPECT_NEAR(summary_number(run, "bob2.x"), 1.0, 0.01);
  // and a link brings it back
  const LiveJson again = played.ask({{"ask", "start"}, {"values", near["start"]}});
  EXPECT_NEAR(again["start"]["bob2.x"].get<double>(), -0.3, 1e-6);
}

// what has no coordinates of its own: a point that is drawn at an angle
TEST(LiveModel, DrawnPointsAreDraggedThroughTheirFormulas) {
  Played played{R"toml(
[coordinates]
phi = { mass = 1, at = 0.3 }
[drawing]
points = { tip = ["2*sin(phi)", "-2*cos(phi)"] }
[[potential]]
energy = "-9.81*cos(phi)"
[run]
until = 1
)toml"};
  ASSERT_TRUE(played.opened["ok"]) << played.opened;
  const LiveJson run = played.ask({{"ask", "run"}});
  int tip = -1;
  const LiveJson& points = run["data"]["scene"]["points"];
  for (std::size_t k = 0; k < points.size(); ++k)
    if (points[k]["name"] == "tip") tip = static_cast<int>(k);
  const LiveJson moved = played.ask({{"ask", "drag"}, {"point", tip}, {"to", {1, -1}}});
  ASSERT_TRUE(moved["ok"]) << moved;
  EXPECT_NEAR(std::remainder(moved["start"]["phi"].get<double>() - std::acos(-1.0) / 4, 1.0), 0.0,
              2e-3);
}

// a mass on nothing, pulled by the hand from rest: k and c of its spring are those of a damped
// swing
TEST(LiveModel, AHandPullsByADampedSpring) {
  Played played{"[points]\nball = { mass = 2, at = [0, 0] }\n[run]\nuntil = 1\n"};
  ASSERT_TRUE(played.opened["ok"]) << played.opened;
  const LiveJson held = played.ask(
      {{"ask", "hold"}, {"point", 0}, {"quick", 1.0}, {"tol", 1e-10}, {"names", {"ball.x", "t"}}});
  ASSERT_TRUE(held["ok"]) << held;
  const LiveJson moved = played.ask({{"ask", "advance"}, {"by", 0.7}, {"to", {1, 0}}});
  ASSERT_TRUE(moved["ok"]) << moved;
  const double omega = 2 * std::acos(-1.0), zeta = 0.3, damped = omega * std::sqrt(1 - zeta * zeta);
  const double t = 0.7;
  const double x = 1 - std::exp(-zeta * omega * t) *
                           (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
  EXPECT_NEAR(moved["values"][0].get<double>(), x, 1e-6);
  EXPECT_NEAR(moved["values"][1].get<double>(), t, 1e-12);
}

// start(...) and expressions are compiled in; numbers of parameters are not, and go beside them
TEST(LiveModel, ExpressionsAndStartValuesAreThoseOfTheProgram) {
  Played played{text_of_model("double_pendulum")};
  const Model model = load(std::string{taut_SOURCE_DIR} + "/models/double_pendulum.toml");
  for (const double g : {9.81, 3.0}) {
    const LiveJson answer = played.ask({{"ask", "run"},
                                        {"set", {{"g", g}, {"start(bob2.vy)", "g/10"}}},
                                        {"until", "2*1.5"},
                                        {"tol", "1e-9"}});
    ASSERT_TRUE(answer["ok"]) << answer;
    const Result truth = simulate(
        model, {.set = {{"g", g}, {"start(bob2.vy)", "g/10"}}, .until = 3.0, .tol = Value{"1e-9"}});
    EXPECT_EQ(summary_number(answer, "bob2.x"), truth.summary.state.q[2]);
  }
  EXPECT_FALSE(played.ask({{"ask", "run"}, {"set", {{"start(nobody.x)", 1}}}})["ok"]);
  EXPECT_FALSE(played.ask({{"ask", "run"}, {"set", {{"g", "2*unknown"}}}})["ok"]);
  const std::string settings = settings_json({.set = {{"g", "2*k"}, {"k", 3.0}},
                                              .reading = Reading::named("penalized"),
                                              .omega = Value{"2*50"},
                                              .tol = 1e-5});
  EXPECT_EQ(LiveJson::parse(settings), (LiveJson{{"set", {{"g", "2*k"}, {"k", 3.0}}},
                                                 {"tol", 1e-5},
                                                 {"reading", "penalized"},
                                                 {"omega", "2*50"}}));
}

// velocities that rods do not allow become the nearest that they do: bob1 at (1, 0) of a rod that
// lies along x can move along y alone
TEST(LiveModel, VelocitiesOfTheStartAreMadeConsistent) {
  Played played{text_of_model("pendulum")};
  ASSERT_TRUE(played.opened["start"].contains("bob.vx")) << played.opened["start"];
  const LiveJson placed =
      played.ask({{"ask", "start"},
                  {"values", {{"bob.x", 1.0}, {"bob.y", 0.0}, {"bob.vx", 2.0}, {"bob.vy", 3.0}}}});
  ASSERT_TRUE(placed["ok"]) << placed;
  EXPECT_NEAR(placed["start"]["bob.vx"].get<double>(), 0.0, 1e-12);
  EXPECT_NEAR(placed["start"]["bob.vy"].get<double>(), 3.0, 1e-12);
}

// 400 links: another number of links is compiled once, a link goes where it is dragged, the links
// keep their lengths, and what is out of reach is approached
TEST(LiveModel, ALongChainIsDragged) {
  Played played{text_of_model("chain")};
  const LiveJson set{{"links", 400}};
  const LiveJson run = played.ask({{"ask", "run"}, {"set", set}, {"until", 1e-3}});
  ASSERT_TRUE(run["ok"]) << run;
  const LiveJson& points = run["data"]["scene"]["points"];
  int last = -1;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (points[k]["kind"] == "mass") last = static_cast<int>(k);
  ASSERT_GE(last, 0);
  const std::string name = points[static_cast<std::size_t>(last)]["name"];
  const LiveJson held = played.ask({{"ask", "hold"}, {"set", set}, {"point", -1}});
  ASSERT_TRUE(held["ok"]) << held;
  const std::size_t count = held["q"].size();
  ASSERT_EQ(count, 800u);
  const double x = held["q"][count - 2], y = held["q"][count - 1];
  const LiveJson near =
      played.ask({{"ask", "drag"}, {"set", set}, {"point", last}, {"to", {x - 0.5, y + 0.25}}});
  ASSERT_TRUE(near["ok"]) << near;
  EXPECT_NEAR(near["start"][name + ".x"].get<double>(), x - 0.5, 1e-9);
  EXPECT_NEAR(near["start"][name + ".y"].get<double>(), y + 0.25, 1e-9);
  const LiveJson far =
      played.ask({{"ask", "drag"}, {"set", set}, {"point", last}, {"to", {1e3, 1e3}}});
  EXPECT_TRUE(far["ok"]) << far;
}

// a step of any motion may take long: what is asked for in a moment is given in a moment
TEST(LiveModel, AMotionInTheHandIsLateRatherThanSilent) {
  Played played{text_of_model("double_pendulum")};
  ASSERT_TRUE(played.ask({{"ask", "hold"}, {"point", -1}, {"tol", 1e-10}})["ok"]);
  const LiveJson late = played.ask({{"ask", "advance"}, {"by", 1e7}, {"seconds", 0.05}});
  ASSERT_TRUE(late["ok"]) << late;
  EXPECT_TRUE(late["late"].get<bool>());
  EXPECT_TRUE(late["stopped"].is_null());
  const double t = late["t"];
  EXPECT_GT(t, 0.0);
  EXPECT_LT(t, 1e7);
  const LiveJson next = played.ask({{"ask", "advance"}, {"by", 0.01}});
  EXPECT_FALSE(next["late"].get<bool>());
  EXPECT_NEAR(next["t"].get<double>(), t + 0.01, 1e-9 * t);
}

TEST(LiveModel, ModesAreThoseOfTheCommand) {
  Played played{text_of_model("quarter_car")};
  ASSERT_TRUE(played.opened["ok"]) << played.opened;
  const LiveJson modes = played.ask({{"ask", "modes"}});
  ASSERT_TRUE(modes["ok"]) << modes;
  EXPECT_FALSE(modes["data"]["modes"].empty());
}

TEST(LiveModel, NoQuestionThrows) {
  Played played{"name = \"empty\"\n"};
  for (const char* question :
       {"", "[]", "{}", "null", R"({"ask": 3})", R"({"ask": "run", "set": 7})",
        R"({"ask": "drag"})", R"({"ask": "drag", "point": 99, "to": [1, 2]})",
        R"({"ask": "advance", "by": "x"})", R"({"ask": "hold", "point": "x"})",
        R"({"ask": "open"})", R"({"ask": "open", "text": 5})"}) {
    const LiveJson answer = LiveJson::parse(played.say(question));
    EXPECT_TRUE(answer.contains("ok")) << question;
  }
}

}  // namespace
}  // namespace taut
