#!/usr/bin/env bash
# Makes the demo's clips with splitreel itself, of the compositions in clips/, and its music and voice with ffmpeg's
# generators. Usage: make-media.sh [FOLDER [SPLITREEL]]; absent: media beside this script, and `splitreel` of the PATH.
# What is there already is kept; a file appears under its name only when it is whole.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$here/media}
splitreel=${2:-splitreel}
mkdir -p "$folder"

# clip NAME: six seconds of H.264 of clips/NAME.json. What the render says is shown where it fails.
clip() {
    local said
    [ ! -s "$folder/$1.mp4" ] || return 0
    said=$("$splitreel" render "$here/clips/$1.json" -o "$folder/$1.mp4" --workers 2 2>&1) || { echo "$said" >&2; return 1; }
}

# sound NAME ARGUMENTS…: lets ffmpeg write FOLDER/NAME.m4a.
sound() {
    local out="$folder/$1.m4a"
    shift
    [ ! -s "$out" ] || return 0
    ffmpeg -nostdin -hide_banner -loglevel error -y "$@" -c:a aac -b:a 160k -movflags +faststart "$out.part.m4a"
    mv "$out.part.m4a" "$out"
}

# chord LOW MIDDLE HIGH: two seconds at 120 beats a minute, an expression for each channel: a drum on each beat, a hat
# between two beats, a bass, an arpeggio of eighths, and a soft chord beneath.
chord() {
    local beat='mod(t\,0.5)' eighth='mod(t\,0.25)' half='mod(t+0.25\,0.5)'
    local drum="0.5*sin(2*PI*(48*$beat+4*(1-exp(-30*$beat))))*exp(-9*$beat)"
    local hat="0.07*(random(0)-0.5)*exp(-45*$half)"
    local bass="0.22*sin(PI*$1*t)*exp(-2*$beat)"
    local pad="0.05*(sin(2*PI*$1*t)+sin(2*PI*$2*t)+sin(2*PI*$3*t))*min(t*8\,1)*min((2-t)*8\,1)"
    local step='mod(floor(t*4)\,4)'
    local note="if(eq($step\,0)\,$1\,if(eq($step\,1)\,$2\,if(eq($step\,2)\,$3\,$2)))"
    local pluck="(sin(4*PI*($note)*t)+0.3*sin(8*PI*($note)*t))*exp(-11*$eighth)*min($eighth*400\,1)"
    local all="$drum+$hat+$bass+$pad"
    printf 'aevalsrc=%s+0.12*%s|%s+0.07*%s:s=48000:d=2' "$all" "$pluck" "$all" "$pluck"
}

# Twelve bars of two seconds: four chords, three times, in a small room.
music() {
    sound music -f lavfi -i "$(chord 220.00 261.63 329.63)" -f lavfi -i "$(chord 174.61 220.00 261.63)" \
        -f lavfi -i "$(chord 196.00 261.63 329.63)" -f lavfi -i "$(chord 196.00 246.94 293.66)" \
        -filter_complex "[0][1][2][3]concat=n=4:v=0:a=1,aloop=loop=2:size=384000,aecho=0.8:0.6:125|250:0.22|0.12,volume=1.2,atrim=0:24.5"
}

# voice MILLISECONDS WORDS …: each text spoken from its time on, as words.srt has them.
voice() {
    local inputs=() filter='' names='' number=0
    while [ $# -gt 0 ]; do
        inputs+=(-f lavfi -i "flite=text='$2':voice=slt")
        filter+="[$number]aresample=48000,adelay=$1[v$number];"
        names+="[v$number]"
        number=$((number + 1))
        shift 2
    done
    sound voice "${inputs[@]}" \
        -filter_complex "$filter${names}amix=inputs=$number:normalize=0,apad=whole_dur=24.5,aformat=channel_layouts=mono"
}

music &
music=$!
clip valley
clip portrait
clip street
voice 1200 'Splitreel makes films in parts.' 4700 'Clips, titles and sound in a text file.' \
    8800 'Clips of any rate,' 11200 'joined by transitions,' 13000 'and pictures in pictures.' \
    15400 'Workers render side by side.' 17600 'One stops? Another goes on.' 21200 'The same film, every time.'
wait "$music"
