// SPDX-License-Identifier: BSD-3-Clause
// What stands in a report is read back with other code and compared with the run.
#include "taut/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "report_of_run.hpp"

namespace taut::test {
namespace {

constexpr std::size_t report_limit = 5'000'000;

TEST(Report, HasTheMotionToTheBit) {
  const Reported r = reported(report_double_pendulum(), "dop853", {.until = 3.0});
  const Motion& motion = r.motion;
  ASSERT_EQ(r.data["rows"], motion.rows());
  EXPECT_TRUE(r.data["thinned"].is_null());
  EXPECT_EQ(r.data["kind"], "report");
  EXPECT_EQ(r.data["summary"]["status"], "done");
  const auto column = [&](std::size_t k) {
    EXPECT_TRUE(r.data["columns"][k]["low"].is_null());
    return report_doubles(r.data["columns"][k]["data"]);
  };
  EXPECT_TRUE(report_same_bits(column(0), motion.t));
  for (const Json& group : r.data["groups"]) {
    const std::string id = group["id"];
    for (std::size_t i = 0; i < group["columns"].size(); ++i) {
      const std::size_t k = group["columns"][i];
      SCOPED_TRACE(id + ' ' + std::to_string(i));
      const std::map<std::string, std::vector<double>> truth{
          {"coordinates", report_column(motion.q, i, 4)},
          {"velocities", report_column(motion.v, i, 4)},
          {"forces", report_column(motion.lambda, i, 2)},
          {"energy", i == 0   ? motion.energy
                     : i == 1 ? motion.kinetic_energy
                              : motion.potential_energy},
          {"accelerations", report_column(motion.quantity, i, 4)},
          {"step", motion.step},
          {"residuals", i == 0 ? motion.max_constraint : motion.max_velocity_constraint}};
      if (const auto found = truth.find(id); found != truth.end()) {
        EXPECT_TRUE(report_same_bits(column(k), found->second));
      } else if (id == "energy_error") {
        double most = 0.0;
        for (const double error : column(k)) most = std::max(most, std::abs(error));
        EXPECT_NEAR(most, *r.summary.energy_error, 1e-12 * *r.summary.energy_error);
      } else {
        EXPECT_EQ(id, "rejections");
      }
    }
  }
  // loads go before coordinates
  EXPECT_EQ(r.data["groups"][0]["id"], "forces");
  EXPECT_EQ(r.data["groups"][0]["unit"], "N");
  EXPECT_EQ(r.data["groups"][1]["id"], "coordinates");
  // the picture is drawn from those columns
  const Json& scene = r.data["scene"];
  EXPECT_EQ(scene["points"][0]["at"][1]["column"], 4);
  EXPECT_EQ(scene["lines"][1]["column"], 2);
}

TEST(Report, ShowsNamesAsText) {
  const std::string name = R"(</script><script>alert(1)</script> <!-- "'& )"
                           "\xe2\x80\xa8\xc3\xa9";
  const Reported r = reported(report_double_pendulum(name), "dop853", {.until = 0.5});
  const Reported plain = reported(report_double_pendulum(), "dop853", {.until = 0.5});
  EXPECT_EQ(r.data["title"], name);
  EXPECT_EQ(r.data["summary"]["model"], name);
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++n;
    return n;
  };
  for (const char* const tag : {"<script", "</script", "<!--", "</title"})
    EXPECT_EQ(count(r.html, tag), count(plain.html, tag)) << tag;
}

TEST(Report, OutputsOfDifferentSizesHaveTheirOwnAxes) {
  const Reported r = reported(R"toml(
name = "oscillator"
[points]
p = { mass = 1, at = [1, 0] }
[[spring]]
between = ["origin", "p"]
stiffness = 4
[outputs]
place = "p.x"
force = "-4000*p.x"
nothing = "0*p.x"
speed = "p.vx"
)toml",
                              "dop853", {.until = 3.0});
  std::map<std::string, std::vector<std::string>> names;
  std::map<std::string, std::string> units;
  for (const Json& group : r.data["groups"]) {
    for (const Json& k : group["columns"])
      names[group["id"]].push_back(r.data["columns"][k.get<std::size_t>()]["name"]);
    units[group["id"]] = group["unit"];
  }
  EXPECT_EQ(names["outputs"], (std::vector<std::string>{"place", "nothing", "speed"}));
  EXPECT_EQ(names["outputs-2"], std::vector<std::string>{"force"});
  EXPECT_EQ(units["accelerations"], "m/s²");
  EXPECT_EQ(units["power"], "W");
}

