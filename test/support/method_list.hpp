// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "methods/method_list.hpp"

namespace taut::test {

/// Those of the one list of methods whose claims are as asked.
template <bool (*asked)(const MethodInfo&), class List, class... Found>
struct Those;
template <bool (*asked)(const MethodInfo&), class... Found>
struct Those<asked, MethodList<>, Found...> {
  using Types = ::testing::Types<Found...>;
};
template <bool (*asked)(const MethodInfo&), class First, class... Rest, class... Found>
struct Those<asked, MethodList<First, Rest...>, Found...>
    : std::conditional_t<asked(First::info), Those<asked, MethodList<Rest...>, Found..., First>,
                         Those<asked, MethodList<Rest...>, Found...>> {};

constexpr bool steps(const MethodInfo& info) { return !info.adaptive; }
// those of SUNDIALS, which are not resumable, have tests of their own
// taylor reads formulas, of which systems written by hand have none
constexpr bool chooses_its_steps(const MethodInfo& info) {
  return info.adaptive && info.resumable && info.name != "taylor";
}
constexpr bool chooses_its_steps_explicitly(const MethodInfo& info) {
  return chooses_its_steps(info) && !info.derivatives;
}

/// Every method of constant steps.
using SteppingMethods = Those<steps, Methods>::Types;
/// Every method that chooses its steps.
using AdaptiveMethods = Those<chooses_its_steps, Methods>::Types;
/// Those of them that do without derivatives of the forces, or can.
using ExplicitAdaptiveMethods = Those<chooses_its_steps_explicitly, Methods>::Types;

/// Prints a typed test by the method's own name.
struct MethodName {
  template <class M>
  static std::string GetName(int) {
    return std::string{M::info.name};
  }
};

}  // namespace taut::test
