// SPDX-License-Identifier: BSD-3-Clause
// Tables: against the functions they were taken from, against closed motions, and in pieces.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formula/derivative.hpp"
#include "formula/enclosure.hpp"
#include "formula/lower.hpp"
#include "formula/series.hpp"
#include "formula/spline.hpp"
#include "formula/table.hpp"
#include "models.hpp"
#include "taut/model/compile.hpp"
#include "taut/simulation/plan.hpp"

namespace taut {
namespace {

using formula::Graph;
using formula::Interval;
using formula::Lookup;
using formula::NodeId;
using formula::Op;
using formula::Outside;
using formula::Slot;
using formula::TableKind;
using NumberTable = formula::Table;

std::shared_ptr<const NumberTable> number_table(NumberTable::Content content) {
  return std::make_shared<const NumberTable>(std::move(content), 0);
}

/// f and its derivatives at a point, through a graph: what an expression would get.
double of_graph(const std::shared_ptr<const NumberTable>& table, double x, double y, int order_x,
                int order_y) {
  Graph graph;
  const NodeId a = graph.input({Slot::q, 0}), b = graph.input({Slot::q, 1});
  NodeId f = formula::table_value(graph, table, a, table->axes() == 2 ? b : formula::no_node);
  formula::Derivatives derivatives{graph};
  const auto differentiate = [&](NodeId along) {
    const formula::Seed seed{along, graph.constant(1.0)};
    derivatives.direction({&seed, 1});
    f = derivatives.along(f);
  };
  for (int k = 0; k < order_x; ++k) differentiate(a);
  for (int l = 0; l < order_y; ++l) differentiate(b);
  const formula::EnclosedGraph all{graph, {&f, 1}};
  std::vector<double> inputs, values;
  for (const formula::Input& input : all.inputs()) inputs.push_back(input.index == 0 ? x : y);
  all.values(inputs, values);
  return values[static_cast<std::size_t>(all.place(f))];
}

std::vector<double> uneven_knots() { return {-1.0, -0.4, 0.1, 0.3, 1.2, 2.0, 2.05, 3.0}; }

TEST(Tables, CubicGivesBackCubicsWithAllTheirDerivatives) {
  const auto f = [](double x, int order) {
    switch (order) {
      case 0:
        return 1 - 2 * x + 0.5 * x * x + 0.7 * x * x * x;
      case 1:
        return -2 + x + 2.1 * x * x;
      case 2:
        return 1 + 4.2 * x;
      case 3:
        return 4.2;
      default:
        return 0.0;
    }
  };
  NumberTable::Content content{.name = "f", .kind = TableKind::cubic, .x = uneven_knots()};
  for (const double x : content.x) content.values.push_back(f(x, 0));
  const auto table = number_table(content);
  for (const double x : {-1.0, -0.7, 0.1, 0.2, 1.9, 2.03, 2.9, 3.0})
    for (int order = 0; order <= 4; ++order)
      EXPECT_NEAR(of_graph(table, x, 0.0, order, 0), f(x, order), 1e-11 * std::pow(10, order))
          << x << " order " << order;
}

TEST(Tables, BicubicGivesBackProductsOfCubics) {
  const auto p = [](double x) { return 1 - 2 * x + 0.5 * x * x + 0.7 * x * x * x; };
  const auto dp = [](double x) { return -2 + x + 2.1 * x * x; };
  const auto r = [](double y) { return 0.3 + y - 0.2 * y * y * y; };
  const auto dr = [](double y) { return 1 - 0.6 * y * y; };
  NumberTable::Content content{
      .name = "f", .kind = TableKind::cubic, .x = uneven_knots(), .y = {0.0, 0.5, 1.5, 1.7, 3.0}};
  for (const double x : content.x)
    for (const double y : content.y) content.values.push_back(p(x) * r(y));
  const auto table = number_table(content);
  for (const double x : {-1.0, -0.7, 0.2, 2.03, 2.9})
    for (const double y : {0.0, 0.2, 1.6, 2.9}) {
      EXPECT_NEAR(of_graph(table, x, y, 0, 0), p(x) * r(y), 1e-11);
      EXPECT_NEAR(of_graph(table, x, y, 1, 0), dp(x) * r(y), 1e-10);
      EXPECT_NEAR(of_graph(table, x, y, 0, 1), p(x) * dr(y), 1e-10);
      EXPECT_NEAR(of_graph(table, x, y, 1, 1), dp(x) * dr(y), 1e-9);
    }
}

TEST(Tables, PeriodicSplineConvergesWithOrderFourAndPassesItsSeam) {
  const auto error = [](int n) {
    NumberTable::Content content{.name = "f", .kind = TableKind::cubic, .periodic = true};
    for (int i = 0; i <= n; ++i) {
      // uneven
      const double s = 2 * std::numbers::pi * i / n, x = s + 0.3 * std::sin(s);
      content.x.push_back(x);
      content.values.push_back(i < n ? std::sin(x + 1) : std::sin(1));
    }
    const auto table = number_table(content);
    double most = 0.0;
    for (int k = -50; k < 150; ++k) {
      const double x = 0.1 * k + 0.013;
      most = std::max(most, std::abs(of_graph(table, x, 0, 0, 0) - std::sin(x + 1)));
    }
    // C2 at the seam
    for (int order = 0; order <= 2; ++order)
      EXPECT_NEAR(of_graph(table, 2 * std::numbers::pi - 1e-9, 0, order, 0),
                  of_graph(table, 2 * std::numbers::pi + 1e-9, 0, order, 0), 1e-7);
    return most;
  };
  const double coarse = error(16), fine = error(32);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.6);
}

TEST(Tables, MonotoneHasTheSlopesOfAParabolaAtItsEnds) {
  const std::vector<double> x{0, 1, 3}, y{0, 2, 12};  // x + x^2
  const std::vector<double> s = formula::slopes(TableKind::monotone, x, y, false);
  EXPECT_NEAR(s.front(), 1.0, 1e-14);
  EXPECT_NEAR(s.back(), 7.0, 1e-14);
}

TEST(Tables, MonotoneGrowsAndFallsWithItsPoints) {
  NumberTable::Content content{.name = "f",
                               .kind = TableKind::monotone,
                               .x = {0, 1, 2.5, 3, 4.2, 6},
                               .values = {0, 1, 1, 1.01, 3, 2.9}};
  const auto table = number_table(content);
  for (std::size_t i = 0; i + 1 < content.x.size(); ++i) {
    const double sign = content.values[i + 1] >= content.values[i] ? 1.0 : -1.0;
    for (int k = 0; k <= 20; ++k) {
      const double x = content.x[i] + (content.x[i + 1] - content.x[i]) * k / 20.0;
      EXPECT_GE(sign * of_graph(table, x - 1e-12 * (k == 20), 0, 1, 0), -1e-12) << x;
    }
  }
  // (3) of spline.hpp at x = 3, with the numbers put in: h = 0.5, 1.2, m = 0.02, 1.99/1.2
  const double w1 = 2 * 1.2 + 0.5, w2 = 1.2 + 2 * 0.5, m2 = 1.99 / 1.2;
  EXPECT_NEAR(of_graph(table, 3.0, 0, 1, 0), (w1 + w2) / (w1 / 0.02 + w2 / m2), 1e-14);
}

TEST(Tables, BeyondTheirEndsTheyHoldExtendOrRefuse) {
  NumberTable::Content content{
      .name = "f", .kind = TableKind::cubic, .x = {0, 1, 2, 3}, .values = {1, 2, 4, 3}};
  content.outside = Outside::hold;
  EXPECT_EQ(of_graph(number_table(content), -5, 0, 0, 0), 1.0);
  EXPECT_EQ(of_graph(number_table(content), 7, 0, 0, 0), 3.0);
  EXPECT_EQ(of_graph(number_table(content), 7, 0, 1, 0), 0.0);
  content.outside = Outside::extend;
  const auto extended = number_table(content);
  const double slope = of_graph(extended, 3.0, 0, 1, 0);
  EXPECT_NEAR(of_graph(extended, 5.0, 0, 0, 0), 3.0 + 2.0 * slope, 1e-13);
  content.outside = Outside::refuse;
  const auto refused = number_table(content);
  EXPECT_TRUE(std::isnan(of_graph(refused, -0.01, 0, 0, 0)));
  EXPECT_TRUE(std::isnan(of_graph(refused, 3.01, 0, 0, 0)));
  EXPECT_EQ(of_graph(refused, 3.0, 0, 0, 0), 3.0);
}

TEST(Tables, IntervalsHoldEveryValueAndEveryRate) {
  for (const TableKind kind : {TableKind::linear, TableKind::cubic, TableKind::monotone})
    for (const bool two : {false, true}) {
      if (two && kind == TableKind::monotone) continue;
      NumberTable::Content content{
          .name = "f", .kind = kind, .outside = Outside::extend, .x = uneven_knots()};
      if (two) content.y = {0.0, 0.5, 1.5, 1.7, 3.0};
      for (std::size_t i = 0; i < content.x.size() * (two ? content.y.size() : 1); ++i)
        content.values.push_back(std::sin(7.0 * static_cast<double>(i)));
      const auto table = number_table(content);
      Graph graph;
      const NodeId a = graph.input({Slot::q, 0}), b = graph.input({Slot::q, 1});
      const NodeId f = formula::table_value(graph, table, a, two ? b : formula::no_node);
      const formula::EnclosedGraph enclosed{graph, {&f, 1}};
      std::vector<formula::Enclosure> all;
      for (int n = 0; n < 300; ++n) {
        // a = x + s, b = y - s / 2 on |s| <= r
        const double x = -1.3 + 0.0147 * n, y = 0.1 + 0.009 * n, r = std::pow(10.0, -(n % 5));
        std::vector<formula::Enclosure> in;
        for (const formula::Input& input : enclosed.inputs())
          in.push_back(input.index == 0
                           ? formula::Enclosure{{x - r, x + r}, {1.0, 1.0}, x}
                           : formula::Enclosure{{y - r / 2, y + r / 2}, {-0.5, -0.5}, y});
        enclosed.enclose(in, r, all);
        const formula::Enclosure found = all[static_cast<std::size_t>(enclosed.place(f))];
        Interval seen{formula::unbounded, -formula::unbounded};
        for (int k = -10; k <= 10; ++k) {
          const double s = r * k / 10.0;
          const double value = of_graph(table, x + s, y - s / 2, 0, 0);
          seen = hull(seen, formula::point(value));
          EXPECT_LE(found.value.lo, value + 1e-13);
          EXPECT_GE(found.value.hi, value - 1e-13);
          const double rate = of_graph(table, x + s, y - s / 2, 1, 0) -
                              (two ? of_graph(table, x + s, y - s / 2, 0, 1) / 2 : 0.0);
          EXPECT_LE(found.rate.lo, rate + 1e-10);
          EXPECT_GE(found.rate.hi, rate - 1e-10);
        }
        // and they are not much wider than that
        if (n % 5 == 4) {
          EXPECT_LT(found.value.width(), 1.5 * seen.width() + 1e-6);
        }
      }
    }
}

TEST(Tables, SeriesAreThoseOfTheirPolynomials) {
  NumberTable::Content content{
      .name = "f", .kind = TableKind::cubic, .x = uneven_knots(), .y = {0.0, 0.5, 1.5, 1.7, 3.0}};
  for (const double x : content.x)
    for (const double y : content.y) content.values.push_back(std::cos(x) * y * y);
  const auto table = number_table(content);
  Graph graph;
  const NodeId f =
      formula::table_value(graph, table, graph.input({Slot::q, 0}), graph.input({Slot::q, 1}));
  const formula::Program program = formula::lower(graph, {{formula::Target::observable, 0, 0, f}});
  const formula::SeriesProgram series{program, 1};
  constexpr std::size_t count = 9;
  std::vector<double> memory(series.size() * count, -1.0);
  series.clear(memory.data(), count, program.constants);
  const double x0 = 0.7, y0 = 1.1, x1 = 0.1, x2 = -0.05, y1 = -0.2;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      const bool first = program.inputs[i].index == 0;
      memory[i * count + k] = k == 0            ? (first ? x0 : y0)
                              : k == 1          ? (first ? x1 : y1)
                              : k == 2 && first ? x2
                                                : 0.0;
    }
    series.run(memory.data(), count, k);
  }
  // the series is a polynomial of degree 9 in s that agrees with the table along the curve
  const std::size_t at = series.result(program.outputs.front().reg);
  for (const double s : {-0.4, 0.3}) {
    double sum = 0.0, power = 1.0;
    for (std::size_t k = 0; k < count; ++k, power *= s) sum += memory[at * count + k] * power;
    EXPECT_NEAR(sum, of_graph(table, x0 + s * (x1 + s * x2), y0 + s * y1, 0, 0), 1e-9) << s;
  }
}

