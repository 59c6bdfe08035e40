#!/bin/bash
# ./clew and ./test on a small stand-in project: same launcher and same tools/setup.sh, one source file
# that prints its arguments. Each test_* function runs in a fresh copy whose path contains a space.

set -u
unset CI
repository=$(cd -- "$(dirname -- "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0

# expect WHAT ACTUAL EXPECTED
expect() {
  if [ "$2" != "$3" ]; then
    printf '%s: %s:\n  expected %q\n  got      %q\n' "$current" "$1" "$3" "$2"
    failures=$((failures + 1))
  fi
}

# expect_in WHAT TEXT PART
expect_in() {
  case $2 in
    *"$3"*) ;;
    *) expect "$1" "$2" "...$3..." ;;
  esac
}

make_project() {
  project="$scratch/$1/a project"
  mkdir -p "$project/src" "$project/cmake" "$project/tools"
  cp "$repository/clew" "$repository/test" "$project/"
  mkdir -p "$project/src/cli" "$project/src/base" "$project/web"
  cp "$repository"/src/cli/launch.* "$project/src/cli/"
  cp "$repository/src/base/descriptor.h" "$project/src/base/"
  cp "$repository/tools/setup.sh" "$repository/tools/packages.txt" "$project/tools/"
  cat >"$project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(stand_in LANGUAGES CXX)
add_executable(clew src/main.cc src/cli/launch.cc)
target_include_directories(clew PRIVATE src)
set_target_properties(clew PROPERTIES CXX_STANDARD 20)
set_target_properties(clew PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
add_custom_target(fuzzers COMMAND ${CMAKE_COMMAND} -E touch fuzzed)
add_dependencies(fuzzers clew)
enable_testing()
add_test(NAME works COMMAND clew)
add_test(NAME house_tidy COMMAND clew)
CMAKE
  cat >"$project/CMakePresets.json" <<'JSON'
{"version": 6,
 "configurePresets": [{"name": "dev", "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}"},
                      {"name": "asan", "inherits": "dev"}, {"name": "release", "inherits": "dev"}],
 "buildPresets": [{"name": "dev", "configurePreset": "dev"}, {"name": "asan", "configurePreset": "asan"},
                  {"name": "release", "configurePreset": "release"}],
 "testPresets": [{"name": "dev", "configurePreset": "dev"}, {"name": "release", "configurePreset": "release"},
                 {"name": "optimized", "configurePreset": "release"}, {"name": "fuzz", "configurePreset": "asan"}]}
JSON
  write_main first
  use_fake_dpkg
}

# write_main WORD: a program that prints WORD and its arguments, and exits with their number.
write_main() {
  cat >"$project/src/main.cc" <<CPP
#include <cstdio>
#include "cli/launch.h"
int main(int count, char** words) {
  clew::cli::build_first_if_needed(words);
  std::printf("$1");
  for (int i = 1; i < count; ++i) std::printf(" [%s]", words[i]);
  std::printf("\n");
  return count - 1;
}
CPP
}

# Programs that stand in for the system's: every package is installed, and apt-get notes its calls.
use_fake_dpkg() {
  fake="$scratch/$current/fake"
  mkdir -p "$fake"
  printf '#!/bin/sh\nprintf installed\n' >"$fake/dpkg-query"
  printf '#!/bin/sh\necho "$@" >>"%s/apt.calls"\n' "$fake" >"$fake/apt-get"
  printf '#!/bin/sh\nexec "$@"\n' >"$fake/sudo"
  chmod +x "$fake"/*
}

# start ARGUMENT...: runs the launcher; sets out, err and code.
start() {
  out=$(PATH="$fake:$PATH" "${launcher:-$project/clew}" "$@" 2>"$scratch/err")
  code=$?
  err=$(cat "$scratch/err")
}

test_builds_then_passes_arguments_and_exit_code() {
  start 'one two' '*'
  expect stdout "$out" 'first [one two] [*]'
  expect exit "$code" 2
  expect_in stderr "$err" 'building release'
  expect 'no apt-get' "$(cat "$fake/apt.calls" 2>/dev/null)" ''
}

test_second_start_builds_nothing() {
  start
  printf '#!/bin/sh\nexit 9\n' >"$fake/cmake"
  chmod +x "$fake/cmake"
  start
  expect stdout "$out" first
  expect stderr "$err" ''
  expect exit "$code" 0
}

test_changed_source_is_built_again() {
  start
  write_main second
  start
  expect stdout "$out" second
  touch "$project/src/README.md" # changes no object: must not build on every start from now on
  start
  start
  expect stderr "$err" ''
}

test_removed_and_added_files_count() {
  start
  sed -i 's/main.cc/other.cc/' "$project/CMakeLists.txt"
  mv "$project/src/main.cc" "$project/src/other.cc"
  start
  expect stdout "$out" first
  rm "$project/src/other.cc"
  start
  expect exit "$code" 1
}

# Only built-in commands of the shell, and Clew.
test_an_up_to_date_start_needs_no_other_program() {
  start
  expect stdout "$(PATH=/nowhere "$project/clew" word 2>&1)" 'first [word]'
  cd "$project" || return
  expect 'by its bare name' "$(PATH=/nowhere /bin/sh clew word 2>&1)" 'first [word]'
  cd /
}

test_changes_at_any_depth_and_of_the_page_count() {
  mkdir -p "$project/src/a/b/c/d"
  echo '#define WORD "deep"' >"$project/src/a/b/c/d/word.h"
  echo 'page' >"$project/web/page.html"
  start
  for change in 'echo >>"$project/src/a/b/c/d/word.h"' 'echo >>"$project/web/page.html"' \
    'touch "$project/src/a/b/c/new.h"' 'rm "$project/src/a/b/c/new.h"' 'echo >>"$project/CMakePresets.json"'; do
    start
    expect "before: $change" "$err" ''
    eval "$change"
    start
    expect_in "after: $change" "$err" 'building release'
    expect 'what is started' "$out" first
  done
}

test_works_through_a_symlink_from_anywhere() {
  mkdir -p "$scratch/$current/else where"
  ln -s "$project/clew" "$scratch/$current/else where/link"
  cd "$scratch/$current/else where" || return
  launcher=./link start relative/path
  expect stdout "$out" 'first [relative/path]'
  cd /
}

test_failed_build_shows_the_reason() {
  start
  echo 'this is not C++' >"$project/src/main.cc"
  start
  expect exit "$code" 1
  expect stdout "$out" ''
  expect_in reason "$err" "main.cc:1:1: error"
  expect_in 'what to do' "$err" 'The whole log: '
  write_main mended
  start
  expect stdout "$out" mended
}

test_failed_configuration_shows_the_reason() {
  echo 'message(FATAL_ERROR "no such library")' >>"$project/CMakeLists.txt"
  start
  expect exit "$code" 1
  expect_in reason "$err" 'no such library'
  expect_in 'what is needed' "$err" 'nlohmann-json3-dev'
}

test_moved_tree_is_built_afresh() {
  start
  mv "$project" "$scratch/$current/moved"
  project="$scratch/$current/moved"
  write_main moved
  start
  expect stdout "$out" moved
}

test_two_starts_at_once_build_once() {
  PATH="$fake:$PATH" "$project/clew" a >"$scratch/out.a" 2>"$scratch/err.a" &
  PATH="$fake:$PATH" "$project/clew" b >"$scratch/out.b" 2>"$scratch/err.b" &
  wait
  expect 'first stdout' "$(cat "$scratch/out.a")" 'first [a]'
  expect 'second stdout' "$(cat "$scratch/out.b")" 'first [b]'
  expect 'builds' "$(cat "$scratch/err.a" "$scratch/err.b" | grep -c 'building release')" 1
}

test_it_waits_for_a_build_that_is_running() {
  mkdir -p "$project/build"
  exec 8>"$project/build/lock"
  flock 8
  PATH="$fake:$PATH" "$project/clew" >"$scratch/out.w" 2>"$scratch/err.w" 8>&- &
  until grep -q 'another build is running' "$scratch/err.w" 2>/dev/null; do sleep 0.05; done
  expect 'stdout while waiting' "$(cat "$scratch/out.w")" ''
  exec 8>&-
  wait
  expect 'stdout afterwards' "$(cat "$scratch/out.w")" first
}

test_missing_packages_are_installed_once() {
  # Missing until apt-get has been called with "install".
  cat >"$fake/dpkg-query" <<SH
#!/bin/sh
case "\$*" in
  *libfmt-dev*) grep -q install "$fake/apt.calls" 2>/dev/null && printf installed ;;
  *) printf installed ;;
esac
SH
  start
  expect stdout "$out" first
  expect_in 'says what and why' "$err" 'installing packages to build Clew'
  expect_in 'says which' "$err" 'libfmt-dev'
  expect_in update "$(sed -n 1p "$fake/apt.calls")" update
  expect_in install "$(sed -n 2p "$fake/apt.calls")" '--yes --no-install-recommends libfmt-dev'
  expect calls "$(wc -l <"$fake/apt.calls")" 2
}

test_failed_installation_shows_the_reason() {
  printf '#!/bin/sh\nexit 1\n' >"$fake/dpkg-query"
  printf '#!/bin/sh\necho E: Unable to locate package\nexit 100\n' >"$fake/apt-get"
  start
  expect exit "$code" 1
  expect stdout "$out" ''
  expect_in reason "$err" 'E: Unable to locate package'
  expect_in message "$err" 'could not install the packages'
}

# A PATH that holds only the named programs.
use_only() {
  bare="$scratch/$current/bare"
  mkdir -p "$bare"
  for program in "$@"; do ln -s "$(command -v "$program")" "$bare/$program"; done
}

test_without_apt_it_names_what_is_needed() {
  use_only sh readlink find mkdir flock sed tr tail cat
  out=$(PATH="$bare" "$project/clew" 2>"$scratch/err")
  expect exit "$?" 1
  expect_in tool "$(cat "$scratch/err")" 'c++ is missing'
  expect_in packages "$(cat "$scratch/err")" 'cmake g++ libcadical-dev libcli11-dev'
}

test_without_root_and_sudo_it_names_the_command() {
  use_only sh readlink find mkdir flock sed tr tail cat
  ln -s "$fake/apt-get" "$bare/apt-get"
  printf '#!/bin/sh\nexit 1\n' >"$bare/dpkg-query"
  printf '#!/bin/sh\necho 1000\n' >"$bare/id"
  chmod +x "$bare/dpkg-query" "$bare/id"
  out=$(PATH="$bare" "$project/clew" 2>"$scratch/err")
  expect exit "$?" 1
  expect_in command "$(cat "$scratch/err")" 'As root, run: apt-get install cmake g++'
}

test_test_script_explains_itself() {
  expect_in help "$("$project/test" --help)" 'usage: ./test [--quick] [STAGE...]'
  "$project/test" --nonsense >/dev/null 2>"$scratch/err"
  expect 'exit of a wrong argument' "$?" 2
  expect_in 'help on stderr' "$(cat "$scratch/err")" 'usage: ./test'
}

# run_tests ARGUMENT...: runs ./test; sets out and code.
run_tests() {
  out=$(PATH="$fake:$PATH" "$project/test" "$@" 2>&1)
  code=$?
}

test_test_script_adds_up_its_stages() {
  run_tests dev release
  expect exit "$code" 0
  expect_in 'dev' "$out" 'dev      100% tests passed, 0 tests failed out of 2   (build '
  expect_in 'release' "$out" 'release  100% tests passed, 0 tests failed out of 2   (build '
  expect_in 'total' "$out" '100% tests passed, 0 tests failed out of 4'
  run_tests --quick
  expect_in 'without tidy' "$out" '100% tests passed, 0 tests failed out of 1'
}

# What is there once and used twice: that is most of the time of ./test.
test_test_script_builds_once_in_ci() {
  CI=true run_tests dev release fuzz
  expect exit "$code" 0
  expect_in 'all tests in dev' "$out" 'dev      100% tests passed, 0 tests failed out of 2   (build '
  expect 'no other dev build' "$(cd "$project/build" && echo *)" 'asan lock logs release'
  expect_in 'whole folders' "$(cat "$project/build/release/CMakeCache.txt")" 'CMAKE_UNITY_BUILD_BATCH_SIZE:UNINITIALIZED=0'
  expect 'fuzzers are built' "$(ls "$project/build/asan/fuzzed")" "$project/build/asan/fuzzed"
  start
  expect 'what ./clew finds built' "$out$err" first
}

test_test_script_fails_if_a_test_fails() {
  echo 'add_test(NAME fails COMMAND clew argument)' >>"$project/CMakeLists.txt"
  run_tests dev
  expect exit "$code" 1
  expect_in 'which' "$out" 'fails (Failed)'
  expect_in 'total' "$out" '66% tests passed, 1 tests failed out of 3'
}

test_test_script_goes_on_after_a_broken_build() {
  run_tests dev
  echo 'if(PROJECT_BINARY_DIR MATCHES "dev$")
    target_compile_options(clew PRIVATE --nonsense)
    endif()' >>"$project/CMakeLists.txt"
  run_tests dev release
  expect exit "$code" 1
  expect_in 'reason' "$out" '--nonsense'
  expect_in 'other stage' "$out" 'release  100% tests passed, 0 tests failed out of 2'
  expect_in 'says so' "$out" '1 of 2 stages could not be built or run.'
}

test_test_script_fails_if_there_are_no_tests() {
  sed -i '/add_test/d' "$project/CMakeLists.txt"
  run_tests dev
  expect exit "$code" 1
}

for current in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p'); do
  launcher=
  make_project "$current"
  before=$failures
  "$current"
  [ "$failures" -eq "$before" ] && echo "passed: $current" || echo "FAILED: $current"
done
echo "$failures failures"
[ "$failures" -eq 0 ]
