#!/usr/bin/env bash
# Builds everything from nothing in a folder of its own and prints, as a Markdown table, the seconds that each module
# took: by the clock, and of the processors. Beside each other two modules take longer by the clock than alone.
# Usage: build-times.sh SWIFT [FLAGS FOR SWIFT BUILD]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift=$(command -v "$1")
shift
toolchain=$(dirname "$(dirname "$(readlink -f "$swift")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
# SwiftPM looks for its index library beside the compiler.
ln -s "$toolchain/lib" "$work/lib"

# SwiftPM calls this in place of the compiler.
cat >"$work/bin/swiftc" <<COMPILER
#!/usr/bin/env bash
module=
for ((place = 1; place < \$#; place++)); do
    [ "\${!place}" != -module-name ] || { next=\$((place + 1)); module=\${!next}; break; }
done
TIMEFORMAT="\$module %R %U %S"
{ time "$toolchain/bin/swiftc" "\$@" 2>&3; } 3>&2 2>>"$work/times"
COMPILER
chmod +x "$work/bin/swiftc"

rm -rf .build-times
start=$SECONDS
SWIFT_EXEC=$work/bin/swiftc "$swift" build --scratch-path .build-times "$@" >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log" >&2; exit 1; }
total=$((SECONDS - start))
rm -rf .build-times

echo "| module | seconds by the clock | of the processors |"
echo "|---|---|---|"
awk 'NF == 4 { clock[$1] += $2; cpu[$1] += $3 + $4 }
     END { for (name in cpu) if (cpu[name] >= 1) printf "| %s | %.0f | %.0f |\n", name, clock[name], cpu[name] }' \
    "$work/times" | sort -t '|' -k4,4nr
echo
echo "All of it: $total s by the clock, $(awk '{ sum += $3 + $4 } END { printf "%.0f", sum }' "$work/times") s of Swift's compiler."
