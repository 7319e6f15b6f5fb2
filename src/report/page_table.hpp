// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

/// Numbers at equal distances in memory; none where `first` is null.
struct Strided {
  const double* first = nullptr;
  std::size_t stride = 1;

  [[nodiscard]] double operator[](std::size_t row) const { return first[row * stride]; }
};

struct PageColumn {
  std::string name;
  Strided data;
  Strided low{}, high{};    ///< since the row before; null: the rows are all there is
  bool needed = false;      ///< whatever the plots leave out
  bool difference = false;  ///< shown is the change since the row before
  bool plotted = false;     ///< in a group; set by PageTable::choose()
};

/// One plot.
struct PageGroup {
  std::string id, title, scale, unit;
  std::vector<std::size_t> columns;  ///< in PageTable::columns
  std::size_t most_shown = 6;        ///< until the reader chooses: those with the largest range
};

/// Columns and plots of a page, and what of them fits into it.
class PageTable {
 public:
  std::vector<PageColumn> columns;  ///< the first is the axis
  std::vector<PageGroup> groups;
  std::size_t rows = 0;
  bool banded = false;  ///< columns of plots have low and high

  /// Adds a column to the last group, or to none; its index.
  std::size_t add(PageColumn column, bool to_group = true);
  /// Keeps numbers that no one else does.
  Strided own(std::vector<double> numbers);

  /// Chooses rows and columns that take up at most `bytes` of JSON.
  void choose(std::size_t bytes);
  /// Rows that were chosen, in order; the last row is always there.
  [[nodiscard]] const std::vector<std::size_t>& chosen_rows() const { return chosen_rows_; }
  /// Index in the page of a column; -1: it was left out.
  [[nodiscard]] int place(std::size_t column) const { return place_[column]; }
  /// Sentences about what was left out.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  /// `"rows":...,"columns":[...],"groups":[...]`, of what was chosen.
  [[nodiscard]] std::string json() const;

 private:
  struct Size {
    std::size_t numbers = 0;  ///< of each row
    std::size_t bytes = 0;    ///< besides them
  };
  [[nodiscard]] double range(const PageColumn& column) const;
  [[nodiscard]] std::vector<std::size_t> widest(const std::vector<std::size_t>& of,
                                                std::size_t count) const;
  [[nodiscard]] std::vector<std::size_t> limited(const PageGroup& group, std::size_t most) const;
  [[nodiscard]] Size size(std::size_t most, bool with_bands) const;
  void take_columns(std::size_t most);
  void append_column(const PageColumn& column, std::string& out) const;

  std::deque<std::vector<double>> owned_;
  std::vector<std::size_t> chosen_rows_;
  std::vector<int> place_;
  std::vector<std::string> left_out_;
};

/// Doubles, little-endian, in base64.
[[nodiscard]] std::string base64(const std::vector<double>& numbers);
/// Any bytes.
[[nodiscard]] std::string base64(std::string_view text_of_bytes);

/// A JSON string.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace taut
