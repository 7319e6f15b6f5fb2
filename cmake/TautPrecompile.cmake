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

# taut_unity(target [source...]): sources of the target are compiled a dozen at a time, so that what they
# include is read and instantiated once; not these, which are long ones or name their helpers alike
function(taut_unity target)
  if(taut_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 13)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# taut_unity_group(target group source...): the same for these sources of a target, together
function(taut_unity_group target group)
  if(taut_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()
