#!/usr/bin/env bash
# Becomes systemd, as the first process of the machine that a folder is. Started by run.sh, in namespaces of its own.
# Usage: boot.sh ROOT TARGET
set -euo pipefail
root=$1 target=$2

mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
    touch "dev/$name"
    mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mkdir -p .before
pivot_root . .before
umount -l /.before
rmdir /.before
# Credentials of a service reach it by a mount that spreads.
mount --make-rshared /
exec env -i container=splitreel PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd \
    --log-target=null --show-status=no --unit="$target" </dev/null
