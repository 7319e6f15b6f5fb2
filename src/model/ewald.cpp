// SPDX-License-Identifier: BSD-3-Clause
#include "model/ewald.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>

#include "core/workers.hpp"

// see spread_charges
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define TAUT_CLONES [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define TAUT_CLONES
#endif

namespace taut {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int narrow = 8, wide = 16;  // numbers of a row that are computed side by side
constexpr std::array<int, 5> orders{4, 6, 8, 12, 16};
constexpr int most_places = 512;  // along an edge
// errors of forces were measured up to five times as large as (7) says
constexpr double part_of_mesh = 12.0;

constexpr int charges_of_a_piece = 256;
constexpr int fewest_charges_to_share = 2000, most_slabs = 16;

int width_of(int order) { return order <= narrow ? narrow : wide; }
std::size_t size(int n) { return static_cast<std::size_t>(n); }

/// w[j] = M_p(f + p - 1 - j) for f between 0 and 1, and their derivatives.
void splines(int p, double f, double* w, double* derivative) {
  w[0] = 1.0 - f;
  w[1] = f;
  const auto raise = [&](int k) {
    w[k - 1] = f * w[k - 2] / (k - 1);
    for (int j = k - 2; j > 0; --j)
      w[j] = ((f + k - 1 - j) * w[j - 1] + (1.0 - f + j) * w[j]) / (k - 1);
    w[0] = (1.0 - f) * w[0] / (k - 1);
  };
  for (int k = 3; k < p; ++k) raise(k);
  derivative[0] = -w[0];
  for (int j = 1; j < p - 1; ++j) derivative[j] = w[j - 1] - w[j];
  derivative[p - 1] = w[p - 2];
  raise(p);
}

/// |b|² of an edge of n places.
std::vector<double> spline_factors(int p, int n) {
  std::vector<double> at(size(p)), derivative(size(p));
  splines(p, 0.0, at.data(), derivative.data());  // M_p(p - 1 - j)
  std::vector<double> result(size(n));
  for (int k = 0; k < n; ++k) {
    std::complex<double> sum = 0.0;
    for (int l = 1; l < p; ++l)
      sum += at[size(p - 1 - l)] * std::polar(1.0, 2.0 * pi * (k * l % n) / n);
    result[size(k)] = 1.0 / std::norm(sum);
  }
  return result;
}

/// Of (7), for one axis: the integral, without what stands before it.
double integral(double alpha, double width, int p) {
  const double end = pi / width;
  // E1(x) < exp(-x) log(1 + 1/x)
  const auto weight = [&](double k) {
    const double x = k * k / (2.0 * alpha * alpha);
    return std::exp(-x) * std::log1p(1.0 / x);
  };
  constexpr int parts = 200;
  double sum = 0.0;
  for (int n = 0; n < parts; ++n) {
    const double k = end * (n + 0.5) / parts;
    sum += weight(k) * std::pow(k / (2.0 * end - k), 2 * p - 2) * end / parts;
    sum += weight(k + end) * end / parts;
  }
  return sum;
}

/// What spreading and pulling share.
struct Grid {
  int order, row;
  std::array<int, 3> n;
  const double* weights;  // of the first charge
  const int* places;
};

/// The number of a row of places across which a charge is spread.
template <class Visit>
[[gnu::always_inline]] inline void for_each_row(const Grid& grid, const int* place,
                                                const Visit& visit) {
  for (int a = 0; a < grid.order; ++a) {
    const int x = place[0] + a < grid.n[0] ? place[0] + a : place[0] + a - grid.n[0];
    for (int b = 0; b < grid.order; ++b) {
      const int y = place[1] + b < grid.n[1] ? place[1] + b : place[1] + b - grid.n[1];
      visit(a, b, x, std::ptrdiff_t{x * grid.n[1] + y} * grid.row + place[2]);
    }
  }
}

/// (5) for planes from .. to - 1, in the order of the charges.
template <int width>
[[gnu::always_inline]] inline void spread_to(const Grid& grid, const double* charge, int charges,
                                             int from, int to, double* mesh) {
  for (int i = 0; i < charges; ++i) {
    const double* const w = grid.weights + std::ptrdiff_t{6 * width} * i;
    for_each_row(grid, grid.places + std::ptrdiff_t{3} * i, [&](int a, int b, int x, auto first) {
      if (x < from || x >= to) return;
      const double factor = charge[i] * w[a] * w[2 * width + b];
      double* __restrict const row = mesh + first;
      for (int l = 0; l < width; ++l) row[l] += factor * w[4 * width + l];
    });
  }
}

/// phi and its derivatives by u at charge i.
template <int width>
[[gnu::always_inline]] inline std::array<double, 4> pull_one(const Grid& grid, int i,
                                                             const double* mesh) {
  const double* const w = grid.weights + std::ptrdiff_t{6 * width} * i;
  alignas(64) double sums[3][width] = {};
  for_each_row(grid, grid.places + std::ptrdiff_t{3} * i, [&](int a, int b, int, auto first) {
    const double both = w[a] * w[2 * width + b];
    const double along_x = w[width + a] * w[2 * width + b];
    const double along_y = w[a] * w[3 * width + b];
    const double* __restrict const row = mesh + first;
    for (int l = 0; l < width; ++l) {
      sums[0][l] += both * row[l];
      sums[1][l] += along_x * row[l];
      sums[2][l] += along_y * row[l];
    }
  });
  std::array<double, 4> result{};
  for (int l = 0; l < width; ++l) {
    result[0] += sums[0][l] * w[4 * width + l];
    result[1] += sums[1][l] * w[4 * width + l];
    result[2] += sums[2][l] * w[4 * width + l];
    result[3] += sums[0][l] * w[5 * width + l];
  }
  return result;
}

// one body, compiled for each instruction set, chosen when the program starts
TAUT_CLONES void spread_charges(const Grid& grid, const double* charge, int charges, int from,
                                int to, double* mesh) {
  if (grid.order <= narrow)
    spread_to<narrow>(grid, charge, charges, from, to, mesh);
  else
    spread_to<wide>(grid, charge, charges, from, to, mesh);
}

TAUT_CLONES void pull_charges(const Grid& grid, int begin, int end, const double* mesh,
                              std::array<double, 4>* found) {
  for (int i = begin; i < end; ++i)
    found[i] =
        grid.order <= narrow ? pull_one<narrow>(grid, i, mesh) : pull_one<wide>(grid, i, mesh);
}

}  // namespace

double EwaldSum::alpha(double cutoff, double accuracy) {
  return std::sqrt(-std::log(accuracy / 8.0)) / cutoff;
}

bool EwaldSum::is_neutral() const { return std::abs(shape_->sum) <= 1e-9 * shape_->size; }

EwaldSum::Mesh EwaldSum::cheapest_mesh(const Setup& setup) {
  const double alpha = setup.range.alpha;
  const double volume = setup.edge[0] * setup.edge[1] * setup.edge[2];
  const auto charges = static_cast<double>(setup.points.size());
  const double distance = std::cbrt(volume / charges);
  Mesh best;
  double least = std::numeric_limits<double>::infinity();
  for (const int order : orders) {
    // the widest mesh that is good enough along each axis
    Mesh mesh{.n = {}, .order = order};
    double places = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double limit = std::pow(setup.accuracy / part_of_mesh, 2) / 3.0;
      int n = MeshFilter::at_least(order);
      while (n < most_places && 4.0 * distance * integral(alpha, setup.edge[k] / n, order) > limit)
        n = MeshFilter::at_least(n + 1);
      mesh.n[k] = n;
      places *= n;
    }
    // measured: nanoseconds of spreading and pulling a row, and of a place in both transforms
    const double work = charges * order * order * (order <= narrow ? 4.0 : 8.0) +
                        places * (1.0 + 0.5 * std::log2(places));
    if (work < least) {
      least = work;
      best = mesh;
    }
  }
  return best;
}

