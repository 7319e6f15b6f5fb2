# Most of what <taut/taut.hpp> has the compiler read is Eigen: the size is held here, which is the same on
# every machine. The time is twice that of Eigen alone, since types of the standard library are made of
# what is read (docs/known_issues.md).
function(size_of text result)
  file(WRITE ${work}/size.cpp "${text}")
  execute_process(COMMAND ${compiler} -std=c++20 ${options} -E -P ${work}/size.cpp
                  OUTPUT_FILE ${work}/size.txt COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${work}/size.txt size)
  set(${result} ${size} PARENT_SCOPE)
endfunction()

size_of("#include <Eigen/Core>\n#include <Eigen/SparseCore>\n" eigen)
size_of("#include <taut/taut.hpp>\n" taut)
message(STATUS "Eigen alone: ${eigen} bytes, <taut/taut.hpp>: ${taut} bytes")
math(EXPR most "${eigen} * 13 / 10")
if(taut GREATER most)
  message(FATAL_ERROR "more than 1.3 times Eigen alone")
endif()
