// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "curves/curve_integrator.hpp"
#include "run/pace.hpp"
#include "run/recorder.hpp"
#include "run/root.hpp"
#include "run/stall.hpp"
#include "taut/run/follow.hpp"

namespace taut {

/// One run of follow(), with all that it carries from step to step.
class FollowRun {
 public:
  FollowRun(const Curve& curve, const std::vector<CurveEvent>& events, const FollowOptions& options,
            CurveMotion& motion);

  [[nodiscard]] CurveSummary operator()(const Vec& start);

 private:
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
  /// V_x at a place of the step, and how it changes.
  struct Slope {
    double theta = 0.0, value = 0.0, bend = 0.0;
  };

  // before the first step
  void plan(const Vec& start);
  [[nodiscard]] Status begin(const Vec& start);
  [[nodiscard]] Status resume();

  // the loop
  [[nodiscard]] Status loop();
  [[nodiscard]] Status look_at_clock();
  [[nodiscard]] Status take_step();
  [[nodiscard]] Status after_step();
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

  // output
  [[nodiscard]] Status rows_until(double theta);
  [[nodiscard]] Status rows_between(double theta_a, double theta_b);
  [[nodiscard]] Status row_at(double x, Bracket bracket);
  [[nodiscard]] Status record(double s, const Vec& p);

  // the end (follow_end.cpp)
  void save();
  void archive(Archive& archive);
  [[nodiscard]] CurveSummary finish(Status status);
  [[nodiscard]] Status judged(Status status);
  [[nodiscard]] std::string fastest() const;
  [[nodiscard]] std::string stall_message() const;
  [[nodiscard]] std::string message(Status status) const;
  [[nodiscard]] const std::string& x_name() const { return structure_.coordinates.front(); }

  const Curve& curve_;
  const CurveStructure& structure_;
  const std::vector<CurveEvent>& events_;
  const FollowOptions& options_;
  CurveMotion& motion_;
  CurveIntegrator integrator_;

  // plan
  Knot start_;
  double sense_ = 1.0;       // of x at the start
  double resolution_ = 0.0;  // values of x closer than this are the same
  bool given_rows_ = false;  // at given x or s, not at steps

  // where the run is
  Knot begin_, end_;  // of the last step; the run is at `end_`
  bool at_end_ = false;
  std::int64_t n_ = 0;
  std::int64_t next_arc_row_ = 1;
  Vec event_value_;  // at `end_`
  std::int64_t turns_ = 0;
  bool in_zero_ = false;  // the run is where V_x is zero, which is recorded
  Stall stall_;
  Recorder recorder_;
  double seconds_before_ = 0.0;

  // of the step
  std::vector<Happening> happenings_;
  Vec probe_, probe_V_, side_, side_V_, value_after_, value_probe_;

  // found
  std::vector<CurveEventRecord> found_events_;
  std::vector<ImpassePoint> impasses_;
  std::int64_t dropped_ = 0;
  std::int64_t output_evaluations_ = 0;
  double max_equation_ = 0.0, max_relative_ = 0.0;
  std::int64_t worst_row_ = -1;  // of max_relative_

  Pace pace_;
  double last_progress_ = 0.0, last_save_ = 0.0, save_cost_ = 0.0;
  std::int64_t n_saved_ = -1;
  bool save_failed_ = false;
  bool arrived_ = false;  // at an end that is a turning point
  std::vector<std::string> notes_;
  std::string ending_;  // how it ended, or what was not finite
  std::string remedy_;  // in place of the hint of the status
};

}  // namespace taut
