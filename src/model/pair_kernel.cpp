// SPDX-License-Identifier: BSD-3-Clause
#include "model/pair_kernel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "model/screening.hpp"

namespace taut {
namespace {

constexpr int lanes = 8;

// lanes are written apart from what is read
#if defined(__clang__)
#define TAUT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define TAUT_LANES _Pragma("GCC ivdep")
#endif
#define TAUT_INLINE [[gnu::always_inline]] inline

/// What a loop over the partners of one point sums up.
struct alignas(64) LaneSums {
  double x[lanes] = {}, y[lanes] = {}, z[lanes] = {}, energy[lanes] = {};
};

TAUT_INLINE double sum(const double* lane) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

struct Acting {
  double energy;
  double force;     // the force on a point is this times its distance vector from the other
  double inverse2;  // 1 / r²
};

/// (1), with c = coulomb Q Q' of the pair.
template <bool lennard_jones, bool coulomb, bool powers>
TAUT_INLINE Acting act(const PairLaw& law, double r2, double c) {
  const double inverse2 = 1.0 / r2;
  double energy = 0.0;
  double force = 0.0;
  if constexpr (lennard_jones) {
    const double inverse6 = inverse2 * inverse2 * inverse2;
    const double repulsion = law.repulsion * inverse6;
    energy += (repulsion - law.attraction) * inverse6;
    force += (12.0 * repulsion - 6.0 * law.attraction) * inverse6 * inverse2;
  }
  if constexpr (coulomb) {
    const double u = c * std::sqrt(inverse2);
    energy += u;
    force += u * inverse2;
  }
  if constexpr (powers) {
    for (const PairLaw::Power& power : law.powers) {
      const double u = power.strength * std::pow(r2, power.exponent / 2.0);
      energy += u;
      force -= power.exponent * u * inverse2;
    }
  }
  return {energy, force, inverse2};
}

/// Eight partners from j on, of which the first `count` are meant.
template <bool lennard_jones, bool coulomb, bool powers, bool all>
TAUT_INLINE void add_block(const PairLaw& law, const PairColumns& at, int i, int j, int count,
                           double c, LaneSums& sums, const PairSums& to) {
  const double x = at.x[i], y = at.y[i], z = at.z[i];
  const double* __restrict const xj = at.x + j;
  const double* __restrict const yj = at.y + j;
  const double* __restrict const zj = at.z + j;
  const double* __restrict const qj = at.charge + j;
  double* __restrict const fx = to.x + j;
  double* __restrict const fy = to.y + j;
  double* __restrict const fz = to.z + j;
  TAUT_LANES
  for (int l = 0; l < lanes; ++l) {
    const double dx = x - xj[l];
    const double dy = y - yj[l];
    const double dz = z - zj[l];
    const double r2 = dx * dx + dy * dy + dz * dz;
    Acting acting = act<lennard_jones, coulomb, powers>(law, r2, coulomb ? c * qj[l] : 0.0);
    if constexpr (!all) {
      // what stands beyond the segment may be anything
      acting.energy = l < count ? acting.energy : 0.0;
      acting.force = l < count ? acting.force : 0.0;
    }
    const double px = acting.force * dx;
    const double py = acting.force * dy;
    const double pz = acting.force * dz;
    sums.x[l] += px;
    sums.y[l] += py;
    sums.z[l] += pz;
    sums.energy[l] += acting.energy;
    fx[l] -= px;
    fy[l] -= py;
    fz[l] -= pz;
  }
}

template <bool lennard_jones, bool coulomb, bool powers>
TAUT_INLINE void add_segment(const PairLaw& law, const PairSegment& segment, const PairColumns& at,
                             int i, LaneSums& sums, const PairSums& to) {
  const double c = law.coulomb * at.charge[i];
  int j = segment.begin;
  for (; j + lanes <= segment.end; j += lanes)
    add_block<lennard_jones, coulomb, powers, true>(law, at, i, j, lanes, c, sums, to);
  if (j < segment.end)
    add_block<lennard_jones, coulomb, powers, false>(law, at, i, j, segment.end - j, c, sums, to);
}

// each combination of terms is a loop of its own. Everything is inlined into the functions at the
// end of this file: what is not would be compiled for the oldest instruction set
#define TAUT_WITH_TERMS(law, function, ...)         \
  if (!(law).powers.empty())                        \
    function<true, true, true>(law, __VA_ARGS__);   \
  else if ((law).coulomb == 0.0)                    \
    function<true, false, false>(law, __VA_ARGS__); \
  else if ((law).has_lennard_jones())               \
    function<true, true, false>(law, __VA_ARGS__);  \
  else                                              \
    function<false, true, false>(law, __VA_ARGS__)

TAUT_INLINE void add_table_with(const PairTable& table, int begin, int end, const PairColumns& at,
                                PairSums& to) {
  for (int i = begin; i < end; ++i) {
    LaneSums sums;
    for (int s = table.first[i]; s < table.first[i + 1]; ++s) {
      const PairSegment& segment = table.segments[s];
      const PairLaw& law = table.laws[segment.law];
      TAUT_WITH_TERMS(law, add_segment, segment, at, i, sums, to);
    }
    to.x[i] += sum(sums.x);
    to.y[i] += sum(sums.y);
    to.z[i] += sum(sums.z);
    to.energy += sum(sums.energy);
  }
}

// ---- within a cut-off ---------------------------------------------------------------------------

/// Nearest whole number, halves to even; |x| < 2^51.
TAUT_INLINE double nearest(double x) {
  constexpr double shift = 6755399441055744.0;  // 1.5 2^52
  return (x + shift) - shift;
}

/// What the pairs of a call share.
struct Reach {
  double from, inverse_width, inverse_cutoff, reaction, limit;  // limit: the cut-off squared
  double edge[3], inverse_edge[3];
  double alpha, shift;
  const double* erfcx;  // coefficients of Screening

