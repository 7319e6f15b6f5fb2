// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/saltation.hpp"

namespace taut {

void Saltation::apply(const Mat& x, Tangent& columns) const {
  if (!any()) return;
  const Eigen::RowVectorXd time = by_x.transpose() * x + by_w.transpose() * columns.v;
  const Mat w = columns.v;
  for (const Changed& one : changed)
    (one.velocity ? columns.v : columns.q).row(one.index) =
        one.by_x.transpose() * x + one.by_w.transpose() * w;
  if (q_jump.size() > 0) columns.q += q_jump * time;
  columns.v += v_jump * time;
}

void Saltation::pull_back(Mat& on_x, Mat& on_w) const {
  if (!any()) return;
  Eigen::RowVectorXd of_time = v_jump.transpose() * on_w;
  if (q_jump.size() > 0) of_time += q_jump.transpose() * on_x.topRows(q_jump.size());
  Mat more_x = by_x * of_time, more_w = by_w * of_time;
  for (const Changed& one : changed) {
    Mat& from = one.velocity ? on_w : on_x;
    const Eigen::RowVectorXd by = from.row(one.index);
    from.row(one.index).setZero();
    more_x += one.by_x * by;
    more_w += one.by_w * by;
  }
  on_x += more_x;
  on_w += more_w;
}

}  // namespace taut
