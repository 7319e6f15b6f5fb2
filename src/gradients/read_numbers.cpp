// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/read_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace taut {

bool ReadNumbers::find(const System& model, const std::string& name, Place& place) {
  using enum Place::Kind;
  const Structure& structure = model.structure();
  const auto take = [&](Place::Kind kind, std::size_t index) {
    place.kind = kind;
    place.index = static_cast<Index>(index);
    return true;
  };
  // the order of FrameNames: the first to claim a name has it
  for (std::size_t i = 0; i < structure.coordinates.size(); ++i) {
    if (name == structure.velocities[i]) return take(v, i);
    if (i >= static_cast<std::size_t>(structure.places())) {
      if (name == fmt::format("rate({})", structure.velocities[i])) return take(a, i);
      continue;
    }
    if (name == structure.coordinates[i]) return take(q, i);
    if (name == fmt::format("a({})", structure.coordinates[i])) return take(a, i);
  }
  for (std::size_t r = 0; r < structure.rows.size(); ++r)
    if (name == structure.rows[r].name || name == fmt::format("lambda({})", structure.rows[r].name))
      return take(lambda, r);
  if (const std::optional<System> shown = model.quantities()) {
    const auto& all = shown->structure().observables;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == name) return take(quantity, k);
  }
  return false;
}

ReadNumbers::ReadNumbers(const WideSystem& wide, std::vector<Place> places)
    : wide_{wide}, places_{std::move(places)} {
  for (const Place& place : places_) {
    read_quantities_ |= place.kind == Place::Kind::quantity;
    read_loads_ |= place.kind == Place::Kind::a || place.kind == Place::Kind::lambda;
  }
  sign_ = Vec::Ones(count());
  if (!read_quantities_) return;
  const System& quantities = *wide_.quantities();
  quantities.prepare(shown_);
  at_ = rate_ = Vec::Zero(quantities.nq());
  const Sparse& pattern = quantities.structure().observable_q;
  for (const Place& place : places_)
    if (place.kind == Place::Kind::quantity)
      for (Sparse::InnerIterator it{pattern, place.index}; it; ++it)
        read_loads_ |= it.col() >= wide_.nq() + wide_.ne();
}

Status ReadNumbers::values(const State& state, const Vec& a, const Vec& lambda, Vec& x) {
  x.resize(count());
  if (read_quantities_) {
    const Index nq = wide_.nq();
    at_.head(nq) = state.q;
    if (a.size() > 0) at_.segment(nq + wide_.ne(), nq) = a;
    if (lambda.size() > 0) at_.tail(lambda.size()) = lambda;
    rate_.head(nq) = state.v;
    t_ = state.t;
    if (const Status status = wide_.quantities()->evaluate(need(Target::observable),
                                                           {.t = t_, .q = at_, .v = rate_}, shown_);
        status != Status::ok)
      return status;
  }
  for (Index k = 0; k < count(); ++k) {
    const Place& place = places_[static_cast<std::size_t>(k)];
    switch (place.kind) {
      case Place::Kind::q:
        x[k] = state.q[place.index];
        break;
      case Place::Kind::v:
        x[k] = state.v[place.index];
        break;
      case Place::Kind::a:
        x[k] = a[place.index];
        break;
      case Place::Kind::lambda:
        x[k] = lambda[place.index];
        break;
      case Place::Kind::quantity:
        x[k] = shown_.observable[place.index];
        break;
    }
    if (!place.absolute) continue;
    sign_[k] = x[k] < 0.0 ? -1.0 : 1.0;
    x[k] = std::abs(x[k]);
  }
  return Status::ok;
}

Status ReadNumbers::pull_back(const Mat& weight, Mat& on_x, Mat& on_w, Mat& on_a, Mat& on_rows) {
  if (read_quantities_)
    if (const Status status =
            wide_.quantities()->evaluate(needs(Target::observable_q, Target::observable_v),
                                         {.t = t_, .q = at_, .v = rate_}, shown_);
        status != Status::ok)
      return status;
  const Index nq = wide_.nq(), ne = wide_.ne();
  for (Index k = 0; k < count(); ++k) {
    const Place& place = places_[static_cast<std::size_t>(k)];
    const Eigen::RowVectorXd by = sign_[k] * weight.row(k);
    if (by.isZero(0.0)) continue;
    switch (place.kind) {
      case Place::Kind::q:
        on_x.row(place.index) += by;
        break;
      case Place::Kind::v:
        on_w.row(place.index) += by;
        break;
      case Place::Kind::a:
        on_a.row(place.index) += by;
        break;
      case Place::Kind::lambda:
        on_rows.row(place.index) += by;
        break;
      case Place::Kind::quantity:
        for (Sparse::InnerIterator it{shown_.observable_q, place.index}; it; ++it) {
          const Index column = it.col();
          if (column < nq + ne)
            on_x.row(column) += it.value() * by;
          else if (column < 2 * nq + ne)
            on_a.row(column - nq - ne) += it.value() * by;
          else
            on_rows.row(column - 2 * nq - ne) += it.value() * by;
        }
        for (Sparse::InnerIterator it{shown_.observable_v, place.index}; it; ++it)
          if (it.col() < nq) on_w.row(it.col()) += it.value() * by;
        break;
    }
  }
  return Status::ok;
}

}  // namespace taut
