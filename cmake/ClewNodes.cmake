# For systems of your own that are larger than a file or two: a program that `clew explore` takes as it is.
#
#   include(/path/to/clew/cmake/ClewNodes.cmake)
#   clew_nodes(my_system SOURCES describe.cc server.cc LIBS my_library)
#
# then `clew explore build/my_system`. Clew must have been built: ./clew --version does it. CLEW_BUILD names another
# build of it than the one that ./clew runs.

set(CLEW_BUILD "${CMAKE_CURRENT_LIST_DIR}/../build/release" CACHE PATH "The build of Clew to take headers and libraries from")

function(clew_nodes name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "clew_nodes(${name}) has no SOURCES")
  endif()
  if(NOT EXISTS "${CLEW_BUILD}/kit.json")
    message(FATAL_ERROR "Clew has not been built in ${CLEW_BUILD}: start ./clew once, or set CLEW_BUILD")
  endif()
  file(READ "${CLEW_BUILD}/kit.json" kit)
  add_executable(${name} ${arg_SOURCES})
  foreach(key flags libraries)
    string(JSON count LENGTH "${kit}" ${key})
    math(EXPR last "${count} - 1")
    set(${key} "")
    foreach(i RANGE ${last})
      string(JSON value GET "${kit}" ${key} ${i})
      list(APPEND ${key} "${value}")
    endforeach()
  endforeach()
  target_compile_options(${name} PRIVATE ${flags})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} ${libraries})
endfunction()
