// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>

#include "curves/completion_words.hpp"
#include "curves/consistent_point.hpp"
#include "curves/jet_units.hpp"
#include "curves/signature.hpp"
#include "curves/structural_rows.hpp"
#include "taut/curves/completion.hpp"

namespace taut {

/// One completion. The structure is judged first: where it holds, index and dimension are theorems
/// (pryce2001), the start is settled, and ranks of the derivative array only confirm them. Where it
/// does not tell, ranks decide.
class Completer {
 public:
  Completer(const JetSystem& system, const CompletionOptions& options)
      : system_{system}, options_{options} {}

  Completion run();

 private:
  using Verdict = Completion::Verdict;
  static constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

  /// What is known about extra equations: that D g = 0 on M, that it is not, or neither.
  enum class Extra : unsigned char { kept, broken, unknown };

  /// A signature and what came of it.
  struct Attempt {
    Signature signature, raised;
    std::optional<StructuralRows> parts;
    std::vector<Moves> moves;
    ConsistentPoint point;
    StructuralPoint here;
    std::optional<StructuralPoint> near;
    Extra extra = Extra::kept;
    std::vector<std::string> broken;  ///< extra equations that are not kept, with their rates
    bool regular = false;             ///< here, A and M are
  };

  bool may_begin();
  bool fail(Verdict verdict, Status status, std::string reason, const std::string& remedy);
  [[nodiscard]] double given(Index jet) const;
  // stated numbers, 0 where none is, and what moves when
  void start_of(const std::vector<Index>& jets, Vec& u, std::vector<Moves>& moves) const;
  bool fail_at_point(const ConsistentPoint& point, const std::vector<NamedRow>& rows);
  bool fail_without_value(const std::string& which);

  // --- structure
  [[nodiscard]] Attempt attempt(Signature signature) const;
  [[nodiscard]] std::optional<Vec> on_manifold(const Attempt& attempt, unsigned seed) const;
  void judge_extra(Attempt& attempt) const;
  // these are false when the end is reached already
  bool judge_structure();
  bool judge_attempt(const Attempt& attempt);
  void take(Attempt attempt);
  [[nodiscard]] bool moves_along(const Attempt& attempt) const;

  // --- ranks of the derivative array
  void judge_ranks();
  void begin_array(const DerivativeArray& array, Vec& u, std::vector<Moves>& moves);
  [[nodiscard]] Vec beside_impasse() const;
  void extend(const DerivativeArray& array, Vec& u, std::vector<Moves>& moves) const;
  [[nodiscard]] Vec coarse_units(const DerivativeArray& array) const;
  [[nodiscard]] std::vector<NamedRow> rows_of(const DerivativeArray& array) const;
  // the Jacobian at u with the time scale whose ranks are the clearest
  [[nodiscard]] ScaledJacobian clearest(DerivativeArray& array, const Vec& u) const;
  [[nodiscard]] Completion::Prolongation line_of(const DerivativeArray& array, int r, const Mat& J);
  void fill_table(const DerivativeArray& array, const Mat& J);
  [[nodiscard]] bool table_confirms() const;
  void not_kept();
  void fail_in_array(const ConsistentPoint& point, DerivativeArray& array);
  void conclude(DerivativeArray& array, const Vec& u, const ScaledJacobian& J,
                std::vector<Moves> moves);
  void underdetermined(const DerivativeArray& array, const Mat& J,
                       const Completion::Prolongation& line);
  void too_large(const DerivativeArray& array);

  // --- results
  [[nodiscard]] Index structural_dimension() const;
  void complete_structurally();
  void structure_alone(const Note& why);
  void add_number(Index jet, double value);
  void take_state(const std::vector<Index>& state, const Vec& p);
  void take_low(const DerivativeArray& array, const Vec& u);
  void take_jets(const std::vector<Index>& jets, const Vec& u);

  const JetSystem& system_;
  CompletionOptions options_;
  Completion out_;
  Signature signature_, raised_;
  std::optional<StructuralRows> parts_;
  bool structural_ = false;  // (3) holds at p
  bool certain_ = false;     // and extra equations, if any, are kept
  bool doubtful_ = false;
  std::vector<std::string> broken_;
  Vec p_, tops_;  // the point of (3), and the highest derivatives there
  StructuralPoint here_;
  JetUnits units_;
};

}  // namespace taut
