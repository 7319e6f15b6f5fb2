// SPDX-License-Identifier: BSD-3-Clause
// What a page calls of taut compiled for a browser: one function, JSON in and out (live_model.hpp).
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "play/live_model.hpp"

namespace {

std::unique_ptr<taut::LiveModel> live;
std::string last;

}  // namespace

extern "C" {

/// A model called so, of which nothing is known yet; its files lie beside it.
void taut_begin(const char* file) { live = std::make_unique<taut::LiveModel>(file); }

/// The answer stays where it is until the next question.
const char* taut_answer(const char* question, std::size_t length) {
  if (!live) taut_begin("model.toml");
  last = live->answer(std::string_view{question, length});
  return last.c_str();
}

/// Bytes of the last answer.
std::size_t taut_length() { return last.size(); }
}
