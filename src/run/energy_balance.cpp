// SPDX-License-Identifier: BSD-3-Clause
#include "run/energy_balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "core/archive_list.hpp"
#include "model/read_multipliers.hpp"
#include "readings/readings.hpp"

namespace taut {
namespace {

struct GaussPoint {
  double at, weight;  // on (0, 1)
};
constexpr std::array<GaussPoint, 1> one{{{0.5, 1.0}}};
constexpr std::array<GaussPoint, 3> three{{{0.11270166537925831, 0.27777777777777778},
                                           {0.5, 0.44444444444444444},
                                           {0.88729833462074169, 0.27777777777777778}}};
constexpr std::array<GaussPoint, 4> four{{{0.069431844202973712, 0.17392742256872693},
                                          {0.33000947820757187, 0.32607257743127307},
                                          {0.66999052179242813, 0.32607257743127307},
                                          {0.93056815579702629, 0.17392742256872693}}};

std::span<const GaussPoint> gauss(int points) {
  if (points == 1) return one;
  return points == 3 ? std::span<const GaussPoint>{three} : std::span<const GaussPoint>{four};
}

}  // namespace

void EnergyBalance::start(const System& system, const State& state, int points) {
  points_ = points;
  known_ = true;
  last_ = state;
  names_.clear();
  renew(system);
}

void EnergyBalance::renew(const System& system) {
  if (!known_) return;
  system_ = system;
  powers_ = system.powers();
  known_ = powers_.has_value();
  if (!known_) return;
  powers_->prepare(of_powers_);
  const Structure& structure = system.structure();
  rows_ = equations(system);
  rows_.prepare(of_rows_);
  driven_ = rows_.structure().constraint_uses_time;
  damped_ = std::any_of(structure.rows.begin(), structure.rows.end(),
                        [](const Row& row) { return row.damping > 0.0; });
  std::vector<std::string> names;
  for (const Observable& power : powers_->structure().observables) names.push_back(power.name);
  for (const Row& row : structure.rows) names.push_back(row.name);
  rename(std::move(names));
  const auto all = static_cast<Index>(names_.size());
  for (Vec* x : {&P_, &sum_, &size_}) x->setZero(all);
  reads_multipliers_ = powers_->structure().takes_multipliers;
  if (!driven_ && !reads_multipliers_) return;
  system.prepare(scratch_);
  a_.setZero(system.nq());
  lambda_.setZero(system.nc());
  known_ = accelerations_.start(system) == Status::ok;
}

// A force that a changed system has no more (its factor became 0) has done its work.
void EnergyBalance::rename(std::vector<std::string> names) {
  const std::vector<std::string> before = std::exchange(names_, std::move(names));
  if (before == names_ && work_.size() == static_cast<Index>(names_.size())) return;
  const Vec work = work_, passed = passed_;
  for (Vec* x : {&work_, &passed_}) x->setZero(static_cast<Index>(names_.size()));
  for (std::size_t k = 0; k < before.size(); ++k) {
    const auto old = static_cast<Index>(k);
    // parts of one element are added up
    const auto found = std::find(names_.begin(), names_.end(), before[k]);
    if (found != names_.end()) {
      work_[found - names_.begin()] += work[old];
      passed_[found - names_.begin()] += passed[old];
    } else if (passed[old] != 0.0) {
      jump(before[k], work[old], passed[old]);
    }
  }
}

Status EnergyBalance::powers(const State& at) {
  Arguments here{.t = at.t, .q = at.q, .v = at.v};
  if (driven_ || reads_multipliers_) {
    if (const Status status = accelerations_(system_, at.t, at.q, at.v, a_, lambda_);
        status != Status::ok)
      return status;
    if (const Status status = system_.multipliers(here, lambda_, scratch_, all_lambda_);
        status != Status::ok)
      return status;
    read_multipliers(powers_->structure(), all_lambda_, mu_);
    here.mu = &mu_;
  }
  // (1); what is not finite shows in the sum
  static_cast<void>(powers_->evaluate(need(Target::observable), here, of_powers_));
  const Index elements = of_powers_.observable.size();
  P_.head(elements) = of_powers_.observable;
  if (!driven_ && !damped_) return Status::ok;
  // (2)
  const Needs wanted = damped_ ? needs(Target::constraint_rate, Target::constraint_jacobian)
                               : need(Target::constraint_rate);
  if (const Status status = rows_.evaluate(wanted, here, of_rows_); status != Status::ok)
    return status;
  if (damped_) {
    rate_.noalias() = of_rows_.G * at.v;
    rate_ += of_rows_.g_t;
  }
  const std::vector<Row>& rows = system_.structure().rows;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Index row = rows_.structure().rows[r].equation;
    double power = driven_ ? all_lambda_[static_cast<Index>(r)] * of_rows_.g_t[row] : 0.0;
    if (rows[r].damping > 0.0)
      power -= rows[r].damping / rows[r].compliance * rate_[row] * rate_[row];
    P_[elements + static_cast<Index>(r)] = power;
  }
  return Status::ok;
}

