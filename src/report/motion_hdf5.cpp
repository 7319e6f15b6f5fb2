// SPDX-License-Identifier: BSD-3-Clause
#include "report/hdf5_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

using hdf5::Handle;
using hdf5::put;
using hdf5::put_group;
using hdf5::put_names;

// names of columns in a folder of their own
bool put_columns(hid_t file, const std::vector<ColumnGroup>& groups, std::size_t rows) {
  const Handle folder{
      hdf5::library().H5Gcreate2(file, "names", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      hdf5::library().H5Gclose};
  bool good = folder.good();
  for (const ColumnGroup& group : groups) {
    if (!group.written) continue;
    const std::string name{group.name};
    if (group.names == nullptr)
      good = good && put(file, name.c_str(), group.values, rows, 0);
    else
      good = good && put_names(file, ("names/" + name).c_str(), *group.names) &&
             put_group(file, name.c_str(), group.values, rows, *group.names);
  }
  return good;
}

template <class Motion>
std::string write_motion(const Motion& motion, const std::string& file) {
  return hdf5::write(file,
                     [&](hid_t out) { return put_columns(out, motion.groups(), motion.rows()); });
}

}  // namespace

std::string write_motion_hdf5(const Motion& motion, const std::string& file) {
  return write_motion(motion, file);
}

std::string write_motion_hdf5(const CurveMotion& motion, const std::string& file) {
  return write_motion(motion, file);
}

}  // namespace taut
