// SPDX-License-Identifier: BSD-3-Clause
#include "report/page_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "report/json.hpp"

namespace taut {
namespace {

constexpr std::size_t most_in_group = 256;   // a reader chooses from a list of them
constexpr std::size_t fewest_in_group = 16;  // and may expect to find some
constexpr std::size_t enough_rows = 400;     // before columns are left out

}  // namespace

std::string base64(const std::vector<double>& numbers) {
  std::string bytes(numbers.size() * 8, '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto word = std::bit_cast<std::uint64_t>(numbers[i]);
    for (unsigned k = 0; k < 8; ++k) bytes[8 * i + k] = static_cast<char>(word >> 8 * k & 255U);
  }
  return base64(bytes);
}

std::string base64(std::string_view text_of_bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes(text_of_bytes.begin(), text_of_bytes.end());
  bytes.resize(bytes.size() + 2, 0);  // whole groups of three
  const std::size_t size = text_of_bytes.size(), groups = (size + 2) / 3;
  std::string text(4 * groups, '=');
  for (std::size_t i = 0; i < groups; ++i) {
    const unsigned bits = static_cast<unsigned>(bytes[3 * i]) << 16U |
                          static_cast<unsigned>(bytes[3 * i + 1]) << 8U | bytes[3 * i + 2];
    // the last group has a digit more than bytes
    const std::size_t count = std::min<std::size_t>(size - 3 * i, 3) + 1;
    for (unsigned k = 0; k < count; ++k) text[4 * i + k] = digits[bits >> (18 - 6 * k) & 63U];
  }
  return text;
}

std::string json_string(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::size_t PageTable::add(PageColumn column, bool to_group) {
  if (to_group) groups.back().columns.push_back(columns.size());
  columns.push_back(std::move(column));
  return columns.size() - 1;
}

Strided PageTable::own(std::vector<double> numbers) {
  return {owned_.emplace_back(std::move(numbers)).data()};
}

double PageTable::range(const PageColumn& column) const {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t row = 0; row < rows; ++row) {
    const double low = (column.low.first != nullptr ? column.low : column.data)[row];
    const double high = (column.high.first != nullptr ? column.high : column.data)[row];
    if (low < least) least = low;
    if (high > most) most = high;
  }
  return most > least ? most - least : 0.0;
}

// In file order.
std::vector<std::size_t> PageTable::widest(const std::vector<std::size_t>& of,
                                           std::size_t count) const {
  if (of.size() <= count) return of;
  std::vector<std::pair<double, std::size_t>> ranges;
  for (const std::size_t column : of) ranges.emplace_back(range(columns[column]), column);
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(ranges[k].second);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// The first ones, and of the others those with the largest range.
std::vector<std::size_t> PageTable::limited(const PageGroup& group, std::size_t most) const {
  if (group.columns.size() <= most) return group.columns;
  const auto middle = group.columns.begin() + static_cast<std::ptrdiff_t>(most / 2);
  std::vector<std::size_t> chosen{group.columns.begin(), middle};
  const std::vector<std::size_t> others = widest({middle, group.columns.end()}, most - most / 2);
  chosen.insert(chosen.end(), others.begin(), others.end());
  return chosen;
}

// What columns take up when at most so many are in a group: more or less what they will.
PageTable::Size PageTable::size(std::size_t most, bool with_bands) const {
  constexpr std::size_t bytes_of_column = 56;  // keys, quotes and commas
  Size sum;
  for (const PageColumn& column : columns)
    if (column.needed) {
      ++sum.numbers;
      sum.bytes += bytes_of_column + column.name.size();
    }
  for (const PageGroup& group : groups) {
    const std::size_t count = std::min(group.columns.size(), most);
    for (std::size_t k = 0; k < count; ++k) {
      const PageColumn& column = columns[group.columns[k]];
      sum.numbers += (with_bands ? 3 : 1) - (column.needed ? 1 : 0);
      sum.bytes += 2 * (bytes_of_column + column.name.size());  // others may be longer
    }
  }
  return sum;
}

void PageTable::take_columns(std::size_t most) {
  for (PageGroup& group : groups) {
    const std::size_t all = group.columns.size();
    group.columns = limited(group, most);
    for (const std::size_t column : group.columns) columns[column].plotted = true;
    if (all > most)
      left_out_.push_back(fmt::format(
          "Of {} columns of \"{}\" there are {} to be plotted: the first {} and the {} that "
          "change most.",
          all, group.title, most, most / 2, most - most / 2));
  }
  int next = 0;
  for (const PageColumn& column : columns)
    place_.push_back(column.plotted || column.needed ? next++ : -1);
}

void PageTable::choose(std::size_t bytes) {
  const auto rows_that_fit = [&](std::size_t most, bool with_bands) {
    const Size each = size(most, with_bands);
    // a number is 32/3 bytes of base64
    return bytes > each.bytes
               ? (bytes - each.bytes) * 3 / 32 / std::max<std::size_t>(each.numbers, 1)
               : std::size_t{0};
  };
  std::size_t most = most_in_group, stride = 1;
  if (rows_that_fit(most, banded) < rows) {
    while (rows_that_fit(most, true) < std::min(rows, enough_rows) && most > fewest_in_group)
      most /= 2;
    // the first row and the last come on top
    const std::size_t fit = std::max<std::size_t>(rows_that_fit(most, true), 4) - 2;
    if (fit < rows) {
      stride = (rows + fit - 1) / fit;
      banded = true;
    }
  }
  take_columns(most);
  for (std::size_t row = 0; row < rows; row += stride) chosen_rows_.push_back(row);
  if (rows > 0 && chosen_rows_.back() != rows - 1) chosen_rows_.push_back(rows - 1);
  if (stride > 1)
    left_out_.push_back(
        fmt::format("Of {} rows the page has {}; bands show the least and the "
                    "greatest values between them.",
                    rows, chosen_rows_.size()));
}

void PageTable::append_column(const PageColumn& column, std::string& out) const {
  std::vector<double> data, low, high;
  data.reserve(chosen_rows_.size());
  bool bands = false;
  std::size_t before = 0;  // first row since the one chosen before
  for (const std::size_t row : chosen_rows_) {
    data.push_back(column.data[row]);
    if (banded && column.plotted && !column.difference) {
      double least = data.back(), most = least;
      for (std::size_t r = before; r <= row; ++r) {
        least = std::fmin(least, (column.low.first != nullptr ? column.low : column.data)[r]);
        most = std::fmax(most, (column.high.first != nullptr ? column.high : column.data)[r]);
      }
      bands |= least < data.back() || most > data.back();
      low.push_back(least);
      high.push_back(most);
    }
    before = row + 1;
  }
  if (column.difference)
    for (std::size_t k = data.size(); k-- > 1;) data[k] -= data[k - 1];
  out += fmt::format(R"({{"name":{},"data":"{}")", json_string(column.name), base64(data));
  if (bands)
    out += fmt::format(R"(,"low":"{}","high":"{}"}})", base64(low), base64(high));
  else
    out += R"(,"low":null,"high":null})";
}

std::string PageTable::json() const {
  std::string out = fmt::format("\"rows\":{},\"columns\":[", chosen_rows_.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (place_[k] < 0) continue;
    if (place_[k] > 0) out += ",\n";
    append_column(columns[k], out);
  }
  out += "],\n\"groups\":[";
  bool first = true;
  for (const PageGroup& group : groups) {
    if (group.columns.empty()) continue;
    if (!std::exchange(first, false)) out += ",\n";
    const auto places = [&](const std::vector<std::size_t>& list) {
      std::vector<int> all;
      for (const std::size_t column : list) all.push_back(place_[column]);
      return fmt::format("{}", fmt::join(all, ","));
    };
    out += fmt::format(R"({{"id":{},"title":{},"scale":{},"unit":{},"columns":[{}],"shown":[{}]}})",
                       json_string(group.id), json_string(group.title), json_string(group.scale),
                       json_string(group.unit), places(group.columns),
                       places(widest(group.columns, group.most_shown)));
  }
  return out + "]";
}

}  // namespace taut
