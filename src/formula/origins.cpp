// SPDX-License-Identifier: BSD-3-Clause
#include "formula/origins.hpp"

#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "formula/arithmetic.hpp"

namespace taut::formula {
namespace {

thread_local Origins* recording_on = nullptr;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

double compute(std::uint8_t code, std::uint8_t hypot_code, double a, double b, double c) {
  return code == hypot_code ? std::hypot(a, b) : evaluate(static_cast<Op>(code), a, b, c);
}

Kind kind_of_value(double x) {
  switch (std::fpclassify(x)) {
    case FP_NAN:
      return Kind::nan;
    case FP_INFINITE:
      return x < 0.0 ? Kind::minus_infinite : Kind::infinite;
    case FP_ZERO:
      return Kind::zero;
    case FP_SUBNORMAL:
      return x < 0.0 ? Kind::minus_subnormal : Kind::subnormal;
    default:
      break;
  }
  if (x == 1.0) return Kind::one;
  if (x == -1.0) return Kind::minus_one;
  return x < 0.0 ? Kind::minus_normal : Kind::normal;
}

/// Powers up to this exponent are products: at most 8 of them, and exact where they can be.
constexpr double largest_expanded_power = 16.0;

int exponent_of_value(double x) {
  const double size = std::fabs(x);
  if (size <= largest_expanded_power && size * 2.0 == std::floor(size * 2.0))
    return static_cast<int>(x * 2.0);
  if (x == std::floor(x) && size < 0x1p53)
    return std::fmod(size, 2.0) == 1.0 ? whole_odd : whole_even;
  return no_whole;
}

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::uint64_t pair_of(int a, int b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 |
         static_cast<std::uint32_t>(b);
}

}  // namespace

// ---- numbers ------------------------------------------------------------------------------------

void Number::decide() const {
  if (recording_on != nullptr) recording_on->guard_value(*this);
}

Number record(Op op, const Number& a, const Number& b, const Number& c) {
  if (recording_on == nullptr || !(a.has_origin() || b.has_origin() || c.has_origin()))
    return evaluate(op, a.value(), b.value(), c.value());
  return recording_on->record(op, a, b, c);
}

Number hypot(const Number& a, const Number& b) {
  if (recording_on == nullptr || !(a.has_origin() || b.has_origin()))
    return std::hypot(a.value(), b.value());
  return recording_on->hypot(a, b);
}

bool is_less(const Number& a, const Number& b) {
  return recording_on == nullptr ? a.value() < b.value() : recording_on->less(a, b);
}

bool is_less_or_equal(const Number& a, const Number& b) {
  return recording_on == nullptr ? a.value() <= b.value() : recording_on->less_or_equal(a, b);
}

bool is_equal(const Number& a, const Number& b) {
  return recording_on == nullptr ? a.value() == b.value() : recording_on->equal(a, b);
}

Kind kind_of(const Number& number) {
  return recording_on == nullptr ? kind_of_value(number.value()) : recording_on->kind(number);
}

int exponent_of(const Number& number) {
  return recording_on == nullptr ? exponent_of_value(number.value())
                                 : recording_on->exponent(number);
}

bool isfinite(const Number& a) {
  return recording_on == nullptr ? std::isfinite(a.value()) : recording_on->finite(a);
}

Recording::Recording(Origins* tape) : before_{std::exchange(recording_on, tape)} {}
Recording::~Recording() { recording_on = before_; }

// ---- recording ----------------------------------------------------------------------------------

Origins::Origins() : identity_{next_identity()} {}

Origins::Origins(std::shared_ptr<const Origins> base)
    : base_{std::move(base)}, identity_{next_identity()}, first_{base_->size()} {
  assert(base_->base_ == nullptr);
}

Origins* Origins::current() { return recording_on; }

std::size_t Origins::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const std::uint64_t x : {key.code_and_a, key.b_and_c, key.value}) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h;
}

