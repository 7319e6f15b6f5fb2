// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "taut/formula/number.hpp"

namespace taut::formula {

/// Kinds of value between which formulas are simplified in different ways.
enum class Kind : std::uint8_t {
  nan,
  minus_infinite,
  minus_normal,
  minus_one,
  minus_subnormal,
  zero,
  subnormal,
  one,
  normal,
  infinite,
};

/// The kind of a number; that it stays is a guard.
[[nodiscard]] Kind kind_of(const Number& number);

/// How a power with this exponent is written: 2 x for a multiple of 1/2 that becomes products and
/// roots; otherwise one of those below. That it stays is a guard.
inline constexpr int whole_even = 1000, whole_odd = 1001, no_whole = 1002;
[[nodiscard]] int exponent_of(const Number& number);

/// The tape of a compilation: every number that was computed from parameters, in order, and every
/// decision that was taken by one of them, as a guard. Running the tape with other values of the
/// parameters gives the numbers that compiling anew would find, to the bit, as long as no guard
/// fails; then the two compilations take the same path.
///
///   guards   the kind of a value, or that it is finite; the form of an exponent; a < b, a <= b, a
///   == b of two values;
///            a value itself, where it was converted to a plain number; and of each graph, that
///            constants which are different nodes have different values
///
/// A tape may extend another one, which is not changed by it: numbers of the plans of a system
/// extend those of its compilation. Equal operations are one entry.
class Origins {
 public:
  Origins();
  explicit Origins(std::shared_ptr<const Origins> base);

  /// The tape that Numbers of this thread are recorded on; null where there is none.
  [[nodiscard]] static Origins* current();

  [[nodiscard]] std::uint64_t identity() const { return identity_; }
  /// Entries, those of the base included.
  [[nodiscard]] int size() const { return first_ + static_cast<int>(entries_.size()); }

  [[nodiscard]] Number parameter(int index, double value);
  [[nodiscard]] Number record(Op op, const Number& a, const Number& b, const Number& c);
  [[nodiscard]] Number hypot(const Number& a, const Number& b);

  void guard_value(const Number& a);
  void guard_same(const Number& a, const Number& b);
  void guard_different(const Number& a, const Number& b);
  bool less(const Number& a, const Number& b);
  bool less_or_equal(const Number& a, const Number& b);
  bool equal(const Number& a, const Number& b);
  Kind kind(const Number& a);
  bool finite(const Number& a);
  int exponent(const Number& a);
  [[nodiscard]] int new_group();
  void add_to_group(int group, const Number& constant);

  /// Parameters as bits that an entry was computed from. Several may share a bit.
  using Mask = std::uint64_t;
  [[nodiscard]] static Mask bit(int parameter) { return Mask{1} << (parameter % 64); }
  [[nodiscard]] Mask mask(int origin) const;

  /// Writes the values of all entries that read a changed parameter to `values`, which has those of
  /// the base already, and all others as they were. True when all guards hold.
  [[nodiscard]] bool run(std::span<const double> parameters, Mask changed,
                         std::vector<double>& values) const;

  /// Likewise for values nearby, at which a formula may have been written in another way: numbers
  /// may have become 0 or 1, or equal, exponents whole. What is computed is the same then. Returns
  /// the parameters of a decision that is another one there, about what is computed at all; 0 where
  /// there is none.
  [[nodiscard]] Mask run_near(std::span<const double> parameters, Mask changed,
                              std::vector<double>& values) const;

  /// Derivatives of all entries by one parameter, at the values that run() or run_near() has found:
  /// those that are not 0, by origin.
  [[nodiscard]] std::vector<std::pair<int, double>> derivatives(
      int parameter, std::span<const double> values) const;

 private:
  static constexpr std::uint8_t hypot_code = 255;  // beside those of the graph

  struct Entry {
    std::uint8_t code = 0;  // an Op, or hypot
    int a = -1, b = -1, c = -1;
    double value = 0.0;  // as it was recorded
    Mask mask = 0;
  };
  struct Key {
    std::uint64_t code_and_a, b_and_c, value;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  enum class Check : std::uint8_t {
    value,
    kind,
    finite,
    exponent,
    less,
    less_or_equal,
    equal,
    same,
  };
  struct Guard {
    Check check = Check::kind;
    int a = -1, b = -1;
    int outcome = 0;
    double value = 0.0;  // of Check::value
    Mask mask = 0;
  };
  struct Group {
    Mask mask = 0;
    std::vector<Number> constants;
  };

  Number add(std::uint8_t code, const Number& a, const Number& b, const Number& c, double value);
  [[nodiscard]] int place(const Number& a);
  [[nodiscard]] int find(const Key& key) const;
  [[nodiscard]] const Entry& entry(int origin) const;
  bool guard(Check check, const Number& a, const Number& b, bool outcome);
  void guard(Check check, const Number& a, int outcome);
  void guard(const Guard& guard);
  [[nodiscard]] static bool holds(const Guard& guard, const double* values);
  [[nodiscard]] static bool all_different(const Group& group, const double* values);

  std::shared_ptr<const Origins> base_;
  std::uint64_t identity_;
  int first_ = 0;  // entries of the base
  std::vector<Entry> entries_;
  std::vector<Guard> guards_;
  std::vector<Group> groups_;
  std::unordered_map<Key, int, KeyHash> known_;
  std::unordered_map<Key, bool, KeyHash> guarded_;
};

/// Records the numbers of this thread on a tape, or on none, while it lives.
class Recording {
 public:
  explicit Recording(Origins* tape);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  Origins* before_;
};

}  // namespace taut::formula
