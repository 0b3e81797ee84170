#!/usr/bin/env bash
# Makes the gallery's films and pictures: the demo's clips, which most entries show, and what ffmpeg makes of them.
# Usage: make-media.sh FOLDER SPLITREEL
# What is there already is kept; a file appears under its name only when it is whole.
set -euo pipefail

folder=${1:?usage: make-media.sh FOLDER SPLITREEL}
splitreel=${2:?usage: make-media.sh FOLDER SPLITREEL}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
font=/usr/share/fonts/opentype/cantarell/Cantarell-Bold.otf

"$here/../../examples/demo/make-media.sh" "$folder" "$splitreel"

# make NAME ARGUMENTS…: lets ffmpeg write FOLDER/NAME, unless it is there.
make() {
    local out="$folder/$1" part="$folder/part-$1"
    shift
    [ ! -s "$out" ] || return 0
    ffmpeg -nostdin -hide_banner -loglevel error -y "$@" "$part"
    mv "$part" "$out"
}

# text WORDS SIZE X Y: a filter that writes words, or nothing where the font is missing; it numbers frames from 101.
text() {
    if [ -r "$font" ]; then
        printf "drawtext=fontfile=%s:text='%s':fontsize=%s:x=%s:y=%s:fontcolor=white:borderw=2:start_number=101" "$font" "$@"
    else
        printf null
    fi
}

# Settings of H.264 in BT.709: `tags` say so to those who read it.
tags=(-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv)
h264=(-c:v libx264 -preset veryfast -crf 20 -g 50 -pix_fmt yuv420p "${tags[@]}")

# A film that a phone took upright: stored lying, with a turn of 90° in its header.
phone() {
    [ ! -s "$folder/phone.mp4" ] || return 0
    make phone-lying.mp4 -i "$folder/valley.mp4" -t 4 -an \
        -vf "crop=405:720:220:0,scale=720:1280,setsar=1,$(text upright 120 '(w-tw)/2' 100),transpose=clock" "${h264[@]}"
    make phone.mp4 -i "$folder/phone-lying.mp4" -c copy -metadata:s:v rotate=90
    rm "$folder/phone-lying.mp4"
}

# A picture with soft edges, which is seen through around its disc: expressions of red, green and blue.
disc="geq=r='60+X/2':g='200-Y/3':b='255-X/2':a='255*clip((190-hypot(X-200,Y-200))/8,0,1)'"
# An arc that turns once in a second, on nothing.
arc="geq=r=255:g='160+90*sin(2*PI*T)':b=40"
arc+=":a='255*between(hypot(X-120,Y-120),70,110)*lt(mod(atan2(Y-120,X-120)/(2*PI)-T+4,1),0.7)'"

# Settings of three films of interlaced frames, and what they show: a wheel that turns, fifty fields a second.
wheel="geq=lum='128+100*sgn(sin(10*atan2(Y-90,X-160)-40*T))*between(hypot(X-160,Y-90),20,80)':cb=110:cr=150"
fields=(-c:v libx264 -preset veryfast -crf 12 -g 25 -pix_fmt yuv420p -flags +ilme+ildct "${tags[@]}")

phone
make disc.png -f lavfi -i "color=s=400x400,format=rgba,$disc" -frames:v 1
# Orange, multiplied by an alpha that falls towards the edge.
fall="clip((195-hypot(X-200\,Y-200))/120\,0\,1)"
make soft.png -f lavfi -i "color=s=400x400,format=rgba,geq=r='235*$fall':g='110*$fall':b='20*$fall':a='255*$fall'" -frames:v 1
make arc.gif -f lavfi -i "color=s=240x240:r=20:d=1,format=rgba,$arc,split[a][b];[a]palettegen[p];[b][p]paletteuse"
make arc.png -f lavfi -i "color=s=240x240:r=20:d=1,format=rgba,$arc" -f apng -plays 2
make arc.webp -f lavfi -i "color=s=240x240:r=20:d=1,format=rgba,$arc,format=bgra" -c:v libwebp_anim -lossless 1 -loop 1
make arc.mov -f lavfi -i "color=s=240x240:r=25:d=4,format=rgba,$arc" -c:v qtrle
make small.mp4 -i "$folder/valley.mp4" -vf scale=64:36:flags=area "${h264[@]}"
make two.mp4 -i "$folder/valley.mp4" -i "$folder/portrait.mp4" -t 4 -map 0:v -map 1:v -c copy
# The street's tram, and a clock that says how much of the clip was played.
make clock.mp4 -i "$folder/street.mp4" -an -vf "$(text '%{pts\:hms}' 60 '(w-tw)/2' 40)" "${h264[@]}"
make uneven.mp4 -i "$folder/clock.mp4" -t 2 -an -vf "fps=30,select='gte(t,1)+not(mod(n,15))'" -vsync vfr "${h264[@]}"
# Light that eats its way out from the middle, within a second.
make burn.mp4 -f lavfi -i "color=s=320x180:r=25:d=2,format=yuv420p,geq=lum='clip(16+220*(2.2*T-hypot(X-160,Y-90)/150+0.18*sin(X/19)*cos(Y/13)),16,235)':cb=128:cr=128" \
    "${h264[@]}"