TEST(Tables, ForcesOfTimeGiveTheClosedMotionAndStepsEndAtTheirPoints) {
  const Model model = test::stated(R"toml(
[tables]
push = { x = [0, 1, 1.5, 4], y = [0, 2, -1, 0] }
[coordinates]
q = { mass = 2 }
[[force]]
on = "q"
value = "push(t)"
[run]
until = 4
tol = 1e-10
)toml");
  for (const char* method : {"dop853", "radau", "auto", "dopri5"}) {
    const Result run = simulate(model, {.method = method});
    ASSERT_TRUE(run.summary.good()) << run.summary.message;
    // impulse: the areas below the lines; place: by hand, a = (2t, 2 - 6(t-1), -1 + 0.4(t-1.5))/2
    const auto piece = [](double h, double a0, double slope, double& v, double& x) {
      x += v * h + a0 * h * h / 2 + slope * h * h * h / 6;
      v += a0 * h + slope * h * h / 2;
    };
    double v = 0.0, x = 0.0;
    piece(1.0, 0.0, 1.0, v, x);
    piece(0.5, 1.0, -3.0, v, x);
    piece(2.5, -0.5, 0.2, v, x);
    EXPECT_NEAR(run.summary.state.q[0], x, 1e-12) << method;
    EXPECT_NEAR(run.summary.state.v[0], v, 1e-12) << method;
    for (const double knot : {1.0, 1.5}) {
      double nearest = 1.0;
      for (const double t : run.motion.t) nearest = std::min(nearest, std::abs(t - knot));
      EXPECT_LT(nearest, 1e-12) << method << ": no step ends at " << knot;
    }
  }
}

