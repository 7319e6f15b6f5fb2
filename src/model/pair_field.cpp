// SPDX-License-Identifier: BSD-3-Clause
#include "model/pair_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "core/workers.hpp"
#include "model/evaluation_fields.hpp"

namespace taut {
namespace {

constexpr std::int64_t pairs_of_a_chunk = 4'000;
constexpr std::int64_t most_chunks_of_table = 64;
constexpr std::int64_t most_chunks_of_list = 16;
constexpr std::int64_t points_of_a_chunk = 128;
constexpr std::int64_t fewest_pairs_to_share = 20'000;  // below, waking threads costs more
constexpr std::size_t fewest_points_of_a_list = 257;
constexpr double smallest_part_to_look_at_all = 0.25;  // of the box

/// Derivatives of a function of r by w = r²/2, that is by (1/r) d/dr: value and the first three.
using Derivatives = std::array<double, 4>;

/// strength r^p
void add_power(double strength, double p, double r2, Derivatives& to) {
  double u = strength * std::pow(r2, p / 2.0);
  for (double& derivative : to) {
    derivative += u;
    u *= p / r2;
    p -= 2.0;
  }
}

/// S of PairSwitch (2)
Derivatives switch_at(const PairSwitch& range, double r) {
  const double width = range.cutoff - range.from;
  const double x = std::clamp((r - range.from) / width, 0.0, 1.0);
  if (x == 0.0) return {1.0, 0.0, 0.0, 0.0};
  if (x == 1.0) return {0.0, 0.0, 0.0, 0.0};
  const double S = 1.0 - x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
  const double S1 = -30.0 * x * x * (1.0 - x) * (1.0 - x) / width;
  const double S2 = -60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (width * width);
  const double S3 = -60.0 * (1.0 - 6.0 * x + 6.0 * x * x) / (width * width * width);
  return {S, S1 / r, (S2 - S1 / r) / (r * r), (S3 - 3.0 * (S2 - S1 / r) / r) / (r * r * r)};
}

/// All derivatives of what acts at the distance r. A formulation apart from that of the kernels:
/// it is what they are tested against.
Derivatives derivatives(const PairLaw& law, const std::optional<PairSwitch>& range, double charges,
                        double r2) {
  Derivatives u{};
  if (range && !(r2 < range->cutoff * range->cutoff)) return u;
  if (law.repulsion != 0.0) add_power(law.repulsion, -12.0, r2, u);
  if (law.attraction != 0.0) add_power(-law.attraction, -6.0, r2, u);
  for (const PairLaw::Power& power : law.powers) add_power(power.strength, power.exponent, r2, u);
  const double c = law.coulomb * charges;
  if (range) {
    const Derivatives S = switch_at(*range, std::sqrt(r2));
    u = {S[0] * u[0], S[1] * u[0] + S[0] * u[1], S[2] * u[0] + 2.0 * S[1] * u[1] + S[0] * u[2],
         S[3] * u[0] + 3.0 * (S[2] * u[1] + S[1] * u[2]) + S[0] * u[3]};
    // (3) of PairSwitch; what has (4) has no stiffness, and is looked at for culprits alone
    if (range->alpha == 0.0) {
      add_power(c / (2.0 * std::pow(range->cutoff, 3)), 2.0, r2, u);
      u[0] -= 1.5 * c / range->cutoff;
    }
  }
  if (c != 0.0) add_power(c, -1.0, r2, u);
  return u;
}

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

PairField::PairField(Setup setup)
    : dimension_{setup.dimension},
      points_{std::move(setup.points)},
      kinds_{std::move(setup.kinds)},
      range_{setup.range},
      edge_{setup.edge} {
  charge_.assign(stride(), 0.0);
  for (std::size_t i = 0; i < points_.size(); ++i) charge_[i] = points_[i].charge;
  for (const Setup::Images& use : setup.images)
    images_.emplace_back(EwaldSum::Setup{.edge = edge_,
                                         .range = *range_,
                                         .accuracy = setup.accuracy,
                                         .strength = use.strength,
                                         .points = use.points},
                         charge_, kinds_);
  lists_ = range_ && !looks_at_all();
  make_table();
  if (lists_)
    divide_list();
  else
    divide_table();
}

/// Whether all pairs cost less than a list, which leaves out those out of reach.
bool PairField::looks_at_all() const {
  if (points_.size() < fewest_points_of_a_list) return true;
  const double reach = PairList::reach_of(range_->cutoff);
  double ball = dimension_ == 3 ? 4.0 / 3.0 * std::numbers::pi : std::numbers::pi;
  for (int k = 0; k < dimension_; ++k) {
    const double edge = edge_[static_cast<std::size_t>(k)];
    if (!(edge > 0.0)) return false;
    ball *= reach / edge;
  }
  return ball >= smallest_part_to_look_at_all;
}

/// Segments of partners behind each point that have one law, between those that are excluded.
/// Where a list says who is near they serve derivatives alone, and are not made where there would
/// be too many.
void PairField::make_table() {
  const int n = static_cast<int>(points_.size());
  std::vector<std::int64_t> of_kind(static_cast<std::size_t>(kinds_.kinds), 0);
  for (const int kind : kinds_.kind) ++of_kind[static_cast<std::size_t>(kind)];
  std::int64_t pairs = 0;
  for (int k = 0; k < kinds_.kinds; ++k)
    for (int l = 0; l < kinds_.kinds; ++l)
      if (kinds_.law[static_cast<std::size_t>(k * kinds_.kinds + l)] >= 0)
        pairs += of_kind[static_cast<std::size_t>(k)] *
                 (of_kind[static_cast<std::size_t>(l)] - (k == l ? 1 : 0));
  differentiable_ = pairs / 2 <= most_pairs_of_a_matrix && images_.empty();
  if (lists_ && !differentiable_) return;

  std::vector<int> begin_of_kind(static_cast<std::size_t>(kinds_.kinds) + 1, n);
  for (int i = n - 1; i >= 0; --i)
    begin_of_kind[static_cast<std::size_t>(kinds_.kind[static_cast<std::size_t>(i)])] = i;
  first_segment_.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    const auto& excluded = kinds_.excluded[static_cast<std::size_t>(i)];
    for (int k = kinds_.kind[static_cast<std::size_t>(i)]; k < kinds_.kinds; ++k) {
      int begin = std::max(i + 1, begin_of_kind[static_cast<std::size_t>(k)]);
      const int end = begin_of_kind[static_cast<std::size_t>(k) + 1];
      const int law = begin < end ? kinds_.law_of(i, begin) : -1;
      if (law < 0) continue;
      auto gap = std::lower_bound(excluded.begin(), excluded.end(), begin);
      while (begin < end) {
        const int stop = gap != excluded.end() && *gap < end ? *gap++ : end;
        if (begin < stop) segments_.push_back({begin, stop, law});
        begin = stop + 1;
      }
    }
    first_segment_.push_back(static_cast<int>(segments_.size()));
  }
}

/// Chunks of rows with about equally many pairs: what is summed apart depends on the model alone.
void PairField::divide(const std::vector<std::int64_t>& pairs_of, std::int64_t chunks) {
  const std::int64_t all = std::accumulate(pairs_of.begin(), pairs_of.end(), std::int64_t{0});
  rows_.assign(1, 0);
  std::int64_t before = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    before += pairs_of[i];
    if (before * chunks >= all * static_cast<std::int64_t>(rows_.size()) &&
        static_cast<std::int64_t>(rows_.size()) < chunks)
      rows_.push_back(static_cast<int>(i) + 1);
  }
  rows_.push_back(static_cast<int>(points_.size()));
}

