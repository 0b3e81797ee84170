#!/usr/bin/env bash
# The page on Slurm, word by word, on the cluster of cluster.sh: each line `    login$  COMMAND` of it, in order.
#
# Usage: page.sh PROGRAM FOLDER      as root; FOLDER is made, and has the logs afterwards
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../../.." && pwd)

if [ "${1:-}" != --inside ]; then
    program=$(readlink -f "$1")
    mkdir -p "$2"
    exec "$here/cluster.sh" "$2" bash "$here/page.sh" --inside "$program"
fi
program=$2
export HOME=$PWD SPLITREEL_SLOTS=1
ln -s "$project" splitreel
mkdir bin
ln -s "$program" bin/splitreel
export PATH=$PWD/bin:$PATH
cat >cut.json <<'END'
{"format": "splitreel/1", "assets": {"n": {"kind": "bars"}},
 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [{"asset": "n", "target": ["0s", "2s"]}]}]},
 "video": {"renderSize": [320, 180], "frameDuration": "1/25"}}
END

fail() {
    echo "page.sh: $*" >&2
    squeue --array >&2 || true
    tail -n 20 ./*.out >&2 || true
    exit 1
}

while IFS= read -r -u 3 command; do
    echo "page.sh: $SECONDS s: $command"
    case $command in
    "splitreel coordinator "*)
        bash -c "$command" >coordinator.out 2>&1 &
        coordinator=$!
        for ((count = 0; count < 100; count++)); do
            ! grep -q '^listening on' coordinator.out || break
            sleep 0.1
        done
        ;;
    *) bash -c "$command" || fail "status $?" ;;
    esac
    # A film's job ends by itself, and its film is there.
    if [[ $command == *film.sbatch* && $command == *sbatch\ * && $command != cp* ]]; then
        for ((count = 0; count < 600; count++)); do
            [ -n "$(squeue --noheader)" ] || break
            sleep 0.1
        done
        film=$(grep -o 'film\.m[pk][4v]' <<<"$command")
        [ -s "$film" ] || fail "$film is not there"
        rm "$film"
    fi
done 3< <(sed -n 's/^    login\$ *//p' "$project/docs/operating/slurm.md")
[ -s second.mp4 ] || fail "second.mp4 is not there"
scancel --name=splitreel-worker
for ((count = 0; count < 200; count++)); do
    [ -n "$(squeue --noheader)" ] || break
    sleep 0.1
done
kill -TERM "$coordinator"
wait "$coordinator" || true
[ -z "$(find . -maxdepth 1 -name 'splitreel-*' -type d)" ] || fail "a job's folder is left"
echo "page.sh: $SECONDS s: all of it"
