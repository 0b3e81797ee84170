#!/usr/bin/env bash
# Renders from an object of 1 GB over a link that breaks twice, and sends films whose senders are cancelled and killed:
# what is read is the object, little of it is in memory at a time, and nothing of an upload is left. Prints what it saw.
# Usage: long.sh SPLITREEL; `make s3` runs it. Needs ffmpeg, and 4 GB of disk below TMPDIR.
set -euo pipefail
# What an earlier run made would be no measure of this one.
export SPLITREEL_NO_CACHE=true
splitreel=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
here=$PWD
python=$(../venv.sh s3 'moto[server]==5.2.1')/bin/python
work=$(mktemp -d "${TMPDIR:-/tmp}/splitreel-s3-XXXXXX")
children=()
finish() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
cd "$work"

fail() { echo "FAILED: $*"; tail -n 20 ./*.err 2>/dev/null || true; exit 1; }

# start NAME COMMAND ...: starts a server that says `ready PORT`; $port is that.
start() {
    local name=$1
    shift
    "$@" >"$name.out" 2>"$name.err" &
    children+=($!)
    for _ in $(seq 300); do
        port=$(sed -n 's/^ready //p' "$name.out")
        if [ -n "$port" ]; then return; fi
        sleep 0.1
    done
    fail "$name does not come up"
}

objects() { "$python" "$here/objects.py" "http://127.0.0.1:$direct" studio "$@"; }

# peaks PID: waits for a process, and prints the most memory in MB of it and of the largest of its children.
peaks() {
    local own=0 child=0 pid
    while kill -0 "$1" 2>/dev/null; do
        own=$(peak "$1" "$own")
        for pid in $(pgrep -P "$1" 2>/dev/null) $(pgrep -P "$1" 2>/dev/null | xargs -r -n 1 pgrep -P 2>/dev/null); do
            child=$(peak "$pid" "$child")
        done
        sleep 0.05
    done
    echo "$own $child"
}
peak() {
    local now
    now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB$/\1/p' "/proc/$1/status" 2>/dev/null || true)
    if [ "${now:-0}" -gt $(($2 * 1024)) ]; then echo $((now / 1024)); else echo "$2"; fi
}

export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=us-east-1 XDG_CONFIG_HOME=$work/config
export SPLITREEL_CACHE=$work/cache
start store "$python" "$here/server.py" studio
direct=$port
mkdir -p files/studio/takes
start files "$python" "$here/files.py" files
start relay "$python" "$here/relay.py" "$port" --break-at 300000000 --break-at 700000000
export SPLITREEL_S3_ENDPOINT=http://127.0.0.1:$port

ffmpeg -v error -f lavfi -i testsrc2=s=640x360:r=25:d=87 -c:v rawvideo -pix_fmt uyvy422 files/studio/takes/big.mov
ln -s files/studio/takes/big.mov big.mov
echo "the object has $(stat -L -c %s big.mov) bytes"
composition() {
    cat <<JSON
{"format": "splitreel/1", "assets": {"a": {"url": "$1"}},
 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
  {"asset": "a", "source": ["0s", "87s"], "target": ["0s", "87s"]}]}]},
 "video": {"renderSize": [160, 90], "frameDuration": "1/25"}}
JSON
}
composition big.mov >near.json
composition s3://studio/takes/big.mov >far.json

"$splitreel" render near.json -o near.mp4 --workers 1 >near.out 2>near.err &
children+=($!)
read -r near nearChild <<<"$(peaks $!)"
wait $! || fail "the film of a file was not made"
"$splitreel" render far.json -o far.mp4 --workers 1 >far.out 2>far.err &
children+=($!)
read -r far farChild <<<"$(peaks $!)"
wait $! || fail "the film of an object was not made"
cmp near.mp4 far.mp4 || fail "the film of an object is another one"
resets=$(grep -c '^reset' relay.out || true)
[ "$resets" = 2 ] || fail "$resets connections were reset, and 2 should have been"
echo "1 GB over two resets: the same film"
echo "memory at most: $near MB and $nearChild MB of a child from a file, $far MB and $farChild MB from an object"
[ $((far - near + farChild - nearChild)) -le 64 ] || fail "more than 64 MB of the object were in memory"

# Another object under that name, while it is read.
"$splitreel" render far.json -o changed.mp4 --workers 1 >changed.out 2>changed.err &
changing=$!
children+=($!)
for _ in $(seq 600); do
    if grep -q 'chunks [1-9]' changed.err; then break; fi
    sleep 0.05
done
cp near.mp4 files/studio/takes/next.mov
mv files/studio/takes/next.mov files/studio/takes/big.mov
wait $changing && fail "a film of two objects was made"
grep -q 'changed' changed.err || fail "the change was not told"
[ ! -e changed.mp4 ] || fail "a film is there"
echo "changed while it was read: told, and no film"

# A film of some 60 MB on a slow link.
start slow "$python" "$here/relay.py" "$direct" --rate 6000000
export SPLITREEL_S3_ENDPOINT=http://127.0.0.1:$port
ffmpeg -v error -f lavfi -i testsrc2=s=640x360:r=25:d=12 -vf noise=alls=20:allf=t -c:v ffv1 wide.mkv
composition wide.mkv | sed 's/160, 90/640, 360/; s/87s/12s/g' >wide.json
send() {
    "$splitreel" render wide.json -o "s3://studio/films/$1.mkv" --video-codec ffv1 --workers 2 \
        >"$1.out" 2>"$1.err" &
    sender=$!
    children+=($!)
    for _ in $(seq 600); do
        if objects list | grep -q "\"uploads\": \[\"films/$1.mkv\"\]"; then return; fi
        kill -0 $sender 2>/dev/null || fail "it ended before its upload was seen"
    done
    fail "no upload was seen"
}
send cancelled
kill -INT $sender
wait $sender && fail "a cancelled render ends with a status of its own"
objects list | grep -q '"uploads": \[\]' || fail "a cancelled upload is left: $(objects list)"
echo "cancelled while it was sent: nothing is left"
send killed
kill -KILL $sender
wait $sender || true
objects list | grep -q '"uploads": \["films/killed.mkv"\]' || fail "the upload of a killed process is gone by itself"
"$splitreel" render wide.json -o s3://studio/films/next.mp4 --range 0s,1s >next.out 2>next.err || fail "no next film"
objects list | grep -q '"uploads": \[\]' || fail "a killed upload is left after the next start: $(objects list)"
objects list | grep -q 'films/killed.mkv' && fail "a part of a film is there"
echo "killed while it was sent: nothing is left after the next start"

