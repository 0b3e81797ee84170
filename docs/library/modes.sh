#!/bin/bash
# Looks at the library as a program outside of this package does, in Swift 5's mode and in Swift 6's, after a build:
#
#     docs/library/modes.sh .build/release
#
# It compiles nothing: the compiler type-checks a file that names each public type of interface.txt, and the programs of
# the library's pages. A warning is an error.
set -euo pipefail
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")") root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. "$here/modules.sh"

# A line is MODULE, perhaps the type around it, and the declaration.
awk -F '  ' '
    BEGIN { print "import Splitreel\n\nfunc take(_ types: Any.Type...) {}\n\nfunc takeAll() {" }
    match($NF, /^public (indirect |final )*(struct|class|enum|protocol|actor) [A-Za-z0-9]+/) {
        count = split(substr($NF, 1, RLENGTH), words, " ")
        name = (NF == 3 ? $2 "." : "") words[count]
        if (substr($NF, RLENGTH + 1, 1) == "<") name = name "<Double>"
        print "    take(" (words[count - 1] == "protocol" ? "(any " name ")" : name) ".self)"
    }
    END { print "}" }' "$here/interface.txt" >"$work/Types.swift"
types=$(grep -c '\.self)$' "$work/Types.swift")
[ "$types" -gt 100 ]

for mode in 5 6; do
    "$toolchain/swiftc" -typecheck -parse-as-library -swift-version "$mode" -warnings-as-errors \
        -enable-upcoming-feature MemberImportVisibility -I "$build/Modules" "${maps[@]}" "${headers[@]}" \
        "$work/Types.swift" "$root"/Tests/SplitreelTests/*Programs.swift
done
echo "$types types"
