// SPDX-License-Identifier: BSD-3-Clause
// A swinging chain of rigid links with the Gauss-Newton method, per link and step: taut on the
// model of models/chain.toml, a hand-written loop that knows that the matrix is tridiagonal, and
// taut's RATTLE and SHAKE at the same step. One run, methods in turn, the fastest of many blocks.
//
//   taut_bench_variational [--seconds S] [--links N]
//
//   --seconds  CPU time spent on each method and length
//   --links    only this length, instead of 10 to 1e5
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "measure.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "options.hpp"
#include "problems.hpp"

namespace taut::bench {
namespace {

constexpr double gravity = 9.81;
constexpr double beta = 0.3;

constexpr const char* model = R"toml(
name = "chain"
[parameters]
links = 40
[[chain]]
links     = "links"
length    = "1/links"
mass      = "1/links"
direction = [4, -3]
[[gravity]]
acceleration = [0, -9.81]
[run]
until = 1
)toml";

// the string's waves pass a tenth of a link per step
double step_for(int n) { return 0.04 / n; }

/// The same method on a chain as arrays. S = L D Lᵀ is built, factorised and solved with in one
/// pass down the chain; a pass up finds λ, a and the velocities.
class HandWritten {
 public:
  HandWritten(int n, double h) : n_{n}, h_{h}, L_{1.0 / n}, m_{1.0 / n} {
    for (auto* a : {&x_, &y_, &vx_, &vy_, &ax_, &ay_, &ux_, &uy_, &d_, &l_, &z_})
      a->assign(static_cast<std::size_t>(n) + 1, 0.0);
    for (int k = 0; k < n; ++k) {
      x_[k] = 0.8 * L_ * (k + 1);
      y_[k] = -0.6 * L_ * (k + 1);
    }
    accelerate(0.0);
  }

  void step() {
    const double h = h_;
    for (int k = 0; k < n_; ++k) {
      vx_[k] += h / 2 * ax_[k];
      vy_[k] += h / 2 * ay_[k];
      x_[k] += h * vx_[k];
      y_[k] += h * vy_[k];
    }
    accelerate(h / 2);
  }

  [[nodiscard]] double x(int k) const { return x_[k]; }
  [[nodiscard]] double y(int k) const { return y_[k]; }

 private:
  // a, and v + kick a
  void accelerate(double kick) {
    const double over_b = 1.0 / (beta * h_ * h_), over_m = 1.0 / m_, over_L = 1.0 / L_;
    double px = 0.0, py = 0.0, pux = 0.0, puy = 0.0, d = 1.0, forward = 0.0;
    for (int k = 0; k < n_; ++k) {
      const double dx = x_[k] - px, dy = y_[k] - py;
      const double ux = dx * over_L, uy = dy * over_L;
      const double g = (dx * dx + dy * dy - L_ * L_) * (0.5 * over_L);
      const double diagonal = (k == 0 ? 1.0 : 2.0) * (ux * ux + uy * uy) * over_m;
      const double below = -(ux * pux + uy * puy) * over_m;
      // gravity pulls both ends alike, but for the first link
      const double right = g * over_b - (k == 0 ? uy * gravity : 0.0);
      // two divisions, so that no product stands between one pivot and the next
      const double l = below / d;
      d = diagonal - below * below / d;
      forward = right - l * forward;
      l_[k] = l;
      d_[k] = d;
      z_[k] = forward;
      ux_[k] = pux = ux;
      uy_[k] = puy = uy;
      px = x_[k];
      py = y_[k];
    }
    double lambda = 0.0, below_ux = 0.0, below_uy = 0.0, below_lambda = 0.0;
    for (int k = n_ - 1; k >= 0; --k) {
      lambda = z_[k] / d_[k] - l_[k + 1] * below_lambda;
      const double ax = (below_ux * below_lambda - ux_[k] * lambda) * over_m;
      const double ay = (below_uy * below_lambda - uy_[k] * lambda) * over_m - gravity;
      ax_[k] = ax;
      ay_[k] = ay;
      vx_[k] += kick * ax;
      vy_[k] += kick * ay;
      below_ux = ux_[k];
      below_uy = uy_[k];
      below_lambda = lambda;
    }
  }

