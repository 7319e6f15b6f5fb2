// SPDX-License-Identifier: BSD-3-Clause
#include "formula/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formula/arithmetic.hpp"

namespace taut::formula {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
/// Segments of one piece of an axis that are looked at one by one.
constexpr double most_segments = 64.0;

/// Derivative of c0 + c1 u + c2 u² + c3 u³.
double cubic(const double* c, int order, double u) {
  switch (order) {
    case 0:
      return ((c[3] * u + c[2]) * u + c[1]) * u + c[0];
    case 1:
      return (3.0 * c[3] * u + 2.0 * c[2]) * u + c[1];
    case 2:
      return 6.0 * c[3] * u + 2.0 * c[2];
    case 3:
      return 6.0 * c[3];
    default:
      return 0.0;
  }
}

double middle_of(Interval x) {
  if (std::isfinite(x.lo) && std::isfinite(x.hi)) return x.lo + (x.hi - x.lo) / 2;
  return std::isfinite(x.lo) ? x.lo : std::isfinite(x.hi) ? x.hi : 0.0;
}

/// How far beyond its end a table may be read: an end that a step was meant to end at.
double slack(const std::vector<double>& knots) {
  return 1e-12 * (std::abs(knots.front()) + std::abs(knots.back()));
}

}  // namespace

// Axes.
// --------------------------------------------------------------------------------------------------

/// Number of the segment that holds x, which lies between the first and the last knot.
std::size_t Table::Axis::find(double x) const {
  const std::size_t last = knots.size() - 2;
  const double guess = std::clamp((x - knots.front()) * per_knot, 0.0, static_cast<double>(last));
  const auto i = static_cast<std::size_t>(guess);
  const auto holds = [&](std::size_t k) { return knots[k] <= x && x < knots[k + 1]; };
  if (holds(i)) return i;
  if (i > 0 && holds(i - 1)) return i - 1;
  if (i < last && holds(i + 1)) return i + 1;
  const auto above = std::upper_bound(knots.begin(), knots.end(), x);
  return std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - knots.begin(), 1)) - 1,
                  last);
}

// (2)
double Table::Axis::knot(double x, int order) const {
  if (std::isnan(x)) return not_a_number;
  constexpr double far = 0.75;  // of the way to a next knot that is not there
  const double count = static_cast<double>(knots.size());
  const auto length = [&](std::size_t i) { return knots[i + 1] - knots[i]; };
  double turns = 0.0;
  if (period > 0.0) {
    if (!std::isfinite(x)) return order > 0 ? 0.0 : x;
    turns = std::floor((x - knots.front()) / period);
    x = std::clamp(x - turns * period, knots.front(), knots.back());
    if (x == knots.back()) {
      turns += 1.0;
      x = knots.front();
    }
  } else if (x < knots.front()) {
    const double way = (knots.front() - x) / length(0);
    return order == 0 ? -std::min(way, far) : way < far ? 1.0 / length(0) : 0.0;
  } else if (x >= knots.back()) {
    const double way = (x - knots.back()) / length(knots.size() - 2);
    if (order == 0) return count - 1.0 + std::min(way, far);
    return way < far ? 1.0 / length(knots.size() - 2) : 0.0;
  }
  const std::size_t i = find(x);
  if (order > 0) return 1.0 / length(i);
  return turns * (count - 1.0) + (static_cast<double>(i) + (x - knots[i]) / length(i));
}

std::size_t Table::Axis::place(double segment, double& base) const {
  const double last = static_cast<double>(segments()) - 1.0;
  if (period > 0.0) {
    const double turns = std::floor(segment / (last + 1.0));
    const auto place =
        static_cast<std::size_t>(std::clamp(segment - turns * (last + 1.0), 0.0, last));
    base = bases[place] + turns * period;
    return place;
  }
  const auto place = static_cast<std::size_t>(std::clamp(segment + 1.0, 0.0, last));
  base = bases[place];
  return place;
}

Interval Table::Axis::part(double segment, Interval x) const {
  const double count = static_cast<double>(knots.size());
  if (period > 0.0) {
    const double turns = std::floor(segment / (count - 1.0));
    const auto i = static_cast<std::size_t>(segment - turns * (count - 1.0));
    return intersection(x, {knots[i] + turns * period, knots[i + 1] + turns * period});
  }
  if (segment < 0.0) return {x.lo, std::min(x.hi, knots.front())};
  if (segment >= count - 1.0) return {std::max(x.lo, knots.back()), x.hi};
  const auto i = static_cast<std::size_t>(segment);
  return intersection(x, {knots[i], knots[i + 1]});
}

bool Table::Axis::is_outside(Interval x) const {
  return period == 0.0 &&
         (x.lo < knots.front() - slack(knots) || x.hi > knots.back() + slack(knots));
}

