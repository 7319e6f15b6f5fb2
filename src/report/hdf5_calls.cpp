// SPDX-License-Identifier: BSD-3-Clause
#include "report/hdf5_calls.hpp"

#include <dlfcn.h>

namespace taut::hdf5 {
namespace {

Library load() {
  Library found;
  // stays loaded: HDF5 has things of its own to do when the program ends
  void* const all = dlopen(TAUT_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (all == nullptr) {
    const char* const why = dlerror();
    found.missing = why != nullptr ? why : TAUT_HDF5_LIBRARY;
    return found;
  }
  const auto symbol = [&](const char* name) {
    void* const at = dlsym(all, name);
    if (at == nullptr) found.missing = std::string{TAUT_HDF5_LIBRARY} + " has no " + name;
    return at;
  };
#define TAUT_HDF5_FIND(name) found.name = reinterpret_cast<decltype(::name)*>(symbol(#name));
  TAUT_HDF5_CALLS(TAUT_HDF5_FIND)
#undef TAUT_HDF5_FIND
  if (!found.missing.empty()) return found;
  if (found.H5open() < 0) {
    found.missing = "HDF5 cannot be opened";
    return found;
  }
  // of a program that reads them itself the numbers are in the program, and HDF5 sets them there
  const auto number = [&](const char* name) {
    const void* const at = dlsym(RTLD_DEFAULT, name);
    return at != nullptr ? at : symbol(name);
  };
#define TAUT_HDF5_FIND(name) \
  if (const void* const at = number(#name)) found.name##_ = *static_cast<const hid_t*>(at);
  TAUT_HDF5_NUMBERS(TAUT_HDF5_FIND)
#undef TAUT_HDF5_FIND
  return found;
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

}  // namespace taut::hdf5