void PairField::divide_table() {
  std::vector<std::int64_t> pairs_of(points_.size(), 0);
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (int s = first_segment_[i]; s < first_segment_[i + 1]; ++s)
      pairs_of[i] +=
          segments_[static_cast<std::size_t>(s)].end - segments_[static_cast<std::size_t>(s)].begin;
  const std::int64_t all = std::accumulate(pairs_of.begin(), pairs_of.end(), std::int64_t{0});
  divide(pairs_of,
         all < fewest_pairs_to_share ? 1 : std::min(most_chunks_of_table, all / pairs_of_a_chunk));
}

/// As if everybody were near everybody: fewer stand after later points.
void PairField::divide_list() {
  const auto n = static_cast<std::int64_t>(points_.size());
  std::vector<std::int64_t> pairs_of(points_.size());
  std::iota(pairs_of.rbegin(), pairs_of.rend(), std::int64_t{0});
  divide(pairs_of, std::clamp<std::int64_t>(n / points_of_a_chunk, 1, most_chunks_of_list));
}

template <class Visit>
void PairField::for_each_pair(const Visit& visit) const {
  for (std::size_t i = 0; i + 1 < first_segment_.size(); ++i)
    for (int s = first_segment_[i]; s < first_segment_[i + 1]; ++s) {
      const PairSegment& segment = segments_[static_cast<std::size_t>(s)];
      for (int j = segment.begin; j < segment.end; ++j)
        visit(static_cast<int>(i), j, kinds_.laws[static_cast<std::size_t>(segment.law)]);
    }
}

