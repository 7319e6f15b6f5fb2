// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "readings/switched_system.hpp"
#include "run/contact_watch.hpp"
#include "run/sampled_multipliers.hpp"
#include "run/tube.hpp"

namespace taut {

/// What was found in a step that its method has accepted.
struct Finding {
  enum class Kind : std::uint8_t {
    nothing,     ///< the step stands
    crossing,    ///< a guard leaves its side at t
    unresolved,  ///< from t on something changes faster than the step has seen
  };
  Kind kind = Kind::nothing;
  double t = 0.0;
  double length = 0.0;   ///< of unresolved: what the next step may be
  SwitchId which;        ///< of crossing
  bool of_time = false;  ///< the guard reads nothing but the time
};

/// (2) of StepWatch for one node, from the ranges of all.
[[nodiscard]] bool is_regular(const formula::EnclosedGraph& graph, int place,
                              const std::vector<formula::Enclosure>& all);

/// Looks at accepted steps for what no stage has seen. A step has a dense output p(t), so that all
/// formulas are functions of one variable there; they are enclosed on pieces of the step, from
/// left to right, pieces being halved until each is decided:
///
///   guard g of a frozen switch    keeps its side; or is monotone, and has its side at both ends,
///   or
///                                 crosses once: the first crossing is found on p           (1)
///   exp sin cos sinh cosh tanh    range of the argument at most 3
///   1/u sqrt log u^b              u keeps its sign, max |u| / min |u| at most 4
///   products of degree >= 8       they keep their sign, max / min at most 20                  (2)
///   anything                      negligible: w L range <= 0.05 with its weight w, a bound of its
///                                 effect on the velocities per second in units of the tolerance,
///                                 for switches with those that are not decided on both sides  (3)
///   a piece shorter than the step, with (2): the effects F of the element in its middle differ
///   from the polynomial through F at 8 points of the step by at most
///        L |F - F_8| / (m tol (1 + |v|)) <= 1 + 50 L / h                                      (4)
///
/// A step that fails (4) ends where that piece begins, and the next one is as short as the piece.
/// F along p is a polynomial where forces are linear, however stiff: (4) asks what the step has
/// seen of F, not how exact p is.
///
/// An element whose inputs stay in a box where (1) and (2) hold needs no look at all. Boxes are
/// found where a step was looked at, some times as wide as that step moved.
class StepWatch {
 public:
  /// `moved` is the system that moves, frozen by `switches`.
  void start(std::shared_ptr<Switches> switches, const System& moved, double tolerance);
  [[nodiscard]] bool watches(const std::shared_ptr<Switches>& switches) const {
    return switches_ == switches;
  }
  [[nodiscard]] bool any() const { return switches_ && switches_->any(); }

  /// The sides of all switches at a state, where nothing is known of them yet.
  [[nodiscard]] Status set_sides(const State& state, double probe);
  /// The side of one switch whose guard is zero here: behind a crossing. One that may have jumped,
  /// as others do that it reads, need not be zero.
  [[nodiscard]] Status settle(SwitchId which, const State& state, double probe,
                              bool may_have_jumped = false);
  /// The same, and of all others that are not on their sides any more.
  [[nodiscard]] Status settle_all(SwitchId which, const State& state, double probe,
                                  bool may_have_jumped = false);
  /// The sides of switches whose guards have jumped beyond their borders, since velocities have.
  void settle_jumps(const State& before, const State& after);
  /// A switch whose side was found where the step begins. Until let_none_enter() it is looked at
  /// from where it has got onto that side for good, if that is soon and its guard has been beyond
  /// the border by less than can be known: by what the dense output is exact to.
  void let_enter(SwitchId which) { entering_ = which, entered_at_ = unknown; }
  void let_none_enter() { entering_.reset(); }
  /// A switch that goes to and fro is held at its border, where that can be.
  [[nodiscard]] Status hold(SwitchId which, const State& state);
  /// How far the weights of sliding switches are outside of 0 ... 1 at a state; 0: none is.
  [[nodiscard]] Status excess(const State& state, double& beyond);
  /// Switches whose weights are outside take the side that they are nearest to.
  [[nodiscard]] Status leave_sliding(const State& state);

  /// `begin` and `end` of a step with accelerations, or without them where their size is 0.
  [[nodiscard]] Status look(const Knot& begin, const Knot& end, StepInterior& interior,
                            Finding& found);

  /// Names the element of a switch.
  [[nodiscard]] const std::string& label(SwitchId which) const { return switches_->label(which); }
  [[nodiscard]] Switches& switches() { return *switches_; }
  /// How often an element was not decided within 64 pieces or 40 halvings of a step, and stands
  /// since nothing shows in as many points; and when first.
  [[nodiscard]] std::int64_t undecided() const { return undecided_; }
  [[nodiscard]] double first_undecided() const { return first_undecided_; }

