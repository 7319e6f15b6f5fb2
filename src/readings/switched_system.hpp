// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/accelerations.hpp"
#include "model/compiled_system.hpp"
#include "model/watched_batch.hpp"
#include "taut/core/archive.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// One switch of a model: guard `guard` of instance `instance` of a watched batch.
struct SwitchId {
  int batch = 0, instance = 0, guard = 0;
  friend bool operator==(const SwitchId&, const SwitchId&) = default;
};

/// A switch whose guard stays at zero because both sides push it there (filippov1988):
///
///   f = f_low + Σ_j α_j (f_high,j - f_low),     α such that g_j' = 0 for all of them (1)
///
/// as long as 0 <= α_j <= 1. Other switches of the element that look at the same guard, abs(u)
/// beside sign(u), go to the same side with it.
struct Sliding {
  /// A switch with its modes on the two sides of the guard.
  struct Side {
    SwitchId which;
    double low = 0.0, high = 1.0;
  };
  SwitchId which;
  double low = 0.0, high = 1.0;
  std::vector<Side> others{};  ///< of the same guard

  [[nodiscard]] bool moves(SwitchId s) const {
    return which == s || std::any_of(others.begin(), others.end(),
                                     [s](const Side& other) { return other.which == s; });
  }
};

/// The sides of all switches of a model, for one run: whoever moves the system keeps them during a
/// step, and changes them where a guard changes sign.
class Switches {
 public:
  Switches();

  /// Whether formulas have switches, or nodes that can change a lot within little motion.
  [[nodiscard]] bool any() const { return !batches_.watched.empty() || has_contacts(); }
  /// Contacts of many, which no formula states.
  [[nodiscard]] bool has_contacts() const;
  [[nodiscard]] bool any_switch() const { return batches_.modes > 0; }
  [[nodiscard]] const std::vector<WatchedBatch>& batches() const { return batches_.watched; }
  [[nodiscard]] const CompiledSystem& compiled() const { return *compiled_; }
  [[nodiscard]] bool knows_model() const { return compiled_ != nullptr; }
  [[nodiscard]] const std::vector<double>& modes() const { return *modes_; }

  [[nodiscard]] double mode(SwitchId s) const { return (*modes_)[place(s)]; }
  void set_mode(SwitchId s, double mode) { (*modes_)[place(s)] = mode; }
  [[nodiscard]] const WatchedBatch::Decision& decision(SwitchId s) const {
    return batches_.watched[static_cast<std::size_t>(s.batch)]
        .guards[static_cast<std::size_t>(s.guard)];
  }
  [[nodiscard]] const std::string& label(SwitchId s) const;
  /// Calls visit(SwitchId) for all of them.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t b = 0; b < batches_.watched.size(); ++b)
      for (std::size_t k = 0; k < batches_.watched[b].guards.size(); ++k)
        for (int i = 0; i < batches_.watched[b].batch.instances; ++i)
          visit(SwitchId{static_cast<int>(b), i, static_cast<int>(k)});
  }

  /// Value of a guard, and its derivative in time where the accelerations are a.
  [[nodiscard]] double value(SwitchId s, const State& state) const;
  [[nodiscard]] double rate(SwitchId s, const State& state, const Vec& a) const;
  /// The mode that a value of the guard asks for.
  [[nodiscard]] static double mode_of(formula::Guard::Kind kind, double g);

  [[nodiscard]] const std::vector<Sliding>& sliding() const { return sliding_; }
  void slide(const Sliding& one);
  /// Sets the modes of what slides to those of one side.
  void put(const Sliding& one, bool on_high) const;
  void stop_sliding(std::size_t number) {
    sliding_.erase(sliding_.begin() + static_cast<std::ptrdiff_t>(number));
  }
  /// α of (1) at a state, the smallest where several do; singular_matrix where none does.
  [[nodiscard]] Status weights(const State& state, Vec& alpha) const;
  /// Accelerations with the modes there are, and those of (1); compliant rows as springs.
  [[nodiscard]] Status accelerations(const State& state, Vec& a) const;

  void archive(Archive& archive);
  /// One of them.
  void archive_switch(Archive& archive, SwitchId& which) const;

 private:
  friend class SwitchedSystem;
  friend class SwitchedPowers;
  friend System switched(const System& reading, std::shared_ptr<Switches>& switches);
  struct Scratch;
  /// With the modes there are, as if none were sliding.
  [[nodiscard]] Status plain_accelerations(const State& state, Vec& a) const;
  [[nodiscard]] Status multipliers_at(const State& state) const;
  /// The guard of a switch at a state that moves with accelerations a, where they are given.
  [[nodiscard]] formula::Enclosure guard(SwitchId s, const State& state, const Vec* a) const;
  [[nodiscard]] std::size_t place(SwitchId s) const;
  void find_others(Sliding& one) const;

  std::shared_ptr<const CompiledSystem> compiled_;
  WatchedBatches batches_;
  std::shared_ptr<std::vector<double>> modes_;
  std::vector<Sliding> sliding_;
  System moved_;  // frozen, with the rows of the reading, compliant ones as springs
  std::shared_ptr<Scratch> scratch_;
};

/// The same system with its switches frozen at the sides that `switches` gets; a formula that is
/// not finite on a side it has left, sqrt(x) of select(less(0, x), sqrt(x), 0), is evaluated as it
/// is written. Of a compiled model or a reading of its rows; of others nothing is known: `switches`
/// are then none, and the system is the one given, as it is where formulas have no switches.
[[nodiscard]] System switched(const System& reading, std::shared_ptr<Switches>& switches);

/// Whether formulas of the model switch, or may be short in time: of a compiled model or a reading
/// of its rows.
[[nodiscard]] bool switches_or_is_short(const System& reading);

}  // namespace taut
