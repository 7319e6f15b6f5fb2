// SPDX-License-Identifier: BSD-3-Clause
#include "core/kkt.hpp"

#include <algorithm>
#include <cassert>

namespace taut {
namespace {

constexpr double mass_tolerance = 1e-14;  // of M_ii: rounding level
constexpr double rank_tolerance = 1e-11;  // of S_jj: square of the sine of the angle, see Kkt
constexpr double doubtful = 1e-6;         // likewise: below, rounding may be all of it

}  // namespace

Status Kkt::factor(const Sparse& M, const Sparse& G, const Vec& C) {
  if (const Status status = factor_mass(M); status != Status::ok) return status;
  return factor_constraints(G, C);
}

Status Kkt::factor_mass(const Sparse& M) {
  assert(M.isCompressed() && M.rows() == nq_);
  if (!whole_) {
    const Status status = mass_.factor(M);
    mass_defect_ = mass_.defect();
    if (is_chain_ && status == Status::ok) chain_.set_mass(M);
    return status;
  }
  mass_defect_ = -1;
  mass_factor_.set_zero();
  double* const value = mass_factor_.values();
  for (std::size_t k = 0; k < M_.size(); ++k) {
    M_[k] = M.valuePtr()[M_entry_[k]];
    value[M_slot_[k]] = M_[k];
  }
  const bool finite = mass_factor_.factor({mass_tolerance, mass_tolerance});
  const std::vector<Ldlt::Replaced>& replaced = mass_factor_.replaced();
  if (replaced.empty()) return Status::ok;
  mass_defect_ = finite ? replaced.front().row : replaced.back().row;
  return finite ? Status::mass_singular : Status::non_finite;
}

Status Kkt::factor_constraints(const Sparse& G, const Vec& C) {
  assert(G.isCompressed() && G.rows() == nc_ && G.cols() == nq_ && C.size() == nc_);
  assert(C.size() == 0 || !(C.minCoeff() < 0.0));
  if (nc_ == 0) return Status::ok;
  // one row after the other is found dependent, or to be none any more
  cleared_.clear();
  for (int round = 0; round <= nc_; ++round) {
    if (!assemble_and_factor(G, C)) return Status::non_finite;
    if (const Status status = find_dependencies(); status != Status::ok) return status;
    if (settle_doubts(G, C)) break;
  }
  find_droppable();
  return Status::ok;
}

// Gaussian elimination of the null space with complete pivoting, but for rows that were chosen
// before and still do.
void Kkt::find_droppable() {
  constexpr double still = 0.1;  // of the largest
  const auto count = static_cast<Index>(dependent_.size());
  if (null_space_.count() != count || dependent_.empty()) {
    droppable_ = dependent_;
    return;
  }
  chosen_.clear();
  Mat& left = eliminated_;
  left = null_space_.vectors();
  for (Index k = 0; k < count; ++k) {
    auto rest = left.rightCols(count - k);
    Index row = 0, column = 0;
    const double largest = rest.cwiseAbs().maxCoeff(&row, &column);
    for (const int before : droppable_) {
      Index there = 0;
      if (before < 0 || before >= left.rows() ||
          rest.row(before).cwiseAbs().maxCoeff(&there) < still * largest)
        continue;
      row = before;
      column = there;
      break;
    }
    left.col(k).swap(left.col(k + column));
    for (Index i = k + 1; i < count; ++i)
      left.col(i) -= (left(row, i) / left(row, k)) * left.col(k);
    left.row(row).setZero();
    chosen_.push_back(static_cast<int>(row));
  }
  std::sort(chosen_.begin(), chosen_.end());
  droppable_.swap(chosen_);
}

// (3): the left as a part of the sum on the right
double Kkt::dependence(const Sparse& G, const double* n) const {
  const int offset = whole_ ? nq_ : 0;
  loads_.noalias() = G.transpose() * Eigen::Map<const Vec>(n, nc_);
  solve_mass(loads_, moved_);
  double size = 0.0;
  for (int j = 0; j < nc_; ++j) size += n[j] * n[j] * factor_.reference(j + offset);
  return size > 0.0 ? loads_.dot(moved_) / size : 0.0;
}

// False where the rows that are dropped have changed.
bool Kkt::settle_doubts(const Sparse& G, const Vec& C) {
  const int offset = whole_ ? nq_ : 0;
  // suspected before, and dropped
  for (std::size_t k = 0; k < dependent_.size(); ++k) {
    const int row = dependent_[k] + offset;
    if (!factor_.suspects(row) || static_cast<Index>(k) >= null_space_.count()) continue;
    if (dependence(G, null_space_.vectors().col(static_cast<Index>(k)).data()) <= rank_tolerance)
      continue;
    factor_.suspect(row, false);
    cleared_.push_back(row);
    return false;
  }
  for (const int row : factor_.doubtful()) {
    if (row < offset || C[row - offset] > 0.0 ||
        std::find(cleared_.begin(), cleared_.end(), row) != cleared_.end())
      continue;
    std::vector<double>& n = whole_ ? k_ : b_;
    std::fill(n.begin(), n.end(), 0.0);
    n[static_cast<std::size_t>(row)] = 1.0;
    factor_.solve(n.data(), n.data());
    if (dependence(G, n.data() + offset) > rank_tolerance) continue;
    factor_.suspect(row, true);
    return false;
  }
  return true;
}

bool Kkt::assemble_and_factor(const Sparse& G, const Vec& C) {
  double* const value = factor_.values();
  if (whole_) {
    factor_.set_zero();
    for (std::size_t k = 0; k < M_.size(); ++k) value[M_slot_whole_[k]] = M_[k];
    for (std::size_t k = 0; k < G_slot_whole_.size(); ++k)
      value[G_slot_whole_[k]] = G.valuePtr()[k];
    std::copy_n(C.data(), nc_, shift_.data() + nq_);
    return factor_.factor({mass_tolerance, rank_tolerance, doubtful}, shift_);
  }
  // S - C = Y Yᵀ
  half_solve_rows(G);
  const auto product = [this](const Run& run) {
    const double* const a = Y_.data() + run.a;
    const double* const b = Y_.data() + run.b;
    double sum = a[0] * b[0];
    for (int i = 1; i < run.length; ++i) sum += a[i] * b[i];
    return sum;
  };
  for (const int slot : empty_slots_) value[slot] = 0.0;
  for (const Run& run : runs_) value[run.slot] = product(run);
  for (const Run& run : further_runs_) value[run.slot] += product(run);
  return factor_.factor({rank_tolerance, rank_tolerance, doubtful},
                        {C.data(), static_cast<std::size_t>(nc_)});
}

// Y = G R⁻ᵀ
void Kkt::half_solve_rows(const Sparse& G) {
  const double* const g = G.valuePtr();
  if (y_slot_.empty()) {
    const double* const scale = mass_.inverse_root();
    const std::size_t entries = Y_.size();
    for (std::size_t k = 0; k < entries; ++k) Y_[k] = g[k] * scale[y_place_[k]];
    return;
  }
  std::fill(Y_.begin(), Y_.end(), 0.0);
  for (std::size_t k = 0; k < y_slot_.size(); ++k) Y_[y_slot_[k]] = g[k];
  for (const Piece& piece : pieces_)
    mass_.half_solve_block(mass_.blocks()[piece.block], Y_.data() + piece.first);
}

Status Kkt::find_dependencies() {
  dependent_.clear();
  const int offset = whole_ ? nq_ : 0;
  for (const Ldlt::Replaced& replaced : factor_.replaced()) {
    if (replaced.row < offset) {
      mass_defect_ = replaced.row;
      return Status::mass_singular;
    }
    dependent_.push_back(replaced.row - offset);
  }
  std::sort(dependent_.begin(), dependent_.end());
  null_space_.resize(nc_, static_cast<Index>(dependent_.size()));

  // the factor is that of A + Σ δ_j e_j e_jᵀ over the replaced rows; with A n = 0 and n_j = 1 in
  // row j, 0 in the other replaced ones,  (A + Σ δ_i e_i e_iᵀ) n = δ_j e_j
  std::vector<double>& n = whole_ ? k_ : b_;
  for (const Ldlt::Replaced& replaced : factor_.replaced()) {
    const auto at = std::lower_bound(dependent_.begin(), dependent_.end(), replaced.row - offset);
    const Index k = at - dependent_.begin();
    if (k >= null_space_.count()) continue;
    std::fill(n.begin(), n.end(), 0.0);
    n[replaced.row] = replaced.pivot;
    factor_.solve(n.data(), n.data());
    null_space_.set(k, n.data() + offset);
  }
  null_space_.orthonormalise();
  return Status::ok;
}

void Kkt::solve_mass(const Vec& r, Vec& x) const {
  assert(r.size() == nq_);
  x.resize(nq_);
  if (whole_) {
    mass_factor_.solve(r.data(), x.data());
    return;
  }
  mass_.half_solve(r.data(), z_.data());
  mass_.half_solve_transposed(z_.data(), x.data());
}

void Kkt::half_solve_mass_transposed(const Vec& z, Vec& x) const {
  assert(z.size() == nq_);
  x.resize(nq_);
  if (whole_) {
    mass_factor_.half_solve_transposed(z.data(), x.data());
    return;
  }
  std::copy_n(z.data(), nq_, z_.data());
  mass_.half_solve_transposed(z_.data(), x.data());
}

void Kkt::solve(const Vec& r, const Vec& s, Vec& x, Vec& lambda) const {
  assert(r.size() == nq_ && s.size() == nc_);
  if (nc_ == 0) {
    lambda.resize(0);
    solve_mass(r, x);
    return;
  }
  if (whole_) {
    std::copy_n(r.data(), nq_, k_.data());
    std::copy_n(s.data(), nc_, k_.data() + nq_);
    solve_whole(x, lambda);
    return;
  }
  // (2): b = s - Y R⁻¹r
  mass_.half_solve(r.data(), z_.data());
  for (int c = 0; c < nc_; ++c) {
    double sum = s[c];
    for (int p = y_begin_[c]; p < y_begin_[c + 1]; ++p) sum -= Y_[p] * z_[y_place_[p]];
    b_[c] = sum;
  }
  solve_schur(b_.data(), x, lambda);
}

Status Kkt::factor_and_solve(const Sparse& G, const Vec& C, const Vec& r, const Vec& s, Vec& x,
                             Vec& lambda) {
  // dependent rows are left to the general way
  if (is_chain_ && chain_.solve(G, C, r, s, x, lambda, rank_tolerance)) {
    dependent_.clear();
    droppable_.clear();
    null_space_.resize(nc_, 0);
    return Status::ok;
  }
  if (const Status status = factor_constraints(G, C); status != Status::ok) return status;
  solve(r, s, x, lambda);
  return Status::ok;
}

void Kkt::solve_constraint(const Vec& s, Vec& x, Vec& lambda) const {
  assert(s.size() == nc_);
  if (whole_) {
    std::fill_n(k_.data(), nq_, 0.0);
    std::copy_n(s.data(), nc_, k_.data() + nq_);
    solve_whole(x, lambda);
    return;
  }
  std::fill(z_.begin(), z_.end(), 0.0);
  solve_schur(s.data(), x, lambda);
}

// from z = R⁻¹r and b = s - Y z:  -S λ = b,  x = R⁻ᵀ(z - Yᵀλ)
void Kkt::solve_schur(const double* b, Vec& x, Vec& lambda) const {
  x.resize(nq_);
  lambda.resize(nc_);
  if (null_space_.count() > 0) {
    if (b != b_.data()) std::copy_n(b, nc_, b_.data());
    null_space_.remove_from(b_.data());
    b = b_.data();
  }
  factor_.solve(b, lambda.data());
  null_space_.remove_from(lambda.data());
  for (int c = 0; c < nc_; ++c) {
    const double l = lambda[c];
    lambda[c] = -l;
    for (int p = y_begin_[c]; p < y_begin_[c + 1]; ++p) z_[y_place_[p]] += Y_[p] * l;
  }
  mass_.half_solve_transposed(z_.data(), x.data());
}

// from the right-hand side k of the whole system
void Kkt::solve_whole(Vec& x, Vec& lambda) const {
  x.resize(nq_);
  lambda.resize(nc_);
  null_space_.remove_from(k_.data() + nq_);
  factor_.solve(k_.data(), k_.data());
  null_space_.remove_from(k_.data() + nq_);
  std::copy_n(k_.data(), nq_, x.data());
  std::copy_n(k_.data() + nq_, nc_, lambda.data());
}

}  // namespace taut
