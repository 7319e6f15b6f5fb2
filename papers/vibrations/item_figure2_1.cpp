// SPDX-License-Identifier: BSD-3-Clause
// Figure 2.1 and what section 2.1 says of it: the motion and its average.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

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

Shown figure2_1() {
  constexpr std::array omegas{200.0, 1e3, 1e4};
  std::vector<Row> rows;
  const auto fast = motion(inverted_pendulum(200), inverted_start(), 10, 1e-12);
  const auto slow = motion(averaged_pendulum(), inverted_start(), 10, 1e-14);
  for (std::size_t n = 1; n <= 10; ++n) {
    const auto add = [&](const char* name, double value) {
      rows.push_back(ours(
          fmt::format("omega = 200, t = {:.1f}: {}", 0.1 * static_cast<double>(n), name), value));
    };
    add("q", fast[n].q(0));
    add("Q", slow[n].q(0));
    add("p", fast[n].v(0));
    add("P", slow[n].v(0));
  }
  rows.push_back(printed("period of the averaged motion", 0.5,
                         period(motion(averaged_pendulum(), inverted_start(), 2000, 1e-14)),
                         "section 2.2", about(0.1)));

  std::array<Differences, omegas.size()> found;
  for (std::size_t i = 0; i < omegas.size(); ++i) found[i] = differences(omegas[i]);
  const double lean = std::sin(0.5) / pendulum_length;
  // (2.4), (2.7) at the largest |Q|: a vibration of amplitude vmax/ω sin(Q)/l, and no small one in
  // p
  rows.push_back(stated("omega = 200: amplitude of the vibration of q",
                        "q - Q is s sin(Q)/l, up to O(omega^-2)", "(2.4)", vmax / 200 * lean,
                        found[0].amplitude, near(0.01)));
  rows.push_back(stated("omega = 200: largest |p - P|", "p - P is v sin(Q)/l, up to O(1/omega)",
                        "(2.7)", vmax * lean, found[0].p, near(2.0)));
  for (std::size_t i = 1; i < omegas.size(); ++i) {
    const std::string where = fmt::format("omega = {:.0e}: omega times the largest ", omegas[i]);
    rows.push_back(ours(where + "|q - Q - s sin(Q)/l|", omegas[i] * found[i].q_enslaved));
    rows.push_back(
        at_odds(printed(where + "|q - Q|", 20.0, omegas[i] * found[i].q, "section 2.2", about(2.0)),
                {"The distance from the average",
                 "20 is what is left when the vibration s sin(Q)/l itself is taken off"}));
  }
  // (2.4), (2.7): orders in 1/ω of what is left; p - P itself does not fall
  const auto add_order = [&](const char* name, const char* statement, const char* source,
                             double promised, double Differences::*what, Tolerance tolerance) {
    rows.push_back(stated(fmt::format("order in 1/omega of {}, omega = 1e+03 to 1e+04", name),
                          statement, source, promised, std::log10(found[1].*what / found[2].*what),
                          tolerance));
  };
  add_order("q - Q", "the averaged motion is O(1/omega) away", "section 2.1, footnote 1", 1.0,
            &Differences::q, at_least(0.1));
  add_order("q - Q - s sin(Q)/l", "Q satisfies (2.5) but for O(1/omega)", "(2.4), (2.5)", 1.0,
            &Differences::q_enslaved, at_least(0.1));
  add_order("p - P", "p and P differ by O(1): not small", "section 2.1", 0.0, &Differences::p,
            near(0.1));
  add_order("p - P - v sin(Q)/l", "p - P is v sin(Q)/l, up to O(1/omega)", "(2.7)", 1.0,
            &Differences::p_enslaved, at_least(0.1));
  add_order("the amplitude of the vibration", "a rapid oscillation of amplitude O(1/omega)",
            "section 2.1", 1.0, &Differences::amplitude, at_least(0.1));

  Figure figure{
      .title = "Figure 2.1: pendulum angle and velocity, omega = 200",
      .caption = "The motion (2.2) and its average (2.5).",
      .panels = {{.title = "angle", .x_name = "t", .y_name = "", .series = {}},
                 {.title = "angular velocity", .x_name = "t", .y_name = "", .series = {}}}};
  const auto draw = [&](const System& system, const char* angle, const char* velocity) {
    Series q{.name = angle}, p{.name = velocity};
    for (const State& s : motion(system, inverted_start(), 1500, 1e-11)) {
      q.x.push_back(s.t);
      q.y.push_back(s.q(0));
      p.x.push_back(s.t);
      p.y.push_back(s.v(0));
    }
    figure.panels[0].series.push_back(std::move(q));
    figure.panels[1].series.push_back(std::move(p));
  };
  draw(inverted_pendulum(200), "q", "p");
  draw(averaged_pendulum(), "Q", "P");
  return {std::move(rows), {std::move(figure)}};
}

}  // namespace taut::papers::vibrations
