// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/dense_decompositions.hpp"
#include "modes/drive_period.hpp"
#include "modes/periodic_case.hpp"
#include "taut/core/wording.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

/// Follows a branch; see periodic_branch(). Its unknowns are y, the coordinates of the start, or of
/// all nodes of a chain; T of a free motion; e of a family; and the parameter p:
///
///   x(T; y, p) - y + e E' = 0,    y normal to the rate,    E(y, p) = E0, or p                (1)
///
/// of several nodes each x_k(T/N) - x_k+1, and E of the first. The second equation is of free
/// motions, e and the third of those that keep E. What is kept makes one of the first equations
/// follow from the others: e takes its place, and is 0.
class BranchFollower {
 public:
  BranchFollower(MakePeriodicCase make, BranchOptions branch, const PeriodicCase& first, double tol)
      : make_{std::move(make)},
        branch_{std::move(branch)},
        free_{first.free},
        keeps_{first.keeps},
        limits_{first.limits},
        tol_{tol} {}

  /// p is E itself.
  void vary_energy() { by_energy_ = true; }

  void go(const PeriodicMotion& first, PeriodicBranch& found) {
    Point here{.p = branch_.first, .period = first.period, .nodes = first.nodes};
    energy_ = first.energy;
    turns_ = first.turns.size() > 0 ? first.turns : Vec{Vec::Zero(first.state.q.size())};
    Direction along{.p = branch_.last > branch_.first ? 1.0 : -1.0};
    if (!arrive(here, nullptr)) {
      if (ended(found)) return;
      stop(found, Status::iteration_limit,
           fmt::format("the branch does not begin at {} = {:.9g}{}", branch_.parameter, here.p,
                       said_of(here)));
      return;
    }
    size_ = here.chain.size;
    along = tangent(here, along);
    add(here, BranchPoint::Kind::plain, found);
    double step = branch_.step;
    while (static_cast<int>(found.points.size()) < branch_.most) {
      Point next = advanced(here, along, step);
      if (!arrive(next, &along) || turn(along, tangent(next, along)) < 0.9) {
        if (ended(found)) return;
        step /= 2;
        if (step > 1e-6) continue;
        stop(found, Status::step_too_small,
             fmt::format("the branch could not be followed beyond {} = {:.9g}{}", branch_.parameter,
                         here.p, said_of(next)));
        return;
      }
      const Direction now = tangent(next, along);
      look_between(here, along, step, next, now, found);
      LinearFlow flow = next.made.flow(tol_);
      if (const std::string why = why_doubtful(flow, next.chain, next.period); !why.empty()) {
        stop(found, Status::not_supported,
             fmt::format("at {} = {:.9g} {}", branch_.parameter, next.p, why));
        return;
      }
      if (outside(next.p)) {
        end_at(next, found);
        return;
      }
      here = next;
      along = now;
      add(here, BranchPoint::Kind::plain, found);
      if (next.iterations <= 4) step = std::min(branch_.longest, 1.4 * step);
      rescale(here, along);
    }
    stop(found, Status::step_limit,
         fmt::format("the branch has more than {} points", branch_.most));
  }

 private:
  struct Point {
    double p = 0.0, period = 0.0;
    std::vector<State> nodes = {};
    PeriodicCase made = {};
    ShotChain chain = {};
    Vec r_p = {};  // of the end by p
    Vec E_y = {};  // of a family
    double E = 0.0, E_p = 0.0;
    int iterations = 0;
  };
  /// A direction of the branch, of unit length in the scales of p, T and the motion.
  struct Direction {
    double p = 0.0, period = 0.0;
    Vec dq = {}, dv = {};
  };

  [[nodiscard]] double scale_of_p() const { return std::abs(branch_.last - branch_.first); }
  [[nodiscard]] bool outside(double p) const {
    return p < std::min(branch_.first, branch_.last) || p > std::max(branch_.first, branch_.last);
  }
  [[nodiscard]] Index unknowns(const Point& at) const {
    return at.chain.dimension() + (free_ ? 1 : 0) + (keeps_ ? 1 : 0) + 1;
  }

