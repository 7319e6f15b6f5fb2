// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "taut/formula/formula.hpp"

namespace taut {

/// Elements with one formula. Tables have one column per instance: entry (k, i) stands at
/// [k * instances + i].
struct Batch {
  formula::Formula formula;
  int instances = 0;
  std::vector<int> coordinates;    ///< local coordinate k of instance i in q
  std::vector<double> parameters;  ///< parameter k of instance i
  std::vector<int> origins;        ///< of the parameters: see Number; empty where none has one
  std::vector<int> rows;           ///< local constraint row r of instance i in g
  std::vector<int> observables;
  std::vector<int> modes;  ///< of frozen formulas: mode k of instance i among all modes
  /// Names for messages: one per instance, or one per root when one-off elements were merged.
  std::vector<std::string> labels;
  bool merged = false;
  bool drawn = false;  ///< of places that are only shown: values, finite or not, no derivatives
};

/// One element: what its formula's local slots stand for.
struct Instance {
  std::vector<int> coordinates;
  std::vector<formula::Number> parameters;
  std::vector<int> rows;
  std::vector<int> observables;
  std::string label;
};

/// Sorts elements into batches while a model is compiled.
class BatchBuilder {
 public:
  explicit BatchBuilder(const formula::Number& theta_rate) : theta_rate_{theta_rate} {}

  /// Elements with equal graphs fall into one batch, whatever syntax they came from.
  void add(formula::Formula formula, Instance instance);

  /// Formulas with few instances are merged into one, so that they share subexpressions.
  [[nodiscard]] std::vector<Batch> finish();

 private:
  struct Group {
    formula::Formula formula;
    std::vector<Instance> instances;
    std::vector<formula::Number> constants;  // of the formula, while a tape is recorded
  };
  /// Groups whose formulas differ in numbers alone, by whether any of these has an origin.
  struct Alike {
    std::vector<std::size_t> with_origins, without;
  };
  void guard(const formula::Outline& outline, std::size_t group, bool is_new);
  static Batch transpose(Group group);
  Batch merge(std::vector<Group> groups) const;

  formula::Number theta_rate_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, std::size_t> group_of_key_;
  std::unordered_map<std::string, Alike> alike_;
};

}  // namespace taut
