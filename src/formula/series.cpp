// SPDX-License-Identifier: BSD-3-Clause
#include "formula/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "formula/arithmetic.hpp"
#include "formula/operands.hpp"
#include "formula/table.hpp"

namespace taut::formula {
namespace {

using std::size_t;

/// Series that an operation needs beside its result.
int companions(Code code, bool exponent_varies) {
  switch (code) {
    case Code::sin:
    case Code::cos:
    case Code::sincos:
    case Code::tan:
    case Code::atan:
    case Code::atan2:
    case Code::sinh:
    case Code::cosh:
    case Code::tanh:
      return 1;
    case Code::asin:
    case Code::acos:
      return 2;
    case Code::pow:
      return exponent_varies ? 2 : 0;
    default:
      return 0;
  }
}

/// Derivatives of a piece of a table, from the order that is looked up to the third in each
/// variable: p_kl' = p_{k+1,l} x' + p_{k,l+1} y', each being a companion.
struct Orders {
  int in_x = 1, in_y = 1;
  explicit Orders(const TableLookup& lookup)
      : in_x{4 - lookup.what.order_x},
        in_y{lookup.table->axes() == 2 ? 4 - lookup.what.order_y : 1} {}
  [[nodiscard]] size_t number(int k, int l) const { return static_cast<size_t>(k * in_y + l); }
};

int companions_of_lookup(Code code, const TableLookup& lookup) {
  if (code == Code::knot) return 1;
  const Orders orders{lookup};
  return orders.in_x * orders.in_y - 1;
}

/// sign, floor, less and cells are constant about every point but those where they jump.
bool is_flat(Code code) {
  return code == Code::sign || code == Code::floor || code == Code::less || code == Code::cell;
}

constexpr size_t widest = 8;

/// One coefficient in all lanes.
template <size_t width>
struct Pack {
  std::array<double, width> lane;

  friend Pack operator+(const Pack& a, const Pack& b) {
    return map([](double x, double y) { return x + y; }, a, b);
  }
  friend Pack operator-(const Pack& a, const Pack& b) {
    return map([](double x, double y) { return x - y; }, a, b);
  }
  friend Pack operator*(const Pack& a, const Pack& b) {
    return map([](double x, double y) { return x * y; }, a, b);
  }
  friend Pack operator/(const Pack& a, const Pack& b) {
    return map([](double x, double y) { return x / y; }, a, b);
  }
  friend Pack operator*(double x, const Pack& a) {
    return map([x](double y) { return x * y; }, a);
  }
  friend Pack operator/(const Pack& a, double x) {
    return map([x](double y) { return y / x; }, a);
  }
  friend Pack operator-(const Pack& a) {
    return map([](double x) { return -x; }, a);
  }

  /// f of every lane.
  template <class F, class... P>
  static Pack map(const F& f, const P&... packs) {
    Pack result;
    for (size_t l = 0; l < width; ++l) result.lane[l] = f(packs.lane[l]...);
    return result;
  }
};

/// A series in all lanes.
template <size_t width>
class Series {
 public:
  using P = Pack<width>;
  Series(double* first, size_t stride) : first_{first}, stride_{stride} {}

  [[nodiscard]] P operator[](size_t k) const {
    P result;
    std::copy_n(first_ + k * width, width, result.lane.begin());
    return result;
  }
  void set(size_t k, const P& value) const {
    std::copy_n(value.lane.begin(), width, first_ + k * width);
  }
  /// The series `number` places after this one.
  [[nodiscard]] Series next(size_t number) const {
    return {first_ + number * stride_ * width, stride_};
  }
  /// Coefficient k in one lane.
  [[nodiscard]] double& at(size_t k, size_t lane) const { return first_[k * width + lane]; }

