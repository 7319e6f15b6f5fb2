// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "core/ordering.hpp"

namespace taut {

/// The elimination of a large sparse matrix in dense pieces (multifrontal: Duff and Reid, ACM
/// Trans. Math. Softw. 9, 1983). A front has coordinates of its own, which are eliminated in it,
/// and further ones, which they are connected with; what its elimination leaves of the further ones
/// is added to the front above it. All pieces are in an order in which each comes after those
/// below.
///
/// Constraints, the last rows of the matrix, are in no order. One enters with the first of its
/// coordinates and may be eliminated there or in any front above: whoever eliminates decides by its
/// pivot. So that all it is connected with is there from the first moment, the coordinates of a
/// constraint are connected with each other.
struct FrontPlan {
  /// One entry of the matrix, at a row and a column of a front. Rows of a front are numbered: its
  /// own coordinates, constraints that enter, further coordinates.
  struct Entry {
    int entry, row, column;
  };
  struct Front {
    int own = 0, coordinates = 0;  // its own ones; all
    int parent = -1;
    int row = 0;                    // of rows: its coordinates
    int entering = 0, entered = 0;  // in `constraint`: the first that enters, how many
    int entry = 0, entries = 0;     // in `entry`
    int child = 0, children = 0;    // in `child`
  };

  /// False where the matrix is not made for this: constraints that are connected with each other
  /// or with very many coordinates. `begin` and `column` are its pattern by rows.
  [[nodiscard]] bool analyse(int n, int nq, const std::vector<int>& begin,
                             const std::vector<int>& column);

  /// Of a symmetric matrix without constraints, in an order that is given: order() is then one with
  /// the same fill. Unknowns are numbered by their positions in it.
  void analyse(const Adjacency& graph, const Order& order);
  [[nodiscard]] const Order& order() const { return order_; }
  /// The entries of its columns, on and below the diagonal, by position.
  void place(const std::vector<int>& begin, const std::vector<int>& row_of_entry);

  /// Multiplications of the elimination of the coordinates alone.
  double updates = 0.0;

  /// Numbers of L if each constraint goes where it enters, with some to spare.
  std::size_t numbers = 0;

  std::vector<Front> fronts;
  std::vector<int> row;         // coordinates of all fronts: own ones, then further ones
  std::vector<int> above;       // at the same places: where a further one is in the front above
  std::vector<int> constraint;  // that enter, by front
  std::vector<int> child;
  std::vector<Entry> entry;
  std::vector<int> last_front;  // of each constraint: that of the last of its coordinates
  std::vector<int> mate;        // of each entry a_ij: the one of a_ji, or -1

 private:
  [[nodiscard]] bool find_order(int n, int nq, const std::vector<int>& begin,
                                const std::vector<int>& column);
  void find_fronts();
  void join_fronts(const std::vector<int>& parent, const std::vector<int>& count);
  void find_rows();
  void count_numbers();
  void place_constraints(int n, int nq, const std::vector<int>& begin,
                         const std::vector<int>& column);
  void place_entries(int n, int nq, const std::vector<int>& begin, const std::vector<int>& column);

  Adjacency graph_;  // of the coordinates
  Order order_;
  std::vector<int> position_, front_of_;  // by coordinate, by position
  std::vector<int> first_;                // position of the first own coordinate of each front
};

}  // namespace taut
