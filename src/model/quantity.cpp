// SPDX-License-Identifier: BSD-3-Clause
#include "model/quantity.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

namespace taut {
namespace {

struct Unit {
  std::string_view name;
  double factor;
  Dimension dimension;
  bool takes_prefix = false;
};

constexpr double pi = std::numbers::pi;

//                                       m  kg  s  A  K rad
constexpr Dimension none{0, 0, 0, 0, 0, 0}, length{1, 0, 0, 0, 0, 0}, mass{0, 1, 0, 0, 0, 0},
    time{0, 0, 1, 0, 0, 0}, current{0, 0, 0, 1, 0, 0}, temperature{0, 0, 0, 0, 1, 0},
    angle{0, 0, 0, 0, 0, 1}, force{1, 1, -2, 0, 0, 0}, energy{2, 1, -2, 0, 0, 0},
    power{2, 1, -3, 0, 0, 0}, pressure{-1, 1, -2, 0, 0, 0}, rate{0, 0, -1, 0, 0, 0},
    turning{0, 0, -1, 0, 0, 1}, acceleration{1, 0, -2, 0, 0, 0}, voltage{2, 1, -3, -1, 0, 0},
    charge{0, 0, 1, 1, 0, 0}, volume{3, 0, 0, 0, 0, 0};

constexpr std::array units{
    Unit{"m", 1.0, length, true},
    Unit{"g", 1e-3, mass, true},
    Unit{"s", 1.0, time, true},
    Unit{"A", 1.0, current, true},
    Unit{"K", 1.0, temperature, true},
    Unit{"rad", 1.0, angle, true},
    Unit{"N", 1.0, force, true},
    Unit{"J", 1.0, energy, true},
    Unit{"W", 1.0, power, true},
    Unit{"Pa", 1.0, pressure, true},
    Unit{"Hz", 1.0, rate, true},
    Unit{"V", 1.0, voltage, true},
    Unit{"C", 1.0, charge, true},
    Unit{"Ohm", 1.0, Dimension{2, 1, -3, -2, 0, 0}, true},
    Unit{"H", 1.0, Dimension{2, 1, -2, -2, 0, 0}, true},
    Unit{"F", 1.0, Dimension{-2, -1, 4, 2, 0, 0}, true},
    Unit{"T", 1.0, Dimension{0, 1, -2, -1, 0, 0}, true},
    Unit{"bar", 1e5, pressure, true},
    Unit{"deg", pi / 180.0, angle},
    Unit{"rev", 2.0 * pi, angle},
    Unit{"rpm", pi / 30.0, turning},
    Unit{"min", 60.0, time},
    Unit{"h", 3600.0, time},
    Unit{"day", 86400.0, time},
    Unit{"g0", 9.80665, acceleration},
    Unit{"l", 1e-3, volume, true},
    Unit{"lb", 0.45359237, mass},
    Unit{"lbf", 4.4482216152605, force},
    Unit{"inch", 0.0254, length},
    Unit{"ft", 0.3048, length},
    Unit{"mile", 1609.344, length},
    Unit{"kmh", 1.0 / 3.6, Dimension{1, 0, -1, 0, 0, 0}},
    Unit{"mph", 0.44704, Dimension{1, 0, -1, 0, 0, 0}},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr std::array prefixes{Prefix{"G", 1e9},  Prefix{"M", 1e6},  Prefix{"k", 1e3},
                              Prefix{"c", 1e-2}, Prefix{"d", 1e-1}, Prefix{"m", 1e-3},
                              Prefix{"u", 1e-6}, Prefix{"n", 1e-9}, Prefix{"p", 1e-12}};

std::optional<Unit> unit_called(std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit;
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    for (Unit unit : units)
      if (unit.takes_prefix && unit.name == name.substr(prefix.name.size())) {
        unit.factor *= prefix.factor;
        return unit;
      }
  }
  return {};
}

/// units = factor { [*] factor | / factor },  factor = ( units ) | name [ ^ whole ] | 1
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : rest_{text} {}

  std::optional<Quantity> read() {
    std::optional<Quantity> found = product(0);
    blanks();
    if (!found || !rest_.empty()) return {};
    found->first_name = first_;
    return found;
  }

 private:
  std::optional<Quantity> product(int depth) {
    std::optional<Quantity> result = factor(depth);
    while (result) {
      blanks();
      bool divides = false;
      if (rest_.starts_with('*') || rest_.starts_with('/')) {
        divides = rest_.front() == '/';
        rest_.remove_prefix(1);
      } else if (rest_.empty() || rest_.front() == ')') {
        break;
      }
      const std::optional<Quantity> next = factor(depth);
      if (!next) return {};
      result->value = divides ? result->value / next->value : result->value * next->value;
      for (std::size_t i = 0; i < result->dimension.size(); ++i)
        result->dimension[i] += divides ? -next->dimension[i] : next->dimension[i];
    }
    return result;
  }

