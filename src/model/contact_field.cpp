// SPDX-License-Identifier: BSD-3-Clause
#include "model/contact_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/workers.hpp"
#include "model/elements/space.hpp"
#include "model/evaluation_fields.hpp"

namespace taut {

using elements::cross;
using elements::dot;
using elements::Vec3;

namespace {

Vec3 column_of(const Vec& q, int first) { return {q[first], q[first + 1], q[first + 2]}; }

}  // namespace

/// One contact as one side of it sees it.
struct ContactField::Touch {
  double u = 0.0, k = 0.0;
  Vec3 n{};         // in which the first side is pushed
  Vec3 arm{};       // from its centre to where they touch
  Vec3 velocity{};  // of its centre, relative to that of the other
  Vec3 sliding{};   // of its material where they touch, relative to the other's
};

ContactField::ContactField(Setup setup) : s_{std::move(setup)} {
  kinds_.kind.assign(s_.spheres.size(), 0);
  kinds_.excluded.resize(s_.spheres.size());
  kinds_.laws.push_back({.label = s_.label});
  // kind s - 1 for the side s: partners stand on the other side, or on both
  kinds_.kinds = 3;
  for (int a = 1; a <= 3; ++a)
    for (int b = 1; b <= 3; ++b) {
      const bool meet = ((a & 1) != 0 && (b & 2) != 0) || ((a & 2) != 0 && (b & 1) != 0);
      kinds_.law.push_back(meet ? 0 : -1);
    }
  for (std::size_t i = 0; i < s_.spheres.size(); ++i) {
    kinds_.kind[i] = s_.side[i] - 1;
    largest_radius_ = std::max(largest_radius_, s_.spheres[i].radius);
    first_.push_back(s_.spheres[i].first);
    radius_.push_back(s_.spheres[i].radius);
  }
}

ContactField::Scratch ContactField::scratch() const {
  Scratch made;
  const std::size_t n = s_.spheres.size();
  if (!s_.plane)
    for (std::vector<double>& column : made.x) column.assign(n, 0.0);
  made.energy.assign(n / PairList::chunk + 1, 0.0);
  made.power = made.energy;
  made.seen.resize(made.energy.size());
  return made;
}

void ContactField::Seen::add(const Seen& other) {
  contacts += other.contacts;
  force = std::max(force, other.force);
  load += other.load;
  penetration = std::max(penetration, other.penetration);
  power += other.power;
}

// Of q or v.
Vec3 ContactField::read(const Vec& x, std::size_t i) const {
  const int first = first_[i];
  return {x[first], x[first + 1], s_.dimension == 3 ? x[first + 2] : 0.0};
}

// ω = 1/2 Σ r_c x r_c'
Vec3 ContactField::omega(const Arguments& at, std::size_t i) const {
  const Sphere& sphere = s_.spheres[i];
  if (sphere.angle >= 0) return {0.0, 0.0, at.v[sphere.angle]};
  Vec3 sum{};
  if (sphere.column[0] < 0) return sum;
  for (const int first : sphere.column) {
    const Vec3 turned = cross(column_of(at.q, first), column_of(at.v, first));
    for (std::size_t c = 0; c < 3; ++c) sum[c] += 0.5 * turned[c];
  }
  return sum;
}

// (2) on one side; energy and power of both are shared out
void ContactField::push(const Touch& t, double share, Sums& to) const {
  to.any = true;
  const double m = s_.exponent;
  const double power = m == 1.0 ? t.u : m == 1.5 ? t.u * std::sqrt(t.u) : std::pow(t.u, m);
  const double elastic = t.k * power;
  const double rate = -dot(t.velocity, t.n);
  double N = elastic;
  if (s_.damping > 0.0) {
    const double factor = 1.0 + s_.damping * rate;
    N *= s_.dashpot > 0.0 ? factor : std::max(0.0, factor);
  }
  if (s_.dashpot > 0.0) N = std::max(0.0, N + s_.dashpot * rate);
  for (std::size_t c = 0; c < 3; ++c) to.force[c] += N * t.n[c];
  to.energy += share * elastic * t.u / (m + 1.0);
  to.power -= share * (N - elastic) * rate;
  to.seen.add({.contacts = share,
               .force = N,
               .load = share * N,
               .penetration = t.u,
               .power = -share * N * rate});
  if (s_.friction == 0.0) return;
  const double across = dot(t.sliding, t.n);
  Vec3 w = t.sliding;
  for (std::size_t c = 0; c < 3; ++c) w[c] -= across * t.n[c];
  const double w2 = dot(w, w);
  const double per_speed = s_.friction * N / std::sqrt(w2 + s_.friction_speed * s_.friction_speed);
  Vec3 F{};
  for (std::size_t c = 0; c < 3; ++c) F[c] = -per_speed * w[c];
  const Vec3 turn = cross(t.arm, F);
  for (std::size_t c = 0; c < 3; ++c) {
    to.force[c] += F[c];
    to.torque[c] += turn[c];
  }
  to.power -= share * per_speed * w2;
  to.seen.power -= share * per_speed * w2;
}

void ContactField::add_pair(const Arguments& at, const Scratch& s, std::size_t i, std::size_t j,
                            Sums& to) const {
  const double R_i = radius_[i], R_j = radius_[j];
  const double dx = s.x[0][i] - s.x[0][j], dy = s.x[1][i] - s.x[1][j], dz = s.x[2][i] - s.x[2][j];
  const double r2 = dx * dx + dy * dy + dz * dz, reach = R_i + R_j;
  if (!(r2 < reach * reach)) return;
  const double r = std::sqrt(r2);
  Touch t{.u = reach - r, .k = s_.stiffness, .n = {dx / r, dy / r, dz / r}};
  if (!(t.u > 0.0)) return;
  if (t.k == 0.0) t.k = 4.0 / 3.0 * s_.modulus * std::sqrt(R_i * R_j / reach);
  const Vec3 v_i = read(at.v, i), v_j = read(at.v, j);
  for (std::size_t c = 0; c < 3; ++c) t.velocity[c] = v_i[c] - v_j[c];
  if (s_.friction > 0.0) {
    Vec3 arm_j{};
    for (std::size_t c = 0; c < 3; ++c) {
      t.arm[c] = (t.u / 2.0 - R_i) * t.n[c];
      arm_j[c] = (R_j - t.u / 2.0) * t.n[c];
    }
    const Vec3 own = cross(omega(at, i), t.arm), other = cross(omega(at, j), arm_j);
    for (std::size_t c = 0; c < 3; ++c) t.sliding[c] = t.velocity[c] + own[c] - other[c];
  }
  push(t, 0.5, to);
}

void ContactField::add_plane(const Arguments& at, std::size_t i, Sums& to) const {
  const Vec3 x = read(at.q, i);
  double distance = 0.0;
  for (std::size_t c = 0; c < 3; ++c) distance += s_.normal[c] * (x[c] - s_.at[c]);
  const double u = radius_[i] - distance;
  if (!(u > 0.0) && u == u) return;
  Touch t{.u = u, .k = s_.stiffness, .n = s_.normal, .velocity = read(at.v, i)};
  if (t.k == 0.0) t.k = 4.0 / 3.0 * s_.modulus * std::sqrt(radius_[i]);
  if (s_.friction > 0.0) {
    for (std::size_t c = 0; c < 3; ++c) t.arm[c] = (t.u / 2.0 - radius_[i]) * t.n[c];
    const Vec3 own = cross(omega(at, i), t.arm);
    for (std::size_t c = 0; c < 3; ++c) t.sliding[c] = t.velocity[c] + own[c];
  }
  push(t, 1.0, to);
}

// Each sphere has places of its own in f: chunks may be summed at the same time.
bool ContactField::sum(const Arguments& at, Scratch& s, double* f) const {
  const auto n = static_cast<int>(first_.size());
  const PairReach reach{.range = {.from = 0.0, .cutoff = 2.0 * largest_radius_}, .edge = {}};
  if (!s_.plane) {
    for (std::size_t i = 0; i < first_.size(); ++i) {
      const Vec3 x = read(at.q, i);
      for (std::size_t c = 0; c < 3; ++c) s.x[c][i] = x[c];
    }
    const PairColumns columns{s.x[0].data(), s.x[1].data(), s.x[2].data(), nullptr};
    if (!s.list.update(kinds_, reach, columns, PairList::Partners::all)) return false;
  }
  const int chunks = (n + PairList::chunk - 1) / PairList::chunk;
  const auto one = [&](int k) {
    const int begin = k * PairList::chunk, end = std::min(begin + PairList::chunk, n);
    PairNeighbours near{};
    if (!s_.plane) near = s.list.neighbours(kinds_);
    double energy = 0.0, power = 0.0;
    Seen seen;
    for (int i = begin; i < end; ++i) {
      const auto own = static_cast<std::size_t>(i);
      Sums sums;
      if (s_.plane) {
        add_plane(at, own, sums);
      } else {
        for (int g = near.first[i]; g < near.first[i + 1]; ++g)
          for (int p = near.segments[g].begin; p < near.segments[g].end; ++p)
            add_pair(at, s, own, static_cast<std::size_t>(near.partners[p]), sums);
      }
      if (!sums.any) continue;
      if (f != nullptr) write(at, own, sums, f);
      energy += sums.energy;
      power += sums.power;
      seen.add(sums.seen);
    }
    s.energy[static_cast<std::size_t>(k)] = energy;
    s.power[static_cast<std::size_t>(k)] = power;
    s.seen[static_cast<std::size_t>(k)] = seen;
  };
  // of less, waking threads costs more than they save
  constexpr int fewest_chunks_to_share = 8;
  if (s_.plane || chunks < fewest_chunks_to_share)
    for (int k = 0; k < chunks; ++k) one(k);
  else
    share_work(chunks, one);
  return true;
}

// A torque τ on a body is τ x r_c / 2 on each column, as in Trace::torque().
void ContactField::write(const Arguments& at, std::size_t i, const Sums& sums, double* f) const {
  for (int c = 0; c < s_.dimension; ++c)
    f[first_[i] + c] += sums.force[static_cast<std::size_t>(c)];
  if (s_.friction == 0.0) return;
  const Sphere& sphere = s_.spheres[i];
  if (sphere.angle >= 0) f[sphere.angle] += sums.torque[2];
  if (sphere.column[0] < 0) return;
  for (const int first : sphere.column) {
    const Vec3 on = cross(sums.torque, column_of(at.q, first));
    for (int c = 0; c < 3; ++c) f[first + c] += 0.5 * on[static_cast<std::size_t>(c)];
  }
}

namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

double total(bool found, const std::vector<double>& of_chunks) {
  return found ? std::accumulate(of_chunks.begin(), of_chunks.end(), 0.0) : nowhere;
}

}  // namespace

