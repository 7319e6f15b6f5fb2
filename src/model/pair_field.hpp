// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/contact_field.hpp"
#include "model/ewald.hpp"
#include "model/pair_neighbours.hpp"
#include "model/pattern.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Forces between all pairs of many points:
///
///   U = Σ U_ij(|x_i - x_j|),   U_ij of PairLaw, with the way to 0 of PairSwitch            (1)
///
/// and what images far away add to charges (EwaldSum). Every pair is visited once, in chunks of
/// rows with sums of their own that are added up in their order; chunks depend on the model alone.
/// With a cut-off, a list of neighbours says who is near, but where the cut-off reaches much of the
/// box, or points are few: all pairs are computed then, and those beyond it add 0. Either way, sums
/// are taken in an order that depends on the model and on positions alone: results are the same
/// bits for every number of threads, every instruction set, and whatever was evaluated before.
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
    /// Charges whose images all count, with range->alpha
    struct Images {
      double strength;
      std::vector<int> points;  ///< by their place in `points`
    };
    std::vector<Images> images;
    double accuracy = 0.0;  ///< of Ewald's sum
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
        differentiable_{false} {}
  /// Null where these are laws of pairs.
  [[nodiscard]] const ContactField* contacts() const { return contacts_.get(); }
  [[nodiscard]] PairField shown_contacts(ShownContacts shown) const { return {contacts_, shown}; }

  /// Whether stiffness and third derivatives can be asked for.
  [[nodiscard]] bool differentiable() const { return differentiable_; }
  void add_to_pattern(Pattern& stiffness) const;
  void find_slots(const Sparse& K);

  /// Ewald's sums of its charges.
  [[nodiscard]] const std::vector<EwaldSum>& images() const { return images_; }
  /// Of the element that states the first of its laws.
  [[nodiscard]] const std::string& label() const { return kinds_.laws.front().label; }

  /// What one field keeps in an Evaluation.
  struct Scratch {
    std::vector<double> x, y, z;
    std::vector<double> forces;  ///< columns x, y, z of each chunk
    std::vector<double> energies;
    PairList list;
    std::vector<EwaldSum::Scratch> images;
    ContactField::Scratch contacts;
  };
  [[nodiscard]] Scratch scratch() const;

  /// Adds what `wanted` asks for.
  void add(Needs wanted, const Arguments& at, Scratch& scratch, Evaluation& out) const;

  /// The first pair whose energy is not finite, by name; empty when there is none.
  [[nodiscard]] std::string culprit(const Vec& q) const;

 private:
  void make_table();
  void divide(const std::vector<std::int64_t>& pairs_of, std::int64_t most_chunks);
  void divide_table();
  void divide_list();
  [[nodiscard]] bool looks_at_all() const;
  void gather(const Vec& q, Scratch& scratch) const;
  [[nodiscard]] double sum_forces(Scratch& scratch) const;
  [[nodiscard]] double add_images(const PairColumns& at, Scratch& scratch) const;
  [[nodiscard]] PairReach reach() const;
  [[nodiscard]] bool all_finite(const Scratch& scratch) const;
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

  bool differentiable_ = true;
  bool lists_ = false;  // whether a list says who is near
  std::vector<int> first_segment_;
  std::vector<PairSegment> segments_;
  std::vector<EwaldSum> images_;
  std::vector<int> rows_;   // where the chunks of rows begin and end
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
