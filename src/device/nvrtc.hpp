// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace taut::device {

/// How CUDA C is compiled.
struct CudaOptions {
  int capability = 80;    ///< of the device, 10 major + minor
  bool contract = false;  ///< a product and a sum may become one operation with one rounding
};

/// Machine code of a source through NVRTC, which is loaded when this is called first: libnvrtc.so,
/// or the file that the environment names as TAUT_NVRTC. No GPU is needed. Nothing where it does
/// not work: `why` says so.
[[nodiscard]] std::optional<std::string> compile_cuda(const std::string& source,
                                                      const CudaOptions& options, std::string& why);

}  // namespace taut::device
