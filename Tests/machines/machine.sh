#!/usr/bin/env bash
# The inside of one machine, in namespaces of its own: a root with the system to read, this program, a folder of its own
# (FOLDER/NAME there, /NAME here) and nothing else of the machine that it stands on. Started by machines.sh.
# Usage: machine.sh FOLDER NAME PROGRAM
set -euo pipefail
folder=$1 name=$2 program=$3
root=/mnt

echo "$name" >/proc/sys/kernel/hostname
mount -t tmpfs -o mode=755 machine "$root"
shown() { mkdir -p "$root$1"; mount --bind "$1" "$root$1"; mount -o remount,bind,ro "$root$1"; }
for place in /usr /etc /var/cache/fontconfig; do [ ! -d "$place" ] || shown "$place"; done
for place in /bin /sbin /lib /lib32 /lib64 /libx32; do
    if [ -L "$place" ]; then cp -P "$place" "$root$place"; elif [ -d "$place" ]; then shown "$place"; fi
done
# Libraries that lie elsewhere, such as those of a Swift toolchain.
ldd "$program" | awk '$3 ~ /^\// && $3 !~ /^\/(usr|lib)/ { print $3 }' | xargs -r dirname | sort -u |
    while read -r place; do shown "$place"; done
mkdir -p "$root$(dirname "$program")" "$root/proc" "$root/dev" "$root/sys" "$root/tmp" "$root/old" "$root/$name" \
    "$root/program" "$root/var/lib" "$root/srv"
chmod 1777 "$root/tmp"
touch "$root$program"
mount --bind "$program" "$root$program"
ln -s "$program" "$root/program/splitreel"
for place in /proc /dev /sys; do mount --rbind "$place" "$root$place"; done
mount --bind "$folder/hosts" "$root/etc/hosts"
mkdir -p "$folder/$name"
mount --bind "$folder/$name" "$root/$name"
touch "$folder/$name.up"

cd "$root"
pivot_root . old
cd /
umount --lazy /old
rmdir /old
exec sleep infinity
