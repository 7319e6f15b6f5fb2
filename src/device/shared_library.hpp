// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace taut::device {

/// A library that is looked for when the program runs.
class SharedLibrary {
 public:
  /// The first of these that there is.
  explicit SharedLibrary(const std::vector<std::string>& files) {
    for (const std::string& file : files)
      if (handle_ == nullptr && !file.empty()) handle_ = dlopen(file.c_str(), RTLD_NOW);
  }
  // never closed: drivers do not like it
  [[nodiscard]] bool there() const { return handle_ != nullptr; }

  /// False where there is no such function.
  template <class Function>
  [[nodiscard]] bool find(const char* name, Function*& to) const {
    to = reinterpret_cast<Function*>(dlsym(handle_, name));
    return to != nullptr;
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace taut::device
