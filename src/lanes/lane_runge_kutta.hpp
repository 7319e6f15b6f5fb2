// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "fused/motion_programs.hpp"
#include "lanes/lane_look.hpp"
#include "lanes/lane_loops.hpp"
#include "methods/step_lengths.hpp"
#include "projections/secants.hpp"
#include "tableaux/explicit_tableau.hpp"
#include "taut/run/motion.hpp"

namespace taut::lanes {

/// Rows of `width` numbers, aligned.
class Rows {
 public:
  explicit Rows(Index count = 0);
  [[nodiscard]] double* operator[](Index i) { return begin() + i * width; }
  [[nodiscard]] const double* operator[](Index i) const {
    return const_cast<Rows&>(*this).begin() + i * width;
  }
  [[nodiscard]] Index count() const { return count_; }

 private:
  [[nodiscard]] double* begin() { return reinterpret_cast<double*>(storage_.data()); }
  struct alignas(64) Line {
    std::array<double, 8> numbers{};
  };
  Index count_ = 0;
  std::vector<Line> storage_;
};

/// How the lanes step, the same for all of them.
struct LaneMethod {
  const ExplicitTableau* tableau = nullptr;
  StepControl control;
  bool looks_inside = false;   ///< of steps: for rows, or to watch
  bool automatic = false;      ///< it is dop853 as long as Automatic stays with it
  bool differentiable = true;  ///< else Automatic never leaves it
  bool conservative = false;   ///< the energy is kept, and looked at
  Index places = 0;            ///< of q that are in norms
};

/// A run that a lane takes up.
struct LaneStart {
  std::size_t run = 0;  ///< whatever the caller knows it by
  State state;
  bool is_consistent = false;  ///< else it is found out
  double until = 0.0, tol = 0.0;
  double most = 0.0;  ///< length of a step
  /// Distance of the rows that are shown to a RowObserver, from the start on; 0: none are.
  double every = 0.0;
  double read_tol = 0.0;  ///< tolerance of what is read inside of steps
  System system;          ///< where a method looks inside of steps
  bool watched = false;   ///< its steps are
  bool has_events = false;
  std::vector<double> given;       ///< of fused::MotionPrograms::given()
  std::vector<double> row_scales;  ///< Row::scale of the equations
};

/// A run that a lane has brought to its end, or has to leave to others.
struct LaneEnd {
  std::size_t run = 0;
  int lane = 0;
  bool done = false;       ///< else it is to be done in the usual way, from its start
  bool unsettled = false;  ///< its start is off the constraints: it may be moved onto them
  std::int64_t steps = 0, rejected = 0, evaluations = 0;
  bool stopped = false;  ///< by the last of its events
  std::vector<EventRecord> events;
  Frame frame;  ///< the end, without its residuals and work
};

/// Sees rows of runs as they are found: the start, those LaneStart::every apart, and the end. While
/// it does LaneRungeKutta::multiplier(), observable() and quantity() are of that row.
class RowObserver {
 public:
  virtual ~RowObserver() = default;
  virtual void row(int lane, double t) = 0;
};

/// AdaptiveRungeKutta for `width` systems of one model side by side, each with its own parameters,
/// step, end and tolerance: attempted step by attempted step all lanes go through the same
/// programs, and what a lane decides it decides by its own numbers. All sums are made in the order
/// of the method that takes one system: a lane gives the same bits as that, whatever is beside it.
///
/// What does not happen in the usual course of a run is not done here: where anything is not
/// finite, a mass or a constraint is near singular, a projection does not get there, the position
/// is one that SingularDodge would avoid, Automatic would change its method, energy is lost, or a
/// step is too small, the run is given back and is to be done in the usual way. Steps
/// that are watched, and those whose dense output is read, are looked at as in a run (LaneLook).
class LaneRungeKutta {
 public:
  /// `observer` may be null; else it outlives this.
  LaneRungeKutta(std::shared_ptr<const fused::MotionPrograms> programs, const LaneMethod& method,
                 RowObserver* observer = nullptr);

  [[nodiscard]] int free_lanes() const;
  /// There is a free lane: its number.
  int load(LaneStart start);
  /// One attempted step of all runs that are loaded; those that have ended go to `ended`.
  void step(std::vector<LaneEnd>& ended);

  /// Of the row that an observer sees.
  [[nodiscard]] double multiplier(int number, int lane) const { return lambda_[number][lane]; }
  [[nodiscard]] double observable(int number, int lane) {
    return row_.row(programs_->row.observables[static_cast<std::size_t>(number)])[lane];
  }

