// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formula/origins.hpp"
#include "model/kept_numbers.hpp"
#include "taut/model/compile.hpp"

namespace taut {

/// One compilation of a model, with what is needed to have it with other values of parameters.
struct Compilation {
  CompiledModel model;                           ///< without a binding
  std::shared_ptr<const formula::Origins> tape;  ///< null: other values mean compiling anew
  KeptNumbers kept;
  std::vector<formula::Number> parameters;  ///< of the model, in file order
  std::vector<bool> is_number;              ///< those that are not expressions of others
};

/// Compiles `model`; the result may only be used when there are no problems.
[[nodiscard]] Compilation compile_with_tape(const Model& model, Problems& problems);

/// A system of the coordinates of `model` whose only observable is an expression in its names.
[[nodiscard]] System compile_expression(const Model& model, std::string_view text,
                                        Problems& problems);

class ParameterBinding;

/// A model and the compilations of it that are kept, shared by all that came from one compile().
class ModelFamily : public std::enable_shared_from_this<ModelFamily> {
 public:
  ModelFamily(const Model& model, std::shared_ptr<const Compilation> first);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// As it was compiled.
  [[nodiscard]] CompiledModel first() const;

  /// The model with these values of its parameters. Those that are expressions in the file have a
  /// value of their own where `is_number`.
  [[nodiscard]] CompiledModel with(const std::shared_ptr<const Compilation>& near,
                                   const std::vector<double>& values,
                                   const std::vector<bool>& is_number, Problems& problems) const;

  /// An expression in the names of the model.
  [[nodiscard]] System expression(const ParameterBinding& binding, std::string_view text) const;

 private:
  /// Nothing when a decision of the compilation does not stand.
  [[nodiscard]] std::optional<CompiledModel> rebind(const std::shared_ptr<const Compilation>& from,
                                                    const std::vector<double>& values) const;

  /// The model as a file would state it that gives these numbers.
  [[nodiscard]] Model stated(const std::vector<double>& values,
                             const std::vector<bool>& is_number) const;

  Model model_;
  std::vector<std::string> names_;
  mutable std::mutex changing_;
  mutable std::vector<std::shared_ptr<const Compilation>> compilations_;  // the newest first
};

/// What a CompiledModel knows of its parameters.
class ParameterBinding {
 public:
  std::shared_ptr<const ModelFamily> family;
  std::shared_ptr<const Compilation> compilation;
  std::vector<double> values;
  Inputs inputs;                                     ///< null: the initial ones
  std::shared_ptr<const std::vector<double>> turns;  ///< of a run; null: of none
  std::function<System(const System&)> added;        ///< null: nothing
  System formulas;                                   ///< where something is: the system without it
};

/// The model with something added to its system that is no formula of it, and added again wherever
/// the system is made anew: for other parameters, for other inputs.
[[nodiscard]] CompiledModel with_addition(const CompiledModel& model,
                                          const std::function<System(const System&)>& add);

/// The system of its formulas alone.
[[nodiscard]] const System& formulas_of(const CompiledModel& model);

/// The model, whose expressions read angles of joints that have turned as a run remembers it.
[[nodiscard]] CompiledModel reading_turns(const CompiledModel& model,
                                          std::shared_ptr<const std::vector<double>> turns);

}  // namespace taut
