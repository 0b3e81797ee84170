#!/usr/bin/env bash
# Runs a command in a control group of its own, of version 1 or 2, with so many cores and so many bytes of memory; then says
# how it went, in one line on standard error: `group: version V, killed N, most BYTES`. The status is the command's, or 77
# with a reason where no such group can be made.
#
# Usage: group.sh CORES BYTES COMMAND [ARGUMENT ...]      as root
set -euo pipefail
cores=$1 bytes=$2
shift 2
name=splitreel-test-$$
folders=()

lack() {
    echo "group.sh: no control group: $*" >&2
    exit 77
}
# shellcheck disable=SC2317
remove() {
    local folder count
    for folder in "${folders[@]}"; do
        for ((count = 0; count < 50; count++)); do
            [ -d "$folder" ] || break
            rmdir "$folder" 2>/dev/null || sleep 0.1
        done
    done
}
trap remove EXIT
trap 'exit 143' TERM INT

# The place at which the tree of a controller of version 1 is mounted.
place() { awk -v wanted="$1" '$3 == "cgroup" && $4 ~ "(^|,)" wanted "(,|$)" { print $2; exit }' /proc/self/mounts; }
make() {
    # Groups of runs that were killed are empty.
    rmdir "$1"/splitreel-test-* 2>/dev/null || true
    mkdir "$1/$name" 2>/dev/null || lack "$1 is not for us"
    folders+=("$1/$name")
}

memory=$(place memory)
if [ -n "$memory" ]; then
    cpu=$(place cpu)
    [ -n "$cpu" ] || lack "no controller of processor time"
    version=1
    make "$memory"
    make "$cpu"
    memory=$memory/$name cpu=$cpu/$name
    echo "$bytes" >"$memory/memory.limit_in_bytes"
    echo 100000 >"$cpu/cpu.cfs_period_us"
    echo "${cores}00000" >"$cpu/cpu.cfs_quota_us"
else
    version=2
    root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
    [ -n "$root" ] || lack "none is mounted"
    if ! grep -qw memory "$root/cgroup.subtree_control" || ! grep -qw cpu "$root/cgroup.subtree_control"; then
        echo "+memory +cpu" >"$root/cgroup.subtree_control" 2>/dev/null || lack "$root gives no memory and cpu away"
    fi
    make "$root"
    memory=$root/$name cpu=''
    echo "$bytes" >"$memory/memory.max"
    [ ! -e "$memory/memory.swap.max" ] || echo 0 >"$memory/memory.swap.max"
    echo "${cores}00000 100000" >"$memory/cpu.max"
fi

status=0
(
    echo "$BASHPID" >"$memory/cgroup.procs"
    [ -z "$cpu" ] || echo "$BASHPID" >"$cpu/cgroup.procs"
    exec "$@"
) || status=$?
killed=$(sed -n 's/^oom_kill //p' "$memory/memory.oom_control" "$memory/memory.events" 2>/dev/null || true)
most=$(cat "$memory/memory.max_usage_in_bytes" "$memory/memory.peak" 2>/dev/null || true)
echo "group: version $version, killed ${killed:-unknown}, most ${most:-unknown}" >&2
exit "$status"
