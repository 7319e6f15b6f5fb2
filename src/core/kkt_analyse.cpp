// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "core/kkt.hpp"
#include "core/nested_dissection.hpp"
#include "core/ordering.hpp"

namespace taut {
namespace {

// pairs of constraints with a coordinate in common, counted per coordinate: 20 bytes each
constexpr double most_pairs = 2e8;
// updates of S above which a better order is looked for
constexpr double most_before_dissection = 3e6;
// above this many pairs of coordinates in common constraints, M + GᵀG is no help for ordering
constexpr double most_clique_pairs = 2e7;

// a row of G that reads this many of nq coordinates goes last in any order: it says nothing about
// the order of the others
bool is_dense(int length, int nq) { return length > std::max(16.0, 10.0 * std::sqrt(nq)); }

// Rows of (1) in the order given to the coordinates (and possibly to the constraints), but
// each constraint after all of its coordinates.
Order constraints_after_coordinates(const Sparse& G, const Order& order) {
  const int nq = static_cast<int>(G.cols());
  const int nc = static_cast<int>(G.rows());
  std::vector<int> key(nq + nc, -1);
  for (std::size_t k = 0; k < order.size(); ++k) key[order[k]] = static_cast<int>(k);
  for (int c = 0; c < nc; ++c)
    for (Sparse::InnerIterator entry(G, c); entry; ++entry)
      key[nq + c] = std::max(key[nq + c], key[entry.col()]);
  Order all = natural_order(nq + nc);
  std::stable_sort(all.begin(), all.end(), [&](int a, int b) {
    return std::tuple{key[a], a >= nq} < std::tuple{key[b], b >= nq};
  });
  return all;
}

std::vector<std::pair<int, int>> lower_entries(const Sparse& M) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < M.rows(); ++i)
    for (Sparse::InnerIterator entry(M, i); entry; ++entry)
      if (entry.col() < i) pairs.emplace_back(i, static_cast<int>(entry.col()));
  return pairs;
}

// Of S. What is done before a run, and the run itself, ask for it one after the other: the last one
// of this thread is kept.
const Order& order_of_rows(const Adjacency& graph) {
  thread_local Adjacency last;
  thread_local Order order;
  if (order.empty() || graph.begin != last.begin || graph.index != last.index) {
    order = choose_order(graph, {minimum_degree_order(graph), natural_order(graph.size())});
    if (count_updates(graph, order, most_before_dissection) > most_before_dissection)
      order = best_order(graph, {order, nested_dissection_order(graph)});
    last = graph;
  }
  return order;
}

struct Pattern {
  explicit Pattern(const Sparse& A)
      : columns{A.cols()},
        begin(A.outerIndexPtr(), A.outerIndexPtr() + A.rows() + 1),
        index(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros()) {}

  [[nodiscard]] bool is_that_of(const Sparse& A) const {
    return columns == A.cols() && static_cast<Index>(begin.size()) == A.rows() + 1 &&
           static_cast<Index>(index.size()) == A.nonZeros() &&
           std::equal(begin.begin(), begin.end(), A.outerIndexPtr()) &&
           std::equal(index.begin(), index.end(), A.innerIndexPtr());
  }

  Index columns;
  std::vector<int> begin, index;
};

}  // namespace

/// As it was before it saw a value.
struct Kkt::Analysed {
  Pattern M, G;
  Kkt kkt;
};

void Kkt::analyse(const Sparse& M, const Sparse& G) {
  assert(M.rows() == M.cols() && G.cols() == M.cols());
  assert(M.isCompressed() && G.isCompressed());
  thread_local std::weak_ptr<const Analysed> last;
  std::shared_ptr<const Analysed> known = last.lock();
  if (known == nullptr || !known->M.is_that_of(M) || !known->G.is_that_of(G)) {
    analyse_anew(M, G);
    analysed_ = nullptr;
    known = std::make_shared<const Analysed>(Analysed{Pattern{M}, Pattern{G}, *this});
    last = known;
  } else {
    *this = known->kkt;
    make_room();
  }
  analysed_ = std::move(known);
}

void Kkt::make_room() {
  for (std::vector<int>* rows : {&dependent_, &droppable_, &chosen_, &cleared_}) rows->reserve(nc_);
  for (Ldlt* factor : {&factor_, &mass_factor_}) factor->make_room();
}

