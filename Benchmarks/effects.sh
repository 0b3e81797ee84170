#!/usr/bin/env bash
# Builds what measures effects, and runs it, with ffmpeg's filters of the same purpose after it.
# Usage: effects.sh [FRAMES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/Effects"
frames=${1:-15}

swift build -c release >&2
"$(swift build -c release --show-bin-path)/EffectBench" "$frames"

# The same picture for all: how long a frame takes more with the filter than without it, one thread.
cube=$(mktemp --suffix=.cube)
trap 'rm -f "$cube"' EXIT
awk 'BEGIN { print "LUT_3D_SIZE 33"; for (b = 0; b < 33; b++) for (g = 0; g < 33; g++) for (r = 0; r < 33; r++)
    printf "%f %f %f\n", r * r / 2048 + g / 64, g * 0.9 / 32 + b * b / 10240, b * 0.7 / 32 + r * 0.3 / 32 }' > "$cube"
count=$((frames * 10))
milliseconds() {
    ffmpeg -v info -nostdin -benchmark -threads 1 -filter_complex_threads 1 -filter_threads 1 -f lavfi \
        -i "testsrc2=s=1920x1080:r=25,format=yuv420p,trim=end_frame=1,loop=-1:1" -filter_complex "$1" \
        -frames:v "$count" -f null - 2>&1 | sed -n 's/^bench: utime=\([0-9.]*\)s.*/\1/p' |
        awk -v count="$count" '{ printf "%.3f\n", $1 * 1000 / count }'
}
none=$(milliseconds "[0]null")
pair="[0]split[a][b];[b]negate,loop=-1:1[c];[a][c]"
nonePair=$(milliseconds "${pair}overlay=shortest=1")
for filter in "lut3d=file=$cube" gblur=sigma=20 chromakey=0x00ff00 boxblur=8 unsharp lenscorrection=k1=-0.2:k2=0.05 \
    vignette noise=alls=12 dblur=angle=30:radius=20; do
    time=$(milliseconds "[0]$filter")
    awk -v name="ffmpeg ${filter%%=*}" -v time="$time" -v none="$none" \
        'BEGIN { printf "%-40s %7.2f\n", name, time - none }'
done
echo "ffmpeg with two pictures, overlay of all: $nonePair"
for filter in "blend=all_mode=multiply" "xfade=wipeleft:duration=$((count / 25 + 1)):offset=0" \
    "xfade=slideleft:duration=$((count / 25 + 1)):offset=0"; do
    printf '%-40s %7.2f\n' "ffmpeg ${filter%%:*}" "$(milliseconds "$pair$filter")"
done
