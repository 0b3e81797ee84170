#!/bin/bash
# Makes the library's pages, one for each task and symbol, by the DocC of the Swift toolchain; `make docs` calls it after
# a build:
#
#     docs/library/make.sh .build/release .build/docs
#
# It compiles nothing: the compiler writes what a built module has public, and DocC makes pages of that and of
# Splitreel.docc. Warnings of DocC, such as a link that leads nowhere, are errors.
set -euo pipefail
build=$(realpath "$1") output=$(realpath -m "$2")
here=$(realpath "$(dirname "$0")") root=$(realpath "$(dirname "$0")/../..")
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

. "$here/modules.sh"

shared=$(sed -n 's/^@_exported public import //p' "$root/Sources/Splitreel/Exports.swift" | paste -sd,)
"$toolchain/swift" symbolgraph-extract -module-name Splitreel -I "$build/Modules" \
    -target "$(uname -m)-unknown-linux-gnu" -output-dir "$graphs" -minimum-access-level public \
    -skip-inherited-docs -experimental-allowed-reexported-modules="$shared" "${maps[@]}" "${headers[@]}"

rm -rf "$output"
mkdir -p "$(dirname "$output")"
"$toolchain/docc" convert "$here/Splitreel.docc" --additional-symbol-graph-dir "$graphs" --output-path "$output" \
    >"$graphs/said" 2>&1 || { cat "$graphs/said" >&2; exit 1; }
# A comment may tell of one parameter alone.
if grep -E '^(warning|error): ' "$graphs/said" | grep -qv 'is missing documentation$'; then
    cat "$graphs/said" >&2
    exit 1
fi
