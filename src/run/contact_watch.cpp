// SPDX-License-Identifier: BSD-3-Clause
#include "run/contact_watch.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

using formula::Enclosure;
using formula::Interval;

namespace {

constexpr double longest_piece = 4.0;  // how far a sphere gets in it, in radii of the largest
constexpr int most_pieces = 64;
constexpr std::size_t most_alone = 16;  // spheres that are compared with all others
constexpr double graze =
    1e-9;  // of the squared distance of centres: what is less deep is not looked for

std::size_t place(int i) { return static_cast<std::size_t>(i); }

/// Range of a function of ξ from its value and slope, which is tight where terms cancel.
Interval tight(Interval value, double middle, Interval rate, double seconds) {
  const double slope = rate.magnitude();
  return formula::intersection(value, {middle - slope * seconds, middle + slope * seconds});
}

}  // namespace

void ContactWatch::start(const CompiledSystem& compiled) {
  fields_.clear();
  for (const PairField& pairs : compiled.pairs())
    if (pairs.contacts() != nullptr) {
      Field field{.contacts = pairs.contacts()};
      const std::size_t n = field.contacts->setup().spheres.size();
      for (auto* columns : {&field.middle, &field.half})
        for (std::vector<double>& column : *columns) column.assign(n, 0.0);
      field.reach.assign(n, 0.0);
      fields_.push_back(std::move(field));
    }
}

Interval ContactWatch::gap(const Two& two, const Tube& tube, double c, double r) {
  const ContactField::Setup& setup = two.contacts->setup();
  const double seconds = r * tube.length() / 2;
  const ContactField::Sphere& a = setup.spheres[place(two.i)];
  Interval sum{0.0, 0.0};
  for (int k = 0; k < setup.dimension; ++k) {
    const Enclosure x = tube.q(a.first + k, c, r);
    if (two.j < 0) {
      const double n = setup.normal[place(k)], p = setup.at[place(k)];
      sum =
          sum + formula::point(n) * (tight(x.value, x.middle, x.rate, seconds) - formula::point(p));
      continue;
    }
    const Enclosure y = tube.q(setup.spheres[place(two.j)].first + k, c, r);
    sum = sum +
          formula::square(tight(x.value - y.value, x.middle - y.middle, x.rate - y.rate, seconds));
  }
  if (two.j < 0) return sum - formula::point(a.radius);
  const double reach = a.radius + setup.spheres[place(two.j)].radius;
  return sum - formula::point(reach * reach);
}

ContactWatch::Passed ContactWatch::look(const Tube& tube) {
  Passed passed;
  for (Field& field : fields_) look(field, tube, passed);
  return passed;
}

// Fills in where spheres are in a piece; the largest of how far they get.
double ContactWatch::spread(Field& field, const Tube& tube, Piece piece) const {
  const ContactField::Setup& setup = field.contacts->setup();
  const double c = (piece.from + piece.to) / 2, r = (piece.to - piece.from) / 2;
  double most = 0.0;
  for (std::size_t i = 0; i < setup.spheres.size(); ++i) {
    double square = 0.0;
    for (int k = 0; k < setup.dimension; ++k) {
      const Interval x = tube.q(setup.spheres[i].first + k, c, r).value;
      field.middle[place(k)][i] = (x.lo + x.hi) / 2;
      field.half[place(k)][i] = x.width() / 2;
      square += x.width() * x.width() / 4;
    }
    field.reach[i] = std::sqrt(square);
    most = std::max(most, field.reach[i]);
  }
  return most;
}

void ContactWatch::look(Field& field, const Tube& tube, Passed& passed) {
  const double far = longest_piece * field.contacts->largest_radius();
  const Piece whole;
  const double most = spread(field, tube, whole);
  field.far.clear();
  if (most > far && !field.contacts->setup().plane)
    for (std::size_t i = 0; i < field.reach.size() && field.far.size() <= most_alone; ++i)
      if (field.reach[i] > far) field.far.push_back(static_cast<int>(i));
  if (field.far.size() <= most_alone) {
    look_at_far(field, tube, passed);
    look_at_pairs(field, tube, whole, passed);
    return;
  }
  field.far.clear();
  if (!std::isfinite(most)) return;
  const double wanted = std::ceil(most / far);
  const int pieces = static_cast<int>(std::min<double>(wanted, most_pieces));
  const double width = 2.0 / wanted;
  for (int k = 0; k < pieces; ++k) {
    const Piece piece{-1.0 + k * width, std::min(1.0, -1.0 + (k + 1) * width)};
    static_cast<void>(spread(field, tube, piece));
    look_at_pairs(field, tube, piece, passed);
    if (passed.any && passed.t <= tube.time(piece.to)) return;
  }
  // nobody has looked any further
  if (wanted > most_pieces) {
    const double t = tube.time(-1.0 + pieces * width);
    if (!passed.any || t < passed.t) passed = {.any = true, .t = t, .length = t - tube.begin()};
  }
}