  void archive(Archive& archive);
  /// Whether there is something, and at which of the switches.
  void archive_switch(Archive& archive, bool& there, SwitchId& which) const;

 private:
  struct Piece {
    double c = 0.0, r = 1.0;
    int depth = 0;
  };
  struct Box {
    bool known = false;
    std::vector<formula::Interval> inputs;
    double wider = 3.0;       // than the step that it is made for
    double widest = 300.0;    // of those that may hold
    int wait = 0, pause = 0;  // steps before the next try
  };
  enum class Answer : std::uint8_t { yes, no, crossed };

  void inputs_on(const WatchedBatch& batch, int instance, const formula::EnclosedGraph& graph,
                 double c, double r);
  void point_inputs(const WatchedBatch& batch, int instance, const formula::EnclosedGraph& graph,
                    double xi);
  [[nodiscard]] bool in_box(const WatchedBatch& batch, int instance, const Box& box) const;
  [[nodiscard]] bool find_box(const WatchedBatch& batch, int b, int instance, Box& box);
  [[nodiscard]] bool clean(const WatchedBatch& batch, int b, int instance,
                           const formula::EnclosedGraph& graph, bool steep);
  [[nodiscard]] bool keeps_side(SwitchId s, formula::Interval g) const;
  [[nodiscard]] bool on_side(SwitchId s, double g) const;
  [[nodiscard]] bool is_sliding(SwitchId s) const;
  /// One of these modes is 0: nothing reads what is idle without them.
  [[nodiscard]] bool is_idle(std::uint64_t without, int batch, int instance) const;
  /// Nothing to watch in it now: it does not exist, slides or decides nothing.
  [[nodiscard]] bool rests(const WatchedBatch& batch, SwitchId s) const;
  [[nodiscard]] bool nothing_shows(const WatchedBatch& batch, int b, int instance);
  [[nodiscard]] bool slides(const Sliding& one, const State& state);
  void examine(const WatchedBatch& batch, int b, int instance, Finding& found);
  [[nodiscard]] Answer decide(const WatchedBatch& batch, SwitchId s, const Piece& piece,
                              double& root);
  [[nodiscard]] bool enters(SwitchId s, double g, bool grows) const;
  [[nodiscard]] bool has_entered(const WatchedBatch& batch, SwitchId s);
  [[nodiscard]] double change(const WatchedBatch& batch, SwitchId s) const;
  [[nodiscard]] double guard_at(const WatchedBatch& batch, SwitchId s, double xi);
  [[nodiscard]] double locate(const WatchedBatch& batch, SwitchId s, double from, double to);
  [[nodiscard]] static bool is_negligible(double effect, double length);
  void weigh(const WatchedBatch& batch, int instance, const std::vector<formula::Enclosure>& all,
             formula::EnclosedGraph::Weights& of) const;
  void weigh_changes(const WatchedBatch& batch, int b, int instance, const Piece& piece);
  [[nodiscard]] double scale(const WatchedBatch& batch, const WatchedBatch::Effect& effect,
                             int instance, const std::vector<formula::Enclosure>& all) const;
  [[nodiscard]] bool negligible(const WatchedBatch& batch, formula::NodeId node,
                                double length) const;
  [[nodiscard]] bool seen(const WatchedBatch& batch, int instance, const Piece& piece);

  std::shared_ptr<Switches> switches_;
  System moved_;
  double tolerance_ = 1e-8;
  Evaluation ev_;
  Vec mass_;                             // diagonal
  std::vector<std::vector<Box>> boxes_;  // by batch and instance
  Tube tube_;
  ContactWatch contacts_;
  State middle_;
  Vec speed_;  // |v| at the begin of the step
  std::vector<formula::Enclosure> inputs_, all_;
  std::vector<formula::Enclosure> open_;  // all_, with undecided switches on both of their sides
  std::vector<formula::Interval> ranges_;
  std::vector<double> point_, values_;
  bool reads_multipliers_ = false;
  SampledMultipliers multipliers_;
  formula::EnclosedGraph::Weights weights_, change_;  // from all_, from open_
  Mat sampled_;  // effects at the samples, of the instance that is examined
  bool sampled_known_ = false, weighed_ = false, changes_known_ = false;
  Vec alpha_, a_;
  State probe_;
  static constexpr double unknown = -2.0;
  std::optional<SwitchId> entering_;
  double entered_at_ = unknown;  // its place in the step that is looked at, -1 ... 1
  std::int64_t undecided_ = 0;
  double first_undecided_ = 0.0;
};

}  // namespace taut
