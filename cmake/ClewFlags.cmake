# Compiler settings shared by every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 takes the parts of a std::variant that is being made for uninitialized ones.
  add_compile_options(-Wno-maybe-uninitialized)
endif()
if(CLEW_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()

if(CLEW_SANITIZE)
  set(flags -fsanitize=${CLEW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # The address sanitizer sees what these would see, later; they take a fifth of the compiler's time.
  if(CLEW_SANITIZE MATCHES address)
    list(APPEND flags -fno-sanitize=null,alignment,object-size)
  endif()
  add_compile_options(${flags})
  add_link_options(${flags})
endif()

if(CLEW_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "CLEW_FUZZ needs clang: use `cmake --preset asan`.")
endif()

if(CLEW_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

if(CLEW_QUICK_CHANGES)
  # Takes half as long as the usual linker, which is a second less after each change.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold CLEW_HAS_GOLD)
  if(CLEW_HAS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()
