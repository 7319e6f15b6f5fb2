// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/archive.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace taut {
namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::uint64_t mark = 0x0000'0001'7475'6174;  // "taut" and version 1, little-endian
constexpr std::size_t head_bytes = 2 * word_bytes;     // mark, length of the items

[[noreturn]] void fail(std::string_view what) {
  throw std::runtime_error{fmt::format("this is not a usable archive: {}", what)};
}

void put(std::vector<std::byte>& bytes, std::uint64_t value) {
  for (std::size_t k = 0; k < word_bytes; ++k)
    bytes.push_back(static_cast<std::byte>(value >> (8 * k)));
}

std::uint64_t get(const std::byte* bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < word_bytes; ++k)
    value |= static_cast<std::uint64_t>(bytes[k]) << (8 * k);
  return value;
}

// FNV-1a, 64 bit
std::uint64_t hash(std::span<const std::byte> bytes) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const std::byte b : bytes)
    value = (value ^ static_cast<std::uint64_t>(b)) * 0x00000100000001b3;
  return value;
}

}  // namespace

Archive Archive::writer() { return {}; }

Archive Archive::reader(std::vector<std::byte> bytes) {
  if (bytes.size() < head_bytes + word_bytes) fail("it is too short");
  const std::uint64_t found = get(bytes.data());
  if ((found & 0xffff'ffff) != (mark & 0xffff'ffff)) fail("it does not begin with \"taut\"");
  if (found != mark)
    fail(fmt::format("it has version {}, this program reads version {}", found >> 32, mark >> 32));
  const std::size_t items = bytes.size() - head_bytes - word_bytes;
  if (get(bytes.data() + word_bytes) != items) fail("it is cut off, or something follows it");
  const std::size_t end = head_bytes + items;
  if (get(bytes.data() + end) != hash({bytes.data(), end})) fail("its checksum is wrong");

  Archive archive;
  archive.loading_ = true;
  bytes.resize(end);
  bytes.erase(bytes.begin(), bytes.begin() + head_bytes);
  archive.bytes_ = std::move(bytes);
  return archive;
}

std::vector<std::byte> Archive::bytes() const {
  std::vector<std::byte> all;
  all.reserve(head_bytes + bytes_.size() + word_bytes);
  put(all, mark);
  put(all, bytes_.size());
  all.insert(all.end(), bytes_.begin(), bytes_.end());
  put(all, hash(all));
  return all;
}

std::string_view Archive::describe(Kind kind) {
  switch (kind) {
    case Kind::real:
      return "a number";
    case Kind::integer:
      return "an integer";
    case Kind::boolean:
      return "a truth value";
    case Kind::text:
      return "a text";
    case Kind::reals:
      return "a list of numbers";
    case Kind::integers:
      return "a list of integers";
    case Kind::tag:
      return "a tag";
  }
  return "something unknown";
}

void Archive::need(std::size_t count) const {
  if (bytes_.size() - cursor_ < count) fail("it ends before everything was read");
}

void Archive::kind(Kind expected) {
  if (!loading_) {
    bytes_.push_back(static_cast<std::byte>(expected));
    return;
  }
  need(1);
  const Kind found{static_cast<unsigned char>(bytes_[cursor_++])};
  if (found != expected)
    fail(fmt::format("{} stands where {} should", describe(found), describe(expected)));
}

void Archive::word(std::uint64_t& value) {
  if (!loading_) {
    put(bytes_, value);
    return;
  }
  need(word_bytes);
  value = get(bytes_.data() + cursor_);
  cursor_ += word_bytes;
}

// Number of items of a list that follows; when reading, checked against what is left.
std::size_t Archive::length(std::size_t current, std::size_t item_bytes) {
  std::uint64_t value = current;
  word(value);
  if (loading_ && value > (bytes_.size() - cursor_) / item_bytes)
    fail("a list in it is longer than the whole");
  return static_cast<std::size_t>(value);
}

void Archive::text(std::string& value) {
  const std::size_t size = length(value.size(), 1);
  if (!loading_) {
    for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
    return;
  }
  value.resize(size);
  for (char& c : value) c = static_cast<char>(bytes_[cursor_++]);
}

// all at once: motions have millions
void Archive::reals(std::span<double> values) {
  if (values.empty()) return;
  const std::size_t begin = loading_ ? cursor_ : bytes_.size(), count = values.size_bytes();
  if (loading_) {
    need(count);
    std::memcpy(values.data(), bytes_.data() + begin, count);
    cursor_ += count;
  } else {
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  if constexpr (std::endian::native == std::endian::big) {
    std::byte* const first =
        loading_ ? reinterpret_cast<std::byte*>(values.data()) : bytes_.data() + begin;
    for (std::size_t k = 0; k < count; k += word_bytes)
      std::reverse(first + k, first + k + word_bytes);
  }
}

Archive& Archive::operator()(double& value) {
  kind(Kind::real);
  reals({&value, 1});
  return *this;
}

Archive& Archive::operator()(std::int64_t& value) {
  kind(Kind::integer);
  auto bits = static_cast<std::uint64_t>(value);
  word(bits);
  if (loading_) value = static_cast<std::int64_t>(bits);
  return *this;
}

Archive& Archive::operator()(int& value) {
  std::int64_t wide = value;
  (*this)(wide);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    fail(fmt::format("the integer {} in it is out of range", wide));
  value = static_cast<int>(wide);
  return *this;
}

Archive& Archive::operator()(bool& value) {
  kind(Kind::boolean);
  if (!loading_) {
    bytes_.push_back(static_cast<std::byte>(value ? 1 : 0));
    return *this;
  }
  need(1);
  const auto found = static_cast<unsigned>(bytes_[cursor_++]);
  if (found > 1) fail(fmt::format("a truth value in it is {}, not 0 or 1", found));
  value = found == 1;
  return *this;
}

Archive& Archive::operator()(std::string& value) {
  kind(Kind::text);
  text(value);
  return *this;
}

Archive& Archive::operator()(Vec& value) {
  kind(Kind::reals);
  const std::size_t size = length(static_cast<std::size_t>(value.size()), word_bytes);
  // what has a size has it from the system: no file changes it
  if (loading_ && value.size() > 0 && value.size() != static_cast<Index>(size))
    fail(fmt::format("{} numbers stand where {} should", size, value.size()));
  if (loading_) value.resize(static_cast<Index>(size));
  reals({value.data(), size});
  return *this;
}

Archive& Archive::operator()(std::vector<double>& value) {
  kind(Kind::reals);
  const std::size_t size = length(value.size(), word_bytes);
  if (loading_) value.resize(size);
  reals(value);
  return *this;
}

Archive& Archive::operator()(std::vector<int>& value) {
  kind(Kind::integers);
  const std::size_t size = length(value.size(), 1 + word_bytes);
  if (loading_) value.resize(size);
  for (int& item : value) (*this)(item);
  return *this;
}

Archive& Archive::operator()(State& value) { return (*this)(value.t, value.q, value.v); }

Archive& Archive::operator()(Counters& value) {
  return (*this)(value.steps, value.rejected, value.force_evaluations, value.constraint_evaluations,
                 value.jacobian_evaluations, value.factorisations, value.newton_iterations);
}

void Archive::tag(std::string_view name) {
  kind(Kind::tag);
  std::string found{name};
  text(found);
  if (found != name)
    fail(
        fmt::format("it holds \"{}\" where \"{}\" is expected; was it written by another model or "
                    "method?",
                    found, name));
}

}  // namespace taut