  int n_;
  double h_, L_, m_;
  std::vector<double> x_, y_, vx_, vy_, ax_, ay_, ux_, uy_, d_, l_, z_;
};

/// Something that can step, and the fastest it was seen to do so [s per link and step].
struct Runner {
  std::string name;
  std::function<void(int steps)> run;
  std::function<void()> restart;
  double fastest = std::numeric_limits<double>::infinity();
};

template <class M>
Runner runner(const Problem& chain, double h) {
  struct Moving {
    M method;
    State s;
  };
  const auto moving = std::make_shared<Moving>();
  return {std::string{M::info.name},
          [&chain, h, moving](int steps) {
            for (int k = 0; k < steps; ++k)
              if (moving->method.step(chain.system, h, moving->s) != Status::ok)
                throw std::runtime_error{fmt::format("a step of {} failed", M::info.name)};
          },
          [&chain, h, moving] {
            moving->s = chain.start;
            if (moving->method.start(chain.system, moving->s) != Status::ok ||
                moving->method.step(chain.system, h, moving->s) != Status::ok)
              throw std::runtime_error{fmt::format("no start of {}", M::info.name)};
          }};
}

Runner by_hand(int n, double h) {
  const auto chain = std::make_shared<HandWritten>(n, h);
  return {"hand-written",
          [chain](int steps) {
            for (int k = 0; k < steps; ++k) chain->step();
          },
          [chain, n, h] {
            *chain = HandWritten{n, h};
          }};
}

Problem make_chain(int n) { return from_text(model, {{"links", static_cast<double>(n)}}); }

void compare(int n, double seconds) {
  const Problem chain = make_chain(n);
  const double h = step_for(n);
  std::array<Runner, 4> runners{by_hand(n, h), runner<GaussNewton>(chain, h),
                                runner<Rattle>(chain, h), runner<Shake>(chain, h)};
  // blocks of about a millisecond, in turn, so that all see the same machine; the first part of the
  // swing again and again, as a whip is no matter for a constant step
  const int steps = std::max(1, 30'000 / n);
  const int blocks = std::max(1, static_cast<int>(0.3 / (h * steps)));
  double spent = 0.0;
  for (int block = 0; spent < seconds * runners.size(); ++block)
    for (Runner& r : runners) {
      if (block % blocks == 0) r.restart();
      const double begin = cpu_seconds();
      r.run(steps);
      const double took = cpu_seconds() - begin;
      spent += took;
      r.fastest = std::min(r.fastest, took / (static_cast<double>(steps) * n));
    }
  fmt::print("{:>8}", n);
  for (const Runner& r : runners) fmt::print("{:>14.2f}", 1e9 * r.fastest);
  fmt::print("{:>14.2f}{:>14.2f}{:>14.2f}\n", runners[1].fastest / runners[0].fastest,
             runners[2].fastest / runners[1].fastest, runners[3].fastest / runners[1].fastest);
}

// hand-written and taut's must be the same method: same motion after a while
void check() {
  const int n = 100;
  const double h = step_for(n);
  const Problem chain = make_chain(n);
  GaussNewton method{{.beta = beta}};
  State s = chain.start;
  HandWritten hand{n, h};
  bool ok = method.start(chain.system, s) == Status::ok;
  for (int k = 0; ok && k < 500; ++k) {
    ok = method.step(chain.system, h, s) == Status::ok;
    hand.step();
  }
  double distance = 0.0;
  for (int k = 0; k < n; ++k)
    distance = std::max(distance, std::hypot(s.q[2 * k] - hand.x(k), s.q[2 * k + 1] - hand.y(k)));
  if (!ok || !(distance < 1e-10))
    throw std::runtime_error{fmt::format("after 500 steps of 100 links: {} m apart", distance)};
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  try {
    double seconds = 0.5, links = 0.0;
    taut::bench::Options{}
        .number("--seconds", seconds)
        .number("--links", links)
        .read(count, words, "usage: taut_bench_variational [--seconds S] [--links N]");
    taut::bench::check();
    fmt::print(
        "a swinging chain, ns per link and step\n{:>8}{:>14}{:>14}{:>14}{:>14}{:>14}{:>14}{:>14}\n",
        "links", "hand-written", "gauss-newton", "rattle", "shake", "gn/hand", "rattle/gn",
        "shake/gn");
    if (links > 0.0)
      taut::bench::compare(static_cast<int>(links), seconds);
    else
      for (const int n : {10, 100, 1000, 10'000, 100'000}) taut::bench::compare(n, seconds);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
  return 0;
}
