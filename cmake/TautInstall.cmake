# The library with its headers, and what find_package(taut) needs.
include(CMakePackageConfigHelpers)

install(TARGETS taut EXPORT tautTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/taut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET taut_cli)
  set_target_properties(taut_cli PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
endif()

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/taut)
install(EXPORT tautTargets NAMESPACE taut:: DESTINATION ${config_dir})
get_target_property(taut_LIBRARY_TYPE taut TYPE)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tautConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tautConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
# a minor version may break its users, as SOVERSION says
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tautConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tautConfig.cmake ${PROJECT_BINARY_DIR}/tautConfigVersion.cmake
        DESTINATION ${config_dir})

# pkg-config --cflags --libs taut; what a static library is linked with has pkg-config files of its
# own only in part, and is named as the linker knows it
set(taut_PC_DEFINITIONS ${taut_EIGEN})
list(TRANSFORM taut_PC_DEFINITIONS PREPEND -D)
list(JOIN taut_PC_DEFINITIONS " " taut_PC_DEFINITIONS)
set(taut_PC_LIBRARIES -lfmt)
if(taut_HDF5)
  list(APPEND taut_PC_LIBRARIES ${HDF5_C_LIBRARIES})
endif()
if(taut_TBB)
  list(APPEND taut_PC_LIBRARIES -ltbb)
endif()
if(taut_SUNDIALS)
  list(APPEND taut_PC_LIBRARIES -lsundials_arkode -lsundials_cvode -lsundials_ida
       -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunmatrixsparse
       -lsundials_sunlinsoldense -lsundials_sunlinsolklu -lklu)
endif()
list(JOIN taut_PC_LIBRARIES " " taut_PC_LIBRARIES)
set(taut_PC_PRIVATE ${taut_PC_LIBRARIES})
if(taut_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
  set(taut_PC_PUBLIC ${taut_PC_LIBRARIES})
  set(taut_PC_PRIVATE)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/taut.pc.in ${PROJECT_BINARY_DIR}/taut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/taut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
