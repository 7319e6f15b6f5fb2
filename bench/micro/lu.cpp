// SPDX-License-Identifier: BSD-3-Clause
// Factorisation and solve of the stage equations of an implicit method, per unknown: taut::Lu
// beside KLU (refactorisation with the pivots kept, which trusts them), UMFPACK (its numerical
// part) and Eigen's dense LU.
#include <benchmark/benchmark.h>
#include <klu.h>
#include <umfpack.h>

#include <cmath>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/LU>

#include "core/lu.hpp"

namespace {

using taut::Index;
using taut::Lu;
using taut::Sparse;
using taut::Status;
using Complex = std::complex<double>;
using Triplets = std::vector<Eigen::Triplet<double, int>>;

/// The matrix [[M + K/kappa², Gᵀ], [G, -kappa² C]] with the stiffness K of tensions and with C = 0.
struct Problem {
  Sparse pattern;
  Index constraints = 0;
  bool symmetric = false;  // complex values, too
};

struct Rod {
  int a, b;  // points; a may be -1, a fixed one
};

Problem rods_in_the_plane(int points, const std::vector<Rod>& rods) {
  const int nq = 2 * points;
  Triplets entries;
  for (int i = 0; i < nq; ++i) entries.emplace_back(i, i, 1.0 + 0.1 * (i % 7));
  for (std::size_t r = 0; r < rods.size(); ++r) {
    const double angle = 0.3 * static_cast<double>(r * r);
    const double along[2] = {std::cos(angle), std::sin(angle)};
    const int row = nq + static_cast<int>(r);
    entries.emplace_back(row, row, 0.0);
    for (const int p : {rods[r].a, rods[r].b}) {
      if (p < 0) continue;
      const double sign = p == rods[r].b ? 1.0 : -1.0;
      for (int i = 0; i < 2; ++i) {
        entries.emplace_back(row, 2 * p + i, sign * along[i]);
        entries.emplace_back(2 * p + i, row, sign * along[i]);
        for (const int other : {rods[r].a, rods[r].b})
          for (int j = 0; j < 2 && other >= 0; ++j)
            entries.emplace_back(2 * p + i, 2 * other + j,
                                 (p == other ? 1e-2 : -1e-2) * ((i == j) - along[i] * along[j]));
      }
    }
  }
  const Index n = nq + static_cast<Index>(rods.size());
  Problem problem{Sparse(n, n), static_cast<Index>(rods.size())};
  problem.pattern.setFromTriplets(entries.begin(), entries.end());
  return problem;
}

Problem chain(int links) {
  std::vector<Rod> rods;
  for (int i = 0; i < links; ++i) rods.push_back({i - 1, i});
  return rods_in_the_plane(links, rods);
}

// width x width points hung on their upper edge
Problem net(int width) {
  std::vector<Rod> rods;
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j) {
      if (j > 0 && i % 2 == 0) rods.push_back({i * width + j - 1, i * width + j});
      rods.push_back({(i - 1) * width + j < 0 ? -1 : (i - 1) * width + j, i * width + j});
    }
  return rods_in_the_plane(width * width, rods);
}

// a square cloth in space, flat: width x width points, rods along both directions
Problem cloth(int width) {
  const int nq = 3 * width * width;
  Triplets entries;
  for (int i = 0; i < nq; ++i) entries.emplace_back(i, i, 1.0 + 0.1 * (i % 7));
  int row = nq;
  const auto rod = [&](int a, int b, int along) {
    for (const int p : {a, b}) {
      const double sign = p == b ? 1.0 : -1.0;
      entries.emplace_back(row, 3 * p + along, sign);
      entries.emplace_back(3 * p + along, row, sign);
      for (int i = 0; i < 3; ++i)
        for (const int other : {a, b})
          for (int j = 0; j < 3; ++j)
            entries.emplace_back(3 * p + i, 3 * other + j,
                                 (p == other ? 1e-2 : -1e-2) * (i == j && i != along));
    }
    entries.emplace_back(row, row, -0.1);  // compliant, so that KLU keeps the diagonal, too
    ++row;
  };
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j) {
      if (i + 1 < width) rod(i * width + j, (i + 1) * width + j, 0);
      if (j + 1 < width) rod(i * width + j, i * width + j + 1, 1);
    }
  Problem problem{Sparse(row, row), row - nq, true};
  problem.pattern.setFromTriplets(entries.begin(), entries.end());
  return problem;
}

// a pendulum of n links in its angles: M full
Problem full(int n) {
  Triplets entries;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      entries.emplace_back(i, j, (n - std::max(i, j)) * std::cos(0.3 * (i - j)) + (i == j));
  Problem problem{Sparse(n, n), 0};
  problem.pattern.setFromTriplets(entries.begin(), entries.end());
  return problem;
}

