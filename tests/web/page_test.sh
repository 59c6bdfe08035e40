#!/usr/bin/env bash
# Opens report pages in a real browser.
#
# usage: page_test.sh CLEW BUILD_FOLDER
#
# Needs chromium, node (18 or later) and npm. What node needs beyond itself, playwright-core, is installed
# into BUILD_FOLDER/web_tests as package-lock.json has it; the pages are made there, too.
set -euo pipefail

clew=$(realpath "$1")
scratch=$(realpath "$2")/web_tests
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")

for program in chromium node npm python3; do
  if ! command -v "$program" >/dev/null; then
    echo "$program is missing; on Debian: apt-get install chromium nodejs npm python3" >&2
    exit 1
  fi
done

mkdir -p "$scratch"
if ! cmp -s "$here/package-lock.json" "$scratch/installed"; then
  cp "$here/package.json" "$here/package-lock.json" "$scratch/"
  if ! npm ci --prefix "$scratch" --ignore-scripts --no-audit --no-fund >"$scratch/npm.log" 2>&1; then
    cat "$scratch/npm.log" >&2
    echo "npm could not install playwright-core; is there a network?" >&2
    exit 1
  fi
  cp "$here/package-lock.json" "$scratch/installed"
fi

python3 "$here/make_page.py" "$clew" "$scratch/pages"

# And one page as users get it.
code=0
cd "$scratch"
"$clew" check "$root/protocols/queues/kafka.ded" --eot 6 --eff 4 --crashes 1 \
  --report pages/real.html >check.log 2>&1 || code=$?
if [ "$code" != 10 ]; then
  cat check.log >&2
  echo "clew check --report should have found a counterexample; exit code $code" >&2
  exit 1
fi
node "$here/page_test.mjs" "$scratch"
