// SPDX-License-Identifier: BSD-3-Clause
#include "taut/play/play_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>
#include <variant>
#include <vector>

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

fs::path file_of(const Model& model) {
  return model.file.empty() ? std::string{"model.toml"} : model.file;
}

// what goes wrong; empty when the files that the model reads are in `files`, by their names
std::string add_files(const Model& model, Json& files) {
  for (const std::string& name : names_beside(model)) {
    const fs::path file = file_of(model).parent_path() / name;
    std::string content;
    if (!read_all(file, content)) return fmt::format("{}: cannot be read", file.string());
    Json packed = base64(content);
    if (const auto there = files.find(name); there != files.end() && *there != packed)
      return fmt::format("{}: another model of the page reads another file of this name",
                         file.string());
    files[name] = std::move(packed);
  }
  return {};
}

}  // namespace

std::string write_play(const Model& model, const SimulationOptions& options,
                       const std::string& engine, const std::string& page,
                       const std::vector<Model>& others) {
  std::string packed;
  if (!read_all(engine, packed) || packed.empty())
    return fmt::format("{}: the engine of pages cannot be read", engine);
  Json j;
  j["kind"] = "play";
  j["version"] = version();
  j["file"] = file_of(model).filename().string();
  j["text"] = model.text;
  j["files"] = Json::object();
  if (std::string wrong = add_files(model, j["files"]); !wrong.empty()) return wrong;
  bool space = in_space(model, options);
  if (!others.empty()) j["models"] = Json::array();
  for (const Model& other : others) {
    if (std::string wrong = add_files(other, j["files"]); !wrong.empty()) return wrong;
    j["models"].push_back({{"file", file_of(other).filename().string()},
                           {"title", other.name},
                           {"text", other.text}});
    space = space || in_space(other, {});
  }
  std::string data = text(j, -1);
  data.resize(data.find_last_of('}'));
  data += fmt::format(",\"values\":{},\"engine\":{}}}", settings_json(options), packed);
  return write_file(page, page_html(space ? Page::play3d : Page::play, model.name, data));
}

}  // namespace taut
