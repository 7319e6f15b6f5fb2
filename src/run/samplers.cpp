// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/archive_list.hpp"
#include "core/kkt.hpp"
#include "core/notes.hpp"
#include "run/statistics.hpp"
#include "taut/model/compile.hpp"
#include "taut/run/sampler.hpp"

namespace taut {
namespace {

void add_average(const Average& average, StatisticResult& to) {
  to.samples = average.count();
  to.numbers.emplace_back("mean", average.mean());
  to.numbers.emplace_back("error", average.error());
  to.numbers.emplace_back("deviation", std::sqrt(average.variance()));
}

// centres, counts and density of a histogram
void add_bins(const Histogram& histogram, const char* value, StatisticResult& to) {
  const std::size_t bins = histogram.counts().size();
  std::vector<double> centre(bins), count(bins), density(bins);
  for (std::size_t k = 0; k < bins; ++k) {
    centre[k] = histogram.centre(k);
    count[k] = static_cast<double>(histogram.counts()[k]);
    density[k] = histogram.density(k);
  }
  to.columns.emplace_back(value, std::move(centre));
  to.columns.emplace_back("count", std::move(count));
  to.columns.emplace_back("density", std::move(density));
}

/// Of an observable of the system.
class HistogramSampler final : public Sampler {
 public:
  explicit HistogramSampler(const CompiledStatistic& s)
      : Sampler{s.name, {.after = s.after, .every = s.every}},
        observable_{s.observable},
        histogram_{s.from, s.to, s.bins} {}

  std::string start(const System&, const State&, double) override { return {}; }
  Needs needs() const override { return need(Target::observable); }
  Status add(const System&, const State&, Evaluation& ev) override {
    histogram_.add(ev.observable[observable_]);
    average_.add(ev.observable[observable_]);
    return Status::ok;
  }
  void archive(Archive& archive) override { archive(histogram_, average_); }
  StatisticResult result() const override {
    StatisticResult result{.name = name(), .kind = "histogram"};
    add_average(average_, result);
    result.numbers.emplace_back("below", static_cast<double>(histogram_.below()));
    result.numbers.emplace_back("above", static_cast<double>(histogram_.above()));
    add_bins(histogram_, "value", result);
    return result;
  }

 private:
  Index observable_;
  Histogram histogram_;
  Average average_;
};

class RadialDistributionSampler final : public Sampler {
 public:
  explicit RadialDistributionSampler(const CompiledStatistic& s)
      : Sampler{s.name, {.after = s.after, .every = s.every}},
        distribution_{{s.among, s.with, s.dimension, s.box}, s.to, s.bins} {}

  std::string start(const System&, const State&, double) override { return {}; }
  Status add(const System&, const State& state, Evaluation&) override {
    distribution_.add(state.q);
    ++samples_;
    return Status::ok;
  }
  void archive(Archive& archive) override { archive(distribution_, samples_); }
  StatisticResult result() const override {
    const Histogram& histogram = distribution_.histogram();
    StatisticResult result{.name = name(), .kind = "radial_distribution", .samples = samples_};
    result.numbers.emplace_back("pairs", static_cast<double>(distribution_.pairs()));
    result.numbers.emplace_back("beyond", static_cast<double>(histogram.above()));
    add_bins(histogram, "r", result);
    if (!distribution_.periodic()) return result;
    std::vector<double> g(histogram.counts().size());
    for (std::size_t k = 0; k < g.size(); ++k) g[k] = distribution_.g(k);
    result.columns.emplace_back("g", std::move(g));
    return result;
  }

 private:
  RadialDistribution distribution_;
  std::int64_t samples_ = 0;
};

class AutocorrelationSampler final : public Sampler {
 public:
  explicit AutocorrelationSampler(const CompiledStatistic& s)
      : Sampler{s.name, {.after = s.after, .every = s.every}},
        observable_{s.observable},
        longest_{s.lag} {}

