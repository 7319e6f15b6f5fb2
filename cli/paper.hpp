// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "command.hpp"

namespace taut::cli {

/// Becomes the program taut-paper that stands beside this one; `arguments` as execv takes them,
/// from the word "paper" on. Returns only where there is no such program: the exit code.
int become_paper(char** arguments, bool json);

}  // namespace taut::cli
