#!/usr/bin/env bash
# Sets a tag for each version of CHANGELOG.md that has none: at the commit that the version's heading names, as in
# `## 0.1.0 (2026-11-21, d8d02af3)`, or here for the newest one, which cannot name its own commit. Pushes nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=$(sed -n 's/.*static let version = "\([^"]*\)".*/\1/p' Sources/Diagnostics/Release.swift)
fail() { echo "tag.sh: $*" >&2; exit 1; }

sed -n 's/^## \([0-9.]*\) (\([0-9-]*\)\(, \([0-9a-f]*\)\)\{0,1\})$/\1 \2 \4/p' CHANGELOG.md |
    while read -r version date commit; do
        if git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null; then
            echo "v$version is at $(git rev-parse --short "v$version^{commit}")"
            continue
        fi
        if [ -z "$commit" ]; then
            [ "$version" = "$program" ] ||
                fail "version $version has no commit in CHANGELOG.md, and the program is $program: add it to the heading"
            ! grep -q '^## Unreleased' CHANGELOG.md ||
                fail "version $version has later work above it: add the version's commit to its heading"
            [ -z "$(git status --porcelain)" ] || fail "version $version would be tagged here: commit your changes first"
            commit=HEAD
        fi
        git tag --annotate "v$version" --message "Splitreel $version ($date)" "$commit"
        echo "v$version is set at $(git rev-parse --short "v$version^{commit}")"
    done
