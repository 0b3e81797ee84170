#!/usr/bin/env bash
# A farm on one machine: a coordinator and two workers render film.json, and one worker is killed on the way.
# Usage: run.sh [FILM]; SPLITREEL: the program (splitreel).
set -euo pipefail
film=$(realpath -m "${1:-film.mp4}")
cd "$(dirname "${BASH_SOURCE[0]}")"
splitreel=${SPLITREEL:-splitreel}

work=$(mktemp -d)
# What was started here is ended here, in the order of its start.
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$work"' EXIT
export SPLITREEL_CONNECT="ipc://$work/control"

"$splitreel" coordinator --listen "$SPLITREEL_CONNECT" --data "$work/state" 2>"$work/coordinator.log" &
"$splitreel" worker --name anna --slots 1 2>"$work/anna.log" &
"$splitreel" worker --name ben --slots 1 2>"$work/ben.log" &
ben=$!

# until_told PATTERN COMMAND…: asks until a line of the answer has the pattern, ten seconds at most.
until_told() {
    local pattern=$1 _
    shift
    for _ in $(seq 100); do
        if grep -q "$pattern" <<<"$("$splitreel" "$@" 2>/dev/null)"; then return; fi
        sleep 0.1
    done
}

until_told '^ben ' workers
"$splitreel" workers

job=$("$splitreel" submit film.json -o "$film" --overwrite --chunk-seconds 1)
until_told ' ben/[0-9]' job "$job"
echo "killing ben: its chunk goes to anna"
kill -9 "$ben"
"$splitreel" watch "$job"
"$splitreel" job "$job"
