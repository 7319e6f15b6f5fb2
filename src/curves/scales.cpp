// SPDX-License-Identifier: BSD-3-Clause
#include "curves/scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"

namespace taut {
namespace {

constexpr double bent = 4.0;            // changes of a row's terms beyond this times the terms
constexpr double tolerated = 1.0 / 64;  // of its size: a length that says nothing
constexpr double singular = 1e-10;      // of its size: a length that says that a point is singular
constexpr unsigned corners = 3;         // of the box of lengths that are looked at

double sign_of(Index c, unsigned corner) {
  return philox({static_cast<std::uint32_t>(c), 1, 0, 0}, {corner, 7})[0] % 2 == 0 ? 1.0 : -1.0;
}

class Bends {
 public:
  Bends(const JetRows& rows, const Vec& u, Vec sizes)
      : rows_{rows}, u_{u}, sizes_{std::move(sizes)}, f_(rows.rows()) {
    rows.prepare(scratch_);
    Sparse df = rows.pattern();
    known_ = rows.jacobian(u, scratch_, f_, df) == Status::ok;
    here_ = Mat{df};
    silent_.assign(static_cast<std::size_t>(rows.rows()), !known_);
  }

  Vec lengths() {
    Vec L = sizes_;
    // rows that are found to be singular fall silent: all is measured again without them
    while (!shortened(L)) L = sizes_;
    for (Index c = 0; c < L.size(); ++c)
      if (L[c] > tolerated * sizes_[c]) L[c] = sizes_[c];
    return L;
  }

 private:
  // (1) by halving; false where a row has fallen silent
  bool shortened(Vec& L) {
    for (bool changed = known_; changed;) {
      changed = false;
      for (unsigned corner = 0; corner < corners; ++corner) {
        const Mat changes = changes_at(L, corner);
        for (Index r = 0; r < here_.rows(); ++r) {
          const Vec terms = here_.row(r).cwiseAbs().transpose().cwiseProduct(L);
          const Vec more = changes.row(r).transpose().cwiseProduct(L);
          // a row without any terms here is no measure
          if (silent(r) || !(terms.sum() > 0.0) || more.sum() <= bent * terms.sum()) continue;
          const double most = more.maxCoeff();
          for (Index c = 0; c < L.size(); ++c) {
            // NaN and infinity are large
            if (more[c] < most / 2) continue;
            L[c] /= 2;
            changed = true;
            if (L[c] < singular * sizes_[c])
              return silent_[static_cast<std::size_t>(r)] = true, false;
          }
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool silent(Index r) const { return silent_[static_cast<std::size_t>(r)]; }

  // |G(u + L s) - G(u)|; infinite where it has no value there, in what the row reads
  [[nodiscard]] Mat changes_at(const Vec& L, unsigned corner) {
    Vec beside = u_;
    for (Index c = 0; c < L.size(); ++c) beside[c] += L[c] * sign_of(c, corner);
    Sparse df = rows_.pattern();
    static_cast<void>(rows_.jacobian(beside, scratch_, f_, df));
    Mat changes = (Mat{df} - here_).cwiseAbs();
    return changes.unaryExpr([](double change) {
      return std::isfinite(change) ? change : std::numeric_limits<double>::infinity();
    });
  }

  const JetRows& rows_;
  const Vec& u_;
  Vec sizes_;
  JetRows::Scratch scratch_;
  Vec f_;
  Mat here_;
  bool known_ = false;
  std::vector<bool> silent_;
};

}  // namespace

Vec scales_of(const JetRows& rows, const Vec& u, const Vec& units) {
  Vec sizes = u.cwiseAbs().cwiseMax(units.size() > 0 ? units : Vec::Ones(u.size()));
  if (rows.rows() == 0) return sizes;
  return Bends{rows, u, std::move(sizes)}.lengths();
}

}  // namespace taut
