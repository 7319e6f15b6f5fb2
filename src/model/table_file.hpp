// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/model/table.hpp"

namespace taut {

/// Most bytes of a file with numbers of a table, and most numbers of a table.
inline constexpr std::size_t max_table_file_size = std::size_t{64} << 20;
inline constexpr std::size_t max_table_size = 1 << 20;

/// Reads the numbers of a table from the file it names, which must stand beside the model: a plain
/// name, that of a file in the same folder, not of a link out of it.
///
///   two columns     x, y: one variable
///   three columns   x, y, z: two variables, each pair of an x and a y once, in any order
///
/// Columns are separated by commas, semicolons, tabs or blanks; empty lines and what follows a #
/// count for nothing, and the first line may name the columns. `columns`, where it is not empty,
/// tells which of them are meant, from 1 on. Mistakes go to `problems` with the line in the file,
/// and the table is unread then.
void read_table_file(const std::string& model_file, const std::vector<int>& columns,
                     const std::string& where, Table& table, Problems& problems);

}  // namespace taut
