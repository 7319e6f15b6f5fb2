// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "core/parallel.hpp"
#include "studies/moments.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

constexpr std::size_t replicates = SamplePoints::replicates;
constexpr std::size_t most_for_quantiles = 1024;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// One run at the times of the ensemble, row after row.
struct Course {
  std::string status, reason, method;
  std::size_t rows = 0;
  std::vector<double> values;
};

std::string in_a_line(const Problems& problems) {
  std::string line;
  for (const Problem& p : problems.sorted())
    line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", p.where, p.what);
  return line;
}

/// The line a + b x that fits best: b, and the share of the variance that it leaves.
struct Line {
  double slope = 0.0, left = 1.0;
};
Line fitted(const std::vector<double>& x, const std::vector<double>& y) {
  Moments mx, my;
  double product = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double before = x[k] - mx.mean;
    mx.add(x[k]);
    my.add(y[k]);
    product += before * (y[k] - my.mean);
  }
  if (!(mx.squares > 0.0) || !(my.squares > 0.0)) return {};
  return {product / mx.squares, 1.0 - product * product / (mx.squares * my.squares)};
}

EnsembleGrowth growth_of(const std::vector<double>& t, const std::vector<double>& apart,
                         const std::array<std::vector<double>, replicates>& parts,
                         std::size_t runs) {
  EnsembleGrowth found;
  const auto refused = [&](std::string why) {
    found.reason = std::move(why);
    return found;
  };
  constexpr std::size_t fewest = 4 * replicates;
  if (runs < fewest)
    return refused(fmt::format("{} runs are too few for it: take {}", runs, fewest));
  double first = 0.0, largest = 0.0;
  for (const double s : apart) {
    if (first == 0.0 && s > 0.0) first = s;
    largest = std::max(largest, s);
  }
  std::size_t begin = 0, end = 0;
  while (begin < t.size() && !(apart[begin] >= 3 * first)) ++begin;
  for (end = begin; end < t.size() && apart[end] <= largest / 10; ++end) continue;
  if (end < begin + 8 || std::log(apart[end - 1] / apart[begin]) < 3.0)
    return refused(
        "the runs do not part e^3 fold between three times their first distance and a tenth of "
        "their largest: no exponential growth, or too short a time for it");
  found.from = t[begin];
  found.to = t[end - 1];
  const auto slope = [&](const std::vector<double>& s, std::size_t a, std::size_t b, bool power) {
    std::vector<double> x, y;
    for (std::size_t k = a; k < b; ++k)
      if (s[k] > 0.0 && (!power || t[k] > t.front())) {
        x.push_back(power ? std::log(t[k] - t.front()) : t[k] - t.front());
        y.push_back(std::log(s[k]));
      }
    return fitted(x, y);
  };
  const Line line = slope(apart, begin, end, false), power = slope(apart, begin, end, true);
  if (power.left < line.left)
    return refused(fmt::format("the runs part like t^{:.2g}, not exponentially", power.slope));
  if (!(line.slope > 0.0) || line.left > 0.1)
    return refused("the logarithm of their distance is no straight line over time");
  Moments slopes;
  for (const std::vector<double>& part : parts) slopes.add(slope(part, begin, end, false).slope);
  const std::size_t middle = (begin + end) / 2;
  const double halves =
      std::abs(slope(apart, begin, middle, false).slope - slope(apart, middle, end, false).slope) /
      2;
  found.exponential = true;
  found.rate = line.slope;
  found.rate_error =
      std::max(halves, student_95 * std::sqrt(slopes.variance() / static_cast<double>(replicates)));
  found.time = 1 / found.rate;
  found.time_low = 1 / (found.rate + found.rate_error);
  found.time_high = found.rate > found.rate_error ? 1 / (found.rate - found.rate_error)
                                                  : std::numeric_limits<double>::infinity();
  return found;
}

/// All that is found, run by run in their order.
class Gatherer {
 public:
  Gatherer(Ensemble& all, std::size_t coordinates)
      : all_{all}, coordinates_{coordinates}, width_{all.columns.size()} {
    const std::size_t places = all.t.size() * width_;
    moments_.resize(places);
    least_.assign(places, std::numeric_limits<double>::infinity());
    greatest_.assign(places, -std::numeric_limits<double>::infinity());
    for (auto& part : parts_) part.resize(all.t.size() * coordinates);
    all.count.assign(all.t.size(), 0);
  }

