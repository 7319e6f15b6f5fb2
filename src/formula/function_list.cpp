// SPDX-License-Identifier: BSD-3-Clause
#include "formula/function_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "taut/core/problems.hpp"

namespace taut::formula {
namespace {

// hypot is sqrt(a^2 + b^2); its entry gives only its arity
constexpr std::array known_functions{
    Function{"sqrt", 1, Op::sqrt},   Function{"exp", 1, Op::exp},
    Function{"log", 1, Op::log},     Function{"sin", 1, Op::sin},
    Function{"cos", 1, Op::cos},     Function{"tan", 1, Op::tan},
    Function{"asin", 1, Op::asin},   Function{"acos", 1, Op::acos},
    Function{"atan", 1, Op::atan},   Function{"sinh", 1, Op::sinh},
    Function{"cosh", 1, Op::cosh},   Function{"tanh", 1, Op::tanh},
    Function{"abs", 1, Op::abs},     Function{"sign", 1, Op::sign},
    Function{"floor", 1, Op::floor}, Function{"atan2", 2, Op::atan2},
    Function{"pow", 2, Op::pow},     Function{"min", 2, Op::min},
    Function{"max", 2, Op::max},     Function{"hypot", 2, Op::sqrt},
    Function{"less", 2, Op::less},   Function{"select", 3, Op::select},
};

/// What other languages call them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> foreign{{
    {"ln", "log"},
    {"arcsin", "asin"},
    {"arccos", "acos"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"fabs", "abs"},
    {"sgn", "sign"},
    {"signum", "sign"},
    {"if", "select"},
    {"power", "pow"},
}};

constexpr std::array<std::string_view, 35> units{
    "kg", "g",   "lb", "m",  "mm",  "cm",  "km",  "um",  "in",  "ft",  "s",   "ms",
    "us", "min", "h",  "N",  "kN",  "MN",  "Nm",  "Pa",  "kPa", "MPa", "GPa", "J",
    "kJ", "W",   "kW", "Hz", "kHz", "rad", "deg", "rpm", "K",   "A",   "V"};

}  // namespace

std::string Function::usage() const {
  constexpr std::array<std::string_view, 3> letters{"x", "x, y", "condition, x, y"};
  return fmt::format("{}({})", name, letters[static_cast<std::size_t>(arguments - 1)]);
}

const Function* find_function(std::string_view name) {
  const auto place = std::find_if(known_functions.begin(), known_functions.end(),
                                  [&](const Function& f) { return f.name == name; });
  return place == known_functions.end() ? nullptr : &*place;
}

std::string names_of_functions() {
  std::string list;
  for (const Function& f : known_functions) list += fmt::format(" {}", f.name);
  return list;
}

std::string function_meant_by(std::string_view name) {
  for (const auto& [theirs, ours] : foreign)
    if (name == theirs) return std::string{ours};
  std::vector<std::string> known;
  for (const Function& f : known_functions) known.emplace_back(f.name);
  return nearest_name(name, known);
}

bool is_unit(std::string_view name) {
  return std::find(units.begin(), units.end(), name) != units.end();
}

}  // namespace taut::formula