const Origins::Entry& Origins::entry(int origin) const {
  return origin < first_ ? base_->entries_[static_cast<std::size_t>(origin)]
                         : entries_[static_cast<std::size_t>(origin - first_)];
}

Origins::Mask Origins::mask(int origin) const { return origin < 0 ? 0 : entry(origin).mask; }

int Origins::find(const Key& key) const {
  if (base_ != nullptr)
    if (const int known = base_->find(key); known >= 0) return known;
  const auto it = known_.find(key);
  return it == known_.end() ? -1 : it->second;
}

Number Origins::add(std::uint8_t code, const Number& a, const Number& b, const Number& c,
                    double value) {
  Entry made{.code = code, .a = a.origin(), .b = b.origin(), .c = c.origin(), .value = value};
  const bool is_plain = code == static_cast<std::uint8_t>(Op::constant);
  const Key key{pair_of(code, made.a), pair_of(made.b, made.c), is_plain ? bits(value) : 0};
  if (const int known = find(key); known >= 0) return {value, known};
  if (code == static_cast<std::uint8_t>(Op::input))
    made.mask = bit(made.a);
  else
    made.mask = mask(made.a) | mask(made.b) | mask(made.c);
  const int origin = size();
  entries_.push_back(made);
  known_.emplace(key, origin);
  return {value, origin};
}

/// The entry of a number; plain ones get an entry as constants.
int Origins::place(const Number& a) {
  return a.has_origin()
             ? a.origin()
             : add(static_cast<std::uint8_t>(Op::constant), {}, {}, {}, a.value()).origin();
}

Number Origins::parameter(int index, double value) {
  return add(static_cast<std::uint8_t>(Op::input), {0.0, index}, {}, {}, value);
}

Number Origins::record(Op op, const Number& a, const Number& b, const Number& c) {
  const double value = evaluate(op, a.value(), b.value(), c.value());
  const bool second = op == Op::add || op == Op::sub || op == Op::mul || op == Op::div ||
                      op == Op::pow || op == Op::atan2 || op == Op::min || op == Op::max ||
                      op == Op::less || op == Op::select || op == Op::cell;
  const Number x{a.value(), place(a)};
  const Number y{b.value(), second ? place(b) : -1};
  const Number z{c.value(), op == Op::select ? place(c) : -1};
  return add(static_cast<std::uint8_t>(op), x, y, z, value);
}

Number Origins::hypot(const Number& a, const Number& b) {
  return add(hypot_code, {a.value(), place(a)}, {b.value(), place(b)}, {},
             std::hypot(a.value(), b.value()));
}

// ---- guards -------------------------------------------------------------------------------------

void Origins::guard(const Guard& made) {
  const Key key{pair_of(static_cast<int>(made.check), made.a), pair_of(made.b, 0), 0};
  if (guarded_.emplace(key, true).second) guards_.push_back(made);
}

bool Origins::guard(Check check, const Number& a, const Number& b, bool outcome) {
  if (!a.has_origin() && !b.has_origin()) return outcome;
  const int x = place(a), y = place(b);
  guard({.check = check, .a = x, .b = y, .outcome = outcome ? 1 : 0, .mask = mask(x) | mask(y)});
  return outcome;
}

void Origins::guard_value(const Number& a) {
  if (!a.has_origin()) return;
  guard({.check = Check::value, .a = a.origin(), .value = a.value(), .mask = mask(a.origin())});
}

void Origins::guard_same(const Number& a, const Number& b) {
  if (a.origin() != b.origin()) guard(Check::same, a, b, true);
}

void Origins::guard_different(const Number& a, const Number& b) {
  if (a.origin() != b.origin()) guard(Check::same, a, b, false);
}

bool Origins::less(const Number& a, const Number& b) {
  return guard(Check::less, a, b, a.value() < b.value());
}

bool Origins::less_or_equal(const Number& a, const Number& b) {
  return guard(Check::less_or_equal, a, b, a.value() <= b.value());
}

