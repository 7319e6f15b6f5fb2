// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "taut/methods/composition.hpp"
#include "taut/methods/dormand_prince.hpp"
#include "taut/methods/gauss_newton.hpp"
#include "taut/methods/midpoint.hpp"
#include "taut/methods/newmark.hpp"
#include "taut/methods/newmark_linear.hpp"
#include "taut/methods/projected_rk.hpp"
#include "taut/methods/push_forward_newmark.hpp"
#include "taut/methods/radau.hpp"
#include "taut/methods/rattle.hpp"
#include "taut/methods/rk4.hpp"
#include "taut/methods/shake.hpp"
#include "taut/methods/verlet.hpp"
#include "taut/methods/zhang_skeel.hpp"
#include "taut/methods/zhang_skeel_simplified.hpp"
#include "taut/methods/zhang_skeel_stiff.hpp"

namespace taut::test {

/// Every method of constant steps.
using SteppingMethods = ::testing::Types<
    Verlet, Shake, Rattle, GaussNewton, Composition<Verlet, Yoshida4>, Composition<Verlet, Suzuki4>,
    Composition<Verlet, Yoshida6>, Composition<Verlet, Suzuki6>, Composition<Rattle, Yoshida4>,
    Composition<Rattle, Suzuki4>, Composition<Rattle, Yoshida6>, Composition<Rattle, Suzuki6>, Rk4,
    Newmark, NewmarkLinear, PushForwardNewmark, ZhangSkeel, ZhangSkeelSimplified, ZhangSkeelStiff,
    Composition<ZhangSkeel, Yoshida4>, Composition<ZhangSkeel, Suzuki4>, Midpoint>;

/// Every method that chooses its steps (those of SUNDIALS have their own tests).
using AdaptiveMethods = ::testing::Types<DormandPrince54, DormandPrince853, ProjectedRk, Radau>;
using ExplicitAdaptiveMethods = ::testing::Types<DormandPrince54, DormandPrince853, ProjectedRk>;

/// Prints a typed test by the method's own name.
struct MethodName {
  template <class M>
  static std::string GetName(int) {
    return std::string{M::info.name};
  }
};

}  // namespace taut::test
