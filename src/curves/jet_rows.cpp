// SPDX-License-Identifier: BSD-3-Clause
#include "curves/jet_rows.hpp"

#include <algorithm>
#include <utility>

#include "model/finite.hpp"

namespace taut {
namespace {

using formula::Target;

// a matrix of zeros with the places of all outputs of one target; they are sorted by row
Sparse matrix_of(const formula::Program& program, Target target, Index rows, Index columns,
                 std::vector<Index>& slots) {
  std::vector<Eigen::Triplet<double, int>> places;
  for (const formula::Output& output : program.outputs)
    if (output.target == target) places.emplace_back(output.row, output.column, 0.0);
  Sparse matrix(rows, columns);
  matrix.setFromTriplets(places.begin(), places.end());
  slots.clear();
  for (const auto& place : places) {
    const int* const begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[place.row()];
    const int* const end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[place.row() + 1];
    slots.push_back(std::lower_bound(begin, end, place.col()) - matrix.innerIndexPtr());
  }
  return matrix;
}

double result(const formula::Output& output, const double* registers) {
  const double value = registers[output.reg];
  return output.negate ? -value : value;
}

bool finite(const Vec& f) { return all_finite({f.data(), static_cast<std::size_t>(f.size())}); }
bool finite(const Sparse& matrix) {
  return all_finite({matrix.valuePtr(), static_cast<std::size_t>(matrix.nonZeros())});
}

}  // namespace

JetRows::JetRows(const formula::Graph& graph, std::span<const formula::NodeId> rows,
                 std::span<const Index> jets, bool second_derivatives)
    : rows_{static_cast<Index>(rows.size())}, columns_{static_cast<Index>(jets.size())} {
  std::vector<int> column;
  for (std::size_t c = 0; c < jets.size(); ++c) {
    const auto jet = static_cast<std::size_t>(jets[c]);
    if (jet >= column.size()) column.resize(jet + 1, -1);
    column[jet] = static_cast<int>(c);
  }
  formula::Formula formula;
  formula.coordinates = static_cast<int>(columns_);
  formula.rows = static_cast<int>(rows_);
  formula::Copier copier{graph, formula.graph, [&](formula::Input input, formula::Graph& to) {
                           input.index = column[static_cast<std::size_t>(input.index)];
                           return to.input(input);
                         }};
  for (std::size_t r = 0; r < rows.size(); ++r)
    formula.roots.push_back({formula::Role::constraint, copier(rows[r]), static_cast<int>(r)});

  value_ = make_kernel(derive(formula, need(Target::constraint)), 1);
  jacobian_ =
      make_kernel(derive(formula, needs(Target::constraint, Target::constraint_jacobian)), 1);
  pattern_ = matrix_of(jacobian_->program(), Target::constraint_jacobian, rows_, columns_, slots_);
  if (!second_derivatives) return;
  hessian_ = make_kernel(derive(formula, need(Target::constraint_stiffness)), 1);
  second_pattern_ = matrix_of(hessian_->program(), Target::constraint_stiffness, columns_, columns_,
                              second_slots_);
}

void JetRows::prepare(Scratch& scratch) const {
  for (const auto& [kernel, registers] :
       {std::pair{&value_, &scratch.value}, std::pair{&jacobian_, &scratch.jacobian},
        std::pair{&hessian_, &scratch.hessian}}) {
    if (!*kernel) continue;
    const auto numbers = static_cast<std::size_t>((*kernel)->program().registers);
    registers->resize(numbers / 8 + 1);
    (*kernel)->load_constants(registers->front().numbers);
  }
}

double* JetRows::run(const Kernel& kernel, const Vec& p, const Vec* mu,
                     std::vector<Scratch::Line>& registers) {
  double* const work = registers.front().numbers;
  std::size_t i = 0;
  for (const formula::Input& input : kernel->program().inputs)
    work[i++] = input.slot == formula::Slot::lambda ? (*mu)[input.index] : p[input.index];
  kernel->run(work);
  return work;
}

Status JetRows::value(const Vec& p, Scratch& scratch, Vec& f) const {
  const double* const work = run(value_, p, nullptr, scratch.value);
  f.setZero();
  for (const formula::Output& output : value_->program().outputs)
    f[output.row] = result(output, work);
  return finite(f) ? Status::ok : Status::non_finite;
}

Status JetRows::jacobian(const Vec& p, Scratch& scratch, Vec& f, Sparse& df) const {
  const double* const work = run(jacobian_, p, nullptr, scratch.jacobian);
  f.setZero();
  std::size_t slot = 0;
  for (const formula::Output& output : jacobian_->program().outputs) {
    if (output.target == Target::constraint)
      f[output.row] = result(output, work);
    else
      df.valuePtr()[slots_[slot++]] = result(output, work);
  }
  return finite(f) && finite(df) ? Status::ok : Status::non_finite;
}

Status JetRows::hessian(const Vec& p, const Vec& mu, Scratch& scratch, Sparse& d2f) const {
  const double* const work = run(hessian_, p, &mu, scratch.hessian);
  std::size_t slot = 0;
  for (const formula::Output& output : hessian_->program().outputs)
    d2f.valuePtr()[second_slots_[slot++]] = result(output, work);
  return finite(d2f) ? Status::ok : Status::non_finite;
}

}  // namespace taut