void PairField::add_to_pattern(Pattern& stiffness) const {
  if (!differentiable_) return;
  const auto add_block = [&](const Point& a, const Point& b) {
    for (int r = 0; r < dimension_; ++r)
      for (int c = 0; c < dimension_; ++c) stiffness.add(a.first + r, b.first + c);
  };
  std::vector<char> acts(points_.size(), 0);
  for_each_pair([&](int i, int j, const PairLaw&) {
    const auto& a = points_[static_cast<std::size_t>(i)];
    const auto& b = points_[static_cast<std::size_t>(j)];
    add_block(a, b);
    add_block(b, a);
    acts[static_cast<std::size_t>(i)] = acts[static_cast<std::size_t>(j)] = 1;
  });
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (acts[i] != 0) add_block(points_[i], points_[i]);
}

void PairField::find_slots(const Sparse& K) {
  if (!differentiable_) return;
  // the columns of a point stand side by side: one slot for each row of a block is enough
  for_each_pair([&](int i, int j, const PairLaw&) {
    const int a = points_[static_cast<std::size_t>(i)].first;
    const int b = points_[static_cast<std::size_t>(j)].first;
    for (const auto& [row, column] : {std::pair{a, a}, {a, b}, {b, a}, {b, b}})
      for (int r = 0; r < dimension_; ++r) slots_.push_back(value_slot(K, row + r, column));
  });
}

PairField::Scratch PairField::scratch() const {
  Scratch made;
  if (contacts_) {
    made.contacts = contacts_->scratch();
    return made;
  }
  for (auto* column : {&made.x, &made.y, &made.z}) column->assign(stride(), 0.0);
  const std::size_t chunks = rows_.size() - 1;
  made.forces.assign(3 * stride() * chunks, 0.0);
  made.energies.assign(chunks, 0.0);
  for (const EwaldSum& sum : images_) made.images.push_back(sum.scratch());
  return made;
}

void PairField::gather(const Vec& q, Scratch& scratch) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double* const at = q.data() + points_[i].first;
    scratch.x[i] = at[0];
    scratch.y[i] = at[1];
    if (dimension_ == 3) scratch.z[i] = at[2];
  }
}

PairReach PairField::reach() const {
  return {.range = range_.value_or(PairSwitch{}), .edge = {edge_[0], edge_[1], edge_[2]}};
}

bool PairField::all_finite(const Scratch& scratch) const {
  // 0 times what is not finite is not 0
  double sum = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i)
    sum += 0.0 * scratch.x[i] + (0.0 * scratch.y[i] + 0.0 * scratch.z[i]);
  return sum == 0.0;
}

