// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/types.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What a run needs to go on from where it was, to the same bits. One function describes both
/// directions:
///
///   void Rattle::archive(Archive& archive) {
///     archive.tag("rattle");
///     archive(h_, f0_);          // written by a writer, overwritten by a reader
///   }
///
/// Layout: "taut" and a version; length; items, each led by a byte for its kind; the 64-bit FNV-1a
/// hash of all that. Integers and the bits of doubles are little-endian. The hash is checked before
/// anything is read, so that every single changed byte is found.
///
/// Reading fails with std::runtime_error, whose text says what was expected and what was there. No
/// input makes it allocate more than its own size. A Vec that has a size is read with this size or
/// not at all. What was read before a failure stays read.
class Archive {
 public:
  [[nodiscard]] static Archive writer();
  [[nodiscard]] static Archive reader(std::vector<std::byte> bytes);

  [[nodiscard]] bool loading() const { return loading_; }

  Archive& operator()(double& value);
  Archive& operator()(std::int64_t& value);
  Archive& operator()(int& value);
  Archive& operator()(bool& value);
  Archive& operator()(std::string& value);
  Archive& operator()(Vec& value);
  Archive& operator()(std::vector<double>& value);
  Archive& operator()(std::vector<int>& value);
  Archive& operator()(State& value);
  Archive& operator()(Counters& value);

  /// Anything that describes itself, as in the example above.
  template <typename T>
  requires requires(T& value, Archive& archive) { value.archive(archive); }
  Archive& operator()(T& value) {
    value.archive(*this);
    return *this;
  }

  template <typename First, typename Second, typename... Rest>
  Archive& operator()(First& first, Second& second, Rest&... rest) {
    (*this)(first);
    (*this)(second);
    ((*this)(rest), ...);
    return *this;
  }

  /// Writes a name; a reader checks it, so that reading the wrong thing is said by name.
  void tag(std::string_view name);

  /// The finished archive, with its length and hash.
  [[nodiscard]] std::vector<std::byte> bytes() const;

  /// True if a reader has read all there is.
  [[nodiscard]] bool at_end() const { return loading_ && cursor_ == bytes_.size(); }

 private:
  enum class Kind : unsigned char { real = 1, integer, boolean, text, reals, integers, tag };

  Archive() = default;
  void kind(Kind expected);
  void word(std::uint64_t& value);
  [[nodiscard]] std::size_t length(std::size_t current, std::size_t item_bytes);
  void text(std::string& value);
  void reals(std::span<double> values);
  void need(std::size_t count) const;
  [[nodiscard]] static std::string_view describe(Kind kind);

  bool loading_ = false;
  std::vector<std::byte> bytes_;  // items only
  std::size_t cursor_ = 0;
};

}  // namespace taut

#pragma GCC visibility pop