// Each row of the page spans 512 steps, 0.512 s, which is three periods of 2 pi / 40: its band must
// be the whole amplitude.
TEST(Report, OfAMillionStepsKeepsExtremesInASmallPage) {
  const Reported r = reported(R"toml(
name = "oscillator"
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "800*x^2"
)toml",
                              "verlet", {.until = 1000.0, .step = 0.001});
  EXPECT_EQ(r.summary.counters.steps, 1'000'000);
  EXPECT_LT(r.html.size(), report_limit);
  ASSERT_LE(r.data["rows"], 2001);
  EXPECT_EQ(r.data["thinned"]["steps"], 1'000'000);
  const Json& x = r.data["columns"][1];
  const std::vector<double> low = report_doubles(x["low"]), high = report_doubles(x["high"]);
  ASSERT_EQ(high.size(), r.data["rows"]);
  for (std::size_t row = 1; row + 1 < high.size(); ++row) {
    ASSERT_NEAR(high[row], 1.0, 2e-3) << row;
    ASSERT_NEAR(low[row], -1.0, 2e-3) << row;
  }
}

// a motion without a run: `rows` rows of points in the plane
Motion report_motion(std::size_t points, std::size_t rows, Structure& structure, Scene& scene) {
  structure.nq = static_cast<Index>(2 * points);
  for (std::size_t i = 0; i < points; ++i) {
    const std::string name = "point" + std::to_string(i);
    structure.coordinates.insert(structure.coordinates.end(), {name + ".x", name + ".y"});
    structure.velocities.insert(structure.velocities.end(), {name + ".vx", name + ".vy"});
    Scene::Point point{.name = name};
    point.at[0].coordinate = static_cast<int>(2 * i);
    point.at[1].coordinate = static_cast<int>(2 * i + 1);
    scene.points.push_back(point);
  }
  Motion motion;
  motion.start(structure);
  Frame frame;
  frame.state.q.resize(structure.nq);
  frame.state.v.resize(structure.nq);
  for (std::size_t row = 0; row < rows; ++row) {
    frame.state.t = static_cast<double>(row);
    for (Index i = 0; i < structure.nq; ++i) {
      frame.state.q[i] = std::sin(0.01 * frame.state.t + static_cast<double>(i));
      frame.state.v[i] = std::cos(0.01 * frame.state.t + static_cast<double>(i));
    }
    motion.append(frame);
  }
  return motion;
}

Summary report_summary(const Motion& motion) {
  Summary summary;
  summary.model = "many";
  summary.coordinates = motion.coordinates;
  summary.velocities = motion.velocities;
  summary.state.q.setZero(static_cast<Index>(motion.coordinates.size()));
  summary.state.v.setZero(static_cast<Index>(motion.velocities.size()));
  return summary;
}

