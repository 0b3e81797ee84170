#!/usr/bin/env bash
# Makes the Debian package of a program that deploy/link.sh linked, and prints the package's path. Nothing is compiled.
# Usage: deb.sh SPLITREEL FOLDER. DEB_COMPRESSION: options of dpkg-deb, for instance "-Zgzip -z1", which is quick.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
splitreel=$(realpath "${1:?usage: deb.sh SPLITREEL FOLDER}")
mkdir -p "${2:?usage: deb.sh SPLITREEL FOLDER}"
out=$(realpath "$2")
made=$(mktemp -d --tmpdir splitreel-deb-XXXXXX)
trap 'rm -rf "$made"' EXIT
tree=$made/splitreel

# The release; behind it, where CHANGELOG.md has later work, the time and the commit: it sorts after the release.
told=$("$splitreel" --version | head -n 1)
release=$(sed 's/^splitreel \([^ ]*\).*/\1/' <<<"$told")
commit=$(sed -n 's/.*(commit \([0-9a-f]*\).*/\1/p' <<<"$told")
seconds=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct "${commit:-HEAD}" 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH=$seconds
version=$release
! grep -q '^## Unreleased' "$here/../CHANGELOG.md" ||
    version+="+$(date -u -d "@$seconds" +%Y%m%d%H%M)${commit:+.$commit}"

mkdir -p "$tree"
cp -r "$here/debian" "$tree/debian"
cp "$here/systemd/sysusers.conf" "$tree/debian/splitreel.sysusers"
cp "$here/systemd/tmpfiles.conf" "$tree/debian/splitreel.tmpfiles"
perl "$tree/debian/changelog.pl" "$version" "$(date -Ru -d "@$seconds")" \
    "$(sed -n 's/^Maintainer: //p' "$tree/debian/control")" <"$here/../CHANGELOG.md" >"$tree/debian/changelog"
rm "$tree/debian/changelog.pl"

install -D -m 755 "$splitreel" "$tree/usr/bin/splitreel"
"$here/install-pages.sh" "$splitreel" "$tree/usr"
# It is read by a shell, never run.
sed -i '1{/^#!/d}' "$tree/usr/share/bash-completion/completions/splitreel"
# Where Debian's zsh looks for completions of packages.
mkdir "$tree/usr/share/zsh/vendor-completions"
mv "$tree/usr/share/zsh/site-functions/_splitreel" "$tree/usr/share/zsh/vendor-completions/"
rmdir "$tree/usr/share/zsh/site-functions"
install -D -m 644 -t "$tree/lib/systemd/system" "$here"/systemd/*.service
install -D -m 755 -t "$tree/usr/share/splitreel/slurm" "$here"/slurm/*.sbatch
install -D -m 644 -t "$tree/etc/splitreel" "$here"/../configs/{coordinator,worker}.yaml
# libavfilter is opened by its name when a filter is first needed, so no list of the program's libraries has it.
major=$(pkg-config --modversion libavfilter | cut -d. -f1)
echo "libavfilter$major" >"$tree/opened-libraries"

# -d: nothing is compiled, so no compiler need be there.
(cd "$tree" && dpkg-buildpackage -d -b -us -uc >"$made/log" 2>&1) || { cat "$made/log" >&2; exit 1; }
cp "$made"/splitreel_*.{deb,changes,buildinfo} "$out/"
echo "$out/$(basename "$made"/splitreel_*.deb)"