  std::optional<Quantity> factor(int depth) {
    constexpr int deepest = 8;
    blanks();
    if (rest_.empty() || depth > deepest) return {};
    if (rest_.front() == '(') {
      rest_.remove_prefix(1);
      const std::optional<Quantity> inside = product(depth + 1);
      blanks();
      if (!rest_.starts_with(')')) return {};
      rest_.remove_prefix(1);
      return inside;
    }
    if (rest_.starts_with('1')) {
      rest_.remove_prefix(1);
      return Quantity{.value = 1.0, .dimension = none, .first_name = {}};
    }
    std::size_t size = 0;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    while (size < rest_.size() && is_letter(rest_[size])) ++size;
    if (rest_.substr(0, size) == "g" && rest_.substr(size).starts_with('0')) ++size;
    const std::string_view name = rest_.substr(0, size);
    const std::optional<Unit> unit = unit_called(name);
    if (!unit) return {};
    if (first_.empty()) first_ = name;
    rest_.remove_prefix(size);
    int exponent = 1;
    if (rest_.starts_with('^')) {
      rest_.remove_prefix(1);
      const auto [end, error] =
          std::from_chars(rest_.data(), rest_.data() + rest_.size(), exponent);
      if (error != std::errc{} || std::abs(exponent) > 12) return {};
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    }
    Quantity result{.value = std::pow(unit->factor, exponent), .dimension = {}, .first_name = {}};
    for (std::size_t i = 0; i < result.dimension.size(); ++i)
      result.dimension[i] = exponent * unit->dimension[i];
    return result;
  }

  void blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  std::string_view rest_, first_;
};

struct NamedDimension {
  std::string_view name;
  Dimension dimension;
};
constexpr std::array named{
    NamedDimension{"a number without unit", none},
    NamedDimension{"a length", length},
    NamedDimension{"a mass", mass},
    NamedDimension{"a time", time},
    NamedDimension{"an angle", angle},
    NamedDimension{"a force", force},
    NamedDimension{"an energy or a torque", energy},
    NamedDimension{"a power", power},
    NamedDimension{"a pressure", pressure},
    NamedDimension{"a rate", rate},
    NamedDimension{"an angular velocity", turning},
    NamedDimension{"a velocity", Dimension{1, 0, -1, 0, 0, 0}},
    NamedDimension{"an acceleration", acceleration},
    NamedDimension{"a stiffness", Dimension{0, 1, -2, 0, 0, 0}},
    NamedDimension{"a damping", Dimension{0, 1, -1, 0, 0, 0}},
    NamedDimension{"an inertia", Dimension{2, 1, 0, 0, 0, 0}},
    NamedDimension{"a compliance", Dimension{0, -1, 2, 0, 0, 0}},
};

}  // namespace

std::optional<Quantity> read_quantity(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first);
  double number = 0.0;
  const std::size_t sign = text.front() == '+' ? 1 : 0;
  const auto [end, error] = std::from_chars(text.data() + sign, text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) return {};
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  // 2*k is an expression, and so is 2/m; 5 alone a number
  const auto unit = rest.find_first_not_of(' ');
  if (unit == std::string_view::npos || rest[unit] == '*' || rest[unit] == '/' || rest[unit] == '(')
    return {};
  // 1 1/s
  if (unit == 0 && rest.front() == '1') return {};
  std::optional<Quantity> found = UnitReader{rest}.read();
  if (!found || found->first_name.empty()) return {};
  found->value *= number;
  return std::isfinite(found->value) ? found : std::nullopt;
}

std::optional<Dimension> dimension_of(std::string_view unit) {
  const std::optional<Quantity> found = UnitReader{unit}.read();
  if (!found || found->value != 1.0) {
    // kilograms are a thousand grams, to the last digit
    if (!found || std::abs(found->value - 1.0) > 1e-12) return {};
  }
  return found->dimension;
}

bool fits(const Dimension& given, const Dimension& wanted) {
  for (std::size_t i = 0; i + 1 < given.size(); ++i)
    if (given[i] != wanted[i]) return false;
  const bool has_mass = given[1] != 0;
  return given.back() == wanted.back() || has_mass;
}

std::string describe(const Dimension& dimension) {
  for (const NamedDimension& one : named)
    if (one.dimension == dimension) return std::string{one.name};
  constexpr std::array<std::string_view, 6> bases{"m", "kg", "s", "A", "K", "rad"};
  std::string text;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (dimension[i] == 0) continue;
    if (!text.empty()) text += ' ';
    text += bases[i];
    if (dimension[i] != 1) text += fmt::format("^{}", dimension[i]);
  }
  return text;
}

}  // namespace taut