TEST(Tables, SpringsOfAMeasuredLineHaveTheClosedPeriod) {
  // force -1 x up to 1, then stiffer: -(1 + 4 (x - 1)); amplitude 2, mass 1. Outside of 1 the
  // motion is about x_c = 1 - 1/4 with frequency 2, inside about 0 with frequency 1.
  const Model model = test::stated(R"toml(
[tables]
pull = { x = [-3, -1, 1, 3], y = [9, 1, -1, -9] }
[coordinates]
q = { mass = 1, at = 2 }
[[force]]
on = "q"
value = "pull(q)"
[[event]]
name = "through"
zero = "q"
direction = "falling"
[run]
until = 20
tol = 1e-12
method = "dop853"
)toml");
  const Result run = simulate(model);
  ASSERT_TRUE(run.summary.good()) << run.summary.message;
  // from 2 to 1: x = 3/4 + 5/4 cos 2t, at x = 1 cos 2t = 1/5; v = -5/2 sin 2t
  const double t1 = std::acos(0.2) / 2, v1 = 2.5 * std::sqrt(1 - 0.04);
  // from 1 to 0: x = cos t - v1 sin t
  const double quarter = t1 + std::atan2(1.0, v1);
  ASSERT_GE(run.summary.events.size(), 2U);
  EXPECT_NEAR(run.summary.events[0].state.t, quarter, 1e-10);
  EXPECT_NEAR(run.summary.events[1].state.t, 5 * quarter, 1e-9);
}