/// Forces into the first three columns of the scratch; the energy is returned.
double PairField::sum_forces(Scratch& scratch) const {
  const PairKernel& kernel = pair_kernels().back();
  const PairTable table{first_segment_.data(), segments_.data(), kinds_.laws.data()};
  const PairColumns at{scratch.x.data(), scratch.y.data(), scratch.z.data(), charge_.data()};
  const PairReach within = reach();
  // what is nowhere would be beyond every cut-off
  if (range_ && !(lists_ ? scratch.list.update(kinds_, within, at) : all_finite(scratch))) {
    std::fill_n(scratch.forces.data(), 3 * stride(), std::numeric_limits<double>::quiet_NaN());
    return std::numeric_limits<double>::quiet_NaN();
  }
  const int chunks = static_cast<int>(rows_.size()) - 1;
  share_work(chunks, [&](int k) {
    const auto c = static_cast<std::size_t>(k);
    double* const x = scratch.forces.data() + 3 * stride() * c;
    // rows of a chunk act on their points and on those behind them
    const auto begin = static_cast<std::size_t>(rows_[c]);
    for (std::size_t column = 0; column < 3; ++column)
      std::fill(x + column * stride() + begin, x + (column + 1) * stride(), 0.0);
    PairSums sums{x, x + stride(), x + 2 * stride()};
    if (lists_)
      kernel.add_neighbours(scratch.list.neighbours(kinds_), within, rows_[c], rows_[c + 1], at,
                            sums);
    else if (range_)
      kernel.add_table_within(table, within, rows_[c], rows_[c + 1], at, sums);
    else
      kernel.add_table(table, rows_[c], rows_[c + 1], at, sums);
    scratch.energies[c] = sums.energy;
  });
  for (int k = 1; k < chunks; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const auto begin = static_cast<std::size_t>(rows_[c]);
    for (std::size_t column = 0; column < 3; ++column) {
      double* const to = scratch.forces.data() + column * stride();
      const double* const from = to + 3 * stride() * c;
      for (std::size_t i = begin; i < points_.size(); ++i) to[i] += from[i];
    }
  }
  return std::accumulate(scratch.energies.begin(), scratch.energies.end(), 0.0) +
         add_images(at, scratch);
}

double PairField::add_images(const PairColumns& at, Scratch& scratch) const {
  double* const x = scratch.forces.data();
  PairSums sums{x, x + stride(), x + 2 * stride()};
  for (std::size_t k = 0; k < images_.size(); ++k) images_[k].add(at, scratch.images[k], sums);
  return sums.energy;
}

std::array<double, 3> PairField::between(const Scratch& scratch, int i, int j) const {
  const auto a = static_cast<std::size_t>(i);
  const auto b = static_cast<std::size_t>(j);
  std::array<double, 3> d{scratch.x[a] - scratch.x[b], scratch.y[a] - scratch.y[b],
                          scratch.z[a] - scratch.z[b]};
  for (std::size_t k = 0; k < 3; ++k)
    if (edge_[k] > 0.0) d[k] -= edge_[k] * std::nearbyint(d[k] / edge_[k]);
  return d;
}

/// Blocks ± (U' 1 + U'' d dᵀ), with derivatives by r²/2 and d = x_i - x_j.
void PairField::add_stiffness(const Scratch& scratch, Evaluation& out) const {
  const int* slot = slots_.data();
  double* const K = out.K.valuePtr();
  for_each_pair([&](int i, int j, const PairLaw& law) {
    const std::array<double, 3> d = between(scratch, i, j);
    const double charges =
        charge_[static_cast<std::size_t>(i)] * charge_[static_cast<std::size_t>(j)];
    const Derivatives u = derivatives(law, range_, charges, dot(d, d));
    for (const double sign : {1.0, -1.0, -1.0, 1.0})
      for (int r = 0; r < dimension_; ++r) {
        double* const to = K + *slot++;
        for (int c = 0; c < dimension_; ++c)
          to[c] += sign * (u[2] * d[static_cast<std::size_t>(r)] * d[static_cast<std::size_t>(c)] +
                           (r == c ? u[1] : 0.0));
      }
  });
}

