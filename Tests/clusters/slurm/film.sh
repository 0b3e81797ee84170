#!/usr/bin/env bash
# A film by deploy/slurm/film.sbatch on the cluster of cluster.sh, whose workers are preempted and requeued while it renders,
# held to the film that `splitreel render` makes alone, byte by byte.
#
# Usage: film.sh short|full PROGRAM FOLDER      as root; FOLDER is made, and has the logs afterwards
# short: a film of 12 chunks and three workers: the first is alone when it is preempted and requeued, then come two more.
# full: 40 chunks; two of three workers preempted and requeued twice, a node drained, the array grown and shrunk, and the
# job of the film itself requeued and preempted.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scripts=$(cd "$here/../../../deploy/slurm" && pwd)

if [ "${1:-}" != --inside ]; then
    form=$1 program=$(readlink -f "$2")
    folder=$3
    mkdir -p "$folder"
    exec "$here/cluster.sh" "$folder" bash "$here/film.sh" --inside "$form" "$program"
fi
form=$2
export SPLITREEL_PROGRAM=$3 SPLITREEL_SLOTS=1 HOME=$PWD

# The long film takes about a minute on two cores, so that all of it happens while it renders.
seconds=6 width=320 height=180 preset=slow
[ "$form" = short ] || seconds=20 width=480 height=270 preset=veryslow
options=(--chunk-seconds 0.5 --encoder-preset "${FILM_PRESET:-$preset}")
cat >cut.json <<END
{"format": "splitreel/1", "assets": {"n": {"kind": "noise", "size": [$width, $height], "rate": 25, "monochrome": false}},
 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [{"asset": "n", "target": ["0s", "${seconds}s"]}]}]},
 "video": {"renderSize": [$width, $height], "frameDuration": "1/25"}}
END

fail() {
    echo "film.sh: $*" >&2
    squeue --array >&2 || true
    tail -n 40 splitreel-film-*.out >&2 || true
    exit 1
}
say() { echo "film.sh: $SECONDS s: $*"; }

# Waits until a command succeeds, for so many seconds.
until_true() {
    local limit=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$limit" ] || return 1
        sleep 0.1
    done
}

# The number of chunks that are done, by the coordinator's log.
chunks() { grep -c 'coordinator: chunk attempt finished' "splitreel-film-$film.out" || true; }
have_chunks() { [ "$(chunks)" -ge "$1" ]; }
# The task of the workers' array that runs on a node, and one fact of a task.
task_on() { squeue --noheader --array --name="splitreel-film-$film" --nodelist="$1" --states=R --format=%i | head -n 1; }
fact() { scontrol show job "$1" | sed -n "s/.*\\b$2=\\([^ ]*\\).*/\\1/p" | head -n 1; }
runs_on() { [ -n "$(task_on "$1")" ]; }
state_is() { [ "$(fact "$1" JobState)" = "$2" ]; }
restarted() { [ "$(fact "$1" JobState)" = RUNNING ] && [ "$(fact "$1" Restarts)" -ge "$2" ]; }
ended() { ! squeue --noheader --jobs="$film" --format=%T 2>/dev/null | grep -q .; }

# Has the worker of a node make room for a job of another partition, and brings it back.
preempt() {
    local node=$1 task before other
    until_true 30 runs_on "$node" || fail "no worker runs on $node"
    task=$(task_on "$node")
    before=$(fact "$task" Restarts)
    other=$(sbatch --parsable --partition=high --nodelist="$node" --cpus-per-task=4 --output=/dev/null --wrap 'sleep 1')
    until_true 30 state_is "$other" COMPLETED || fail "the other job did not get $node"
    until_true 30 state_is "$task" PENDING || fail "$task was not requeued"
    scontrol update "jobid=$task" starttime=now
    until_true 30 restarted "$task" "$((before + 1))" || fail "$task did not come back"
    say "preempted and back: $task of $node, $(chunks) chunks done"
}

"$SPLITREEL_PROGRAM" render cut.json -o alone.mp4 --workers 2 --quiet "${options[@]}" >/dev/null
say "rendered alone"

# A folder with files of somebody else is none for a job, which would remove it.
mkdir mine
echo mine >mine/media
other=$(FILM_FOLDER=$PWD/mine sbatch --parsable --nodelist=n2 "$scripts/film.sbatch" cut.json other.mp4)

export FILM_WORKERS=3
[ "$form" = full ] || export FILM_WORKERS=1 FILM_WORKER_OPTIONS=--nodelist=n3
film=$(sbatch --parsable --nodelist=n1 "$scripts/film.sbatch" cut.json film.mp4 "${options[@]}")
until_true 30 have_chunks 1 || fail "no chunk was rendered"
if [ "$form" = short ]; then
    preempt n3
    "splitreel-$film/workers" --array=11-12 --cpus-per-task=2 --nodelist=n2
    until_true 30 runs_on n2 || fail "no worker more runs"
else
    for round in 1 2; do
        preempt n2
        preempt n3
        say "round $round done"
    done
    scontrol update nodename=n2 state=drain reason=test
    "splitreel-$film/workers" --array=11-12
    say "n2 drains, and the array has two more"
    scontrol requeue "$film"
    until_true 40 state_is "$film" PENDING || fail "the film's job was not requeued"
    scontrol update "jobid=$film" starttime=now
    until_true 40 restarted "$film" 1 || fail "the film's job did not come back"
    say "the job of the film was requeued, $(chunks) chunks done"
    # Without grace Slurm tells all of a preempted job at once, and its script twice.
    above=$(sbatch --parsable --partition=high --nodelist=n1 --cpus-per-task=6 --output=/dev/null --wrap 'sleep 1')
    until_true 40 state_is "$above" COMPLETED || fail "the other job did not get n1"
    until_true 40 state_is "$film" PENDING || fail "the film's job was not requeued by its preemption"
    scontrol update "jobid=$film" starttime=now
    until_true 40 restarted "$film" 2 || fail "the film's job did not come back from its preemption"
    say "the job of the film was preempted, $(chunks) chunks done"
    scontrol update nodename=n2 state=resume
    until_true 40 runs_on n2 || fail "no worker on n2 after it was resumed"
    scancel "$(task_on n2)"
    say "one task fewer"
fi
until_true 240 ended || fail "the film's job does not end"
[ "$(fact "$film" JobState) $(fact "$film" ExitCode)" = "COMPLETED 0:0" ] || fail "the film's job failed"
cmp alone.mp4 film.mp4 || fail "the film is another one"
[ "$(grep -c 'coordinator: job submitted' "splitreel-film-$film.out")" = 1 ] || fail "the film was begun anew"
[ ! -e "splitreel-$film" ] || fail "the folder of the job is still there"
[ -z "$(squeue --noheader)" ] || fail "jobs are left"
! grep -q 'keys cannot be read' splitreel-film-*.out || fail "the coordinator outlived its folder"
! pgrep -x splitreel >/dev/null || fail "a process is left"
[ -z "$(find . -maxdepth 1 -name '.film.mp4.splitreel-*')" ] || fail "a work folder is left"
[ "$(fact "$other" ExitCode) $(cat mine/media)" = "2:0 mine" ] || fail "a job took the folder of somebody else"
again=$(cat splitreel-film-*.out | grep -c 'coordinator: chunk attempt started attempt=[2-9]' || true)
say "the same $(stat --format=%s film.mp4) bytes; $(chunks) chunks, $again attempts again"
