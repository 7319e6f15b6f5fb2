// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "formula/kernel.hpp"
#include "formula/table.hpp"

namespace taut::formula::testing {

/// Where a formula is evaluated.
struct Point {
  std::vector<double> q, v, a, lambda, parameter;
  double t = 0.0, theta = 0.0;

  [[nodiscard]] double operator[](Input input) const {
    const auto i = static_cast<std::size_t>(input.index);
    switch (input.slot) {
      case Slot::q:
        return q.at(i);
      case Slot::v:
        return v.at(i);
      case Slot::a:
        return a.at(i);
      case Slot::lambda:
        return lambda.at(i);
      case Slot::t:
        return t;
      case Slot::mode:
      case Slot::mu:
      case Slot::input:
        break;
      case Slot::theta:
        return theta;
      case Slot::parameter:
        return parameter.at(i);
    }
    return 0.0;
  }
};

/// What a random instruction looks up: tables in one and two variables, and derivatives of them.
inline std::vector<TableLookup> some_lookups() {
  Table::Content line{.name = "line",
                      .kind = TableKind::cubic,
                      .outside = Outside::extend,
                      .periodic = false,
                      .x = {-1.0, 0.0, 0.5, 2.0},
                      .y = {},
                      .values = {1.0, -2.0, 0.5, 0.25}};
  Table::Content surface{.name = "surface",
                         .kind = TableKind::linear,
                         .outside = Outside::refuse,
                         .periodic = true,
                         .x = {-1.0, 0.5, 2.0},
                         .y = {0.0, 1.0, 3.0},
                         .values = {1.0, 2.0, 3.0, -1.0, 0.5, 4.0, 1.0, 2.0, 3.0}};
  const auto first = std::make_shared<const Table>(std::move(line), 0);
  const auto second = std::make_shared<const Table>(std::move(surface), 1);
  return {{first, {.table = 0}},
          {first, {.table = 0, .order_x = 1}},
          {second, {.table = 1}},
          {second, {.table = 1, .order_y = 1, .axis = 1}}};
}

/// Registers as a kernel wants them: aligned to 64 bytes.
class Registers {
 public:
  explicit Registers(const Kernel& kernel)
      : size_{static_cast<std::size_t>(kernel.program().registers * kernel.width())},
        memory_{static_cast<double*>(std::aligned_alloc(64, 64 * (size_ / 8 + 1))), std::free} {}
  [[nodiscard]] double* data() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::unique_ptr<double, decltype(&std::free)> memory_;
};

using Place = std::tuple<Target, int, int>;
using Values = std::map<Place, double>;

/// All outputs of a program at a point, from one lane of a kernel.
inline Values run(const Kernel& kernel, const Point& x, int lane = 0) {
  const Program& program = kernel.program();
  const auto width = static_cast<std::size_t>(kernel.width());
  const Registers registers{kernel};
  double* r = registers.data();
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    for (std::size_t l = 0; l < width; ++l) r[i * width + l] = x[program.inputs[i]];
  }
  kernel.load_constants(r);
  kernel.run(r);
  Values values;
  for (const Output& o : program.outputs) {
    const double value =
        r[static_cast<std::size_t>(o.reg) * width + static_cast<std::size_t>(lane)];
    values[{o.target, o.row, o.column}] = o.negate ? -value : value;
  }
  return values;
}

inline Values run(const Program& program, const Point& x) {
  return run(*make_kernel(program, 1), x);
}

}  // namespace taut::formula::testing
