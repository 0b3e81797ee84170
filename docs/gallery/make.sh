#!/usr/bin/env bash
# Makes the gallery anew: the media that its compositions show, their pictures, a page for each group, and README.md, which
# leads to them. Usage: make.sh SPLITREEL [FILE…]; with files, only their pictures are made anew.
# What a composition is called and shows stands in its `metadata`, each item on a line of its own: `title`, `description`,
# and in `gallery`
#   group      the page on which it stands
#   frames     a time, and options of `splitreel frame`; their pictures are numbered from 1
#   waveforms  a media file, or `mix` for the composition's own sound, and options of `splitreel waveform`; numbered on
#   captions   what stands below the frames and waveforms; absent: what was asked for
#   before     a media file, a time, and a caption (`before`, if none is given): what the effects and transitions work on.
#              These pictures are named by the file and the time, so that entries share them
#   part       the members of the file that the page shows, in lines of 100 characters
#   most       how many instructions, and how many layers of a tree, the page shows at most; absent: all
#   width      of the frames, where 320 pixels are too little; from 480 on two stand beside each other
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
            words=${captions[number - 1]:-"\`${options[*]}\`"}
            printf '%s %s\n' "$name-$number.jpg" "$words"
        done < <(list "$1" "${kind}s")
    done
}

# columns KIND WIDTH COUNT: how many pictures stand beside each other, so that few cells are empty. Two wide ones do.
columns() {
    local columns=3
    if [ "$1" = waveforms ] || [ "$2" -ge 480 ] || [ "$3" = 4 ]; then
        columns=2
    elif [ $(($3 % 3)) != 0 ] && [ "$3" -gt 5 ]; then
        columns=4
    fi
    echo $((columns < $3 ? columns : $3))
}

# table TITLE KIND WIDTH: the pictures of standard input beside each other, each with its caption beneath it.
table() {
    local title=$1 picture words line columns first=1
    local lines=() row=() below=() rule=()
    mapfile -t lines
    columns=$(columns "$2" "$3" ${#lines[@]})
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
    local title width kind=frames
    title=$(item "$1" title)
    width=$(number "$1" width)
    printf '## %s\n\n%s [%s](%s)\n\n' "$title" "$(item "$1" description)" "$1" "$1"
    [ -n "$(list "$1" frames)" ] || kind=waveforms
    pictures "$1" | table "$title" "$kind" "${width:-320}"
    printf '\n'
    ./show.pl "$1"
    printf '\n'
}

# keys GROUP: the pages of the reference that explain its keys.
keys() {
    local page=../reference
    case $1 in
        Sources) echo "[assets]($page/assets.md), [segments]($page/composition.md#segment)" ;;
        Geometry) echo "[fit]($page/video.md#fit), [transform]($page/video.md#transform)" ;;
        'Keys and easing') echo "[easing]($page/README.md#easing), [keys]($page/README.md#keys)" ;;
        'Crossfades and layers') echo "[layers]($page/video.md#layer), [transitions]($page/composition.md#transition)" ;;
        Colour) echo "[colour]($page/color.md)" ;;
        Time) echo "[segments]($page/composition.md#segment), [speed]($page/composition.md#speed-and-playing-backwards)" ;;
        Animation) echo "[animation]($page/video.md#animation)" ;;
        Transitions) echo "[transitions]($page/effects.md#transitions), [their parameters]($page/parameters.md#transitions)" ;;
        Effects) echo "[effects]($page/effects.md), [their parameters]($page/parameters.md#effects)" ;;
        'Text and shapes') echo "[text, shapes, subtitles]($page/text.md)" ;;
        Templates) echo "[templates]($page/text.md#templates)" ;;
        Sound) echo "[sound]($page/audio.md), [parameters of taps]($page/parameters.md#taps)" ;;
        *) echo "[all of them]($page/README.md)" ;;
    esac
}

