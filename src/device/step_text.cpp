// SPDX-License-Identifier: BSD-3-Clause
// lanes::LaneRungeKutta for one run, as text. What is decided there by the numbers of a lane is
// decided here by the same numbers; names are the same, too.
#include "device/step_text.hpp"

namespace taut::device {

const std::string_view before_model = R"cuda(
#ifdef __CUDACC__
#define TAUT_INLINE __device__ __forceinline__
#define TAUT_APART __device__ __noinline__
#define TAUT_INFINITY __longlong_as_double(0x7ff0000000000000LL)
#define TAUT_NAN __longlong_as_double(0x7ff8000000000000LL)
TAUT_INLINE void taut_sincos(double x, double& s, double& c) { sincos(x, &s, &c); }
#else
#include <math.h>
#define TAUT_INLINE static inline __attribute__((always_inline))
#define TAUT_APART static __attribute__((noinline))
#define TAUT_INFINITY __builtin_inf()
#define TAUT_NAN __builtin_nan("")
TAUT_INLINE void taut_sincos(double x, double& s, double& c) {
  s = sin(x);
  c = cos(x);
}
#endif
#ifdef TAUT_BIG
#define TAUT_MODEL TAUT_APART
#else
#define TAUT_MODEL TAUT_INLINE
#endif

struct Constraints {
  double g[NC1], g_with[NC1], G_with[NG1], g_t_with[NC1], G[NG1], g_t[NC1], G_alone[NG1];
};
struct Row {
  double kinetic, potential, finite;
  double observables[NO1];
};
struct Kept {
  double G[NG1], g_t[NC1];
};
)cuda";

const std::string_view behind_model = R"cuda(
TAUT_INLINE double taut_least(double a, double b) { return b < a ? b : a; }
TAUT_INLINE double taut_most(double a, double b) { return a < b ? b : a; }
TAUT_INLINE bool taut_finite(double x) { return x - x == 0.0; }

// in the order of Eigen
TAUT_INLINE double taut_dot(const double* x, const double* y) {
  constexpr int one = PACKET, two = 2 * PACKET, by_two = NQ / two * two, by_one = NQ / one * one;
  double total;
  int left;
  if (by_one == 0) {
    total = x[0] * y[0];
    left = 1;
  } else {
    double sums[two] = {};
    const int begun = by_one > one ? two : one;
#pragma unroll
    for (int i = 0; i < begun; ++i) sums[i] = x[i] * y[i];
#pragma unroll
    for (int i = two; i < by_two; ++i) sums[i % two] += x[i] * y[i];
    if (begun == two) {
#pragma unroll
      for (int p = 0; p < one; ++p) sums[p] += sums[p + one];
    }
    if (by_one > by_two && by_one > one) {
#pragma unroll
      for (int p = 0; p < one; ++p) sums[p] += x[(by_two + p) % NQ] * y[(by_two + p) % NQ];
    }
#pragma unroll
    for (int half = one / 2; half > 0; half /= 2) {
#pragma unroll
      for (int p = 0; p < half; ++p) sums[p] += sums[p + half];
    }
    total = sums[0];
    left = by_one;
  }
  for (int i = left; i < NQ; ++i) total += x[i] * y[i];
  return total;
}

TAUT_INLINE double taut_distance(const double* x, const double* y) {
  double d[NQ];
#pragma unroll
  for (int i = 0; i < NQ; ++i) d[i] = x[i] - y[i];
  return taut_dot(d, d);
}

// Secants: X are the steps that are kept
struct Secants {
  double X[6][NQ], squares[6];
  int kept;
};

