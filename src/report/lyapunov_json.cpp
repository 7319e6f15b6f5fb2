// SPDX-License-Identifier: BSD-3-Clause
#include "report/json_numbers.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/lyapunov.hpp"

namespace taut {

std::string lyapunov_json(const LyapunovExponents& found) {
  Json j;
  j["status"] = name(found.status);
  if (!found.good()) {
    j["reason"] = found.reason;
    j["hint"] = found.hint;
  }
  j["dimension"] = found.dimension;
  j["exponents"] = found.exponents;
  j["errors"] = found.errors;
  j["sum"] = number_of(found.sum);
  j["kaplan_yorke"] = number_of(found.kaplan_yorke);
  j["t"] = found.times;
  j["history"] = Json::array();
  for (Index k = 0; k < found.history.cols(); ++k) {
    Json column = Json::array();
    for (const double x : found.history.col(k)) column.push_back(number_of(x));
    j["history"].push_back(std::move(column));
  }
  return text(j, -1);
}

std::string write_lyapunov_json(const LyapunovExponents& found, const std::string& file) {
  return write_file(file, lyapunov_json(found));
}

}  // namespace taut
