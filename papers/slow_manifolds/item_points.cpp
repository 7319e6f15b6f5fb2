// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>

#include "items.hpp"
#include "problem.hpp"
#include "recipe.hpp"

namespace taut::papers::slow_manifolds {
namespace {

struct Coordinate {
  const char* name;
  double published, last_digit;
};
struct Point {
  double omega;
  std::array<Coordinate, 8> coordinates;
};

// what the paper calls zero is zero up to rounding
constexpr double zero = 1e-12;
constexpr std::array known{
    Point{1000,
          {{{"x1", 1.00000150, 1e-8},
            {"y1", 0.0, zero},
            {"x2", 2.00000275, 1e-8},
            {"y2", 0.0, zero},
            {"x1'", 0.0, zero},
            {"y1'", -0.4999951, 1e-7},
            {"x2'", 0.0, zero},
            {"y2'", 0.4999973, 1e-7}}}},
    Point{10000,
          {{{"x1", 1.0000000150, 1e-10},
            {"y1", 0.0, zero},
            {"x2", 2.0000000275, 1e-10},
            {"y2", 0.0, zero},
            {"x1'", 0.0, zero},
            {"y1'", -0.499999952, 1e-9},
            {"x2'", 0.0, zero},
            {"y2'", 0.499999973, 1e-9}}}},
};

}  // namespace

Shown points() {
  std::vector<Row> rows;
  for (const Point& point : known) {
    const Projected projected = project({.omega = point.omega}, constrained_start());
    const auto equation = [&](Index i) {
      return point.omega == 1000 ? (i < 4 ? "(33)" : "(34)") : (i < 4 ? "(35)" : "(36)");
    };
    for (Index i = 0; i < 8; ++i) {
      const Coordinate& c = point.coordinates[static_cast<std::size_t>(i)];
      rows.push_back(printed(fmt::format("{} omega = {}: {}", equation(i), point.omega, c.name),
                             c.published, i < 4 ? projected.state.q(i) : projected.state.v(i - 4),
                             equation(i),
                             c.last_digit == zero ? rounding(zero) : unit_of(c.last_digit)));
    }
    rows.push_back(printed(fmt::format("omega = {}: iterations", point.omega), 2.0,
                           static_cast<double>(projected.iterations), "section 5.3", counted()));
  }
  return rows;
}

}  // namespace taut::papers::slow_manifolds