TAUT_APART void taut_secant(Secants& s, const double* first, const double* z, int pulls,
                            double* step) {
  if (pulls == 1) {
    for (int i = 0; i < NQ; ++i) s.X[0][i] = first[i];
    s.kept = 1;
  }
  if (s.kept == 6) s.kept = 0;
  int k = s.kept;
  for (int i = 0; i < NQ; ++i) s.X[k][i] = z[i];
  if (k > 0) s.squares[k - 1] = taut_dot(s.X[k - 1], s.X[k - 1]);
  for (int j = 0; j + 1 < k; ++j) {
    const double c = taut_dot(s.X[j], s.X[k]) / s.squares[j];
    for (int i = 0; i < NQ; ++i) s.X[k][i] += c * s.X[j + 1][i];
  }
  if (k > 0) {
    const double c = taut_dot(s.X[k - 1], s.X[k]) / s.squares[k - 1];
    if (c <= 0.8) {
      for (int i = 0; i < NQ; ++i) s.X[k][i] /= 1.0 - c;
    } else {
      for (int i = 0; i < NQ; ++i) s.X[0][i] = s.X[k][i];
      k = 0;
    }
  }
  for (int i = 0; i < NQ; ++i) step[i] = s.X[k][i];
  s.kept = k + 1;
}

// What evaluations say of themselves. Where constraints come closer to depending on each other
// than a hundredth of what they were, the run is left to others.
struct Health {
  bool sound, dependent;
  double least_dependence;
};

TAUT_INLINE void taut_evaluate(long long n, const double* in, const double* q, const double* v,
                               double t, double* a, double* lambda, double* factors, Health& y) {
  double health, dependence, least;
  acceleration(n, in, q, v, t, a, lambda, factors, health, dependence, least);
  y.sound = y.sound & (health == 1.0) & (least > 0.0) & (dependence < MOST_DEPENDENCE);
  y.least_dependence = dependence < y.least_dependence ? dependence : y.least_dependence;
  y.dependent = y.dependent | (dependence > 100.0 * y.least_dependence);
}

// AdaptiveRungeKutta::weighted_square() at the start
TAUT_INLINE double taut_first_square(const double* q, const double* v, const double* dq,
                                     const double* dv, double tol) {
  double sum = 0.0;
#pragma unroll
  for (int i = 0; i < NQ; ++i) {
    const double b = dv[i] / (1.0 + fabs(v[i])), a = dq[i] / (1.0 + fabs(q[i]));
    sum += i >= PLACES ? b * b : a * a + b * b;
  }
  return sum / (tol * tol);
}

TAUT_INLINE double taut_weighted_square(const double* dq, const double* dv, const double* q,
                                        const double* v, const double* q1, const double* v1,
                                        double tol) {
  double sum = 0.0;
#pragma unroll
  for (int i = 0; i < NQ; ++i) {
    const double b = dv[i] / (1.0 + taut_most(fabs(v[i]), fabs(v1[i])));
    if (i < PLACES) {
      const double a = dq[i] / (1.0 + taut_most(fabs(q[i]), fabs(q1[i])));
      sum += a * a + b * b;
    } else {
      sum += b * b;
    }
  }
  return sum / (tol * tol);
}

TAUT_INLINE double taut_norm(const double* x) { return sqrt(taut_dot(x, x)); }

TAUT_INLINE double taut_rate_of_change(const double* place, const double* velocity,
                                       const double* a) {
  const double v = taut_norm(velocity), q = taut_norm(place), size = taut_norm(a);
  const double turning = v > 0.0 ? size / v : 0.0;
  const double falling = q > 0.0 ? sqrt(size / q) : 0.0;
  return taut_most(taut_most(v > 0.0 && q > 0.0 ? v / q : 0.0, taut_least(turning, falling)),
                   falling / 10);
}

