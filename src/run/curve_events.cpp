// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "formula/kernel.hpp"
#include "run/jet_formula.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/run/follow.hpp"

namespace taut {
namespace {

// one expression with what it needs to be evaluated
class JetValue {
 public:
  JetValue(const JetSystem& system, const CurveStructure& structure,
           std::shared_ptr<CompletedUnknowns> others, formula::NodeId node)
      : others_{std::move(others)} {
    formula::Formula formula;
    formula.coordinates = static_cast<int>(system.size(system.order));
    formula.observables = 1;
    const formula::NodeId copied = formula::copy(system.graph, node, {}, formula.graph);
    formula.roots.push_back({formula::Role::observable, copied, 0});
    kernel_ = formula::make_kernel(derive(formula, need(Target::observable)), 1);
    for (const formula::Input& input : kernel_->program().inputs) {
      readings_.push_back(reading_of(
          system, structure, others_ ? others_->names() : std::vector<std::string>{}, input.index));
      if (readings_.back().from == JetReading::From::nowhere && missing_.empty())
        missing_ = system.name_of(input.index);
      reads_others_ = reads_others_ || readings_.back().from == JetReading::From::unknown;
    }
    if (others_) numbers_.setZero(static_cast<Index>(others_->names().size()));
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
    // they have no bound at an impasse point; the run says that the event has no value there
    if (reads_others_ && (*others_)(p, numbers_) != Status::ok)
      return std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < readings_.size(); ++k) {
      const auto [from, place] = readings_[k];
      registers_[k] = from == JetReading::From::unknown      ? numbers_[place]
                      : from == JetReading::From::derivative ? V[place] / V[0]
                                                             : p[place];
    }
    kernel_->run(registers_);
    const auto& outputs = kernel_->program().outputs;
    if (outputs.empty()) return 0.0;
    const double value = registers_[outputs.front().reg];
    return outputs.front().negate ? -value : value;
  }

 private:
  std::unique_ptr<const formula::Kernel> kernel_;
  std::vector<JetReading> readings_;
  std::vector<double> memory_;
  double* registers_ = nullptr;
  std::string missing_;
  std::shared_ptr<CompletedUnknowns> others_;
  Vec numbers_;
  bool reads_others_ = false;
};

}  // namespace

CurveEvents curve_events(const JetSystem& system, const Curve& curve,
                         const Completion* completion) {
  CurveEvents result;
  std::shared_ptr<CompletedUnknowns> others;
  if (completion != nullptr) others = std::make_shared<CompletedUnknowns>(system, *completion);
  for (const JetSystem::Event& event : system.events) {
    auto value = std::make_shared<JetValue>(system, curve.structure(), others, event.node);
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
         .stops = event.stops,
         .formula = std::make_shared<const JetFormula>(
             system, curve.structure(), others ? others->names() : std::vector<std::string>{},
             system.graph, std::span{&event.node, 1})});
  }
  for (const JetSystem::Output& output : system.outputs) {
    auto value = std::make_shared<JetValue>(system, curve.structure(), others, output.node);
    if (!value->missing().empty()) {
      result.reason =
          fmt::format("output '{}' reads {}, which this form of the system does not have",
                      output.name, value->missing());
      return result;
    }
    result.outputs.push_back(
        {output.name, [value](const Vec& p, const Vec& V) { return (*value)(p, V); }});
  }
  return result;
}

}  // namespace taut
