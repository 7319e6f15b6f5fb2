// SPDX-License-Identifier: BSD-3-Clause
#include "registry.hpp"

#include <array>

#include "stiff_rk/items.hpp"

namespace taut::papers {
namespace {

constexpr std::array all_topics{
    Topic{"stiff-rk", "stiff mechanical systems by implicit Runge-Kutta methods", "lubich1993"},
};

constexpr std::array all_items{
    Item{"stiff-rk", "orders", "Theorems 3.1 and 4.1: orders of every method, and of three forms",
         stiff_rk::orders},
    Item{"stiff-rk", "plateau", "errors of Radau IIA over h and epsilon", stiff_rk::plateau},
    Item{"stiff-rk", "damping", "Theorem 3.2: how fast a start off the smooth motion is forgotten",
         stiff_rk::damping},
    Item{"stiff-rk", "start", "Theorem 2.2: starting values on the manifold of smooth motion",
         stiff_rk::start},
    Item{"stiff-rk", "newton", "Lemma 8.1: step sizes for which Newton's method converges",
         stiff_rk::newton},
    Item{"stiff-rk", "estimator", "Section 8 (i): steps taken with three error estimates",
         stiff_rk::estimator},
    Item{"stiff-rk", "general-potential", "Lemma 8.2: only gradient and Hessian of U are known",
         stiff_rk::general_potential},
    Item{"stiff-rk", "software", "Section 8: CVODE, ARKODE and IDA on the stiff pendulum",
         stiff_rk::software},
};

}  // namespace

std::span<const Topic> topics() { return all_topics; }
std::span<const Item> items() { return all_items; }

}  // namespace taut::papers
