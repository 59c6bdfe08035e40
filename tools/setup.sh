# Shell functions shared by ./clew and ./test: install packages, build a preset. POSIX sh, to be
# sourced with $root set to the top of the repository. They speak on stderr and end the script with
# exit code 1, after showing the log, when something fails.

say() { printf 'clew: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# fail_with_log LOG MESSAGE: the end of the log, where compilers and apt put the reason.
fail_with_log() {
  tail -n 60 "$1" >&2
  fail "$2 The whole log: $1"
}

# Two starts at once build once: the second waits here, then finds the work done. The kernel drops
# the lock with the process, however it ends.
lock_builds() {
  mkdir -p "$root/build/logs" || fail "cannot write to $root/build, where the build goes."
  command -v flock >/dev/null || return 0
  exec 9>"$root/build/lock"
  if ! flock -n 9; then
    say "another build is running in $root/build; waiting for it."
    flock 9
  fi
}

unlock_builds() { exec 9>&-; }

# packages_of SECTION: the package names of that section of packages.txt.
packages_of() {
  sed -n "/^\[$1\]/,/^\[/{/^[a-z]/p}" "$root/tools/packages.txt"
}

# missing_of SECTION: those that are not installed.
missing_of() {
  for package in $(packages_of "$1"); do
    case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

# install_packages SECTION PURPOSE: makes sure that the packages are there, with apt where there is
# apt. Elsewhere the tools themselves decide: whoever has them all can build.
install_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    require_tools "$1" "$2"
    return
  fi
  missing=$(missing_of "$1")
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "packages are missing $2. As root, run: apt-get install $missing"
    as_root=sudo
  fi
  log=$root/build/logs/packages-$1.log
  say "installing packages $2 (once; log in $log): $missing"
  run_apt >"$log" 2>&1 </dev/null || fail_with_log "$log" "could not install the packages."
}

# A stale index is only an error if the installation then fails for it.
run_apt() {
  $as_root apt-get -o DPkg::Lock::Timeout=600 update || true
  # shellcheck disable=SC2086  # $missing is a list
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install \
    --yes --no-install-recommends $missing
}

require_tools() {
  for tool in c++ cmake ninja; do
    command -v "$tool" >/dev/null || {
      say "$tool is missing $2, and there is no apt-get to install it with."
      fail "Install what these Debian packages hold, then try again:" $(packages_of "$1")
    }
  done
}

# sources [EXPRESSION...]: those that a build is made of, and their folders, so that added and removed files
# count; for find, in the current folder.
sources() {
  find src include cmake web CMakeLists.txt CMakePresets.json ! -name '*.md' "$@" 2>/dev/null
}

# is_built PRESET: the last build has succeeded, and no source is newer than its beginning. The same in
# src/cli/launch.cc is faster.
is_built() {
  [ -x "$root/build/$1/clew" ] && [ -e "$root/build/$1/built.stamp" ] && [ -e "$root/build/$1/built.sources" ] &&
    [ -z "$(cd "$root" && sources -newer "build/$1/built.stamp" -print -quit)" ]
}

# build_preset PRESET [TARGET]: configures, with $configure_options if there are any, and builds, with one
# progress line on a terminal. Sets a stamp that bears the time at which the build began, and lists the
# sources beside it (see ./clew).
build_preset() {
  log=$root/build/logs/$1.log
  stamp=$root/build/$1/built.stamp
  mkdir -p "$root/build/$1" "$root/build/logs"
  : >"$stamp.new"
  (cd "$root" && sources) >"${stamp%.stamp}.sources"
  if [ -e "$stamp" ]; then say "building $1"; else say "building $1 (the first time takes a few minutes)"; fi
  configure_preset "$1" >"$log" 2>&1 </dev/null || {
    fail_with_log "$log" "CMake could not configure the build (it needs: $(packages_of build | tr '\n' ' '))."
  }
  {
    (cd "$root" && cmake --build --preset "$1" ${2:+--target "$2"}) 2>&1 </dev/null || echo 'BUILD FAILED'
  } | tee -a "$log" | show_progress
  if tail -n 1 "$log" | grep -q '^BUILD FAILED$'; then
    fail_with_log "$log" "the $1 build failed."
  fi
  mv "$stamp.new" "$stamp"
}

# A tree that was moved or copied with its build folder starts it afresh: CMake insists on its path.
configure_preset() {
  fresh=
  if [ -e "$root/build/$1/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/$1/CMakeCache.txt"; then
    fresh=--fresh
  fi
  # shellcheck disable=SC2086  # $configure_options is a list
  (cd "$root" && cmake --preset "$1" $fresh ${configure_options:-})
}

# Ninja reports "[12/80] Building ...": on a terminal, keep rewriting one line with the numbers.
show_progress() {
  if [ -t 2 ]; then
    while IFS= read -r line; do
      case $line in
        "["*"]"*) printf '\rclew: building %s] ' "${line%%]*}" >&2 ;;
      esac
    done
    printf '\r\033[K' >&2
  else
    cat >/dev/null
  fi
}
