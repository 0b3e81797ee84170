#!/usr/bin/env bash
# Makes the gallery anew: the media that its compositions show, their pictures, a page for each group, and README.md, which
# leads to them. Usage: make.sh SPLITREEL [FILE…]; with files, only their pictures are made anew.
# What a composition is called and shows stands in its `metadata`, each item on a line of its own: `title`, `description`,
# and in `gallery`
#   group      the page on which it stands
#   frames     a time, and options of `splitreel frame`; their pictures are numbered from 1
#   waveforms  a media file, or `mix` for the composition's own sound, and options of `splitreel waveform`; numbered on
#   captions   what stands below the frames; absent: what was asked for
#   before     a media file, a time, and a caption (`before`, if none is given): what the effects and transitions work on.
#              These pictures are named by the file and the time, so that entries share them
#   part       the members of the file that the page shows
#   width      of the frames, where 320 pixels are too little
#   cover      which of its pictures stands for the group in README.md
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
splitreel=$(realpath "${1:?usage: make.sh SPLITREEL [FILE…]}")
shift
only=$*
cd "$here"
png=frame.part.png
trap 'rm -f *.md.part "$png"' EXIT

# item FILE NAME: a text of the file's metadata.
item() { sed -n '/^    "'"$2"'": "\(.*\)",$/{s//\1/;s/\\"/"/g;p;q}' "$1"; }

# list FILE NAME: the texts of a list in the line that describes the file for the gallery, one a line.
list() { sed -n 's/^ *"gallery": .*"'"$2"'": \[\([^]]*\)\].*/\1/p' "$1" | sed 's/", "/\n/g; s/"//g'; }

# number FILE NAME: a number of that line.
number() { sed -n 's/^ *"gallery": .*"'"$2"'": \([0-9][0-9]*\).*/\1/p' "$1"; }

# group FILE: the group's name.
group() { sed -n 's/^ *"gallery": .*"group": "\([^"]*\)".*/\1/p' "$1"; }

# slug TEXT: as GitHub makes anchors of headings, which are names of pages here, too.
slug() { tr '[:upper:]' '[:lower:]' <<<"$1" | sed 's/[^a-z0-9 -]//g; s/ /-/g'; }

# part FILE KEY: the first member of that name, from its line to the one that closes it, moved to the left.
part() {
    awk -v key="\"$2\":" '
        function indent(line) { match(line, /^ */); return RLENGTH }
        !found && index(substr($0, indent($0) + 1), key) == 1 { found = 1; left = indent($0); print substr($0, left + 1); next }
        found && !done { if (length($0) > left) print substr($0, left + 1); if (indent($0) <= left) done = 1 }' "$1"
}

