// SPDX-License-Identifier: BSD-3-Clause
#include "fused/fused_accelerations.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace taut::fused {
namespace {

// of coordinates and constraints, a chain of 43 links: there it still saves a third of an
// evaluation. Beyond, what that costs besides arithmetic is small, and equal elements are computed
// side by side
constexpr Index largest = 130;

bool fits(const System& system) {
  if (system.nq() + system.nc() > largest) return false;
  // what is set from outside is read at every evaluation
  if (!system.structure().inputs.empty()) return false;
  return dynamic_cast<const CompiledSystem*>(&system.implementation()) != nullptr;
}

const CompiledSystem& compiled(const System& system) {
  return static_cast<const CompiledSystem&>(system.implementation());
}

}  // namespace

void FusedAccelerations::start(const System& system) {
  const bool same = system_.shared() != nullptr && system.shared() == system_.shared();
  system_ = system;
  if (same && made_) {
    if (!bind()) made_ = nullptr;
    return;
  }
  if (same) return;
  asked_ = 0;
  tried_ = !fits(system);
  made_ = nullptr;
  // other runs may have asked often enough
  if (!tried_ &&
      compiled(system).attachment().asked.load(std::memory_order_relaxed) >= worth_making)
    asked_ = told_at_once;
}

void FusedAccelerations::take() {
  CompiledSystem::Attachment& shared = compiled(system_).attachment();
  const std::int64_t asked = shared.asked.fetch_add(asked_, std::memory_order_relaxed) + asked_;
  asked_ = 0;
  if (asked < worth_making) return;
  const auto* found = static_cast<const Made*>(shared.made.load(std::memory_order_acquire));
  if (found == nullptr) {
    if (shared.begun.exchange(true)) return;
    auto made = std::make_shared<Made>();
    made->programs = MotionPrograms::make_acceleration(system_);
    if (made->programs)
      made->kernel = formula::make_busy_kernel(made->programs->acceleration.program, 1);
    found = made.get();
    shared.kept = std::move(made);
    shared.made.store(found, std::memory_order_release);
  }
  tried_ = true;
  if (!found->programs) return;
  made_ = found;
  registers_.assign(static_cast<std::size_t>(made_->kernel->program().registers), 0.0);
  made_->kernel->load_constants(registers_.data());
  if (!bind()) made_ = nullptr;
}

bool FusedAccelerations::bind() {
  if (!made_->programs->given(system_, std::nullopt, numbers_, given_)) return false;
  for (const auto& [reg, number] : made_->programs->acceleration.inputs.given)
    registers_[static_cast<std::size_t>(reg)] = given_[static_cast<std::size_t>(number)];
  return true;
}

bool FusedAccelerations::operator()(double t, const Vec& q, const Vec& v, Vec& a,
                                    double& independence) {
  if (!made_) {
    if (tried_ || ++asked_ < told_at_once) return false;
    take();
    if (!made_) return false;
  }
  const MotionPrograms::Acceleration& part = made_->programs->acceleration;
  double* const r = registers_.data();
  const auto fill = [r](const std::vector<int>& registers, const Vec& from) {
    for (std::size_t i = 0; i < registers.size(); ++i)
      if (registers[i] >= 0) r[registers[i]] = from[static_cast<Index>(i)];
  };
  fill(part.inputs.q, q);
  fill(part.inputs.v, v);
  if (part.inputs.t >= 0) r[part.inputs.t] = t;
  made_->kernel->run(r);
  if (r[part.health] != 1.0 || !(r[part.least_dependence] > 0.0) ||
      !(r[part.dependence] < MotionPrograms::most_dependence))
    return false;
  a.resize(q.size());
  for (std::size_t i = 0; i < part.a.size(); ++i) a[static_cast<Index>(i)] = r[part.a[i]];
  independence = 1.0 / r[part.dependence];
  return true;
}

}  // namespace taut::fused
