#!/usr/bin/env bash
# Builds the image of Containerfile without a registry: the base is of debootstrap, the program was compiled already.
# Unpacks it into ROOT, its configuration into ROOT.json, and tells its size. Needs root, and some 3 GB for a while.
# Works in the folder SCRATCH, which the caller removes. Usage: build.sh SPLITREEL ROOT SCRATCH
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

program=$(realpath "$1") root=$2 work=$3
[ "$(id -u)" = 0 ] || { echo "build.sh: buildah with chroot isolation, and debootstrap, need root" >&2; exit 1; }
if ! command -v buildah >/dev/null || ! command -v debootstrap >/dev/null; then
    echo "image: installing buildah and debootstrap"
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends buildah debootstrap >/dev/null
fi

mkdir -p .build "$work"
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
buildah() { command buildah --root "$work/storage" --runroot "$work/run" "$@"; }

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
buildah build --pull-never --build-arg BASE=localhost/base --build-arg SWIFT=localhost/base --target prebuilt \
    --tag localhost/splitreel "$work/context" >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }

buildah inspect --type image localhost/splitreel >"$work/image.json"
python3 -c 'import json, sys; json.dump(json.load(sys.stdin)["OCIv1"]["config"], sys.stdout)' \
    <"$work/image.json" >"$root.json"
container=$(buildah from --pull-never localhost/splitreel)
mounted=$(buildah mount "$container")
mkdir -p "$root"
cp -a "$mounted/." "$root"
buildah umount "$container" >/dev/null
size=$(du -sm "$root" | cut -f1)
packed=$(tar -C "$root" -c . | gzip -1 | wc -c)
echo "image: $size MB unpacked, $((packed >> 20)) MB to fetch ($(du -m "$program" | cut -f1) MB are the program)"
