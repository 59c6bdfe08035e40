#!/bin/bash
# Proves the README on a fresh Debian 12: debootstrap a minimal system, install git, clone this
# repository into it, run the README's first command, and with --test the second one too.
#
#   sudo tools/fresh_root.sh [--test] [--uncommitted] [--keep] [--command TEXT] [DIR]
#
#   --test         run ./test as well
#   --uncommitted  lay the working tree's changed and new files over the clone
#   --keep         leave DIR behind (it is removed otherwise)
#   --command TEXT run TEXT in the clone instead of the README's commands
#   DIR            where the system goes; must not exist yet. Default: a new folder under $TMPDIR
#
# Needs root and debootstrap. Mirror and proxy are those that this machine's apt uses; certificates that
# node is told to trust here (NODE_EXTRA_CA_CERTS) are trusted there, for npm.

set -euo pipefail
repository=$(cd -- "$(dirname -- "$0")/.." && pwd)
release=bookworm
extra_certificates=/etc/extra-certificates.crt
clone=/srv/clew # in the new system

say() { printf 'fresh root: %s\n' "$*" >&2; }
die() { say "$*" && exit 1; }

run_tests=no uncommitted=no keep=no command= directory=
while [ $# -gt 0 ]; do
  case $1 in
    --test) run_tests=yes ;;
    --uncommitted) uncommitted=yes ;;
    --keep) keep=yes ;;
    --command) command=${2:?--command needs a text} && shift ;;
    -h | --help) sed -n '2,/^$/s/^# \{0,1\}//p' "$0" && exit 0 ;;
    -*) die "unknown option $1; see --help" ;;
    *) directory=$1 ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || die "must run as root (it makes a system, and mounts for it)"
command -v debootstrap >/dev/null || die "needs debootstrap: apt-get install debootstrap"
if [ -n "$directory" ]; then
  [ ! -e "$directory" ] || die "$directory exists already"
  mkdir -p "$directory"
else
  directory=$(mktemp -d "${TMPDIR:-/tmp}/fresh-root.XXXXXX")
fi
system=$directory/system

clean_up() {
  if [ "$keep" = yes ]; then
    say "kept: $directory"
  else
    rm -rf --one-file-system -- "$directory"
  fi
}
trap clean_up EXIT

# The repositories of this machine's apt that carry the release, as lines of a sources.list.
sources_of_host() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
    sort -u | grep -E " $release(-updates|-security)? main$" | sed 's/^/deb /'
}

# Only what decides how packages are fetched; nothing that depends on this machine's other settings.
apt_settings_of_host() {
  apt-config dump | grep -E '^Acquire::(http|https)::Proxy |^Acquire::Check-Valid-Until ' || true
}

make_system() {
  local mirror proxy
  mirror=$(sources_of_host | sed -n "s/^deb \(.*\) $release main$/\1/p" | head -n 1)
  [ -n "$mirror" ] || die "apt on this machine has no source for Debian $release"
  proxy=$(apt_settings_of_host | sed -n 's/^Acquire::http::Proxy "\(.*\)";$/\1/p')
  say "debootstrap $release into $system"
  http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase "$release" "$system" "$mirror" \
    >"$directory/debootstrap.log" 2>&1 || {
    tail -n 20 "$directory/debootstrap.log" >&2
    die "debootstrap failed"
  }
  sources_of_host >"$system/etc/apt/sources.list"
  apt_settings_of_host >"$system/etc/apt/apt.conf.d/90host"
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    cp "$NODE_EXTRA_CA_CERTS" "$system$extra_certificates"
  fi
}

# in_system TEXT: a shell in the new system, with nothing of this one's environment. The system is the root
# of mounts of its own, as in a container, which end with the shell: who has only changed root may make no
# user namespaces, and cannot change the mounts of `/`, both of which clew inject does. Some tests need terminals.
in_system() {
  # shellcheck disable=SC2016  # the shell inside expands it
  unshare --mount --propagation private bash -c '
    set -e
    mount --bind "$1" "$1"
    cd "$1"
    mount -t proc proc proc
    mount -t devpts devpts dev/pts -o newinstance,ptmxmode=0666
    pivot_root . .
    umount -l .
    cd /
    shift
    exec env -i "$@"' \
    in_system "$system" HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb CI=true \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
    ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=$extra_certificates} bash -c "$1" </dev/null
}

clone_repository() {
  say "installing git, cloning the repository"
  in_system 'apt-get update -qq && apt-get install -qq -y --no-install-recommends git' \
    >"$directory/git.log" 2>&1 || { cat "$directory/git.log" >&2 && die "could not install git"; }
  git -C "$repository" bundle create -q "$system$clone.bundle" HEAD
  in_system "git -c advice.detachedHead=false clone -q $clone.bundle $clone && cd $clone && git log -1 --oneline"
  if [ "$uncommitted" = yes ]; then
    git -C "$repository" ls-files -z --cached --others --exclude-standard |
      (cd "$repository" && xargs -0 ls -d 2>/dev/null | tar -cf - -T -) | tar -xf - -C "$system$clone"
  fi
}

# The README is the source of truth: its first command that begins with ./clew, or with ./test, after the
# exit code that its block promises (as in tools/check_commands.py).
command_of_readme() {
  awk -v word="./$1" '
    /^```/ { code = match($0, /exit=[0-9]+/) ? substr($0, RSTART + 5, RLENGTH - 5) : 0 }
    { sub(/^\$ /, "") }
    $1 == word { print code, $0; exit }
  ' "$system$clone/README.md"
}

# run EXPECTED TEXT: in the clone, timed.
run() {
  local started=$SECONDS code=0
  [ -n "${2:-}" ] || die "the README does not show the command"
  say "\$ $2"
  in_system "cd $clone && $2" || code=$?
  say "exit code $code after $((SECONDS - started)) s"
  [ "$code" -eq "$1" ] || die "expected exit code $1"
}

run_readme() {
  local expected text
  read -r expected text < <(command_of_readme "$1") || true
  run "${expected:-0}" "${text:-}"
}

make_system
clone_repository
if [ -n "$command" ]; then
  run 0 "$command"
else
  run_readme clew
  run_readme clew # again: now nothing is left to install or build
  if [ "$run_tests" = yes ]; then
    run_readme test
  fi
fi
say "all went well"
