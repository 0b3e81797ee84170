#!/usr/bin/env bash
# Runs the tests that were built: first the small ones, then whole films and farms on the same two cores, so that
# neither starves the other's clocks. A test's start is not printed, and every failure is printed once more before the
# runner's own closing line. Usage: run.sh SWIFT [FLAGS FOR SWIFT TEST]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() {
    set +e
    "$@" 2>&1 | tee "$log" | grep --line-buffered -av '◇'
    local status=${PIPESTATUS[0]}
    set -e
    [ "$status" != 0 ] || return 0
    echo "--- what failed:"
    grep -a '✘' "$log" || tail -n 20 "$log"
    exit "$status"
}

run "$@" --skip EndToEndTests
run "$@" --filter EndToEndTests
