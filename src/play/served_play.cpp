// SPDX-License-Identifier: BSD-3-Clause
#include "taut/play/served_play.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "play/live_model.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "run/atomic_file.hpp"
#include "taut/version.hpp"

namespace taut {

namespace fs = std::filesystem;

class ServedPlay::Service {
 public:
  Service(Model model, const SimulationOptions& options, const std::atomic<bool>* cancel)
      : model_{std::move(model)},
        settings_{settings_json(options)},
        page_{in_space(model_, options) ? Page::served3d : Page::served},
        stands_{model_.text},
        live_{model_.file, cancel} {}

  [[nodiscard]] std::string page(const std::string& token) const {
    Json j;
    j["kind"] = "play";
    j["version"] = version();
    j["file"] = fs::path{model_.file}.filename().string();
    j["text"] = model_.text;
    j["server"] = {{"token", token}};
    std::string data = text(j, -1);
    data.resize(data.find_last_of('}'));
    data += fmt::format(",\"values\":{}}}", settings_);
    return page_html(page_, model_.name, data);
  }

  std::string answer(std::string_view question) {
    Json asked = Json::parse(question, nullptr, false);
    if (!asked.is_object() || asked.find("ask") == asked.end()) return live_.answer(question);
    if (asked["ask"] != "save") {
      // another name could be that of a link, beside whose target files would be read
      if (asked.erase("file") == 0) return live_.answer(question);
      return live_.answer(text(asked, -1));
    }
    const auto found = asked.find("text");
    const std::string wrong = found == asked.end() || !found->is_string()
                                  ? "there is no text to save"
                                  : save(found->get_ref<const std::string&>());
    if (wrong.empty()) return text(Json{{"ok", true}, {"file", model_.file}}, -1);
    const Json problem{{"line", 0},
                       {"column", 0},
                       {"where", "save"},
                       {"what", wrong},
                       {"remedy", "nothing was written: copy the text from the editor"}};
    return text(Json{{"ok", false}, {"problems", Json::array({problem})}}, -1);
  }

 private:
  // what went wrong; empty when the text stands in the file
  std::string save(const std::string& text) {
    std::ifstream in{model_.file, std::ios::binary};
    const std::string now{std::istreambuf_iterator<char>{in}, {}};
    if (!in.good() && !in.eof()) return fmt::format("{} cannot be read any more", model_.file);
    if (now != stands_)
      return fmt::format("{} has been changed since it was read here", model_.file);
    // the file itself, where its name is a link
    std::error_code unknown;
    const fs::path place = fs::canonical(model_.file, unknown);
    if (unknown) return fmt::format("{} cannot be found any more", model_.file);
    if (std::string wrong = write_file(place, text); !wrong.empty()) return wrong;
    stands_ = text;
    return {};
  }

  Model model_;
  std::string settings_;
  Page page_;
  std::string stands_;  // in the file, as far as it is known here
  LiveModel live_;
};

ServedPlay::ServedPlay(Model model, const SimulationOptions& options,
                       const std::atomic<bool>* cancel)
    : service_{std::make_unique<Service>(std::move(model), options, cancel)} {}
ServedPlay::ServedPlay(ServedPlay&&) noexcept = default;
ServedPlay& ServedPlay::operator=(ServedPlay&&) noexcept = default;
ServedPlay::~ServedPlay() = default;

std::string ServedPlay::page(const std::string& token) const { return service_->page(token); }

std::string ServedPlay::answer(std::string_view question) { return service_->answer(question); }

}  // namespace taut