  static void stop(PeriodicBranch& found, Status status, std::string reason) {
    found.status = status;
    found.reason = std::move(reason);
    found.hint = worded(status == Status::step_limit
                            ? "follow it over a smaller range, or with longer steps"
                            : "end the range there, or take shorter steps: a larger N in A:B:N");
  }
  /// From outside, or because the time is over.
  [[nodiscard]] bool ended(PeriodicBranch& found) const {
    const Status reached = limits_->reached();
    if (reached == Status::ok) return false;
    const Failure why = failure_of(reached);
    found.status = why.status;
    found.reason = why.reason;
    found.hint = why.hint;
    return true;
  }
  [[nodiscard]] static std::string said_of(const Point& at) {
    return at.made.good() ? std::string{} : fmt::format(": {}", at.made.reason);
  }

  /// (y / size, T / period, e, p / range) of a direction at a point.
  [[nodiscard]] Vec scaled(const Point& at, const Direction& d) const {
    const Index n = at.chain.dimension();
    Vec z = Vec::Zero(unknowns(at));
    if (d.dq.size() > 0) z.head(n) = at.chain.coordinates(d.dq, d.dv);
    if (free_) z[n] = d.period;
    z[z.size() - 1] = d.p;
    return z;
  }

  [[nodiscard]] Direction unscaled(const Point& at, const Vec& z) const {
    const Index n = at.chain.dimension();
    return {.p = z[z.size() - 1],
            .period = free_ ? z[n] : 0.0,
            .dq = at.chain.dq(z.head(n)),
            .dv = at.chain.dv(z.head(n))};
  }

  static double turn(const Direction& a, const Direction& b) {
    if (a.dq.size() == 0 || b.dq.size() == 0) return 1.0;
    const double along = a.p * b.p + a.period * b.period + a.dq.dot(b.dq) + a.dv.dot(b.dv);
    const double size =
        std::sqrt((a.p * a.p + a.period * a.period + a.dq.squaredNorm() + a.dv.squaredNorm()) *
                  (b.p * b.p + b.period * b.period + b.dq.squaredNorm() + b.dv.squaredNorm()));
    return size > 0.0 ? along / size : 1.0;
  }

  /// Steps are measured by what the motion is large as now.
  void rescale(const Point& at, Direction& along) {
    const double ratio = at.chain.size / size_;
    if (ratio > 0.7 && ratio < 1.5) return;
    size_ = at.chain.size;
    along.dq /= ratio;
    along.dv /= ratio;
    const Vec z = scaled(at, along);
    along = unscaled(at, z.normalized());
  }

  [[nodiscard]] PeriodicCase case_at(double p) const {
    return by_energy_ ? make_(std::numeric_limits<double>::quiet_NaN()) : make_(p);
  }

  /// Shoots, and finds what the parameter changes of the end.
  bool shoot_at(Point& at) {
    at.made = case_at(at.p);
    if (!at.made.good()) return false;
    if (!free_) at.period = at.made.period;
    LinearFlow flow = at.made.flow(tol_);
    at.chain = shoot(flow, at.nodes, at.period, turns_);
    if (at.chain.status != Status::ok) return false;
    at.nodes = at.chain.nodes;
    at.r_p = Vec::Zero(at.chain.dimension());
    if (keeps_) {
      at.E = energy_of(at.made.system, at.nodes.front());
      at.E_y = Vec::Zero(at.chain.dimension());
      at.chain.part(at.E_y, 0) =
          energy_slope(at.made.system, at.chain.shots.front(), at.nodes.front());
      at.E_p = 0.0;
      if (!(at.E_y.norm() > 0.0)) return false;
    }
    if (by_energy_) return true;
    const double h = 1e-6 * (std::abs(at.p) + 1e-3 * scale_of_p());
    Vec ends[2];
    double energies[2];
    for (int side = 0; side < 2; ++side) {
      const PeriodicCase beside = make_(at.p + (side == 0 ? -h : h));
      if (!beside.good()) return false;
      LinearFlow there = beside.flow(tol_);
      const double period = free_ ? at.period : beside.period;
      ends[side].resize(at.chain.dimension());
      const auto parts = static_cast<double>(at.nodes.size());
      for (Index k = 0; k < at.chain.parts(); ++k) {
        const Index to = at.chain.next(k);
        State end = at.nodes[static_cast<std::size_t>(k)];
        end.t = at.nodes.front().t + period * static_cast<double>(k) / parts;
        LinearFlow::Columns none{Mat(end.q.size(), 0), Mat(end.q.size(), 0)};
        if (there(end, end.t + period / parts, none) != Status::ok) return false;
        Vec dq = end.q - at.nodes[static_cast<std::size_t>(to)].q;
        if (to == 0) dq -= turns_;
        at.chain.part(ends[side], to) = at.chain.shots[static_cast<std::size_t>(to)].coordinates(
            dq, end.v - at.nodes[static_cast<std::size_t>(to)].v);
      }
      energies[side] = keeps_ ? energy_of(beside.system, at.nodes.front()) : 0.0;
    }
    at.r_p = (ends[1] - ends[0]) / (2 * h);
    at.E_p = (energies[1] - energies[0]) / (2 * h);
    return true;
  }

