#!/usr/bin/env bash
# Makes the Debian package and looks at it. Then it uses the package as docs/operating/systemd.md says, in a machine
# whose first process is systemd: the package is installed, both services start, a user without rights makes a film, the
# farm gets keys and a token, the package is upgraded, removed and purged.
#
# Usage: run.sh short|full PROGRAM BUILD FOLDER
# PROGRAM is what deploy/link.sh linked. `short`: the machine is this one, over which changes are laid (overlayfs), and
# the package is packed quickly. `full`: the machine is a bare Debian 12 of debootstrap, which is kept in BUILD. FOLDER
# gets the package. Nothing else is left. Without root the package is made and looked at alone.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../..")
form=${1:?usage: run.sh short|full PROGRAM BUILD FOLDER}
program=$(realpath "${2:?}")
build=$(realpath "${3:?}")
mkdir -p "${4:?}"
out=$(realpath "$4")

if [ "$(id -u)" = 0 ] && [ "${SPLITREEL_INSIDE:-}" != yes ]; then
    # Mounts are in a namespace of their own, and end with it.
    exec env SPLITREEL_INSIDE=yes unshare --mount --propagation private "${BASH_SOURCE[0]}" "$@"
fi

began=$(date +%s)
step() { printf '%3d s  %s\n' $(($(date +%s) - began)) "$*"; }
fail() { echo "run.sh: $*" >&2; exit 1; }

# What a run that was killed left: an empty folder or a group of no processes, by the number of its process.
stale() {
    local path number
    for path in "$@"; do
        number=${path##*/splitreel-machine-}
        [ ! -d "$path" ] || [ -d "/proc/${number%%-*}" ] || rm -rf --one-file-system "$path" 2>/dev/null ||
            find "$path" -depth -type d -exec rmdir {} + || true
    done
}

stale "${TMPDIR:-/tmp}"/splitreel-machine-*
work=$(mktemp -d --tmpdir "splitreel-machine-$$-XXXXXX")
cgroup=
machine=
end_machine() {
    [ -n "$machine" ] || return 0
    kill -KILL "$machine" 2>/dev/null || true
    wait "$machine" 2>/dev/null || true
    machine=
    # The group is empty when the last process is gone.
    for _ in $(seq 50); do
        find "$cgroup" -mindepth 1 -depth -type d -exec rmdir {} + 2>/dev/null || true
        ! rmdir "$cgroup" 2>/dev/null || break
        sleep 0.1
    done
}
clean() {
    trap '' TERM INT
    kill $(jobs -p) 2>/dev/null || true
    end_machine
    cd /
    for place in "$work/groups" "$work/root" "$work"; do
        ! mountpoint -q "$place" || umount -R "$place" 2>/dev/null || umount -R -l "$place"
    done
    rm -rf --one-file-system "$work"
}
trap clean EXIT
trap 'exit 143' TERM INT
# Changes over a file system that is laid over others itself need one of their own.
[ "$form" = full ] || [ "$(id -u)" != 0 ] || mount -t tmpfs -o mode=755 tmpfs "$work"
chmod 755 "$work"
cd "$work"

# --- The package and its parts

compression='-Zgzip -z1'
[ "$form" = short ] || compression=-Zxz
rm -f "$out"/splitreel_*
package=$(DEB_COMPRESSION=$compression "$source/deploy/deb.sh" "$program" "$out")
step "made $(basename "$package"): $(($(stat -c %s "$package") / 1000000)) MB," \
    "installs $(($(dpkg-deb -f "$package" Installed-Size) * 1024 / 1000000)) MB"

# Slow; it goes on beside the rest.
lintian --allow-root --tag-display-limit 0 --fail-on error,warning "${package%.deb}.changes" >lintian.log 2>&1 &
lintian=$!

dpkg-deb -x "$package" unpacked
env -i PATH=/usr/bin:/bin unpacked/usr/bin/splitreel --version >version.log
grep -q '^splitreel [0-9]' version.log || fail "the packed program does not tell its version"
! ldd unpacked/usr/bin/splitreel | grep -i swift || fail "the packed program needs Swift"
[ -z "$(comm -13 <(cd "$source/configs" && ls) <(ls unpacked/etc/splitreel))" ] || fail "settings that are not ours"
for page in unpacked/usr/share/man/man1/*.1.gz; do
    zcat "$page" | grep -q '^\.TH' || fail "$page is no page of the manual"
done
bash -n unpacked/usr/share/bash-completion/completions/splitreel
grep -q '^#compdef splitreel' unpacked/usr/share/zsh/vendor-completions/_splitreel
grep -q '^complete -c .splitreel' unpacked/usr/share/fish/vendor_completions.d/splitreel.fish ||
    grep -q "complete -c 'splitreel'" unpacked/usr/share/fish/vendor_completions.d/splitreel.fish
dpkg-deb -f "$package" Depends | grep -q libavfilter || fail "libavfilter, which is opened by name, is no dependency"

# rated UNIT MOST: the tenths of systemd's rating, 0 for the best.
rated() {
    local rating
    rating=$(systemd-analyze security --offline=true "unpacked/lib/systemd/system/$1" |
        sed -n 's/.*exposure level for .*: \([0-9.]*\) .*/\1/p')
    awk -v rating="$rating" -v most="$2" 'BEGIN { exit !(rating != "" && rating <= most) }' ||
        fail "$1 is rated ${rating:-not at all}, and $2 is the most"
    echo "       $1 is rated $rating"
}
rated splitreel-worker@.service 2.0
rated splitreel-coordinator.service 2.5
step "looked at its parts"