 private:
  double* first_;
  size_t stride_;
};

/// Σ a_j b_{k-j}, j from first to last
template <class S>
typename S::P product(const S& a, const S& b, size_t k, size_t first, size_t last) {
  typename S::P sum{};
  for (size_t j = first; j <= last; ++j) sum = sum + a[j] * b[k - j];
  return sum;
}

/// (2)
template <class S>
typename S::P product(const S& a, const S& b, size_t k) {
  return product(a, b, k, 0, k);
}

/// Σ j a_j w_{k-j}, j from 1 to last
template <class S>
typename S::P slope(const S& a, const S& w, size_t k, size_t last) {
  typename S::P sum{};
  for (size_t j = 1; j <= last; ++j) sum = sum + static_cast<double>(j) * (a[j] * w[k - j]);
  return sum;
}

/// (6): z' = w a'
template <class S>
typename S::P integral(const S& a, const S& w, size_t k) {
  return slope(a, w, k, k) / static_cast<double>(k);
}

/// (7): w z' = a'
template <class S>
typename S::P quotient_integral(const S& a, const S& w, const S& z, size_t k) {
  return (a[k] - slope(z, w, k, k - 1) / static_cast<double>(k)) / w[0];
}

/// (4)
template <class S>
typename S::P square_root(const S& a, const S& z, size_t k) {
  return (a[k] - product(z, z, k, 1, k - 1)) / (2.0 * z[0]);
}

/// (5) in one lane, with a = s^m (a_m + ...): z = s^(m b) (a_m + ...)^b where b is whole
template <class S>
double power(const S& a, double b, const S& z, size_t k, size_t lane) {
  size_t m = 0, shift = 0;
  if (a.at(0, lane) == 0.0 && b >= 0.0 && b == std::floor(b)) {
    if (b == 0.0) return 0.0;
    while (m <= k && a.at(m, lane) == 0.0) ++m;
    const double lowest = static_cast<double>(m) * b;
    if (m > k || static_cast<double>(k) < lowest) return 0.0;
    if (static_cast<double>(k) == lowest) return std::pow(a.at(m, lane), b);
    shift = static_cast<size_t>(lowest);
    k -= shift;
  }
  double sum = 0.0;
  for (size_t j = 1; j <= k; ++j)
    sum += (b * static_cast<double>(j) - static_cast<double>(k - j)) * a.at(m + j, lane) *
           z.at(shift + k - j, lane);
  return sum / (static_cast<double>(k) * a.at(m, lane));
}

/// a^b = exp(b log a) with an exponent that varies; companions log a and b log a
template <class S>
void power_coefficient(const S& a, bool a_varies, const S& b, const S& z, size_t k) {
  const S logarithm = z.next(1), exponent = z.next(2);
  if (a_varies) logarithm.set(k, quotient_integral(a, a, logarithm, k));
  exponent.set(k, product(b, logarithm, k));
  z.set(k, integral(exponent, z, k));
}

/// z = asin a or acos a; companions w = 1 - a² and u = sqrt w
template <class S>
void arc_coefficient(Code code, const S& a, const S& z, size_t k) {
  const S w = z.next(1), u = z.next(2);
  w.set(k, -product(a, a, k));
  u.set(k, square_root(w, u, k));
  // acos' = -asin': (7) for -z
  z.set(k, code == Code::asin ? quotient_integral(a, u, z, k)
                              : -(a[k] + slope(z, u, k, k - 1) / static_cast<double>(k)) / u[0]);
}

/// Functions with one companion w.
template <class S>
void function_coefficient(Code code, const S& a, const S& b, const S& z, size_t k) {
  const S w = z.next(1);
  switch (code) {
    case Code::sin:
    case Code::sincos:
      z.set(k, integral(a, w, k));
      w.set(k, -integral(a, z, k));
      break;
    case Code::cos:
      z.set(k, -integral(a, w, k));
      w.set(k, integral(a, z, k));
      break;
    case Code::sinh:
    case Code::cosh:
      z.set(k, integral(a, w, k));
      w.set(k, integral(a, z, k));
      break;
    case Code::tan:
      z.set(k, integral(a, w, k));
      w.set(k, product(z, z, k));
      break;
    case Code::tanh:
      z.set(k, integral(a, w, k));
      w.set(k, -product(z, z, k));
      break;
    case Code::atan:
      w.set(k, product(a, a, k));
      z.set(k, quotient_integral(a, w, z, k));
      break;
    case Code::atan2:
      // (a² + b²) z' = b a' - a b'
      w.set(k, product(a, a, k) + product(b, b, k));
      z.set(k, (slope(a, b, k, k) - slope(b, a, k, k) - slope(z, w, k, k - 1)) /
                   (static_cast<double>(k) * w[0]));
      break;
    default:
      arc_coefficient(code, a, z, k);
      break;
  }
}

}  // namespace

SeriesProgram::SeriesProgram(const Program& program, int instances)
    : width_{instances < 4 ? 1 : widest},
      first_constant_{program.inputs.size()},
      lookups_{program.lookups} {
  // registers are used again and again in a program; here every value keeps its own series
  result_.resize(static_cast<size_t>(program.registers));
  std::vector<bool> varies;
  for (const Input& input : program.inputs) varies.push_back(input.slot != Slot::parameter);
  varies.resize(program.inputs.size() + program.constants.size(), false);
  for (size_t i = 0; i < varies.size(); ++i) result_[i] = static_cast<std::int32_t>(i);

  const auto series_of = [&](std::int32_t reg) { return result_[static_cast<size_t>(reg)]; };
  const auto does_vary = [&](std::int32_t series) { return varies[static_cast<size_t>(series)]; };
  for (const Instruction& i : program.code) {
    Step step{.code = i.code, .lookup = i.lookup};
    step.a = series_of(i.a);
    step.b = reads_b(i.code) ? series_of(i.b) : step.a;
    step.c = reads_c(i.code) ? series_of(i.c) : step.a;
    step.a_varies = does_vary(step.a);
    step.b_varies = does_vary(step.b);
    step.to = static_cast<std::int32_t>(varies.size());
    const bool changes = !is_flat(i.code) && (step.a_varies || step.b_varies || does_vary(step.c));
    const int beside = i.lookup < 0
                           ? companions(i.code, step.b_varies)
                           : companions_of_lookup(i.code, lookups_[static_cast<size_t>(i.lookup)]);
    varies.resize(varies.size() + 1 + static_cast<size_t>(beside), changes);
    result_[static_cast<size_t>(i.to)] = step.to;
    if (i.code == Code::sincos) result_[static_cast<size_t>(i.b)] = step.to + 1;
    steps_.push_back(step);
    if (changes) varying_.push_back(step);
  }
  size_ = varies.size();
}

void SeriesProgram::clear(double* series, size_t stride, std::span<const double> constants) const {
  std::fill_n(series, size_ * stride * width_, 0.0);
  for (size_t i = 0; i < constants.size(); ++i)
    std::fill_n(series + (first_constant_ + i) * stride * width_, width_, constants[i]);
}

/// Steps on series that begin at `first`.
template <size_t count>
class SeriesProgram::Lanes {
 public:
  Lanes(double* first, size_t stride, const TableLookup* lookups)
      : all_{first, stride}, lookups_{lookups} {}