make live.jpg -ss 1 -i "$folder/portrait.mp4" -frames:v 1 -vf "$(text still 120 60 60)" -q:v 3
make live.mov -i "$folder/portrait.mp4" -t 3 -vf "$(text movie 120 60 60)" "${h264[@]}"
make interlaced.mp4 -f lavfi -i "color=s=320x180:r=50:d=2,format=yuv420p,$wheel" \
    -vf tinterlace=interleave_top,setfield=tff "${fields[@]}"
make fields-untold.mkv -f lavfi -i "color=s=320x180:r=50:d=2,format=yuv420p,$wheel" \
    -vf tinterlace=interleave_bottom,setfield=prog "${h264[@]}" -crf 12
# Film on video: four frames become five, two of which mix fields.
make telecined.mkv -f lavfi -i "color=s=320x180:r=24000/1001:d=2,format=yuv420p,$wheel" \
    -vf telecine=first_field=top:pattern=23,setfield=tff "${fields[@]}"
# Full range by BT.601, with tags that say limited range by BT.709.
make mistagged.mp4 -i "$folder/portrait.mp4" -t 4 \
    -vf scale=640:360:out_range=pc:out_color_matrix=bt601,setparams=range=tv:colorspace=bt709 "${h264[@]}"
# The easings' names, each beside the line that it moves.
names=format=rgba
line=0
for name in linear ease-in ease-out ease-in-out hold cubic-bezier 'four numbers'; do
    names+=",$(text "$name" 40 30 $((40 + 95 * line)))"
    line=$((line + 1))
done
make names.png -f lavfi -i "color=black@0:s=1280x720,$names" -frames:v 1
# Two of the demo's films five times as bright, up to 1,000 cd/m²: as PQ and as HLG, in BT.2020.
bright="scale=640:360,zscale=tin=709:pin=709:min=709:rin=limited:t=linear:npl=203,format=gbrpf32le,exposure=exposure=2.3"
wide=(-pix_fmt yuv420p10le -c:v libx265 -x265-params log-level=error -preset ultrafast -crf 16 -tag:v hvc1
    -color_primaries bt2020 -colorspace bt2020nc -color_range tv)
make pq.mp4 -i "$folder/valley.mp4" -t 4 -vf "$bright,zscale=p=2020:t=smpte2084:m=2020_ncl:r=limited:npl=203" \
    "${wide[@]}" -color_trc smpte2084
make hlg.mp4 -i "$folder/portrait.mp4" -t 4 -vf "$bright,zscale=p=2020:t=arib-std-b67:m=2020_ncl:r=limited:npl=203" \
    "${wide[@]}" -color_trc arib-std-b67
if [ ! -e "$folder/shots/shot.00124.png" ]; then
    mkdir -p "$folder/shots"
    ffmpeg -nostdin -hide_banner -loglevel error -y -i "$folder/valley.mp4" -t 1 \
        -vf "fps=24,scale=640:360,$(text '%{frame_num}' 100 40 40)" -start_number 101 "$folder/shots/shot.%05d.png"
fi
# A look: shadows towards blue, lights towards orange, as a lattice of colours.
if [ ! -s "$folder/look.cube" ]; then
    awk 'BEGIN {
        n = 17
        print "TITLE \"Blue and orange\"\nLUT_3D_SIZE " n
        for (b = 0; b < n; b++) for (g = 0; g < n; g++) for (r = 0; r < n; r++) {
            x = r / (n - 1); y = g / (n - 1); z = b / (n - 1)
            light = 0.2126 * x + 0.7152 * y + 0.0722 * z
            warm = light * light * (3 - 2 * light)
            printf "%.6f %.6f %.6f\n", x + 0.25 * (warm - 0.5) * x, y, z + 0.3 * (0.5 - warm) * (1 - z)
        }
    }' >"$folder/part-look.cube"
    mv "$folder/part-look.cube" "$folder/look.cube"
