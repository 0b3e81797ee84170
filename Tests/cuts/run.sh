#!/usr/bin/env bash
# Makes films of random cuts of real and made media, and holds every frame against ffmpeg's decoding of its source: what
# was copied is the source's own frame, what was rendered looks like it, no timestamp is odd, and ffmpeg complains of
# nothing that it does not complain of in the source.
# Usage: run.sh SPLITREEL [SEED [FILMS [CORPUS]]]. Needs ffmpeg and python3.
set -euo pipefail
splitreel=$(realpath "${1:?usage: run.sh SPLITREEL [SEED [FILMS [CORPUS]]]}")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
corpus=${4:-$here/../../../shared/corpus}
folder=$(mktemp -d --tmpdir splitreel-cuts-XXXXXX)
cuts=
# All that was begun is one group, and ends before its folder goes.
end() {
    [ -z "$cuts" ] || { kill -- "-$cuts" && while kill -0 -- "-$cuts"; do sleep 0.1; done; } 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 143' INT TERM
set -m
nice -n 10 python3 -B "$here/cuts.py" "$splitreel" "$(realpath -m "$corpus")" "$folder" "${2:-1}" "${3:-200}" &
cuts=$!
set +m
wait "$cuts"
cuts=
