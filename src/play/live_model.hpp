// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "taut/model/model.hpp"
#include "taut/simulation/options.hpp"

namespace taut {

/// A model in the hand of a page (`taut play`): it is read as it is typed, run with other numbers,
/// dragged to other starts, pulled at while it moves. Each is a question and an answer, both JSON
/// texts, so that the same page asks an engine in the browser and a program behind a server; and
/// what it decides, simulate(), Simulation and modes() decide.
///
///   {"ask": "open", "text", "file"}    reads and compiles a model, called so from now on where
///   that
///                                      is said: its names, and what it can be asked;
///                                      the one before stays where this one has mistakes
///   {"ask": "run", ...settings}        its motion: the data of its report (web/README.md)
///   {"ask": "drag", "point", "to"}     the start nearest to the one before in which a point of the
///   scene
///                                      is there, or as near as its constraints allow
///   {"ask": "start", "values"}         the start nearest to these coordinates and velocities, by
///                                      name; others are those of the start before
///   {"ask": "back"}                    the start is the model's again
///   {"ask": "hold", ...settings}       a motion in the hand, from its start or, with "t" and "q",
///                                      "v", from there; "point": with a force that pulls at it
///   {"ask": "advance", "by", "to"}     moves it on; "to": where it pulls to. After "seconds" of
///   wall
///                                      time (0.25) it has come as far as it has: "late"
///   {"ask": "modes", ...settings}      what taut modes --json prints
///   {"ask": "words"}                   sections and keys of model files, for completion
///
/// Settings, all of which may be left out: "set" {name: value} (parameters, start values), "until",
/// "tol", "step", "omega", "reading", "method", "columns", "seconds" (of wall time at most). Values
/// are numbers or expressions of parameters, as those of SimulationOptions.
///
/// Every answer has "ok"; of one that is false, "problems" [{line, column, where, what, remedy}].
class LiveModel {
 public:
  /// `file`: what the model is called, and beside which its tables and meshes lie.
  /// Runs end when `cancel` is set.
  explicit LiveModel(std::string file, const std::atomic<bool>* cancel = nullptr);
  LiveModel(LiveModel&&) noexcept;
  LiveModel& operator=(LiveModel&&) noexcept;
  ~LiveModel();

  /// Never throws, whatever the question.
  [[nodiscard]] std::string answer(std::string_view question);

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

/// Whether a model is drawn in space.
[[nodiscard]] bool in_space(const Model& model, const SimulationOptions& options);

/// What these options say as settings of a question.
[[nodiscard]] std::string settings_json(const SimulationOptions& options);

}  // namespace taut