TEST(Tables, AMotionThatRestsOnAPointOfItsTableIsDecided) {
  const Model model = test::stated(R"toml(
[tables]
cam = { x = [0, 1, 2, 3], y = [0, 1, 0, 0], periodic = true, kind = "cubic" }
[coordinates]
phi = { mass = 1 }
[[potential]]
energy = "0*cam(phi) + phi^2"
[[potential]]
energy = "cam(phi)^2"
[run]
until = 1
)toml");
  const Result run = simulate(model);
  ASSERT_TRUE(run.summary.good()) << run.summary.message;
  EXPECT_EQ(run.summary.state.q[0], 0.0);
}

// a wheel that stands on the road until a bump lifts it: its spring is at the corner where it is
// pressed or not, and stays there to the last digit while the other table says where the road is
TEST(Tables, AtRestOnAPointThatAnotherTableMovesIsDecided) {
  const Model model = test::stated(R"toml(
[tables]
road = { x = [0, 5, 6, 7, 100], y = [0, 0, 0.08, 0, 0] }
tyre = { x = [-0.2, 0, 0.2], y = [3000, 0, 0], outside = "hold" }
[coordinates]
wheel = { mass = 30 }
[[force]]
on = "wheel"
value = "tyre(wheel - road(10*t))"
[run]
until = 0.6
)toml");
  for (const char* method : {"auto", "dopri5", "radau"}) {
    SCOPED_TRACE(method);
    const Result run = simulate(model, {.method = method, .tol = 1e-10, .max_steps = 500});
    ASSERT_TRUE(run.summary.good()) << run.summary.message;
    // w^2 = 15000/30: x'' = w^2 (0.8 s - x), x = 0.8 (s - sin(w s)/w), s = t - 0.5
    const double w = std::sqrt(500.0), s = 0.1;
    EXPECT_NEAR(run.summary.state.q[0], 0.8 * (s - std::sin(w * s) / w), 1e-8);
  }
}

