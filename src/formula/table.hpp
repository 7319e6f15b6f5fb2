// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formula/interval.hpp"
#include "formula/spline.hpp"
#include "taut/formula/program.hpp"

namespace taut::formula {

/// What a table is beyond its ends.
enum class Outside : std::uint8_t {
  refuse,  ///< not a number
  hold,    ///< the value at the end
  extend,  ///< a straight line with the slope at the end
};

/// A function through numbers, in one or two variables: a polynomial on every cell between
/// neighbouring knots x_i, y_j,
///
///   f(x, y) = Σ_kl c_kl (x - x_i)^k (y - y_j)^l,   k, l <= 1 (linear), <= 3 (cubic)            (1)
///
/// In one variable the cubic on [x_i, x_{i+1}] has the values and slopes() of its ends; in two it
/// has f, f_x, f_y and f_xy of its corners, each found by slopes() along its lines.
///
/// An expression sees three operations, so that derivatives of it are looked up, too, and the cell
/// is a switch as any other floor(u) is:
///
///   knot(x)            i + (x - x_i) / (x_{i+1} - x_i): grows with x, whole at the knots; below
///                      the first between -1 and 0, above the last n - 1 and more             (2)
///   cell(i, j)         both indices as one number
///   piece(x, y, cell)  (1), or a derivative of it, of that cell, also where (x, y) is outside (3)
///   f(x, y)          = piece(x, y, cell(floor(knot(x)), floor(knot(y))))                      (4)
///
/// A lookup costs O(1) where knots are evenly spaced, else O(log n).
class Table {
 public:
  struct Content {
    std::string name;
    TableKind kind = TableKind::linear;
    Outside outside = Outside::refuse;
    bool periodic = false;       ///< in the first variable
    std::vector<double> x, y;    ///< knots, increasing; y is empty in one variable
    std::vector<double> values;  ///< at x_i, or at (x_i, y_j): row by row of x
  };
  /// Number of one that could not be read: what calls it is no expression, which was said.
  static constexpr int stand_in = -1;
  /// `number` tells the tables of a model apart.
  Table(Content content, int number);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] int axes() const { return axes_; }
  /// Derivatives of a higher order in one variable are 0.
  [[nodiscard]] int degree() const { return degree_; }
  /// First and last knot of an axis.
  [[nodiscard]] Interval range(int axis) const;
  [[nodiscard]] bool is_periodic() const { return axis_[0].period > 0.0; }
  [[nodiscard]] bool refuses() const { return outside_ == Outside::refuse; }

  [[nodiscard]] double look_up(Op op, const Lookup& what, double a, double b, double c) const;
  /// All values of a knot, or of a piece on a box. Where `c` holds more than one cell, every part
  /// of the box is looked up in the cell it lies in, as (4) does.
  [[nodiscard]] Interval look_up(Op op, const Lookup& what, Interval a, Interval b,
                                 Interval c) const;
  /// Whether a derivative is continuous across knots.
  [[nodiscard]] bool is_continuous(const Lookup& what) const {
    return what.order_x < smooth_ && what.order_y < smooth_;
  }
  /// Bound of what the next cells would give instead of this one, on a box.
  [[nodiscard]] double jump(const Lookup& what, Interval a, Interval b, Interval c) const;

 private:
  /// One variable: its knots, and its segments, with those outside at either end.
  struct Axis {
    std::vector<double> knots;
    double period = 0.0;        // 0: none
    double per_knot = 0.0;      // 1 / mean distance
    double steepest = 0.0;      // of (2)
    std::vector<double> bases;  // of segments
    [[nodiscard]] std::size_t find(double x) const;
    [[nodiscard]] double knot(double x, int order) const;
    /// Place of a segment in storage, and its base.
    [[nodiscard]] std::size_t place(double segment, double& base) const;
    [[nodiscard]] std::size_t segments() const { return bases.size(); }
    /// The part of `x` that lies in a segment.
    [[nodiscard]] Interval part(double segment, Interval x) const;
    [[nodiscard]] bool is_outside(Interval x) const;
  };
  struct Cell {
    const double* coefficients = nullptr;
    std::array<double, 2> base{};
  };

  void make_axis(Axis& axis, std::vector<double> knots, bool periodic) const;
  [[nodiscard]] std::vector<std::array<double, 16>> segment_maps(const Axis& axis) const;
  void make_line(const Content& content);
  void make_surface(const Content& content);
  [[nodiscard]] std::array<double, 2> indices(double cell) const;
  [[nodiscard]] Cell cell(double i, double j) const;
  [[nodiscard]] double polynomial(const Cell& cell, int order_x, int order_y, double x,
                                  double y) const;
  [[nodiscard]] Interval on_cell(const Lookup& what, double i, double j, Interval x,
                                 Interval y) const;

  std::string name_;
  int number_ = 0, axes_ = 1, degree_ = 3, smooth_ = 1;
  Outside outside_ = Outside::refuse;
  std::array<Axis, 2> axis_;
  std::vector<double> coefficients_;  // four of each segment, or sixteen of each cell
};

/// What an instruction of a program looks up.
[[nodiscard]] inline double looked_up(const TableLookup& lookup, Op op, double a, double b,
                                      double c) {
  return lookup.table->look_up(op, lookup.what, a, b, c);
}

/// (4); `y` is no_node in one variable.
[[nodiscard]] NodeId table_value(Graph& graph, const std::shared_ptr<const Table>& table, NodeId x,
                                 NodeId y);

}  // namespace taut::formula
