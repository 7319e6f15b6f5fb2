// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "command.hpp"

namespace taut::cli {

std::unique_ptr<Command> fit_command(CLI::App& program);

}  // namespace taut::cli
