// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu.hpp"

#include <algorithm>
#include <limits>

#include "core/lu_dense.hpp"
#include "core/lu_exchange.hpp"
#include "core/lu_fronts.hpp"
#include "core/lu_plan.hpp"
#include "core/lu_static.hpp"

namespace taut {

template <class Scalar>
struct Lu<Scalar>::Parts {
  std::shared_ptr<const LuPlan> plan;
  std::vector<Scalar> values;
  std::vector<double> scale;  // s² by row
  bool exchanged = false;
  LuDense<Scalar> dense;
  LuStatic<Scalar> in_order;
  LuFronts<Scalar> by_fronts;
  LuExchange<Scalar> with_exchanges;

  void prepare() {
    values.assign(plan->column.size(), Scalar{});
    scale.assign(plan->n, 0.0);
    exchanged = false;
    if (plan->dense)
      dense.analyse(plan->n);
    else if (plan->fronts)
      by_fronts.analyse(*plan);
    else
      in_order.analyse(*plan);
  }

  /// (2), (3); false if a value is not finite.
  bool find_scale() {
    const LuPlan& p = *plan;
    bool finite = true;
    for (int i = 0; i < p.nq; ++i) {
      double largest = 0.0;
      for (int e = p.begin[i]; e < p.begin[i + 1]; ++e) {
        const double size = size_of(values[e]);
        finite &= size <= std::numeric_limits<double>::max();
        if (p.column[e] < p.nq) largest = std::max(largest, size);
      }
      const double own = p.diagonal[i] < 0 ? 0.0 : size_of(values[p.diagonal[i]]);
      scale[i] = std::max(own, 1e-3 * largest);
      if (scale[i] == 0.0) scale[i] = 1.0;
    }
    const int first = p.begin[p.nq];
    for (int c = p.nq; c < p.n; ++c) {
      double sum = p.diagonal[c] < 0 ? 0.0 : size_of(values[p.diagonal[c]]);
      for (int e = p.begin[c]; e < p.begin[c + 1]; ++e) {
        const double size = size_of(values[e]);
        finite &= size <= std::numeric_limits<double>::max();
        const int other = p.transposed[e - first];
        if (other >= 0) sum += size * size_of(values[other]) / scale[p.column[e]];
      }
      scale[c] = sum > 0.0 ? sum : 1.0;
    }
    return finite;
  }
};

template <class Scalar>
Lu<Scalar>::Lu() : parts_{std::make_unique<Parts>()} {}
template <class Scalar>
Lu<Scalar>::~Lu() = default;
template <class Scalar>
Lu<Scalar>::Lu(const Lu& other) : parts_{std::make_unique<Parts>(*other.parts_)} {}
template <class Scalar>
Lu<Scalar>::Lu(Lu&& other) noexcept = default;
template <class Scalar>
Lu<Scalar>& Lu<Scalar>::operator=(const Lu& other) {
  if (this != &other) parts_ = std::make_unique<Parts>(*other.parts_);
  return *this;
}
template <class Scalar>
Lu<Scalar>& Lu<Scalar>::operator=(Lu&& other) noexcept = default;

template <class Scalar>
void Lu<Scalar>::analyse(const Sparse& pattern, Index constraints) {
  parts_->plan = std::make_shared<const LuPlan>(pattern, constraints);
  parts_->prepare();
}

template <class Scalar>
template <class Other>
void Lu<Scalar>::analyse_like(const Lu<Other>& other) {
  parts_->plan = other.parts_->plan;
  parts_->prepare();
}

template <class Scalar>
Index Lu<Scalar>::size() const {
  return static_cast<Index>(parts_->scale.size());
}

template <class Scalar>
Scalar* Lu<Scalar>::values() {
  return parts_->values.data();
}

template <class Scalar>
const Scalar* Lu<Scalar>::values() const {
  return parts_->values.data();
}

template <class Scalar>
Status Lu<Scalar>::factor() {
  Parts& p = *parts_;
  p.exchanged = false;
  if (!p.find_scale()) return Status::non_finite;
  if (p.plan->dense) return p.dense.factor(*p.plan, p.values.data(), p.scale.data());
  const bool done = p.plan->fronts ? p.by_fronts.factor(*p.plan, p.values.data(), p.scale.data())
                                   : p.in_order.factor(*p.plan, p.values.data(), p.scale.data());
  if (done) return Status::ok;
  p.exchanged = true;
  return p.with_exchanges.factor(*p.plan, p.values.data(), p.scale.data());
}

template <class Scalar>
void Lu<Scalar>::solve(Scalar* b) const {
  const Parts& p = *parts_;
  if (p.plan->dense)
    p.dense.solve(b);
  else if (p.exchanged)
    p.with_exchanges.solve(*p.plan, b);
  else if (p.plan->fronts)
    p.by_fronts.solve(b);
  else
    p.in_order.solve(*p.plan, b);
}

template <class Scalar>
bool Lu<Scalar>::exchanged() const {
  return parts_->exchanged;
}

template class Lu<double>;
template class Lu<std::complex<double>>;
template void Lu<double>::analyse_like(const Lu<double>&);
template void Lu<double>::analyse_like(const Lu<std::complex<double>>&);
template void Lu<std::complex<double>>::analyse_like(const Lu<double>&);
template void Lu<std::complex<double>>::analyse_like(const Lu<std::complex<double>>&);

}  // namespace taut
