// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "curves/curve_integrator.hpp"
#include "run/curve_watch.hpp"
#include "run/root.hpp"
#include "run/run_shell.hpp"
#include "run/stall.hpp"
#include "taut/run/follow.hpp"

namespace taut {

/// Whether a value that went from `before` to `after` fires; zero has no sign.
[[nodiscard]] bool crosses(double before, double after, Observable::Direction direction);

/// A run along a curve: the stepper behind follow(). All arguments belong to the caller and outlive
/// it.
class FollowRun final : public RunShell<FollowRun, FollowOptions, CurveMotion> {
 public:
  FollowRun(const Curve& curve, const std::vector<CurveEvent>& events, const FollowOptions& options,
            CurveMotion& motion);

  [[nodiscard]] bool finished() const { return at_end_; }
  [[nodiscard]] CurveSummary finish(Status status);

 private:
  friend RunShell;

  /// An end of a step.
  struct Knot {
    double s = 0.0;
    Vec p, V;

    void archive(Archive& archive) { archive(s, p, V); }
  };
  /// Something that happens in the step, to be taken in order.
  struct Happening {
    double theta = 0.0;
    int event = -1;  ///< number of the event; -1: impasse point
    ImpassePoint::Kind kind = ImpassePoint::Kind::turns_back;
  };
  /// The curve of some sides of all switches, and where it was made.
  struct Side {
    std::vector<double> modes;
    Vec given;
    std::optional<SideForm> form;

    void archive(Archive& archive) { archive(modes, given); }
  };
  /// V_x at a place of the step, and how it changes.
  struct Slope {
    double theta = 0.0, value = 0.0, bend = 0.0;
  };

  // before the first step
  [[nodiscard]] std::string refusal(const Vec& start) const;
  void plan(const Vec& start);
  [[nodiscard]] Status prepare();
  [[nodiscard]] Status first() { return record(end_.s, end_.p); }
  [[nodiscard]] Status start_stepper();

  // the loop
  [[nodiscard]] Progress progress() const;
  [[nodiscard]] Status take_step();
  [[nodiscard]] Status advance_integrator();
  [[nodiscard]] Status after_step();
  [[nodiscard]] Status look_inside();
  [[nodiscard]] Status keep_what_happened();
  [[nodiscard]] Status end_at(double theta, Status ending);
  [[nodiscard]] Status check_tangent();
  [[nodiscard]] Status outlook();
  [[nodiscard]] Status find_closing(double& theta_end, Status& ending);
  [[nodiscard]] double least_advance() const;

  // inside the step: 0 <= theta <= 1
  [[nodiscard]] Status at(double theta, Vec& p);
  [[nodiscard]] Status direction_at(double theta, const Vec& p, Vec& V);
  [[nodiscard]] double length_at(double theta);
  [[nodiscard]] double theta_of(double s);
  [[nodiscard]] bool by_time() const {
    return options_.integrator.parameter == Parametrisation::time;
  }

  // what happens there
  [[nodiscard]] Status event_values(const Vec& p, const Vec& V, Vec& values);
  [[nodiscard]] Status find_events();
  [[nodiscard]] Status event_at(std::size_t k, double theta, double& value);
  [[nodiscard]] Status locate_event(std::size_t k, double from, double to, double value_from,
                                    double value_to);
  [[nodiscard]] Status keep_happenings(double& theta_end, Status& ending);
  [[nodiscard]] Status keep_event(const Happening& happening, bool full, bool& stops);

  // impasse points (follow_impasse.cpp)
  [[nodiscard]] double negligible_slope() const;
  [[nodiscard]] Status bend_of(const Vec& p, const Vec& V, double& bend);
  [[nodiscard]] Status slope_at(double theta, bool with_bend, Slope& slope);
  [[nodiscard]] Status find_zeros();
  [[nodiscard]] Status look_for_zeros();
  [[nodiscard]] Status examine(const Slope& a, const Slope& b);
  [[nodiscard]] Status examine_minimum(const Slope& a, const Slope& b);
  [[nodiscard]] Status turn(const Slope& a, const Slope& b);
  void happen(double theta, ImpassePoint::Kind kind);
  [[nodiscard]] Status keep_impasse(const Happening& happening, bool full, bool& stops);

