# Headers that most sources read, read once: a second less for each source, so that `./taut` builds
# in two thirds of the time. Sources must not rely on it: preset `dev` builds without.
set(taut_COMMON_HEADERS <Eigen/Core> <Eigen/SparseCore> <algorithm> <functional> <memory> <optional>
    <string> <vector>)
# GCC forgets which precompiled headers are the system's, and warns of what it finds inlined from them
set(taut_UNRELIABLE_WARNINGS -Wno-array-bounds -Wno-maybe-uninitialized -Wno-restrict
    -Wno-stringop-overflow -Wno-stringop-overread)

# taut_precompile(target header...): these and the common headers
function(taut_precompile target)
  if(taut_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${taut_COMMON_HEADERS} ${ARGN})
    target_compile_options(${target} PRIVATE ${taut_UNRELIABLE_WARNINGS})
  endif()
endfunction()

# taut_share_precompiled(owner directory): executables below the directory take what `owner` has
# precompiled; they must be compiled with the same options
function(taut_share_precompiled owner directory)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(taut_PRECOMPILE AND type STREQUAL "EXECUTABLE" AND NOT target STREQUAL owner)
      target_precompile_headers(${target} REUSE_FROM ${owner})
      target_compile_options(${target} PRIVATE ${taut_UNRELIABLE_WARNINGS})
    endif()
  endforeach()
  get_property(subdirectories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    taut_share_precompiled(${owner} ${subdirectory})
  endforeach()
endfunction()