EwaldSum::EwaldSum(const Setup& setup, const std::vector<double>& charge, const PairKinds& kinds) {
  auto shape = std::make_shared<Shape>();
  shape->edge = setup.edge;
  shape->alpha = setup.range.alpha;
  shape->strength = setup.strength;
  shape->points = setup.points;
  const double alpha = shape->alpha;
  const double volume = setup.edge[0] * setup.edge[1] * setup.edge[2];
  double squares = 0.0;
  for (std::size_t i = 0; i < setup.points.size(); ++i) {
    const int point = setup.points[i];
    const double Q = charge[size(point)];
    shape->charge.push_back(Q);
    shape->sum += Q;
    shape->size += std::abs(Q);
    squares += Q * Q;
    const auto& spared = kinds.excluded[size(point)];
    for (std::size_t j = i + 1; j < setup.points.size(); ++j)
      if (std::binary_search(spared.begin(), spared.end(), setup.points[j]))
        shape->spared.emplace_back(static_cast<int>(i), static_cast<int>(j));
  }
  shape->constant =
      -setup.strength * (alpha / std::sqrt(pi) * squares +
                         pi / (2.0 * volume * alpha * alpha) * shape->sum * shape->sum);

  const Mesh mesh = cheapest_mesh(setup);
  shape->n = mesh.n;
  shape->order = mesh.order;
  auto filter = std::make_shared<MeshFilter>(mesh.n);
  std::array<std::vector<double>, 3> b;
  for (std::size_t k = 0; k < 3; ++k) b[k] = spline_factors(mesh.order, mesh.n[k]);
  shape->G.assign(filter->coefficients(), 0.0);
  const auto wave = [&](int k, std::size_t axis) {
    return 2.0 * pi / setup.edge[axis] * (2 * k > mesh.n[axis] ? k - mesh.n[axis] : k);
  };
  for (int k1 = 0; k1 <= mesh.n[0] / 2; ++k1)
    for (int k2 = 0; k2 < mesh.n[1]; ++k2)
      for (int k3 = 0; k3 < mesh.n[2]; ++k3) {
        if (k1 == 0 && k2 == 0 && k3 == 0) continue;
        const double k = std::hypot(wave(k1, 0), wave(k2, 1), wave(k3, 2));
        shape->G[filter->place(k1, k2, k3)] = 4.0 * pi / (volume * k * k) *
                                              std::exp(-k * k / (4.0 * alpha * alpha)) *
                                              b[0][size(k1)] * b[1][size(k2)] * b[2][size(k3)];
      }
  shape_ = std::move(shape);
  filter_ = std::move(filter);
}

