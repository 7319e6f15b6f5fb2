// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/run_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "studies/moments.hpp"

namespace taut {
namespace {

constexpr std::size_t replicates = SamplePoints::replicates;
constexpr double normal_95 = 1.959963984540054;
constexpr std::size_t most_failed = 20;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// of a whole, from its replicates
Estimate spread(double value, const std::vector<double>& parts) {
  Moments m;
  for (const double x : parts)
    if (std::isfinite(x)) m.add(x);
  if (m.count < replicates) return {value, nan, nan};
  const double half = student_95 * std::sqrt(m.variance() / static_cast<double>(replicates));
  return {value, value - half, value + half};
}

// numbers of which -0 is below 0, as unsigned ones in the same order
std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits >> 63) != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}
double number_of(std::uint64_t key) {
  return std::bit_cast<double>((key >> 63) != 0 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

class Reader {
 public:
  Reader(const RunStore& store, std::size_t runs, std::string& problem)
      : store_{store}, runs_{runs}, problem_{problem} {}
  template <class Visit>
  void operator()(const Visit& visit) const {
    std::string wrong = store_.for_each(0, runs_, visit);
    if (problem_.empty()) problem_ = std::move(wrong);
  }

 private:
  const RunStore& store_;
  std::size_t runs_;
  std::string& problem_;
};

bool has(const RunStore::Run& run, std::size_t m) {
  return run.done() && RunStore::is_good(run.status) && std::isfinite(run.measures[m]);
}

// The numbers of some ranks among one measure, 16 bits of them in a pass.
std::vector<double> ranked(const Reader& read, std::size_t m, std::vector<std::size_t> ranks) {
  std::vector<std::uint64_t> prefixes(ranks.size(), 0);
  for (int shift = 48; shift >= 0; shift -= 16) {
    std::vector<std::uint64_t> distinct = prefixes;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::vector<std::size_t>> counts(distinct.size(),
                                                 std::vector<std::size_t>(std::size_t{1} << 16));
    read([&](const RunStore::Run& run) {
      if (!has(run, m)) return;
      const std::uint64_t key = key_of(run.measures[m]);
      const std::uint64_t above = shift == 48 ? 0 : key >> (shift + 16);
      const auto found = std::lower_bound(distinct.begin(), distinct.end(), above);
      if (found != distinct.end() && *found == above)
        ++counts[static_cast<std::size_t>(found - distinct.begin())][key >> shift & 0xffff];
    });
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      const auto at = std::lower_bound(distinct.begin(), distinct.end(), prefixes[k]);
      const auto& bins = counts[static_cast<std::size_t>(at - distinct.begin())];
      std::size_t bin = 0;
      while (bin + 1 < bins.size() && ranks[k] >= bins[bin]) ranks[k] -= bins[bin++];
      prefixes[k] = prefixes[k] << 16 | bin;
    }
  }
  std::vector<double> numbers;
  for (const std::uint64_t key : prefixes) numbers.push_back(number_of(key));
  return numbers;
}

void find_quantiles(const Reader& read, std::size_t m, const std::vector<double>& asked,
                    MeasureStatistics& out) {
  if (out.count == 0 || asked.empty()) return;
  const auto n = static_cast<double>(out.count);
  const auto rank = [&](double r) {
    return static_cast<std::size_t>(std::clamp(std::floor(r), 0.0, n - 1.0));
  };
  std::vector<std::size_t> ranks;
  for (const double p : asked) {
    const double half = normal_95 * std::sqrt(n * p * (1 - p));
    ranks.push_back(rank(n * p));
    ranks.push_back(rank(n * p - half));
    ranks.push_back(rank(std::ceil(n * p + half)));
  }
  const std::vector<double> x = ranked(read, m, ranks);
  for (std::size_t k = 0; k < asked.size(); ++k)
    out.quantiles.push_back({x[3 * k], x[3 * k + 1], x[3 * k + 2]});
}

void find_bins(const Reader& read, std::size_t m, MeasureStatistics& out) {
  constexpr std::size_t bins = 60;
  out.bins = {out.least, out.greatest, std::vector<std::size_t>(bins)};
  const double width = (out.greatest - out.least) / static_cast<double>(bins);
  read([&](const RunStore::Run& run) {
    if (!has(run, m)) return;
    const double place = width > 0.0 ? (run.measures[m] - out.least) / width : 0.0;
    ++out.bins.counts[std::min(bins - 1, static_cast<std::size_t>(place))];
  });
}

// Sobol indices (saltelli2010): of groups A, B, A with number j of B,
//   S_j = mean f_B (f_ABj - f_A) / V,   T_j = mean (f_A - f_ABj)^2 / 2 V
// V of f_A and f_B; f counted from the mean, which changes no expectation and less noise.
void find_indices(const Reader& read, std::size_t m, std::size_t group, MeasureStatistics& out) {
  const std::size_t d = group - 2;
  struct Sums {
    Moments all;
    std::vector<double> first, total;
    std::size_t groups = 0;
  };
  std::array<Sums, replicates + 1> sums;  // the last of all together
  for (Sums& s : sums) s.first.assign(d, 0.0), s.total.assign(d, 0.0);
  std::vector<double> f(group);
  read([&](const RunStore::Run& run) {
    const std::size_t which = run.number % group;
    f[which] = has(run, m) ? run.measures[m] - out.mean.value : nan;
    if (which + 1 < group) return;
    if (!std::all_of(f.begin(), f.end(), [](double x) { return std::isfinite(x); })) return;
    for (Sums* s : {&sums[run.number / group % replicates], &sums[replicates]}) {
      ++s->groups;
      s->all.add(f[0]);
      s->all.add(f[1]);
      for (std::size_t j = 0; j < d; ++j) {
        s->first[j] += f[1] * (f[2 + j] - f[0]);
        s->total[j] += (f[0] - f[2 + j]) * (f[0] - f[2 + j]);
      }
    }
  });
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> first, total;
    for (const Sums& s : sums) {
      const double scale = static_cast<double>(s.groups) * s.all.variance();
      first.push_back(scale > 0.0 ? s.first[j] / scale : nan);
      total.push_back(scale > 0.0 ? s.total[j] / (2 * scale) : nan);
    }
    const double all_first = first.back(), all_total = total.back();
    first.pop_back();
    total.pop_back();
    out.indices.push_back({spread(all_first, first), spread(all_total, total)});
  }
}