/// d/dd of  yᵀ (U' 1 + U'' d dᵀ) y,  y = a_i - a_j:   (U'' y.y + U''' (d.y)²) d + 2 U'' (d.y) y
void PairField::add_third(const Scratch& scratch, const Vec& a, Evaluation& out) const {
  for_each_pair([&](int i, int j, const PairLaw& law) {
    const std::array<double, 3> d = between(scratch, i, j);
    const int at_i = points_[static_cast<std::size_t>(i)].first;
    const int at_j = points_[static_cast<std::size_t>(j)].first;
    std::array<double, 3> y{};
    for (int k = 0; k < dimension_; ++k) y[static_cast<std::size_t>(k)] = a[at_i + k] - a[at_j + k];
    const double charges =
        charge_[static_cast<std::size_t>(i)] * charge_[static_cast<std::size_t>(j)];
    const Derivatives u = derivatives(law, range_, charges, dot(d, d));
    const double dy = dot(d, y);
    const double along_d = u[2] * dot(y, y) + u[3] * dy * dy;
    for (int k = 0; k < dimension_; ++k) {
      const auto c = static_cast<std::size_t>(k);
      const double value = along_d * d[c] + 2.0 * u[2] * dy * y[c];
      out.third[at_i + k] += value;
      out.third[at_j + k] -= value;
    }
  });
}

void PairField::add(Needs wanted, const Arguments& at, Scratch& scratch, Evaluation& out) const {
  if (contacts_) {
    if (shown_.first < 0) {
      contacts_->add(wanted, at, scratch.contacts, out);
    } else if (asks(wanted, Target::observable) && !shown_.all) {
      out.observable[shown_.first] = contacts_->lost(at, scratch.contacts);
    } else if (asks(wanted, Target::observable)) {
      const ContactField::Seen seen = contacts_->seen(at, scratch.contacts);
      int next = shown_.first;
      for (const double value :
           {seen.contacts, seen.force, seen.load, seen.penetration, seen.power})
        out.observable[next++] = value;
    }
    return;
  }
  constexpr Needs sums = needs(Target::force, Target::momentum_force, Target::potential_energy);
  constexpr Needs all = sums | needs(Target::stiffness, Target::third);
  if ((wanted & all) == 0) return;
  gather(at.q, scratch);
  if ((wanted & sums) != 0) {
    const double energy = sum_forces(scratch);
    if (asks(wanted, Target::potential_energy)) out.potential_energy += energy;
    for (const Target target : {Target::force, Target::momentum_force}) {
      if (!asks(wanted, target)) continue;
      double* const f = values_of(target, out);
      for (std::size_t i = 0; i < points_.size(); ++i)
        for (int k = 0; k < dimension_; ++k)
          f[points_[i].first + k] += scratch.forces[static_cast<std::size_t>(k) * stride() + i];
    }
  }
  if (asks(wanted, Target::stiffness)) add_stiffness(scratch, out);
  if (asks(wanted, Target::third)) add_third(scratch, *at.a, out);
}

std::string PairField::culprit(const Vec& q) const {
  if (contacts_) return contacts_->culprit(q);
  Scratch found = scratch();
  gather(q, found);
  const std::string& any_label = kinds_.laws.front().label;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (!std::isfinite(found.x[i]) || !std::isfinite(found.y[i]) || !std::isfinite(found.z[i]))
      return fmt::format("{}: position of {}", any_label, points_[i].name);
  std::string result;
  const auto look_at = [&](int i, int j, const PairLaw& law) {
    if (!result.empty()) return;
    const auto a = static_cast<std::size_t>(i);
    const auto b = static_cast<std::size_t>(j);
    const std::array<double, 3> d = between(found, i, j);
    const Derivatives u = derivatives(law, range_, charge_[a] * charge_[b], dot(d, d));
    if (!std::isfinite(u[0]) || !std::isfinite(u[1]))
      result = fmt::format("{}: {} and {}", law.label, points_[a].name, points_[b].name);
  };
  if (!first_segment_.empty()) {
    for_each_pair(look_at);
    return result;
  }
  const PairColumns at{found.x.data(), found.y.data(), found.z.data(), charge_.data()};
  if (!found.list.update(kinds_, reach(), at)) return result;
  const PairNeighbours near = found.list.neighbours(kinds_);
  for (int i = 0; i < static_cast<int>(points_.size()); ++i)
    for (int s = near.first[i]; s < near.first[i + 1]; ++s)
      for (int p = near.segments[s].begin; p < near.segments[s].end; ++p)
        look_at(i, near.partners[p], near.laws[near.segments[s].law]);
  return result;
}

}  // namespace taut
