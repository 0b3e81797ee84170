#!/usr/bin/env bash
# Makes a virtual environment of Python with some packages of PyPI, once, and says where it is. Nothing of it is installed
# for the machine. A version that is pinned is the one that the tests were written with.
# Usage: venv.sh NAME PACKAGE==VERSION ...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

name=$1
shift
place=$PWD/.build/venv-$name
wanted="$*"
# Two test processes may want it at once.
mkdir -p .build
exec 9>"$place.lock"
flock 9
if [ "$(cat "$place/wanted" 2>/dev/null || true)" != "$wanted" ]; then
    rm -rf "$place"
    python3 -m venv "$place" >&2
    "$place/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
    echo "$wanted" >"$place/wanted"
fi
echo "$place"
