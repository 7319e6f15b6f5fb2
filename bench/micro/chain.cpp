// SPDX-License-Identifier: BSD-3-Clause
// RATTLE on a chain of rigid links, per link and step: taut on the model of models/chain.toml, and
// a hand-written loop that knows that S is tridiagonal. Both solve with the matrix of the start of
// the step, to the same tolerance, from the same prediction of the multipliers.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "methods/rattle.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"

namespace {

constexpr double gravity = 9.81;
constexpr double tolerance = 2e-15;      // of taut::Projection, in units of Row::scale
constexpr double settled = 4 * 0x1p-52;  // of taut::Projection, for velocities

constexpr const char* model = R"(
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
)";

constexpr double swing = 1.0;  // [rad/s]

// the string's waves pass a tenth of a link per step
double step_for(int n) { return 0.04 / n; }

/// A chain as arrays; every loop passes over it once.
class HandWritten {
 public:
  /// `scale` is Row::scale of each link.
  HandWritten(int n, const std::vector<double>& scale) : n_{n}, L_{1.0 / n}, m_{1.0 / n} {
    for (auto* a :
         {&x_, &y_, &vx_, &vy_, &x1_, &y1_, &ux_, &uy_, &lambda_, &last_, &before_, &d_, &l_, &z_})
      a->assign(static_cast<std::size_t>(n) + 1, 0.0);
    for (const double size : scale) inverse_scale_.push_back(1.0 / size);
    for (int k = 0; k < n; ++k) {
      x_[k] = 0.8 * L_ * (k + 1);
      y_[k] = -0.6 * L_ * (k + 1);
      vx_[k] = -swing * y_[k];
      vy_[k] = swing * x_[k];
    }
    factor(x_, y_);
  }

  bool step(double h) {
    predict(h);
    if (!positions(h)) return false;
    velocities(h);
    before_.swap(last_);
    last_.swap(lambda_);
    x_.swap(x1_);
    y_.swap(y1_);
    return true;
  }

  [[nodiscard]] double x(int k) const { return x_[k]; }
  [[nodiscard]] double y(int k) const { return y_[k]; }
  long iterations = 0;

 private:
  // rows of G and S = L D Lᵀ, in one pass
  void factor(const std::vector<double>& x, const std::vector<double>& y) {
    double px = 0.0, py = 0.0, pux = 0.0, puy = 0.0, d = 0.0;
    for (int k = 0; k < n_; ++k) {
      const double ux = (x[k] - px) / L_, uy = (y[k] - py) / L_;
      const double diagonal = (k == 0 ? 1.0 : 2.0) * (ux * ux + uy * uy) / m_;
      const double below = -(ux * pux + uy * puy) / m_;
      l_[k] = k == 0 ? 0.0 : below / d;
      d = diagonal - l_[k] * below;
      d_[k] = 1.0 / d;
      ux_[k] = pux = ux;
      uy_[k] = puy = uy;
      px = x[k];
      py = y[k];
    }
  }

  void predict(double h) {
    for (int k = 0; k < n_; ++k) lambda_[k] = 2.0 * last_[k] - before_[k];
    lambda_[n_] = ux_[n_] = uy_[n_] = 0.0;
    for (int k = 0; k < n_; ++k) {
      const double fx = ux_[k + 1] * lambda_[k + 1] - ux_[k] * lambda_[k];
      const double fy = uy_[k + 1] * lambda_[k + 1] - uy_[k] * lambda_[k] - m_ * gravity;
      vx_[k] += h / 2 / m_ * fx;
      vy_[k] += h / 2 / m_ * fy;
      x1_[k] = x_[k] + h * vx_[k];
      y1_[k] = y_[k] + h * vy_[k];
    }
  }

  // z = S⁻¹ z after the forward substitution
  void back_substitute() {
    z_[n_ - 1] *= d_[n_ - 1];
    for (int k = n_ - 2; k >= 0; --k) z_[k] = z_[k] * d_[k] - l_[k + 1] * z_[k + 1];
    z_[n_] = 0.0;
  }

  bool positions(double h) {
    for (int iteration = 0; iteration < 40; ++iteration) {
      // g, its size, and the forward substitution
      double worst = 0.0, px = 0.0, py = 0.0, forward = 0.0;
      for (int k = 0; k < n_; ++k) {
        const double dx = x1_[k] - px, dy = y1_[k] - py;
        const double g = (dx * dx + dy * dy - L_ * L_) / (2.0 * L_);
        worst = std::max(worst, std::abs(g) * inverse_scale_[k]);
        forward = g - l_[k] * forward;
        z_[k] = forward;
        px = x1_[k];
        py = y1_[k];
      }
      if (worst <= tolerance) return true;
      back_substitute();
      for (int k = 0; k < n_; ++k) {
        const double cx = (ux_[k + 1] * z_[k + 1] - ux_[k] * z_[k]) / m_;
        const double cy = (uy_[k + 1] * z_[k + 1] - uy_[k] * z_[k]) / m_;
        x1_[k] += cx;
        y1_[k] += cy;
        vx_[k] += cx / h;
        vy_[k] += cy / h;
        lambda_[k] += 2.0 / (h * h) * z_[k];
      }
      ++iterations;
    }
    return false;
  }