  void add(std::size_t number, const Course& run) {
    ++all_.finished;
    if (all_.method.empty()) all_.method = run.method;
    if (!run.reason.empty()) {
      ++all_.failed;
      failures_.add(number, run.status, run.reason);
      return;
    }
    const std::size_t places = run.rows * width_;
    for (std::size_t k = 0; k < run.rows; ++k) ++all_.count[k];
    for (std::size_t k = 0; k < places; ++k) {
      const double x = run.values[k];
      if (!std::isfinite(x)) continue;
      moments_[k].add(x);
      least_[k] = std::min(least_[k], x);
      greatest_[k] = std::max(greatest_[k], x);
    }
    // (1)
    std::vector<Moments>& part = parts_[number % replicates];
    for (std::size_t row = 0; row < run.rows; ++row)
      for (std::size_t i = 0; i < coordinates_; ++i)
        part[row * coordinates_ + i].add(run.values[row * width_ + i]);
    if (kept_.size() < most_for_quantiles) kept_.push_back(run.values);
  }

  void finish() {
    all_.failures = failures_.groups();
    all_.quantile_runs = kept_.size();
    std::vector<double> values;
    for (std::size_t c = 0; c < width_; ++c) {
      EnsembleColumn& to = all_.columns[c];
      to.quantiles.assign(all_.quantiles.size(), {});
      for (std::size_t row = 0; row < all_.t.size(); ++row) {
        const std::size_t k = row * width_ + c;
        const bool there = moments_[k].count > 0;
        to.mean.push_back(there ? moments_[k].mean : nan);
        to.deviation.push_back(there ? std::sqrt(moments_[k].variance()) : nan);
        to.least.push_back(there ? least_[k] : nan);
        to.greatest.push_back(there ? greatest_[k] : nan);
        values.clear();
        for (const std::vector<double>& run : kept_)
          if (k < run.size() && std::isfinite(run[k])) values.push_back(run[k]);
        std::sort(values.begin(), values.end());
        for (std::size_t p = 0; p < all_.quantiles.size(); ++p)
          to.quantiles[p].push_back(quantile(values, all_.quantiles[p]));
      }
    }
    // (2)
    std::array<std::vector<double>, replicates> parts;
    for (std::size_t row = 0; row < all_.t.size(); ++row) {
      double sum = 0.0;
      for (std::size_t i = 0; i < coordinates_; ++i) sum += moments_[row * width_ + i].variance();
      all_.apart.push_back(std::sqrt(sum));
      for (std::size_t r = 0; r < replicates; ++r) {
        sum = 0.0;
        for (std::size_t i = 0; i < coordinates_; ++i)
          sum += parts_[r][row * coordinates_ + i].variance();
        parts[r].push_back(std::sqrt(sum));
      }
    }
    all_.growth = growth_of(all_.t, all_.apart, parts, all_.finished - all_.failed);
  }

 private:
  // between neighbours in rank
  static double quantile(const std::vector<double>& sorted, double p) {
    if (sorted.empty()) return nan;
    const double place = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(below);
    const double next = sorted[std::min(below + 1, sorted.size() - 1)];
    return sorted[below] + share * (next - sorted[below]);
  }

  Ensemble& all_;
  std::size_t coordinates_, width_;
  std::vector<Moments> moments_;
  std::vector<double> least_, greatest_;
  std::array<std::vector<Moments>, replicates> parts_;
  std::vector<std::vector<double>> kept_;
  FailureGroups failures_;
};

// columns of a motion that are written, coordinates first
std::vector<Column> columns_of(const Motion& motion, std::vector<std::string>* names = nullptr) {
  std::vector<Column> all;
  const auto take = [&](const ColumnGroup& group) {
    for (std::size_t k = 0; k < group.width(); ++k) {
      all.push_back(group[k]);
      if (names != nullptr) names->push_back(group.column(k));
    }
  };
  const std::vector<ColumnGroup> groups = motion.groups();
  for (const ColumnGroup& group : groups)
    if (&group.values == &motion.q) take(group);
  for (const ColumnGroup& group : groups)
    if (group.written && &group.values != &motion.q && &group.values != &motion.t &&
        &group.values != &motion.step && &group.values != &motion.rejected)
      take(group);
  return all;
}

// each coordinate of the start, with its deviation
std::vector<Distribution> perturbed_start(const PreparedModel& prepared, double& spread) {
  const Structure& structure = prepared.compiled.system.structure();
  const Vec& q = prepared.compiled.given.q;
  const auto places = static_cast<std::size_t>(structure.places());
  constexpr double share = 1e-4;
  if (spread == 0.0) {
    const double largest = places > 0 ? q.head(structure.places()).cwiseAbs().maxCoeff() : 0.0;
    spread = share * (largest > 0.0 ? largest : 1.0);
  }
  std::vector<Distribution> all;
  for (std::size_t i = 0; i < places; ++i)
    if (!is_rotation_entry(structure.coordinates[i]))
      all.push_back({.name = fmt::format("start({})", structure.coordinates[i]),
                     .kind = Distribution::Kind::normal,
                     .numbers = {q[static_cast<Index>(i)], spread}});
  return all;
}

}  // namespace