// where the hat begins both of its sides are 0: nobody need notice that this point is passed
TEST(Tables, APointThatChangesNothingMayBePassedUnnoticed) {
  const Model model = test::stated(R"toml(
[tables]
hat = { x = [-1, -0.5, 0, 0.5, 1], y = [0, 0, 1, 0, 0], outside = "hold" }
[coordinates]
q = { mass = 1, velocity = 1 }
[[force]]
on = "q"
value = "3*hat((q - 20.03)/0.01)^1.5*sign(20.03 - q) - 0.02"
[run]
until = 60
)toml");
  // within the well the mass is faster: by 0.00018847 s, from a quadrature of 1/v
  for (const double tol : {2e-6, 1e-7, 3e-8, 1e-9})
    for (const char* method : {"dop853", "dopri5", "radau"}) {
      SCOPED_TRACE(method);
      const Result run = simulate(model, {.method = method, .tol = tol, .error_estimate = false});
      ASSERT_TRUE(run.summary.good()) << run.summary.message;
      EXPECT_NEAR(run.summary.state.q[0], 24 - 0.2 * 0.00018847, 1e-6 + 3e3 * tol);
    }
}

TEST(Tables, ARunOffATableEndsThereWithItsName) {
  const Model model = test::stated(R"toml(
[tables]
road = { x = [0, 1, 2], y = [0, 1, 0] }
[coordinates]
q = { mass = 1, velocity = 1 }
[[force]]
on = "q"
value = "0.001*road(q)"
name = "wheel"
[run]
until = 5
)toml");
  const Result run = simulate(model, {.method = "dop853"});
  EXPECT_FALSE(run.summary.good());
  EXPECT_NEAR(run.summary.state.q[0], 2.0, 1e-9);
  EXPECT_NE(run.summary.message.find("wheel"), std::string::npos) << run.summary.message;
  EXPECT_NE(run.summary.message.find("road"), std::string::npos) << run.summary.message;
}

TEST(Tables, ParametersScaleThemToTheSameBits) {
  const std::string text = R"toml(
[parameters]
height = 0.1
speed = 2
[tables]
road = { x = [0, 1, 2, 4], y = [0, 1, 0.5, 0], kind = "monotone", periodic = true }
[coordinates]
q = { mass = 1 }
[[force]]
on = "q"
value = "-100*(q - height*road(speed*t)) - road(height)*v(q)"
[run]
until = 3
)toml";
  const CompiledModel first = compile(test::stated(text));
  const CompiledModel moved = first.with_parameter("height", 0.3);
  std::string other = text;
  other.replace(other.find("0.1"), 3, "0.3");
  const CompiledModel anew = compile(test::stated(other));
  Evaluation a, b;
  moved.system.prepare(a);
  anew.system.prepare(b);
  const Vec q = Vec::Constant(1, 0.2), v = Vec::Constant(1, -0.4);
  for (const double t : {0.0, 0.3, 0.5, 1.9, 7.7}) {
    ASSERT_EQ(moved.system.evaluate(need(Target::force), {.t = t, .q = q, .v = v}, a), Status::ok);
    ASSERT_EQ(anew.system.evaluate(need(Target::force), {.t = t, .q = q, .v = v}, b), Status::ok);
    EXPECT_EQ(a.f[0], b.f[0]) << t;
  }
}

