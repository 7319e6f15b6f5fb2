// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/motion_tape.hpp"

#include <algorithm>
#include <utility>

namespace taut {

Status MotionTape::run(std::size_t number, State& state, double until, const See& see) {
  const Part& part = parts_[number];
  std::size_t stop = 0;
  while (state.t < until) {
    while (stop < part.stops.size() && part.stops[stop] <= state.t) ++stop;
    const double to =
        stop < part.stops.size() ? std::min(part.until, part.stops[stop]) : part.until;
    MotionPiece piece{.t0 = state.t, .t1 = state.t, .part = number, .inside = {}};
    if (const Status status = recorder_.advance(to, state, piece.inside); status != Status::ok)
      return status;
    piece.t1 = state.t;
    if (most_ == 0) {
      const double bytes = 8.0 * static_cast<double>(piece.inside.size()) + sizeof(MotionPiece);
      most_ = static_cast<std::size_t>(std::max(4.0, memory_ / 2 / bytes));
      stride_ = std::max<std::size_t>(1, most_ / 2);
    }
    if (const Status status = see(piece, state); status != Status::ok) return status;
    pieces_.push_back(std::move(piece));
  }
  return Status::ok;
}

Status MotionTape::record(Part part, State& end, const See& see) {
  parts_.push_back(std::move(part));
  const std::size_t number = parts_.size() - 1;
  end = parts_[number].from;
  if (const Status status = recorder_.start(end, parts_[number].modes); status != Status::ok)
    return status;
  if (checkpoints_.empty()) mark(end, number, true);
  const auto keep = [&](const MotionPiece& piece, const State& state) {
    ++steps_;
    const Status status = see(piece, state);
    if (status != Status::ok) return status;
    while (pieces_.size() + 1 > most_) pieces_.pop_front();
    if (++since_ >= stride_) mark(state, number, false);
    return Status::ok;
  };
  return run(number, end, parts_[number].until, keep);
}

void MotionTape::mark(const State& state, std::size_t part, bool begins) {
  Checkpoint& here = checkpoints_.emplace_back();
  here.state = state;
  here.part = part;
  since_ = 0;
  if (!begins) {
    Archive archive = Archive::writer();
    recorder_.archive(archive);
    here.method = archive.bytes();
  }
  const double bytes = 16.0 * static_cast<double>(state.q.size()) +
                       static_cast<double>(sizeof(Checkpoint) + here.method.size());
  const auto most = static_cast<std::size_t>(std::max(8.0, memory_ / 2 / bytes));
  if (checkpoints_.size() <= most) return;
  std::vector<Checkpoint> kept;
  for (std::size_t i = 0; i < checkpoints_.size(); i += 2)
    kept.push_back(std::move(checkpoints_[i]));
  checkpoints_ = std::move(kept);
  stride_ *= 2;
}

// Pieces from the last checkpoint before those that are there.
Status MotionTape::load(double t) {
  const double behind = pieces_.empty() ? parts_.back().until : pieces_.front().t0;
  const std::size_t last = pieces_.empty() ? parts_.size() - 1 : pieces_.front().part;
  while (checkpoints_.size() > 1 && !(checkpoints_.back().state.t < behind))
    checkpoints_.pop_back();
  const Checkpoint& from = checkpoints_.back();
  if (!(from.state.t < behind)) return Status::invalid_argument;
  std::deque<MotionPiece> later = std::move(pieces_);
  pieces_.clear();
  State state = from.state;
  const auto keep = [&](const MotionPiece&, const State&) {
    ++repeated_;
    while (pieces_.size() + 1 > most_ && pieces_.front().t1 < t) pieces_.pop_front();
    return Status::ok;
  };
  for (std::size_t part = from.part; part <= last && state.t < behind; ++part) {
    if (part > from.part) state = parts_[part].from;
    if (const Status status = recorder_.start(state, parts_[part].modes); status != Status::ok)
      return status;
    if (part == from.part && !from.method.empty()) {
      Archive archive = Archive::reader(from.method);
      recorder_.archive(archive);
    }
    if (const Status status = run(part, state, std::min(behind, parts_[part].until), keep);
        status != Status::ok)
      return status;
  }
  for (MotionPiece& piece : later) pieces_.push_back(std::move(piece));
  return Status::ok;
}

Status MotionTape::find(double t, std::size_t part, const MotionPiece*& piece) {
  const double from = std::max(t, parts_[part].from.t);
  while (pieces_.empty() || pieces_.front().part > part ||
         (pieces_.front().part == part && pieces_.front().t0 > from))
    if (const Status status = load(from); status != Status::ok) return status;
  const auto behind = std::upper_bound(
      pieces_.begin(), pieces_.end(), std::pair{part, from}, [](const auto& at, const auto& one) {
        return at.first < one.part || (at.first == one.part && at.second < one.t0);
      });
  piece = &*(behind == pieces_.begin() ? behind : behind - 1);
  return Status::ok;
}

Status MotionTape::before(double t, const MotionPiece*& piece) {
  release(t);
  if (pieces_.empty() || pieces_.back().t0 >= t) {
    if (const Status status = load(t); status != Status::ok) return status;
    release(t);
  }
  piece = &pieces_.back();
  return Status::ok;
}

void MotionTape::release(double t) {
  while (pieces_.size() > 1 && pieces_.back().t0 >= t) pieces_.pop_back();
}

}  // namespace taut