bool Origins::equal(const Number& a, const Number& b) {
  return guard(Check::equal, a, b, a.value() == b.value());
}

void Origins::guard(Check check, const Number& a, int outcome) {
  if (a.has_origin())
    guard({.check = check, .a = a.origin(), .outcome = outcome, .mask = mask(a.origin())});
}

Kind Origins::kind(const Number& a) {
  const Kind kind = kind_of_value(a.value());
  guard(Check::kind, a, static_cast<int>(kind));
  return kind;
}

bool Origins::finite(const Number& a) {
  const bool is_finite = std::isfinite(a.value());
  guard(Check::finite, a, is_finite ? 1 : 0);
  return is_finite;
}

int Origins::exponent(const Number& a) {
  const int form = exponent_of_value(a.value());
  guard(Check::exponent, a, form);
  return form;
}

int Origins::new_group() {
  groups_.emplace_back();
  return static_cast<int>(groups_.size()) - 1;
}

void Origins::add_to_group(int group, const Number& constant) {
  Group& to = groups_[static_cast<std::size_t>(group)];
  to.mask |= mask(constant.origin());
  to.constants.push_back(constant);
}

// ---- running ------------------------------------------------------------------------------------

bool Origins::holds(const Guard& guard, const double* values) {
  const double a = values[guard.a];
  const auto b = [&] { return values[guard.b]; };
  const bool yes = guard.outcome != 0;
  switch (guard.check) {
    case Check::value:
      return bits(a) == bits(guard.value);
    case Check::kind:
      return static_cast<int>(kind_of_value(a)) == guard.outcome;
    case Check::finite:
      return std::isfinite(a) == yes;
    case Check::exponent:
      return exponent_of_value(a) == guard.outcome;
    case Check::less:
      return (a < b()) == yes;
    case Check::less_or_equal:
      return (a <= b()) == yes;
    case Check::equal:
      return (a == b()) == yes;
    case Check::same:
      return (bits(a) == bits(b())) == yes;
  }
  return false;
}

bool Origins::all_different(const Group& group, const double* values) {
  // open addressing, at most half full; 0 marks an empty place, and no constant with an origin is 0
  constexpr std::size_t on_stack = 256;
  std::uint64_t small[on_stack] = {};
  std::vector<std::uint64_t> large;
  std::size_t places = 16;
  while (places < 2 * group.constants.size()) places *= 2;
  std::uint64_t* table = small;
  if (places > on_stack) {
    large.assign(places, 0);
    table = large.data();
  }
  for (const Number& constant : group.constants) {
    const std::uint64_t x =
        bits(constant.has_origin() ? values[constant.origin()] : constant.value());
    if (x == 0) continue;
    std::size_t place = (x * 0x9e3779b97f4a7c15u >> 32) & (places - 1);
    for (; table[place] != 0; place = (place + 1) & (places - 1))
      if (table[place] == x) return false;
    table[place] = x;
  }
  return true;
}

bool Origins::run(std::span<const double> parameters, Mask changed,
                  std::vector<double>& values) const {
  values.resize(static_cast<std::size_t>(size()));
  double* const all = values.data();
  double* to = all + first_;
  for (const Entry& e : entries_) {
    if ((e.mask & changed) == 0)
      *to = e.value;
    else if (e.code == static_cast<std::uint8_t>(Op::input))
      *to = parameters[static_cast<std::size_t>(e.a)];
    else
      *to =
          compute(e.code, hypot_code, all[e.a], e.b < 0 ? 0.0 : all[e.b], e.c < 0 ? 0.0 : all[e.c]);
    ++to;
  }
  for (const Guard& guard : guards_)
    if ((guard.mask & changed) != 0 && !holds(guard, all)) return false;
  for (const Group& group : groups_)
    if ((group.mask & changed) != 0 && !all_different(group, all)) return false;
  return true;
}

}  // namespace taut::formula
