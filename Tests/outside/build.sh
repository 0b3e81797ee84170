#!/usr/bin/env bash
# A package of somebody else's, in an empty folder: the two files of docs/guide/library.md, which depend on this
# repository by its URL, as it is committed now. It is built for release, which takes minutes, makes a film, and has no
# command in it: no argument parser, no Yams and no SplitreelCommands is linked.
#
# Usage: build.sh [SWIFT [FLAG…]]: flags are those of `swift build`. All is made in a folder of its own below TMPDIR,
# which goes at the end, however it ends.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
swift=${1:-swift}
flags=("${@:2}")

say() { echo "outside: $*"; }
fail() { echo "outside: $*" >&2; exit 1; }

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# block HEADING: the first block of Swift below a heading of the guide's page.
block() {
    local lines
    lines=$(awk -v heading="## $1" '
        $0 == heading { below = 1; next }
        below && inside && /^```/ { exit }
        inside { print }
        below && $0 == "```swift" { inside = 1 }' "$root/docs/guide/library.md")
    [ -n "$lines" ] || fail "docs/guide/library.md has no Swift below “$1”"
    printf '%s\n' "$lines"
}

say "copying the repository at $(git -C "$root" describe --always --dirty)"
git clone --quiet --bare "$root" "$work/splitreel.git"
# A version of those that the manifest asks for, above all that there are.
git -C "$work/splitreel.git" tag --force 0.9999.0 HEAD >/dev/null

mkdir -p "$work/join/Sources/Join"
cd "$work/join"
block "Depend on it" | sed "s|url: \"[^\"]*\"|url: \"file://$work/splitreel.git\"|" >Package.swift
grep -q "file://$work/splitreel.git" Package.swift || fail "the manifest of the guide names no url"
block "A first program" >Sources/Join/main.swift
lines=$(grep -c . Sources/Join/main.swift)
[ "$lines" -le 10 ] || fail "the program has $lines lines, not ten"
say "a program of $lines lines, and a manifest of $(grep -c . Package.swift)"

began=$SECONDS
# Beside this, so that whoever ends the script ends the build.
"$swift" build -c release "${flags[@]}" --no-color-diagnostics &
wait $!
seconds=$((SECONDS - began))
program=$PWD/.build/release/Join
say "built in $((seconds / 60)) min $((seconds % 60)) s on $(nproc) cores"

# What is linked: the objects that the linker was given, and the symbols that are in the program. A name of Swift's has
# its module's in it, after the number of its letters.
objects=$PWD/.build/release/Join.product/Objects.LinkFileList
nm --defined-only "$program" >"$work/symbols"
# linked MODULE: whether an object or a symbol of it is there.
linked() {
    grep -q "/$1\.build/" "$objects" || LC_ALL=C grep -q "${#1}$1" "$work/symbols"
}
linked Splitreel || fail "no object and no symbol of Splitreel is found: this would find nothing else either"
for module in ArgumentParser ArgumentParserToolInfo CYaml Yams SplitreelCommands SplitreelSettings; do
    ! linked "$module" || fail "$module is linked"
done
say "$(wc -l <"$objects") objects and $(wc -l <"$work/symbols") symbols; none of them is of commands"

for name in red blue; do
    ffmpeg -v error -nostdin -f lavfi -i "color=$name:s=64x36:r=25:d=1" -pix_fmt yuv420p "$name.mp4"
done
"$program" red.mp4 blue.mp4
frames=$(ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames -of csv=p=0 film.mp4)
[ "$frames" = 50 ] || fail "film.mp4 has ${frames:-no} frames, not 50"
# The colour at the start and in the second half, as ffmpeg sees it: red, then blue.
for place in 0.2:red 1.8:blue; do
    read -r red blue < <(ffmpeg -v error -nostdin -ss "${place%:*}" -i film.mp4 -frames:v 1 -vf scale=1:1 \
        -f rawvideo -pix_fmt rgb24 - | od -An -tu1 | awk '{ print $1, $3 }')
    if [ "$red" -gt "$blue" ]; then seen=red; else seen=blue; fi
    [ "$seen" = "${place#*:}" ] || fail "film.mp4 is $seen at ${place%:*} s"
done
say "film.mp4 has 50 frames, red ones and then blue ones"