  /// The energy that a motion of a family has is another than it should be, of what its size makes.
  [[nodiscard]] double energy_excess(const Point& at) const {
    return (at.E - (by_energy_ ? at.p : energy_)) / (at.E_y.norm() * size_);
  }

  /// The rows of (1) by its unknowns in their scales.
  [[nodiscard]] Mat jacobian(const Point& at) const {
    const Index n = at.chain.dimension(), columns = unknowns(at);
    Mat J = Mat::Zero(columns - 1, columns);
    J.topLeftCorner(n, n) = size_ * at.chain.jacobian();
    if (free_) {
      const Vec rates = at.chain.rates();
      J.col(n).head(n) = at.period * at.chain.end_rates();
      J.row(n).head(n) = rates.transpose() / rates.norm() * size_;
    }
    J.col(columns - 1).head(n) = scale_of_p() * at.r_p;
    if (keeps_) {
      const double scale = at.E_y.norm();
      J.col(n + 1).head(n) = size_ * at.E_y / scale;
      J.row(n + 1).head(n) = size_ * at.E_y.transpose() / scale;
      J(n + 1, columns - 1) = scale_of_p() * (by_energy_ ? -1.0 : at.E_p) / scale;
    }
    return J;
  }

  [[nodiscard]] Direction tangent(const Point& at, const Direction& before) const {
    const Mat J = jacobian(at);
    Mat square(J.cols(), J.cols());
    square.topRows(J.rows()) = J;
    square.bottomRows(1) = scaled(at, before).transpose();
    Vec z = solve_with_full_pivots(square, Vec::Unit(J.cols(), J.cols() - 1));
    z.normalize();
    return unscaled(at, z);
  }

  [[nodiscard]] Point advanced(const Point& from, const Direction& along, double step) const {
    Point to{.p = from.p + step * scale_of_p() * along.p,
             .period = from.period * (1 + step * along.period),
             .nodes = from.nodes};
    if (along.dq.size() == 0) return to;
    for (std::size_t k = 0; k < to.nodes.size(); ++k) {
      const Index nq = to.nodes[k].q.size(), at = static_cast<Index>(k) * nq;
      to.nodes[k].q += step * size_ * along.dq.segment(at, nq);
      to.nodes[k].v += step * size_ * along.dv.segment(at, nq);
    }
    return to;
  }

