#!/usr/bin/env bash
# Mixes many sounds into one, and decodes the same sounds with ffmpeg: how fast one goes beside the other, and how much
# memory the mix takes. Usage: mix.sh SPLITREEL [SECONDS [TRACKS]]; MIX_FOLDER is where the sounds are made (a temporary
# folder that is removed; 1 MB for a minute of each).
#
# All run on one core. What is compared is CPU time: a shared machine does not change it much.
set -euo pipefail
# What an earlier run made would be no measure of this one.
export SPLITREEL_NO_CACHE=true
splitreel=$(realpath "${1:?usage: mix.sh SPLITREEL [SECONDS [TRACKS]]}")
seconds=${2:-600}
tracks=${3:-50}
folder=${MIX_FOLDER:-$(mktemp -d --tmpdir splitreel-mix-XXXXXX)}
mkdir -p "$folder"
[ -n "${MIX_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Nothing is taken out of a cache: what is measured is mixed.
export XDG_CACHE_HOME=$folder/cache
rm -rf "$XDG_CACHE_HOME"

# make NUMBER: a minute of stereo AAC of its own, repeated without coding it again.
make() {
    [ ! -s "$1-$seconds.m4a" ] || return 0
    ffmpeg -nostdin -v error -y -f lavfi -i "anoisesrc=color=pink:seed=$1:amplitude=0.1:r=48000:d=60" \
        -f lavfi -i "sine=frequency=$((150 + 37 * $1)):r=48000:d=60" -filter_complex "[0][1]amerge=inputs=2" \
        -c:a aac -b:a 128k "part-$1.m4a"
    ffmpeg -nostdin -v error -y -stream_loop -1 -i "part-$1.m4a" -t "$((seconds + 1))" -c copy "$1-$seconds.m4a"
    rm "part-$1.m4a"
}
echo "mix: making $tracks sounds of $seconds s in $folder" >&2
for ((n = 0; n < tracks; n++)); do make "$n"; done

awk -v tracks="$tracks" -v seconds="$seconds" 'BEGIN {
    print "{\"format\":\"splitreel/1\",\"assets\":{"
    for (n = 0; n < tracks; n++) printf "%s\"s%d\":{\"url\":\"%d-%d.m4a\"}", n ? "," : "", n, n, seconds
    print "},\"composition\":{\"tracks\":["
    for (n = 0; n < tracks; n++)
        printf "%s{\"id\":%d,\"type\":\"audio\",\"segments\":[{\"asset\":\"s%d\",\"source\":[\"0s\",\"%ds\"]," \
            "\"target\":[\"0s\",\"%ds\"],\"volume\":%g}]}\n", n ? "," : "", n + 1, n, seconds, seconds, 1 / tracks
    print "]},\"audio\":{\"inputs\":["
    # Every other track is panned, and its volume goes up and down once in ten seconds.
    for (n = 0; n < tracks; n += 2) {
        printf "%s{\"track\":%d,\"pan\":[{\"at\":\"0s\",\"value\":%g}],\"volume\":[", n ? "," : "", n + 1, n / tracks - 0.5
        for (t = 0; t < seconds; t += 10)
            printf "%s{\"range\":[\"%ds\",\"5s\"],\"from\":0.5,\"to\":1},{\"range\":[\"%ds\",\"5s\"],\"from\":1,\"to\":0.5}", \
                t ? "," : "", t, t + 5
        print "]}"
    }
    print "]}}"
}' >mix.json

# measured NAME COMMAND…: its CPU seconds and its largest process in MiB.
measured() {
    local name=$1
    shift
    taskset -c 0 /usr/bin/time -v -o "$name.time" "$@" >/dev/null 2>"$name.log" || { cat "$name.log" >&2; return 1; }
    awk -F': ' '/User time/ || /System time/ { cpu += $2 } /Maximum resident/ { size = $2 / 1024 }
        END { printf "%.2f %.0f\n", cpu, size }' "$name.time"
}
sources=()
for ((n = 0; n < tracks; n++)); do sources+=(-threads 1 -i "$n-$seconds.m4a"); done
outputs=()
for ((n = 0; n < tracks; n++)); do outputs+=(-map "$n:a" -c:a pcm_f32le -t "$seconds" -f null -); done
read -r decoding _ < <(measured decode ffmpeg -nostdin -v error -filter_threads 1 "${sources[@]}" "${outputs[@]}")
read -r mixing size < <(measured mix "$splitreel" render mix.json -o mix.m4a --overwrite --workers 1)
awk -v tracks="$tracks" -v seconds="$seconds" -v a="$decoding" -v b="$mixing" -v size="$size" 'BEGIN {
    printf "%d sounds of %d s: decoding alone %.1f s of CPU, the mix and its AAC %.1f s: %.2f × its speed, %d MiB\n",
        tracks, seconds, a, b, a / b, size }'
