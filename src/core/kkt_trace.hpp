// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/kkt.hpp"

namespace taut {

/// What a Kkt does with numbers, in other arithmetic: with a Number that records its operations
/// this makes a straight-line program of a factorisation and its solutions. The same operations in
/// the same order: with double, the same bits.
///
/// Of dependent constraints there is no such program. Where sound() is 1, least_dependence() above
/// 0 and dependence() below most_dependence, the Kkt finds none of them, no doubtful pivot, and no
/// defect of the mass; elsewhere it may.
///
/// Number has + - * / with itself, and sqrt, abs, min(a, b), max(a, b), less(a, b) (1 or 0) as
/// functions found by it.
template <class Number>
class KktTrace {
 public:
  using Numbers = std::vector<Number>;

  /// `kkt` has been analysed and outlives it. `number` makes a Number of a double.
  template <class Make>
  KktTrace(const Kkt& kkt, const Make& number)
      : kkt_{kkt},
        zero_{number(0.0)},
        one_{number(1.0)},
        half_{number(0.5)},
        mass_tolerance_{number(1e-14)},
        pivot_tolerance_{number(1e-6)},
        sound_{one_} {}

  /// Whether there is a program: the factors are stored by slots.
  [[nodiscard]] static bool possible(const Kkt& kkt) {
    const bool small = kkt.factor_.layout_ == Ldlt::Layout::slots;
    return kkt.nc_ == 0 ? !kkt.whole_ || kkt.mass_factor_.layout_ == Ldlt::Layout::slots
                        : small && (!kkt.whole_ || kkt.mass_factor_.layout_ == Ldlt::Layout::slots);
  }

  /// M by the entries of its pattern.
  void factor_mass(std::span<const Number> M) {
    if (!kkt_.whole_) {
      factor_blocks(M);
      return;
    }
    Numbers value(kkt_.mass_factor_.entries(), zero_);
    M_.clear();
    for (std::size_t k = 0; k < kkt_.M_.size(); ++k) {
      M_.push_back(M[at(kkt_.M_entry_[k])]);
      value[at(kkt_.M_slot_[k])] = M_.back();
    }
    mass_ = factor(kkt_.mass_factor_, std::move(value), mass_tolerance_, false);
  }

  /// G by the entries of its pattern; all constraints are rigid.
  void factor_constraints(std::span<const Number> G) {
    if (kkt_.nc_ == 0) return;
    Numbers value(kkt_.factor_.entries(), zero_);
    if (kkt_.whole_) {
      for (std::size_t k = 0; k < M_.size(); ++k) value[at(kkt_.M_slot_whole_[k])] = M_[k];
      for (std::size_t k = 0; k < kkt_.G_slot_whole_.size(); ++k)
        value[at(kkt_.G_slot_whole_[k])] = G[k];
    } else {
      half_solve_rows(G);
      const auto product = [this](const Kkt::Run& run) {
        Number sum = Y_[at(run.a)] * Y_[at(run.b)];
        for (int i = 1; i < run.length; ++i) sum = sum + Y_[at(run.a + i)] * Y_[at(run.b + i)];
        return sum;
      };
      for (const Kkt::Run& run : kkt_.runs_) value[at(run.slot)] = product(run);
      for (const Kkt::Run& run : kkt_.further_runs_)
        value[at(run.slot)] = value[at(run.slot)] + product(run);
    }
    constraints_ = factor(kkt_.factor_, std::move(value), pivot_tolerance_, true);
  }

  void solve_mass(std::span<const Number> r, Numbers& x) const {
    if (kkt_.whole_) {
      x = solve(kkt_.mass_factor_, mass_, {r.begin(), r.end()});
      return;
    }
    half_solve_transposed(half_solve(r), x);
  }

  void solve(std::span<const Number> r, std::span<const Number> s, Numbers& x,
             Numbers& lambda) const {
    if (kkt_.nc_ == 0) {
      lambda.clear();
      solve_mass(r, x);
      return;
    }
    if (kkt_.whole_) {
      solve_whole(r, s, x, lambda);
      return;
    }
    Numbers z = half_solve(r), b;
    for (std::size_t c = 0; c < s.size(); ++c) {
      Number sum = s[c];
      for (int p = kkt_.y_begin_[c]; p < kkt_.y_begin_[c + 1]; ++p)
        sum = sum - Y_[at(p)] * z[at(kkt_.y_place_[at(p)])];
      b.push_back(sum);
    }
    solve_schur(std::move(b), std::move(z), x, lambda);
  }

