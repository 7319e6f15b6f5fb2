// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>

#include <string>

namespace taut::hdf5 {

/// What taut calls of HDF5, loaded when the first file is written: with the library come thirty
/// others, which take a third of the time of a short run to be loaded, and hardly any run needs it.
#define TAUT_HDF5_CALLS(call)                                                                   \
  call(H5open) call(H5Eset_auto2) call(H5Screate_simple) call(H5Sclose) call(H5Dcreate2)        \
      call(H5Dwrite) call(H5Dclose) call(H5Tcopy) call(H5Tset_size) call(H5Tset_cset)           \
          call(H5Tclose) call(H5Gcreate2) call(H5Gclose) call(H5Pcreate) call(H5Pset_fapl_core) \
              call(H5Pclose) call(H5Pset_alloc_time) call(H5Pset_fill_time) call(H5Dget_offset) \
                  call(H5Fcreate) call(H5Fflush) call(H5Fclose) call(H5Fget_file_image)
// numbers that HDF5 sets when it is opened
#define TAUT_HDF5_NUMBERS(number)                                         \
  number(H5T_IEEE_F64LE_g) number(H5T_NATIVE_DOUBLE_g) number(H5T_C_S1_g) \
      number(H5P_CLS_FILE_ACCESS_ID_g) number(H5P_CLS_DATASET_CREATE_ID_g)

struct Library {
#define TAUT_HDF5_MEMBER(name) decltype(::name)* name = nullptr;
  TAUT_HDF5_CALLS(TAUT_HDF5_MEMBER)
#undef TAUT_HDF5_MEMBER
#define TAUT_HDF5_MEMBER(name) hid_t name##_ = -1;
  TAUT_HDF5_NUMBERS(TAUT_HDF5_MEMBER)
#undef TAUT_HDF5_MEMBER
  std::string missing;  ///< why it cannot be used; empty where it can
};

[[nodiscard]] const Library& library();

}  // namespace taut::hdf5
