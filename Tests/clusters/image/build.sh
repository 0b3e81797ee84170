#!/usr/bin/env bash
# Builds the image of Containerfile by the page's line, with a base of debootstrap and a program that was compiled already.
# Unpacks it into ROOT, its configuration into ROOT.json, and tells its size. Puts the program of a registry at
# SCRATCH/registry and installs podman, since podman.sh has no network. Needs root, and some 3 GB for a while. Works in the
# folder SCRATCH, which the caller removes. Usage: build.sh SPLITREEL ROOT SCRATCH
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

program=$(realpath "$1") root=$2 work=$3
[ "$(id -u)" = 0 ] || { echo "build.sh: buildah with chroot isolation, and debootstrap, need root" >&2; exit 1; }
missing=()
for tool in buildah:buildah debootstrap:debootstrap podman:podman crun:crun slirp4netns:slirp4netns newuidmap:uidmap; do
    command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
done
apt-get -qq update
if [ ${#missing[@]} -gt 0 ]; then
    echo "image: installing ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
fi

mkdir -p .build "$work/package"
# Unpacked and not installed, or the machine would have a server that runs on.
(cd "$work/package" && apt-get -qq -o APT::Sandbox::User=root download docker-registry)
dpkg -x "$work"/package/*.deb "$work/registry"
# The base does not change; two builds at once make it once.
base=$PWD/.build/image-base.tar
exec 9>"$base.lock"
flock 9
if [ ! -e "$base" ]; then
    echo "image: making a base of Debian 12"
    debootstrap --variant=minbase bookworm "$work/base" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
    # As in the slim images: neither packages' files nor manuals.
    rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/* "$work"/base/usr/share/{doc,man,info,locale}/*
    tar -C "$work/base" -cf "$base.part" .
    mv "$base.part" "$base"
    rm -rf "$work/base"
fi

export BUILDAH_ISOLATION=chroot TMPDIR=$work
cat >"$work/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
END
export CONTAINERS_STORAGE_CONF=$work/storage.conf

container=$(buildah from scratch)
buildah add --quiet "$container" "$base" / >/dev/null
buildah commit --quiet --rm "$container" localhost/base >/dev/null

# The stage that compiles takes the tree along: all that git knows, or the commit that it tells is "dirty", and nothing
# that was compiled. To compile is for `buildah build` of the whole tree, which needs an image with Swift.
if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    git clone --quiet . "$work/tree" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
    cp .dockerignore "$work/tree"
    mkdir -p "$work"/tree/{,examples/custom-compositor/}.build/release
    touch "$work"/tree/{,examples/custom-compositor/}.build/release/compiled
    echo 'FROM scratch
COPY . /source' >"$work/Copy"
    buildah build --quiet --pull-never --file "$work/Copy" --tag localhost/tree "$work/tree" >/dev/null
    container=$(buildah from --pull-never localhost/tree)
    mounted=$(buildah mount "$container")
    lacking=$(git -C "$mounted/source" -c safe.directory='*' status --porcelain -- ':!.dockerignore')
    [ -z "$lacking" ] || { echo "image: .dockerignore leaves out:"; head -20 <<<"$lacking"; exit 1; } >&2
    compiled=$(cd "$mounted/source" && find . -name compiled)
    [ -z "$compiled" ] || { echo "image: .dockerignore lets in:"; echo "$compiled"; exit 1; } >&2
    buildah rm "$container" >/dev/null
    echo "image: the stage that compiles has all of git's files, and nothing that was compiled"
fi

# Only what the stage copies is its context.
mkdir -p "$work/context/.build"
cp Containerfile "$work/context"
cp "$program" "$work/context/.build/splitreel-installed"
line=$(grep '^buildah build --target' docs/operating/kubernetes.md)
image=$(sed -n 's/^buildah push //p' docs/operating/kubernetes.md)
echo "$line"
bases="--pull-never --build-arg BASE=localhost/base --build-arg SWIFT=localhost/base"
(cd "$work/context" && eval "buildah build $bases ${line#buildah build}") \
    >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }

buildah inspect --type image "$image" >"$work/image.json"
python3 -c 'import json, sys; json.dump(json.load(sys.stdin)["OCIv1"]["config"], sys.stdout)' \
    <"$work/image.json" >"$root.json"
container=$(buildah from --pull-never "$image")
mounted=$(buildah mount "$container")
mkdir -p "$root"
cp -a "$mounted/." "$root"
buildah umount "$container" >/dev/null
size=$(du -sm "$root" | cut -f1)
packed=$(tar -C "$root" -c . | gzip -1 | wc -c)
echo "image: $size MB unpacked, $((packed >> 20)) MB to fetch ($(du -m "$program" | cut -f1) MB are the program)"