template <class Scalar>
std::vector<Scalar> values_of(const Problem& problem) {
  std::vector<Scalar> values;
  for (int i = 0; i < problem.pattern.rows(); ++i)
    for (int p = problem.pattern.outerIndexPtr()[i]; p < problem.pattern.outerIndexPtr()[i + 1];
         ++p) {
      const double value = problem.pattern.valuePtr()[p];
      const int j = problem.pattern.innerIndexPtr()[p];
      const double phase = problem.symmetric ? i + j : p;
      if constexpr (std::is_same_v<Scalar, Complex>)
        values.emplace_back(value, 0.2 * value * std::sin(phase));
      else
        values.push_back(value);
    }
  return values;
}

template <class Scalar>
class Klu {
 public:
  explicit Klu(const Problem& problem)
      : n_{static_cast<int>(problem.pattern.rows())},
        begin_(problem.pattern.outerIndexPtr(), problem.pattern.outerIndexPtr() + n_ + 1),
        index_(problem.pattern.innerIndexPtr(),
               problem.pattern.innerIndexPtr() + problem.pattern.nonZeros()),
        values_{values_of<Scalar>(problem)} {
    klu_defaults(&common_);
    symbolic_ = klu_analyze(n_, begin_.data(), index_.data(), &common_);
    double* const a = reinterpret_cast<double*>(values_.data());
    if constexpr (complex)
      numeric_ = klu_z_factor(begin_.data(), index_.data(), a, symbolic_, &common_);
    else
      numeric_ = klu_factor(begin_.data(), index_.data(), a, symbolic_, &common_);
  }
  ~Klu() {
    if constexpr (complex)
      klu_z_free_numeric(&numeric_, &common_);
    else
      klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  bool factor() {
    double* const a = reinterpret_cast<double*>(values_.data());
    if constexpr (complex)
      return klu_z_refactor(begin_.data(), index_.data(), a, symbolic_, numeric_, &common_) == 1;
    else
      return klu_refactor(begin_.data(), index_.data(), a, symbolic_, numeric_, &common_) == 1;
  }
  // rows given as columns: solve with the transposed
  void solve(Scalar* b) {
    double* const x = reinterpret_cast<double*>(b);
    if constexpr (complex)
      klu_z_tsolve(symbolic_, numeric_, n_, 1, x, 0, &common_);
    else
      klu_tsolve(symbolic_, numeric_, n_, 1, x, &common_);
  }

 private:
  static constexpr bool complex = std::is_same_v<Scalar, Complex>;
  int n_;
  std::vector<int> begin_, index_;
  std::vector<Scalar> values_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

template <class Scalar>
class Umfpack {
 public:
  explicit Umfpack(const Problem& problem)
      : n_{static_cast<int>(problem.pattern.rows())},
        begin_(problem.pattern.outerIndexPtr(), problem.pattern.outerIndexPtr() + n_ + 1),
        index_(problem.pattern.innerIndexPtr(),
               problem.pattern.innerIndexPtr() + problem.pattern.nonZeros()),
        x_(n_) {
    const auto values = values_of<Scalar>(problem);
    for (const Scalar& value : values) {
      real_.push_back(std::real(value));
      imag_.push_back(std::imag(value));
    }
    if constexpr (complex)
      umfpack_zi_symbolic(n_, n_, begin_.data(), index_.data(), real_.data(), imag_.data(),
                          &symbolic_, nullptr, nullptr);
    else
      umfpack_di_symbolic(n_, n_, begin_.data(), index_.data(), real_.data(), &symbolic_, nullptr,
                          nullptr);
    factor();
  }
  ~Umfpack() {
    free();
    if constexpr (complex)
      umfpack_zi_free_symbolic(&symbolic_);
    else
      umfpack_di_free_symbolic(&symbolic_);
  }
  Umfpack(const Umfpack&) = delete;
  Umfpack& operator=(const Umfpack&) = delete;

  bool factor() {
    free();
    if constexpr (complex)
      return umfpack_zi_numeric(begin_.data(), index_.data(), real_.data(), imag_.data(), symbolic_,
                                &numeric_, nullptr, nullptr) == UMFPACK_OK;
    else
      return umfpack_di_numeric(begin_.data(), index_.data(), real_.data(), symbolic_, &numeric_,
                                nullptr, nullptr) == UMFPACK_OK;
  }
  // rows given as columns: solve with the transposed
  void solve(Scalar* b) {
    if constexpr (complex) {
      // packed: the imaginary parts stand with the real ones
      std::vector<Scalar> a(real_.size());
      for (std::size_t p = 0; p < a.size(); ++p) a[p] = {real_[p], imag_[p]};
      umfpack_zi_solve(UMFPACK_Aat, begin_.data(), index_.data(),
                       reinterpret_cast<const double*>(a.data()), nullptr,
                       reinterpret_cast<double*>(x_.data()), nullptr,
                       reinterpret_cast<const double*>(b), nullptr, numeric_, nullptr, nullptr);
    } else {
      umfpack_di_solve(UMFPACK_At, begin_.data(), index_.data(), real_.data(), x_.data(), b,
                       numeric_, nullptr, nullptr);
    }
    std::copy(x_.begin(), x_.end(), b);
  }

 private:
  void free() {
    if (numeric_ == nullptr) return;
    if constexpr (complex)
      umfpack_zi_free_numeric(&numeric_);
    else
      umfpack_di_free_numeric(&numeric_);
  }

  static constexpr bool complex = std::is_same_v<Scalar, Complex>;
  int n_;
  std::vector<int> begin_, index_;
  std::vector<double> real_, imag_;
  std::vector<Scalar> x_;
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
};

template <class Scalar>
class Taut {
 public:
  explicit Taut(const Problem& problem) {
    lu_.analyse(problem.pattern, problem.constraints);
    const auto values = values_of<Scalar>(problem);
    std::copy(values.begin(), values.end(), lu_.values());
    factor();
  }
  bool factor() { return lu_.factor() == Status::ok && !lu_.exchanged(); }
  void solve(Scalar* b) { lu_.solve(b); }

 private:
  Lu<Scalar> lu_;
};

template <class Scalar>
class EigenDense {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  explicit EigenDense(const Problem& problem)
      : a_{Matrix::Zero(problem.pattern.rows(), problem.pattern.rows())} {
    const auto values = values_of<Scalar>(problem);
    for (int i = 0; i < a_.rows(); ++i)
      for (int p = problem.pattern.outerIndexPtr()[i]; p < problem.pattern.outerIndexPtr()[i + 1];
           ++p)
        a_(i, problem.pattern.innerIndexPtr()[p]) = values[p];
    factor();
    x_.resize(a_.rows());
  }
  bool factor() {
    lu_.compute(a_);
    return true;
  }
  void solve(Scalar* b) {
    Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>> right(b, a_.rows());
    x_ = lu_.solve(right);
    right = x_;
  }

 private:
  Matrix a_;
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> x_;
  Eigen::PartialPivLU<Matrix> lu_;
};

// |A x - b| of the factorisation at hand
template <class Scalar, class Solver>
double residual(const Problem& problem, Solver& solver) {
  const auto values = values_of<Scalar>(problem);
  const Index n = problem.pattern.rows();
  std::vector<Scalar> x(n);
  for (Index i = 0; i < n; ++i) x[i] = std::sin(static_cast<double>(i + 1));
  solver.solve(x.data());
  double worst = 0.0;
  for (Index i = 0; i < n; ++i) {
    Scalar sum = -std::sin(static_cast<double>(i + 1));
    for (int p = problem.pattern.outerIndexPtr()[i]; p < problem.pattern.outerIndexPtr()[i + 1];
         ++p)
      sum += values[p] * x[problem.pattern.innerIndexPtr()[p]];
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

template <class Scalar, class Solver>
void measure(benchmark::State& state, const Problem& problem, bool solves) {
  Solver solver(problem);
  bool ok = true;
  std::vector<Scalar> b(problem.pattern.rows(), Scalar{1.0});
  for (auto _ : state) {
    if (solves)
      solver.solve(b.data());
    else
      ok = solver.factor() && ok;
    benchmark::DoNotOptimize(b.data());
    benchmark::ClobberMemory();
    if (solves) b.assign(b.size(), Scalar{1.0});
  }
  if (!ok) state.SkipWithError("not factorised");
  if (!(residual<Scalar>(problem, solver) < 1e-9)) state.SkipWithError("wrong solution");
  state.counters["s_per_unknown"] = benchmark::Counter(
      static_cast<double>(problem.pattern.rows()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

using Make = Problem (*)(int);

template <class Scalar>
void register_all(const std::string& problem, Make make, const std::vector<int>& sizes, bool dense,
                  bool large = false) {
  const std::string type = std::is_same_v<Scalar, Complex> ? "complex" : "real";
  for (const int size : sizes)
    for (const bool solves : {false, true}) {
      const auto add = [&](const std::string& solver, auto run) {
        const std::string name = problem + "/" + std::to_string(size) + "/" + type + "/" +
                                 (solves ? "solve/" : "factor/") + solver;
        benchmark::RegisterBenchmark(
            name.c_str(), [=](benchmark::State& state) { run(state, make(size), solves); });
      };
      add("taut", &measure<Scalar, Taut<Scalar>>);
      add("klu", &measure<Scalar, Klu<Scalar>>);
      if (large) add("umfpack", &measure<Scalar, Umfpack<Scalar>>);
      if (dense) add("eigen", &measure<Scalar, EigenDense<Scalar>>);
    }
}

template <class Scalar>
void register_all() {
  register_all<Scalar>("full", full, {3, 6, 12, 24, 48}, true);
  register_all<Scalar>("chain", chain, {1, 3, 6, 12}, true);
  register_all<Scalar>("chain", chain, {40, 160, 1000, 10000}, false);
  register_all<Scalar>("net", net, {10, 30, 60}, false);
  register_all<Scalar>("cloth", cloth, {10, 20, 40, 80, 120, 200}, false, true);
}

}  // namespace

int main(int argc, char** argv) {
  register_all<double>();
  register_all<Complex>();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
