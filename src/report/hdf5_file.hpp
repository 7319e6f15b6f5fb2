// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "report/hdf5_calls.hpp"
#include "run/atomic_file.hpp"

namespace taut::hdf5 {

/// An HDF5 identifier that closes itself
class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_{id}, close_{closer} {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] bool good() const { return id_ >= 0; }
  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// `columns` 0: one number for each row
inline bool put(hid_t file, const char* name, const std::vector<double>& values, std::size_t rows,
                std::size_t columns) {
  const std::array<hsize_t, 2> size{rows, columns};
  const Handle space{library().H5Screate_simple(columns == 0 ? 1 : 2, size.data(), nullptr),
                     library().H5Sclose};
  const Handle data{library().H5Dcreate2(file, name, library().H5T_IEEE_F64LE_g_, space.id(),
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    library().H5Dclose};
  if (!space.good() || !data.good()) return false;
  if (values.empty()) return true;
  return library().H5Dwrite(data.id(), library().H5T_NATIVE_DOUBLE_g_, H5S_ALL, H5S_ALL,
                            H5P_DEFAULT, values.data()) >= 0;
}

/// One number for each row, or a row of no columns where a system has none of the kind
inline bool put_group(hid_t file, const char* name, const std::vector<double>& values,
                      std::size_t rows, const std::vector<std::string>& names) {
  if (names.empty()) return put(file, name, {}, 0, 0);
  return put(file, name, values, rows, names.size());
}

inline bool put_names(hid_t file, const char* name, const std::vector<std::string>& names) {
  const Handle type{library().H5Tcopy(library().H5T_C_S1_g_), library().H5Tclose};
  if (!type.good() || library().H5Tset_size(type.id(), H5T_VARIABLE) < 0 ||
      library().H5Tset_cset(type.id(), H5T_CSET_UTF8) < 0)
    return false;
  const hsize_t size = names.size();
  const Handle space{library().H5Screate_simple(1, &size, nullptr), library().H5Sclose};
  const Handle data{library().H5Dcreate2(file, name, type.id(), space.id(), H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT),
                    library().H5Dclose};
  if (!space.good() || !data.good()) return false;
  if (names.empty()) return true;
  std::vector<const char*> texts;
  for (const std::string& text : names) texts.push_back(text.c_str());
  return library().H5Dwrite(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0;
}

/// A file that appears whole or not at all, filled by fill(hid_t). What went wrong, or nothing.
///
/// HDF5 fills it in memory and never sees the disk: a file that it cannot flush stays open inside
/// of it, and ends the program when it ends.
template <class Put>
std::string write(const std::filesystem::path& file, const Put& fill) {
  if (!library().missing.empty())
    return fmt::format("{}: cannot be written: HDF5 is not to be had ({}); take another format",
                       file.string(), library().missing);
  library().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are returned, not printed
  const auto failed = [&] { return fmt::format("{}: HDF5 cannot make it", file.string()); };
  const Handle access{library().H5Pcreate(library().H5P_CLS_FILE_ACCESS_ID_g_), library().H5Pclose};
  constexpr std::size_t piece = 1 << 20;
  if (!access.good() || library().H5Pset_fapl_core(access.id(), piece, false) < 0) return failed();
  constexpr unsigned replaced = 2;  // H5F_ACC_TRUNC, which is a call into the library
  const Handle out{library().H5Fcreate("in memory", replaced, H5P_DEFAULT, access.id()),
                   library().H5Fclose};
  if (!out.good() || !fill(out.id()) || library().H5Fflush(out.id(), H5F_SCOPE_GLOBAL) < 0)
    return failed();
  const ssize_t size = library().H5Fget_file_image(out.id(), nullptr, 0);
  if (size < 0) return failed();
  std::string image(static_cast<std::size_t>(size), '\0');
  if (library().H5Fget_file_image(out.id(), image.data(), image.size()) != size) return failed();
  return write_file(file, image);
}

}  // namespace taut::hdf5
