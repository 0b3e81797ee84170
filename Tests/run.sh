#!/usr/bin/env bash
# Runs the tests that were built, two abreast, each the only one of its process at that time, so that a duration is what
# a test takes: first the unit targets, then InvarianceTests and the end-to-end tests that time matters little to
# (`extension EndToEnd`); then, one after the other, those that need the machine for themselves (`extension
# EndToEndAlone`).
# A test's start is not printed. At the end: the slowest tests; the seconds of each suite and its budget (Tests/budgets),
# which fail the run beyond three times as many; what was skipped, and why; and the closing lines of the runner's own.
# Usage: run.sh SWIFT test [FLAGS FOR SWIFT TEST]; TEST_LANES: how many abreast (2).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

flags=()
for flag in "${@:3}"; do [ "$flag" = --skip-build ] || flags+=("$flag"); done
built=$("$1" build "${flags[@]}" --show-bin-path)
bundles=("$built"/*PackageTests.xctest)
[ -x "${bundles[0]}" ] || { echo "run.sh: no tests are built in $built: swift build --build-tests" >&2; exit 1; }

work=$(mktemp -d)
stop() { for process in $(jobs -p); do kill "$process" 2>/dev/null || true; done; rm -rf "$work"; }
trap stop EXIT
export NO_COLOR=1

shown() { grep --line-buffered -av '◇\|Test run with' || true; }

# Some tests, by their filters; their durations and how they ended are files of the name that is given to them.
run() {
    local name=$1 status=0
    shift
    "${bundles[0]}" --testing-library swift-testing --no-parallel --xunit-output "$work/$name.xml" "$@" \
        2>&1 </dev/null &
    # Whoever ends the run ends its tests.
    trap "kill $! 2>/dev/null; exit 143" TERM
    wait $! || status=$?
    echo "$status" >"$work/$name.end"
}

# Takes lines of a list, NAME FILTERS, that no other lane has taken, until there is none.
lane() {
    local line
    while read -r -a line; do
        mkdir "$work/${line[0]}.taken" 2>/dev/null || continue
        run "${line[@]}" >"$work/${line[0]}.log"
        { flock 9; echo "--- ${line[0]}"; shown <"$work/${line[0]}.log"; } 9>>"$work/printing"
    done <"$1"
}

abreast() {
    local number lanes=()
    for ((number = 0; number < ${TEST_LANES:-2}; number++)); do
        lane "$1" &
        lanes+=($!)
    done
    wait "${lanes[@]}"
    stop_if_failed "$1"
}

alone() {
    local line
    while read -r -a line <&3; do
        echo "--- ${line[0]}"
        run "${line[@]}" | tee "$work/${line[0]}.log" | shown
    done 3<"$1"
    stop_if_failed "$1"
}

stop_if_failed() {
    local name failed=()
    while read -r name _; do [ "$(cat "$work/$name.end")" = 0 ] || failed+=("$name"); done <"$1"
    [ ${#failed[@]} -gt 0 ] || return 0
    report
    echo "--- what failed:"
    for name in "${failed[@]}"; do grep -a '✘' "$work/$name.log" || tail -n 20 "$work/$name.log"; done
    exit 1
}

# TARGET SECONDS SUITE TEST of every test that ran: a classname is Target.Suite.
durations() {
    sed -n 's/.*<testcase classname="\([^".]*\)\.\{0,1\}\([^"]*\)" name="\(.*\)" time="\([^"]*\)".*/\1 \4 \2 \3/p' \
        "$work"/*.xml | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g'
}

report() {
    local skipped
    echo "--- the 30 slowest tests, in seconds:"
    durations | sort -k2,2gr | awk 'NR <= 30 { seconds = $2; $2 = ""; printf "%8.1f  %s\n", seconds, $0 }'
    echo "--- seconds of each suite, and its budget:"
    durations | awk '
        NR == FNR { if ($1 !~ /^#/) budget[$1] = $2; next }
        { seconds[$1] += $2 }
        END {
            for (name in seconds) {
                times = name in budget ? seconds[name] / budget[name] : 4
                word = times > 3 ? "  TOO LONG BY FAR" : times > 1 ? "  over its budget" : ""
                printf "%8.1f %6s  %s%s\n", seconds[name], budget[name], name, word
            }
        }' Tests/budgets - | sort -k1,1gr | tee "$work/suites"
    skipped=$(grep -aoh '\(Test\|Suite\) .* skipped.*' "$work"/*.log | sort -u) || return 0
    printf -- '--- what was skipped, and why:\n%s\n' "$skipped"
}

# Those of the greatest budget first, so that the lanes end together.
for folder in Tests/*Tests; do
    name=$(basename "$folder")
    [ "$name" = EndToEndTests ] || [ "$name" = InvarianceTests ] ||
        echo "$(awk -v name="$name" '$1 == name { print $2 }' Tests/budgets) $name --filter ^$name\\."
done | sort -k1,1gr -s | cut -d' ' -f2- >"$work/units"
abreast "$work/units"

# In parts for the same reason, the longest first; the end-to-end tests by the first letter of a suite's name.
echo 'Invariance-Random --filter ^InvarianceTests\.Random
Invariance --filter ^InvarianceTests\. --skip ^InvarianceTests\.Random' >"$work/little"
for letters in A B-C D-E F G-L M N O P-R S T-V W-Z; do
    echo "EndToEnd-$letters --filter ^EndToEndTests\.EndToEnd/[$letters]"
done >>"$work/little"
abreast "$work/little"

echo 'EndToEndAlone --filter ^EndToEndTests\. --skip ^EndToEndTests\.EndToEnd/' >"$work/alone"
alone "$work/alone"

report
if grep -q 'TOO LONG BY FAR' "$work/suites"; then
    echo "run.sh: a suite takes more than three times its budget, or has none in Tests/budgets" >&2
    exit 1
fi
cat "$work/units" "$work/little" "$work/alone" | while read -r name _; do
    grep -ah 'Test run with' "$work/$name.log"
done
