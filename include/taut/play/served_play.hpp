// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "taut/model/model.hpp"
#include "taut/simulation/options.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// The page of write_play() with the engine on the other side: of `taut play --serve`, or of a
/// server of one's own. It answers the questions of the page, from one thread at a time.
///
/// It reads files that the model names in the folder of the model, and writes one, the file of the
/// model, when it is asked to and the file is still as it was read or saved last:
///
///   {"ask": "save", "text"}
class ServedPlay {
 public:
  /// Of a model that was read from a file. Runs end when `cancel` is set.
  ServedPlay(Model model, const SimulationOptions& options,
             const std::atomic<bool>* cancel = nullptr);
  ServedPlay(ServedPlay&&) noexcept;
  ServedPlay& operator=(ServedPlay&&) noexcept;
  ~ServedPlay();

  /// The page. It sends its questions to `/ask` beside it, with `token` in the header X-Taut-Token.
  [[nodiscard]] std::string page(const std::string& token) const;

  /// What is answered to a question, both JSON texts. Never throws, whatever the question.
  [[nodiscard]] std::string answer(std::string_view question);

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace taut

#pragma GCC visibility pop