  void velocities(double h) {
    factor(x1_, y1_);
    for (int k = 0; k < n_; ++k) vy_[k] -= h / 2 * gravity;
    // solved again only while more than rounding is left
    for (int round = 0; round < 3; ++round) {
      double pvx = 0.0, pvy = 0.0, forward = 0.0, worst = 0.0, v_max = 0.0;
      for (int k = 0; k < n_; ++k) {
        const double rate = ux_[k] * (vx_[k] - pvx) + uy_[k] * (vy_[k] - pvy);
        const double size = 2.0 * (std::abs(ux_[k]) + std::abs(uy_[k]));
        worst = std::max(worst, std::abs(rate) / size);
        v_max = std::max({v_max, std::abs(vx_[k]), std::abs(vy_[k])});
        forward = rate - l_[k] * forward;
        z_[k] = forward;
        pvx = vx_[k];
        pvy = vy_[k];
      }
      if (round > 0 && worst <= settled * v_max) return;
      back_substitute();
      for (int k = 0; k < n_; ++k) {
        vx_[k] += (ux_[k + 1] * z_[k + 1] - ux_[k] * z_[k]) / m_;
        vy_[k] += (uy_[k + 1] * z_[k + 1] - uy_[k] * z_[k]) / m_;
      }
    }
  }

  int n_;
  double L_, m_;
  std::vector<double> x_, y_, vx_, vy_, x1_, y1_, ux_, uy_, lambda_, last_, before_, d_, l_, z_;
  std::vector<double> inverse_scale_;
};

struct Compiled {
  taut::System system;
  taut::State start;
  std::vector<double> scale;
};

Compiled compile_chain(int n) {
  taut::Problems problems;
  taut::Model chain = taut::read_model(model, problems);
  chain.set("links", static_cast<double>(n));
  const taut::CompiledModel compiled = taut::compile(chain, problems);
  problems.throw_if_any();
  Compiled result{
      compiled.system, taut::consistent_start(compiled.system, compiled.given).state, {}};
  for (taut::Index k = 0; k < n; ++k) {
    result.start.v[2 * k] = -swing * result.start.q[2 * k + 1];
    result.start.v[2 * k + 1] = swing * result.start.q[2 * k];
  }
  for (const taut::Row& row : compiled.system.structure().rows) result.scale.push_back(row.scale);
  return result;
}

void per_link(benchmark::State& state, double iterations, double steps) {
  state.counters["s_per_link_and_step"] = benchmark::Counter(
      static_cast<double>(state.range(0)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["iterations_per_step"] = iterations / steps;
}

void taut_rattle(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Compiled chain = compile_chain(n);
  taut::Rattle rattle;
  taut::State s = chain.start;
  if (rattle.start(chain.system, s) != taut::Status::ok) state.SkipWithError("no start");
  for (auto _ : state)
    if (rattle.step(chain.system, step_for(n), s) != taut::Status::ok) {
      state.SkipWithError("step failed");
      break;
    }
  per_link(state, static_cast<double>(rattle.counters.newton_iterations),
           static_cast<double>(rattle.counters.steps));
}

void hand_written(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  HandWritten chain{n, compile_chain(n).scale};
  double steps = 0;
  for (auto _ : state) {
    ++steps;
    if (!chain.step(step_for(n))) {
      state.SkipWithError("step failed");
      break;
    }
  }
  per_link(state, static_cast<double>(chain.iterations), steps);
}

// the two must be the same method: same motion after a while
bool agree() {
  const int n = 100;
  const Compiled compiled = compile_chain(n);
  taut::Rattle rattle;
  taut::State s = compiled.start;
  HandWritten chain{n, compiled.scale};
  bool ok = rattle.start(compiled.system, s) == taut::Status::ok;
  for (int k = 0; ok && k < 500; ++k)
    ok =
        rattle.step(compiled.system, step_for(n), s) == taut::Status::ok && chain.step(step_for(n));
  double distance = 0.0;
  for (int k = 0; k < n; ++k)
    distance = std::max(distance, std::hypot(s.q[2 * k] - chain.x(k), s.q[2 * k + 1] - chain.y(k)));
  std::fprintf(stderr, "largest difference after 500 steps of 100 links: %.2g m\n", distance);
  return ok && distance < 1e-9;
}

BENCHMARK(taut_rattle)->Arg(1000)->Arg(10'000)->Arg(100'000);
BENCHMARK(hand_written)->Arg(1000)->Arg(10'000)->Arg(100'000);

}  // namespace

int main(int argc, char** argv) {
  if (!agree()) return 1;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
