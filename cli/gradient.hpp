// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "command.hpp"

namespace taut::cli {

std::unique_ptr<Command> gradient_command(CLI::App& program);
std::unique_ptr<Command> optimize_command(CLI::App& program);

}  // namespace taut::cli
