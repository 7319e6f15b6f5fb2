// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace taut::papers {

/// Points of a panel, joined or marked. A point that is not finite interrupts the line.
struct Series {
  enum class Look : unsigned char { line, marks, marked_line, bars };
  std::string name{};
  std::vector<double> x{}, y{};
  Look look = Look::line;
  bool dashed = false;
};

/// One pair of axes.
struct Panel {
  std::string title{}, x_name{}, y_name{};
  std::vector<Series> series{};
  bool log_x = false, log_y = false;
  bool equal = false;  ///< the same length for the unit of both axes
};

/// A figure of a paper, made again.
struct Figure {
  std::string title{};
  std::string caption{};  ///< what is drawn, and where it is not what the paper draws
  std::vector<Panel> panels{};
  int columns = 2;  ///< of panels
};

/// As one inline SVG element, in the colours of the page around it.
[[nodiscard]] std::string svg(const Figure& figure);

/// & < > " of text as HTML and SVG want them.
[[nodiscard]] std::string escaped(const std::string& text);

}  // namespace taut::papers