double ContactField::lost(const Arguments& at, Scratch& scratch) const {
  const bool found = sum(at, scratch, nullptr);
  return total(found, scratch.power);
}

ContactField::Seen ContactField::seen(const Arguments& at, Scratch& scratch) const {
  Seen all;
  if (!sum(at, scratch, nullptr)) return {nowhere, nowhere, nowhere, nowhere, nowhere};
  for (const Seen& chunk : scratch.seen) all.add(chunk);
  return all;
}

void ContactField::add(Needs wanted, const Arguments& at, Scratch& scratch, Evaluation& out) const {
  bool summed = false, found = false;
  for (const Target target : {Target::force, Target::momentum_force}) {
    if (!asks(wanted, target)) continue;
    double* const f = values_of(target, out);
    found = sum(at, scratch, f);
    summed = true;
    if (!found) f[first_.front()] = nowhere;
  }
  if (!asks(wanted, Target::potential_energy)) return;
  if (!summed) found = sum(at, scratch, nullptr);
  out.potential_energy += total(found, scratch.energy);
}

std::string ContactField::culprit(const Vec& q) const {
  const Vec at_rest = Vec::Zero(q.size());
  const Arguments at{.q = q, .v = at_rest};
  for (std::size_t i = 0; i < first_.size(); ++i)
    for (const double x : read(q, i))
      if (!std::isfinite(x)) return fmt::format("{}: position of {}", s_.label, s_.spheres[i].name);
  Scratch scratch = this->scratch();
  Vec f = at_rest;
  static_cast<void>(sum(at, scratch, f.data()));
  for (std::size_t i = 0; i < first_.size(); ++i)
    for (const double x : read(f, i))
      if (!std::isfinite(x)) return fmt::format("{}: {}", s_.label, s_.spheres[i].name);
  return {};
}

}  // namespace taut
