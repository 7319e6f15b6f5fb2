// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "taut/core/archive.hpp"

namespace taut {

/// A list whose items `each` describes. As many as were stored are read, each, and so checked,
/// before the next is made room for: no input makes it allocate more than its own size.
template <class Item, class Each>
void archive_list(Archive& archive, std::vector<Item>& items, Each each) {
  auto count = static_cast<std::int64_t>(items.size());
  archive(count);
  if (archive.loading()) items.clear();
  for (std::int64_t k = 0; k < count; ++k) {
    if (archive.loading()) items.emplace_back();
    each(items[static_cast<std::size_t>(k)]);
  }
}

/// A list of what an archive knows.
template <class Item>
void archive_list(Archive& archive, std::vector<Item>& items) {
  archive_list(archive, items, [&](Item& item) { archive(item); });
}

/// What was read makes sense; where it does not, the file was made up.
inline void require_sense(bool sense, const char* what) {
  if (!sense) throw std::runtime_error{std::string{what} + " make no sense"};
}

/// A whole number that is at least `least` and at most `most`.
template <class Integer>
void archive_within(Archive& archive, Integer& value, std::type_identity_t<Integer> least,
                    std::type_identity_t<Integer> most) {
  archive(value);
  if (archive.loading() && (value < least || value > most))
    throw std::runtime_error{std::to_string(value) + " in it is none of the numbers from " +
                             std::to_string(least) + " to " + std::to_string(most)};
}

/// Something that is counted.
inline void archive_count(Archive& archive, std::int64_t& value) {
  archive_within(archive, value, 0, std::numeric_limits<std::int64_t>::max() / 4);
}

/// One of the enumerators from 0 to `last`.
template <class Enumeration>
void archive_choice(Archive& archive, Enumeration& value, Enumeration last) {
  int number = static_cast<int>(value);
  archive(number);
  if (number < 0 || number > static_cast<int>(last))
    throw std::runtime_error{std::to_string(number) + " in it stands for nothing"};
  value = static_cast<Enumeration>(number);
}

}  // namespace taut
