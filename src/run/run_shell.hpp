// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/archive_list.hpp"
#include "core/notes.hpp"
#include "run/complete_columns.hpp"
#include "run/pace.hpp"
#include "run/recorder.hpp"
#include "taut/core/wording.hpp"
#include "taut/run/run_options.hpp"
#include "taut/run/summary_core.hpp"

namespace taut {

/// The shell of a run, over time or along a curve: clock, limits, cancelling, progress,
/// checkpoints, rows and notes. What moves inside it is a stepper, a class Self that derives from
/// RunShell<Self, Options, Motion>:
///
///   begin(start)    check, plan, prepare, then the first row; or what was stored is read
///   advance()       cancelled? limits? clock? - take_step, after_step
///   run()           advance() until finished
///   finish(status)  last checkpoint, row of the end, message: the summary
///
/// A run can be held between steps: nothing but advance() moves it, and what store() has written
/// restore() brings back to the same bits. Self says
///
///   plan(start)           sizes the motion and the recorder (plan_rows); state at the start
///   refusal(start)        why there can be no run; empty where there can
///   prepare()             what the first step and a stored run need
///   first()               the row of the start
///   finished(), place()   whether the end is reached; the present place, t or s
///   take_step()           one accepted step; it counts n_
///   after_step()          what happened inside the step, its rows, and what follows
///   record_present(), pass_present()   the end of the step as a row, or for the extremes only
///   progress()            t and fraction
///   resumable(), start_stepper(), archive_stepper(), archive_run()
///   judged(status)        the status as a user is told it
///   explain(status, summary)   message and hint
///   end_row()             where nothing could be measured: nothing
///
/// No call of it is virtual: a step costs no more than in a loop written for it. Nothing is
/// allocated in steps without rows.
template <class Self, class Options, class Motion>
class RunShell {
 public:
  RunShell(const RunShell&) = delete;
  RunShell& operator=(const RunShell&) = delete;

  /// The whole run: its summary.
  template <class Start>
  [[nodiscard]] auto operator()(const Start& start) {
    Status status = begin(start);
    if (status == Status::ok) status = run();
    return self().finish(status);
  }

  template <class Start>
  [[nodiscard]] Status begin(const Start& start) {
    refused_ = self().refusal(start);
    self().plan(start);
    if (!refused_.empty()) return Status::invalid_argument;
    if (const Status status = self().prepare(); status != Status::ok) return status;
    if (!options_.checkpoint.resume) return self().first();
    if (!self().resumable()) {
      notes_.push_back(note<notes::not_resumable>());
      return self().first();
    }
    Archive stored = *options_.checkpoint.resume;
    try {
      const Status status = restore(stored);
      if (status == Status::ok) notes_.push_back(note<notes::resumed>(n_));
      return status;
    } catch (const std::runtime_error& error) {  // untrusted input
      throw std::runtime_error{options_.checkpoint.file + " is damaged: " + error.what() +
                               worded("; leave out <<resume>> to start over")};
    }
  }

  [[nodiscard]] Status advance() {
    if (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed))
      return Status::cancelled;
    if (options_.max_steps > 0 && n_ >= options_.max_steps) return Status::step_limit;
    if (const Status status = look_at_clock(); status != Status::ok) return status;
    if (const Status status = self().take_step(); status != Status::ok) return status;
    return self().after_step();
  }

  [[nodiscard]] Status run() {
    while (!self().finished())
      if (const Status status = advance(); status != Status::ok) return status;
    return Status::ok;
  }

  /// Accepted steps so far.
  [[nodiscard]] std::int64_t steps() const { return n_; }
  /// Wall time so far.
  [[nodiscard]] double seconds() const { return seconds_before_ + pace_.seconds(); }

  /// Everything that the run needs to go on from here to the same bits, of a method that is
  /// resumable.
  void store(Archive& out) {
    archive(out);
    self().archive_stepper(out);
  }

  /// What store() has written for a run that began with the same arguments. Throws what reading an
  /// archive throws.
  [[nodiscard]] Status restore(Archive& stored) {
    archive(stored);
    if (const Status status = self().start_stepper(); status != Status::ok) return status;
    self().archive_stepper(stored);
    n_saved_ = n_;
    return Status::ok;
  }

 protected:
  RunShell(const Options& options, Motion& motion) : options_{options}, motion_{motion} {}
  ~RunShell() = default;