void Table::make_axis(Axis& axis, std::vector<double> knots, bool periodic) const {
  axis.knots = std::move(knots);
  const double length = axis.knots.back() - axis.knots.front();
  axis.per_knot = static_cast<double>(axis.knots.size() - 1) / length;
  for (std::size_t i = 0; i + 1 < axis.knots.size(); ++i)
    axis.steepest = std::max(axis.steepest, 1.0 / (axis.knots[i + 1] - axis.knots[i]));
  if (periodic) axis.period = length;
  axis.bases.assign(axis.knots.begin(), axis.knots.end() - 1);
  if (periodic) return;
  // below: about the first knot; above: about the last one, or that of the segment before it
  axis.bases.insert(axis.bases.begin(), axis.knots.front());
  axis.bases.push_back(outside_ == Outside::refuse ? axis.knots[axis.knots.size() - 2]
                                                   : axis.knots.back());
}

/// Of every segment the four coefficients from the values at both ends and the slopes there: row k
/// of a 4 x 4 matrix gives c_k.
std::vector<std::array<double, 16>> Table::segment_maps(const Axis& axis) const {
  std::vector<std::array<double, 16>> maps;
  const std::size_t inner = axis.knots.size() - 1;
  for (std::size_t i = 0; i < inner; ++i) {
    const double h = axis.knots[i + 1] - axis.knots[i];
    if (degree_ == 1) {
      maps.push_back({1, 0, 0, 0, -1 / h, 1 / h, 0, 0});
    } else {
      const double d = 1 / h, dd = d * d, ddd = dd * d;
      maps.push_back({1, 0, 0, 0,                   //
                      0, 0, 1, 0,                   //
                      -3 * dd, 3 * dd, -2 * d, -d,  //
                      2 * ddd, -2 * ddd, dd, dd});
    }
  }
  if (axis.period > 0.0) return maps;
  std::array<double, 16> below = maps.front(), above = maps.back();
  if (outside_ != Outside::refuse) {
    below = {1.0};
    above = {0.0, 1.0};
  }
  if (outside_ == Outside::extend) {
    below[4 + 2] = 1.0;
    above[4 + 3] = 1.0;
  }
  maps.insert(maps.begin(), below);
  maps.push_back(above);
  return maps;
}

namespace {

/// The knots at the ends of a segment of storage.
std::size_t first_knot(std::size_t segment, std::size_t knots, bool periodic) {
  if (periodic) return segment;
  return std::min(segment == 0 ? 0 : segment - 1, knots - 2);
}

}  // namespace

// Pieces.
// ------------------------------------------------------------------------------------------------

Table::Table(Content content, int number)
    : name_{content.name},
      number_{number},
      axes_{content.y.empty() ? 1 : 2},
      degree_{content.kind == TableKind::linear ? 1 : 3},
      outside_{content.outside} {
  // orders of derivatives that are continuous at all knots
  smooth_ = content.kind == TableKind::linear ? 1 : content.kind == TableKind::monotone ? 2 : 3;
  const bool has_ends = !content.periodic || axes_ == 2;
  if (has_ends && outside_ == Outside::hold) smooth_ = 1;
  if (has_ends && outside_ == Outside::extend) smooth_ = std::min(smooth_, 2);
  make_axis(axis_[0], content.x, content.periodic);
  if (axes_ == 2) {
    make_axis(axis_[1], content.y, false);
    make_surface(content);
  } else {
    make_line(content);
  }
}

void Table::make_line(const Content& content) {
  const Axis& axis = axis_[0];
  const std::vector<double>& f = content.values;
  const std::vector<double> s = slopes(content.kind, content.x, f, content.periodic);
  const std::vector<std::array<double, 16>> maps = segment_maps(axis);
  for (std::size_t segment = 0; segment < maps.size(); ++segment) {
    const std::size_t i = first_knot(segment, axis.knots.size(), content.periodic);
    const std::array<double, 4> data{f[i], f[i + 1], s[i], s[i + 1]};
    for (std::size_t k = 0; k < 4; ++k) {
      double sum = 0.0;
      for (std::size_t j = 0; j < 4; ++j) sum += maps[segment][4 * k + j] * data[j];
      coefficients_.push_back(sum);
    }
  }
}

