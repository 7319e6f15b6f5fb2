// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/lyapunov.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "modes/linear_flow.hpp"
#include "modes/linear_point.hpp"
#include "modes/manifold_basis.hpp"
#include "modes/periodic_case.hpp"
#include "run/add_outputs.hpp"
#include "taut/core/wording.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The coordinates of (1) at a state on the constraints.
struct Tangents {
  Status status = Status::ok;
  Mat Z, Zv, PZ;
  Sparse M;

  Tangents(const System& system, const State& state) {
    Accelerations accelerations;
    Vec a(system.nq()), lambda(system.nc());
    status = accelerations.start(system);
    if (status == Status::ok) status = accelerations(system, state.t, state.q, state.v, a, lambda);
    if (status != Status::ok) return;
    const LinearTerms terms = linear_terms(system, state, a, lambda);
    status = terms.status;
    if (status != Status::ok) return;
    const ManifoldBasis basis{system, terms};
    status = basis.status();
    if (status != Status::ok) return;
    Z = basis.Z();
    Zv = basis.Zv();
    PZ = basis.velocities_of_places();
    M = terms.M;
  }
  [[nodiscard]] Index dimension() const { return Z.cols() + Zv.cols(); }
  [[nodiscard]] Mat coordinates(const LinearFlow::Columns& columns) const {
    Mat y(dimension(), columns.dq.cols());
    y.topRows(Z.cols()) = Z.transpose() * (M * columns.dq);
    y.bottomRows(Zv.cols()) = Zv.transpose() * (M * columns.dv);
    return y;
  }
  [[nodiscard]] LinearFlow::Columns columns(const Mat& y) const {
    const Mat places = y.topRows(Z.cols());
    return {.dq = Z * places, .dv = PZ * places + Zv * y.bottomRows(Zv.cols())};
  }
};

/// Directions that are as good as any, the same each time.
Mat first_directions(Index dimension, Index count) {
  Mat y(dimension, count);
  for (Index k = 0; k < count; ++k)
    for (Index i = 0; i < dimension; ++i)
      y(i, k) = std::cos(1.0 + 2.4 * static_cast<double>(i) + 1.7 * static_cast<double>(i * k + k));
  return Eigen::HouseholderQR<Mat>{y}.householderQ() * Mat::Identity(dimension, count);
}

class Growth {
 public:
  Growth(LinearFlow& flow, const State& start, double until, Index count, LyapunovExponents& found)
      : flow_{flow}, state_{start}, until_{until}, from_{start.t}, count_{count}, found_{found} {}

  void run() {
    Tangents here{flow_.system(), state_};
    if (stop(here.status)) return;
    found_.dimension = here.dimension();
    count_ = count_ == 0 ? found_.dimension : std::min(count_, found_.dimension);
    if (count_ == 0) return;
    y_ = first_directions(found_.dimension, count_);
    sum_ = Vec::Zero(count_);
    counted_from_ = from_ + 0.1 * (until_ - from_);
    double length = (until_ - from_) / 1000;
    const double shortest = 1e-9 * (until_ - from_);
    while (state_.t < until_ && !over_) {
      const double before = state_.t;
      // the part that does not count ends between two pieces
      const double bound = before < counted_from_ ? counted_from_ : until_;
      const bool last = before + 1.01 * length >= bound;
      const double end = last ? bound : before + length;
      double spread = 0.0;
      if (!piece(here, end, spread)) {
        // too long to keep its directions apart
        length = (end - before) / 2;
        if (!(length > shortest)) stop(Status::step_too_small);
        continue;
      }
      constexpr double little = 8.0;
      if (spread < little) length = std::min(1.5 * length, (until_ - from_) / 200);
      if (state_.t > counted_from_) keep();
    }
    finish();
  }

 private:
  /// One piece: false where the directions have grown so differently that it has to be shorter.
  [[nodiscard]] bool piece(Tangents& here, double end, double& spread) {
    State there = state_;
    LinearFlow::Columns columns = here.columns(y_);
    if (stop(flow_(there, end, columns))) return true;
    end_ = there;
    there.q.tail(flow_.system().structure().nz).setZero();
    const Start start = consistent_start(flow_.system(), there);
    if (stop(start.status)) return true;
    Tangents next{flow_.system(), start.state};
    if (stop(next.status)) return true;
    const Mat y = next.coordinates(columns);
    const Eigen::HouseholderQR<Mat> qr{y};
    const Vec growth = qr.matrixQR().diagonal().cwiseAbs();
    constexpr double most = 1e3;
    spread = std::max({growth.maxCoeff(), 1.0}) / std::min(growth.minCoeff(), 1.0);
    if (!(spread <= most)) return false;
    if (!follows(here, y, next, end)) {
      refuse(
          "small changes do not go on as the derivative of the motion says: it passes a switch "
          "at which a force jumps (friction, an impact), of which no exponents are known",
          "make the switch smooth, such as tanh(v/0.01) in the place of sign(v)");
      return true;
    }
    if (end > counted_from_) sum_ += growth.array().log().matrix();
    y_ = qr.householderQ() * Mat::Identity(y.rows(), y.cols());
    state_ = start.state;
    here = std::move(next);
    return true;
  }