  // steps that end where something happens, and sides of switches (follow_sides.cpp)
  [[nodiscard]] Status look_closer();
  [[nodiscard]] Status take_again(double h);
  [[nodiscard]] Status shorten(double theta);
  [[nodiscard]] Status cut(const CurveFinding& found);
  [[nodiscard]] double border_of(std::size_t guard, double g) const;
  [[nodiscard]] double depth_rate(std::size_t guard, const Vec& p, const Vec& V);
  [[nodiscard]] Status change_sides(std::size_t guard);
  [[nodiscard]] Status settle_sides();
  [[nodiscard]] const SideForm& side_of(const std::vector<double>& modes);
  [[nodiscard]] SideForm form_of(const std::vector<double>& modes, const Vec& given) const;
  [[nodiscard]] const std::vector<bool>& may_jump();
  [[nodiscard]] Status meet(const Curve& curve, CurveEvaluation& ev, Vec& p);
  [[nodiscard]] Status go_over(std::size_t guard, std::vector<double> modes);
  [[nodiscard]] Status turn_at_corner();
  [[nodiscard]] Status jump_events();
  [[nodiscard]] bool failed_at_border(std::size_t& guard);
  [[nodiscard]] Status stalled(std::size_t guard, const char* why);
  [[nodiscard]] Status count_crossing(std::size_t guard);

  // output
  [[nodiscard]] Status rows_until(double theta);
  [[nodiscard]] Status rows_between(double theta_a, double theta_b);
  [[nodiscard]] Status row_at(double x, Bracket bracket);
  [[nodiscard]] Status record(double s, const Vec& p);
  void show_outputs();
  [[nodiscard]] Status record_present() { return record(end_.s, end_.p); }
  void pass_present();

  // the end (follow_end.cpp)
  [[nodiscard]] bool resumable() const { return true; }
  void archive_run(Archive& archive);
  void archive_stepper(Archive& archive) { integrator_.archive(archive); }
  [[nodiscard]] Status end_row();
  void explain(Status status, SummaryCore& summary) const;
  [[nodiscard]] Status judged(Status status);
  [[nodiscard]] std::string fastest() const;
  [[nodiscard]] bool passes_by_arc() const;
  [[nodiscard]] std::string stall_message() const;
  [[nodiscard]] std::string message(Status status) const;
  [[nodiscard]] const std::string& x_name() const { return structure_.coordinates.front(); }

  Curve curve_;  // of the sides that switches are on
  const CurveStructure structure_;
  const std::vector<CurveEvent>& events_;
  CurveIntegrator integrator_;

  // plan
  Knot start_;
  double sense_ = 1.0;  // of x at the start

  // where the run is
  Knot begin_, end_;  // of the last step; the run is at `end_`
  bool at_end_ = false;
  std::int64_t next_arc_row_ = 1;
  Vec event_value_;  // at `end_`
  std::int64_t turns_ = 0;
  bool in_zero_ = false;  // the run is where V_x is zero, which is recorded
  Stall stall_;

  // of the step
  std::vector<Happening> happenings_;
  Vec probe_, probe_V_, side_, side_V_, value_after_, value_probe_;
  CurveFrame frame_;
  Vec output_V_;  // direction at a row

  // switches and short features
  CurveWatch watch_;
  CurveTube tube_;
  CurveEventScan event_scan_;
  std::vector<double> places_;
  std::optional<std::size_t> crossing_;  // the guard at whose border the step has ended
  static constexpr std::size_t most_sides = 64;
  std::vector<Side> sides_;  // those that were met
  std::vector<bool> may_jump_;
  struct Place {
    double x = 0.0, s = 0.0;
  };
  Place last_crossing_;
  std::int64_t crossings_ = 0, crowded_ = 0;
  double forced_ = -1.0;  // s of the last crossing that a failed step was taken for
  std::int64_t unresolved_ = 0;
  double first_unresolved_ = 0.0;

  // found
  std::vector<CurveEventRecord> found_events_;
  std::vector<ImpassePoint> impasses_;
  std::int64_t output_evaluations_ = 0;
  double max_equation_ = 0.0, max_relative_ = 0.0;
  std::int64_t worst_row_ = -1;  // of max_relative_

  double broken_ = 0.0;   // theta up to which a step is good that ends the run
  bool arrived_ = false;  // at an end that is a turning point
  std::string ending_;    // how it ended, or what was not finite
  std::string remedy_;    // in place of the hint of the status
};

}  // namespace taut
