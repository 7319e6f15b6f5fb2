// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace taut::formula {

/// How a table goes from one point to the next.
enum class TableKind : std::uint8_t { linear, cubic, monotone };

/// Slopes s_i at the points (x_i, y_i), x increasing, from which a table makes its pieces. With
/// h_i = x_{i+1} - x_i and m_i = (y_{i+1} - y_i) / h_i,
///
///   cubic      h_i s_{i-1} + 2 (h_{i-1} + h_i) s_i + h_{i-1} s_{i+1}
///                = 3 (h_i m_{i-1} + h_{i-1} m_i): the second derivative is continuous       (1)
///              and at the ends not-a-knot: the third one is, too, at x_1 and x_{n-2}        (2)
///   monotone   s_i = 0 where m_{i-1} m_i <= 0, else the harmonic mean
///              (w_1 + w_2) / s_i = w_1 / m_{i-1} + w_2 / m_i,
///              w_1 = 2 h_i + h_{i-1}, w_2 = h_i + 2 h_{i-1}  (fritschButland1984)           (3)
///              and at the ends ((2 h_0 + h_1) m_0 - h_0 m_1) / (h_0 + h_1), cut so that the
///              curve grows or falls with its points                                          (4)
///   linear     s_i = m_i, and m_{n-2} at the last point                                      (5)
///
/// Two points give a line, three of (1) and (2) a parabola. Where the table is periodic, y_{n-1} is
/// y_0, and (1) and (3) hold at the ends as well.
[[nodiscard]] std::vector<double> slopes(TableKind kind, std::span<const double> x,
                                         std::span<const double> y, bool periodic);

}  // namespace taut::formula
