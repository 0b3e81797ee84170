#!/usr/bin/env bash
# Runs the tests that were built: first the small ones, then those that decode, render or simulate and hold a thread for long,
# then whole films and farms on the same two cores, so that none starves another's clocks. A test's start is not
# printed; every test that was skipped, with its reason, and every failure are printed once more before the runner's own
# closing line. Usage: run.sh SWIFT [FLAGS FOR SWIFT TEST]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp)
skipped=$(mktemp)
trap 'rm -f "$log" "$skipped"' EXIT

run() {
    set +e
    "$@" 2>&1 | tee "$log" | grep --line-buffered -av '◇'
    local status=${PIPESTATUS[0]}
    set -e
    grep -ao '\(Test\|Suite\) .* skipped.*' "$log" >>"$skipped" || true
    [ "$status" != 0 ] || return 0
    report_skipped
    echo "--- what failed:"
    grep -a '✘' "$log" || tail -n 20 "$log"
    exit "$status"
}

report_skipped() {
    [ -s "$skipped" ] || return 0
    echo "--- what was skipped, and why:"
    sort -u "$skipped"
}

long='^(AudioMixing|Compositing|Encoding|Golden|Isolation|Media|Preparation|Rendering|Simulation|Stitching)Tests\.'
run "$@" --skip '^EndToEndTests\.' --skip "$long"
run "$@" --filter "$long"
run "$@" --filter '^EndToEndTests\.'
report_skipped
grep -a 'Test run with' "$log" | tail -n 1
