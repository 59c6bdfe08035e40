#!/usr/bin/env bash
# Opens report pages in a real browser.
#
# usage: page_test.sh CLEW BUILD_FOLDER
#
# Needs chromium, node (18 or later) and npm. What node needs beyond itself, playwright-core, is installed
# into BUILD_FOLDER/web_tests as package-lock.json has it; the pages are made there, too.
set -euo pipefail

clew=$(realpath "$1")
build=$(realpath "$2")
scratch=$build/web_tests
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

# And one of a program with several promises.
cat >promises.ded <<'EOF'
node("a", "b")@1; node("a", "c")@1; log("b", "")@9; log("c", "")@9;
node(X, Y)@next :- node(X, Y);
bcast("a", "hi")@1;
log(N, P)@async :- bcast(A, P), node(A, N);
log(N, P)@next :- log(N, P);
never strange: log(N, P), P != "hi";
promise arrives: node("a", N), bcast("a", P)@1 implies log(N, P);
always agreed: log(N, P), log(M, Q) implies P == Q;
EOF
"$clew" check promises.ded --eot 4 --eff 2 --crashes 0 --report pages/promises.html >check.log 2>&1 || true

# And of nodes in C++: a counterexample, and nothing.
rm -f lock.cc
"$clew" new-node lock >check.log
export XDG_CACHE_HOME=$scratch/cache
code=0
"$clew" explore lock.cc --report pages/explored.html >>check.log 2>&1 || code=$?
"$clew" explore lock.cc --faults 0 --report pages/nothing_found.html >>check.log 2>&1 || code=$?
if [ "$code" != 10 ]; then
  cat check.log >&2
  echo "clew explore --report should have found one counterexample; exit codes $code" >&2
  exit 1
fi

# And of processes under failures, found in copies of the toys.
rm -rf toys
cp -R "$build/systems/toys" toys
for toy in master pipeline; do
  code=0
  "$clew" inject "toys/$toy.toml" --first --no-lineage --save "$toy.json" --report "pages/$toy.html" >check.log 2>&1 || code=$?
  if [ "$code" != 10 ]; then
    cat check.log >&2
    echo "clew inject --report should have found a violation in $toy; exit code $code" >&2
    exit 1
  fi
done
node "$here/page_test.mjs" "$scratch"
node "$here/explored_test.mjs" "$scratch"
node "$here/injected_test.mjs" "$scratch"
