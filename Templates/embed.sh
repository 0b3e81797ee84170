#!/usr/bin/env bash
# Makes Sources/Authoring/Templates/Texts of Templates/*.json: Swift's literals, so that the one binary has them.
# --write writes the files; without it they are printed. A test holds the two to each other.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
texts=../Sources/Authoring/Templates/Texts

# literal NAME: as lowerThird for lower-third.
literal() { sed -E 's/-([a-z])/\U\1/g' <<<"$1"; }

# made WHAT: what stands in a file.
made() {
    printf '// Made of Templates/%s by `Templates/embed.sh --write`; change that.\n\nextension Template {\n' "$1"
}

one() {
    made "$1.json"
    printf '    static let %s = #"""\n' "$(literal "$1")"
    sed 's/^\(.\)/        \1/' "$1.json"
    printf '        """#\n}\n'
}

all() {
    made '*.json'
    printf '    package static let texts = [\n'
    for file in *.json; do printf '        %s,\n' "$(literal "${file%.json}")"; done
    printf '    ]\n}\n'
}

# put FILE: to it, or to where people look.
put() { if [ "$write" = --write ]; then cat >"$texts/$1"; else cat; fi; }

write=${1:-}
mkdir -p "$texts"
for file in *.json; do
    name=${file%.json}
    camel=$(literal "$name")
    one "$name" | put "Template+${camel^}.swift"
done
all | put Template+Texts.swift
