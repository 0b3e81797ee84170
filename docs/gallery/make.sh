#!/usr/bin/env bash
# Makes the gallery anew: the media that its compositions show, their pictures, and README.md beside them.
# Usage: make.sh SPLITREEL [FILE…]; with files, only their pictures are made anew.
# What a composition is called and shows stands in its `metadata`, each item on a line of its own: `title`, `description`,
# and in `gallery` the group's name, the `frames` (a time, and options of `splitreel frame`), the `waveforms` (a media file,
# or `mix` for the composition's own sound, and options of `splitreel waveform`), the parts of the file that README.md has,
# and the frames' `width` where 320 is too little. Frames come first; pictures are numbered from 1.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
splitreel=$(realpath "${1:?usage: make.sh SPLITREEL [FILE…]}")
shift
only=$*
cd "$here"
readme=README.md.part
png=frame.part.png
trap 'rm -f "$readme" "$png"' EXIT

# item FILE NAME: a text of the file's metadata.
item() { sed -n '/^    "'"$2"'": "\(.*\)",$/{s//\1/p;q}' "$1"; }

# list FILE NAME: the texts of a list in the line that describes the file for the gallery, one a line.
list() { sed -n 's/^ *"gallery": .*"'"$2"'": \[\([^]]*\)\].*/\1/p' "$1" | sed 's/", "/\n/g; s/"//g'; }

# part FILE KEY: the first member of that name, from its line to the one that closes it, moved to the left.
part() {
    awk -v key="\"$2\":" '
        function indent(line) { match(line, /^ */); return RLENGTH }
        !found && index(substr($0, indent($0) + 1), key) == 1 { found = 1; left = indent($0); print substr($0, left + 1); next }
        found && !done { print substr($0, left + 1); if (indent($0) <= left) done = 1 }' "$1"
}

# frame FILE PICTURE TIME [OPTION…]: one picture, small: as wide as the file's `gallery` says, or 320 pixels.
frame() {
    local file=$1 picture=$2 time=$3 width
    width=$(sed -n 's/^ *"gallery": .*"width": \([0-9]*\).*/\1/p' "$file")
    shift 3
    "$splitreel" frame "$file" --at "$time" -o "$png" --overwrite "$@" >/dev/null
    jpeg "$picture" "scale=${width:-320}:-1:flags=area+accurate_rnd+bitexact"
}

# waveform FILE PICTURE WHAT [OPTION…]: the sound of a media file, or of the composition itself where WHAT is `mix`.
waveform() {
    local file=$1 picture=$2 what=$3
    shift 3
    [ "$what" != mix ] || what=$file
    [[ " $* " == *" --size "* ]] || set -- "$@" --size 480x120
    "$splitreel" waveform "$what" -o "$png" --overwrite --no-marks "$@" >/dev/null
    jpeg "$picture" null
}

# jpeg PICTURE FILTER: what was drawn last, as it is kept.
jpeg() {
    ffmpeg -nostdin -hide_banner -loglevel error -y -i "$png" -update 1 -frames:v 1 -vf "$2" -pix_fmt yuvj420p \
        -c:v mjpeg -threads 1 -q:v 4 -fflags +bitexact -flags:v +bitexact -map_metadata -1 "$1"
}

# entry FILE: its pictures, and what README.md says of it.
entry() {
    local name=${1%.json} number=0 shown kind options title
    title=$(item "$1" title)
    printf '### %s\n\n%s [%s](%s)\n\n' "$title" "$(item "$1" description)" "$1" "$1"
    for kind in frame waveform; do
        while read -r -a options; do
            number=$((number + 1))
            if [[ -z $only || " $only " == *" $1 "* ]]; then "$kind" "$1" "$name-$number.jpg" "${options[@]}"; fi
            # shellcheck disable=SC2016
            printf '![%s: `%s`](%s-%d.jpg)\n' "$title" "${options[*]}" "$name" "$number"
        done < <(list "$1" "${kind}s")
    done
    # shellcheck disable=SC2016
    printf '\n```json\n'
    while read -r shown; do part "$1" "$shown"; done < <(list "$1" part) | sed '$ s/,$//'
    # shellcheck disable=SC2016
    printf '```\n\n'
}

./make-media.sh media
[ -n "$only" ] || rm -f ./*.jpg
{
    cat <<'WORDS'
# Gallery

What a composition can say, each with the interesting part of its JSON and what it shows. The files are whole: after
`make gallery`, which makes their media and this page, each renders with `splitreel render docs/gallery/FILE -o film.mp4`.
All keys are in [the file format](../FILE_FORMAT.md).

WORDS
    group=
    for file in [0-9]*.json; do
        name=$(sed -n 's/^ *"gallery": .*"group": "\([^"]*\)".*/\1/p' "$file")
        [ "$name" = "$group" ] || printf '## %s\n\n' "$name"
        group=$name
        entry "$file"
    done
} >"$readme"
# One line feed at its end.
printf '%s\n' "$(<"$readme")" >README.md
echo "gallery: $(find . -maxdepth 1 -name '*.jpg' | wc -l) pictures; see $here/README.md"
