// SPDX-License-Identifier: BSD-3-Clause
#include "taut/jets/holonomic.hpp"