finish() {
    wait "$lintian" || { cat lintian.log >&2; fail "lintian"; }
    step "lintian has neither errors nor warnings"
    echo "the package is $package"
    exit
}
if [ "$(id -u)" != 0 ]; then
    echo "run.sh: not root: the package was not tried"
    finish
fi

# --- A machine

root=$work/root
mkdir "$root"
if [ "$form" = short ]; then
    mkdir over over/changes over/work
    mount -t overlay overlay -o "lowerdir=/,upperdir=$work/over/changes,workdir=$work/over/work" "$root" ||
        fail "no overlay can be laid over this machine"
    # That machine has no splitreel yet, and lets packages stop services, which images of containers forbid.
    rm -f "$root/usr/local/bin/splitreel" "$root/etc/credstore/splitreel.token" "$root/usr/sbin/policy-rc.d"
else
    base=$build/debian-base.tar
    if [ ! -e "$base" ]; then
        debootstrap --variant=minbase bookworm "$work/base" >"$work/debootstrap.log" 2>&1 ||
            { tail "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
        tar -C "$work/base" -cf "$base.part" .
        mv "$base.part" "$base"
        rm -rf "$work/base"
        step "made a bare Debian 12"
    fi
    tar -C "$root" -xf "$base"
fi
# The paths that have the name in them, but for scratch files and lists that others keep.
named() {
    find "$root" -xdev \( -path "$root/tmp" -o -path "$root/var/tmp" -o -path "$root/var/cache/man" \
        -o -path "$root/root" -o -path "$root/home" \) -prune -o -name '*splitreel*' -print | sed "s,^$root,," | sort
}
named >before.list

# page SECTION NUMBER: the words of the page in a block of a section.
page() {
    awk -v section="## $1" -v number="$2" '
        /^## / { inside = ($0 == section) }
        inside && /^```/ { open = !open; if (open) count++; next }
        inside && open && count == number
    ' "$source/docs/operating/systemd.md" | grep . || fail "the page has no block $2 in $1"
}

# The first line of the page installs the package. It may fetch what the package needs, which the machine below cannot.
install=$(page 'One machine' 1 | head -n 1)
[ "$install" = 'sudo apt install ./splitreel_0.2.0_amd64.deb' ] || fail "the page installs otherwise: $install"
if [ "$form" = full ]; then
    cp "$package" "$root/package.deb"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # Fonts and the reader of manuals: a bare Debian has none.
    chroot "$root" sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
        --no-install-recommends ./package.deb man-db fonts-dejavu-core' >apt.log 2>&1 ||
        { tail -n 20 apt.log >&2; fail "apt did not install the package"; }
    rm "$root/package.deb"
    step "installed it in a bare Debian 12 by apt, with $(grep -c '^Setting up' apt.log) packages"
    chroot "$root" man -w splitreel splitreel-worker >/dev/null || fail "man finds no page"
else
    cp "$package" "$root/package.deb"
    # The index of this machine's manuals is not made anew.
    chroot "$root" dpkg --no-triggers --install /package.deb >dpkg.log 2>&1 ||
        { tail dpkg.log >&2; fail "dpkg did not install it"; }
    rm "$root/package.deb"
    step "installed it over this machine"
fi
# A machine of one's own has sudo.
cat >"$root/usr/bin/sudo.test" <<'WORDS'
#!/bin/sh
if [ "$1" = -u ]; then user=$2; shift 2; exec runuser -u "$user" -- "$@"; fi
exec "$@"
WORDS
chmod 755 "$root/usr/bin/sudo.test"

# --- systemd

# The group of processes is made by a mount of our own, whatever is mounted here.
mkdir groups
mount -t cgroup2 cgroup2 groups || fail "no control groups of version 2 here"
stale groups/splitreel-machine-*
cgroup=$work/groups/splitreel-machine-$$
mkdir "$cgroup"
(
    echo "$BASHPID" >"$cgroup/cgroup.procs"
    exec setpriv --pdeathsig KILL unshare --pid --fork --kill-child --mount --uts --ipc --net --cgroup \
        "$source/Tests/clusters/deb/boot.sh" "$root" basic.target
) >boot.log 2>&1 &
machine=$!

inside() { nsenter --target "$init" --mount --uts --ipc --net --pid --cgroup --root --wdns=/ -- "$@"; }
# as USER WORDS: a person at the machine, with the words of the page. sudo is ours.
as() {
    inside runuser -u "$1" -- env -C "${3:-/}" HOME="$(inside getent passwd "$1" | cut -d: -f6)" bash -euo pipefail \
        -c "sudo() { sudo.test \"\$@\"; }; $2"
}
up() {
    local _
    for _ in $(seq 200); do
        init=$(pgrep -P "$machine" 2>/dev/null || true)
        if [ -n "$init" ] && inside systemctl is-active --quiet basic.target 2>/dev/null; then return 0; fi
        sleep 0.1
    done
    cat boot.log >&2
    fail "systemd did not come up"
}
up
nsenter --target "$init" --net -- sh -c 'ip link set lo up && ip address add 10.0.0.5/32 dev lo'
step "systemd $(inside systemctl --version | awk 'NR == 1 { print $2 }') is up"

state() { inside systemctl "$1" "$2" 2>/dev/null || true; }
for unit in splitreel-coordinator splitreel-worker@main; do
    [ "$(state is-enabled $unit) $(state is-active $unit)" = "disabled inactive" ] ||
        fail "$unit is $(state is-enabled $unit) and $(state is-active $unit) after the installation"
done
# Images of containers may leave the pages of the manual out.
inside systemd-analyze verify --man="$([ "$form" = full ] && echo yes || echo no)" \
    splitreel-coordinator.service splitreel-worker@main.service >verify.log 2>&1 &&
    ! grep splitreel verify.log || fail "systemd-analyze verify: $(cat verify.log)"

logs() { inside journalctl --no-pager -n 40 -u splitreel-coordinator -u 'splitreel-worker@*' >&2; }
# ready WORDS: the worker's slots have registered since the unit was started.
ready() {
    local _
    for _ in $(seq 150); do
        if inside journalctl --no-pager -u splitreel-worker@main _SYSTEMD_INVOCATION_ID="$(
            inside systemctl show --value -p InvocationID splitreel-worker@main)" 2>/dev/null | grep -q registered; then
            return 0
        fi
        sleep 0.1
    done
    logs
    fail "the worker did not come to the coordinator"
}
# film FOLDER FILE FRAMES: another program counts the frames.
film() {
    local frames
    frames=$(ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$1/$2")
    [ "$frames" = "$3" ] || fail "$2 has ${frames:-no} frames, not $3"
}

# --- One machine

as root "$(page 'One machine' 1 | tail -n +2)" >enable.log 2>&1 || { cat enable.log >&2; logs; fail "not started"; }
ready
inside useradd --create-home ana
home=$root/home/ana
ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i sine=440:d=2 -c:v libx264 \
    -preset ultrafast -c:a aac clip.mp4
cat >film.json <<'WORDS'
{ "format": "splitreel/1",
  "assets": { "clip": { "url": "clip.mp4" } },
  "composition": { "tracks": [
    { "id": 1, "type": "video", "segments": [ { "asset": "clip", "source": ["0s", "2s"], "target": ["0s", "2s"] } ] },
    { "id": 2, "type": "audio", "segments": [ { "asset": "clip", "source": ["0s", "2s"], "target": ["0s", "2s"] } ] }
  ] },
  "video": { "renderSize": [320, 180], "frameDuration": "1/25", "instructions": [
    { "range": ["0s", "2s"], "layers": [
      { "track": 1, "fit": "contain", "effects": [ { "id": "av.unsharp", "params": { "amount": 3 } } ] } ] } ] } }
WORDS
inside install -d -o ana -g ana /home/ana/films
# What lies in the machine's own folders is seen there alone.
give() { inside sh -c "cat >'$2' && chown ana: '$2'" <"$1"; }
give clip.mp4 /home/ana/films/clip.mp4
give film.json /home/ana/films/film.json
as ana "$(page 'One machine' 2)" /home/ana/films >submit.log 2>&1 || { cat submit.log >&2; logs; fail "no film"; }
film "$home/films" film.mp4 50
as ana 'splitreel render film.json -o alone.mp4 --workers 1' /home/ana/films >render.log 2>&1 ||
    { cat render.log >&2; fail "a user cannot render"; }
cmp "$home/films/film.mp4" "$home/films/alone.mp4" || fail "the services made another film than one process"
[ "$(inside stat -c %U:%a /var/lib/splitreel/coordinator /var/lib/splitreel/worker-main | sort -u)" = splitreel:700 ] ||
    fail "others may look into the services' folders"
step "the services made a user's film, the same bytes as without them"

# --- An upgrade to itself

identifiers() { inside systemctl show --value -p MainPID splitreel-coordinator splitreel-worker@main | xargs; }
running=$(identifiers)
echo '# a line of ours' | inside tee -a /etc/splitreel/worker.yaml >/dev/null
inside sh -c 'cat >/run/package.deb' <"$package"
package_tool() { inside dpkg --no-triggers "$@" >dpkg.log 2>&1 || { cat dpkg.log >&2; fail "dpkg $*"; }; }
package_tool --install /run/package.deb
[ "$(identifiers)" = "$running" ] || fail "an upgrade restarted a service"
inside grep -q '^# a line of ours' /etc/splitreel/worker.yaml || fail "an upgrade took our settings"
step "upgraded to itself: the services run on, our settings stay"

# --- Several machines, all of them this one

as root "$(page 'Several machines' 1)" >keys.log 2>&1 || { cat keys.log >&2; fail "no keys"; }
page 'Several machines' 2 | inside tee /etc/splitreel/coordinator.yaml >/dev/null
as root "$(page 'Several machines' 3)" >>keys.log 2>&1
as root "$(page 'Several machines' 4)" /var/lib/splitreel/coordinator >>keys.log 2>&1
page 'Several machines' 5 | inside tee /etc/splitreel/worker.yaml >/dev/null
as root "$(page 'Several machines' 6)" >>keys.log 2>&1
ready
as root "$(page 'Several machines' 7)" >>keys.log 2>&1
inside install -o ana -g ana -d /home/ana/.config /home/ana/.config/splitreel
inside install -o ana -g ana -m 600 /var/lib/splitreel/coordinator/ana.token /home/ana/.config/splitreel/
page 'Several machines' 8 | inside sh -c 'cat >/home/ana/.config/splitreel/config.yaml'
as ana 'splitreel submit film.json -o keyed.mp4 --watch' /home/ana/films >submit.log 2>&1 ||
    { cat submit.log >&2; logs; fail "no film with keys"; }
cmp "$home/films/keyed.mp4" "$home/films/alone.mp4" || fail "a farm with keys made another film"
step "with keys too, the worker's token among its credentials"

# --- Stopping, removing and purging

as root 'sudo systemctl stop splitreel-worker@main' || fail "the worker does not stop"
[ "$(inside systemctl show --value -p Result splitreel-worker@main)" = success ] ||
    { logs; fail "the worker did not leave well"; }
inside systemctl start splitreel-worker@main
package_tool --remove splitreel
for unit in splitreel-coordinator splitreel-worker@main; do
    [ "$(state is-active $unit)" = inactive ] || fail "$unit is $(state is-active $unit) after removing"
done
! inside sh -c 'cat /proc/[0-9]*/comm' 2>/dev/null | grep -x splitreel || fail "processes are left"
inside test -e /etc/splitreel/worker.yaml -a -e /var/lib/splitreel/coordinator/jobs.sqlite || fail "removing took data"
package_tool --purge splitreel
! grep -i 'warning' dpkg.log || fail "purging warned"
inside getent passwd splitreel | grep -q 'nologin$' || fail "the user splitreel is not locked, or not there"
end_machine
named | comm -13 before.list - >left.list
[ ! -s left.list ] || fail "left after purging: $(cat left.list)"
step "removed and purged: nothing is left but the locked user"

finish
