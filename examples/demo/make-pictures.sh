#!/usr/bin/env bash
# Makes the pictures of the demo film in docs/: demo.webp, which moves, and demo.png, six of its frames.
# Usage: make-pictures.sh SPLITREEL, after `make demo`.
set -euo pipefail

splitreel=$(realpath "${1:?usage: make-pictures.sh SPLITREEL}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
docs=$here/../../docs
demo=$here/../../demo
cp "$here/trailer.json" "$demo/"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$splitreel" render "$demo/trailer.json" -o "$docs/demo.webp" --size 480x270 --crf 30 --overwrite
"$splitreel" frame "$demo/demo.json" --at 2.6s --at 7s --at 11.7s --at 14s --at 17.5s --at 22s -o "$work/%d.png"
ffmpeg -nostdin -hide_banner -loglevel error -y -i "$work/%d.png" \
    -vf "scale=480:-1:flags=area+accurate_rnd,tile=3x2:padding=8:color=white" -frames:v 1 -update 1 "$docs/demo.png"