  std::string start(const System&, const State&, double spacing) override {
    spacing_ = spacing;
    const double lags = std::max(1.0, std::round(longest_ / spacing));
    if (lags > most_lags)
      return fmt::format(
          "{}: a lag of {} has {:.3g} samples, and at most {:.0e} can be kept: take them farther "
          "apart with `every`",
          name(), longest_, lags, most_lags);
    correlation_ = Autocorrelation{static_cast<int>(lags)};
    return {};
  }
  Needs needs() const override { return need(Target::observable); }
  Status add(const System&, const State&, Evaluation& ev) override {
    correlation_.add(ev.observable[observable_]);
    average_.add(ev.observable[observable_]);
    return Status::ok;
  }
  void archive(Archive& archive) override { archive(correlation_, average_); }
  StatisticResult result() const override {
    StatisticResult result{.name = name(), .kind = "autocorrelation"};
    add_average(average_, result);
    const double time = spacing_ * correlation_.time();
    result.numbers.emplace_back("correlation_time", time);
    if (std::isnan(time) && result.samples > 0)
      result.note =
          correlation_.covariance(0) > 0.0
              ? note<notes::correlation_unknown>(
                    std::min<double>(correlation_.lags(), static_cast<double>(result.samples - 1)) *
                    spacing_)
              : note<notes::samples_equal>();
    std::vector<double> lag, value;
    for (int k = 0; k <= correlation_.lags() && k < correlation_.count(); ++k) {
      lag.push_back(k * spacing_);
      value.push_back(correlation_(k));
    }
    result.columns.emplace_back("lag", std::move(lag));
    result.columns.emplace_back("correlation", std::move(value));
    return result;
  }

 private:
  Index observable_;
  double longest_, spacing_ = 0.0;
  Autocorrelation correlation_{1};
  Average average_;
};

class TemperatureSampler final : public Sampler {
 public:
  TemperatureSampler(double expected, SampleTimes times)
      : Sampler{"temperature", times}, expected_{expected} {}

  std::string start(const System& system, const State& state, double) override {
    const Structure& structure = system.structure();
    freedom_ = static_cast<double>(structure.nq);
    if (structure.nc == 0) return {};
    Evaluation ev;
    system.prepare(ev);
    Kkt kkt;
    kkt.analyse(structure.M, structure.G);
    const Arguments at{.t = state.t, .q = state.q, .v = state.v};
    Status st = system.evaluate(taut::needs(Target::mass, Target::constraint_jacobian), at, ev);
    if (st == Status::ok) st = kkt.factor(ev.M, ev.G, Vec::Zero(structure.nc));
    if (st != Status::ok)
      return fmt::format("{}: degrees of freedom cannot be counted: {}", name(), sentence(st));
    freedom_ -= static_cast<double>(kkt.rank());
    return freedom_ > 0.0 ? std::string{} : name() + ": the constraints leave nothing that moves";
  }
  Needs needs() const override { return need(Target::kinetic_energy); }
  Status add(const System&, const State&, Evaluation& ev) override {
    kinetic_.add(ev.kinetic_energy);
    return Status::ok;
  }
  void archive(Archive& archive) override { archive(kinetic_); }
  StatisticResult result() const override {
    StatisticResult result{.name = name(), .kind = "temperature"};
    result.samples = kinetic_.count();
    result.numbers = {{"kinetic_energy", kinetic_.mean()},
                      {"kinetic_energy_error", kinetic_.error()},
                      {"equipartition", freedom_ * expected_ / 2},
                      {"degrees_of_freedom", freedom_},
                      {"temperature", 2 * kinetic_.mean() / freedom_},
                      {"temperature_error", 2 * kinetic_.error() / freedom_},
                      {"bath", expected_}};
    return result;
  }

 private:
  double expected_, freedom_ = 1.0;
  Average kinetic_;
};

class MultiplierSampler final : public Sampler {
 public:
  explicit MultiplierSampler(double window) : Sampler{"multipliers", {}}, asked_{window} {}

