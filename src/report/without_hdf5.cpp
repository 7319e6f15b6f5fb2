// SPDX-License-Identifier: BSD-3-Clause
// In place of motion_hdf5.cpp, samples_hdf5.cpp and sweep_hdf5.cpp where taut is built without
// HDF5.
#include "taut/report/ensemble.hpp"
#include "taut/report/grid.hpp"
#include "taut/report/samples.hpp"
#include "taut/report/sweep.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

std::string refusal(const std::string& file) {
  return file + ": cannot be written: this taut was built without HDF5 (taut_HDF5)";
}

}  // namespace

std::string write_motion_hdf5(const Motion& /*motion*/, const std::string& file) {
  return refusal(file);
}

std::string write_motion_hdf5(const CurveMotion& /*motion*/, const std::string& file) {
  return refusal(file);
}

std::string write_samples_hdf5(const SampleReport& /*report*/, const std::string& file) {
  return refusal(file);
}

std::string write_ensemble_hdf5(const Ensemble& /*ensemble*/, const std::string& file) {
  return refusal(file);
}

std::string write_grid_hdf5(const GridReport& /*report*/, const std::string& file) {
  return refusal(file);
}

std::string write_sweep_hdf5(const RunSweep& /*sweep*/, const std::string& file) {
  return refusal(file);
}

}  // namespace taut
