// SPDX-License-Identifier: BSD-3-Clause
// The smallest program that needs headers and library: prints a sentence of the status list.
#include <iostream>
#include <taut/core/status.hpp>

int main() {
  std::cout << taut::sentence(taut::Status::mass_singular) << '\n';
  return taut::name(taut::Status::ok) == "done" ? 0 : 1;
}
