#!/usr/bin/env bash
# Runs the line of podman on the page on Kubernetes, as it stands there, as an ordinary user with the image of build.sh.
# To be run as root, in namespaces of mounts and processes of its own: what is mounted, and the user, end with them.
# Works in the folder WORK, which the caller removes. Usage: podman.sh SPLITREEL SCRATCH WORK
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

program=$(realpath "$1") scratch=$2 work=$3
if ! command -v podman >/dev/null || ! command -v slirp4netns >/dev/null || ! command -v newuidmap >/dev/null; then
    echo "image: installing podman"
    apt-get -qq update
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq install -y --no-install-recommends podman crun slirp4netns uidmap >/dev/null
fi

mkdir -p "$work"/{etc,etc-work,dev,home/film}
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

film=/mnt/film
ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=25:d=2 -c:v libx264 -preset ultrafast "$film/clip.mp4"
(cd "$film" && "$program" new clip.mp4 -o cut.json >/dev/null 2>&1)
buildah --root "$scratch/storage" --runroot "$scratch/run" push --quiet localhost/splitreel \
    "docker-archive:/mnt/image.tar:localhost/splitreel:latest" >/dev/null
mkdir -m 700 /mnt/run
chown -R splitreel-person: /mnt

line=$(sed -n '/^podman run/,/^```/p' docs/operating/kubernetes.md | grep -v '^```')
echo "$line"
cat >/mnt/follow <<END
set -euo pipefail
export XDG_RUNTIME_DIR=/mnt/run TMPDIR=/mnt STORAGE_DRIVER=overlay
cd $film
podman load --quiet --input ../image.tar
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
