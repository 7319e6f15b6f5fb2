// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "curves/curve_features.hpp"
#include "run/curve_tube.hpp"

namespace taut {

/// What was found in a step.
struct CurveFinding {
  enum class Kind : std::uint8_t { nothing, crossing, unresolved };
  Kind kind = Kind::nothing;
  double theta = 2.0;
  double length = 0.0;    ///< of unresolved: what the next step may be, as a part of this one
  std::size_t guard = 0;  ///< of crossing
};

/// Looks at accepted steps along a curve for what no stage has seen, as StepWatch does for steps in
/// time; its rules (1), (2) hold here too, for the equations of a JetSystem. In place of (3) and
/// (4)
///
///   a node is negligible on a piece where its range moves the equation by what is far below the
///   tolerance, tol |∂f/∂y| / 1000 for the least derivative by a jet                            (1)
///   a piece shorter than the step is seen where v = dp/dτ along it is the polynomial through v at
///   8 points of the step:   L |v - v_8| <= tol (1 + |p|) (1 + 50 L / h)  in all coordinates    (2)
///
/// v follows from all equations together, so (2) needs no weights. Where what is looked for reads
/// x, v is also taken as long as it has to be for x to go as far as v_8 has it: a push of the
/// length L in x turns v by 90 degrees at most, and is L |dy/dx| long in y.
class CurveWatch {
 public:
  /// Of a curve with features; `tolerance` of the steps.
  void start(const Curve& curve, double tolerance);
  [[nodiscard]] bool any() const { return !watched_.empty(); }
  [[nodiscard]] bool any_switch() const { return features_ && !features_->guards.empty(); }

  /// Whether something switches or is steep at certain x.
  [[nodiscard]] bool any_at_x() const { return at_x_; }

  [[nodiscard]] const CurveFeatures& features() const { return *features_; }
  [[nodiscard]] const std::vector<double>& modes() const { return modes_; }
  /// Boxes of the sides before say nothing any more.
  void set_modes(std::vector<double> modes, std::shared_ptr<CompletedUnknowns> others);

  [[nodiscard]] Status look(CurveTube& step, CurveFinding& found);

  /// Guard `guard` at a point of the curve with direction V; its rate along V where it reads
  /// coordinates alone, else without bound.
  [[nodiscard]] formula::Enclosure guard(std::size_t guard, const Vec& p, const Vec& V);
  /// Σ |∂g/∂p_i| of the guard that was evaluated last.
  [[nodiscard]] double slope_of_guard() { return slope(*asked_, asked_place_); }
  /// How far into the side of its mode a value of the guard is, or beyond it where it is negative.
  [[nodiscard]] double depth(std::size_t guard, double g) const;
  /// The mode on the other side of the border that g is at.
  [[nodiscard]] double other_mode(std::size_t guard, double g) const;
  /// The mode that a value asks for.
  [[nodiscard]] static double mode_of(formula::Guard::Kind kind, double g);

 private:
  struct Watched {
    std::unique_ptr<const JetFormula> formula;   // roots: the equation, guards, steep nodes
    std::unique_ptr<const JetFormula> features;  // roots: guards, steep nodes
    std::vector<std::size_t> guards;             // numbers
    std::vector<bool> of_coordinates;            // of each guard
    bool of_curve = true;                        // guards and steep nodes can be enclosed
    std::size_t steep = 0;                       // how many
    bool boxed = false;
    std::vector<formula::Interval> box;
    double wider = 3.0;
    int wait = 0, pause = 0;
  };
  struct Piece {
    double c = 0.0, r = 1.0;
    int depth = 0;
  };
  enum class Answer : std::uint8_t { yes, no, crossed };

  [[nodiscard]] bool reads_x() const;
  [[nodiscard]] double slope(const Watched& one, int place);
  [[nodiscard]] bool keeps_side(std::size_t guard, formula::Interval g) const;
  [[nodiscard]] bool clean(const Watched& one) const;
  [[nodiscard]] bool in_box(const Watched& one) const;
  [[nodiscard]] bool find_box(Watched& one);
  [[nodiscard]] Status examine(const Watched& one, CurveTube& step, CurveFinding& found);
  [[nodiscard]] Status scan(const Watched& one, CurveTube& step, CurveFinding& found);
  [[nodiscard]] Answer decide(const Watched& one, std::size_t k, const Piece& piece,
                              CurveTube& step, double& root);
  [[nodiscard]] bool negligible(const Watched& one, int place);
  [[nodiscard]] double guard_at(const Watched& one, std::size_t k, double xi, const Tube& tube);
  [[nodiscard]] Status guard_on_curve(std::size_t guard, double theta, CurveTube& step, double& g);
  [[nodiscard]] Status seen(const Piece& piece, CurveTube& step, bool& is_seen);
  [[nodiscard]] Status nothing_shows(const Watched& one, CurveTube& step, bool& nothing);
  [[nodiscard]] const Watched& of_guard(std::size_t guard, std::size_t& k) const;

  std::shared_ptr<const CurveFeatures> features_;
  std::shared_ptr<CompletedUnknowns> others_;
  std::vector<double> modes_;
  std::vector<Watched> watched_;
  double tolerance_ = 1e-8;
  bool at_x_ = false;
  std::vector<formula::Enclosure> inputs_, all_;
  formula::EnclosedGraph::Weights weights_;
  std::vector<double> point_, values_;
  bool weighed_ = false;
  const Watched* asked_ = nullptr;  // by guard(), with its place
  int asked_place_ = 0;
  Mat sampled_;  // v at the samples of the step
  bool sampled_known_ = false;
  Vec p_, v_, beside_;
};

}  // namespace taut