TEST(Report, OfTenThousandCoordinatesAnimatesAllOfThem) {
  Structure structure;
  Scene scene;
  const Motion motion = report_motion(5000, 60, structure, scene);
  const std::string html =
      report_html(RunRecord{.subject = {.text = std::string(1'000'000, '<'), .scene = scene},
                            .system = facts_of(structure),
                            .motion = motion,
                            .summary = report_summary(motion)});
  EXPECT_LT(html.size(), report_limit);
  const Json data = report_data(html);
  ASSERT_EQ(data["scene"]["points"].size(), 5000u);
  const std::size_t rows = data["rows"];
  EXPECT_GE(rows, 10u);
  std::vector<double> t = report_doubles(data["columns"][0]["data"]);
  ASSERT_EQ(t.size(), rows);
  EXPECT_EQ(t.back(), 59.0);
  for (const std::size_t i : {std::size_t{0}, std::size_t{3333}, std::size_t{4999}}) {
    const std::size_t k = data["scene"]["points"][i]["at"][1]["column"];
    EXPECT_EQ(data["columns"][k]["name"], motion.coordinates[2 * i + 1]);
    const std::vector<double> y = report_doubles(data["columns"][k]["data"]);
    for (std::size_t row = 0; row < rows; ++row)
      ASSERT_EQ(y[row], motion.q[static_cast<std::size_t>(t[row]) * 10'000 + 2 * i + 1]);
  }
  EXPECT_EQ(data["groups"][0]["id"], "coordinates");
  EXPECT_LE(data["groups"][0]["columns"].size(), 256u);
  EXPECT_NE(data["thinned"]["note"].get<std::string>().find("10000 columns of \"Coordinates\""),
            std::string::npos);
}

TEST(Report, OfManyRowsKeepsTheirSpikes) {
  Structure structure;
  Scene scene;
  Motion motion = report_motion(5, 100'000, structure, scene);
  motion.q[54'321 * 10 + 7] = 99.0;
  motion.v[12'345 * 10 + 3] = -77.0;
  const std::string html = report_html(RunRecord{.subject = {.scene = scene},
                                                 .system = facts_of(structure),
                                                 .motion = motion,
                                                 .summary = report_summary(motion)});
  EXPECT_LT(html.size(), report_limit);
  const Json data = report_data(html);
  EXPECT_GT(data["rows"], 2000);
  EXPECT_EQ(data["thinned"]["rows"], 100'000);
  const std::vector<double> t = report_doubles(data["columns"][0]["data"]);
  EXPECT_EQ(t.back(), 99'999.0);
  const std::vector<double> high = report_doubles(data["columns"][1 + 7]["high"]);
  const std::vector<double> low = report_doubles(data["columns"][11 + 3]["low"]);
  const auto q = std::find(high.begin(), high.end(), 99.0) - high.begin();
  const auto v = std::find(low.begin(), low.end(), -77.0) - low.begin();
  ASSERT_LT(static_cast<std::size_t>(q), t.size());
  ASSERT_LT(static_cast<std::size_t>(v), t.size());
  // at the row behind
  EXPECT_GE(t[static_cast<std::size_t>(q)], 54'321.0);
  EXPECT_LT(t[static_cast<std::size_t>(q) - 1], 54'321.0);
  EXPECT_GE(t[static_cast<std::size_t>(v)], 12'345.0);
  EXPECT_LT(t[static_cast<std::size_t>(v) - 1], 12'345.0);
}

TEST(Report, OfACurveHasItsArcLengthAndImpassePoints) {
  CurveMotion motion;
  motion.coordinates = {"x", "u"};
  Vec p(2);
  for (int k = 0; k < 20; ++k) {
    p << std::sin(0.1 * k), std::cos(0.1 * k);
    motion.append({.s = 0.1 * k, .p = p, .max_equation = 1e-16, .step = 0.1});
  }
  CurveSummary summary;
  summary.model = "circle";
  summary.coordinates = motion.coordinates;
  summary.p = summary.V = p;
  summary.impasse_points.push_back({.s = 1.5707963, .p = Vec::Unit(2, 0)});
  const Json data =
      report_data(report_html(CurveRecord{.subject = {}, .motion = motion, .summary = summary}));
  EXPECT_EQ(data["axis"]["name"], "s");
  EXPECT_EQ(report_doubles(data["columns"][0]["data"]), motion.s);
  EXPECT_EQ(report_doubles(data["columns"][2]["data"]), report_column(motion.p, 1, 2));
  EXPECT_EQ(data["portrait"]["x"], 1);
  EXPECT_EQ(data["portrait"]["y"], 2);
  ASSERT_EQ(data["events"].size(), 1u);
  EXPECT_EQ(data["events"][0]["kind"], "impasse");
  EXPECT_EQ(data["events"][0]["at"], 1.5707963);
  EXPECT_TRUE(data["scene"].is_null());
}

}  // namespace
}  // namespace taut::test