  void value(const Step& step) const;
  void coefficient(const Step& step, size_t k) const;

 private:
  using S = Series<count>;
  using P = Pack<count>;
  [[nodiscard]] S of(std::int32_t number) const { return all_.next(static_cast<size_t>(number)); }
  void first_of_companions(const Step& step, const P& a, const P& b, const S& z) const;
  void first_of_lookup(const Step& step, const S& z) const;
  void lookup_coefficient(const Step& step, const S& z, size_t k) const;

  S all_;
  const TableLookup* lookups_;
};

template <size_t count>
void SeriesProgram::Lanes<count>::first_of_lookup(const Step& step, const S& z) const {
  const TableLookup& lookup = lookups_[step.lookup];
  const P a = of(step.a)[0], b = of(step.b)[0], c = of(step.c)[0];
  const auto set = [&](size_t number, Op op, Lookup what) {
    z.next(number).set(
        0, P::map([&](double x, double y,
                      double cell) { return lookup.table->look_up(op, what, x, y, cell); },
                  a, b, c));
  };
  Lookup what = lookup.what;
  if (step.code == Code::knot) {
    set(0, Op::knot, what);
    ++what.order_x;
    return set(1, Op::knot, what);
  }
  const Orders orders{lookup};
  for (int k = 0; k < orders.in_x; ++k)
    for (int l = 0; l < orders.in_y; ++l) {
      what.order_x = static_cast<std::uint8_t>(lookup.what.order_x + k);
      what.order_y = static_cast<std::uint8_t>(lookup.what.order_y + l);
      set(orders.number(k, l), Op::piece, what);
    }
}

template <size_t count>
void SeriesProgram::Lanes<count>::lookup_coefficient(const Step& step, const S& z, size_t k) const {
  const S a = of(step.a), b = of(step.b);
  if (step.code == Code::knot) return z.set(k, z.next(1)[0] * a[k]);
  const Orders orders{lookups_[step.lookup]};
  for (int i = 0; i < orders.in_x; ++i)
    for (int j = 0; j < orders.in_y; ++j) {
      P sum{};
      if (i + 1 < orders.in_x) sum = sum + integral(a, z.next(orders.number(i + 1, j)), k);
      if (j + 1 < orders.in_y) sum = sum + integral(b, z.next(orders.number(i, j + 1)), k);
      z.next(orders.number(i, j)).set(k, sum);
    }
}

template <size_t count>
void SeriesProgram::Lanes<count>::value(const Step& step) const {
  const P a = of(step.a)[0], b = of(step.b)[0], c = of(step.c)[0];
  const S z = of(step.to);
  switch (step.code) {
    case Code::mul_add:
      z.set(0, a * b + c);
      return;
    case Code::mul_sub:
      z.set(0, a * b - c);
      return;
    case Code::sub_mul:
      z.set(0, c - a * b);
      return;
    case Code::sincos:
      z.set(0, P::map([](double x) { return std::sin(x); }, a));
      break;
    case Code::knot:
    case Code::piece:
      return first_of_lookup(step, z);
    default: {
      constexpr int shift = static_cast<int>(Op::add) - static_cast<int>(Code::add);
      static_assert(static_cast<int>(Op::cell) - static_cast<int>(Code::cell) == shift);
      const auto op = static_cast<Op>(static_cast<int>(step.code) + shift);
      z.set(0,
            P::map([op](double x, double y, double w) { return evaluate(op, x, y, w); }, a, b, c));
    }
  }
  first_of_companions(step, a, b, z);
}

template <size_t count>
void SeriesProgram::Lanes<count>::first_of_companions(const Step& step, const P& a, const P& b,
                                                      const S& z) const {
  const auto set = [&](size_t number, const auto& f) {
    z.next(number).set(0, P::map(f, a, b, z[0]));
  };
  switch (step.code) {
    case Code::sin:
    case Code::sincos:
      set(1, [](double x, double, double) { return std::cos(x); });
      break;
    case Code::cos:
      set(1, [](double x, double, double) { return std::sin(x); });
      break;
    case Code::sinh:
      set(1, [](double x, double, double) { return std::cosh(x); });
      break;
    case Code::cosh:
      set(1, [](double x, double, double) { return std::sinh(x); });
      break;
    case Code::tan:
      set(1, [](double, double, double y) { return 1.0 + y * y; });
      break;
    case Code::tanh:
      set(1, [](double, double, double y) { return 1.0 - y * y; });
      break;
    case Code::atan:
      set(1, [](double x, double, double) { return 1.0 + x * x; });
      break;
    case Code::atan2:
      set(1, [](double x, double y, double) { return x * x + y * y; });
      break;
    case Code::asin:
    case Code::acos:
      set(1, [](double x, double, double) { return (1.0 - x) * (1.0 + x); });
      set(2, [](double x, double, double) { return std::sqrt((1.0 - x) * (1.0 + x)); });
      break;
    case Code::pow:
      if (!step.b_varies) break;
      set(1, [](double x, double, double) { return std::log(x); });
      set(2, [](double x, double y, double) { return y * std::log(x); });
      break;
    default:
      break;
  }
}

template <size_t count>
void SeriesProgram::Lanes<count>::coefficient(const Step& step, size_t k) const {
  const S a = of(step.a), b = of(step.b), c = of(step.c), z = of(step.to);
  // (2) where one or both may be constant
  const auto ab = [&] {
    if (!step.a_varies) return a[0] * b[k];
    return step.b_varies ? product(a, b, k) : a[k] * b[0];
  };
  switch (step.code) {
    case Code::add:
      z.set(k, a[k] + b[k]);
      break;
    case Code::sub:
      z.set(k, a[k] - b[k]);
      break;
    case Code::mul:
      z.set(k, ab());
      break;
    case Code::mul_add:
      z.set(k, ab() + c[k]);
      break;
    case Code::mul_sub:
      z.set(k, ab() - c[k]);
      break;
    case Code::sub_mul:
      z.set(k, c[k] - ab());
      break;
    case Code::div:  // (3)
      z.set(k, (step.b_varies ? a[k] - product(b, z, k, 1, k) : a[k]) / b[0]);
      break;
    case Code::neg:
      z.set(k, -a[k]);
      break;
    case Code::sqrt:
      z.set(k, square_root(a, z, k));
      break;
    case Code::exp:
      z.set(k, integral(a, z, k));
      break;
    case Code::log:
      z.set(k, quotient_integral(a, a, z, k));
      break;
    case Code::abs:
      z.set(k, P::map([](double x0, double x) { return sign_of(x0) * x; }, a[0], a[k]));
      break;
    case Code::min:
      z.set(k, P::map([](double x0, double y0, double x,
                         double y) { return ((x0 < y0) | (x0 != x0)) ? x : y; },
                      a[0], b[0], a[k], b[k]));
      break;
    case Code::max:
      z.set(k, P::map([](double x0, double y0, double x,
                         double y) { return ((y0 < x0) | (x0 != x0)) ? x : y; },
                      a[0], b[0], a[k], b[k]));
      break;
    case Code::select:
      z.set(k, P::map(choice, a[0], b[k], c[k]));
      break;
    case Code::knot:
    case Code::piece:
      lookup_coefficient(step, z, k);
      break;
    case Code::pow:
      if (step.b_varies)
        power_coefficient(a, step.a_varies, b, z, k);
      else
        for (size_t l = 0; l < count; ++l) z.at(k, l) = power(a, b.at(0, l), z, k, l);
      break;
    default:
      function_coefficient(step.code, a, b, z, k);
      break;
  }
}

void SeriesProgram::run(double* series, size_t stride, size_t k) const {
  const auto all_steps = [&](const auto& lanes) {
    if (k == 0)
      for (const Step& step : steps_) lanes.value(step);
    else
      for (const Step& step : varying_) lanes.coefficient(step, k);
  };
  if (width_ == 1)
    all_steps(Lanes<1>{series, stride, lookups_.data()});
  else
    all_steps(Lanes<widest>{series, stride, lookups_.data()});
}

}  // namespace taut::formula
