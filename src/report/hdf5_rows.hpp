// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/hdf5_calls.hpp"

namespace taut::hdf5 {

/// A table of a file that is too long to be held in memory: numbers, `columns` 0: one for each row;
/// or texts of this many bytes.
struct Table {
  std::string name;
  std::size_t rows = 0, columns = 0, text_bytes = 0;
};

/// Takes the rows of the tables, those of each in their order.
class RowWriter {
 public:
  virtual void numbers(std::size_t table, const double* row, std::size_t count) = 0;
  virtual void text(std::size_t table, std::string_view word) = 0;

 protected:
  ~RowWriter() = default;
};

/// A file that appears whole or not at all, with memory that does not grow with the length of its
/// tables. What went wrong, or nothing.
///
/// HDF5 lays the file out, with what `fill` puts there and the places of the tables, in a temporary
/// file with holes: it never sees the place of the results, for a file that it cannot flush ends
/// the program. Rows are then written to their places, by `rows`, which returns what went wrong.
[[nodiscard]] std::string write_rows(const std::filesystem::path& file,
                                     const std::function<bool(hid_t)>& fill,
                                     const std::vector<Table>& tables,
                                     const std::function<std::string(RowWriter&)>& rows);

}  // namespace taut::hdf5