void Table::make_surface(const Content& content) {
  const std::size_t nx = content.x.size(), ny = content.y.size();
  const auto at = [ny](std::size_t i, std::size_t j) { return i * ny + j; };
  const std::vector<double>& f = content.values;
  std::vector<double> fx(f.size()), fy(f.size()), fxy(f.size());
  const auto along_x = [&](const std::vector<double>& from, std::vector<double>& to) {
    std::vector<double> line(nx);
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t i = 0; i < nx; ++i) line[i] = from[at(i, j)];
      const std::vector<double> s = slopes(content.kind, content.x, line, content.periodic);
      for (std::size_t i = 0; i < nx; ++i) to[at(i, j)] = s[i];
    }
  };
  const auto along_y = [&](const std::vector<double>& from, std::vector<double>& to) {
    for (std::size_t i = 0; i < nx; ++i) {
      const std::vector<double> s =
          slopes(content.kind, content.y, std::span{from}.subspan(at(i, 0), ny), false);
      std::copy(s.begin(), s.end(), to.begin() + static_cast<std::ptrdiff_t>(at(i, 0)));
    }
  };
  along_x(f, fx);
  along_y(f, fy);
  along_y(fx, fxy);
  const std::vector<std::array<double, 16>> in_x = segment_maps(axis_[0]),
                                            in_y = segment_maps(axis_[1]);
  for (std::size_t p = 0; p < in_x.size(); ++p) {
    const std::size_t i = first_knot(p, nx, content.periodic);
    for (std::size_t r = 0; r < in_y.size(); ++r) {
      const std::size_t j = first_knot(r, ny, false);
      // by row: f(i), f(i+1), f_x(i), f_x(i+1); by column the same in y
      std::array<double, 16> data{}, half{};
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b) {
          const std::vector<double>& of = a < 2 ? (b < 2 ? f : fy) : (b < 2 ? fx : fxy);
          data[4 * a + b] = of[at(i + a % 2, j + b % 2)];
        }
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t b = 0; b < 4; ++b)
          for (std::size_t a = 0; a < 4; ++a)
            half[4 * k + b] += in_x[p][4 * k + a] * data[4 * a + b];
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t l = 0; l < 4; ++l) {
          double sum = 0.0;
          for (std::size_t b = 0; b < 4; ++b) sum += half[4 * k + b] * in_y[r][4 * l + b];
          coefficients_.push_back(sum);
        }
    }
  }
}

Interval Table::range(int axis) const {
  const std::vector<double>& knots = axis_[static_cast<std::size_t>(axis)].knots;
  return {knots.front(), knots.back()};
}

std::array<double, 2> Table::indices(double cell) const {
  if (axes_ == 1) return {cell, 0.0};
  const double row = std::floor(cell / cells_in_row + 0.5);
  return {row, cell - row * cells_in_row};
}

Table::Cell Table::cell(double i, double j) const {
  Cell found;
  const std::size_t p = axis_[0].place(i, found.base[0]);
  if (axes_ == 1) {
    found.coefficients = &coefficients_[4 * p];
    return found;
  }
  const std::size_t r = axis_[1].place(j, found.base[1]);
  found.coefficients = &coefficients_[16 * (p * axis_[1].segments() + r)];
  return found;
}

double Table::polynomial(const Cell& cell, int order_x, int order_y, double x, double y) const {
  const double u = x - cell.base[0];
  if (axes_ == 1) return cubic(cell.coefficients, order_x, u);
  const double w = y - cell.base[1];
  std::array<double, 4> in_x{};
  for (std::size_t k = 0; k < 4; ++k) in_x[k] = cubic(cell.coefficients + 4 * k, order_y, w);
  return cubic(in_x.data(), order_x, u);
}

double Table::look_up(Op op, const Lookup& what, double a, double b, double c) const {
  if (op == Op::knot) return axis_[what.axis].knot(a, what.order_x);
  if (std::isnan(a) || std::isnan(b) || !std::isfinite(c)) return not_a_number;
  const auto [i, j] = indices(c);
  if (refuses()) {
    // of a cell inside the polynomial goes on: a step looks beyond its end before it is cut there
    const auto beyond = [](const Axis& axis, double segment, double x) {
      const bool inside = segment >= 0.0 && segment < static_cast<double>(axis.knots.size()) - 1.0;
      return !inside && axis.is_outside({x, x});
    };
    if (beyond(axis_[0], i, a) || (axes_ == 2 && beyond(axis_[1], j, b))) return not_a_number;
  }
  return polynomial(cell(i, j), what.order_x, what.order_y, a, b);
}

// Intervals.
// ---------------------------------------------------------------------------------------------

/// Taylor's formula about the middle, which is exact.
Interval Table::on_cell(const Lookup& what, double i, double j, Interval x, Interval y) const {
  if (refuses() && (axis_[0].is_outside(x) || (axes_ == 2 && axis_[1].is_outside(y))))
    return whole_line;
  const Cell here = cell(i, j);
  const double at_x = middle_of(x), at_y = middle_of(y);
  const Interval dx = x - point(at_x), dy = y - point(at_y);
  Interval sum{0.0, 0.0}, in_x{1.0, 1.0};
  double scale_x = 1.0;
  for (int k = 0; what.order_x + k <= degree_; ++k) {
    Interval in_y{1.0, 1.0};
    double scale_y = 1.0;
    for (int l = 0; what.order_y + l <= (axes_ == 2 ? degree_ : 0); ++l) {
      const double value =
          polynomial(here, what.order_x + k, what.order_y + l, at_x, at_y) / (scale_x * scale_y);
      if (value != 0.0) sum = sum + point(value) * (in_x * in_y);
      in_y = l == 0 ? dy : in_y * dy;
      scale_y *= l + 1.0;
    }
    in_x = k == 0 ? dx : k == 1 ? square(dx) : in_x * dx;
    scale_x *= k + 1.0;
  }
  // what is rounded in the differences to the base
  const double size = sum.magnitude();
  return widened(sum.lo - 1e-15 * size, sum.hi + 1e-15 * size);
}

