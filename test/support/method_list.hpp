// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "methods/composition.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/midpoint.hpp"
#include "methods/newmark.hpp"
#include "methods/newmark_linear.hpp"
#include "methods/projected_rk.hpp"
#include "methods/push_forward_newmark.hpp"
#include "methods/radau.hpp"
#include "methods/rattle.hpp"
#include "methods/rk4.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "methods/zhang_skeel_simplified.hpp"
#include "methods/zhang_skeel_stiff.hpp"

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
