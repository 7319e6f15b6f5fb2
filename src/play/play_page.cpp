// SPDX-License-Identifier: BSD-3-Clause
#include "taut/play/play_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <variant>

#include "play/live_model.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/page_table.hpp"
#include "run/atomic_file.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// The whole of a file; false where it cannot be read.
bool read_all(const fs::path& file, std::string& text) {
  std::ifstream in{file, std::ios::binary};
  text.assign(std::istreambuf_iterator<char>{in}, {});
  return in.good() || in.eof();
}

/// Names of the files beside the model that it reads.
std::set<std::string> names_beside(const Model& model) {
  std::set<std::string> names;
  for (const Table& table : model.tables)
    if (!table.file.empty()) names.insert(table.file);
  for (const Element& element : model.elements)
    if (const Body* body = std::get_if<Body>(&element.what); body && !body->mesh.empty())
      names.insert(body->mesh);
  return names;
}

}  // namespace

std::string write_play(const Model& model, const SimulationOptions& options,
                       const std::string& engine, const std::string& page) {
  std::string packed;
  if (!read_all(engine, packed) || packed.empty())
    return fmt::format("{}: the engine of pages cannot be read", engine);
  Json j;
  j["kind"] = "play";
  j["version"] = version();
  const fs::path file{model.file.empty() ? std::string{"model.toml"} : model.file};
  j["file"] = file.filename().string();
  j["text"] = model.text;
  j["files"] = Json::object();
  for (const std::string& name : names_beside(model)) {
    std::string content;
    if (!read_all(file.parent_path() / name, content))
      return fmt::format("{}: cannot be read", (file.parent_path() / name).string());
    j["files"][name] = base64(content);
  }
  std::string data = text(j, -1);
  data.resize(data.find_last_of('}'));
  data += fmt::format(",\"values\":{},\"engine\":{}}}", settings_json(options), packed);
  return write_file(page, page_html(Page::play, model.name, data));
}

}  // namespace taut
