// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/types.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A column of a motion: one number for each row. A view: good as long as the motion is there and
/// gets no further rows.
class Column {
 public:
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = double;
    using difference_type = std::ptrdiff_t;
    using pointer = const double*;
    using reference = const double&;

    Iterator() = default;
    Iterator(const double* first, std::ptrdiff_t stride, std::ptrdiff_t row)
        : first_{first}, stride_{stride}, row_{row} {}

    reference operator*() const { return first_[row_ * stride_]; }
    reference operator[](difference_type k) const { return first_[(row_ + k) * stride_]; }
    Iterator& operator+=(difference_type k) {
      row_ += k;
      return *this;
    }
    Iterator& operator-=(difference_type k) { return *this += -k; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return ++*this - 1; }
    Iterator operator--(int) { return --*this + 1; }
    friend Iterator operator+(Iterator a, difference_type k) { return a += k; }
    friend Iterator operator+(difference_type k, Iterator a) { return a += k; }
    friend Iterator operator-(Iterator a, difference_type k) { return a -= k; }
    friend difference_type operator-(Iterator a, Iterator b) { return a.row_ - b.row_; }
    friend bool operator==(Iterator a, Iterator b) { return a.row_ == b.row_; }
    friend auto operator<=>(Iterator a, Iterator b) { return a.row_ <=> b.row_; }

   private:
    const double* first_ = nullptr;
    std::ptrdiff_t stride_ = 1, row_ = 0;
  };

  Column() = default;
  Column(const double* first, std::size_t rows, std::size_t stride)
      : first_{first}, rows_{rows}, stride_{stride} {}

  [[nodiscard]] std::size_t size() const { return rows_; }
  [[nodiscard]] bool empty() const { return rows_ == 0; }
  [[nodiscard]] double operator[](std::size_t row) const { return first_[row * stride_]; }
  [[nodiscard]] double front() const { return (*this)[0]; }
  [[nodiscard]] double back() const { return (*this)[rows_ - 1]; }
  [[nodiscard]] Iterator begin() const { return at(0); }
  [[nodiscard]] Iterator end() const { return at(rows_); }

 private:
  [[nodiscard]] Iterator at(std::size_t row) const {
    return {first_, static_cast<std::ptrdiff_t>(stride_), static_cast<std::ptrdiff_t>(row)};
  }

  const double* first_ = nullptr;
  std::size_t rows_ = 0, stride_ = 1;
};

/// Columns of a motion that belong together, as they stand in its files.
struct ColumnGroup {
  enum class Kind : unsigned char {
    one,      ///< a single column of this name
    plain,    ///< columns are called by their own names
    wrapped,  ///< they are called GROUP(NAME), and found by NAME alone, too
  };
  std::string_view name;
  const std::vector<double>& values;  ///< row after row, width() each
  Kind kind = Kind::one;
  const std::vector<std::string>* names = nullptr;  ///< of the columns; null: `one`
  bool written = true;                              ///< to files; others are only found by name
  bool optional = false;                            ///< not written where it has no columns

  [[nodiscard]] std::size_t width() const { return names != nullptr ? names->size() : 1; }
  /// Of a column, as it is called in files.
  [[nodiscard]] std::string column(std::size_t k) const;
  [[nodiscard]] Column operator[](std::size_t k) const;
};

/// Whether a coordinate is called like an entry of the rotation matrix of a body: BODY.r12. Such
/// numbers are for computers: people are shown angles.
[[nodiscard]] bool is_rotation_entry(std::string_view coordinate);

/// What they show instead, R = R_z(yaw) R_y(pitch) R_x(roll) with the columns r_c, and the angular
/// velocity w = 1/2 sum r_c x r_c' along the axes of space.
struct BodyTurn {
  std::string body;
  std::array<std::array<double, 3>, 3> columns{};
  std::array<double, 3> w{};  ///< [rad/s]

  [[nodiscard]] double yaw() const;  ///< [rad]
  [[nodiscard]] double pitch() const;
  [[nodiscard]] double roll() const;
};
/// Of all bodies in space that coordinates of these names belong to; v may be empty.
[[nodiscard]] std::vector<BodyTurn> body_turns(std::span<const std::string> coordinates,
                                               const Vec& q, const Vec& v);

/// The first column of this name; names of the model go before those of single columns. Throws
/// ModelError, with the nearest name, where there is none.
[[nodiscard]] Column find_column(std::span<const ColumnGroup> groups, std::string_view name);

}  // namespace taut

#pragma GCC visibility pop
