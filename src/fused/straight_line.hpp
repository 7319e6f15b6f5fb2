// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "taut/formula/program.hpp"

namespace taut::fused {

/// A value of a StraightLine.
using Value = std::int32_t;
inline constexpr Value no_value = -1;

/// Straight-line code that is put together from programs and single operations, and lowered into
/// programs again. Equal operations are one; nothing else is simplified, so that every value has
/// the bits it has where it came from.
class StraightLine {
 public:
  /// Something given from outside, known by a number.
  Value input(int number);
  Value constant(double value);
  Value operation(formula::Code code, Value a, Value b = no_value, Value c = no_value);

  /// A program with values for its inputs and constants: the values of all its registers at its
  /// end.
  [[nodiscard]] std::vector<Value> append(const formula::Program& program,
                                          std::span<const Value> inputs,
                                          std::span<const Value> constants);

  struct Lowered {
    formula::Program program;    ///< its outputs are what was asked for, as rows of observables
    std::vector<Value> inputs;   ///< what they are, register by register
    std::vector<int> registers;  ///< of the values that were asked for
  };
  /// The program of some values from those that are `given`: the others they need are computed.
  [[nodiscard]] Lowered lower(std::span<const Value> wanted,
                              const std::function<bool(Value)>& given) const;

  struct Node {
    enum class Kind : std::uint8_t { input, constant, operation };
    Kind kind = Kind::operation;
    formula::Code code = formula::Code::add;
    Value a = no_value, b = no_value, c = no_value;
    int number = -1;     // of an input; of what is looked up
    double value = 0.0;  // of a constant
    friend bool operator==(const Node&, const Node&) = default;
  };
  [[nodiscard]] const Node& operator[](Value v) const {
    return nodes_[static_cast<std::size_t>(v)];
  }
  [[nodiscard]] Value size() const { return static_cast<Value>(nodes_.size()); }

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  Value add(const Node& node);
  Value look_up(const formula::Instruction& i, const formula::TableLookup& what, Value a, Value b,
                Value c);

  std::vector<Node> nodes_;
  std::vector<formula::TableLookup> lookups_;
  std::unordered_map<Node, Value, Hash> known_;
};

/// A value with the operations of numbers, recorded.
class Traced {
 public:
  Traced(StraightLine& line, Value value) : line_{&line}, value_{value} {}
  [[nodiscard]] Value value() const { return value_; }

  friend Traced operator+(Traced a, Traced b) { return a.with(formula::Code::add, b); }
  friend Traced operator-(Traced a, Traced b) { return a.with(formula::Code::sub, b); }
  friend Traced operator*(Traced a, Traced b) { return a.with(formula::Code::mul, b); }
  friend Traced operator/(Traced a, Traced b) { return a.with(formula::Code::div, b); }
  friend Traced operator-(Traced a) { return a.with(formula::Code::neg); }
  friend Traced sqrt(Traced a) { return a.with(formula::Code::sqrt); }
  friend Traced abs(Traced a) { return a.with(formula::Code::abs); }
  friend Traced min(Traced a, Traced b) { return a.with(formula::Code::min, b); }
  friend Traced max(Traced a, Traced b) { return a.with(formula::Code::max, b); }
  friend Traced less(Traced a, Traced b) { return a.with(formula::Code::less, b); }

 private:
  [[nodiscard]] Traced with(formula::Code code) const {
    return {*line_, line_->operation(code, value_)};
  }
  [[nodiscard]] Traced with(formula::Code code, Traced b) const {
    return {*line_, line_->operation(code, value_, b.value_)};
  }

  StraightLine* line_;
  Value value_;
};

}  // namespace taut::fused
