// SPDX-License-Identifier: BSD-3-Clause
#include "model/pair_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

// ---- neighbours ---------------------------------------------------------------------------------

constexpr int strip = 64;  // partners whose distances are found at a time

/// Pairs within the cut-off, side by side; what stands beyond `count` is finite, no more.
struct alignas(64) Packed {
  static constexpr int size = strip + 2 * lanes;
  double x[size] = {}, y[size] = {}, z[size] = {}, r2[size] = {}, charge[size] = {};
  int count = 0;
};

/// Nearest whole number, halves to even; |x| < 2^51.
TAUT_INLINE double nearest(double x) {
  constexpr double shift = 6755399441055744.0;  // 1.5 2^52
  return (x + shift) - shift;
}

/// Adds (3), with c = coulomb Q Q' of the pair.
TAUT_INLINE void add_charged(double c, double r2, double inverse_cutoff, Acting& to) {
  const double inverse2 = 1.0 / r2;
  const double inverse = std::sqrt(inverse2);
  const double reaction = inverse_cutoff * inverse_cutoff * inverse_cutoff;
  to.energy += c * (inverse + 0.5 * r2 * reaction - 1.5 * inverse_cutoff);
  to.force += c * (inverse * inverse2 - reaction);
}

/// (2), applied to what acts at the distance r.
TAUT_INLINE Acting switched(const Acting& acting, const PairSwitch& range, double inverse_width,
                            double r2) {
  const double r = std::sqrt(r2);
  const double inverse = r * acting.inverse2;
  double x = (r - range.from) * inverse_width;
  x = x > 0.0 ? x : 0.0;
  x = x < 1.0 ? x : 1.0;
  const double S = 1.0 - x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
  const double dS = -30.0 * x * x * (1.0 - x) * (1.0 - x) * inverse_width;
  return {S * acting.energy, S * acting.force - dS * acting.energy * inverse, acting.inverse2};
}

/// Eight packed pairs from j on, of which the first `count` are meant.
template <bool lennard_jones, bool coulomb, bool powers>
TAUT_INLINE void add_packed(const PairLaw& law, const PairSwitch& range, double c,
                            const Packed& near, int j, int count, LaneSums& sums) {
  const double inverse_width = 1.0 / (range.cutoff - range.from);
  const double inverse_cutoff = 1.0 / range.cutoff;
  TAUT_LANES
  for (int l = 0; l < lanes; ++l) {
    const double r2 = l < count ? near.r2[j + l] : 1.0;
    Acting acting{};
    if constexpr (lennard_jones || powers)
      acting = switched(act<lennard_jones, false, powers>(law, r2, 0.0), range, inverse_width, r2);
    if constexpr (coulomb) add_charged(c * near.charge[j + l], r2, inverse_cutoff, acting);
    acting.energy = l < count ? acting.energy : 0.0;
    acting.force = l < count ? acting.force : 0.0;
    sums.x[l] += acting.force * near.x[j + l];
    sums.y[l] += acting.force * near.y[j + l];
    sums.z[l] += acting.force * near.z[j + l];
    sums.energy[l] += acting.energy;
  }
}

/// Appends those of up to `strip` partners that are within the cut-off of point i.
TAUT_INLINE void pack(const PairNeighbours& all, const int* partners, int count, int i,
                      const PairColumns& at, Packed& near) {
  alignas(64) double x[strip], y[strip], z[strip], r2[strip];
  const double xi = at.x[i], yi = at.y[i], zi = at.z[i];
  const auto inverse = [](double edge) { return edge > 0.0 ? 1.0 / edge : 0.0; };
  const double inverse_x = inverse(all.edge[0]);
  const double inverse_y = inverse(all.edge[1]);
  const double inverse_z = inverse(all.edge[2]);
  TAUT_LANES
  for (int l = 0; l < count; ++l) {
    const int j = partners[l];
    const double dx = xi - at.x[j];
    const double dy = yi - at.y[j];
    const double dz = zi - at.z[j];
    x[l] = dx - all.edge[0] * nearest(dx * inverse_x);
    y[l] = dy - all.edge[1] * nearest(dy * inverse_y);
    z[l] = dz - all.edge[2] * nearest(dz * inverse_z);
    r2[l] = x[l] * x[l] + y[l] * y[l] + z[l] * z[l];
  }
  const double limit = all.range.cutoff * all.range.cutoff;
  int k = near.count;
  for (int l = 0; l < count; ++l) {
    near.x[k] = x[l];
    near.y[k] = y[l];
    near.z[k] = z[l];
    near.r2[k] = r2[l];
    near.charge[k] = at.charge[partners[l]];
    k += r2[l] < limit ? 1 : 0;
  }
  near.count = k;
}