# about GROUP: what else a reader of its page should know first.
about() {
    [ "$1" = Templates ] || return 0
    cat <<'WORDS'
`splitreel new` puts templates over a film by options such as `--lower-third "Ada Lovelace|Mathematician"`. The command above
each block prints the layers for a film that is there already.

WORDS
}

# entries GROUP FILE: a line for each entry of a group, with a link to it on the page FILE, which may be the line's own.
entries() {
    local file title
    for file in [0-9]*.json; do
        [ "$(group "$file")" = "$1" ] || continue
        title=$(item "$file" title)
        printf '%s\n' "[$title]($2#$(slug "$title"))"
    done
}

# joined MARK: the lines of standard input in one line, with a mark between them.
joined() { awk -v mark="$1" '{ printf "%s%s", (NR > 1 ? mark : ""), $0 } END { print "" }'; }

# leads NUMBER: links from the page of that group to its neighbours, and to the keys.
leads() {
    local before=${groups[$1 - 1]} next=${groups[$1 + 1]:-}
    echo '[All of the gallery](README.md)'
    [ "$1" = 0 ] || echo "before: [$before]($(slug "$before").md)"
    [ -z "$next" ] || echo "next: [$next]($(slug "$next").md)"
    echo "the keys: $(keys "${groups[$1]}")"
}

# page NUMBER: the page of the group of that number.
page() {
    local file name=${groups[$1]}
    printf '# %s\n\n%s\n\n' "$name" "$(leads "$1" | joined ' · ')"
    about "$name"
    entries "$name" '' | sed 's/^/- /'
    printf '\n'
    for file in [0-9]*.json; do [ "$(group "$file")" != "$name" ] || entry "$file"; done
}

# cover GROUP: the picture that stands for a group.
cover() {
    local file picture='' cover
    for file in [0-9]*.json; do
        [ "$(group "$file")" = "$1" ] || continue
        cover=$(number "$file" cover)
        [ -n "$picture" ] && [ -z "$cover" ] || picture=${file%.json}-${cover:-1}.jpg
    done
    echo "$picture"
}

# covers: the groups' pictures in a table of three columns, each with its name beneath it.
covers() {
    local number page name row=() below=()
    for ((number = 0; number < ${#groups[@]}; number++)); do
        name=${groups[number]}
        page=$(slug "$name").md
        row+=("[![$name]($(cover "$name"))]($page)")
        below+=("[$name]($page)")
        ((number % 3 == 2 || number == ${#groups[@]} - 1)) || continue
        line_of "${row[@]}"
        ((number >= 3)) || echo '|---|---|---|'
        line_of "${below[@]}"
        row=()
        below=()
    done
    printf '\n'
}

# written FILE: standard input, with one line feed at its end.
written() { cat >"$1.part" && printf '%s\n' "$(<"$1.part")" >"$1" && rm "$1.part"; }

./make-media.sh media "$splitreel"
[ -n "$only" ] || rm -f ./*.jpg
mapfile -t groups < <(for file in [0-9]*.json; do group "$file"; done | awk '!seen[$0]++')
for ((number = 0; number < ${#groups[@]}; number++)); do
    page "$number" | written "$(slug "${groups[number]}").md"
done
{
    cat <<'WORDS'
# Gallery

What a composition can say: each thing with its JSON and what it shows. Most entries show the same three clips, which are
made of shapes: a valley, a portrait and a street.

The files are whole. After `make gallery`, which makes their media and these pages, each renders with
`splitreel render docs/gallery/FILE -o film.mp4`. The keys are explained in [the reference](../reference/README.md).

WORDS
    covers
    printf '## All entries\n\n'
    for name in "${groups[@]}"; do
        page=$(slug "$name").md
        printf '**[%s](%s)**\n\n' "$name" "$page"
        entries "$name" "$page" | sed 's/^/- /'
        printf '\n'
    done
} | written README.md
echo "gallery: $(find . -maxdepth 1 -name '*.jpg' | wc -l) pictures; see $here/README.md"