# frame FILE PICTURE TIME [OPTION…]: one picture, small: as wide as the file's `gallery` says, or 320 pixels.
frame() {
    local file=$1 picture=$2 time=$3 width=
    [[ $file != *.json ]] || width=$(number "$file" width)
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

# wanted FILE: whether its pictures are made anew.
wanted() { [[ -z $only || " $only " == *" $1 "* ]]; }

# pictures FILE: a line for each picture of an entry, `PICTURE CAPTION`; those that are wanted are made.
pictures() {
    local name=${1%.json} number=0 kind options captions=() picture words
    while read -r -a options; do
        picture=$(basename "${options[0]%.*}")
        picture="before-$picture-${options[1]}.jpg"
        [ -e "$picture" ] || frame "${options[0]}" "$picture" "${options[1]}" >&2
        words=${options[*]:2}
        printf '%s %s\n' "$picture" "${words:-before}"
    done < <(list "$1" before)
    mapfile -t captions < <(list "$1" captions)
    for kind in frame waveform; do
        while read -r -a options; do
            number=$((number + 1))
            ! wanted "$1" || "$kind" "$1" "$name-$number.jpg" "${options[@]}" >&2
            words="\`${options[*]}\`"
            [ "$kind" = waveform ] || words=${captions[number - 1]:-$words}
            printf '%s %s\n' "$name-$number.jpg" "$words"
        done < <(list "$1" "${kind}s")
    done
}

# table TITLE KIND: the pictures of standard input beside each other, each with its caption beneath it.
table() {
    local title=$1 picture words line columns=3 first=1
    local lines=() row=() below=() rule=()
    mapfile -t lines
    # Four go as two and two; waveforms are wide.
    if [ "$2" = waveforms ] || [ ${#lines[@]} = 4 ]; then columns=2; fi
    [ ${#lines[@]} -ge "$columns" ] || columns=${#lines[@]}
    while [ ${#lines[@]} -gt 0 ]; do
        row=()
        below=()
        rule=()
        for line in "${lines[@]:0:columns}"; do
            read -r picture words <<<"$line"
            row+=("![$title: ${words//\`/}]($picture)")
            below+=("$words")
            rule+=('---')
        done
        lines=("${lines[@]:columns}")
        line_of "${row[@]}"
        [ -z "$first" ] || line_of "${rule[@]}"
        first=
        line_of "${below[@]}"
    done
}

# line_of CELL…: a line of a table.
line_of() {
    printf '|'
    printf ' %s |' "$@"
    printf '\n'
}

# entry FILE: its pictures, and what its page says of it.
entry() {
    local shown title kind=frames
    title=$(item "$1" title)
    printf '## %s\n\n%s [%s](%s)\n\n' "$title" "$(item "$1" description)" "$1" "$1"
    [ -n "$(list "$1" frames)" ] || kind=waveforms
    pictures "$1" | table "$title" "$kind"
    # shellcheck disable=SC2016
    printf '\n```json\n'
    while read -r shown; do part "$1" "$shown"; done < <(list "$1" part) | sed '$ s/,$//'
    # shellcheck disable=SC2016
    printf '```\n\n'
}

# page GROUP: the page of a group.
page() {
    local file
    printf '# %s\n\n[All of the gallery](README.md)\n\n' "$1"
    for file in [0-9]*.json; do [ "$(group "$file")" != "$1" ] || entry "$file"; done
}

# contents GROUP: what README.md says of a group.
contents() {
    local file page picture='' cover
    page=$(slug "$1").md
    for file in [0-9]*.json; do
        [ "$(group "$file")" = "$1" ] || continue
        cover=$(number "$file" cover)
        [ -n "$picture" ] && [ -z "$cover" ] || picture=${file%.json}-${cover:-1}.jpg
    done
    printf '## [%s](%s)\n\n[![%s](%s)](%s)\n\n' "$1" "$page" "$1" "$picture" "$page"
    for file in [0-9]*.json; do
        [ "$(group "$file")" = "$1" ] || continue
        printf -- '- [%s](%s#%s)\n' "$(item "$file" title)" "$page" "$(slug "$(item "$file" title)")"
    done
    printf '\n'
}

# written FILE: standard input, with one line feed at its end.
written() { cat >"$1.part" && printf '%s\n' "$(<"$1.part")" >"$1" && rm "$1.part"; }

./make-media.sh media "$splitreel"
[ -n "$only" ] || rm -f ./*.jpg
mapfile -t groups < <(for file in [0-9]*.json; do group "$file"; done | awk '!seen[$0]++')
for name in "${groups[@]}"; do page "$name" | written "$(slug "$name").md"; done
{
    cat <<'WORDS'
# Gallery

What a composition can say: each thing with its JSON and what it shows. Most entries show the same three clips, which are
made of shapes: a valley, a portrait and a street.

The files are whole. After `make gallery`, which makes their media and these pages, each renders with
`splitreel render docs/gallery/FILE -o film.mp4`. The keys are explained in [the reference](../reference/README.md).

WORDS
    for name in "${groups[@]}"; do contents "$name"; done
} | written README.md
echo "gallery: $(find . -maxdepth 1 -name '*.jpg' | wc -l) pictures; see $here/README.md"
