// SPDX-License-Identifier: BSD-3-Clause
#include "run/curve_tube.hpp"

#include <cmath>

namespace taut {

using formula::Enclosure;

// The step.
// -------------------------------------------------------------------------------------------------

class CurveTube::Interior final : public StepInterior {
 public:
  explicit Interior(CurveTube& tube) : tube_{tube} {}
  [[nodiscard]] Status at(double t, State& out) override {
    out.t = t;
    const Status status =
        tube_.integrator_->dense_point(*tube_.curve_, t / tube_.end_.t, out.q, out.v);
    out.v /= tube_.end_.t;
    return status;
  }

 private:
  CurveTube& tube_;
};

// dp/dτ of a direction
Vec CurveTube::rate(const Vec& V) const { return by_time() ? Vec{V / std::abs(V[0])} : V; }

void CurveTube::step(const Curve& curve, CurveIntegrator& integrator, End begin, End end) {
  curve_ = &curve;
  integrator_ = &integrator;
  V_begin_ = begin.V;
  V_end_ = end.V;
  begin_ = {.t = 0.0, .q = begin.p, .v = rate(begin.V)};
  end_ = {.t = std::abs(integrator.last_step()), .q = end.p, .v = rate(end.V)};
  sampled_ = false;
  tube_.through(begin_, end_, nullptr);
}

Status CurveTube::sample() {
  if (sampled_) return Status::ok;
  sampled_ = true;
  Interior interior{*this};
  return tube_.sample(begin_, end_, interior);
}

Status CurveTube::velocity(double theta, Vec& p, Vec& v) {
  if (const Status status = integrator_->dense_point(*curve_, theta, p, v); status != Status::ok)
    return status;
  v.normalize();  // dense output leads the way: V has its sign
  if (const Status status = curve_->direction(p, integrator_->evaluation(), v);
      status != Status::ok)
    return status;
  if (curve_->structure().x_grows && v[0] * V_begin_[0] < 0.0) v = -v;
  if (by_time()) v /= std::abs(v[0]);
  return v.allFinite() ? Status::ok : Status::non_finite;
}

Status CurveTube::on_curve(double theta, Vec& p, Vec& V) {
  if (theta <= 0.0 || theta >= 1.0) {
    p = theta <= 0.0 ? begin_.q : end_.q;
    V = theta <= 0.0 ? V_begin_ : V_end_;
    return Status::ok;
  }
  if (const Status status = integrator_->interpolate(*curve_, theta, p); status != Status::ok)
    return status;
  if (const Status status = integrator_->heading(*curve_, theta, V); status != Status::ok)
    return status;
  return curve_->direction(p, integrator_->evaluation(), V);
}

// Events.
// -------------------------------------------------------------------------------------------------

namespace {

// no zero, or one; across a pole a value that grows need not grow
bool once(const Enclosure& g) {
  return !g.value.contains(0.0) || (!g.rate.contains(0.0) && std::isfinite(g.value.width()));
}

}  // namespace

Enclosure CurveEventScan::enclose(const JetFormula& event, const Tube& tube, double c, double r) {
  event.on(tube, {}, c, r, inputs_);
  event.graph().enclose(inputs_, r * tube.length() / 2, all_);
  return all_[static_cast<std::size_t>(event.place(0))];
}

Status CurveEventScan::operator()(const JetFormula& event, CurveTube& step,
                                  std::vector<double>& places) {
  places.clear();
  if (!(step.length() > 0.0) || once(enclose(event, step.tube(), 0.0, 1.0))) return Status::ok;
  if (step.sample() != Status::ok) return Status::ok;  // its ends tell what they can
  budget_ = 20'000;
  split(event, step.tube(), 0.0, 1.0, 0, places);
  return Status::ok;
}

void CurveEventScan::split(const JetFormula& event, const Tube& tube, double c, double r, int depth,
                           std::vector<double>& places) {
  constexpr int deepest = 20;
  if (once(enclose(event, tube, c, r)) || depth >= deepest || --budget_ <= 0) return;
  split(event, tube, c - r / 2, r / 2, depth + 1, places);
  places.push_back(CurveTube::theta(c));
  split(event, tube, c + r / 2, r / 2, depth + 1, places);
}

}  // namespace taut