// pairs of numbers and measures, in two passes: between what they lie, and how often where
void find_matrix(const Reader& read, const SamplePoints& points, RunStatistics& all) {
  constexpr std::size_t most = 8, most_measures = 4, bins = RunStatistics::Matrix::bins;
  const std::size_t count = std::min(all.measures.size(), most_measures);
  const std::size_t d = std::min(points.design().distributions.size(), most - count);
  const std::size_t size = d + count;
  RunStatistics::Matrix& to = all.matrix;
  for (std::size_t j = 0; j < d; ++j) to.names.push_back(points.design().distributions[j].name);
  for (std::size_t m = 0; m < count; ++m) to.names.push_back(all.measures[m].name);
  to.low.assign(size, std::numeric_limits<double>::max());
  to.high.assign(size, std::numeric_limits<double>::lowest());
  to.counts.assign(size * (size - 1) / 2, std::vector<std::size_t>(bins * bins));
  std::vector<double> x(size);
  const auto each = [&](const auto& visit) {
    read([&](const RunStore::Run& run) {
      if (!run.done() || !RunStore::is_good(run.status)) return;
      const std::vector<double> values = points(run.number);
      std::copy_n(values.begin(), d, x.begin());
      std::copy_n(run.measures.begin(), count, x.begin() + static_cast<std::ptrdiff_t>(d));
      visit();
    });
  };
  each([&] {
    for (std::size_t i = 0; i < size; ++i)
      if (std::isfinite(x[i])) {
        to.low[i] = std::min(to.low[i], x[i]);
        to.high[i] = std::max(to.high[i], x[i]);
      }
  });
  for (std::size_t i = 0; i < size; ++i)
    if (to.low[i] > to.high[i]) to.low[i] = to.high[i] = 0.0;
  std::vector<std::size_t> place(size);
  each([&] {
    for (std::size_t i = 0; i < size; ++i) {
      const double share =
          to.high[i] > to.low[i] ? (x[i] - to.low[i]) / (to.high[i] - to.low[i]) : 0.0;
      // one behind the last: there is none
      place[i] =
          std::isfinite(x[i])
              ? std::min(bins - 1, static_cast<std::size_t>(share * static_cast<double>(bins)))
              : bins;
    }
    for (std::size_t i = 1, pair = 0; i < size; ++i)
      for (std::size_t j = 0; j < i; ++j, ++pair)
        if (place[i] < bins && place[j] < bins) ++to.counts[pair][place[i] * bins + place[j]];
  });
}

// Wilson's interval
Estimate share_of(std::size_t count, std::size_t all) {
  if (all == 0) return {nan, nan, nan};
  const auto n = static_cast<double>(all);
  const double p = static_cast<double>(count) / n, z = normal_95 * normal_95 / n;
  const double middle = (p + z / 2) / (1 + z);
  const double half = std::sqrt(p * (1 - p) * z + z * z / 4) / (1 + z);
  return {p, count == 0 ? 0.0 : middle - half, count == all ? 1.0 : middle + half};
}

bool holds(const RunCondition& condition, double x) {
  switch (condition.relation) {
    case '<':
      return x < condition.bound;
    case '>':
      return x > condition.bound;
    default:
      return !std::isnan(x);
  }
}

}  // namespace