/// Moves the pairs that did not fill eight lanes to the front.
TAUT_INLINE void keep_rest(Packed& near, int done) {
  const int rest = near.count - done;
  for (double* column : {near.x, near.y, near.z, near.r2, near.charge})
    for (int l = 0; l < lanes; ++l) column[l] = column[done + l];
  near.count = rest;
}

template <bool lennard_jones, bool coulomb, bool powers>
TAUT_INLINE void add_near(const PairLaw& law, const PairSegment& segment, const PairNeighbours& all,
                          const PairColumns& at, int i, Packed& near, LaneSums& sums) {
  const double c = law.coulomb * at.charge[i];
  near.count = 0;
  for (int k = segment.begin; k < segment.end; k += strip) {
    pack(all, all.partners + k, std::min(strip, segment.end - k), i, at, near);
    int j = 0;
    for (; j + lanes <= near.count; j += lanes)
      add_packed<lennard_jones, coulomb, powers>(law, all.range, c, near, j, lanes, sums);
    keep_rest(near, j);
  }
  if (near.count > 0)
    add_packed<lennard_jones, coulomb, powers>(law, all.range, c, near, 0, near.count, sums);
}

TAUT_INLINE void write_neighbours_with(const PairNeighbours& all, int begin, int end,
                                       const PairColumns& at, PairSums& to) {
  Packed near;
  for (int i = begin; i < end; ++i) {
    LaneSums sums;
    for (int s = all.first[i - begin]; s < all.first[i - begin + 1]; ++s) {
      const PairSegment& segment = all.segments[s];
      const PairLaw& law = all.laws[segment.law];
      TAUT_WITH_TERMS(law, add_near, segment, all, at, i, near, sums);
    }
    to.x[i] = sum(sums.x);
    to.y[i] = sum(sums.y);
    to.z[i] = sum(sums.z);
    to.energy += sum(sums.energy) / 2.0;
  }
}

// ---- instruction sets ---------------------------------------------------------------------------

#undef TAUT_LANES
#undef TAUT_INLINE
#undef TAUT_WITH_TERMS

#define TAUT_PAIR_KERNEL(name, attribute)                                               \
  attribute void add_table_##name(const PairTable& table, int begin, int end,           \
                                  const PairColumns& at, PairSums& to) {                \
    add_table_with(table, begin, end, at, to);                                          \
  }                                                                                     \
  attribute void write_neighbours_##name(const PairNeighbours& all, int begin, int end, \
                                         const PairColumns& at, PairSums& to) {         \
    write_neighbours_with(all, begin, end, at, to);                                     \
  }

TAUT_PAIR_KERNEL(v1, )

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)

TAUT_PAIR_KERNEL(v3, [[gnu::target("arch=x86-64-v3")]])
TAUT_PAIR_KERNEL(v4, [[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]])

std::vector<PairKernel> find_kernels() {
  std::vector<PairKernel> found{{add_table_v1, write_neighbours_v1}};
  if (__builtin_cpu_supports("x86-64-v3")) found.push_back({add_table_v3, write_neighbours_v3});
  if (__builtin_cpu_supports("x86-64-v4")) found.push_back({add_table_v4, write_neighbours_v4});
  return found;
}

#else

std::vector<PairKernel> find_kernels() { return {{add_table_v1, write_neighbours_v1}}; }

#endif

}  // namespace

const std::vector<PairKernel>& pair_kernels() {
  static const std::vector<PairKernel> kernels = find_kernels();
  return kernels;
}

}  // namespace taut
