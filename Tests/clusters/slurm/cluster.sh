#!/usr/bin/env bash
# A Slurm cluster on this machine, for one command: munge, slurmctld and three nodes n1 to n3 of six cores, whatever the
# machine has, in namespaces of their own (network, processes, mounts, host name), so that no port is taken, nothing
# outside is touched, and all goes when this does, however it ends.
#
# Usage: cluster.sh FOLDER COMMAND [ARGUMENT ...]      as root; the status is the command's
# FOLDER gets the cluster's files and logs. The command is run there, with SLURM_CONF set. The partition `low` is the usual
# one; a job in `high` preempts those in it, which are requeued after GRACE seconds of grace (environment, 0).
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

if [ "${1:-}" != --inside ]; then
    folder=$1
    shift
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    exec setpriv --pdeathsig KILL unshare --net --uts --mount --propagation private --pid --fork --kill-child \
        --mount-proc bash "$here/cluster.sh" --inside "$folder" "$@"
fi

folder=$2
shift 2
name=login

say() {
    echo "cluster.sh: $*" >&2
    tail -n 5 "$folder"/*.log >&2 || true
    exit 1
}

# Answers whether a command succeeds within 20 s.
await() {
    local count
    for ((count = 0; count < 200; count++)); do
        if timeout 5 "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    return 1
}

hostname "$name"
ip link set lo up
# Slurm resolves no name where a machine has no address but that of the loop.
address=10.77.1.1
ip address add "$address/32" dev lo
printf '%s\n' "127.0.0.1 localhost" "$address $name" >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts

# Munge runs as its own user and trusts only folders that nobody else may write to.
mkdir -p "$folder/munge"
head -c 1024 /dev/urandom >"$folder/munge/key"
chmod 0400 "$folder/munge/key"
chmod 0755 "$folder" "$folder/munge"
chown -R munge:munge "$folder/munge"
socket=$folder/munge/socket
setpriv --reuid=munge --regid=munge --clear-groups munged --foreground --socket="$socket" --key-file="$folder/munge/key" \
    --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" --log-file="$folder/munge/log" \
    >"$folder/munged.log" 2>&1 &
await munge --no-input --socket="$socket" || say "munge does not answer"

cat >"$folder/slurm.conf" <<END
ClusterName=$name
SlurmctldHost=$name($address)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$socket
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdSpoolDir=$folder/spool-%n
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
JobRequeue=1
MaxArraySize=1000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmctldParameters=preempt_send_user_signal
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=3,sched_interval=3,batch_sched_delay=0
NodeName=n[1-3] NodeHostname=$name NodeAddr=$address Port=[16821-16823] CPUs=6 RealMemory=2000
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1 GraceTime=${GRACE:-0} State=UP
PartitionName=high Nodes=n[1-3] PriorityTier=10 State=UP
END
export SLURM_CONF=$folder/slurm.conf
mkdir -p "$folder/state"
slurmctld -f "$SLURM_CONF" >"$folder/start.log" 2>&1 || say "slurmctld does not start"
for node in n1 n2 n3; do
    slurmd -f "$SLURM_CONF" -N "$node" >>"$folder/start.log" 2>&1 || say "slurmd $node does not start"
done
# shellcheck disable=SC2016
await bash -c '[ "$(sinfo --noheader --partition=low --states=idle --format=%D)" = 3 ]' || say "the nodes are not idle"

status=0
cd "$folder"
"$@" || status=$?
exit "$status"