std::vector<RunCondition> read_conditions(const std::vector<std::string>& texts,
                                          Problems& problems) {
  std::vector<RunCondition> all;
  for (const std::string& text : texts) {
    RunCondition one{.text = text, .measure = text};
    if (const std::size_t at = text.find_last_of("<>"); at != std::string::npos) {
      char* end = nullptr;
      const std::string bound = text.substr(at + 1);
      one.bound = std::strtod(bound.c_str(), &end);
      one.relation = text[at];
      one.measure = text.substr(0, text.find_last_not_of(' ', at - (at > 0 ? 1 : 0)) + 1);
      if (end == bound.c_str() || *end != '\0' || one.measure.empty())
        problems.add({}, "<<probability>> " + text, "is no condition",
                     "write MEASURE > NUMBER, MEASURE < NUMBER, or event(NAME)");
    }
    all.push_back(std::move(one));
  }
  return all;
}

bool RunStatistics::known_to(double share) const {
  const auto half = [](const Estimate& e) { return (e.high - e.low) / 2; };
  return std::all_of(measures.begin(), measures.end(),
                     [&](const MeasureStatistics& m) {
                       return half(m.mean) <= share * std::abs(m.mean.value);
                     }) &&
         std::all_of(probabilities.begin(), probabilities.end(),
                     [&](const Probability& p) { return half(p.share) <= share; });
}

RunStatistics run_statistics(const RunStore& store, const SamplePoints& points, std::size_t runs,
                             const StatisticsOptions& options) {
  RunStatistics all{.runs = runs, .quantiles = options.quantiles};
  const Reader read{store, runs, all.problem};
  const std::size_t count = options.measures.size(), group = points.group();
  const bool independent = points.design().kind == SampleDesign::Kind::random;
  struct Course {
    Moments all;
    std::array<Moments, replicates> parts;
  };
  std::vector<Course> courses(count);
  for (const std::string& name : options.measures)
    all.measures.push_back({.name = name, .least = nan, .greatest = nan});
  for (const RunCondition& condition : options.conditions)
    all.probabilities.push_back({.text = condition.text});
  std::vector<std::size_t> of_condition;
  for (const RunCondition& condition : options.conditions)
    of_condition.push_back(static_cast<std::size_t>(
        std::find(options.measures.begin(), options.measures.end(), condition.measure) -
        options.measures.begin()));

  const auto mean_of = [&](const Course& course) {
    const auto n = static_cast<double>(course.all.count);
    const double mean = course.all.count > 0 ? course.all.mean : nan;
    if (independent && group == 1) {
      const double half =
          course.all.count > 1 ? normal_95 * std::sqrt(course.all.variance() / n) : nan;
      return Estimate{mean, mean - half, mean + half};
    }
    std::vector<double> parts;
    for (const Moments& part : course.parts) parts.push_back(part.count > 0 ? part.mean : nan);
    return spread(mean, parts);
  };

  std::size_t good = 0;
  FailureGroups failures;
  read([&](const RunStore::Run& run) {
    if (run.done()) {
      ++all.finished;
      const bool is_good = RunStore::is_good(run.status);
      good += is_good ? 1 : 0;
      all.failed += is_good ? 0 : 1;
      if (!is_good) failures.add(run.number, RunStore::name_of(run.status), run.reason);
      if (!is_good && all.failed_runs.size() < most_failed) {
        all.failed_runs.push_back(run.number);
        all.reasons.emplace_back(run.reason);
      }
      if (is_good && all.pictured.size() < options.pictured) {
        all.pictured.push_back(run.number);
        all.pictured_measures.insert(all.pictured_measures.end(), run.measures.begin(),
                                     run.measures.end());
      }
      for (std::size_t c = 0; is_good && c < options.conditions.size(); ++c)
        if (of_condition[c] < count && holds(options.conditions[c], run.measures[of_condition[c]]))
          ++all.probabilities[c].count;
      for (std::size_t m = 0; m < count; ++m) {
        if (!has(run, m)) continue;
        const double x = run.measures[m];
        MeasureStatistics& out = all.measures[m];
        courses[m].all.add(x);
        courses[m].parts[run.number / group % replicates].add(x);
        if (!(x >= out.least)) out.least = x, out.least_run = run.number;
        if (!(x <= out.greatest)) out.greatest = x, out.greatest_run = run.number;
      }
    }
    const std::size_t n = run.number + 1;
    if ((n >= 64 && std::has_single_bit(n)) || n == runs)
      for (std::size_t m = 0; m < count; ++m)
        all.measures[m].convergence.push_back({n, mean_of(courses[m])});
  });
  all.failures = failures.groups();
  for (RunStatistics::Probability& one : all.probabilities) one.share = share_of(one.count, good);
  for (std::size_t m = 0; m < count; ++m) {
    MeasureStatistics& out = all.measures[m];
    out.count = courses[m].all.count;
    out.mean = mean_of(courses[m]);
    out.deviation = std::sqrt(courses[m].all.variance());
    find_quantiles(read, m, options.quantiles, out);
    find_bins(read, m, out);
    if (group > 1) find_indices(read, m, group, out);
  }
  if (options.matrix) find_matrix(read, points, all);
  return all;
}

}  // namespace taut
