# The few functions with which the folders declare what they contain.
#
#   clew_library(dedalus SOURCES parse.cc ... DEPS datalog LIBS fmt::fmt)   src/dedalus -> clew_dedalus
#   clew_test_library(twins SOURCES twins/naive_simulator.cc DEPS dedalus)  helpers shared by tests
#   clew_test(dedalus SOURCES dedalus/parse_test.cc ... DEPS dedalus)       -> test dedalus_test
#   clew_script_test(cli/run_test.py ARGS $<TARGET_FILE:clew>)              -> test cli_run_test
#   clew_check(check_tidy.py ARGS ...)           -> tests house_tidy and house_tidy_self_test
#   clew_check(mutate.py SELF_TEST_ONLY)         -> test house_mutate_self_test
#   clew_bench(run_bench SOURCES run_bench.cc DEPS simulate)
#   clew_fuzz(parse_fuzz SOURCES fuzz/parse_fuzz.cc DEPS dedalus CORPUS fuzz/corpus/parse)
#
# DEPS are names of our folders, LIBS other people's targets. Every folder may use base. Headers are
# included from src/ ("base/check.h"); tests may also include from the root ("tests/twins/...").
# Tests run in the root, so "protocols/..." and "tests/..." are paths that work.

function(clew_link target scope)
  foreach(dep IN LISTS ARGN)
    target_link_libraries(${target} ${scope} clew_${dep})
  endforeach()
endfunction()

# Most of the time of a build goes into other people's headers, so these are compiled once for all
# libraries and once for all tests, and the presets compile several sources of a folder together.
# Sources still name what they include.
set(CLEW_COMMON_HEADERS <fmt/format.h> <algorithm> <map> <optional> <set> <string> <unordered_map>
                        <variant> <vector>)
set(CLEW_LIBRARY_HEADERS ${CLEW_COMMON_HEADERS} <fmt/ranges.h> <functional> <memory>
                         <nlohmann/json.hpp>)

# To optimize for a sanitizer takes thrice as long as not to. What follows the work, and tells of it, takes so
# little of the time of any test that it gains nothing; engines, what is fuzzed, and what all of them use would lose.
set(CLEW_NEVER_HOT clew_report clew_checker clew_check clew_drive clew_analyze clew_cli clew clew-analyze)

function(clew_precompile target)
  if(target STREQUAL clew_base)
    target_precompile_headers(${target} PRIVATE ${CLEW_LIBRARY_HEADERS})
  elseif(CLEW_SANITIZE AND target IN_LIST CLEW_NEVER_HOT)
    if(NOT TARGET clew_unoptimized_headers)
      file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/unoptimized_headers.cc" CONTENT "")
      add_library(clew_unoptimized_headers OBJECT "${CMAKE_BINARY_DIR}/unoptimized_headers.cc")
      target_link_libraries(clew_unoptimized_headers PRIVATE clew_base)
      target_compile_options(clew_unoptimized_headers PRIVATE -O0)
      target_precompile_headers(clew_unoptimized_headers PRIVATE ${CLEW_LIBRARY_HEADERS})
    endif()
    target_compile_options(${target} PRIVATE -O0)
    target_precompile_headers(${target} REUSE_FROM clew_unoptimized_headers)
  else()
    target_precompile_headers(${target} REUSE_FROM clew_base)
  endif()
endfunction()

