// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/registry.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "methods/method_list.hpp"

namespace taut {
namespace {

template <class... M>
std::vector<MethodEntry> entries_of(MethodList<M...> /*list*/) {
  return {method_entry<M>()...};
}

/// taut's own methods, and those that were registered; entries only come.
class Registry {
 public:
  static Registry& instance() {
    static Registry one;
    return one;
  }

  [[nodiscard]] std::vector<MethodInfo> infos() const {
    const std::shared_lock lock{mutex_};
    std::vector<MethodInfo> all;
    for (const MethodEntry& entry : entries_) all.push_back(entry.info);
    return all;
  }

  [[nodiscard]] std::optional<MethodEntry> find(std::string_view name) const {
    const std::shared_lock lock{mutex_};
    const auto found = at(name);
    return found == entries_.end() ? std::nullopt : std::optional{*found};
  }

  [[nodiscard]] Registration add(MethodEntry entry) {
    if (entry.info.name.empty() || !entry.make) return Registration::incomplete;
    const std::unique_lock lock{mutex_};
    if (at(entry.info.name) != entries_.end()) return Registration::name_taken;
    entries_.push_back(std::move(entry));
    return Registration::done;
  }

 private:
  Registry() : entries_{entries_of(Methods{})} {}

  [[nodiscard]] std::vector<MethodEntry>::const_iterator at(std::string_view name) const {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const MethodEntry& entry) { return entry.info.name == name; });
  }

  mutable std::shared_mutex mutex_;
  std::vector<MethodEntry> entries_;
};

std::vector<OptionRefusal> refusals(const MethodEntry& entry, const MethodOptions& options) {
  using Cause = OptionRefusal::Cause;
  const std::string method{entry.info.name};
  std::vector<OptionRefusal> found;
  for (const NamedValue& given : options.given()) {
    const auto option = std::find_if(entry.options.begin(), entry.options.end(),
                                     [&](const OptionInfo& o) { return o.name == given.name; });
    if (option == entry.options.end()) {
      // who runs many methods has one tolerance for those that read it
      if (given.name != tolerance_option.name)
        found.push_back({Cause::no_such_option, method, std::string{given.name}, given.value});
    } else if (!option->allows(given.value)) {
      found.push_back({Cause::out_of_range, method, std::string{given.name}, given.value, *option});
    }
  }
  return found;
}

std::vector<OptionRefusal> no_such_method(std::string_view name) {
  return {{.cause = OptionRefusal::Cause::no_such_method, .method = std::string{name}}};
}

}  // namespace

std::vector<MethodInfo> all_methods() { return Registry::instance().infos(); }

std::vector<OptionInfo> options_of(std::string_view name) {
  const std::optional<MethodEntry> entry = Registry::instance().find(name);
  return entry ? entry->options : std::vector<OptionInfo>{};
}

std::vector<OptionRefusal> check_options(std::string_view name, const MethodOptions& options) {
  const std::optional<MethodEntry> entry = Registry::instance().find(name);
  return entry ? refusals(*entry, options) : no_such_method(name);
}

MadeMethod make_method(std::string_view name, const MethodOptions& options) {
  const std::optional<MethodEntry> entry = Registry::instance().find(name);
  if (!entry) return MadeMethod{no_such_method(name)};
  std::vector<OptionRefusal> found = refusals(*entry, options);
  if (!found.empty()) return MadeMethod{std::move(found)};
  return MadeMethod{entry->make(options)};
}

Registration register_method(MethodEntry entry) {
  return Registry::instance().add(std::move(entry));
}

}  // namespace taut