  void solve_constraint(std::span<const Number> s, Numbers& x, Numbers& lambda) const {
    const Numbers nothing(at(kkt_.nq_), zero_);
    if (kkt_.whole_)
      solve_whole(nothing, s, x, lambda);
    else
      solve_schur({s.begin(), s.end()}, nothing, x, lambda);
  }

  [[nodiscard]] Number sound() const { return sound_; }
  /// 1 / Kkt::independence(), and the least of what that is the greatest of.
  [[nodiscard]] Number dependence() const { return dependence_ ? *dependence_ : one_; }
  [[nodiscard]] Number least_dependence() const { return least_ ? *least_ : one_; }
  /// The greatest that goes without a doubt.
  static constexpr double most_dependence = 0.99e6;

  /// Everything that solve_constraint() reads.
  [[nodiscard]] Numbers factors() const {
    Numbers all = R_;
    all.insert(all.end(), Y_.begin(), Y_.end());
    all.insert(all.end(), constraints_.begin(), constraints_.end());
    return all;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // R of BlockMass
  void factor_blocks(std::span<const Number> M) {
    const BlockMass& mass = kkt_.mass_;
    R_.assign(mass.R_.size(), zero_);
    for (const BlockMass::Block& b : mass.blocks_) {
      const auto entry = [&](int i, int j) -> Number& { return R_[at(b.factor + i * b.size + j)]; };
      for (int i = 0; i < b.size; ++i)
        for (int j = 0; j <= i; ++j) {
          const int from = mass.source_[at(b.factor + i * b.size + j)];
          const Number before = from < 0 ? zero_ : M[at(from)];
          Number sum = before;
          for (int k = 0; k < j; ++k) sum = sum - entry(i, k) * entry(j, k);
          if (j < i) {
            entry(i, j) = sum * entry(j, j);
            continue;
          }
          sound_ = sound_ * less(mass_tolerance_ * before, sum);
          entry(i, i) = one_ / sqrt(sum);
        }
    }
  }

  void half_solve_block(const BlockMass::Block& b, Numbers& y, int first) const {
    for (int i = 0; i < b.size; ++i) {
      Number sum = y[at(first + i)];
      for (int k = 0; k < i; ++k) sum = sum - R_[at(b.factor + i * b.size + k)] * y[at(first + k)];
      y[at(first + i)] = sum * R_[at(b.factor + i * b.size + i)];
    }
  }

  [[nodiscard]] Numbers half_solve(std::span<const Number> r) const {
    const BlockMass& mass = kkt_.mass_;
    Numbers z;
    for (std::size_t k = 0; k < r.size(); ++k)
      z.push_back(mass.diagonal_ ? r[k] * R_[k] : r[at(mass.coordinate_[k])]);
    if (!mass.diagonal_)
      for (const BlockMass::Block& b : mass.blocks_) half_solve_block(b, z, b.first);
    return z;
  }

  void half_solve_transposed(Numbers z, Numbers& x) const {
    const BlockMass& mass = kkt_.mass_;
    x.assign(z.size(), zero_);
    for (const BlockMass::Block& b : mass.blocks_)
      for (int i = b.size - 1; i >= 0 && !mass.diagonal_; --i) {
        Number sum = z[at(b.first + i)];
        for (int k = i + 1; k < b.size; ++k)
          sum = sum - R_[at(b.factor + k * b.size + i)] * z[at(b.first + k)];
        z[at(b.first + i)] = sum * R_[at(b.factor + i * b.size + i)];
      }
    for (std::size_t k = 0; k < z.size(); ++k)
      x[at(mass.coordinate_[k])] = mass.diagonal_ ? z[k] * R_[k] : z[k];
  }

  // Y = G R⁻ᵀ
  void half_solve_rows(std::span<const Number> G) {
    Y_.assign(kkt_.Y_.size(), zero_);
    if (kkt_.y_slot_.empty()) {
      for (std::size_t k = 0; k < Y_.size(); ++k) Y_[k] = G[k] * R_[at(kkt_.y_place_[k])];
      return;
    }
    for (std::size_t k = 0; k < kkt_.y_slot_.size(); ++k) Y_[at(kkt_.y_slot_[k])] = G[k];
    for (const Kkt::Piece& piece : kkt_.pieces_)
      half_solve_block(kkt_.mass_.blocks_[at(piece.block)], Y_, piece.first);
  }

  // Ldlt::factor_slots(); of a pivot that is not acceptable nothing is made
  [[nodiscard]] Numbers factor(const Ldlt& ldlt, Numbers value, const Number& tolerance,
                               bool of_constraints) {
    const bool definite = ldlt.sign_.empty();
    Numbers reference;
    for (int j = 0; j < ldlt.size(); ++j) reference.push_back(abs(value[at(ldlt.begin_[at(j)])]));
    for (int j = 0; j < ldlt.size(); ++j) {
      const int first = ldlt.begin_[at(j)], c = ldlt.begin_[at(j + 1)] - first - 1;
      const Number d = value[at(first)];
      const Number size = definite ? reference[at(j)] : half_ * reference[at(j)];
      const bool positive = definite || ldlt.sign_[at(j)] > 0;
      const Number inverse = one_ / d;
      value[at(first)] = inverse;
      if (of_constraints && positive == !kkt_.whole_) {
        const Number ratio = positive ? inverse * size : zero_ - inverse * size;
        dependence_ = max(dependence_ ? *dependence_ : one_, ratio);
        least_ = least_ ? min(*least_, ratio) : ratio;
      } else {
        sound_ = sound_ * less(tolerance * size, positive ? d : zero_ - d);
      }
      if (c == 1) {
        const Number a = value[at(first + 1)];
        const auto below = at(ldlt.row_[at(first + 1)]);
        const Number term = (a * a) / d;
        Number& target = value[at(ldlt.begin_[below])];
        target = target - term;
        if (!definite) reference[below] = reference[below] + abs(term);
        value[at(first + 1)] = a * inverse;
        continue;
      }
      const int* target = ldlt.target_.data() + ldlt.target_begin_[at(j)];
      for (int k = 1; k <= c; ++k) {
        const Number l = value[at(first + k)] * inverse;
        if (!definite) {
          Number& sum = reference[at(ldlt.row_[at(first + k)])];
          sum = sum + abs(l * value[at(first + k)]);
        }
        for (int i = k; i <= c; ++i) {
          Number& entry = value[at(*target++)];
          entry = entry - l * value[at(first + i)];
        }
        value[at(first + k)] = l;
      }
    }
    return value;
  }

  [[nodiscard]] Numbers solve(const Ldlt& ldlt, const Numbers& value, const Numbers& b) const {
    Numbers y, x = b;
    const int n = ldlt.size();
    for (int j = 0; j < n; ++j) y.push_back(b[at(ldlt.order_[at(j)])]);
    for (int j = 0; j < n; ++j)
      for (int p = ldlt.begin_[at(j)] + 1; p < ldlt.begin_[at(j + 1)]; ++p) {
        Number& below = y[at(ldlt.row_[at(p)])];
        below = below - value[at(p)] * y[at(j)];
      }
    for (int j = n - 1; j >= 0; --j) {
      Number sum = y[at(j)] * value[at(ldlt.begin_[at(j)])];
      for (int p = ldlt.begin_[at(j)] + 1; p < ldlt.begin_[at(j + 1)]; ++p)
        sum = sum - value[at(p)] * y[at(ldlt.row_[at(p)])];
      y[at(j)] = sum;
      x[at(ldlt.order_[at(j)])] = sum;
    }
    return x;
  }

  void solve_schur(const Numbers& b, Numbers z, Numbers& x, Numbers& lambda) const {
    lambda = solve(kkt_.factor_, constraints_, b);
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      const Number l = lambda[c];
      lambda[c] = -l;
      for (int p = kkt_.y_begin_[c]; p < kkt_.y_begin_[c + 1]; ++p) {
        Number& sum = z[at(kkt_.y_place_[at(p)])];
        sum = sum + Y_[at(p)] * l;
      }
    }
    half_solve_transposed(std::move(z), x);
  }

  void solve_whole(std::span<const Number> r, std::span<const Number> s, Numbers& x,
                   Numbers& lambda) const {
    Numbers k{r.begin(), r.end()};
    k.insert(k.end(), s.begin(), s.end());
    k = solve(kkt_.factor_, constraints_, k);
    x.assign(k.begin(), k.begin() + kkt_.nq_);
    lambda.assign(k.begin() + kkt_.nq_, k.end());
  }

  const Kkt& kkt_;
  Number zero_, one_, half_, mass_tolerance_, pivot_tolerance_, sound_;
  std::optional<Number> dependence_, least_;
  Numbers R_, Y_, M_, mass_, constraints_;
};

}  // namespace taut