# Tests themselves spend little time: to optimize them under a sanitizer takes thrice as long as not to, and
# elsewhere they are compiled as in the dev preset.
function(clew_test_flags target)
  if(CLEW_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

function(clew_precompile_test target)
  if(NOT TARGET clew_test_headers)
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/test_headers.cc" CONTENT "")
    add_library(clew_test_headers OBJECT "${CMAKE_BINARY_DIR}/test_headers.cc")
    target_link_libraries(clew_test_headers PRIVATE clew_base GTest::gtest)
    target_precompile_headers(clew_test_headers PRIVATE <gtest/gtest.h> ${CLEW_COMMON_HEADERS})
    clew_test_flags(clew_test_headers)
  endif()
  clew_test_flags(${target})
  target_precompile_headers(${target} REUSE_FROM clew_test_headers)
endfunction()

# A folder that holds only headers so far becomes an INTERFACE library.
function(clew_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;LIBS" ${ARGN})
  set(target clew_${name})
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(${target} STATIC ${arg_SOURCES})
    clew_precompile(${target})
    if(CLEW_QUICK_CHANGES)
      set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    endif()
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/src")
  if(NOT name STREQUAL base)
    clew_link(${target} ${scope} base)
  endif()
  clew_link(${target} ${scope} ${arg_DEPS})
  target_link_libraries(${target} ${scope} ${arg_LIBS})
endfunction()

# Sets CLEW_HAS_TESTS, after looking for the libraries if the answer depends on them.
macro(clew_find_test_libraries)
  set(CLEW_HAS_TESTS OFF)
  # The system's python3 first: the packages of ./test belong to it.
  find_program(CLEW_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_program(CLEW_PYTHON python3)
  if(CLEW_TESTS STREQUAL IF_FOUND)
    find_package(GTest QUIET)
    find_package(benchmark QUIET)
    find_library(CLEW_LIBRAFT raft)
    if(GTest_FOUND AND benchmark_FOUND AND CLEW_LIBRAFT)
      set(CLEW_HAS_TESTS ON)
    endif()
  elseif(CLEW_TESTS)
    find_package(GTest REQUIRED)
    find_package(benchmark REQUIRED)
    find_library(CLEW_LIBRAFT raft REQUIRED)
    set(CLEW_HAS_TESTS ON)
  endif()
endmacro()

function(clew_test_library name)
  clew_library(${name} ${ARGN})
  target_include_directories(clew_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
endfunction()

function(clew_test subject)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPS;LIBS" ${ARGN})
  set(name ${subject}_test)
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  clew_link(${name} PRIVATE ${arg_DEPS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} GTest::gtest_main)
  clew_precompile_test(${name})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${arg_TIMEOUT})
endfunction()

# A test that is a script: *.py runs with python3, anything else with bash.
function(clew_script_test file)
  cmake_parse_arguments(arg "" "TIMEOUT;LABEL" "ARGS" ${ARGN})
  string(REGEX REPLACE "\\.[a-z]+$" "" name "${file}")
  string(REPLACE "/" "_" name "${name}")
  if(file MATCHES "\\.py$")
    set(shell "${CLEW_PYTHON}")
  else()
    set(shell bash)
  endif()
  add_test(NAME ${name} COMMAND ${shell} "${CMAKE_CURRENT_SOURCE_DIR}/${file}" ${arg_ARGS}
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)  # only against what hangs, however busy the machine is
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT})
endfunction()

# A check of the sources themselves by a script of tools/, and its self-test, which shows that it can
# fail. One build of the sources is enough: only the dev preset runs them.
function(clew_check script)
  cmake_parse_arguments(arg "SELF_TEST_ONLY" "PROCESSORS" "ARGS" ${ARGN})
  string(REGEX REPLACE "^(check_)?(.*)\\.py$" "house_\\2" name "${script}")
  set(command "${CLEW_PYTHON}" "${PROJECT_SOURCE_DIR}/tools/${script}")
  add_test(NAME ${name}_self_test COMMAND ${command} --self-test)
  set_tests_properties(${name}_self_test PROPERTIES LABELS house TIMEOUT 1200)
  if(arg_SELF_TEST_ONLY)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${command} ${arg_ARGS} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS house TIMEOUT 1200)
  if(arg_PROCESSORS)
    set_tests_properties(${name} PROPERTIES PROCESSORS ${arg_PROCESSORS})
  endif()
endfunction()

# What is measured is never what a sanitizer has slowed down.
function(clew_bench name)
  if(CLEW_SANITIZE)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  clew_link(${name} PRIVATE ${arg_DEPS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} benchmark::benchmark)
endfunction()

# The fuzz target, and a test that fuzzes for a bounded time starting from the corpus (which it
# leaves alone: what it finds on the way goes to the build folder). Its DEPS, and base, tell the fuzzer
# which of their branches are taken; `fuzzers` is all targets.
function(clew_fuzz name)
  if(NOT CLEW_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "CORPUS" "SOURCES;DEPS;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  clew_link(${name} PRIVATE ${arg_DEPS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  list(TRANSFORM arg_DEPS PREPEND clew_)
  foreach(target IN ITEMS ${name} clew_base ${arg_DEPS})
    target_compile_options(${target} PRIVATE
                           -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
  endforeach()
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
  endif()
  add_dependencies(fuzzers ${name})
  set(found "${CMAKE_CURRENT_BINARY_DIR}/${name}.found")
  file(MAKE_DIRECTORY "${found}")
  add_test(
    NAME ${name}
    COMMAND ${name} -max_total_time=15 -timeout=10 -rss_limit_mb=2048 -seed=1 -print_final_stats=1
            "-artifact_prefix=${found}/" "${found}" "${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 300)
endfunction()