Interval Table::look_up(Op op, const Lookup& what, Interval a, Interval b, Interval c) const {
  if (op == Op::knot) {
    const Axis& axis = axis_[what.axis];
    if (what.order_x == 0) return widened(axis.knot(a.lo, 0), axis.knot(a.hi, 0));
    if (axis.knot(a.lo, 0) == axis.knot(a.hi, 0)) return point(axis.knot(a.lo, 1));
    const double from = std::floor(axis.knot(a.lo, 0)), to = std::floor(axis.knot(a.hi, 0));
    if (!(to - from < most_segments)) return {0.0, axis.steepest};
    Interval all = hull(point(axis.knot(a.lo, 1)), point(axis.knot(a.hi, 1)));
    for (double i = from; i <= to; ++i) {
      double base = 0.0;
      static_cast<void>(axis.place(i, base));
      all = hull(all, point(axis.knot(std::clamp(base, a.lo, a.hi), 1)));
    }
    return widened(all.lo, all.hi);
  }
  if (std::isnan(c.lo) || std::isnan(c.hi)) return whole_line;
  if (c.lo == c.hi) {
    if (!std::isfinite(c.lo)) return whole_line;
    const auto [i, j] = indices(c.lo);
    return on_cell(what, i, j, a, b);
  }
  // the cells that the box lies in
  const auto segments = [](const Axis& axis, Interval x) {
    return Interval{std::floor(axis.knot(x.lo, 0)), std::floor(axis.knot(x.hi, 0))};
  };
  const Interval in_x = segments(axis_[0], a);
  const Interval in_y = axes_ == 2 ? segments(axis_[1], b) : Interval{0.0, 0.0};
  if (!((in_x.width() + 1.0) * (in_y.width() + 1.0) <= most_segments)) return whole_line;
  Interval all{unbounded, -unbounded};
  for (double i = in_x.lo; i <= in_x.hi; ++i)
    for (double j = in_y.lo; j <= in_y.hi; ++j)
      all =
          hull(all, on_cell(what, i, j, axis_[0].part(i, a), axes_ == 2 ? axis_[1].part(j, b) : b));
  return all;
}

// Cells that the box does not touch do not count: their polynomials are nothing there.
double Table::jump(const Lookup& what, Interval a, Interval b, Interval c) const {
  if (!std::isfinite(c.lo) || !std::isfinite(c.hi)) return unbounded;
  const auto [first_i, first_j] = indices(c.lo);
  const auto [last_i, last_j] = indices(c.hi);
  const auto touched = [](const Axis& axis, Interval x) {
    constexpr double rounding = 1e-12;
    return Interval{std::floor(axis.knot(x.lo, 0) - rounding),
                    std::floor(axis.knot(x.hi, 0) + rounding)};
  };
  const Interval in_x = hull(touched(axis_[0], a), {first_i, std::max(first_i, last_i)});
  const Interval in_y = axes_ == 2
                            ? hull(touched(axis_[1], b), {first_j, std::max(first_j, last_j)})
                            : Interval{0.0, 0.0};
  if (!((in_x.width() + 1.0) * (in_y.width() + 1.0) <= most_segments)) return unbounded;
  const Interval here = on_cell(what, first_i, first_j, a, b);
  double largest = 0.0;
  for (double i = in_x.lo; i <= in_x.hi; ++i)
    for (double j = in_y.lo; j <= in_y.hi; ++j)
      if (i != first_i || j != first_j)
        largest = std::max(largest, (on_cell(what, i, j, a, b) - here).magnitude());
  return largest;
}

NodeId table_value(Graph& graph, const std::shared_ptr<const Table>& table, NodeId x, NodeId y) {
  const int number = graph.add_table(table);
  const auto segment = [&](NodeId argument, std::uint8_t axis) {
    return graph.make(Op::floor,
                      graph.look_up(Op::knot, {.table = number, .axis = axis}, argument));
  };
  const bool one = table->axes() == 1;
  const NodeId cell = one ? segment(x, 0) : graph.make(Op::cell, segment(x, 0), segment(y, 1));
  return graph.look_up(Op::piece, {.table = number}, x, one ? x : y, cell);
}

}  // namespace taut::formula
