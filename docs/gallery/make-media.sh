#!/usr/bin/env bash
# Makes the gallery's films and pictures with ffmpeg's own generators. Usage: make-media.sh FOLDER
# What is there already is kept; a file appears under its name only when it is whole.
set -euo pipefail

folder=${1:?usage: make-media.sh FOLDER}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
font=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf

mkdir -p "$folder"

# A filter that burns a caption and the clip's own clock in, or nothing where the font is missing.
caption() {
    [ -r "$font" ] || return 0
    printf ",drawtext=fontfile=%s:text='%s  %%{pts\\:hms}':x=48:y=h-88:fontsize=36:fontcolor=white:box=1:boxcolor=black@0.45:boxborderw=14" \
        "$font" "$1"
}

# clip NAME CAPTION SOURCE [FILTERS]: eight seconds of H.264.
clip() {
    local out="$folder/$1.mp4"
    [ ! -s "$out" ] || return 0
    ffmpeg -nostdin -hide_banner -loglevel error -y -f lavfi -i "$3" -t 8 \
        -vf "${4:-null}$(caption "$2"),setsar=1,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p" \
        -c:v libx264 -preset veryfast -crf 18 -g 60 \
        -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv \
        -movflags +faststart "$out.part.mp4"
    mv "$out.part.mp4" "$out"
}

# chord LOW MIDDLE HIGH: three seconds of a soft chord under an arpeggio, as an expression for each channel.
chord() {
    local pad="0.10*(sin(2*PI*$1*t)+sin(2*PI*$2*t)+sin(2*PI*$3*t))*min(t*12\,1)*min((3-t)*8\,1)"
    local bass="0.22*sin(PI*$1*t)*exp(-1.2*mod(t\,1.5))"
    local note="if(lt(mod(t\,1.5)\,0.375)\,$1\,if(lt(mod(t\,1.5)\,0.75)\,$2\,if(lt(mod(t\,1.5)\,1.125)\,$3\,$2)))"
    local pluck="sin(4*PI*($note)*t)*exp(-9*mod(t\,0.375))"
    printf 'aevalsrc=%s+%s+0.13*%s|%s+%s+0.07*%s:s=48000:d=3' "$pad" "$bass" "$pluck" "$pad" "$bass" "$pluck"
}

music() {
    local out="$folder/music.m4a"
    [ ! -s "$out" ] || return 0
    ffmpeg -nostdin -hide_banner -loglevel error -y \
        -f lavfi -i "$(chord 220.00 261.63 329.63)" -f lavfi -i "$(chord 174.61 220.00 261.63)" \
        -f lavfi -i "$(chord 130.81 196.00 329.63)" -f lavfi -i "$(chord 196.00 246.94 293.66)" \
        -filter_complex "[0][1][2][3]concat=n=4:v=0:a=1,aloop=loop=2:size=576000,aecho=0.8:0.7:130|260:0.3|0.2,volume=1.8,atrim=0:25" \
        -c:a aac -b:a 192k -movflags +faststart "$out.part.m4a"
    mv "$out.part.m4a" "$out"
}

clip zoom "zoom 30 fps" \
    "mandelbrot=s=1280x720:r=30:maxiter=512:start_scale=2.6:end_scale=0.02:end_pts=240" "hue=h=210"
clip colours "colours 30 fps" \
    "gradients=s=1280x720:r=30:n=4:c0=0x0b1f4b:c1=0xff5e3a:c2=0x18b6a4:c3=0xf7d154:speed=0.012:seed=7:d=8"
clip life "life 25 fps" \
    "life=s=320x180:r=25:mold=12:ratio=0.12:death_color=#a03080:life_color=#40e0ff:mold_color=#101040:seed=3" \
    "scale=1280:720:flags=neighbor"