  /// Whether motions beside this one go where its first direction says, as far as the errors of the
  /// flow let it be seen.
  [[nodiscard]] bool follows(const Tangents& here, const Mat& y, const Tangents& next, double end) {
    const LinearFlow::Columns way = here.columns(y_.leftCols(1));
    const double longest = std::max(way.dq.cwiseAbs().maxCoeff(), way.dv.cwiseAbs().maxCoeff());
    const double size =
        std::max({1e-3, state_.q.cwiseAbs().maxCoeff(), state_.v.cwiseAbs().maxCoeff()});
    const double said = std::max(y.col(0).norm(), 1e-2);
    const LinearFlow::Columns none{Mat(state_.q.size(), 0), Mat(state_.q.size(), 0)};
    const auto arrives = [&](State& from) {
      LinearFlow::Columns columns = none;
      return flow_(from, end, columns) == Status::ok;
    };
    // the same motion by steps of another size
    State again = state_;
    if (!arrives(again)) return false;
    const auto difference = [&](const State& a, const State& b) {
      return Vec{next.coordinates({.dq = a.q - b.q, .dv = a.v - b.v})};
    };
    const double noise = difference(again, end_).norm();
    bool seen = false;
    for (const double part : {1e-6, 1e-5, 1e-4}) {
      const double h = part * size / longest / std::max(1.0, said);
      constexpr double close = 1e-2;
      if (noise > close * h * said) continue;
      State sides[2];
      bool arrived = true;
      for (int side = 0; side < 2 && arrived; ++side) {
        const double sign = side == 0 ? -h : h;
        sides[side] = state_;
        sides[side].q += sign * way.dq.col(0);
        sides[side].v += sign * way.dv.col(0);
        const Start start = consistent_start(flow_.system(), sides[side]);
        arrived = start.status == Status::ok;
        if (arrived) sides[side] = start.state;
        arrived = arrived && arrives(sides[side]);
      }
      if (!arrived) continue;
      seen = true;
      const Vec found = difference(sides[1], sides[0]) / (2 * h);
      if ((found - y.col(0)).norm() <= close * said) return true;
    }
    return !seen;
  }

  void keep() {
    times_.push_back(state_.t);
    sums_.push_back(sum_);
  }

  bool stop(Status status) {
    if (status == Status::ok) return over_;
    const Failure why = failure_of(status);
    found_.status = status;
    found_.reason = fmt::format("exponents end at t = {:.6g}: {}", state_.t, why.reason);
    found_.hint = why.hint;
    over_ = true;
    return true;
  }
  void refuse(const char* reason, const char* hint) {
    found_.status = Status::not_supported;
    found_.reason = fmt::format("exponents end at t = {:.6g}: {}", state_.t, reason);
    found_.hint = worded(hint);
    over_ = true;
  }

  [[nodiscard]] Vec sum_at(double t) const {
    if (t <= counted_from_) return Vec::Zero(count_);
    const auto above = std::lower_bound(times_.begin(), times_.end(), t);
    if (above == times_.end()) return sums_.back();
    const auto k = static_cast<std::size_t>(above - times_.begin());
    const double before = k > 0 ? times_[k - 1] : counted_from_;
    const Vec first = k > 0 ? sums_[k - 1] : Vec::Zero(count_);
    return first + (t - before) / (times_[k] - before) * (sums_[k] - first);
  }

