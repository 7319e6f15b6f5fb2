// SPDX-License-Identifier: BSD-3-Clause
// Numbers near those of the compilation, and their derivatives: a part of origins.cpp.
#include <array>
#include <cmath>
#include <limits>

#include "formula/origins.hpp"

namespace taut::formula {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// d z / d operand of z = op(a, b, c). Functions without a derivative at a place have NaN there; of
/// sides that are told apart by a value, the one that was taken counts.
std::array<double, 3> slopes(Op op, double a, double b, double z) {
  switch (op) {
    case Op::add:
      return {1.0, 1.0, 0.0};
    case Op::sub:
      return {1.0, -1.0, 0.0};
    case Op::mul:
      return {b, a, 0.0};
    case Op::div:
      return {1.0 / b, -z / b, 0.0};
    case Op::neg:
      return {-1.0, 0.0, 0.0};
    case Op::pow:
      return {b == 0.0 ? 0.0 : b * std::pow(a, b - 1.0), z == 0.0 ? 0.0 : z * std::log(a), 0.0};
    case Op::sqrt:
      return {0.5 / z, 0.0, 0.0};
    case Op::exp:
      return {z, 0.0, 0.0};
    case Op::log:
      return {1.0 / a, 0.0, 0.0};
    case Op::sin:
      return {std::cos(a), 0.0, 0.0};
    case Op::cos:
      return {-std::sin(a), 0.0, 0.0};
    case Op::tan:
      return {1.0 + z * z, 0.0, 0.0};
    case Op::asin:
      return {1.0 / std::sqrt((1.0 - a) * (1.0 + a)), 0.0, 0.0};
    case Op::acos:
      return {-1.0 / std::sqrt((1.0 - a) * (1.0 + a)), 0.0, 0.0};
    case Op::atan:
      return {1.0 / (1.0 + a * a), 0.0, 0.0};
    case Op::atan2:
      return {b / (a * a + b * b), -a / (a * a + b * b), 0.0};
    case Op::sinh:
      return {std::cosh(a), 0.0, 0.0};
    case Op::cosh:
      return {std::sinh(a), 0.0, 0.0};
    case Op::tanh:
      return {1.0 - z * z, 0.0, 0.0};
    case Op::abs:
      return {a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : nan), 0.0, 0.0};
    case Op::min:
      return {a < b ? 1.0 : (b < a ? 0.0 : nan), b < a ? 1.0 : (a < b ? 0.0 : nan), 0.0};
    case Op::max:
      return {b < a ? 1.0 : (a < b ? 0.0 : nan), a < b ? 1.0 : (b < a ? 0.0 : nan), 0.0};
    case Op::select:
      return {0.0, a != 0.0 ? 1.0 : 0.0, a != 0.0 ? 0.0 : 1.0};
    case Op::sign:
    case Op::floor:
    case Op::less:
      return {0.0, 0.0, 0.0};
    default:
      return {nan, nan, nan};  // what is looked up in a table is decided by its values
  }
}

}  // namespace

Origins::Mask Origins::run_near(std::span<const double> parameters, Mask changed,
                                std::vector<double>& values) const {
  static_cast<void>(run(parameters, changed, values));
  const double* const all = values.data();
  for (const Guard& guard : guards_) {
    if ((guard.mask & changed) == 0 || holds(guard, all)) continue;
    switch (guard.check) {
      case Check::kind:
      case Check::exponent:
        if (std::isfinite(all[guard.a])) continue;
        break;
      case Check::less:
      case Check::less_or_equal:
      case Check::equal:
        if (all[guard.a] == all[guard.b]) continue;  // on the border: the side that was taken
        break;
      case Check::same: {
        // told apart beside, or one number that was computed in two ways
        constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
        const double a = all[guard.a], b = all[guard.b];
        if (guard.outcome == 0 || std::abs(a - b) <= rounding * std::abs(a)) continue;
        break;
      }
      default:
        break;
    }
    return guard.mask & changed;
  }
  return 0;
}

std::vector<std::pair<int, double>> Origins::derivatives(int parameter,
                                                         std::span<const double> values) const {
  std::vector<double> all(static_cast<std::size_t>(size()), 0.0);
  std::vector<std::pair<int, double>> result;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& e = entries_[i];
    if ((e.mask & bit(parameter)) == 0) continue;
    const int origin = first_ + static_cast<int>(i);
    double slope = 0.0;
    if (e.code == static_cast<std::uint8_t>(Op::input)) {
      slope = e.a == parameter ? 1.0 : 0.0;
    } else {
      const auto value = [&](int operand) {
        return operand < 0 ? 0.0 : values[static_cast<std::size_t>(operand)];
      };
      const double z = value(origin), a = value(e.a), b = value(e.b);
      const bool selects = e.code == static_cast<std::uint8_t>(Op::select);
      const std::array<double, 3> by = e.code == hypot_code
                                           ? std::array<double, 3>{a / z, b / z, 0.0}
                                           : slopes(static_cast<Op>(e.code), a, b, z);
      const std::array operands{e.a, e.b, e.c};
      for (std::size_t k = 0; k < operands.size(); ++k) {
        const double inner = operands[k] < 0 ? 0.0 : all[static_cast<std::size_t>(operands[k])];
        // the side that is not taken may have none
        if (inner != 0.0 && !(selects && by[k] == 0.0)) slope += by[k] * inner;
      }
    }
    all[static_cast<std::size_t>(origin)] = slope;
    if (slope != 0.0) result.emplace_back(origin, slope);
  }
  return result;
}

}  // namespace taut::formula
