// SPDX-License-Identifier: BSD-3-Clause
// What follows from the points of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/studies/compare.hpp"

namespace taut {
namespace {

constexpr double largest_straight = 0.1;        // errors above have no order
constexpr double least_straight = 10.0;         // times the uncertainty: below, neither
constexpr double spread_of_constant = 0.15;     // of local orders about their mean
constexpr double spread_of_adaptive = 0.75;     // whose steps are not in proportion
const double shortest_stretch = std::log(3.0);  // in the number of steps

/// A point as it stands in a plot of logarithms.
struct Place {
  double x, y;  // of the number of steps, and of the error
};

// points of which an order can be read, in pieces without a gap
std::vector<std::vector<Place>> pieces(const ComparedMethod& method, double uncertainty) {
  std::vector<std::vector<Place>> all(1);
  for (const ComparePoint& point : method.points) {
    const bool good = point.good() && point.error.q <= largest_straight &&
                      point.error.q >= least_straight * uncertainty && point.accepted() > 0;
    if (!good) {
      all.emplace_back();
      continue;
    }
    const double x = std::log(static_cast<double>(point.accepted()));
    // tolerances that lead to the same steps tell nothing
    if (!all.back().empty() && x < all.back().back().x + 0.05) continue;
    all.back().push_back({x, std::log(point.error.q)});
  }
  return all;
}

double slope(const Place* first, const Place* last) {
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
  const auto n = static_cast<double>(last - first + 1);
  for (const Place* p = first; p <= last; ++p) mx += p->x / n, my += p->y / n;
  for (const Place* p = first; p <= last; ++p) {
    xx += (p->x - mx) * (p->x - mx);
    xy += (p->x - mx) * (p->y - my);
  }
  return xy / xx;
}

bool straight(const Place* first, const Place* last, double spread) {
  if (last->x - first->x < shortest_stretch) return false;
  const double mean = slope(first, last);
  for (const Place* p = first; p < last; ++p)
    if (std::abs((p[1].y - p[0].y) / (p[1].x - p[0].x) - mean) > spread) return false;
  return mean < -0.5;  // a plateau is straight, too
}

// of the longest straight stretch of three points or more; of two as long, the finer one
std::optional<double> order_seen(const ComparedMethod& method, double uncertainty) {
  const double spread = method.info.adaptive ? spread_of_adaptive : spread_of_constant;
  std::optional<double> order;
  std::size_t longest = 3;
  for (const std::vector<Place>& piece : pieces(method, uncertainty))
    for (std::size_t begin = 0; begin + longest <= piece.size(); ++begin)
      for (std::size_t end = begin + longest; end <= piece.size(); ++end)
        if (const Place* first = &piece[begin], *last = &piece[end - 1];
            straight(first, last, spread)) {
          longest = end - begin;
          order = -slope(first, last);
        }
  return order;
}

double between(double a, double b, double part) {
  return a > 0.0 && b > 0.0 ? a * std::pow(b / a, part) : a + (b - a) * part;
}

/// The least cost of an error, of each kind: at a point that has it, or between two where the curve
/// passes it.
std::optional<CompareReach> reach(const ComparedMethod& method, double error, double uncertainty) {
  std::optional<CompareReach> best;
  const auto take = [&](double seconds, double evaluations) {
    if (!best) best = CompareReach{seconds, evaluations};
    best->seconds = std::min(best->seconds, seconds);
    best->force_evaluations = std::min(best->force_evaluations, evaluations);
  };
  const ComparePoint* before = nullptr;
  for (const ComparePoint& point : method.points) {
    if (!point.good()) {
      before = nullptr;
      continue;
    }
    const auto evaluations = static_cast<double>(point.force_evaluations);
    // below the uncertainty, nothing better than that is known
    const double e = std::max(point.error.q, uncertainty);
    if (e <= error && before != nullptr && before->error.q > error) {
      const double part = std::log(before->error.q / error) / std::log(before->error.q / e);
      take(between(before->seconds, point.seconds, part),
           between(static_cast<double>(before->force_evaluations), evaluations, part));
    } else if (e <= error) {
      take(point.seconds, evaluations);
    }
    before = &point;
  }
  return best;
}

CompareFastest find_fastest(const Comparison& comparison, std::size_t level) {
  CompareFastest fastest{.error = compare_levels[level]};
  for (const ComparedMethod& method : comparison.methods) {
    const std::optional<CompareReach>& cost = method.reaches[level];
    if (!cost) continue;
    if (fastest.method.empty() || cost->seconds < fastest.cost.seconds) {
      fastest.next = std::exchange(fastest.method, std::string{method.info.name});
      fastest.next_cost = std::exchange(fastest.cost, *cost);
    } else if (fastest.next.empty() || cost->seconds < fastest.next_cost.seconds) {
      fastest.next = method.info.name;
      fastest.next_cost = *cost;
    }
  }
  if (fastest.method.empty())
    fastest.reason = comparison.reference.uncertainty.q > fastest.error
                         ? "below the uncertainty of the reference"
                         : "no method got there within the time limit";
  return fastest;
}

std::string seconds_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

std::string times_as_long(double seconds, double least) {
  const double ratio = seconds / least;
  return ratio < 1.1 ? "as fast" : fmt::format("{:.2g} times as long", ratio);
}

std::string advise(const Comparison& comparison, std::size_t level) {
  const CompareFastest& fastest = comparison.fastest[level];
  const std::string& automatic = comparison.automatic;
  const double least = fastest.cost.seconds;
  std::string text =
      fmt::format("for an error of {:.0e}: {} ({}, {:.0f} force evaluations)", fastest.error,
                  fastest.method, seconds_text(least), fastest.cost.force_evaluations);
  if (!fastest.next.empty())
    text += fmt::format("; {}: {}", fastest.next, times_as_long(fastest.next_cost.seconds, least));
  for (const ComparedMethod& method : comparison.methods)
    if (method.info.name == automatic && method.reaches[level] && fastest.method != automatic &&
        fastest.next != automatic)
      text += fmt::format("; {}, which taut run takes by itself: {}", automatic,
                          times_as_long(method.reaches[level]->seconds, least));
  // cut by a limit of time before they could be slower than that
  std::vector<std::string_view> unknown;
  for (const ComparedMethod& method : comparison.methods)
    if (method.cut && !method.reaches[level] &&
        (method.points.empty() || method.points.back().seconds < least))
      unknown.push_back(method.info.name);
  if (!unknown.empty())
    text +=
        fmt::format("; not known of {}, which the time limit cut before", fmt::join(unknown, ", "));
  return text;
}

}  // namespace

std::optional<double> ComparedMethod::best_error() const {
  std::optional<double> best;
  for (const ComparePoint& point : points)
    if (point.good() && std::isfinite(point.error.q))
      best = std::min(point.error.q, best.value_or(point.error.q));
  return best;
}

void draw_conclusions(Comparison& comparison) {
  const double uncertainty = comparison.reference.uncertainty.q;
  comparison.fastest.clear();
  comparison.advice.clear();
  for (ComparedMethod& method : comparison.methods) {
    method.order = order_seen(method, uncertainty);
    for (std::size_t level = 0; level < compare_levels.size(); ++level)
      method.reaches[level] = reach(method, compare_levels[level], uncertainty);
  }
  if (comparison.methods.empty()) return;
  for (std::size_t level = 0; level < compare_levels.size(); ++level) {
    comparison.fastest.push_back(find_fastest(comparison, level));
    if (!comparison.fastest.back().method.empty())
      comparison.advice.push_back(advise(comparison, level));
  }
}

}  // namespace taut