 private:
  enum class Stage : std::uint8_t { idle, loaded, runs };
  struct Lane {
    Stage stage = Stage::idle;
    LaneStart start;
    bool fails = false, unsettled = false;
    double t = 0.0, h = 0.0;  // h of the step that is tried
    bool last = false, repeated = false, finishing = false;
    double error = 0.0;
    // of rows: how many come behind the start, which one is next, and what is no distance in time
    std::int64_t rows = 0, next_row = 1;
    double resolution = 0.0;
    double shown = -std::numeric_limits<double>::infinity();  // time of the last row
    bool reads = false;                                       // the inside of this step
    bool dense = false;                                       // which has been prepared for it
    bool poor = false;                                        // and may be no motion
    bool begins = false;                                      // a step that was not tried before
    bool stopped = false;                                     // by an event
    std::unique_ptr<LaneLook> look;
    StepLengths lengths;
    std::int64_t steps = 0, rejected = 0, evaluations = 0, attempts = 0;
    // of Automatic
    int stiff_steps = 0, easy_steps = 0;
    std::int64_t next_try = 0;
    // of Quality
    double energy = 0.0, potential = 0.0, energy_change = 0.0, potential_change = 0.0;
    double kinetic_most = 0.0, energies_most = 0.0;
    // of Projection
    enum class Pull : std::uint8_t { none, position, velocity } pull = Pull::none;
    int pulls = 0;
    double first = 0.0, before = 0.0, expected = 0.0;
    Secants secants;
  };

  [[nodiscard]] Vec gathered(const Rows& rows, int lane) const;
  void load_program(LaneProgram& program, const fused::MotionPrograms::Inputs& inputs, int lane);
  void evaluate(Rows& q, Rows& v, const double* t, Rows& a);
  void begin();
  void settle(int lane);
  void find_first_step();
  [[nodiscard]] double first_square(int lane, const Vec& dq, const Vec& dv) const;
  void plan_steps();
  void take_stages();
  void stage_point(int i, const double* h, Rows& q, Rows& v);
  void estimate();
  [[nodiscard]] std::array<double, width> weighted_square(std::span<const double> e);
  void pull_onto_constraints(const double* t);
  void fill_constraints(const std::vector<int>& registers, const Rows& from);
  [[nodiscard]] bool pull_positions();
  [[nodiscard]] bool judge_position(int lane, double now);
  [[nodiscard]] bool at_rounding_level(int lane);
  void keep_jacobian(int lane, bool with_also);
  [[nodiscard]] bool pull_velocities();
  [[nodiscard]] bool judge_velocity(int lane, double now);
  void solve();
  void pass_row(const Rows& q, const Rows& v, const Rows& a, const double* t);
  void look_at_row(int lane, bool first);
  void finish_steps();
  [[nodiscard]] static double row_time(const Lane& lane, std::int64_t k);
  class Polynomial;
  void fill_knots(int lane);
  void look_at_steps();
  void check_closely(int lane);
  void find_events();
  void stop_at_events();
  void take_verdict(int lane, LaneLook::Verdict verdict);
  void read_inside();
  void prepare_dense();
  [[nodiscard]] bool make_dense(int lane);
  void go_inside();
  void check_dense(double place);
  [[nodiscard]] bool is_dense(int lane, double defect) const;
  void show_rows();
  void arrive(int lane);
  void accept(int lane);
  void judge_stiffness(int lane);
  void reap(std::vector<LaneEnd>& ended);
  [[nodiscard]] Frame frame_of(int lane);

  std::shared_ptr<const fused::MotionPrograms> programs_;
  LaneMethod method_;
  Index nq_, nc_;
  LaneProgram acceleration_, constraints_, solution_, row_;
  std::array<Lane, width> lanes_;

  Rows q_, v_;    // states
  Rows q1_, v1_;  // ends of the steps
  Rows q_stage_;  // of the stage evaluated last
  std::vector<Rows> kq_, kv_;
  Rows lambda_;         // of the last evaluation
  Rows t_;              // of a stage; ends of steps; lengths of steps
  Rows weights_;        // of the terms of a sum
  Rows fixed_weights_;  // the two estimates, which have no h
  Rows dq_, dv_, sum_;
  Rows health_, best_, least_, chosen_, rate_;
  Rows g_scale_;  // 1 / Row::scale
  Rows G_, g_t_;  // where a velocity is pulled
  Rows s_, now_, x_first_, speed_;
  std::vector<const double*> g_rows_;
  std::vector<Term> terms_;

  // the inside of a step: (5) of ExplicitTableau, and where it is read
  RowObserver* observer_;
  bool pulled_ = false;  // some lane, since it was set
  bool dense_ready_ = false;
  std::array<bool, width> dense_sound_{};  // all evaluations for it
  std::vector<Rows> rq_, rv_;
  Rows q_in_, v_in_, a_in_, lambda_end_, rate_q_, rate_v_, place_;
  std::vector<const double*> dense_;
};

}  // namespace taut::lanes
