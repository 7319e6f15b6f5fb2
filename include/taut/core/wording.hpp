// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace taut {

/// Where sentences are shown, and so how options are called in them.
enum class Dialect : unsigned char { cpp, command_line, python };

/// Of this process, set once by who shows them: the program and the Python module do. C++ else.
void speak(Dialect dialect);
[[nodiscard]] Dialect spoken();

/// A sentence with its options called as they are called there:
///
///   <<max steps>>       .max_steps           --max-steps        max_steps=
///   <<reading: rigid>>  .reading = rigid     --reading rigid    reading=rigid
[[nodiscard]] std::string worded(std::string_view sentence);

}  // namespace taut

#pragma GCC visibility pop