void Kkt::analyse_anew(const Sparse& M, const Sparse& G) {
  nq_ = static_cast<int>(M.rows());
  nc_ = static_cast<int>(G.rows());
  mass_defect_ = -1;
  for (std::vector<int>* rows : {&dependent_, &droppable_, &chosen_, &cleared_}) rows->clear();
  make_room();
  null_space_.resize(nc_, 0);
  z_.assign(nq_, 0.0);
  b_.assign(nc_, 0.0);
  k_.assign(static_cast<std::size_t>(nq_) + nc_, 0.0);
  is_chain_ = chain_.analyse(M, G);
  whole_ = !mass_.analyse(M);
  if (whole_)
    analyse_whole(M, G);
  else
    analyse_schur(G);
}

void Kkt::analyse_schur(const Sparse& G) {
  // lay out Y: for each row of G the components of M that it touches, each one full
  y_begin_.assign(1, 0);
  y_place_.clear();
  y_slot_.clear();
  pieces_.clear();
  std::vector<int> first_piece{0};
  for (int c = 0; c < nc_; ++c) {
    const int from = G.outerIndexPtr()[c], to = G.outerIndexPtr()[c + 1];
    const std::size_t row = pieces_.size();
    for (int p = from; p < to; ++p) pieces_.push_back({0, mass_.block(G.innerIndexPtr()[p])});
    std::sort(pieces_.begin() + row, pieces_.end(),
              [](const Piece& a, const Piece& b) { return a.block < b.block; });
    pieces_.erase(std::unique(pieces_.begin() + row, pieces_.end(),
                              [](const Piece& a, const Piece& b) { return a.block == b.block; }),
                  pieces_.end());
    for (std::size_t k = row; k < pieces_.size(); ++k) {
      pieces_[k].first = static_cast<int>(y_place_.size());
      const BlockMass::Block& block = mass_.blocks()[pieces_[k].block];
      for (int i = 0; i < block.size; ++i) y_place_.push_back(block.first + i);
    }
    for (int p = from; p < to; ++p) {
      const int place = mass_.place(G.innerIndexPtr()[p]);
      const auto found =
          std::lower_bound(y_place_.begin() + y_begin_.back(), y_place_.end(), place);
      y_slot_.push_back(static_cast<int>(found - y_place_.begin()));
    }
    y_begin_.push_back(static_cast<int>(y_place_.size()));
    first_piece.push_back(static_cast<int>(pieces_.size()));
  }
  Y_.assign(y_place_.size(), 0.0);
  list_runs(first_piece);
  // Y = G diag(1/sqrt(m)), entry by entry
  if (mass_.diagonal() && std::is_sorted(y_slot_.begin(), y_slot_.end())) {
    pieces_.clear();
    y_slot_.clear();
  }
}

void Kkt::list_runs(const std::vector<int>& first_piece) {
  // pieces by component of M: every two of them give a product
  struct Touch {
    int row, first;
  };
  const std::size_t blocks = mass_.blocks().size();
  std::vector<std::size_t> begin(blocks + 1, 0);
  for (const Piece& piece : pieces_) ++begin[piece.block + 1];
  double count = 0.0;
  for (const std::size_t touches : begin) count += 0.5 * static_cast<double>(touches * touches);
  if (count > most_pairs)
    throw std::length_error{
        "too many constraints share a coordinate: the equations for their multipliers are full"};
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Touch> touch(pieces_.size());
  std::vector<std::size_t> fill(begin.begin(), begin.end() - 1);
  for (int c = 0; c < nc_; ++c)
    for (int k = first_piece[c]; k < first_piece[c + 1]; ++k)
      touch[fill[pieces_[k].block]++] = {c, pieces_[k].first};

  std::vector<std::pair<int, int>> pairs;
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t i = begin[block]; i < begin[block + 1]; ++i)
      for (std::size_t j = begin[block]; j < i; ++j) pairs.emplace_back(touch[i].row, touch[j].row);
  const Adjacency graph = adjacency(nc_, pairs);
  factor_.analyse(graph, order_of_rows(graph));
  runs_.clear();
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t i = begin[block]; i < begin[block + 1]; ++i)
      for (std::size_t j = begin[block]; j <= i; ++j)
        runs_.push_back({factor_.slot(touch[i].row, touch[j].row), touch[i].first, touch[j].first,
                         mass_.blocks()[block].size});
  join_runs();
}

