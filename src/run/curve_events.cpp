// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "taut/formula/kernel.hpp"
#include "taut/run/follow.hpp"

namespace taut {
namespace {

// where a formula reads a jet: a coordinate, or its derivative by x
struct Reading {
  Index coordinate = -1;
  bool derivative = false;
};

Index find(const std::vector<std::string>& names, const std::string& name) {
  const auto place = std::find(names.begin(), names.end(), name);
  return place == names.end() ? -1 : place - names.begin();
}

Reading reading_of(const JetSystem& system, const CurveStructure& structure, Index jet) {
  if (const Index own = find(structure.coordinates, system.name_of(jet)); own >= 0)
    return {own, false};
  if (jet < 1 + system.n()) return {};
  return {find(structure.coordinates, system.name_of(jet - system.n())), true};
}

// one expression with what it needs to be evaluated
class JetValue {
 public:
  JetValue(const JetSystem& system, const CurveStructure& structure, formula::NodeId node) {
    formula::Formula formula;
    formula.coordinates = static_cast<int>(system.size(system.order));
    formula.observables = 1;
    const formula::NodeId copied = formula::copy(system.graph, node, {}, formula.graph);
    formula.roots.push_back({formula::Role::observable, copied, 0});
    kernel_ = formula::make_kernel(derive(formula, need(Target::observable)), 1);
    for (const formula::Input& input : kernel_->program().inputs) {
      readings_.push_back(reading_of(system, structure, input.index));
      if (readings_.back().coordinate < 0 && missing_.empty())
        missing_ = system.name_of(input.index);
    }
    constexpr std::size_t alignment = 64;
    std::size_t space = static_cast<std::size_t>(kernel_->program().registers) * sizeof(double);
    memory_.resize(space / sizeof(double) + alignment / sizeof(double));
    void* begin = memory_.data();
    std::size_t room = memory_.size() * sizeof(double);
    registers_ = static_cast<double*>(std::align(alignment, space, begin, room));
    kernel_->load_constants(registers_);
  }

  // the first jet that the curve does not have
  [[nodiscard]] const std::string& missing() const { return missing_; }

  double operator()(const Vec& p, const Vec& V) {
    for (std::size_t k = 0; k < readings_.size(); ++k) {
      const auto [coordinate, derivative] = readings_[k];
      registers_[k] = derivative ? V[coordinate] / V[0] : p[coordinate];
    }
    kernel_->run(registers_);
    const auto& outputs = kernel_->program().outputs;
    if (outputs.empty()) return 0.0;
    const double value = registers_[outputs.front().reg];
    return outputs.front().negate ? -value : value;
  }

 private:
  std::unique_ptr<const formula::Kernel> kernel_;
  std::vector<Reading> readings_;
  std::vector<double> memory_;
  double* registers_ = nullptr;
  std::string missing_;
};

}  // namespace

CurveEvents curve_events(const JetSystem& system, const Curve& curve) {
  CurveEvents result;
  for (const JetSystem::Event& event : system.events) {
    auto value = std::make_shared<JetValue>(system, curve.structure(), event.node);
    if (!value->missing().empty()) {
      result.events.clear();
      result.reason =
          fmt::format("event '{}' reads {}, which this form of the system does not have",
                      event.name, value->missing());
      return result;
    }
    result.events.push_back(
        {.name = event.name,
         .value = [value](const Vec& p, const Vec& V) { return (*value)(p, V); },
         .direction = event.direction,
         .stops = event.stops});
  }
  return result;
}

}  // namespace taut