  /// Rows at `count` given places, or of the steps of a run that will have `count` (0: not known).
  /// How many there will be at the most, as far as that is known.
  std::int64_t plan_rows(bool given, std::int64_t count, std::int64_t columns) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4;
    const std::int64_t allowed = std::clamp(options_.max_values / columns, std::int64_t{2},
                                            std::max(options_.max_rows, std::int64_t{2}));
    const bool every_step = options_.rows != Rows::thinned;
    given_rows_ = given;
    last_row_ = -std::numeric_limits<double>::infinity();
    if (!given) recorder_ = Recorder{every_step ? most : allowed, count};
    if (options_.rows == Rows::none) return 0;
    if (given) return count + 2;
    return (every_step ? std::max(allowed, std::min(count, 100 * allowed)) : allowed) + 2;
  }

  /// A row is found: it is kept, if rows are, and shown.
  template <class Frame>
  void add_row(double place, const Frame& frame) {
    keep_row(place, frame);
    for (const auto& observer : options_.observers) observer(frame);
  }
  template <class Frame>
  void keep_row(double place, const Frame& frame) {
    last_row_ = place;
    if (options_.rows != Rows::none) motion_.append(frame);
  }

  /// The end of a step: a row, or it leaves its extremes.
  [[nodiscard]] Status keep_step() {
    if (given_rows_ || !recorder_.wants(n_)) {
      self().pass_present();
      return Status::ok;
    }
    if (const Status status = self().record_present(); status != Status::ok) return status;
    recorder_.appended(motion_);
    return Status::ok;
  }

  /// What all summaries say. The row of the end may turn a good end into a failure.
  void close(Status status, SummaryCore& summary) {
    if (may_continue(status) && !options_.checkpoint.file.empty()) save();
    status = self().judged(status);
    self().explain(status, summary);
    const Status row = self().end_row();
    if (status == Status::ok && row != Status::ok) self().explain(status = row, summary);
    motion_.extremes.close(motion_.width());
    summary.status = status;
  }
  void close_notes(SummaryCore& summary) {
    summary.notes = std::move(notes_);
    summary.wall_seconds = seconds();
  }
  void note_thinned(bool along_curve) {
    if (!given_rows_ && recorder_.stride() > 1)
      notes_.push_back(note<notes::rows_thinned>(recorder_.stride(), along_curve));
  }
  void note_dropped(bool along_curve) {
    if (dropped_ > 0) notes_.push_back(note<notes::events_dropped>(dropped_, along_curve));
  }

  const Options& options_;
  Motion& motion_;
  bool given_rows_ = false;   // at given places, not at steps
  double resolution_ = 0.0;   // places closer than this are the same
  std::int64_t n_ = 0;        // accepted steps
  std::int64_t dropped_ = 0;  // events that were not kept
  double last_row_ = -std::numeric_limits<double>::infinity();
  Recorder recorder_;
  std::vector<Note> notes_;
  std::string refused_;  // why the arguments cannot be meant

 private:
  [[nodiscard]] Self& self() { return static_cast<Self&>(*this); }

  [[nodiscard]] Status look_at_clock() {
    const CheckpointOptions& checkpoint = options_.checkpoint;
    if (!checkpoint.file.empty() && checkpoint.seconds <= 0.0) save();
    if (!pace_.due()) return Status::ok;
    const double now = pace_.seconds();
    if (options_.max_seconds > 0.0 && now >= options_.max_seconds) return Status::time_limit;
    if (options_.progress && now - last_progress_ >= 0.1) {
      last_progress_ = now;
      Progress progress = self().progress();
      progress.steps = n_;
      progress.wall_seconds = now + seconds_before_;
      options_.progress(progress);
    }
    // writing many rows may be slow: at most a twentieth of the time goes there
    if (!checkpoint.file.empty() &&
        now - last_save_ >= std::max(checkpoint.seconds, 20 * save_cost_))
      save();
    return Status::ok;
  }

  void save() {
    if (n_ == n_saved_ || !self().resumable()) return;
    const double begin = pace_.seconds();
    Archive out = checkpoint_archive(options_.checkpoint.identity);
    store(out);
    const std::string problem = write_checkpoint(options_.checkpoint.file, out);
    if (!problem.empty() && !std::exchange(save_failed_, true))
      notes_.push_back(note<notes::no_checkpoint>(problem));
    n_saved_ = n_;
    last_save_ = pace_.seconds();
    save_cost_ = last_save_ - begin;
  }

  void archive(Archive& archive) {
    archive.tag("run");
    double so_far = seconds();
    archive_count(archive, n_);
    archive(last_row_, so_far, recorder_, motion_);
    archive_count(archive, dropped_);
    if (archive.loading()) {
      seconds_before_ = so_far - pace_.seconds();
      require_sense(
          complete(motion_) && complete(motion_.extremes, motion_.rows() + 1, motion_.width()),
          "rows in it");
    }
    self().archive_run(archive);
  }

  Pace pace_;
  double seconds_before_ = 0.0;  // wall time of the run before it was resumed
  double last_progress_ = 0.0, last_save_ = 0.0, save_cost_ = 0.0;
  std::int64_t n_saved_ = -1;
  bool save_failed_ = false;
};

}  // namespace taut
