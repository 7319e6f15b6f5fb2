# A taut without SUNDIALS, HDF5, TBB and pages can be configured, and what differs in it compiles.
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -G Ninja -S ${source} -B ${work} -DCMAKE_CXX_COMPILER=${compiler}
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -Dtaut_BUILD_TESTS=OFF -Dtaut_SUNDIALS=OFF
    -Dtaut_HDF5=OFF -Dtaut_TBB=OFF -Dtaut_PAGES=OFF -Dtaut_SERVE=OFF)
set(objects)
foreach(unit IN ITEMS core/version methods/registry report/page report/without_hdf5 studies/sweep)
  list(APPEND objects CMakeFiles/taut_once.dir/src/${unit}.cpp.o)
endforeach()
run(${CMAKE_COMMAND} --build ${work} --target ${objects})
file(STRINGS ${work}/CMakeCache.txt sought REGEX "^(taut_NODE|taut_NPM|SUNDIALS_DIR|TBB_DIR|HDF5_DIR):")
if(sought)
  message(FATAL_ERROR "was looked for all the same: ${sought}")
endif()