// Files.
// ------------------------------------------------------------------------------------------------

class TableFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / fmt::format("taut_tables_{}", ::getpid());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{folder / name, std::ios::binary} << text;
  }
  /// What is wrong with a model that reads `table`; its force at t where nothing is.
  std::string mistakes(const std::string& table, double t = 0.5, double* force = nullptr) const {
    write("model.toml", fmt::format("[tables]\nroad = {}\n[coordinates]\nq = {{ mass = 1 }}\n"
                                    "[[force]]\non = \"q\"\nvalue = \"road(t)\"\n",
                                    table));
    Problems problems{(folder / "model.toml").string()};
    const Model model = read_model_file((folder / "model.toml").string(), problems);
    const CompiledModel compiled = compile(model, problems);
    if (!problems.empty()) return problems.message();
    Evaluation ev;
    compiled.system.prepare(ev);
    const Vec zero = Vec::Zero(1);
    EXPECT_EQ(compiled.system.evaluate(need(Target::force), {.t = t, .q = zero, .v = zero}, ev),
              Status::ok);
    if (force != nullptr) *force = ev.f[0];
    return {};
  }

  std::filesystem::path folder;
};

TEST_F(TableFiles, AreReadWithHeadingsCommentsAndAnySeparator) {
  double force = 0.0;
  for (const char* text : {"0,1\n1,3\n", "time;height\n0;1\n\n1;3\n", "# a road\n0 1\n1\t3 # end",
                           "\xEF\xBB\xBFt, y\r\n0, 1\r\n1, +3e0\r\n"}) {
    write("road.csv", text);
    EXPECT_EQ(mistakes("{ file = \"road.csv\" }", 0.5, &force), "") << text;
    EXPECT_EQ(force, 2.0) << text;
  }
  write("road.csv", "a,b,c,d\n0,7,1,7\n1,7,3,7\n");
  EXPECT_EQ(mistakes("{ file = \"road.csv\", columns = [1, 3] }", 0.5, &force), "");
  EXPECT_EQ(force, 2.0);
  EXPECT_EQ(mistakes("\"road.csv\"").find("has 4 columns") != std::string::npos, true);
}

TEST_F(TableFiles, MistakesAreNamedWithTheirLine) {
  const auto found = [&](const std::string& text, const std::string& what) {
    write("road.csv", text);
    const std::string message = mistakes("\"road.csv\"");
    EXPECT_NE(message.find(what), std::string::npos) << text << "\n-> " << message;
    EXPECT_NE(message.find("model.toml:2"), std::string::npos) << message;
    EXPECT_EQ(message.find("unknown function"), std::string::npos) << message;
  };
  found("0,1\n1\n", "road.csv, line 2: has 1 column");
  found("0,1\n1,abc\n", "road.csv, line 2: \"abc\" is not a number");
  found("0,1\n1,nan\n", "line 2: nan is not finite");
  found("0,1\n2,3\n1,3\n", "line 3: x is 1, not more than 2 before it");
  found("0,1\n", "has 1 points");
  found("", "has 0 points");
  found("0,0,1\n0,1,2\n1,0,3\n", "has no point (1, 1)");
  found("0,0,1\n0,1,2\n0,1,3\n", "the point (0, 1) stands in line 2 already");
}

