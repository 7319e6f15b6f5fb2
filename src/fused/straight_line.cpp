// SPDX-License-Identifier: BSD-3-Clause
#include "fused/straight_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "formula/operands.hpp"

namespace taut::fused {

using formula::Code;
using formula::Instruction;
using formula::Program;

namespace {

bool looks_up(Code code) { return code == Code::knot || code == Code::piece; }

/// Makes one program of the part of a line that is wanted.
class Lowering {
 public:
  Lowering(const StraightLine& line, const std::vector<formula::TableLookup>& lookups,
           std::span<const Value> wanted, const std::function<bool(Value)>& given)
      : line_{line},
        lookups_{lookups},
        wanted_{wanted},
        given_{given},
        info_(static_cast<std::size_t>(line.size())) {}

  StraightLine::Lowered run() {
    reach();
    number();
    for (const Value v : order_) emit(v);
    allocate();
    for (const Value v : wanted_) {
      made_.registers.push_back(info(v).reg);
      made_.program.outputs.push_back({.target = formula::Target::observable,
                                       .row = static_cast<std::int32_t>(made_.registers.size()) - 1,
                                       .reg = info(v).reg});
    }
    return std::move(made_);
  }

 private:
  using Kind = StraightLine::Node::Kind;
  struct Info {
    int uses = 0, reg = -1, last_use = -1;
    Value sine = no_value, cosine = no_value;  // of this, where they are wanted
    bool reached = false, leaf = false, kept = false, fused = false, emitted = false;
  };
  Info& info(Value v) { return info_[static_cast<std::size_t>(v)]; }
  [[nodiscard]] std::array<Value, 3> operands(Value v) {
    if (info(v).leaf) return {no_value, no_value, no_value};
    const StraightLine::Node& n = line_[v];
    return {n.a, n.b, n.c};
  }

  // operands first, the part of each wanted value together: few are alive at a time
  void reach() {
    std::vector<Value> stack;
    for (const Value root : wanted_) {
      info(root).kept = true;
      ++info(root).uses;
      stack.push_back(root);
      while (!stack.empty()) {
        const Value v = stack.back();
        Info& here = info(v);
        if (here.reached) {
          stack.pop_back();
          continue;
        }
        here.leaf = line_[v].kind != Kind::operation || given_(v);
        bool ready = true;
        const std::array<Value, 3> from = operands(v);
        for (std::size_t k = 3; k-- > 0;) {
          if (from[k] == no_value || info(from[k]).reached) continue;
          stack.push_back(from[k]);
          ready = false;
        }
        if (!ready) continue;
        stack.pop_back();
        here.reached = true;
        for (const Value operand : from)
          if (operand != no_value) ++info(operand).uses;
        order_.push_back(v);
      }
    }
  }

  // registers of inputs and constants; products that are read once, by a sum, are a part of it
  void number() {
    Program& program = made_.program;
    for (const Value v : order_)
      if (info(v).leaf && line_[v].kind != Kind::constant) {
        info(v).reg = program.registers++;
        made_.inputs.push_back(v);
        program.inputs.push_back({formula::Slot::input, static_cast<int>(made_.inputs.size()) - 1});
      }
    for (const Value v : order_)
      if (info(v).leaf && line_[v].kind == Kind::constant) {
        info(v).reg = program.registers++;
        program.constants.push_back(line_[v].value);
      }
    for (const Value v : order_) {
      if (info(v).leaf) continue;
      const StraightLine::Node& n = line_[v];
      if (n.code == Code::sin) info(n.a).sine = v;
      if (n.code == Code::cos) info(n.a).cosine = v;
      if (n.code != Code::add && n.code != Code::sub) continue;
      for (const Value operand : {n.b, n.a}) {
        if (info(operand).leaf || line_[operand].code != Code::mul || info(operand).uses != 1)
          continue;
        info(operand).fused = true;
        break;
      }
    }
  }

  void emit(Value v) {
    Info& here = info(v);
    if (here.leaf || here.fused || here.emitted) return;
    here.emitted = true;
    const StraightLine::Node& n = line_[v];
    std::vector<Instruction>& code = made_.program.code;
    if ((n.code == Code::add || n.code == Code::sub) && (info(n.a).fused || info(n.b).fused)) {
      // values stand in for registers until allocate()
      const bool second = info(n.b).fused;
      const StraightLine::Node& product = line_[second ? n.b : n.a];
      const Code fused = n.code == Code::add ? Code::mul_add
                         : second            ? Code::sub_mul
                                             : Code::mul_sub;
      code.push_back({fused, v, product.a, product.b, second ? n.a : n.b});
      return;
    }
    if (n.code == Code::sin || n.code == Code::cos) {
      const Info& angle = info(n.a);
      if (angle.sine != no_value && angle.cosine != no_value) {
        info(angle.sine).emitted = info(angle.cosine).emitted = true;
        code.push_back({Code::sincos, angle.sine, n.a, angle.cosine, 0});
        return;
      }
    }
    code.push_back({n.code, v, n.a, n.b == no_value ? 0 : n.b, n.c == no_value ? 0 : n.c});
    if (!looks_up(n.code)) return;
    code.back().lookup = static_cast<std::int32_t>(made_.program.lookups.size());
    made_.program.lookups.push_back(lookups_[static_cast<std::size_t>(n.number)]);
  }