void ContactWatch::look_at_far(Field& field, const Tube& tube, Passed& passed) {
  const ContactField& contacts = *field.contacts;
  const std::vector<ContactField::Sphere>& spheres = contacts.setup().spheres;
  const auto is_far = [&](int i) {
    return std::binary_search(field.far.begin(), field.far.end(), i);
  };
  for (const int i : field.far)
    for (int j = 0; j < static_cast<int>(spheres.size()); ++j) {
      if (j == i || (j < i && is_far(j)) || contacts.kinds().law_of(i, j) < 0) continue;
      const double touch = spheres[place(i)].radius + spheres[place(j)].radius;
      bool near = true;
      for (std::size_t k = 0; k < 3; ++k)
        near &= std::abs(field.middle[k][place(i)] - field.middle[k][place(j)]) <=
                touch + field.half[k][place(i)] + field.half[k][place(j)];
      if (near) examine({&contacts, i, j}, tube, {}, passed);
    }
}

void ContactWatch::look_at_pairs(Field& field, const Tube& tube, Piece piece, Passed& passed) {
  const ContactField& contacts = *field.contacts;
  const auto n = static_cast<int>(contacts.setup().spheres.size());
  if (contacts.setup().plane) {
    for (int i = 0; i < n; ++i) examine({&contacts, i, -1}, tube, piece, passed);
    return;
  }
  double most = 0.0;
  const auto is_far = [&](int i) {
    return !field.far.empty() && std::binary_search(field.far.begin(), field.far.end(), i);
  };
  for (int i = 0; i < n; ++i)
    if (!is_far(i)) most = std::max(most, field.reach[place(i)]);
  // a list is kept as long as it is not much too wide
  const double widest = contacts.largest_radius();
  double further = widest / 8;
  while (further < most) further *= 2;
  const double cutoff = 2 * widest + 2 * further;
  if (cutoff > field.cutoff || cutoff < field.cutoff / 2) {
    field.list = {};
    field.cutoff = cutoff;
  }
  const PairColumns at{field.middle[0].data(), field.middle[1].data(), field.middle[2].data(),
                       nullptr};
  const PairReach reach{.range = {.from = 0.0, .cutoff = field.cutoff}, .edge = {}};
  if (!field.list.update(contacts.kinds(), reach, at)) return;
  const std::vector<ContactField::Sphere>& spheres = contacts.setup().spheres;
  const PairNeighbours near = field.list.neighbours(contacts.kinds());
  for (int i = 0; i < n; ++i)
    for (int s = near.first[i]; s < near.first[i + 1]; ++s)
      for (int p = near.segments[s].begin; p < near.segments[s].end; ++p) {
        const int j = near.partners[p];
        if (is_far(i) || is_far(j)) continue;
        const double touch = spheres[place(i)].radius + spheres[place(j)].radius +
                             field.reach[place(i)] + field.reach[place(j)];
        double square = 0.0;
        for (const std::vector<double>& x : field.middle) {
          const double d = x[place(i)] - x[place(j)];
          square += d * d;
        }
        if (square <= touch * touch) examine({&contacts, i, j}, tube, piece, passed);
      }
}

void ContactWatch::examine(const Two& two, const Tube& tube, Piece piece, Passed& passed) {
  const auto at = [&](double xi) { return gap(two, tube, xi, 0.0).lo; };
  const double c = (piece.from + piece.to) / 2, r = (piece.to - piece.from) / 2;
  if (gap(two, tube, c, r).lo > 0.0) return;
  const ContactField::Setup& setup = two.contacts->setup();
  const double R =
      setup.spheres[place(two.i)].radius + (two.j < 0 ? 0.0 : setup.spheres[place(two.j)].radius);
  const double shallow = graze * (two.j < 0 ? R : R * R);
  if (at(-1.0) <= -shallow || at(1.0) <= -shallow) return;  // the method has stood there
  open_.assign(1, piece);
  double inside = 2.0;
  while (!open_.empty()) {
    const Piece here = open_.back();
    open_.pop_back();
    const double middle = (here.from + here.to) / 2;
    const Interval g = gap(two, tube, middle, (here.to - here.from) / 2);
    if (g.lo > -shallow) continue;
    if (at(middle) < -shallow) {
      inside = middle;
      break;
    }
    if (g.width() <= shallow) continue;
    open_.push_back({middle, here.to});
    open_.push_back({here.from, middle});
  }
  if (inside > 1.0) return;
  // from apart to touching, and back
  const auto border = [&](double apart, double touching) {
    if (at(apart) < 0.0) return apart;
    for (int k = 0; k < 60; ++k) {
      const double middle = (apart + touching) / 2;
      (at(middle) < 0.0 ? touching : apart) = middle;
    }
    return apart;
  };
  const double first = tube.time(border(-1.0, inside)), last = tube.time(border(1.0, inside));
  if (!passed.any || first < passed.t)
    passed = {.any = true, .t = first, .length = (last - first) / 2};
}

}  // namespace taut
