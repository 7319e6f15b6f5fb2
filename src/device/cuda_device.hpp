// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"

namespace taut::device {

/// The first GPU of CUDA's driver, which is loaded when this is called first; sources are compiled
/// by NVRTC. Nothing where there is none: `why` says so.
[[nodiscard]] std::unique_ptr<Device> cuda_device(bool contract, std::string& why);

}  // namespace taut::device