  /// Newton's method onto the branch, normal to `along`; at fixed p where there is none.
  bool arrive(Point& at, const Direction* along) {
    constexpr int most = 12;
    at.made = case_at(at.p);
    if (!at.made.good()) return false;
    const double period = free_ ? at.period : at.made.period;
    for (std::size_t k = 0; k < at.nodes.size(); ++k) {
      State& node = at.nodes[k];
      node.t = at.nodes.front().t +
               period * static_cast<double>(k) / static_cast<double>(at.nodes.size());
      Start start = consistent_start(at.made.system, node);
      if (start.status != Status::ok) return false;
      node = std::move(start.state);
    }
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most; ++k) {
      if (!shoot_at(at)) return false;
      at.iterations = k;
      if (size_ == 0.0) size_ = at.chain.size;
      double now = at.chain.gap() / at.chain.size;
      if (keeps_) now = std::max(now, std::abs(energy_excess(at)));
      // closed, and a step more did not close it better
      if (now <= 1e-12 || (now <= 1e-9 && before <= 1e-9)) return true;
      if (k > 2 && !(now <= 10 * before)) return false;
      before = now;
      const Mat J = jacobian(at);
      Mat square(J.cols(), J.cols());
      square.topRows(J.rows()) = J;
      const Vec across = along ? scaled(at, *along) : Vec{Vec::Unit(J.cols(), J.cols() - 1)};
      square.bottomRows(1) = across.transpose();
      const Index n = at.chain.dimension();
      Vec right = Vec::Zero(J.cols());
      right.head(n) = -at.chain.residual();
      if (keeps_) right[n + 1] = -size_ * energy_excess(at);
      const Vec z = solve_with_full_pivots(square, right);
      if (!z.allFinite() || z.norm() > 1.0) return false;
      at.p += scale_of_p() * z[z.size() - 1];
      if (free_) at.period *= 1 + z[n];
      const PeriodicCase made = case_at(at.p);
      if (!made.good()) return false;
      const LinearFlow flow = made.flow(tol_);
      if (move(flow, at.chain, size_ * z.head(n), at.nodes) != Status::ok) return false;
    }
    return false;
  }

  /// The last point, at the end of the range, from one beyond it.
  void end_at(const Point& beyond, PeriodicBranch& found) {
    const double low = std::min(branch_.first, branch_.last);
    Point end{.p = beyond.p < low ? low : std::max(branch_.first, branch_.last),
              .period = beyond.period,
              .nodes = beyond.nodes};
    if (arrive(end, nullptr)) add(end, BranchPoint::Kind::plain, found);
  }

  /// A fold, or a change of stability, between two neighbours.
  void look_between(const Point& a, const Direction& at_a, double step, const Point& b,
                    const Direction& at_b, PeriodicBranch& found) {
    if (at_a.dq.size() > 0 && at_a.p * at_b.p < 0.0) {
      // the secant on the part of p
      double x0 = 0.0, x1 = step, f0 = at_a.p, f1 = at_b.p;
      Point best = std::abs(f0) < std::abs(f1) ? a : b;
      double least = std::min(std::abs(f0), std::abs(f1));
      for (int k = 0; k < 30 && least > 1e-9; ++k) {
        const double x = k % 3 == 2 ? (x0 + x1) / 2 : x0 + (x1 - x0) * f0 / (f0 - f1);
        Point middle = advanced(a, at_a, x);
        if (!arrive(middle, &at_a)) break;
        const double f = tangent(middle, at_a).p;
        if (std::abs(f) < least) {
          least = std::abs(f);
          best = middle;
        }
        (f * f0 > 0.0 ? x0 : x1) = x;
        (f * f0 > 0.0 ? f0 : f1) = f;
      }
      if (!outside(best.p)) add(best, BranchPoint::Kind::fold, found);
      return;
    }
    const int before = motion_of(a).growing(), after = motion_of(b).growing();
    if (before == after) return;
    double x0 = 0.0, x1 = step;
    Point best = b;
    for (int k = 0; k < 40 && x1 - x0 > 1e-12 * step; ++k) {
      const double x = (x0 + x1) / 2;
      Point middle = advanced(a, at_a, x);
      if (!arrive(middle, &at_a)) break;
      best = middle;
      (motion_of(middle).growing() == before ? x0 : x1) = x;
    }
    if (!outside(best.p)) add(best, kind_of(motion_of(best)), found);
  }

  /// By the multiplier that is nearest to the unit circle, trivial ones left out.
  [[nodiscard]] static BranchPoint::Kind kind_of(const PeriodicMotion& motion) {
    const auto first = motion.multipliers.begin() + motion.trivial;
    if (first == motion.multipliers.end()) return BranchPoint::Kind::branch;
    const auto nearest =
        std::min_element(first, motion.multipliers.end(), [](const auto& x, const auto& y) {
          return std::abs(std::abs(x) - 1.0) < std::abs(std::abs(y) - 1.0);
        });
    if (std::abs(nearest->imag()) > 1e-3) return BranchPoint::Kind::torus;
    return nearest->real() < 0.0 ? BranchPoint::Kind::flip : BranchPoint::Kind::branch;
  }

  [[nodiscard]] PeriodicMotion motion_of(const Point& at) const {
    PeriodicMotion motion;
    describe(at.made, at.chain, at.period, motion);
    if (!turns_.isZero(0.0)) motion.turns = turns_;
    motion.iterations = at.iterations;
    return motion;
  }

  void add(const Point& at, BranchPoint::Kind kind, PeriodicBranch& found) const {
    found.points.push_back({.kind = kind, .parameter = at.p, .motion = motion_of(at)});
  }

  MakePeriodicCase make_;
  BranchOptions branch_;
  bool free_, keeps_, by_energy_ = false;
  std::shared_ptr<const SearchLimits> limits_;
  double tol_;
  double size_ = 0.0;    // by which steps are measured
  Vec turns_;            // of the first motion
  double energy_ = 0.0;  // of a family that is followed over another parameter
};