TEST_F(TableFiles, AreLookedForBesideTheModelOnly) {
  write("road.csv", "0,1\n1,3\n");
  std::filesystem::create_directories(folder / "in");
  std::ofstream{folder / "in" / "deep.csv"} << "0,1\n1,3\n";
  std::filesystem::create_symlink(folder / "in" / "deep.csv", folder / "link.csv");
  for (const std::string& name :
       std::vector<std::string>{"../road.csv", "in/deep.csv", (folder / "road.csv").string(),
                                "link.csv", "none.csv", "in", ".."})
    EXPECT_NE(mistakes(fmt::format("\"{}\"", name)), "") << name;
  EXPECT_EQ(mistakes("\"road.csv\""), "");
}

TEST(Tables, NumbersOfTheModelAreChecked) {
  const auto message = [](const std::string& table) {
    Problems problems;
    const Model model = read_model(
        fmt::format("[tables]\nf = {}\n[coordinates]\nq = {{ mass = 1 }}\n[[force]]\non = "
                    "\"q\"\nvalue = \"f(q)\"\n",
                    table),
        problems);
    static_cast<void>(compile(model, problems));
    return problems.message();
  };
  const auto has = [&](const std::string& table, const std::string& what) {
    EXPECT_NE(message(table).find(what), std::string::npos) << table << "\n-> " << message(table);
  };
  has("{ x = [0, 1] }", "has no numbers");
  has("{ x = [0, 1], y = [1] }", "has 1 values at 2 points");
  has("{ x = [0, 0], y = [1, 2] }", "not more than 0 before it");
  has("{ x = [0], y = [1] }", "x has 1 number");
  has("{ x = [0, 1], y = [1, \"a\"] }", "is an expression");
  has("{ x = [0, 1], y = [1, 2], periodic = true }", "is periodic, but ends with 2");
  has("{ x = [0, 1], y = [1, 2], kind = \"spline\" }", "must be");
  has("{ x = [0, 1], y = [1, 2], file = \"a.csv\" }", "both a file and numbers");
  has("{ x = [0, 1], y = [0, 1], z = [[1, 2], [3]] }", "a row of 1 numbers behind one of 2");
  has("{ x = [0, 1], y = [0, 1], z = [[1, 2], [3, 4]] }", "has two arguments, not 1");
  has("{ x = [0, 1], y = [0, 1], z = [[1, 2], [3, 4]], kind = \"monotone\" }", "two variables");
  has("{ file = \"a.csv\" }", "the model is no file itself");
}

TEST(Tables, TheExampleOfTheManualRuns) {
  std::ifstream in{TAUT_MODELS "/../docs/manual/model-file.md"};
  const std::string page{std::istreambuf_iterator<char>{in}, {}};
  const std::size_t section = page.find("## Tables"), begin = page.find("```toml\n", section) + 8;
  ASSERT_NE(section, std::string::npos);
  const Result run = simulate(test::stated(page.substr(begin, page.find("```", begin) - begin)));
  EXPECT_TRUE(run.summary.good()) << run.summary.message;
}

TEST(Tables, ModelsOfTheGalleryFollowThem) {
  const Result cam = simulate(load(TAUT_MODELS "/cam.toml"));
  ASSERT_TRUE(cam.summary.good()) << cam.summary.message;
  // half of a turn: the full lift, at rest, so that the contact carries the spring and the inertia
  const Result half = simulate(load(TAUT_MODELS "/cam.toml"), {.until = 0.125});
  EXPECT_NEAR(half.summary.state.q[0], 0.02, 1e-12);
  EXPECT_NEAR(half.summary.state.v[0], 0.0, 1e-9);
  const Result car = simulate(load(TAUT_MODELS "/quarter_car.toml"));
  ASSERT_TRUE(car.summary.good()) << car.summary.message;
}

TEST(Tables, InCppTheyAreNumbersOfTheModel) {
  Model model;
  model.tables.push_back({.name = "push", .x = {0.0, 1.0}, .y = {2.0, 2.0}});
  model.coordinates.push_back({.name = "q", .mass = 1.0});
  model.elements.push_back({.what = Force{.on = {"q"}, .value = {Value{"push(t)"}}}});
  const Result run = simulate(model, {.until = 1.0});
  ASSERT_TRUE(run.summary.good()) << run.summary.message;
  EXPECT_NEAR(run.summary.state.q[0], 1.0, 1e-9);
}

}  // namespace
}  // namespace taut
