// SPDX-License-Identifier: BSD-3-Clause
#include "model/dependencies.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace taut {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::vector<std::string_view> identifiers(std::string_view text) {
  std::vector<std::string_view> names;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t begin = i;
    if (starts_name(text[i])) {
      while (i < text.size() && (continues_name(text[i]) || text[i] == '.')) ++i;
      const std::size_t next = text.find_first_not_of(" \t", i);
      if (next == std::string_view::npos || text[next] != '(')
        names.push_back(text.substr(begin, i - begin));
    } else if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
      // a number with its exponent, so that the e of 1e5 is no name
      while (i < text.size() && (continues_name(text[i]) || text[i] == '.')) ++i;
    } else {
      ++i;
    }
  }
  return names;
}

DependencyOrder dependency_order(const std::vector<std::vector<int>>& depends_on) {
  enum class Mark : unsigned char { unseen, open, done, broken };
  DependencyOrder result;
  std::vector<Mark> mark(depends_on.size(), Mark::unseen);
  struct Frame {
    int item;
    std::size_t next;
  };
  std::vector<Frame> path;  // depth-first search with its own stack: chains may be long
  for (int start = 0; start < static_cast<int>(depends_on.size()); ++start) {
    if (mark[start] != Mark::unseen) continue;
    mark[start] = Mark::open;
    path.push_back({start, 0});
    while (!path.empty()) {
      const int item = path.back().item;
      if (path.back().next < depends_on[item].size()) {
        const int other = depends_on[item][path.back().next++];
        if (mark[other] == Mark::unseen) {
          mark[other] = Mark::open;
          path.push_back({other, 0});
        } else if (mark[other] == Mark::open) {
          const auto first = std::find_if(path.begin(), path.end(),
                                          [other](const Frame& f) { return f.item == other; });
          std::vector<int> cycle;
          for (auto it = first; it != path.end(); ++it) cycle.push_back(it->item);
          result.cycles.push_back(std::move(cycle));
          mark[item] = Mark::broken;
        } else if (mark[other] == Mark::broken) {
          mark[item] = Mark::broken;
        }
        continue;
      }
      const bool broken = mark[item] == Mark::broken;
      if (!broken) {
        mark[item] = Mark::done;
        result.order.push_back(item);
      }
      path.pop_back();
      if (broken && !path.empty()) mark[path.back().item] = Mark::broken;
    }
  }
  return result;
}

}  // namespace taut
