// SPDX-License-Identifier: BSD-3-Clause
#include "report/hdf5_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

using hdf5::Handle;
using hdf5::put;
using hdf5::put_group;
using hdf5::put_names;

bool put_motion(hid_t file, const Motion& motion) {
  const Handle group{H5Gcreate2(file, "names", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  const std::size_t rows = motion.rows();
  return group.good() && put_names(file, "names/q", motion.coordinates) &&
         put_names(file, "names/v", motion.velocities) &&
         put_names(file, "names/lambda", motion.constraints) && put(file, "t", motion.t, rows, 0) &&
         put_group(file, "q", motion.q, rows, motion.coordinates) &&
         put_group(file, "v", motion.v, rows, motion.velocities) &&
         put_group(file, "lambda", motion.lambda, rows, motion.constraints) &&
         put(file, "energy", motion.energy, rows, 0) &&
         put(file, "max_constraint", motion.max_constraint, rows, 0) &&
         put(file, "max_velocity_constraint", motion.max_velocity_constraint, rows, 0) &&
         put(file, "step", motion.step, rows, 0);
}

bool put_motion(hid_t file, const CurveMotion& motion) {
  const Handle group{H5Gcreate2(file, "names", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  const std::size_t rows = motion.rows();
  return group.good() && put_names(file, "names/p", motion.coordinates) &&
         put_names(file, "names/unknowns", motion.unknowns) && put(file, "s", motion.s, rows, 0) &&
         put_group(file, "p", motion.p, rows, motion.coordinates) &&
         put_group(file, "unknowns", motion.unknown, rows, motion.unknowns) &&
         put(file, "max_equation", motion.max_equation, rows, 0) &&
         put(file, "step", motion.step, rows, 0);
}

}  // namespace

std::string write_motion_hdf5(const Motion& motion, const std::filesystem::path& file) {
  return hdf5::write(file, [&](hid_t out) { return put_motion(out, motion); });
}

std::string write_motion_hdf5(const CurveMotion& motion, const std::filesystem::path& file) {
  return hdf5::write(file, [&](hid_t out) { return put_motion(out, motion); });
}

}  // namespace taut