#if NC > 0
// Projection::position(), then velocity(). False where they do not get there.
TAUT_MODEL bool taut_pull(long long n, const double* in, const double* scale,
                          const double* factors, double t1, double* q1, double* v1) {
  double s[NC], x[NQ], x_first[NQ];
  Secants secants;
  Kept kept;
  double first = 0.0, before = 0.0, expected = TAUT_INFINITY;
  double v_given[NQ];
#pragma unroll
  for (int i = 0; i < NQ; ++i) v_given[i] = v1[i];
  for (int pulls = 0;; ++pulls) {
    Constraints c;
    constraints(n, in, q1, v_given, t1, c);
    const bool with_also = expected <= POSITION_TOLERANCE;
    double now = 0.0;
#pragma unroll
    for (int r = 0; r < NC; ++r) {
      const double g = with_also ? c.g_with[r] : c.g[r], size = fabs(g) * scale[r];
      now = ((size > now) | (size != size)) ? size : now;
      s[r] = -g;
    }
    if (pulls == 0) first = now;
    const bool stagnates = pulls > 0 && now > 0.5 * before;
    if (now <= POSITION_TOLERANCE || (stagnates && at_rounding_level(c, with_also, scale, q1))) {
      double finite = 0.0;
#pragma unroll
      for (int p = 0; p < NG; ++p) {
        kept.G[p] = with_also ? c.G_with[p] : c.G[p];
        finite += 0.0 * kept.G[p];
      }
#pragma unroll
      for (int r = 0; r < NC; ++r) {
        kept.g_t[r] = with_also ? c.g_t_with[r] : c.g_t[r];
        finite += 0.0 * kept.g_t[r];
      }
      if (finite != 0.0) return false;
      break;
    }
    if (!taut_finite(now) || now > 100.0 * first || pulls == 30) return false;
    expected = pulls > 0 ? now * now / before : 1e-2 * now;
    before = now;
    solution(n, in, factors, s, x);
    if (pulls == 0) {
#pragma unroll
      for (int i = 0; i < NQ; ++i) {
        q1[i] += x[i];
        x_first[i] = x[i];
      }
    } else {
      double step[NQ];
      taut_secant(secants, x_first, x, pulls, step);
      for (int i = 0; i < NQ; ++i) q1[i] += step[i];
    }
  }
  double least = 0.0;
  for (int pulls = 0;; ++pulls) {
    double most = 0.0, now = 0.0;
#pragma unroll
    for (int i = 0; i < NQ; ++i) most = taut_most(most, fabs(v1[i]));
    // what is left of a body at rest is compared with its velocity before
    if (pulls == 0) least = 1e-3 * most;
    most = taut_most(least, most);
    velocity_residual(kept, v1, most, s, now);
    const bool stagnates = pulls > 0 && now > 0.5 * before;
    if (now <= 4.0 * EPSILON || (stagnates && now <= 100.0 * EPSILON)) return true;
    if (!taut_finite(now) || stagnates || pulls == 30) return false;
    before = now;
    solution(n, in, factors, s, x);
#pragma unroll
    for (int i = 0; i < NQ; ++i) v1[i] += x[i];
  }
}
#endif

