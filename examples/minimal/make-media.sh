#!/usr/bin/env bash
# Makes two clips and some music with ffmpeg: what film.json shows. Usage: make-media.sh [FOLDER]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")}"

clip() {
    ffmpeg -nostdin -v error -y -f lavfi -i "$2=s=640x360:r=30:d=5" \
        -c:v libx264 -preset ultrafast -pix_fmt yuv420p "$1"
}

clip a.mp4 testsrc2
clip b.mp4 smptebars
ffmpeg -nostdin -v error -y -f lavfi -i "sine=f=330:d=9" -c:a aac music.m4a
