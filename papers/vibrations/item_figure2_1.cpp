// SPDX-License-Identifier: BSD-3-Clause
// Figure 2.1 and what section 2.1 says of it: the motion and its average.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "items.hpp"
#include "problem.hpp"
#include "true_motion.hpp"

namespace taut::papers::vibrations {
namespace {

// of the averaged motion: twice the time between zeros of Q, found by secants between samples
double period(const std::vector<State>& states) {
  std::vector<double> zeros;
  for (std::size_t n = 1; n < states.size() && zeros.size() < 2; ++n) {
    const double a = states[n - 1].q(0), b = states[n].q(0);
    if (a * b <= 0.0 && a != b)
      zeros.push_back(states[n - 1].t + (states[n].t - states[n - 1].t) * a / (a - b));
  }
  return zeros.size() == 2 ? 2 * (zeros[1] - zeros[0]) : std::nan("");
}

}  // namespace

std::vector<Row> figure2_1() {
  constexpr std::array omegas{200.0, 1e3, 1e4};
  std::vector<Row> rows;
  const auto fast = motion(inverted_pendulum(200), inverted_start(), 10, 1e-12);
  const auto slow = motion(averaged_pendulum(), inverted_start(), 10, 1e-14);
  for (std::size_t n = 1; n <= 10; ++n) {
    const auto add = [&](const char* name, double value) {
      rows.push_back(
          {.name = fmt::format("omega = 200, t = {:.1f}: {}", 0.1 * static_cast<double>(n), name),
           .obtained = value});
    };
    add("q", fast[n].q(0));
    add("Q", slow[n].q(0));
    add("p", fast[n].v(0));
    add("P", slow[n].v(0));
  }
  rows.push_back(value_row("period of the averaged motion", 0.5, {},
                           period(motion(averaged_pendulum(), inverted_start(), 2000, 1e-14)),
                           0.15));

  std::array<Differences, omegas.size()> found;
  for (std::size_t i = 0; i < omegas.size(); ++i) found[i] = differences(omegas[i]);
  const double lean = std::sin(0.5) / pendulum_length;
  // (2.4), (2.7) at the largest |Q|: a vibration of amplitude vmax/ω sin(Q)/l, and no small one in
  // p
  rows.push_back(size_row("omega = 200: amplitude of the vibration of q", vmax / 200 * lean, {},
                          found[0].amplitude, 1.2));
  rows.push_back(size_row("omega = 200: largest |p - P|", vmax * lean, {}, found[0].p, 1.2));
  for (std::size_t i = 1; i < omegas.size(); ++i) {
    const std::string where = fmt::format("omega = {:.0e}: omega times the largest ", omegas[i]);
    rows.push_back(value_row(where + "|q - Q - s sin(Q)/l|", 20.0, 19.75,
                             omegas[i] * found[i].q_enslaved, 0.05));
    Row with_vibration = value_row(where + "|q - Q|", {}, 25.0, omegas[i] * found[i].q, 0.05);
    with_vibration.note = "the text says 20: without the vibration itself";
    rows.push_back(with_vibration);
  }
  // (2.4), (2.7): orders in 1/ω of what is left; p - P itself does not fall
  const auto add_order = [&](const char* name, double promised, double Differences::*what) {
    rows.push_back({.name = fmt::format("order in 1/omega of {}, omega = 1e+03 to 1e+04", name),
                    .published = promised,
                    .obtained = std::log10(found[1].*what / found[2].*what),
                    .allowed = 0.1});
  };
  add_order("q - Q", 1.0, &Differences::q);
  add_order("q - Q - s sin(Q)/l", 1.0, &Differences::q_enslaved);
  add_order("p - P", 0.0, &Differences::p);
  add_order("p - P - v sin(Q)/l", 1.0, &Differences::p_enslaved);
  add_order("the amplitude of the vibration", 1.0, &Differences::amplitude);
  return rows;
}

}  // namespace taut::papers::vibrations
