// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "taut/core/status.hpp"
#include "taut/model/system.hpp"
#include "taut/run/motion.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What the numbers of a frame are called:
///
///   t  energy  kinetic_energy  potential_energy  work of the whole
///   bob.x  bob.vx  a(bob.x)                           coordinates, velocities, accelerations
///   rod 1, or lambda(rod 1)                           multipliers of constraints
///   swing  bob.ax  spring 1.force                     outputs, and quantities of elements
///   NAME                                              observables
///
/// A coordinate goes before a constraint of the same name.
class FrameNames {
 public:
  explicit FrameNames(const Structure& structure, const Structure* of_quantities = nullptr);
  explicit FrameNames(const System& system);

  /// Whether there is a number of that name.
  [[nodiscard]] bool has(std::string_view name) const { return place_.contains(name); }

  /// The number of that name. Throws ModelError with the nearest name where there is none.
  [[nodiscard]] double operator()(const Frame& frame, std::string_view name) const;

 private:
  enum class Kind : unsigned char { whole, q, v, a, lambda, observable, quantity };
  struct Place {
    Kind kind = Kind::whole;
    Index index = 0;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, Place, Hash, std::equal_to<>> place_;
};

/// One instant of a motion: numbers by name. Where it could not be computed they are NaN.
class Instant {
 public:
  Instant(Status status, std::string message, Frame frame, std::shared_ptr<const FrameNames> names)
      : status_{status},
        message_{std::move(message)},
        frame_{std::move(frame)},
        names_{std::move(names)} {}

  [[nodiscard]] double operator[](std::string_view name) const;
  [[nodiscard]] Status status() const { return status_; }
  [[nodiscard]] const std::string& message() const { return message_; }  ///< of a failure
  [[nodiscard]] const Frame& frame() const { return frame_; }

 private:
  Status status_;
  std::string message_;
  Frame frame_;
  std::shared_ptr<const FrameNames> names_;
};

}  // namespace taut

#pragma GCC visibility pop