// (3) from the last state on; backwards it counts with the other sign
Status EnergyBalance::integrate(const State& to, const Inside& inside) {
  sum_.setZero();
  size_.setZero();
  const double h = to.t - last_.t;
  if (h == 0.0 || is_idle()) return Status::ok;
  for (const auto& [at, weight] : gauss(points_)) {
    if (points_ == 1) {
      middle_.t = last_.t + h / 2;
      middle_.q = (last_.q + to.q) / 2;
      middle_.v = (last_.v + to.v) / 2;
    } else if (const Status status = inside(last_.t + at * h, middle_); status != Status::ok) {
      return status;
    }
    if (const Status status = powers(middle_); status != Status::ok) return status;
    sum_ += weight * h * P_;
    size_ += weight * std::abs(h) * P_.cwiseAbs();
  }
  return std::isfinite(size_.sum()) ? Status::ok : Status::non_finite;
}

void EnergyBalance::advance(const State& to, const Inside& inside) {
  if (!known_ || to.t <= last_.t) return;
  known_ = integrate(to, inside) == Status::ok;
  if (!known_) return;
  work_ += sum_;
  passed_ += size_;
  last_ = to;
}

double EnergyBalance::work(const State& at, const Inside& inside) {
  if (!known_ || integrate(at, inside) != Status::ok)
    return std::numeric_limits<double>::quiet_NaN();
  return work_.sum() + sum_.sum() + jumped_;
}

void EnergyBalance::jump(const std::string& name, double work) {
  if (!known_) return;
  known_ = std::isfinite(work);
  jump(name, work, std::abs(work));
}

void EnergyBalance::jump(const std::string& name, double work, double passed) {
  const auto found = std::find_if(jumps_.begin(), jumps_.end(),
                                  [&](const auto& one) { return one.first == name; });
  (found == jumps_.end() ? jumps_.emplace_back(name, 0.0) : *found).second += work;
  jumped_ += work;
  jumps_passed_ += passed;
}

std::vector<std::pair<std::string, double>> EnergyBalance::by_name() const {
  // parts of one element stand under its name
  std::vector<std::pair<std::string, double>> all;
  std::map<std::string, std::size_t> place;
  const auto add = [&](const std::string& name, double work) {
    const auto [it, is_new] = place.try_emplace(name, all.size());
    if (is_new) all.emplace_back(name, 0.0);
    all[it->second].second += work;
  };
  if (!known_) return all;
  for (std::size_t k = 0; k < names_.size(); ++k)
    if (const auto i = static_cast<Index>(k); passed_[i] != 0.0) add(names_[k], work_[i]);
  for (const auto& [name, work] : jumps_) add(name, work);
  return all;
}

void EnergyBalance::archive(Archive& archive) {
  archive.tag("balance");
  archive(known_, last_, work_, passed_, jumped_, jumps_passed_);
  archive_list(archive, jumps_, [&](auto& one) { archive(one.first, one.second); });
}

}  // namespace taut
