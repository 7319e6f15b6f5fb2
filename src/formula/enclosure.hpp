// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "formula/interval.hpp"
#include "formula/lower.hpp"
#include "taut/formula/program.hpp"

namespace taut::formula {

/// A function of time on a piece [c - r, c + r] of its axis.
struct Enclosure {
  Interval value;           ///< holds every value on the piece
  Interval rate{0.0, 0.0};  ///< holds every derivative
  double middle = 0.0;      ///< value at c
};

/// A part of a graph that is evaluated along a motion. All inputs being functions of one variable,
/// the time, so is every node; it carries its range R, the range D of its derivative and its value
/// m in the middle, and
///
///   R := R_natural ∩ (m + D [-r, r])                                                          (1)
///
/// is what keeps ranges tight where terms cancel. Switches that are not frozen have rates without
/// bound where they switch.
class EnclosedGraph {
 public:
  /// The nodes that `roots` are made of.
  EnclosedGraph(const Graph& graph, std::span<const NodeId> roots);

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }
  /// Where an input stands; -1 where nothing reads it.
  [[nodiscard]] int place(Input input) const;
  /// Where a node of the graph stands; -1 where no root reads it.
  [[nodiscard]] int place(NodeId id) const { return place_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Op op(int place) const { return steps_[static_cast<std::size_t>(place)].op; }
  [[nodiscard]] int operand(int place, int number) const {
    const Step& s = steps_[static_cast<std::size_t>(place)];
    return number == 0 ? s.a : number == 1 ? s.b : s.c;
  }
  [[nodiscard]] double constant(int place) const {
    return steps_[static_cast<std::size_t>(place)].value;
  }
  /// Lets an atan2 go on through its cut, where it jumps by 2 pi: for one of which nothing is read
  /// but by functions of that period.
  void unwind(int place) { steps_[static_cast<std::size_t>(place)].unwound = true; }
  [[nodiscard]] bool unwound(int place) const {
    return steps_[static_cast<std::size_t>(place)].unwound;
  }
  /// Degree of a node as a polynomial in any one of q, v and t, as far as it is one; functions,
  /// and quotients by what moves, count as 1.
  [[nodiscard]] int degree(int place) const {
    return steps_[static_cast<std::size_t>(place)].degree;
  }

  /// Everything on a piece of radius r [s], the inputs being given in the order of inputs().
  void enclose(std::span<const Enclosure> inputs, double r, std::vector<Enclosure>& all) const;
  /// Ranges alone, on a box of inputs; nothing is known of rates.
  void ranges(std::span<const Interval> inputs, std::vector<Enclosure>& all) const;
  /// Values at a point.
  void values(std::span<const double> inputs, std::vector<double>& all) const;

  /// For every node
  ///   weight   a bound of Σ_k weight_k |d root_k / d node| on the piece where `all` was found,
  ///   along
  ///            the branches that are taken there; of a mode, of the change it would bring. It
  ///            comes with the weights of the roots at their places, and 0 elsewhere
  ///   effect   a bound of what the whole variation of the node on the piece does, which is no more
  ///            than what the variation of all that reads it does:
  ///     effect_i = min(weight_i width_i, Σ_k min(weight_k |d node_k / d node_i| width_i,
  ///     effect_k))
  struct Weights {
    std::vector<double> weight, effect;
  };
  void sensitivities(const std::vector<Enclosure>& all, Weights& of) const;

 private:
  struct Step {
    Op op = Op::constant;
    int a = -1, b = -1, c = -1;
    double value = 0.0;
    int input = -1;
    int degree = 0;
    bool unwound = false;
    const Table* table = nullptr;  // of a knot or a piece
    Lookup lookup{};
  };
  [[nodiscard]] static double value_of(const Step& s, double a, double b, double c);
  [[nodiscard]] static Interval range_of(const Step& s, Interval a, Interval b, Interval c);
  [[nodiscard]] static Interval rate_of(const Step& s, Interval value, const Enclosure& a,
                                        const Enclosure& b, const Enclosure& c);

  void find_degrees();

  std::vector<Step> steps_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::vector<Input> inputs_;
  std::vector<int> place_;
};

}  // namespace taut::formula