/// Along the last axis a spline may reach beyond the end: what stands there is folded back.
int EwaldSum::row() const { return shape_->n[2] + width_of(shape_->order); }

EwaldSum::Scratch EwaldSum::scratch() const {
  Scratch made;
  const std::size_t charges = shape_->points.size();
  made.mesh.assign(size(shape_->n[0]) * size(shape_->n[1]) * size(row()), 0.0);
  made.weights.assign(6 * size(width_of(shape_->order)) * charges, 0.0);
  made.places.assign(3 * charges, 0);
  made.found.assign(charges, {});
  made.filter = filter_->scratch();
  return made;
}

void EwaldSum::place_all(const PairColumns& at, Scratch& scratch, int begin, int end) const {
  const int width = width_of(shape_->order);
  const double* const columns[3] = {at.x, at.y, at.z};
  for (int i = begin; i < end; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double turns = columns[k][shape_->points[size(i)]] / shape_->edge[k];
      const double u = (turns - std::floor(turns)) * shape_->n[k];
      // what is just below a whole turn may be rounded to it
      const int place = std::min(static_cast<int>(u), shape_->n[k] - 1);
      scratch.places[size(3 * i) + k] = place;
      double* const w = scratch.weights.data() + size(6 * width) * size(i) + 2 * k * size(width);
      splines(shape_->order, u - place, w, w + width);
    }
}

