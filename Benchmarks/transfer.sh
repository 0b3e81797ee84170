#!/usr/bin/env bash
# Measures what it costs that media travel, all on this machine:
#   film   the same film by a worker that sees the files, by one that has all sent to it, and by one under keys
#   bytes  how much of a large source comes to a worker beside what its frames need, and how much a second time
# Usage: transfer.sh SPLITREEL [film|bytes]...; TRANSFER_SECONDS of film (60), TRANSFER_MB of source (1000),
# TRANSFER_RUNS (3), TRANSFER_WAYS (shared sent keys), TRANSFER_FOLDER, where all is made (a temporary folder that is
# removed). Fails where a figure is beyond its limit.
set -euo pipefail
# What an earlier run made would be no measure of this one.
export SPLITREEL_NO_CACHE=true
splitreel=$(realpath "${1:?usage: transfer.sh SPLITREEL [film|bytes]...}")
shift
parts=("${@:-film}")
[ $# -gt 0 ] || parts=(film bytes)
seconds=${TRANSFER_SECONDS:-60}
megabytes=${TRANSFER_MB:-1000}
runs=${TRANSFER_RUNS:-3}
read -r -a ways <<<"${TRANSFER_WAYS:-shared sent keys}"
folder=${TRANSFER_FOLDER:-$(mktemp -d --tmpdir splitreel-transfer-XXXXXX)}
mkdir -p "$folder"
processes=()
failed=0

leave() {
    [ ${#processes[@]} -eq 0 ] || kill -KILL "${processes[@]}" 2>/dev/null || true
    [ -n "${TRANSFER_FOLDER:-}" ] || rm -rf "$folder"
}
trap leave EXIT
cd "$folder"
export XDG_CACHE_HOME=$folder/cache

say() { echo "transfer: $*" >&2; }
limit() { # NAME FIGURE MOST
    awk -v name="$1" -v figure="$2" -v most="$3" 'BEGIN {
        printf "  %-42s %8.3f (limit %s)\n", name, figure, most; exit figure > most }' || failed=1
}

# A coordinator and a worker of two slots, fresh; WAY is shared, sent or keys.
start() {
    local way=$1 slots=$2 words=(--slots "$2" --name w) count
    # Nothing is taken out of a cache: what is measured is rendered.
    rm -rf state own empty cache ./*.token
    mkdir -p empty
    if [ "$way" = keys ]; then
        "$splitreel" keys init --data state 2>/dev/null
        for name in worker submit; do
            "$splitreel" keys add "$name" --role "$name" --endpoint tcp://127.0.0.1:7733 -o "$name.token" --data state 2>/dev/null
        done
    fi
    "$splitreel" coordinator --listen tcp://127.0.0.1:0 --data state >coordinator.out 2>coordinator.err &
    coordinator=$!
    for ((count = 0; count < 200; count++)); do
        endpoint=$(sed -n 's/^listening on //p' coordinator.out)
        [ -z "$endpoint" ] || break
        sleep 0.05
    done
    [ -n "$endpoint" ] || { cat coordinator.err >&2; exit 1; }
    asking=(--connect "$endpoint")
    [ "$way" != keys ] || { asking+=(--token submit.token); words+=(--token worker.token); }
    [ "$way" = shared ] || words+=(--data own --root empty)
    : >worker.err
    "$splitreel" worker --connect "$endpoint" "${words[@]}" >worker.out 2>worker.err &
    processes=("$coordinator" $!)
    for ((count = 0; count < 400; count++)); do
        [ "$(grep -c registered worker.err || true)" -lt "$slots" ] || return 0
        sleep 0.05
    done
    cat worker.err >&2
    exit 1
}

stop() {
    kill -TERM "${processes[@]}" 2>/dev/null || true
    wait "${processes[@]}" 2>/dev/null || true
    processes=()
}

# Renders; the seconds that it took are in `took`, the job's id in `job`.
film() { # COMPOSITION OUTPUT OPTIONS…
    local began=$EPOCHREALTIME
    "$splitreel" submit "$1" -o "$2" --overwrite --watch "${asking[@]}" --timeout 60 "${@:3}" >film.out 2>film.err ||
        { cat film.err worker.err >&2; exit 1; }
    took=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
    job=$(sed -n 's/^job \([^ ]*\).*/\1/p' film.err | head -n 1)
}

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

measure_film() {
    local source=film-$seconds.mp4 run way
    [ -s "$source" ] || {
        say "making $seconds s of 1080p"
        ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=1920x1080:r=30:d=$seconds,noise=alls=4:allf=t" \
            -f lavfi -i "sine=frequency=330:sample_rate=48000:d=$seconds" -c:v libx264 -preset ultrafast -crf 23 -g 60 \
            -pix_fmt yuv420p -c:a aac -movflags +faststart "$source"
    }
    cat >film.json <<END
{"format": "splitreel/1", "assets": {"a": {"url": "$source"}}, "composition": {"tracks": [
 {"id": 1, "type": "video", "segments": [{"asset": "a", "source": ["0s", "${seconds}s"], "target": ["0s", "${seconds}s"]}]},
 {"id": 2, "type": "audio", "segments": [{"asset": "a", "source": ["0s", "${seconds}s"], "target": ["0s", "${seconds}s"]}]}]},
 "video": {"renderSize": [1920, 1080], "frameDuration": "1/30"}}
END
    rm -f ./*.wall ./*.peak
    for ((run = 0; run < runs; run++)); do
        for way in "${ways[@]}"; do
            start "$way" 2
            film film.json "$way.mkv" --encoder-preset ultrafast --passthrough never
            echo "$took" >>"$way.wall"
            awk '/VmHWM/ { print $2 / 1024 }' "/proc/$coordinator/status" >>"$way.peak"
            stop
            say "run $((run + 1)), $way: $took s"
        done
    done
    echo "film: $seconds s of 1080p ($(du -m "$source" | cut -f1) MB), two slots, medians of $runs runs"
    for way in "${ways[@]}"; do
        printf '  %-42s %8.2f s, coordinator %4.0f MiB\n' "$way" "$(median <"$way.wall")" "$(sort -g "$way.peak" | tail -n 1)"
        cmp "$way.mkv" "${ways[0]}.mkv" || failed=1
    done
    for way in "${ways[@]:1}"; do
        limit "$way / ${ways[0]}" "$(awk -v a="$(median <"$way.wall")" -v b="$(median <"${ways[0]}.wall")" 'BEGIN { print a / b }')" 1.05
    done
}

told() { sed -n "s/.*\"$1\" *: *\([0-9][0-9]*\).*/\1/p" job.json | head -n 1; }

measure_bytes() {
    local source=source-$megabytes.mp4 frames=$((megabytes / 2)) length needed
    [ -s "$source" ] || {
        say "making $megabytes MB of source"
        ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=1280x720:r=25,noise=alls=100:allf=t" -frames:v "$frames" \
            -c:v libx264 -preset ultrafast -qp 0 -g 25 -bf 0 -pix_fmt yuv420p -movflags +faststart "$source"
    }
    length=$((frames / 25))
    # Eight pieces of 0.4 s, each in the middle of a second, spread over the source.
    local pieces="" number begin
    for ((number = 0; number < 8; number++)); do
        begin=$((number * (length - 1) / 8))
        pieces+="${pieces:+, }{\"asset\": \"a\", \"source\": [\"$begin.2s\", \"0.4s\"], \"target\": [\"$(awk -v n=$number 'BEGIN { print n * 0.4 }')s\", \"0.4s\"]}"
        echo "$begin"
    done >pieces
    cat >bytes.json <<END
{"format": "splitreel/1", "assets": {"a": {"url": "$source"}},
 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [$pieces]}]},
 "video": {"renderSize": [320, 180], "frameDuration": "1/25"}}
END
    # By ffprobe: the MiB blocks that the header and the packets of those frames lie in, each GOP from its first frame on.
    needed=$(ffprobe -v error -select_streams v -show_entries packet=pts_time,pos,size -of csv=p=0 "$source" |
        awk -F, 'NR == FNR { begin[NR] = $1; count = NR; next }
            FNR == 1 { for (b = 0; b * 1048576 < $3; b++) block[b] = 1 }
            { for (i = 1; i <= count; i++) if ($1 >= begin[i] - 0.001 && $1 < begin[i] + 0.6 - 0.001)
                for (b = int($3 / 1048576); b * 1048576 < $3 + $2; b++) block[b] = 1 }
            END { for (b in block) n++; printf "%.0f\n", n * 1048576 }' pieces -)
    start sent 1
    film bytes.json first.mkv
    "$splitreel" job "$job" --json "${asking[@]}" >job.json
    local first fetched
    first=$(told bytesNeeded)
    fetched=$(told bytesFetched)
    film bytes.json second.mkv
    "$splitreel" job "$job" --json "${asking[@]}" >job.json
    local again
    again=$(told bytesFetched)
    stop
    [ -n "$fetched" ] || { say "job --json tells no bytesFetched"; exit 1; }
    cmp first.mkv second.mkv || failed=1
    echo "bytes: a source of $(($(stat -c %s "$source") / 1000000)) MB, 8 pieces of 0.4 s, one slot"
    echo "  needed by ffprobe $((needed / 1048576)) MiB, by the farm $((first / 1048576)) MiB; fetched $((fetched / 1048576)) MiB, again $((${again:-0} / 1048576)) MiB"
    limit "fetched / needed" "$(awk -v a="$fetched" -v b="$needed" 'BEGIN { print a / b }')" 1.3
    limit "a second job: fetched / needed" "$(awk -v a="${again:-0}" -v b="$needed" 'BEGIN { print a / b }')" 0.02
}

for part in "${parts[@]}"; do
    case $part in
        film | bytes) "measure_$part" ;;
        *) say "there is no part $part: film or bytes"; exit 2 ;;
    esac
done
if [ $failed -ne 0 ]; then
    say "over a limit"
    exit 1
fi
