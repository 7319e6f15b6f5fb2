// SPDX-License-Identifier: BSD-3-Clause
#include "device/program_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace taut::device {

using formula::Code;
using formula::Instruction;

namespace {

// of a single operation; b and c are there where it reads them
std::string operation(Code code, const std::string& a, const std::string& b, const std::string& c) {
  const auto call = [&](const char* function) { return fmt::format("{}({})", function, a); };
  switch (code) {
    case Code::add:
      return fmt::format("{} + {}", a, b);
    case Code::sub:
      return fmt::format("{} - {}", a, b);
    case Code::mul:
      return fmt::format("{} * {}", a, b);
    case Code::div:
      return fmt::format("{} / {}", a, b);
    case Code::neg:
      return fmt::format("-({})", a);
    case Code::pow:
      return fmt::format("pow({}, {})", a, b);
    case Code::sqrt:
      return call("sqrt");
    case Code::exp:
      return call("exp");
    case Code::log:
      return call("log");
    case Code::sin:
      return call("sin");
    case Code::cos:
      return call("cos");
    case Code::tan:
      return call("tan");
    case Code::asin:
      return call("asin");
    case Code::acos:
      return call("acos");
    case Code::atan:
      return call("atan");
    case Code::atan2:
      return fmt::format("atan2({}, {})", a, b);
    case Code::sinh:
      return call("sinh");
    case Code::cosh:
      return call("cosh");
    case Code::tanh:
      return call("tanh");
    case Code::abs:
      return call("fabs");
    case Code::sign:
      return fmt::format("({0} > 0.0 ? 1.0 : ({0} < 0.0 ? -1.0 : {0}))", a);
    case Code::min:
      return fmt::format("((({0} < {1}) | ({0} != {0})) ? {0} : {1})", a, b);
    case Code::max:
      return fmt::format("((({1} < {0}) | ({0} != {0})) ? {0} : {1})", a, b);
    case Code::floor:
      return call("floor");
    case Code::less:
      return fmt::format("({} < {} ? 1.0 : 0.0)", a, b);
    case Code::select:
      return fmt::format("({} != 0.0 ? {} : {})", a, b, c);
    case Code::cell:
      return fmt::format("{} * 67108864.0 + {}", a, b);
    case Code::mul_add:
      return fmt::format("{} * {} + {}", a, b, c);
    case Code::mul_sub:
      return fmt::format("{} * {} - {}", a, b, c);
    case Code::sub_mul:
      return fmt::format("{} - {} * {}", c, a, b);
    default:
      return {};
  }
}

}  // namespace

std::string literal(double x) {
  if (std::isnan(x)) return "TAUT_NAN";
  if (std::isinf(x)) return x > 0.0 ? "TAUT_INFINITY" : "(-TAUT_INFINITY)";
  const std::string text = fmt::format("{:a}", std::abs(x));
  return std::signbit(x) ? "(-" + text + ")" : text;
}

bool has_text(const formula::Program& program, std::string& why) {
  const bool looks_up = std::any_of(program.code.begin(), program.code.end(), [](const auto& i) {
    return i.code == Code::knot || i.code == Code::piece;
  });
  if (looks_up) why = "its formulas look up in tables";
  return !looks_up;
}

ProgramText text_of(const formula::Program& program, const std::vector<std::string>& inputs) {
  ProgramText made;
  made.registers.assign(static_cast<std::size_t>(program.registers), "0.0");
  std::copy(inputs.begin(), inputs.end(), made.registers.begin());
  for (std::size_t k = 0; k < program.constants.size(); ++k)
    made.registers[inputs.size() + k] = literal(program.constants[k]);
  const auto at = [&](std::int32_t reg) -> std::string& {
    return made.registers[static_cast<std::size_t>(reg)];
  };
  int number = 0;
  const auto keep = [&](std::int32_t to, const std::string& value) {
    std::string name = fmt::format("x{}", number++);
    made.statements += fmt::format("  const double {} = {};\n", name, value);
    at(to) = std::move(name);
  };
  for (const Instruction& i : program.code) {
    if (i.code == Code::sincos) {
      const std::string angle = at(i.a);
      made.statements += fmt::format("  double x{0}, x{1};\n  taut_sincos({2}, x{0}, x{1});\n",
                                     number, number + 1, angle);
      at(i.to) = fmt::format("x{}", number++);
      at(i.b) = fmt::format("x{}", number++);
    } else {
      keep(i.to, operation(i.code, at(i.a), at(i.b), at(i.c)));
    }
  }
  return made;
}

}  // namespace taut::device