  TAUT_INLINE explicit Reach(const PairReach& of)
      : from{of.range.from},
        inverse_width{1.0 / (of.range.cutoff - of.range.from)},
        inverse_cutoff{1.0 / of.range.cutoff},
        reaction{inverse_cutoff * inverse_cutoff * inverse_cutoff},
        limit{of.range.cutoff * of.range.cutoff},
        alpha{of.range.alpha},
        shift{alpha > 0.0 ? std::erfc(alpha * of.range.cutoff) * inverse_cutoff : 0.0},
        erfcx{screening().coefficients.data()} {
    for (int k = 0; k < 3; ++k) {
      edge[k] = of.edge[k];
      inverse_edge[k] = edge[k] > 0.0 ? 1.0 / edge[k] : 0.0;
    }
  }
  /// To the nearest image.
  template <int k>
  TAUT_INLINE double image(double d) const {
    return d - edge[k] * nearest(d * inverse_edge[k]);
  }
};

/// exp(-u) for u between 0 and 700: 2^k exp(rest), |rest| < log(2)/2.
TAUT_INLINE double exp_of_minus(double u) {
  constexpr double shift = 6755399441055744.0;        // 1.5 2^52: k stands in its last bits
  constexpr double log2_high = 0x1.62e42fefap-1;      // of log(2); products with k are exact
  constexpr double log2_low = 0x1.cf79abc9e3b39p-40;  // the rest
  const double shifted = shift - u * std::numbers::log2e;
  const double k = shifted - shift;
  const double x = (-u - k * log2_high) - k * log2_low;
  // the series up to x^13/13!, in two chains
  const double x2 = x * x;
  double even = 1.0 / 479001600.0, odd = 1.0 / 6227020800.0;
  even = 1.0 / 3628800.0 + x2 * even;
  odd = 1.0 / 39916800.0 + x2 * odd;
  even = 1.0 / 40320.0 + x2 * even;
  odd = 1.0 / 362880.0 + x2 * odd;
  even = 1.0 / 720.0 + x2 * even;
  odd = 1.0 / 5040.0 + x2 * odd;
  even = 1.0 / 24.0 + x2 * even;
  odd = 1.0 / 120.0 + x2 * odd;
  even = 1.0 / 2.0 + x2 * even;
  odd = 1.0 / 6.0 + x2 * odd;
  even = 1.0 + x2 * even;
  odd = 1.0 + x2 * odd;
  // 2^k: the exponent's bits are those of `shifted`, moved to their place
  const std::uint64_t bits = (std::bit_cast<std::uint64_t>(shifted) + 1023U) << 52U;
  return (even + x * odd) * std::bit_cast<double>(bits);
}

/// c[k] + c[k + 2] x^2 + c[k + 4] x^4 + ...
template <int k>
TAUT_INLINE double every_second(const double* c, double x2) {
  if constexpr (k + 2 >= Screening::terms)
    return c[k];
  else
    return c[k] + x2 * every_second<k + 2>(c, x2);
}

/// Adds (3) or (4), with c = coulomb Q Q' of the pair.
template <bool screened>
TAUT_INLINE void add_charged(const Reach& reach, double c, double r2, Acting& to) {
  const double inverse2 = 1.0 / r2;
  const double inverse = std::sqrt(inverse2);
  if constexpr (screened) {
    const double z = reach.alpha * (r2 * inverse);
    const double x = Screening::argument(z);
    const double x2 = x * x;
    const double erfcx = every_second<0>(reach.erfcx, x2) + x * every_second<1>(reach.erfcx, x2);
    const double gauss = exp_of_minus(z * z);
    const double erfc_by_r = gauss * erfcx * inverse;
    constexpr double slope = 2.0 * std::numbers::inv_sqrtpi;
    to.energy += c * (erfc_by_r - reach.shift);
    to.force += c * ((erfc_by_r + slope * reach.alpha * gauss) * inverse2);
  } else {
    to.energy += c * (inverse + 0.5 * r2 * reach.reaction - 1.5 * reach.inverse_cutoff);
    to.force += c * (inverse * inverse2 - reach.reaction);
  }
}

/// (2), applied to what acts at the distance r.
TAUT_INLINE Acting switched(const Acting& acting, const Reach& reach, double r2) {
  const double r = std::sqrt(r2);
  const double inverse = r * acting.inverse2;
  // 0 where it is negative; nobody here is beyond the cut-off
  const double beyond = (r - reach.from) * reach.inverse_width;
  const double x = 0.5 * (beyond + std::abs(beyond));
  const double S = 1.0 - x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
  const double dS = -30.0 * x * x * (1.0 - x) * (1.0 - x) * reach.inverse_width;
  return {S * acting.energy, S * acting.force - dS * acting.energy * inverse, acting.inverse2};
}

/// 1 for the first `count` of eight lanes, 0 for others: a factor, since choices between numbers
/// become branches, which loops over lanes cannot have.
using LaneMasks = std::array<std::array<double, lanes>, lanes + 1>;
constexpr LaneMasks lane_masks = [] {
  LaneMasks made{};
  for (std::size_t count = 0; count <= lanes; ++count)
    for (std::size_t l = 0; l < count; ++l) made[count][l] = 1.0;
  return made;
}();

enum class Charges { none, reaction, screened };

template <bool lennard_jones, Charges charges, bool powers>
TAUT_INLINE Acting act_within(const PairLaw& law, const Reach& reach, double r2, double c) {
  Acting acting{};
  if constexpr (lennard_jones || powers)
    acting = switched(act<lennard_jones, false, powers>(law, r2, 0.0), reach, r2);
  if constexpr (charges != Charges::none)
    add_charged<charges == Charges::screened>(reach, c, r2, acting);
  return acting;
}

// each combination of terms is a loop of its own, as above
#define TAUT_WITH_CHARGES(law, charges, function, ...)         \
  if (!(law).powers.empty())                                   \
    function<true, Charges::charges, true>(law, __VA_ARGS__);  \
  else if ((law).has_lennard_jones())                          \
    function<true, Charges::charges, false>(law, __VA_ARGS__); \
  else                                                         \
    function<false, Charges::charges, false>(law, __VA_ARGS__)
#define TAUT_WITHIN(law, reach, function, ...)                      \
  if ((law).powers.empty() && (law).coulomb == 0.0)                 \
    function<true, Charges::none, false>(law, reach, __VA_ARGS__);  \
  else if ((reach).alpha > 0.0)                                     \
    TAUT_WITH_CHARGES(law, screened, function, reach, __VA_ARGS__); \
  else                                                              \
    TAUT_WITH_CHARGES(law, reaction, function, reach, __VA_ARGS__)

/// Eight partners from j on, of which the first `count` are meant.
template <bool lennard_jones, Charges charges, bool powers, bool all>
TAUT_INLINE void add_block_within(const PairLaw& law, const Reach& reach, const PairColumns& at,
                                  int i, int j, int count, double c, LaneSums& sums,
                                  const PairSums& to) {
  const double x = at.x[i], y = at.y[i], z = at.z[i];
  const double* __restrict const xj = at.x + j;
  const double* __restrict const yj = at.y + j;
  const double* __restrict const zj = at.z + j;
  const double* __restrict const qj = at.charge + j;
  double* __restrict const fx = to.x + j;
  double* __restrict const fy = to.y + j;
  double* __restrict const fz = to.z + j;
  const double* __restrict const mask = lane_masks[static_cast<std::size_t>(count)].data();
  TAUT_LANES
  for (int l = 0; l < lanes; ++l) {
    const double dx = reach.image<0>(x - xj[l]);
    const double dy = reach.image<1>(y - yj[l]);
    const double dz = reach.image<2>(z - zj[l]);
    double r2 = dx * dx + dy * dy + dz * dz;
    // what is not meant, or beyond, is taken for a pair at the cut-off, and counts 0 times
    if constexpr (!all) r2 = mask[l] * r2 + (1.0 - mask[l]) * reach.limit;
    const double counts = 0.5 + std::copysign(0.5, reach.limit - r2);
    r2 = r2 < reach.limit ? r2 : reach.limit;
    const Acting acting = act_within<lennard_jones, charges, powers>(
        law, reach, r2, charges == Charges::none ? 0.0 : c * qj[l]);
    const double force = counts * acting.force;
    const double px = force * dx;
    const double py = force * dy;
    const double pz = force * dz;
    sums.x[l] += px;
    sums.y[l] += py;
    sums.z[l] += pz;
    sums.energy[l] += counts * acting.energy;
    fx[l] -= px;
    fy[l] -= py;
    fz[l] -= pz;
  }
}

template <bool lennard_jones, Charges charges, bool powers>
TAUT_INLINE void add_segment_within(const PairLaw& law, const Reach& reach,
                                    const PairSegment& segment, const PairColumns& at, int i,
                                    LaneSums& sums, const PairSums& to) {
  const double c = law.coulomb * at.charge[i];
  int j = segment.begin;
  for (; j + lanes <= segment.end; j += lanes)
    add_block_within<lennard_jones, charges, powers, true>(law, reach, at, i, j, lanes, c, sums,
                                                           to);
  if (j < segment.end)
    add_block_within<lennard_jones, charges, powers, false>(law, reach, at, i, j, segment.end - j,
                                                            c, sums, to);
}

TAUT_INLINE void add_table_within_with(const PairTable& table, const PairReach& given, int begin,
                                       int end, const PairColumns& at, PairSums& to) {
  const Reach reach{given};
  for (int i = begin; i < end; ++i) {
    LaneSums sums;
    for (int s = table.first[i]; s < table.first[i + 1]; ++s) {
      const PairSegment& segment = table.segments[s];
      const PairLaw& law = table.laws[segment.law];
      TAUT_WITHIN(law, reach, add_segment_within, segment, at, i, sums, to);
    }
    to.x[i] += sum(sums.x);
    to.y[i] += sum(sums.y);
    to.z[i] += sum(sums.z);
    to.energy += sum(sums.energy);
  }
}

// ---- neighbours ---------------------------------------------------------------------------------

constexpr int strip = 64;  // partners whose distances are found at a time

/// Pairs within the cut-off, side by side; what stands beyond `count` is finite, no more.
struct alignas(64) Packed {
  static constexpr int size = strip + 2 * lanes;
  double x[size] = {}, y[size] = {}, z[size] = {}, r2[size] = {}, charge[size] = {};
  int partner[size] = {};
  int count = 0;
};

/// Eight packed pairs from k on, of which the first `count` are meant.
template <bool lennard_jones, Charges charges, bool powers>
TAUT_INLINE void add_packed(const PairLaw& law, const Reach& reach, double c, const Packed& near,
                            int k, int count, LaneSums& sums, const PairSums& to) {
  alignas(64) double px[lanes], py[lanes], pz[lanes];
  const double* __restrict const mask = lane_masks[static_cast<std::size_t>(count)].data();
  TAUT_LANES
  for (int l = 0; l < lanes; ++l) {
    const double r2 = mask[l] * near.r2[k + l] + (1.0 - mask[l]) * reach.limit;
    const Acting acting = act_within<lennard_jones, charges, powers>(
        law, reach, r2, charges == Charges::none ? 0.0 : c * near.charge[k + l]);
    const double force = mask[l] * acting.force;
    px[l] = force * near.x[k + l];
    py[l] = force * near.y[k + l];
    pz[l] = force * near.z[k + l];
    sums.x[l] += px[l];
    sums.y[l] += py[l];
    sums.z[l] += pz[l];
    sums.energy[l] += mask[l] * acting.energy;
  }
  for (int l = 0; l < count; ++l) {
    const int j = near.partner[k + l];
    to.x[j] -= px[l];
    to.y[j] -= py[l];
    to.z[j] -= pz[l];
  }
}

/// Appends those of up to `strip` partners that are within the cut-off of point i.
TAUT_INLINE void pack(const Reach& reach, const int* partners, int count, int i,
                      const PairColumns& at, Packed& near) {
  alignas(64) double x[strip], y[strip], z[strip], r2[strip];
  const double xi = at.x[i], yi = at.y[i], zi = at.z[i];
  TAUT_LANES
  for (int l = 0; l < count; ++l) {
    const int j = partners[l];
    x[l] = reach.image<0>(xi - at.x[j]);
    y[l] = reach.image<1>(yi - at.y[j]);
    z[l] = reach.image<2>(zi - at.z[j]);
    r2[l] = x[l] * x[l] + y[l] * y[l] + z[l] * z[l];
  }
  int k = near.count;
  for (int l = 0; l < count; ++l) {
    near.x[k] = x[l];
    near.y[k] = y[l];
    near.z[k] = z[l];
    near.r2[k] = r2[l];
    near.charge[k] = at.charge[partners[l]];
    near.partner[k] = partners[l];
    k += r2[l] < reach.limit ? 1 : 0;
  }
  near.count = k;
}

/// Moves the pairs that did not fill eight lanes to the front.
TAUT_INLINE void keep_rest(Packed& near, int done) {
  const int rest = near.count - done;
  for (double* column : {near.x, near.y, near.z, near.r2, near.charge})
    for (int l = 0; l < lanes; ++l) column[l] = column[done + l];
  for (int l = 0; l < lanes; ++l) near.partner[l] = near.partner[done + l];
  near.count = rest;
}

template <bool lennard_jones, Charges charges, bool powers>
TAUT_INLINE void add_near(const PairLaw& law, const Reach& reach, const PairSegment& segment,
                          const int* partners, const PairColumns& at, int i, Packed& near,
                          LaneSums& sums, const PairSums& to) {
  const double c = law.coulomb * at.charge[i];
  near.count = 0;
  for (int p = segment.begin; p < segment.end; p += strip) {
    pack(reach, partners + p, std::min(strip, segment.end - p), i, at, near);
    int k = 0;
    for (; k + lanes <= near.count; k += lanes)
      add_packed<lennard_jones, charges, powers>(law, reach, c, near, k, lanes, sums, to);
    keep_rest(near, k);
  }
  if (near.count > 0)
    add_packed<lennard_jones, charges, powers>(law, reach, c, near, 0, near.count, sums, to);
}

TAUT_INLINE void add_neighbours_with(const PairNeighbours& all, const PairReach& given, int begin,
                                     int end, const PairColumns& at, PairSums& to) {
  const Reach reach{given};
  Packed near;
  for (int i = begin; i < end; ++i) {
    LaneSums sums;
    for (int s = all.first[i]; s < all.first[i + 1]; ++s) {
      const PairSegment& segment = all.segments[s];
      const PairLaw& law = all.laws[segment.law];
      TAUT_WITHIN(law, reach, add_near, segment, all.partners, at, i, near, sums, to);
    }
    to.x[i] += sum(sums.x);
    to.y[i] += sum(sums.y);
    to.z[i] += sum(sums.z);
    to.energy += sum(sums.energy);
  }
}

TAUT_INLINE int find_within_with(const double* x, double distance, const double* edge, int n,
                                 const PairColumns& at, int* places) {
  const double limit = distance * distance;
  double inverse[3];
  for (int k = 0; k < 3; ++k) inverse[k] = edge[k] > 0.0 ? 1.0 / edge[k] : 0.0;
  alignas(64) double r2[strip];
  int found = 0;
  for (int first = 0; first < n; first += strip) {
    const int count = std::min(strip, n - first);
    TAUT_LANES
    for (int l = 0; l < count; ++l) {
      double dx = x[0] - at.x[first + l];
      double dy = x[1] - at.y[first + l];
      double dz = x[2] - at.z[first + l];
      dx -= edge[0] * nearest(dx * inverse[0]);
      dy -= edge[1] * nearest(dy * inverse[1]);
      dz -= edge[2] * nearest(dz * inverse[2]);
      r2[l] = dx * dx + dy * dy + dz * dz;
    }
    for (int l = 0; l < count; ++l) {
      places[found] = first + l;
      found += r2[l] < limit ? 1 : 0;
    }
  }
  return found;
}

// ---- instruction sets ---------------------------------------------------------------------------

#undef TAUT_LANES
#undef TAUT_INLINE
#undef TAUT_WITH_TERMS
#undef TAUT_WITH_CHARGES
#undef TAUT_WITHIN

#define TAUT_PAIR_KERNEL(name, attribute)                                                         \
  attribute void add_table_##name(const PairTable& table, int begin, int end,                     \
                                  const PairColumns& at, PairSums& to) {                          \
    add_table_with(table, begin, end, at, to);                                                    \
  }                                                                                               \
  attribute void add_table_within_##name(const PairTable& table, const PairReach& reach,          \
                                         int begin, int end, const PairColumns& at,               \
                                         PairSums& to) {                                          \
    add_table_within_with(table, reach, begin, end, at, to);                                      \
  }                                                                                               \
  attribute void add_neighbours_##name(const PairNeighbours& all, const PairReach& reach,         \
                                       int begin, int end, const PairColumns& at, PairSums& to) { \
    add_neighbours_with(all, reach, begin, end, at, to);                                          \
  }                                                                                               \
  attribute int find_within_##name(const double* x, double distance, const double* edge, int n,   \
                                   const PairColumns& at, int* places) {                          \
    return find_within_with(x, distance, edge, n, at, places);                                    \
  }                                                                                               \
  constexpr PairKernel kernel_##name{add_table_##name, add_table_within_##name,                   \
                                     add_neighbours_##name, find_within_##name};

TAUT_PAIR_KERNEL(v1, )

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)

TAUT_PAIR_KERNEL(v3, [[gnu::target("arch=x86-64-v3")]])
TAUT_PAIR_KERNEL(v4, [[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]])

std::vector<PairKernel> find_kernels() {
  std::vector<PairKernel> found{kernel_v1};
  if (__builtin_cpu_supports("x86-64-v3")) found.push_back(kernel_v3);
  if (__builtin_cpu_supports("x86-64-v4")) found.push_back(kernel_v4);
  return found;
}

#else

std::vector<PairKernel> find_kernels() { return {kernel_v1}; }

#endif

}  // namespace

const std::vector<PairKernel>& pair_kernels() {
  static const std::vector<PairKernel> kernels = find_kernels();
  return kernels;
}

}  // namespace taut