void stop_at(const PeriodicMotion& first, PeriodicBranch& found) {
  found.status = first.status;
  found.reason = first.reason;
  found.hint = first.hint;
}

}  // namespace

BranchOptions BranchOptions::over(std::string parameter, double first, double last, int parts) {
  BranchOptions branch{.parameter = std::move(parameter), .first = first, .last = last};
  if (parts > 0) {
    branch.longest = 1.0 / parts;
    branch.step = std::min(branch.step, branch.longest);
    branch.most = std::max(branch.most, 20 * parts);
  }
  return branch;
}

std::string_view name(BranchPoint::Kind kind) {
  switch (kind) {
    case BranchPoint::Kind::plain:
      return "plain";
    case BranchPoint::Kind::fold:
      return "fold";
    case BranchPoint::Kind::flip:
      return "flip";
    case BranchPoint::Kind::torus:
      return "torus";
    case BranchPoint::Kind::branch:
      break;
  }
  return "branch";
}

PeriodicBranch periodic_branch(const Model& model, const SimulationOptions& options,
                               const PeriodicOptions& periodic, const BranchOptions& branch,
                               Problems& problems) {
  PeriodicBranch found{.parameter = branch.parameter};
  const PreparedModel prepared = prepared_for_periods(model, options, problems);
  if (!problems.empty()) return found;
  found.model = prepared.model.name;
  found.reading = prepared.reading.name();
  const std::string where = "<<vary>> " + branch.parameter;
  const bool known = prepared.compiled.parameter_index(branch.parameter) >= 0;
  const bool by_energy = !known && branch.parameter == "energy";
  if (!known && !by_energy) {
    const auto names = prepared.compiled.parameter_names();
    const std::string near = nearest_name(branch.parameter, {names.begin(), names.end()});
    problems.add({}, where, "there is no parameter of this name",
                 near.empty() ? "vary one of [parameters], or the energy of a free motion"
                              : fmt::format("did you mean '{}'?", near));
  }
  if (!(std::isfinite(branch.first) && std::isfinite(branch.last)) || branch.first == branch.last)
    problems.add({}, where, "there is nothing between the first and the last value",
                 "give two numbers that differ");
  if (!problems.empty()) return found;
  const auto limits = std::make_shared<const SearchLimits>(options.max_seconds, options.cancel);
  const MakePeriodicCase make = [&](double parameter) {
    Problems here;
    const PreparedModel with =
        by_energy ? prepared : with_values(prepared, {{branch.parameter, parameter}}, here);
    PeriodicCase made;
    if (here.empty()) made = periodic_case(with, options, periodic, limits, here);
    if (!here.empty()) {
      const std::vector<Problem> all = here.sorted();
      made.status = Status::invalid_argument;
      made.reason = fmt::format("{}: {}", all.front().where, all.front().what);
      made.hint = all.front().remedy;
    }
    return made;
  };
  const PeriodicCase first =
      by_energy ? periodic_case(prepared, options, periodic, limits, problems) : make(branch.first);
  if (problems.empty() && by_energy && first.good() && !first.keeps)
    problems.add({}, where, "the model does not keep its energy: its motions are no family",
                 "vary one of [parameters]");
  if (!problems.empty()) return found;
  found.free = first.free;
  PeriodicMotion motion = find_periodic(first, periodic);
  if (motion.status != Status::ok) {
    stop_at(motion, found);
    return found;
  }
  // a family is entered where the guess is, and followed to where the branch begins
  if (by_energy && motion.energy != branch.first) {
    BranchOptions way = branch;
    way.first = motion.energy;
    way.last = branch.first;
    PeriodicBranch to{.parameter = branch.parameter};
    BranchFollower follower{make, way, first, periodic.tol};
    follower.vary_energy();
    follower.go(motion, to);
    if (to.status != Status::ok) {
      found.status = to.status;
      found.reason = to.reason;
      found.hint = to.hint;
      return found;
    }
    motion = to.points.back().motion;
  }
  BranchFollower follower{make, branch, first, periodic.tol};
  if (by_energy) follower.vary_energy();
  follower.go(motion, found);
  return found;
}

PeriodicBranch periodic_branch(const Model& model, const SimulationOptions& options,
                               const PeriodicOptions& periodic, const BranchOptions& branch) {
  Problems problems{model.file};
  PeriodicBranch found = periodic_branch(model, options, periodic, branch, problems);
  problems.throw_if_any();
  return found;
}

}  // namespace taut
