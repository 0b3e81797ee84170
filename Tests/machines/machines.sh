#!/usr/bin/env bash
# Machines of a network, on this one: each has its own network card, host name and root (machine.sh), and nothing in common
# with the others but the system's files to read, the program and the wire (relay.pl: RATE Mbit/s, DELAY ms). Each is known
# to the others by its name. Nothing of it is in this machine's own namespaces, and all goes when this does.
#
# Usage: machines.sh OWNER PROGRAM FOLDER RATE DELAY NAME...
# It says `NAME PROCESS` for each and then `ready`. The folder NAME below FOLDER is the machine's /NAME. A program is
# started in it by `nsenter --target PROCESS --net --mount --uts PROGRAM …`. While FOLDER/NAME.cut is there, its wire is
# cut. It ends when the process OWNER does, or by SIGTERM, and then ends what runs in the machines.
set -euo pipefail
# ip lies in sbin, which not every path has.
PATH=$PATH:/usr/sbin:/sbin
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
owner=$1 program=$2 folder=$3 rate=$4 delay=$5
shift 5
names=("$@")
processes=()
spaces=" "

say() { echo "machines.sh: $*" >&2; exit 1; }

stop() {
    local process space
    trap '' TERM INT EXIT
    # bash tells of each that is killed.
    exec 2>/dev/null
    for process in /proc/[0-9]*; do
        space=$(readlink "$process/ns/net" 2>/dev/null) || continue
        [[ $spaces != *" $space "* ]] || kill -KILL "${process#/proc/}" 2>/dev/null || true
    done
    wait
}
trap 'stop; exit 0' TERM INT
trap stop EXIT

# Waits for a file, 10 s at most.
await() {
    local count
    for ((count = 0; count < 200; count++)); do
        [ ! -e "$1" ] || return 0
        sleep 0.05
    done
    say "$2 did not come up"
}

# Its own network namespace is known before anything else may be started in it.
own=$(readlink /proc/self/ns/net)
note() {
    local count space
    for ((count = 0; count < 200; count++)); do
        space=$(readlink "/proc/$1/ns/net") || say "a process of the machines ended at its start"
        if [ "$space" != "$own" ]; then spaces+="$space "; return; fi
        sleep 0.05
    done
    say "no network namespace was made"
}

rm -f "$folder"/*.up "$folder"/*.cut
{
    echo "127.0.0.1 localhost"
    for ((number = 1; number <= ${#names[@]}; number++)); do echo "10.77.0.$number ${names[number - 1]}"; done
} >"$folder/hosts"

setpriv --pdeathsig KILL unshare --net perl "$here/relay.pl" "$folder" "$rate" "$delay" "${names[@]}" &
relay=$!
note "$relay"
for name in "${names[@]}"; do
    setpriv --pdeathsig KILL unshare --net --mount --uts --propagation private \
        bash "$here/machine.sh" "$folder" "$name" "$program" &
    processes+=($!)
    note $!
done
await "$folder/relay.up" "the relay"
for ((number = 1; number <= ${#names[@]}; number++)); do
    process=${processes[number - 1]}
    await "$folder/${names[number - 1]}.up" "machine ${names[number - 1]}"
    nsenter --target "$relay" --net ip link set "m$number" netns "$process"
    nsenter --target "$process" --net ip link set lo up
    nsenter --target "$process" --net ip link set "m$number" address "02:00:00:00:00:0$number" name eth0
    nsenter --target "$process" --net ip address add "10.77.0.$number/24" dev eth0
    nsenter --target "$process" --net ip link set eth0 up
    echo "${names[number - 1]} $process"
done
echo ready
while [ -d "/proc/$owner" ] && [ -d "/proc/$relay" ]; do
    # A signal ends the pause, and not only after it.
    sleep 0.5 &
    wait $! || true
done
