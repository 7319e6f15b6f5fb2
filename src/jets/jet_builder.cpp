// SPDX-License-Identifier: BSD-3-Clause
#include "taut/jets/jet_forms.hpp"