clip card "test card" "testsrc2=s=1280x720:r=30:d=8"
music

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
    make phone-lying.mp4 -i "$folder/zoom.mp4" -t 4 -an \
        -vf "crop=405:720:200:0,scale=720:1280,setsar=1,$(text upright 120 '(w-tw)/2' 100),transpose=clock" "${h264[@]}"
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
make small.mp4 -i "$folder/zoom.mp4" -vf scale=64:36:flags=area "${h264[@]}"
make two.mp4 -i "$folder/zoom.mp4" -i "$folder/life.mp4" -t 4 -map 0:v -map 1:v -c copy
make uneven.mp4 -i "$folder/card.mp4" -t 2 -an -vf "select='gte(t,1)+not(mod(n,15))'" -vsync vfr "${h264[@]}"
make live.jpg -ss 1 -i "$folder/life.mp4" -frames:v 1 -vf "$(text still 120 60 60)" -q:v 3
make live.mov -i "$folder/life.mp4" -t 3 -vf "$(text movie 120 60 60)" "${h264[@]}"
make interlaced.mp4 -f lavfi -i "color=s=320x180:r=50:d=2,format=yuv420p,$wheel" \
    -vf tinterlace=interleave_top,setfield=tff "${fields[@]}"
make fields-untold.mkv -f lavfi -i "color=s=320x180:r=50:d=2,format=yuv420p,$wheel" \
    -vf tinterlace=interleave_bottom,setfield=prog "${h264[@]}" -crf 12
# Film on video: four frames become five, two of which mix fields.
make telecined.mkv -f lavfi -i "color=s=320x180:r=24000/1001:d=2,format=yuv420p,$wheel" \
    -vf telecine=first_field=top:pattern=23,setfield=tff "${fields[@]}"
# Full range by BT.601, with tags that say limited range by BT.709.
make mistagged.mp4 -i "$folder/zoom.mp4" -t 4 \
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
make pq.mp4 -i "$folder/colours.mp4" -t 4 -vf "$bright,zscale=p=2020:t=smpte2084:m=2020_ncl:r=limited:npl=203" \
    "${wide[@]}" -color_trc smpte2084
make hlg.mp4 -i "$folder/zoom.mp4" -t 4 -vf "$bright,zscale=p=2020:t=arib-std-b67:m=2020_ncl:r=limited:npl=203" \
    "${wide[@]}" -color_trc arib-std-b67
if [ ! -e "$folder/shots/shot.00124.png" ]; then
    mkdir -p "$folder/shots"
    ffmpeg -nostdin -hide_banner -loglevel error -y -i "$folder/zoom.mp4" -t 1 \
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
make photo.mp4 -ss 1 -i "$folder/zoom.mp4" -frames:v 1 -an -pix_fmt yuv420p -c:v libx265 \
    -vf "crop=405:720:400:0,scale=360:640,setsar=1,$(text HEIC 60 '(w-tw)/2' 60),transpose=clock" \
    -x265-params log-level=error:info=0:range=limited:colormatrix=bt709 -tag:v hvc1
files heic photo.heic photo.mp4
make plain.jpg -f lavfi -i "gradients=s=600x500:c0=0xff4020:c1=0x20c040:c2=0x2060ff:nb_colors=3:x0=0:y0=0:x1=460:y1=240:seed=1" \
    -frames:v 1 -pix_fmt yuvj444p -q:v 2
files profile wide.jpg plain.jpg
make light.exr -ss 1 -i "$folder/zoom.mp4" -frames:v 1 -vf "scale=640:360,format=gbrpf32le,exposure=exposure=1.5" \
    -c:v exr -compression zip16
make seconds.mp4 -i "$folder/zoom.mp4" -t 4 -an -bf 0 "${h264[@]}" -vf "$(text '%{pts\:hms}' 100 100 100)"
files edits edited.mp4 seconds.mp4
# Texts in their time, and data.
printf '1\n00:00:00,000 --> 00:00:02,000\nSubtitles with <i>slanted</i>\nand <font color="#ffc040">coloured</font> words\n' \
    >"$folder/words.srt"
printf 'WEBVTT\n\n00:00.000 --> 00:01.000\nsung <00:00.250>word <00:00.500>by <00:00.750>word\n' >"$folder/song.vtt"
printf '{"start": 0, "speed": 41}\n{"start": 1, "speed": 43.5}\n{"start": 2, "speed": 47}\n' >"$folder/speed.jsonl"
make subtitled.mp4 -i "$folder/life.mp4" -i "$folder/words.srt" -t 3 -map 0:v -map 1 -c:v copy -c:s mov_text -metadata:s:s language=eng
printf 'Scenarist_SCC V1.0\n\n00:00:00:10\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f\n\n00:00:02:20\t942c 942c\n' \
    >"$folder/captions.scc"
make captioned.mov -i "$folder/life.mp4" -i "$folder/captions.scc" -t 3 -map 0:v -map 1 -c copy
cp "$font" "$folder/face.ttf"
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
