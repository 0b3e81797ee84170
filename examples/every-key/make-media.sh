#!/usr/bin/env bash
# Makes the files that film.json shows, small and with ffmpeg alone. Usage: make-media.sh [FOLDER]
# An iPhone's Live Photo is a HEIC and a film; a JPEG under the HEIC's name stands for it here.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")}"
mkdir -p media proxy out

made() { ffmpeg -nostdin -v error -y "$@"; }

# film NAME SOURCE SECONDS [OPTION…]: pictures and a tone.
film() {
    local name=$1 source=$2 seconds=$3
    shift 3
    made -f lavfi -i "$source:r=10:d=$seconds" -f lavfi -i "sine=d=$seconds" "$@" \
        -c:v libx264 -preset ultrafast -pix_fmt yuv420p "$name"
}

printf '1\n00:00:00,000 --> 00:00:12,000\n{"lat":48.1}\n' >media/gps.srt
film media/a.mov testsrc2=s=1920x1080 12 -i media/gps.srt -map 0 -map 1 -map 2 -c:s mov_text
film media/portrait.mov testsrc=s=1080x1920 6
film proxy/portrait.mov testsrc=s=270x480 6
film media/img_0042.mov smptebars=s=1920x1080 5
made -f lavfi -i testsrc2=s=64x48 -frames:v 1 -f mjpeg media/img_0042.heic
made -f lavfi -i sine=d=12:r=44100 media/bgm.m4a
made -f lavfi -i "color=red@0.5:s=200x80,format=rgba" -frames:v 1 media/logo.png
made -f lavfi -i testsrc=s=100x100:r=10:d=1 media/cat.gif
