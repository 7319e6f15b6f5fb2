# Installs the build into an empty prefix, then builds and runs a project that finds it there.
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${taut_BINARY} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${source} -B ${work}/build -DCMAKE_PREFIX_PATH=${work}/prefix
    -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_CXX_FLAGS=${flags}
    -Dtaut_EXPECTED_VERSION=${version})
run(${CMAKE_COMMAND} --build ${work}/build)
if(NOT EXISTS ${work}/prefix/share/doc/taut/LICENSE)
  message(FATAL_ERROR "the licence was not installed")
endif()
run(${work}/prefix/bin/taut --version)