// 0: to be done in the usual way, 1: done, 2: its start is off the constraints
TAUT_INLINE int taut_run(long long n, const double* in, double* out) {
  double q[NQ], v[NQ], q1[NQ], v1[NQ], q_stage[NQ], kq[STAGES + 1][NQ], kv[STAGES + 1][NQ];
  double lambda[NC1], lambda1[NC1], factors[NF1], scale[NC1];
  double t, until, tol, most, consistent;
  load(n, in, q, v, t, until, tol, most, consistent, scale);
  const double t_start = t;
  Health y = {true, false, TAUT_INFINITY};
  int steps = 0, rejected = 0, evaluations = 1, attempts = 0;
  int stiff_steps = 0, easy_steps = 0, next_try = TRY_AFTER;
  Row row;
  if (!(until > t)) return 0;

  // the first row
  taut_evaluate(n, in, q, v, t, kv[0], lambda, factors, y);
#pragma unroll
  for (int i = 0; i < NQ; ++i) kq[0][i] = v[i];
  row_of(n, in, q, v, t, kv[0], lambda, row);
  if (!y.sound || row.finite != 0.0) return 0;
  const double first_potential = row.potential;
  const double first_energy = row.kinetic + row.potential;
  double energy_change = 0.0, potential_change = 0.0;
  double kinetic_most = taut_most(0.0, row.kinetic);
  double energies_most = taut_most(0.0, row.kinetic + fabs(row.potential));

#if NC > 0
  // whether consistent_start() would leave the start where it is
  {
    Constraints c;
    constraints(n, in, q, v, t, c);
    double residual = 0.0, missing = 0.0, size = 0.0, speed = 0.0;
#pragma unroll
    for (int i = 0; i < NQ; ++i) speed = taut_most(speed, fabs(v[i]));
    settled(c, v, scale, residual, missing, size);
    constexpr double enough = 16.0 * EPSILON;
    const bool is_settled = residual <= enough / 2 && missing <= enough / 2 * size;
    if (!is_settled && consistent == 0.0) return 2;
    if (!(residual <= 1e-8) || !(missing <= 1e-10 * speed)) return 0;
  }
#endif

  // an Euler step for the length of the first
  double h_next, last_error = 1e-4;
  {
    const double bound = taut_least(most, fabs(until - t));
    const double slope = taut_first_square(q, v, v, kv[0], tol);
    const double size = taut_first_square(q, v, q, v, tol);
    const double guess =
        slope <= 1e-10 || size <= 1e-10 ? 1e-6 : 0.01 * sqrt(size / slope);
    const double h = taut_least(bound, guess);
#pragma unroll
    for (int i = 0; i < NQ; ++i) {
      q1[i] = q[i] + h * v[i];
      v1[i] = v[i] + h * kv[0][i];
    }
    double a[NQ], dq[NQ], dv[NQ];
    taut_evaluate(n, in, q1, v1, t + h, a, lambda1, factors, y);
    ++evaluations;
    if (!y.sound) return 0;
#pragma unroll
    for (int i = 0; i < NQ; ++i) {
      dq[i] = v1[i] - v[i];
      dv[i] = -kv[0][i] + a[i];
    }
    const double bend = sqrt(taut_first_square(q, v, dq, dv, tol)) / fabs(h);
    const double typical = taut_most(bend, sqrt(slope));
    const double next = typical <= 1e-15 ? taut_most(1e-6, 1e-3 * fabs(h))
                                         : pow(0.01 / typical, 1.0 / ORDER);
    h_next = copysign(taut_least(taut_least(100.0 * fabs(h), next), bound), h);
  }

  bool repeated = false;
  double h = 0.0;
  while (!(t >= until)) {
    // StepLengths::clipped()
    {
      const double rest = until - t, length = copysign(taut_least(fabs(h_next), most), h_next);
      const double stretch = fabs(h_next) < most ? 1.01 : 1.0 + 1e-9;
      h = 2.0 * fabs(length) > fabs(rest) ? rest / 2 : length;
      if (stretch * fabs(length) >= fabs(rest)) h = rest;
    }
    const double resolution =
        taut_most(10.0 * EPSILON * fabs(t), EPSILON * fabs(until - t_start));
    const bool last = h == until - t;
    if (!taut_finite(h) || (!(fabs(h) > resolution) && (!last || repeated))) return 0;
    if (++attempts > MOST_ATTEMPTS) return 0;
    evaluations += STAGES - 1;
    const double t1 = last ? until : t + h;
    y.dependent = false;

    take_stages(n, in, q, v, t, h, q_stage, kq, kv, lambda1, factors, y, q1, v1);
    double error = 0.0;
    for (int turn = 0; turn < 2; ++turn) {
      if ((turn == 0) == (EARLY != 0)) {
        double dq[NQ], dv[NQ];
        fine_estimate(kq, kv, dq, dv);
        const double fine = taut_weighted_square(dq, dv, q, v, q1, v1, tol);
        constexpr double terms = PLACES + NQ;
#if CRUDE
        crude_estimate(kq, kv, dq, dv);
        const double crude = taut_weighted_square(dq, dv, q, v, q1, v1, tol);
        const double both = fine + 0.01 * crude;
        error = both == 0.0 ? 0.0 : fabs(h) * fine / sqrt(terms * both);
#else
        error = fabs(h) * sqrt(fine / terms);
#endif
        continue;
      }
      if (!y.sound) return 0;
      if (EARLY != 0 && !(error <= 1.0)) continue;
#if NC > 0
      if (!taut_pull(n, in, scale, factors, t1, q1, v1)) return 0;
#endif
#pragma unroll
      for (int i = 0; i < NQ; ++i) kq[STAGES][i] = v1[i];
      taut_evaluate(n, in, q1, kq[STAGES], t1, kv[STAGES], lambda1, factors, y);
      ++evaluations;
      if (!y.sound) return 0;
    }
    if (!taut_finite(error) || y.dependent) return 0;
    const bool good = error <= 1.0;
    // SingularDodge far from singular positions
    {
      double acceleration = 0.0;
#if NC > 0
#pragma unroll
      for (int i = 0; i < NQ; ++i) acceleration = taut_most(acceleration, fabs(kv[0][i]));
#endif
      const double noise = fabs(h) * EPSILON * (1.0 + acceleration);
      if (good ? !last && noise > tol : noise > 0.03 * tol) return 0;
    }
    const double power = error == 0.0 ? 0.0 : SAFETY * pow(error, -EXPONENT);
    if (!good) {
      ++rejected;
      repeated = true;
      h_next = h * taut_most(SHRINK, power);
      continue;
    }
    double rate_change = 0.0, rate_distance = 0.0;
#if AUTOMATIC
    rate_change = taut_distance(kq[STAGES], kq[STAGES - 1]) +
                  taut_distance(kv[STAGES], kv[STAGES - 1]);
    rate_distance = taut_distance(q1, q_stage) + taut_distance(v1, kq[STAGES - 1]);
#endif
    // StepLengths::accept()
    {
#if WITH_BETA
      const double wanted = error == 0.0 ? GROW : power * pow(last_error, BETA);
#else
      const double wanted = error == 0.0 ? GROW : power;
#endif
      double factor = wanted < SHRINK ? SHRINK : GROW < wanted ? GROW : wanted;
      if (repeated) factor = taut_least(factor, 1.0);
      const bool cut = !repeated && fabs(h) < fabs(h_next);
      h_next = cut ? copysign(taut_most(fabs(h * factor), fabs(h_next)), h) : h * factor;
      last_error = taut_most(error, 1e-4);
    }
    repeated = false;
    ++steps;
    row_of(n, in, q1, v1, t1, kv[STAGES], lambda1, row);
    if (row.finite != 0.0) return 0;
    const double energy = row.kinetic + row.potential;
    energy_change = taut_most(energy_change, fabs(energy - first_energy));
    potential_change = taut_most(potential_change, fabs(row.potential - first_potential));
    kinetic_most = taut_most(kinetic_most, row.kinetic);
    energies_most = taut_most(energies_most, row.kinetic + fabs(row.potential));
#if AUTOMATIC
    {
      const double rate = rate_distance > 0.0 ? sqrt(rate_change / rate_distance) : 0.0;
      const double length = fabs(t1 - t), product = length * rate;
      if (product > STABLE) {
        easy_steps = 0;
        if (++stiff_steps >= SURE_AFTER) return 0;
      } else if (++easy_steps >= 6) {
        stiff_steps = 0;
      }
      if (steps >= next_try && product > WORTH_TRYING) {
        next_try = steps + LOOK_EVERY;
        const double motion = taut_rate_of_change(q1, v1, kv[STAGES]);
        if (product > SEPARATED * length * motion) return 0;
      }
    }
#endif
    t = t1;
#pragma unroll
    for (int i = 0; i < NQ; ++i) {
      q[i] = q1[i];
      v[i] = v1[i];
      kq[0][i] = kq[STAGES][i];
      kv[0][i] = kv[STAGES][i];
    }
#pragma unroll
    for (int r = 0; r < NC; ++r) lambda[r] = lambda1[r];
  }
#if CONSERVATIVE
  if (energy_change > 64.0 * EPSILON * energies_most &&
      !(energy_change <= 0.01 * taut_most(potential_change, kinetic_most)))
    return 0;
#endif
  measure(n, row, lambda, t, attempts, rejected, evaluations, out);
  return 1;
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(BLOCK)
    taut_runs(long long n, const double* __restrict__ in, double* __restrict__ out,
              unsigned char* __restrict__ how) {
  const long long run = static_cast<long long>(blockIdx.x) * BLOCK + threadIdx.x;
  if (run < n) how[run] = static_cast<unsigned char>(taut_run(n, in + run, out + run));
}
#else
extern "C" void taut_runs(long long n, const double* in, double* out, unsigned char* how) {
  for (long long run = 0; run < n; ++run)
    how[run] = static_cast<unsigned char>(taut_run(n, in + run, out + run));
}
#endif
)cuda";

}  // namespace taut::device
