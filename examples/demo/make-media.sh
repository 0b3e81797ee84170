#!/usr/bin/env bash
# Makes the demo's clips and music with ffmpeg's own generators. Usage: make-media.sh FOLDER
# What is there already is kept; a file appears under its name only when it is whole.
set -euo pipefail

folder=${1:?usage: make-media.sh FOLDER}
mkdir -p "$folder"
font=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf

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
    "mandelbrot=s=1280x720:r=30:maxiter=512:start_scale=2.6:end_scale=0.02:end_pts=240" "hue=h=210" &
first=$!
clip colours "colours 30 fps" \
    "gradients=s=1280x720:r=30:n=4:c0=0x0b1f4b:c1=0xff5e3a:c2=0x18b6a4:c3=0xf7d154:speed=0.012:seed=7:d=8"
clip life "life 25 fps" \
    "life=s=320x180:r=25:mold=12:ratio=0.12:death_color=#a03080:life_color=#40e0ff:mold_color=#101040:seed=3" \
    "scale=1280:720:flags=neighbor"
clip card "test card" "testsrc2=s=1280x720:r=30:d=8"
music
wait "$first"
