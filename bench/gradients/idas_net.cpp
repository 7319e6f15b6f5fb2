// SPDX-License-Identifier: BSD-3-Clause
// The net by IDAS: M y' = F(y), its adjoint with Jacobians of our own, sparse.
#include "gradients.hpp"

#if TAUT_BENCH_IDAS
#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <array>
#include <cmath>
#include <map>

#include "measure.hpp"

namespace taut::bench {
namespace {

/// y = (positions, velocities) of the masses that move; 0 = y' - F(y).
struct Peer {
  explicit Peer(const Net& of) : net{of}, springs{of.springs()} {
    for (int i = 0; i < net.side * net.side; ++i) place.push_back(net.held(i) ? -1 : n++);
  }
  [[nodiscard]] std::array<double, 3> at(const double* y, int mass) const {
    if (place[static_cast<std::size_t>(mass)] < 0) return rest(mass);
    const double* q = y + 3 * place[static_cast<std::size_t>(mass)];
    return {q[0], q[1], q[2]};
  }
  [[nodiscard]] std::array<double, 3> rest(int mass) const {
    const double d = net.stretched * net.length;
    return {d * (mass % net.side), d * (mass / net.side), 0.0};
  }
  void forces(const double* y, double* f) const {
    const int half = 3 * n;
    for (int i = 0; i < half; ++i) f[i] = y[half + i];
    for (int i = 0; i < half; ++i) f[half + i] = i % 3 == 2 ? -net.gravity : 0.0;
    for (std::size_t k = 0; k < springs.size(); ++k) {
      const auto a = at(y, springs[k].a), b = at(y, springs[k].b);
      const std::array<double, 3> d{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
      const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      const double pull = net.stiffness[k] * (r - net.length) / r / net.mass;
      add(springs[k].a, f + half, d, pull);
      add(springs[k].b, f + half, d, -pull);
    }
  }
  void add(int mass, double* to, const std::array<double, 3>& d, double by) const {
    const int p = place[static_cast<std::size_t>(mass)];
    for (std::size_t c = 0; p >= 0 && c < 3; ++c) to[3 * p + static_cast<int>(c)] += by * d[c];
  }
  /// dF/dy by (row, column).
  [[nodiscard]] std::map<std::pair<int, int>, double> jacobian(const double* y) const {
    std::map<std::pair<int, int>, double> J;
    const int half = 3 * n;
    for (int i = 0; i < half; ++i) J[{i, half + i}] = 1.0;
    for (std::size_t k = 0; k < springs.size(); ++k) {
      const auto a = at(y, springs[k].a), b = at(y, springs[k].b);
      const std::array<double, 3> d{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
      const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      const double c = net.stiffness[k] / net.mass;
      const int pa = place[static_cast<std::size_t>(springs[k].a)],
                pb = place[static_cast<std::size_t>(springs[k].b)];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const double di = d[static_cast<std::size_t>(i)], dj = d[static_cast<std::size_t>(j)];
          const double s =
              c * ((i == j ? 1 - net.length / r : 0.0) + net.length * di * dj / (r * r * r));
          if (pa >= 0) J[{half + 3 * pa + i, 3 * pa + j}] -= s;
          if (pb >= 0) J[{half + 3 * pb + i, 3 * pb + j}] -= s;
          if (pa >= 0 && pb >= 0) {
            J[{half + 3 * pa + i, 3 * pb + j}] += s;
            J[{half + 3 * pb + i, 3 * pa + j}] += s;
          }
        }
    }
    return J;
  }

  const Net& net;
  std::vector<Net::Spring> springs;
  std::vector<int> place;
  int n = 0;
};

double* data(N_Vector v) { return N_VGetArrayPointer(v); }

int residual(double, N_Vector y, N_Vector rate, N_Vector r, void* user) {
  const Peer& peer = *static_cast<Peer*>(user);
  peer.forces(data(y), data(r));
  for (int i = 0; i < 6 * peer.n; ++i) data(r)[i] = data(rate)[i] - data(r)[i];
  return 0;
}

// scale dF/dy + shift 1 of columns; or of its transpose
void fill(const Peer& peer, const double* y, double scale, double shift, bool transposed,
          SUNMatrix matrix) {
  std::map<std::pair<int, int>, double> columns;  // (column, row)
  for (const auto& [at, value] : peer.jacobian(y))
    columns[transposed ? at : std::pair{at.second, at.first}] += scale * value;
  for (int i = 0; i < 6 * peer.n; ++i) columns[{i, i}] += shift;
  SUNMatZero(matrix);
  sunindextype* const begin = SUNSparseMatrix_IndexPointers(matrix);
  int entry = 0, column = -1;
  for (const auto& [at, value] : columns) {
    while (column < at.first) begin[++column] = entry;
    SUNSparseMatrix_IndexValues(matrix)[entry] = at.second;
    SUNSparseMatrix_Data(matrix)[entry++] = value;
  }
  while (column < 6 * peer.n) begin[++column] = entry;
}

int jacobian(double, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix matrix, void* user,
             N_Vector, N_Vector, N_Vector) {
  fill(*static_cast<Peer*>(user), data(y), -1.0, c, false, matrix);
  return 0;
}

int height(double, N_Vector y, N_Vector, N_Vector q, void* user) {
  const Peer& peer = *static_cast<Peer*>(user);
  data(q)[0] = 0.0;
  for (int i = 0; i < peer.n; ++i) data(q)[0] += data(y)[3 * i + 2];
  return 0;
}

// l' + F_yT l + (height)_y = 0
int residual_back(double, N_Vector y, N_Vector, N_Vector l, N_Vector rate, N_Vector r, void* user) {
  const Peer& peer = *static_cast<Peer*>(user);
  for (int i = 0; i < 6 * peer.n; ++i) data(r)[i] = data(rate)[i];
  for (const auto& [at, value] : peer.jacobian(data(y)))
    data(r)[at.second] += value * data(l)[at.first];
  for (int i = 0; i < peer.n; ++i) data(r)[3 * i + 2] += 1.0;
  return 0;
}

int jacobian_back(double, double c, N_Vector y, N_Vector, N_Vector, N_Vector, N_Vector,
                  SUNMatrix matrix, void* user, N_Vector, N_Vector, N_Vector) {
  fill(*static_cast<Peer*>(user), data(y), 1.0, c, true, matrix);
  return 0;
}

int gradient_back(double, N_Vector y, N_Vector, N_Vector l, N_Vector, N_Vector q, void* user) {
  const Peer& peer = *static_cast<Peer*>(user);
  const int half = 3 * peer.n;
  for (std::size_t k = 0; k < peer.springs.size(); ++k) {
    const auto a = peer.at(data(y), peer.springs[k].a), b = peer.at(data(y), peer.springs[k].b);
    double r2 = 0.0, along = 0.0;
    for (std::size_t c = 0; c < 3; ++c) r2 += (b[c] - a[c]) * (b[c] - a[c]);
    const double r = std::sqrt(r2);
    for (const auto& [mass, sign] :
         {std::pair{peer.springs[k].a, 1.0}, {peer.springs[k].b, -1.0}}) {
      const int p = peer.place[static_cast<std::size_t>(mass)];
      for (std::size_t c = 0; p >= 0 && c < 3; ++c)
        along += sign * (b[c] - a[c]) * data(l)[half + 3 * p + static_cast<int>(c)];
    }
    data(q)[k] = -(r - peer.net.length) / r / peer.net.mass * along;
  }
  return 0;
}

}  // namespace

PeerGradient idas_gradient(const Net& net, double tol) {
  PeerGradient result;
  Peer peer{net};
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  const sunindextype size = 6 * peer.n,
                     entries = 6 * size + 36 * static_cast<sunindextype>(net.stiffness.size());
  N_Vector y = N_VNew_Serial(size, context), rate = N_VClone(y), q = N_VNew_Serial(1, context);
  N_VConst(0.0, y);
  for (int i = 0; i < net.side * net.side; ++i)
    for (std::size_t c = 0; peer.place[static_cast<std::size_t>(i)] >= 0 && c < 3; ++c)
      data(y)[3 * peer.place[static_cast<std::size_t>(i)] + static_cast<int>(c)] = peer.rest(i)[c];
  peer.forces(data(y), data(rate));
  N_VConst(0.0, q);
  for (const bool back : {false, true}) {
    const double begun = cpu_seconds();
    void* ida = IDACreate(context);
    N_Vector y0 = N_VClone(y), rate0 = N_VClone(y), q0 = N_VClone(q);
    N_VScale(1.0, y, y0);
    N_VScale(1.0, rate, rate0);
    N_VConst(0.0, q0);
    IDAInit(ida, residual, 0.0, y0, rate0);
    IDASStolerances(ida, tol, tol);
    IDASetUserData(ida, &peer);
    SUNMatrix A = SUNSparseMatrix(size, size, entries, CSC_MAT, context);
    SUNLinearSolver solver = SUNLinSol_KLU(y0, A, context);
    IDASetLinearSolver(ida, solver, A);
    IDASetJacFn(ida, jacobian);
    IDASetMaxNumSteps(ida, 1'000'000);
    IDAQuadInit(ida, height, q0);
    IDAQuadSStolerances(ida, tol, tol);
    IDASetQuadErrCon(ida, 1);
    double t = 0.0;
    N_Vector y1 = N_VClone(y), rate1 = N_VClone(y);
    int checkpoints = 0;
    bool good = true;
    if (back) {
      IDAAdjInit(ida, 200, IDA_HERMITE);
      good = IDASolveF(ida, net.until, &t, y1, rate1, IDA_NORMAL, &checkpoints) >= 0;
    } else {
      good = IDASolve(ida, net.until, &t, y1, rate1, IDA_NORMAL) >= 0;
    }
    IDAGetQuad(ida, &t, q0);
    result.value = data(q0)[0];
    if (back && good) {
      int which = 0;
      IDACreateB(ida, &which);
      N_Vector l = N_VClone(y), l_rate = N_VClone(y),
               by = N_VNew_Serial(static_cast<sunindextype>(net.stiffness.size()), context);
      N_VConst(0.0, l);
      N_VConst(0.0, l_rate);
      N_VConst(0.0, by);
      for (int i = 0; i < peer.n; ++i) data(l_rate)[3 * i + 2] = -1.0;
      IDAInitB(ida, which, residual_back, net.until, l, l_rate);
      IDASStolerancesB(ida, which, tol, tol);
      IDASetUserDataB(ida, which, &peer);
      IDASetMaxNumStepsB(ida, which, 1'000'000);
      SUNMatrix B = SUNSparseMatrix(size, size, entries, CSC_MAT, context);
      SUNLinearSolver solver_back = SUNLinSol_KLU(l, B, context);
      IDASetLinearSolverB(ida, which, solver_back, B);
      IDASetJacFnB(ida, which, jacobian_back);
      IDAQuadInitB(ida, which, gradient_back, by);
      IDAQuadSStolerancesB(ida, which, tol, tol);
      IDASetQuadErrConB(ida, which, 1);
      good = IDASolveB(ida, 0.0, IDA_NORMAL) >= 0;
      IDAGetQuadB(ida, which, &t, by);
      // IDA's quadratures run backwards, too
      for (std::size_t k = 0; k < net.stiffness.size(); ++k) result.by.push_back(data(by)[k]);
    }
    (back ? result.all_seconds : result.run_seconds) = cpu_seconds() - begun;
    result.there = good;
  }
  return result;
}

}  // namespace taut::bench
#else
namespace taut::bench {
PeerGradient idas_gradient(const Net&, double) { return {}; }
}  // namespace taut::bench
#endif