fi
# What ffmpeg does not write. files KIND NAME FROM: of FOLDER/FROM.
files() {
    [ -s "$folder/$2" ] || { "$here/make-files.pl" "$1" "$folder/$3" "$folder/part-$2" && mv "$folder/part-$2" "$folder/$2"; }
}
make photo.mp4 -ss 1 -i "$folder/portrait.mp4" -frames:v 1 -an -pix_fmt yuv420p -c:v libx265 \
    -vf "crop=405:720:438:0,scale=360:640,setsar=1,$(text HEIC 60 '(w-tw)/2' 60),transpose=clock" \
    -x265-params log-level=error:info=0:range=limited:colormatrix=bt709 -tag:v hvc1
files heic photo.heic photo.mp4
make plain.jpg -ss 1 -i "$folder/portrait.mp4" -frames:v 1 -vf crop=600:500:340:80 -pix_fmt yuvj444p -q:v 2
files profile wide.jpg plain.jpg
make light.exr -ss 2.5 -i "$folder/street.mp4" -frames:v 1 -vf "scale=640:360,format=gbrpf32le,exposure=exposure=1.5" \
    -c:v exr -compression zip16
make seconds.mp4 -i "$folder/valley.mp4" -t 4 -an -bf 0 "${h264[@]}" -vf "$(text '%{pts\:hms}' 100 100 100)"
files edits edited.mp4 seconds.mp4
# Texts in their time, and data.
printf '1\n00:00:00,000 --> 00:00:02,000\nSubtitles with <i>slanted</i>\nand <font color="#ffc040">coloured</font> words\n' \
    >"$folder/words.srt"
printf 'WEBVTT\n\n00:00.000 --> 00:01.000\nsung <00:00.250>word <00:00.500>by <00:00.750>word\n' >"$folder/song.vtt"
printf '{"start": 0, "speed": 41}\n{"start": 1, "speed": 43.5}\n{"start": 2, "speed": 47}\n' >"$folder/speed.jsonl"
make subtitled.mp4 -i "$folder/portrait.mp4" -i "$folder/words.srt" -t 3 -map 0:v -map 1 -c:v copy -c:s mov_text -metadata:s:s language=eng
printf 'Scenarist_SCC V1.0\n\n00:00:00:10\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f\n\n00:00:02:20\t942c 942c\n' \
    >"$folder/captions.scc"
make captioned.mov -i "$folder/portrait.mp4" -i "$folder/captions.scc" -t 3 -map 0:v -map 1 -c copy
cp /usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf "$folder/face.ttf"
# Sounds whose waves show what is done to them: beats that climb and die away, a steady one, and loud among quiet.
beat='mod(t\,0.5)'
climbing="0.8*exp(-7*$beat)*sin(2*PI*(120+30*floor(t*2))*$beat)"
make beats.wav -f lavfi -i "aevalsrc=$climbing:s=48000:d=4" -c:a pcm_s16le
make steady.wav -f lavfi -i "aevalsrc=0.7*sin(2*PI*400*t)|0.7*sin(2*PI*600*t):s=48000:d=4" -c:a pcm_s16le
make uneven.wav -f lavfi -i "aevalsrc=($climbing)*if(lt(mod(t\,2)\,1)\,0.25\,0.03):s=48000:d=4" -c:a pcm_s16le
# One that climbs through all that is heard, a room's answer to one impulse, and beats in noise.
make sweep.wav -f lavfi -i "aevalsrc=0.5*sin(2*PI*40*2/log(400)*(exp(t*log(400)/2)-1)):s=48000:d=2" -c:a pcm_s16le
make room.wav -f lavfi -i "aevalsrc=(random(0)-0.5)*0.12*exp(-4*t)+0.5*eq(n\,0):s=48000:d=1.5" -c:a pcm_s16le
make hiss.wav -f lavfi -i "aevalsrc=$climbing*0.7+0.02*(random(0)-0.5):s=48000:d=4" -c:a pcm_s16le
