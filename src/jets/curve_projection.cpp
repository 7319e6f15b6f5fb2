// SPDX-License-Identifier: BSD-3-Clause
#include "taut/jets/curve_projection.hpp"