  std::string start(const System& system, const State&, double spacing) override {
    const Structure& structure = system.structure();
    const auto rows = static_cast<Index>(structure.rows.size());
    if (rows == 0) return "multipliers: the model has no constraints";
    if (system.nc() > 0)
      return "multipliers: rigid constraints have their multipliers at every instant: leave the "
             "window out, or take the penalized reading";
    for (const Row& row : structure.rows) names_.push_back("lambda(" + row.name + ")");
    const double intervals = std::max(1.0, std::round(asked_ / spacing));
    if (intervals * static_cast<double>(rows) > 1e8)
      return fmt::format("multipliers: a window of {} holds {:.3g} steps, which are too many",
                         asked_, intervals);
    window_ = intervals * spacing;
    average_ = WindowAverage{rows, static_cast<int>(intervals)};
    all_ = mean_ = Vec::Zero(rows);
    t_.reserve(most_rows + 1);
    lambda_.reserve((most_rows + 1) * static_cast<std::size_t>(rows));
    return {};
  }
  Status add(const System& system, const State& s, Evaluation& ev) override {
    if (const Status st = system.multipliers({s.t, s.q, s.v}, none_, ev, all_); st != Status::ok)
      return st;
    average_.add(all_);
    if (average_.full() && n_++ % stride_ == 0) keep(s.t - window_ / 2);
    return Status::ok;
  }
  void archive(Archive& archive) override {
    archive(average_);
    archive_count(archive, n_);
    archive_within(archive, stride_, 1, std::numeric_limits<decltype(stride_)>::max() / 4);
    archive(t_, lambda_);
    require_sense(lambda_.size() == t_.size() * names_.size(), "sums in it");
  }
  StatisticResult result() const override {
    StatisticResult result{.name = name(), .kind = "multipliers"};
    result.samples = n_;
    if (n_ == 0) result.note = note<notes::no_averages>();
    result.numbers.emplace_back("window", window_);
    result.columns.emplace_back("t", t_);
    for (std::size_t k = 0; k < names_.size(); ++k) {
      std::vector<double> column;
      for (std::size_t row = 0; row < t_.size(); ++row)
        column.push_back(lambda_[row * names_.size() + k]);
      result.columns.emplace_back(names_[k], std::move(column));
    }
    return result;
  }

 private:
  static constexpr std::size_t most_rows = 2000;

  // where there are too many rows, every second goes: those that are left are as far apart as those
  // that come
  void keep(double t) {
    average_.mean(mean_);
    t_.push_back(t);
    lambda_.insert(lambda_.end(), mean_.begin(), mean_.end());
    if (t_.size() <= most_rows) return;
    const std::size_t width = names_.size();
    std::size_t left = 0;
    for (std::size_t row = 0; row < t_.size(); row += 2, ++left) {
      t_[left] = t_[row];
      for (std::size_t k = 0; k < width; ++k) lambda_[left * width + k] = lambda_[row * width + k];
    }
    t_.resize(left);
    lambda_.resize(left * width);
    stride_ *= 2;
  }

  double asked_, window_ = 0.0;
  std::vector<std::string> names_;
  WindowAverage average_{1, 1};
  Vec none_, all_, mean_;
  std::int64_t n_ = 0, stride_ = 1;  // windows so far; one row for so many of them
  std::vector<double> t_, lambda_;
};

}  // namespace

std::shared_ptr<Sampler> make_sampler(const CompiledStatistic& statistic) {
  switch (statistic.kind) {
    case Statistic::Kind::histogram:
      return std::make_shared<HistogramSampler>(statistic);
    case Statistic::Kind::radial_distribution:
      return std::make_shared<RadialDistributionSampler>(statistic);
    case Statistic::Kind::autocorrelation:
      return std::make_shared<AutocorrelationSampler>(statistic);
  }
  return nullptr;
}

std::shared_ptr<Sampler> temperature_sampler(double expected, SampleTimes times) {
  return std::make_shared<TemperatureSampler>(expected, times);
}

std::shared_ptr<Sampler> multiplier_sampler(double window) {
  return std::make_shared<MultiplierSampler>(window);
}

}  // namespace taut
