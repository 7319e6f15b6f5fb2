# The objects of the library as a shared one: it shows what include/taut promises and nothing of what
# it is made of, and a program that knows taut.pc only runs with it.
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${taut_BINARY} --prefix ${work}/prefix)
set(library ${work}/prefix/${libdir})
set(ENV{PKG_CONFIG_PATH} ${library}/pkgconfig)
foreach(what IN ITEMS cflags libs)
  execute_process(COMMAND ${pkg_config} --${what} taut OUTPUT_VARIABLE ${what}
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(${what} UNIX_COMMAND "${${what}}")
endforeach()
separate_arguments(flags UNIX_COMMAND "${flags}")

if(EXISTS ${library}/libtaut.a)
  set(others ${libs})
  list(REMOVE_ITEM others -ltaut)
  run(${compiler} ${flags} -shared -Wl,-soname,libtaut.so -o ${library}/libtaut.so
      -Wl,--whole-archive ${library}/libtaut.a -Wl,--no-whole-archive ${others})
  file(REMOVE ${library}/libtaut.a)
endif()
execute_process(COMMAND nm -DC --defined-only ${library}/libtaut.so OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
# what they are, not what they are given
string(REGEX MATCHALL
       "\n[0-9a-f]+ [A-Za-z] (vtable for |typeinfo for |typeinfo name for )?(fmt|toml|nlohmann|Eigen|tbb)::[^\n]*"
       foreign "${symbols}")
if(foreign)
  list(JOIN foreign "\n" foreign)
  message(FATAL_ERROR "libtaut.so shows what it is made of:\n${foreign}")
endif()
string(REGEX MATCHALL "\n[^\n]* T taut::" own "${symbols}")
list(LENGTH own count)
message(STATUS "${count} functions of taut are seen")
if(NOT symbols MATCHES " T taut::compile\\(taut::Model const&\\)")
  message(FATAL_ERROR "taut::compile is not seen")
endif()
if(symbols MATCHES " T taut::symmetric_modes")
  message(FATAL_ERROR "taut::symmetric_modes is seen, which is not promised")
endif()

run(${compiler} -std=c++20 ${flags} -O0 ${cflags} ${source}/uses_taut.cpp -o ${work}/uses_taut
    -L${library} -ltaut -Wl,-rpath,${library})
run(${CMAKE_COMMAND} -E chdir ${work} ${work}/uses_taut)
