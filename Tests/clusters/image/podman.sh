#!/usr/bin/env bash
# Pushes the image of build.sh into a registry by the page on Kubernetes, and runs the page's line of podman, which fetches
# it from there, as an ordinary user: both lines as they stand. To be run as root, in namespaces of mounts, processes and
# networks of its own: what is mounted, the user and the registry end with them.
# Works in the folder WORK, which the caller removes. Usage: podman.sh SPLITREEL SCRATCH WORK
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

program=$(realpath "$1") scratch=$2 work=$3
page=docs/operating/kubernetes.md
mkdir -p "$work"/{etc,etc-work,dev,home/film,registry}
# A machine as Debian boots it: control groups of version 2, and a device for networks that everybody may open.
mount --make-rshared /
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs -o dev,mode=755 none "$work/dev"
mknod -m 666 "$work/dev/tun" c 10 200
mkdir -p /dev/net
touch /dev/net/tun
mount --bind "$work/dev/tun" /dev/net/tun
# The user is in a copy of /etc that nobody else sees, and has a home that can be reached wherever WORK is.
mount --bind "$work/home" /mnt
mount -t overlay -o "lowerdir=/etc,upperdir=$work/etc,workdir=$work/etc-work" none /etc
useradd --home-dir /mnt --no-create-home --user-group splitreel-person

# The registry that the page names is this machine, and its authority is one that the machine trusts.
push=$(grep '^buildah push' "$page")
host=${push##* } host=${host%%/*}
(
    cd "$work/registry"
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$host" -addext "subjectAltName=DNS:$host" \
        -keyout key -out certificate
) 2>/dev/null
mkdir -p "/etc/containers/certs.d/$host"
cp "$work/registry/certificate" "/etc/containers/certs.d/$host/ca.crt"
echo "127.0.0.1 $host" >>/etc/hosts
cat >"$work/registry/settings" <<END
version: 0.1
storage: {filesystem: {rootdirectory: "$work/registry/images"}}
http: {addr: "127.0.0.1:443", tls: {certificate: "$work/registry/certificate", key: "$work/registry/key"}}
END
ip link set lo up
"$scratch/registry/usr/bin/docker-registry" serve "$work/registry/settings" >"$work/registry/log" 2>&1 &
for _ in {1..100}; do
    (: </dev/tcp/127.0.0.1/443) 2>/dev/null && break
    sleep 0.1
done
echo "$push"
CONTAINERS_STORAGE_CONF=$scratch/storage.conf bash -c "$push" >"$work/registry/pushed" 2>&1 ||
    { tail -3 "$work/registry/pushed" "$work/registry/log" >&2; exit 1; }

film=/mnt/film
ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=25:d=2 -c:v libx264 -preset ultrafast "$film/clip.mp4"
(cd "$film" && "$program" new clip.mp4 -o cut.json >/dev/null 2>&1)
mkdir -m 700 /mnt/run
chown -R splitreel-person: /mnt

line=$(sed -n '/^podman run/,/^```/p' "$page" | grep -v '^```')
echo "$line"
cat >/mnt/follow <<END
set -euo pipefail
export XDG_RUNTIME_DIR=/mnt/run TMPDIR=/mnt STORAGE_DRIVER=overlay
cd $film
$line
END
su splitreel-person -c "bash /mnt/follow" || { echo "podman.sh: the page's line ended with $?" >&2; exit 1; }
frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$film/cut.mp4")
owner=$(stat -c %U:%G "$film/cut.mp4")
[ "$frames $owner" = "50 splitreel-person:splitreel-person" ] || {
    echo "podman.sh: the film has $frames frames and belongs to $owner" >&2
    exit 1
}
echo "podman: the film has $frames frames, and belongs to who made it"
