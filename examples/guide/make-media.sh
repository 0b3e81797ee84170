#!/usr/bin/env bash
# Makes the guide's clips, photo and music anew: pictures from scenes/*.json by splitreel, sound by ffmpeg's generators.
# They are in the repository, so that nobody has to. Usage: make-media.sh SPLITREEL (some 20 seconds).
set -euo pipefail

splitreel=$(realpath "${1:?usage: make-media.sh SPLITREEL}")
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp scenes/*.json "$work"

encode() { ffmpeg -nostdin -hide_banner -loglevel error -y "$@"; }

# sound NAME FILTERS: a source of sound by lavfi, as 16 bits in stereo.
sound() { encode -f lavfi -i "$2,aformat=channel_layouts=stereo" -ar 48000 -c:a pcm_s16le "$work/$1"; }

# Six seconds of small waves, and of wheels over the joints of rails.
sound waves.wav "anoisesrc=r=48000:c=pink:a=0.4:seed=4:d=6,highpass=f=150,lowpass=f=1200,volume='0.5+0.4*sin(2*PI*t/3)':eval=frame"
sound rails.wav "anoisesrc=r=48000:c=brown:a=0.5:seed=9:d=6,highpass=f=60,volume='0.3+1.6*exp(-18*mod(t\,0.75))+1.3*exp(-18*mod(t+0.58\,0.75))':eval=frame"

# Eight seconds of a voice that says nothing: fourteen syllables from 0.5 s, and from 4.5 s, of a hum with two formants.
syllables="(between(t\,0.5\,3.3)+between(t\,4.5\,7.3))*pow(abs(sin(PI*(t+0.5)/0.2))\,0.6)"
hum="2*mod(165*t+4*sin(2*PI*0.6*t)+8\,1)-1"
encode -f lavfi -i "aevalsrc='0.4*($hum)*$syllables':s=48000:d=8" -filter_complex "asplit=3[a][b][c]; \
    [a]bandpass=f=620:width_type=h:w=160,volume='1.2+0.6*sin(2*PI*2.1*t)':eval=frame[low]; \
    [b]bandpass=f=1500:width_type=h:w=260,volume='0.8+0.6*sin(2*PI*1.3*t)':eval=frame[high]; \
    [c]lowpass=f=300,volume=0.5[chest]; [low][high][chest]amix=inputs=3:normalize=0,volume=1.6,aformat=channel_layouts=stereo" \
    -ar 48000 -c:a pcm_s16le "$work/voice.wav"

for film in lake train; do
    "$splitreel" render "$work/$film.json" -o "$film.mp4" --overwrite --quiet --crf 24 --audio-bitrate 96k
done
# As a phone stores an upright film: lying on its side, with a note to turn it.
"$splitreel" render "$work/ada.json" -o "$work/ada.mkv" --quiet --video-codec ffv1
encode -i "$work/ada.mkv" -vf "transpose=2,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709" \
    -c:v libx264 -preset slow -crf 23 -pix_fmt yuv420p -c:a aac -b:a 96k -fflags +bitexact "$work/side.mov"
encode -i "$work/side.mov" -c copy -metadata:s:v:0 rotate=270 -fflags +bitexact ada.mov
"$splitreel" frame "$work/harbour.json" --at 0s -o harbour.jpg --overwrite --quiet

# chord LOW MIDDLE HIGH: three seconds of a soft chord under plucked notes, as an expression.
chord() {
    local pad="0.09*(sin(2*PI*$1*t)+sin(2*PI*$2*t)+sin(2*PI*$3*t))*min(t*8\,1)*min((3-t)*6\,1)"
    local bass="0.2*sin(PI*$1*t)*exp(-1.2*mod(t\,1.5))"
    local note="if(lt(mod(t\,1.5)\,0.375)\,$1\,if(lt(mod(t\,1.5)\,0.75)\,$3\,if(lt(mod(t\,1.5)\,1.125)\,$2\,$3)))"
    printf 'aevalsrc=%s+%s+0.12*sin(4*PI*(%s)*t)*exp(-8*mod(t\,0.375)):s=48000:d=3' "$pad" "$bass" "$note"
}
encode -f lavfi -i "$(chord 196.00 246.94 293.66)" -f lavfi -i "$(chord 164.81 196.00 246.94)" \
    -f lavfi -i "$(chord 130.81 164.81 196.00)" -f lavfi -i "$(chord 146.83 220.00 293.66)" -filter_complex \
    "[0][1][2][3]concat=n=4:v=0:a=1,aloop=loop=1:size=576000,aecho=0.8:0.7:130|260:0.3|0.2,volume=1.6,atrim=0:20,aformat=channel_layouts=stereo" \
    -c:a aac -b:a 112k -fflags +bitexact music.m4a
ls -l ./*.mp4 ./*.mov ./*.jpg ./*.m4a