void EwaldSum::add_spared(const PairColumns& at, PairSums& to) const {
  const Shape& s = *shape_;
  for (const auto& [a, b] : s.spared) {
    const int i = s.points[size(a)], j = s.points[size(b)];
    std::array<double, 3> d{at.x[i] - at.x[j], at.y[i] - at.y[j], at.z[i] - at.z[j]};
    for (std::size_t k = 0; k < 3; ++k) d[k] -= s.edge[k] * std::nearbyint(d[k] / s.edge[k]);
    const double r = std::hypot(d[0], d[1], d[2]);
    const double z = s.alpha * r;
    const double c = s.strength * s.charge[size(a)] * s.charge[size(b)];
    const double slope = 2.0 / std::sqrt(pi) * s.alpha;
    // erf(alpha r)/r, and its derivative by r over r: their limits where r is 0
    const double u = r > 0.0 ? std::erf(z) / r : slope;
    const double force = z > 1e-3 ? (u - slope * std::exp(-z * z)) / (r * r)
                                  : slope * s.alpha * s.alpha * (2.0 / 3.0 - 2.0 / 5.0 * z * z);
    to.energy -= c * u;
    const std::array<double, 3> f{c * force * d[0], c * force * d[1], c * force * d[2]};
    to.x[i] -= f[0];
    to.y[i] -= f[1];
    to.z[i] -= f[2];
    to.x[j] += f[0];
    to.y[j] += f[1];
    to.z[j] += f[2];
  }
}

void EwaldSum::add(const PairColumns& at, Scratch& scratch, PairSums& to) const {
  const Shape& s = *shape_;
  const int charges = static_cast<int>(s.points.size());
  const int n1 = s.n[0], n2 = s.n[1], n3 = s.n[2];
  const int pieces = (charges + charges_of_a_piece - 1) / charges_of_a_piece;
  const auto end_of = [&](int piece) {
    return std::min((piece + 1) * charges_of_a_piece, charges);
  };
  const Grid grid{s.order, row(), s.n, scratch.weights.data(), scratch.places.data()};
  double* const mesh = scratch.mesh.data();

  // (5), plane by plane, so that the order of sums does not depend on who computes them
  share_work(pieces, [&](int k) { place_all(at, scratch, k * charges_of_a_piece, end_of(k)); });
  const int slabs = std::min(charges < fewest_charges_to_share ? 1 : most_slabs, n1);
  share_work(slabs, [&](int k) {
    const int from = n1 * k / slabs, stop = n1 * (k + 1) / slabs;
    std::fill(mesh + std::ptrdiff_t{from} * n2 * grid.row,
              mesh + std::ptrdiff_t{stop} * n2 * grid.row, 0.0);
    spread_charges(grid, s.charge.data(), charges, from, stop, mesh);
    for (int r = from * n2; r < stop * n2; ++r) {
      double* const row = mesh + std::ptrdiff_t{r} * grid.row;
      for (int l = 0; l + 1 < s.order; ++l) row[l] += row[n3 + l];
    }
  });

  filter_->apply(s.G, mesh, grid.row, scratch.filter);
  for (int r = 0; r < n1 * n2; ++r) {
    double* const row = mesh + std::ptrdiff_t{r} * grid.row;
    std::copy_n(row, s.order - 1, row + n3);
  }

  // (6) and its gradient
  share_work(pieces, [&](int k) {
    pull_charges(grid, k * charges_of_a_piece, end_of(k), mesh, scratch.found.data());
  });
  double energy = 0.0;
  for (int i = 0; i < charges; ++i) {
    const auto& [phi, x, y, z] = scratch.found[size(i)];
    const double c = s.strength * s.charge[size(i)];
    const int point = s.points[size(i)];
    energy += 0.5 * c * phi;
    to.x[point] -= c * x * (n1 / s.edge[0]);
    to.y[point] -= c * y * (n2 / s.edge[1]);
    to.z[point] -= c * z * (n3 / s.edge[2]);
  }
  to.energy += energy + s.constant;
  add_spared(at, to);
}

}  // namespace taut
