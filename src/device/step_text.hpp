// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace taut::device {

/// What stands before and behind the functions that are made of a model (motion_source.hpp): what
/// functions are called, and a run, with the names of that page for sizes, constants and functions.
extern const std::string_view before_model, behind_model;

}  // namespace taut::device
