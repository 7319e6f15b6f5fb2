// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The one list of methods. The registry, the laws, the convergence tests and the table of the
// README are made from it, and the sources of the library: methods/x.cpp is compiled where
// methods/x.hpp is included here.
#include "methods/automatic.hpp"
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
#include "methods/taylor.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "methods/zhang_skeel_simplified.hpp"
#include "methods/zhang_skeel_stiff.hpp"
#ifndef TAUT_SUNDIALS
#define TAUT_SUNDIALS 1  // of the tests, which have all parts
#endif
#if TAUT_SUNDIALS
#include "methods/arkode.hpp"
#include "methods/cvode.hpp"
#include "methods/ida.hpp"
#endif

namespace taut {

template <class... M>
struct MethodList {};

/// Every method, in the order in which they are listed for people.
using Methods = MethodList<                                               //
    Verlet,                                                               //
    Shake,                                                                //
    Rattle,                                                               //
    GaussNewton,                                                          //
    Composition<Verlet, Yoshida4>, Composition<Verlet, Suzuki4>,          //
    Composition<Verlet, Yoshida6>, Composition<Verlet, Suzuki6>,          //
    Composition<Rattle, Yoshida4>, Composition<Rattle, Suzuki4>,          //
    Composition<Rattle, Yoshida6>, Composition<Rattle, Suzuki6>,          //
    Rk4,                                                                  //
    Newmark,                                                              //
    NewmarkLinear,                                                        //
    PushForwardNewmark,                                                   //
    ZhangSkeel,                                                           //
    ZhangSkeelSimplified,                                                 //
    ZhangSkeelStiff,                                                      //
    Composition<ZhangSkeel, Yoshida4>, Composition<ZhangSkeel, Suzuki4>,  //
    Midpoint,                                                             //
    DormandPrince54, DormandPrince853,                                    //
    Taylor,                                                               //
    ProjectedRk,                                                          //
    Radau,                                                                //
    Automatic
#if TAUT_SUNDIALS
    ,
    CvodeAdams, CvodeBdf,  //
    Arkode,                //
    Ida
#endif
    >;

}  // namespace taut
