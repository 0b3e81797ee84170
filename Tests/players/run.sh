#!/usr/bin/env bash
# Plays an HLS and a DASH stream of two renditions in headless Chromium to their end: every frame is shown, and there is
# sound. mediaconch checks Matroska, FFV1 and WAVE, mkvmerge Matroska, and mediainfo finds nothing amiss in the others, with
# every frame and millisecond. Usage: run.sh SPLITREEL. Needs chromium, mediaconch, mediainfo, mkvmerge and ffmpeg.
set -euo pipefail
splitreel=$(realpath "${1:?usage: run.sh SPLITREEL}")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
folder=$(mktemp -d --tmpdir splitreel-players-XXXXXX)
player=
trap '[ -z "$player" ] || { kill "$player" 2>/dev/null || true; wait "$player" 2>/dev/null || true; }; rm -rf "$folder"' EXIT
trap 'exit 143' INT TERM
# What players keep goes, too.
export TMPDIR=$folder
cd "$folder"

ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=480x270:r=25:d=8 -f lavfi -i sine=440:r=48000:d=8 \
    -c:v libx264 -preset ultrafast -c:a aac -shortest source.mp4
"$splitreel" new source.mp4 -o cut.json >/dev/null 2>&1
failed=0
for name in film.m3u8 film.mpd; do
    "$splitreel" render cut.json -o "$name" --renditions 480x270:600k,240x134:200k --segment-interval 2s >/dev/null 2>&1
    python3 "$here/serve.py" "$folder" "$name" >saw &
    player=$!
    wait "$player"
    player=
    saw=$(cat saw)
    echo "$name: $saw"
    # Eight seconds of 25 frames each; a packet of sound may end after the last frame.
    [[ $saw =~ ^ended\ 8(\.0[0-9]*)?\ 200\ sound$ ]] || failed=1
    rm film*
done
for settings in "film.mkv --video-codec ffv1 --audio-codec flac" "film.mkv" "film.webm" "film.wav"; do
    # shellcheck disable=SC2086
    "$splitreel" render cut.json -o $settings --overwrite >/dev/null 2>&1
    saw=$(mediaconch "${settings%% *}" | tr -d '\n')
    echo "$settings: $saw"
    [[ $saw == pass* ]] || failed=1
done
for name in film.mkv film.webm; do
    saw=$(mkvmerge -J "$name" | python3 -c 'import json, sys; film = json.load(sys.stdin); print(film["errors"] + film["warnings"])')
    echo "$name: mkvmerge has $saw"
    [[ $saw == "[]" ]] || failed=1
done
for settings in film.mp4 "film.mp4 --video-codec hevc" "film.mp4 --video-codec av1" "film.mov --video-codec prores" \
    "film.mov --video-codec dnxhr" "film.mxf --video-codec mpeg2" film.m4a film.flac; do
    # shellcheck disable=SC2086
    "$splitreel" render cut.json -o $settings --overwrite >/dev/null 2>&1
    saw=$(mediainfo --Inform="General;%Duration% ms %FrameCount% %IsTruncated%%ConformanceErrors%" "${settings%% *}")
    echo "$settings: $saw"
    [[ $saw =~ ^8000\ ms\ (200)?\ $ ]] || failed=1
done
exit "$failed"