void Kkt::join_runs() {
  // in the order of storage, runs that continue each other joined
  std::sort(runs_.begin(), runs_.end(), [](const Run& r, const Run& s) {
    return std::tie(r.slot, r.a) < std::tie(s.slot, s.a);
  });
  std::vector<Run> all;
  all.swap(runs_);
  further_runs_.clear();
  std::vector<bool> filled(factor_.entries(), false);
  Run* last = nullptr;
  for (const Run& run : all) {
    if (last != nullptr && run.slot == last->slot && run.a == last->a + last->length &&
        run.b == last->b + last->length) {
      last->length += run.length;
      continue;
    }
    std::vector<Run>& list = filled[run.slot] ? further_runs_ : runs_;
    filled[run.slot] = true;
    list.push_back(run);
    last = &list.back();
  }
  runs_.shrink_to_fit();
  further_runs_.shrink_to_fit();
  empty_slots_.clear();
  for (std::size_t slot = 0; slot < filled.size(); ++slot)
    if (!filled[slot]) empty_slots_.push_back(static_cast<int>(slot));
}

void Kkt::analyse_whole(const Sparse& M, const Sparse& G) {
  // M alone, for solve_mass()
  std::vector<std::pair<int, int>> pairs = lower_entries(M);
  const Adjacency mass_graph = adjacency(nq_, pairs);
  const Order mass_order = minimum_degree_order(mass_graph);
  mass_factor_.analyse(mass_graph, choose_order(mass_graph, {mass_order, natural_order(nq_)}));

  // the whole matrix; orders from its own graph, from M + GᵀG, and the natural one
  double clique_pairs = 0.0;
  for (int c = 0; c < nc_; ++c) {
    const int length = G.outerIndexPtr()[c + 1] - G.outerIndexPtr()[c];
    if (!is_dense(length, nq_)) clique_pairs += 0.5 * length * length;
    for (Sparse::InnerIterator entry(G, c); entry; ++entry)
      pairs.emplace_back(nq_ + c, static_cast<int>(entry.col()));
  }
  const Adjacency graph = adjacency(nq_ + nc_, pairs);
  std::vector<Order> candidates{constraints_after_coordinates(G, minimum_degree_order(graph)),
                                constraints_after_coordinates(G, natural_order(nq_))};
  if (clique_pairs <= most_clique_pairs) {
    pairs = lower_entries(M);
    for (int c = 0; c < nc_; ++c) {
      const int from = G.outerIndexPtr()[c], to = G.outerIndexPtr()[c + 1];
      if (is_dense(to - from, nq_)) continue;
      for (int p = from; p < to; ++p)
        for (int k = from; k < p; ++k)
          pairs.emplace_back(G.innerIndexPtr()[p], G.innerIndexPtr()[k]);
    }
    candidates.push_back(
        constraints_after_coordinates(G, minimum_degree_order(adjacency(nq_, pairs))));
  }
  std::vector<signed char> sign(nq_ + nc_, 1);
  std::vector<bool> late(nq_ + nc_, false);
  for (int c = nq_; c < nq_ + nc_; ++c) {
    sign[c] = -1;
    late[c] = true;
  }
  factor_.analyse(graph, choose_order(graph, candidates, late), sign);

  M_entry_.clear();
  M_slot_.clear();
  M_slot_whole_.clear();
  for (int i = 0; i < nq_; ++i)
    for (int p = M.outerIndexPtr()[i]; p < M.outerIndexPtr()[i + 1]; ++p) {
      const int j = M.innerIndexPtr()[p];
      if (j > i) continue;
      M_entry_.push_back(p);
      M_slot_.push_back(mass_factor_.slot(i, j));
      M_slot_whole_.push_back(factor_.slot(i, j));
    }
  M_.assign(M_entry_.size(), 0.0);
  G_slot_whole_.clear();
  for (int c = 0; c < nc_; ++c)
    for (int p = G.outerIndexPtr()[c]; p < G.outerIndexPtr()[c + 1]; ++p)
      G_slot_whole_.push_back(factor_.slot(nq_ + c, G.innerIndexPtr()[p]));
  shift_.assign(static_cast<std::size_t>(nq_) + nc_, 0.0);
}

}  // namespace taut
