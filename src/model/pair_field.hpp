// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/contact_field.hpp"
#include "model/pair_neighbours.hpp"
#include "model/pattern.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Forces between all pairs of many points:
///
///   U = Σ U_ij(|x_i - x_j|),   U_ij of PairLaw, with the way to 0 of PairSwitch            (1)
///
/// Without a cut-off every pair is visited once, in fixed chunks of rows with sums of their own.
/// With one, a list of neighbours says who is near, and each point sums up its own force. Either
/// way, sums are taken in an order that depends on positions alone: results are the same bits for
/// every number of threads, every instruction set, and whatever was evaluated before.
class PairField {
 public:
  struct Point {
    int first;  ///< its x in q
    double charge;
    std::string name;
  };
  struct Setup {
    int dimension = 3;
    std::vector<Point> points;  ///< sorted by kind
    PairKinds kinds;
    std::optional<PairSwitch> range;  ///< absent: no cut-off
    std::array<double, 3> edge{};     ///< of the periodic box; 0: none
  };
  /// More pairs than these have no stiffness: a matrix of all of them would be too large.
  static constexpr std::int64_t most_pairs_of_a_matrix = 45'000;

  explicit PairField(Setup setup);
  /// Where a system that shows something of contacts has it among its observables, from `first` on:
  /// the power of what they lose, or ContactField::Seen. Of others -1.
  struct ShownContacts {
    int first = -1;
    bool all = false;
  };
  /// Contacts, which have no derivatives.
  explicit PairField(std::shared_ptr<const ContactField> contacts) : PairField{contacts, {}} {}
  PairField(std::shared_ptr<const ContactField> contacts, ShownContacts shown)
      : dimension_{contacts->setup().dimension},
        edge_{},
        contacts_{std::move(contacts)},
        shown_{shown},
        table_complete_{false} {}
  /// Null where these are laws of pairs.
  [[nodiscard]] const ContactField* contacts() const { return contacts_.get(); }
  [[nodiscard]] PairField shown_contacts(ShownContacts shown) const { return {contacts_, shown}; }

  /// Whether stiffness and third derivatives can be asked for.
  [[nodiscard]] bool differentiable() const { return table_complete_; }
  void add_to_pattern(Pattern& stiffness) const;
  void find_slots(const Sparse& K);

  /// What one field keeps in an Evaluation.
  struct Scratch {
    std::vector<double> x, y, z;
    std::vector<double> forces;  ///< columns x, y, z of each chunk
    std::vector<double> energies;
    PairList list;
    ContactField::Scratch contacts;
  };
  [[nodiscard]] Scratch scratch() const;

  /// Adds what `wanted` asks for.
  void add(Needs wanted, const Arguments& at, Scratch& scratch, Evaluation& out) const;

  /// The first pair whose energy is not finite, by name; empty when there is none.
  [[nodiscard]] std::string culprit(const Vec& q) const;

 private:
  void make_table();
  void divide_table();
  void gather(const Vec& q, Scratch& scratch) const;
  [[nodiscard]] double sum_forces(Scratch& scratch) const;
  [[nodiscard]] double sum_table(Scratch& scratch) const;
  [[nodiscard]] double sum_neighbours(Scratch& scratch) const;
  void add_stiffness(const Scratch& scratch, Evaluation& out) const;
  void add_third(const Scratch& scratch, const Vec& a, Evaluation& out) const;
  [[nodiscard]] std::array<double, 3> between(const Scratch& scratch, int i, int j) const;
  /// Calls visit(i, j, law) for every pair of the table.
  template <class Visit>
  void for_each_pair(const Visit& visit) const;
  [[nodiscard]] std::size_t stride() const { return points_.size() + 8; }

  int dimension_;
  std::vector<Point> points_;
  std::vector<double> charge_;
  PairKinds kinds_;
  std::optional<PairSwitch> range_;
  std::array<double, 3> edge_;
  std::shared_ptr<const ContactField> contacts_;
  ShownContacts shown_;

  bool table_complete_ = true;
  std::vector<int> first_segment_;
  std::vector<PairSegment> segments_;
  std::vector<int> rows_;   // where the chunks of the table begin and end
  std::vector<int> slots_;  // of K: blocks ii, ij, ji, jj of each pair, one for each of their rows
};

/// What the pairs of a system keep in Evaluation::pairs.
class PairScratch final : public ReadingScratch {
 public:
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<PairScratch>(*this);
  }
  std::vector<PairField::Scratch> fields;
};

}  // namespace taut