  /// The largest first; of exponents that come out in another order directions had not settled.
  void finish() {
    if (times_.empty()) return;
    const double length = times_.back() - counted_from_;
    std::vector<Index> order(static_cast<std::size_t>(count_));
    for (Index k = 0; k < count_; ++k) order[static_cast<std::size_t>(k)] = k;
    const Vec last = sums_.back();
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return last[a] > last[b]; });
    constexpr int parts = 10;
    for (const Index k : order) {
      found_.exponents.push_back(last[k] / length);
      double square = 0.0;
      for (int p = 0; p < parts; ++p) {
        const double a = counted_from_ + length * p / parts, b = a + length / parts;
        const double rate = (sum_at(b)[k] - sum_at(a)[k]) / (b - a);
        square += (rate - last[k] / length) * (rate - last[k] / length);
      }
      found_.errors.push_back(std::sqrt(square / (parts * (parts - 1))));
    }
    found_.times = times_;
    found_.history.resize(static_cast<Index>(times_.size()), count_);
    for (std::size_t r = 0; r < times_.size(); ++r)
      for (Index k = 0; k < count_; ++k)
        found_.history(static_cast<Index>(r), k) =
            sums_[r][order[static_cast<std::size_t>(k)]] / (times_[r] - counted_from_);
    const std::vector<double>& all = found_.exponents;
    double sum = 0.0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (sum + all[k] < 0.0) {
        found_.kaplan_yorke = static_cast<double>(k) + sum / std::abs(all[k]);
        break;
      }
      sum += all[k];
    }
    if (count_ < found_.dimension) return;
    found_.sum = 0.0;
    for (const double one : all) found_.sum += one;
    if (std::isnan(found_.kaplan_yorke)) found_.kaplan_yorke = static_cast<double>(all.size());
  }

  LinearFlow& flow_;
  State state_, end_;  // where it is, and where the last piece arrived
  double until_, from_, counted_from_ = 0.0;
  Index count_;
  LyapunovExponents& found_;
  Mat y_;
  Vec sum_;
  std::vector<double> times_;
  std::vector<Vec> sums_;
  bool over_ = false;
};

void check(const Plan& plan, int count, Problems& problems) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    problems.add({}, "<<lyapunov>>", what, remedy);
  };
  if (count < 0) refuse("is less than 1", "give how many exponents there should be");
  if (plan.curve) {
    refuse("only mechanical models have exponents here", "state the model with [states]");
    return;
  }
  if (plan.prepared.reading.kind() == Reading::Kind::slow)
    refuse("the slow reading has no derivatives", "give <<reading: as-written>>");
  if (!plan.prepared.compiled.actions.empty())
    refuse("events that change the motion are not followed",
           "leave `then` out of its events, or state a force in its place ([[stop]], [[contact]])");
  if (plan.bath) refuse("a motion in a heat bath has none", "leave [thermostat] out");
  if (plan.run.projection.any())
    refuse("a motion that is pulled onto the slow manifold has none", "leave that out");
  if (problems.empty() && plan.start.status == Status::ok &&
      !plan.system.structure().differentiable)
    refuse("this reading has no derivatives", "give <<reading: as-written>>");
}

/// Estimates at the times of rows.
void add_columns(const LyapunovExponents& found, Motion& motion) {
  const Index count = found.history.cols();
  std::vector<std::string> names;
  for (Index k = 0; k < count; ++k) names.push_back(fmt::format("lyapunov({})", k + 1));
  std::vector<std::vector<double>> rows;
  for (const double t : motion.t) {
    const auto above = std::upper_bound(found.times.begin(), found.times.end(), t);
    std::vector<double>& row = rows.emplace_back(static_cast<std::size_t>(count), nan);
    if (above == found.times.begin()) continue;
    const auto k = static_cast<Index>(above - found.times.begin()) - 1;
    for (Index i = 0; i < count; ++i) row[static_cast<std::size_t>(i)] = found.history(k, i);
  }
  add_outputs(motion, names, rows);
}

}  // namespace

LyapunovRun lyapunov(Plan plan, int count, Problems& problems) {
  LyapunovRun run;
  check(plan, count, problems);
  if (!problems.empty()) return run;
  run.result = simulate(std::move(plan));
  const Plan& done = *run.result.plan;
  if (done.start.status != Status::ok) return run;  // the failure of the run says it all
  constexpr double tol = 1e-10;
  LinearFlow flow{without_compliance(done.system), tol};
  flow.heed(std::make_shared<const SearchLimits>(done.run.max_seconds, done.run.cancel));
  Growth{flow, done.start.state, run.result.summary.state.t, count, run.lyapunov}.run();
  add_columns(run.lyapunov, run.result.motion);
  return run;
}

LyapunovRun lyapunov(const Model& model, const SimulationOptions& options, int count) {
  Problems problems{model.file};
  Plan made = plan(model, options, problems);
  problems.throw_if_any();
  LyapunovRun run = lyapunov(std::move(made), count, problems);
  problems.throw_if_any();
  return run;
}

}  // namespace taut