  // linear scan: a register is free again after the last instruction that reads it
  void allocate() {
    Program& program = made_.program;
    const auto read = [](const Instruction& i) {
      return std::array<Value, 3>{i.a, formula::reads_b(i.code) ? i.b : no_value,
                                  formula::reads_c(i.code) ? i.c : no_value};
    };
    for (std::size_t k = 0; k < program.code.size(); ++k)
      for (const Value v : read(program.code[k]))
        if (v != no_value) info(v).last_use = static_cast<int>(k);
    std::vector<int> free;
    const auto take = [&](Value v) {
      if (free.empty()) free.push_back(program.registers++);
      info(v).reg = free.back();
      free.pop_back();
    };
    for (std::size_t k = 0; k < program.code.size(); ++k) {
      Instruction& i = program.code[k];
      const std::array<Value, 3> from = read(i);
      const Value to = i.to, second = i.b;
      for (const Value v : from) {
        if (v == no_value || info(v).last_use != static_cast<int>(k)) continue;
        if (info(v).kept || info(v).leaf) continue;
        free.push_back(info(v).reg);
        info(v).last_use = -1;  // an operand named twice is freed once
      }
      const std::array<int, 3> regs{info(from[0]).reg, from[1] == no_value ? 0 : info(from[1]).reg,
                                    from[2] == no_value ? 0 : info(from[2]).reg};
      take(to);
      i.to = info(to).reg;
      i.a = regs[0];
      i.b = regs[1];
      i.c = regs[2];
      if (i.code == Code::sincos) {
        take(second);
        i.b = info(second).reg;
      }
    }
  }

  const StraightLine& line_;
  const std::vector<formula::TableLookup>& lookups_;
  std::span<const Value> wanted_;
  const std::function<bool(Value)>& given_;
  std::vector<Info> info_;
  std::vector<Value> order_;
  StraightLine::Lowered made_;
};

}  // namespace

std::size_t StraightLine::Hash::operator()(const Node& n) const {
  std::uint64_t h = static_cast<std::uint64_t>(n.kind) * 64 + static_cast<std::uint64_t>(n.code);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(n.a), static_cast<std::uint64_t>(n.b),
        static_cast<std::uint64_t>(n.c), static_cast<std::uint64_t>(n.number),
        std::bit_cast<std::uint64_t>(n.value)})
    h = (h ^ part) * 0x9e3779b97f4a7c15u + (h >> 29);
  return static_cast<std::size_t>(h);
}

Value StraightLine::add(const Node& node) {
  const auto [found, is_new] = known_.try_emplace(node, size());
  if (is_new) nodes_.push_back(node);
  return found->second;
}

Value StraightLine::input(int number) { return add({.kind = Node::Kind::input, .number = number}); }

Value StraightLine::constant(double value) {
  // 0 and -0 are equal, and not the same
  const int sign = std::signbit(value) ? 1 : 0;
  return add({.kind = Node::Kind::constant, .number = sign, .value = value});
}

Value StraightLine::operation(Code code, Value a, Value b, Value c) {
  assert(code < Code::mul_add && !looks_up(code));
  return add({.code = code, .a = a, .b = b, .c = c});
}

Value StraightLine::look_up(const Instruction& i, const formula::TableLookup& what, Value a,
                            Value b, Value c) {
  const auto same = [&](const formula::TableLookup& other) {
    return other.table == what.table && other.what == what.what;
  };
  auto found = std::find_if(lookups_.begin(), lookups_.end(), same);
  if (found == lookups_.end()) found = lookups_.insert(found, what);
  return add({.code = i.code,
              .a = a,
              .b = b,
              .c = c,
              .number = static_cast<int>(found - lookups_.begin())});
}

std::vector<Value> StraightLine::append(const Program& program, std::span<const Value> inputs,
                                        std::span<const Value> constants) {
  std::vector<Value> reg(static_cast<std::size_t>(program.registers), no_value);
  std::copy(inputs.begin(), inputs.end(), reg.begin());
  std::copy(constants.begin(), constants.end(),
            reg.begin() + static_cast<std::ptrdiff_t>(inputs.size()));
  const auto at = [&](std::int32_t r) -> Value& { return reg[static_cast<std::size_t>(r)]; };
  for (const Instruction& i : program.code) {
    const Value a = at(i.a);
    const Value b = formula::reads_b(i.code) ? at(i.b) : no_value;
    const Value c = formula::reads_c(i.code) ? at(i.c) : no_value;
    switch (i.code) {
      case Code::mul_add:
        at(i.to) = operation(Code::add, operation(Code::mul, a, b), c);
        break;
      case Code::mul_sub:
        at(i.to) = operation(Code::sub, operation(Code::mul, a, b), c);
        break;
      case Code::sub_mul:
        at(i.to) = operation(Code::sub, c, operation(Code::mul, a, b));
        break;
      case Code::sincos:
        at(i.to) = operation(Code::sin, a);
        at(i.b) = operation(Code::cos, a);
        break;
      case Code::knot:
      case Code::piece:
        at(i.to) = look_up(i, program.lookups[static_cast<std::size_t>(i.lookup)], a, b, c);
        break;
      default:
        at(i.to) = operation(i.code, a, b, c);
        break;
    }
  }
  return reg;
}

StraightLine::Lowered StraightLine::lower(std::span<const Value> wanted,
                                          const std::function<bool(Value)>& given) const {
  return Lowering{*this, lookups_, wanted, given}.run();
}

}  // namespace taut::fused