Ensemble ensemble(Model model, const SimulationOptions& simulation, const EnsembleOptions& options,
                  Problems& problems) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  Ensemble all{.quantiles = options.quantiles};
  SampleDesign design = options.design;
  if (design.distributions.empty()) {
    Problems own;
    const PreparedModel plain = prepare(model, simulation, own);
    if (!own.empty()) {
      static_cast<void>(prepare(std::move(model), simulation, problems));
      return all;
    }
    if (!plain.compiled.jets) {
      all.spread = options.spread;
      design.distributions = perturbed_start(plain, all.spread);
    }
  } else if (options.spread > 0.0) {
    problems.add({}, "<<spread>>", "is of starts where nothing else is distributed",
                 "leave it out, or <<distribution>>");
  }
  std::vector<std::string> names;
  for (const Distribution& one : design.distributions) names.push_back(one.name);
  const std::vector<std::string> parameters = name_start_values(names, model, problems);
  const PreparedModel prepared = prepare(std::move(model), simulation, problems);
  if (problems.empty() && prepared.compiled.jets)
    problems.add(prepared.model.jets->position, "jets", "an ensemble is of a mechanical model",
                 "with [jets] there are runs, starts and completions");
  if (!problems.empty()) return all;
  const SamplePoints points{design, problems};
  Plan first;
  if (problems.empty()) first = plan(PreparedModel{prepared}, simulation, problems);
  if (!problems.empty()) return all;
  all.runs = points.size();
  all.drawn = points.design().distributions;
  all.model = prepared.model.name;
  all.reading = prepared.reading.name();

  // the same times for all of them
  const double start = first.start.state.t, until = first.run.until;
  if (!first.run.times.empty()) {
    all.t = first.run.times;
    all.t.insert(all.t.begin(), start);
  } else {
    constexpr double parts = 400;
    const double every = first.run.every > 0.0 ? first.run.every : (until - start) / parts;
    const auto steps = static_cast<std::size_t>(std::floor((until - start) / every + 1e-9));
    for (std::size_t k = 0; k <= steps; ++k)
      all.t.push_back(start + static_cast<double>(k) * every);
    if (until - all.t.back() > 1e-9 * every) all.t.push_back(until);
    all.t.back() = until;
  }
  const std::vector<double> times{all.t.begin() + 1, all.t.end()};

  const auto plan_of = [&](std::size_t k, Problems& own) {
    const std::vector<double> values = points(k);
    std::vector<std::pair<std::string, double>> named;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      named.emplace_back(parameters[i], values[i]);
    PreparedModel changed = with_values(prepared, named, own);
    return own.empty() ? plan(std::move(changed), simulation, own) : Plan{};
  };
  const auto course_of = [&](std::size_t k) {
    Course course;
    Problems own;
    Plan made = plan_of(k, own);
    if (!own.empty()) {
      course.status = "bad_input";
      course.reason = in_a_line(own);
      return course;
    }
    made.error_estimate = false;
    made.run.every = 0.0;
    made.run.times = times;
    made.run.cancel = options.cancel;
    const Result result = simulate(std::move(made));
    const Summary& summary = result.summary;
    if (summary.status == Status::cancelled) return course;
    course.status = name(summary.status);
    course.method = summary.method;
    if (!summary.good()) {
      course.reason = summary.message;
      return course;
    }
    const std::vector<Column> columns = columns_of(result.motion);
    for (std::size_t row = 0; row < result.motion.rows(); ++row) {
      // an event may end a run between two times
      if (course.rows == all.t.size() || result.motion.t[row] != all.t[course.rows]) break;
      for (const Column& column : columns) course.values.push_back(column[row]);
      ++course.rows;
    }
    return course;
  };

  const unsigned cores = most_threads();
  all.threads = options.threads > 0 ? std::min(options.threads, cores) : cores;
  std::optional<Gatherer> gatherer;
  constexpr std::size_t batch = 64;
  std::vector<Course> courses;
  for (std::size_t from = 0; from < all.runs && all.status == Status::ok; from += batch) {
    const std::size_t count = std::min(batch, all.runs - from);
    courses.assign(count, {});
    parallel_for(count, all.threads, [&](std::size_t i) { courses[i] = course_of(from + i); });
    if (!gatherer) {
      Motion motion;
      motion.start(first.system);
      std::vector<std::string> titles;
      static_cast<void>(columns_of(motion, &titles));
      for (const std::string& title : titles) all.columns.push_back({.name = title});
      gatherer.emplace(all, motion.coordinates.size());
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (courses[i].status.empty()) {
        all.status = Status::cancelled;
        break;
      }
      gatherer->add(from + i, courses[i]);
    }
    if (options.progress)
      options.progress({.done = all.finished,
                        .total = all.runs,
                        .now = all.finished,
                        .seconds = std::chrono::duration<double>(Clock::now() - began).count()});
  }
  if (gatherer) gatherer->finish();
  all.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return all;
}

}  // namespace taut
