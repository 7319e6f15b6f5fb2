// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <string>

namespace taut::cli {

/// A page on 127.0.0.1 whose questions are answered here. Who asks must name this host and no other
/// origin, and know the token, in the address of the page and with every question:
///
///   GET  /?token=TOKEN                       the page
///   POST /ask    X-Taut-Token: TOKEN         a question, and its answer
///   POST /alive  X-Taut-Token: TOKEN         the page is there
///
/// Anything else is refused (403, 404) without a word.
struct Service {
  std::string token;
  std::string page;                                            ///< HTML
  std::function<std::string(const std::string& body)> answer;  ///< one question after the other
  const std::atomic<bool>* end = nullptr;                      ///< the service ends when it is set
  int port = 0;                                                ///< 0: a free one
  double close_after = 0.0;  ///< ends after so many seconds without the page; 0: never
  std::function<void(const std::string& address)> begun;  ///< called when it can be asked
};

/// The function `taut_play_serve` of the module taut_play_server.so, which is loaded where it is
/// asked for: it brings libraries that no other command needs. False where there is no such port.
using Serve = bool (*)(const Service&);

}  // namespace taut::cli
