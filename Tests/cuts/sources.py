"""The media that are cut: files of the corpus, the same with tags of a colour, and files made here."""

import csv
import os

from witness import must, run

# What the program or this test has other rules for: alpha, a size that the codec is not made in, and odd clocks.
LEFT_OUT = ("alpha", "transparent", "prores4444", "iibbibb", "cursed", "odd_width_mpeg2", "odd-dimensions")
ENDINGS = (".mp4", ".mov", ".m4v", ".mkv", ".webm", ".ts", ".flv", ".mpg", ".avi", ".wmv")
TAGS = "colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1"


def real(corpus):
    """The films of the corpus, by its own list."""
    try:
        with open(os.path.join(corpus, "MANIFEST.tsv")) as lines:
            names = [row["file"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
    except FileNotFoundError:
        return []
    films = [name for name in names if name.lower().endswith(ENDINGS) and not name.startswith(("corrupt", "audio"))]
    return [os.path.join(corpus, name) for name in films if not any(word in name for word in LEFT_OUT)]


def tagged(film, folder):
    """The packets of a film under tags of BT.709, so that they can be copied; None where the film has tags."""
    if film.codec not in ("h264", "hevc") or film.tags[2] != "unknown":
        return None
    name, ending = os.path.splitext(os.path.basename(film.path))
    path = os.path.join(folder, f"tagged-{name.replace(' ', '-')}{ending}")
    done = run("ffmpeg", "-nostdin", "-y", "-v", "error", "-i", film.path, "-map", "0:v:0", "-c", "copy", "-bsf:v",
               f"{film.codec}_metadata={TAGS}", path)
    return path if done.returncode == 0 else None


COLOUR = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
X264 = ["-c:v", "libx264", "-preset", "fast", "-g", "12", "-keyint_min", "4", "-bf", "3", "-pix_fmt", "yuv420p"]
X265 = ["-c:v", "libx265", "-preset", "fast", "-tag:v", "hvc1", "-pix_fmt", "yuv420p"]


def x264(parameters, *more):
    return X264 + ["-x264-params", parameters] + COLOUR + list(more)


def x265(parameters, *more):
    groups = "keyint=12:min-keyint=4:bframes=3:log-level=none"
    return X265 + ["-x265-params", f"{groups}:{parameters}"] + COLOUR + list(more)


# Name, size, rate and how it is coded.
MADE = [
    ("closed.mp4", "320x180", "25", x264("open-gop=0")),
    ("closed2.mp4", "320x180", "25", x264("open-gop=0")),
    ("pyramid.mp4", "320x180", "25", x264("b-pyramid=normal:b-adapt=0:ref=4")),
    ("strict.mkv", "320x180", "30000/1001", x264("b-pyramid=strict:b-adapt=0:slices=3")),
    ("nob.mov", "320x180", "24", x264("bframes=0:cabac=0:ref=1")),
    ("open.mp4", "320x180", "25", x264("open-gop=1:b-adapt=0")),
    ("openpyramid.mp4", "320x180", "25", x264("open-gop=1:b-adapt=0:b-pyramid=normal:keyint=24")),
    ("refresh.mp4", "320x180", "25", x264("intra-refresh=1:keyint=12")),
    ("long.mp4", "320x180", "25", x264("keyint=1000")),
    ("intra.mp4", "320x180", "25", x264("keyint=1")),
    ("cropped.mp4", "318x178", "25", x264("b-pyramid=normal")),
    ("odd.mp4", "322x182", "60000/1001", x264("ref=3")),
    ("fields.mp4", "320x192", "25", x264("interlaced=1", "-flags", "+ildct+ilme", "-top", "1")),
    ("fake.mp4", "320x180", "25", x264("fake-interlaced=1")),
    ("sets.mp4", "320x180", "25", x264("repeat-headers=1:aud=1")),
    ("delimited.ts", "320x180", "25", x264("aud=1:b-pyramid=normal")),
    ("broadcast.ts", "320x180", "50", x264("aud=1:open-gop=1:nal-hrd=vbr:vbv-maxrate=900:vbv-bufsize=900")),
    ("ids.mp4", "320x180", "25", x264("sps-id=3")),
    ("hidden.mp4", "320x180", "25", x264("pic-struct=1:force-cfr=1:nal-hrd=vbr:vbv-maxrate=900:vbv-bufsize=900")),
    ("ten.mp4", "320x180", "25", x264("b-pyramid=normal", "-pix_fmt", "yuv420p10le")),
    ("full422.mp4", "320x180", "25", x264("ref=2", "-pix_fmt", "yuv422p")),
    ("fragments.mp4", "320x180", "25", x264("ref=2", "-movflags", "frag_keyframe+empty_moov+default_base_moof")),
    ("negative.mp4", "320x180", "25", x264("ref=2", "-movflags", "negative_cts_offsets")),
    ("noedits.mp4", "320x180", "25", x264("ref=2", "-use_editlist", "0")),
    ("hevc.mp4", "320x180", "25", x265("open-gop=0")),
    ("hevc2.mp4", "320x180", "25", x265("open-gop=0")),
    ("hevcopen.mp4", "320x180", "25", x265("open-gop=1:b-adapt=0")),
    ("radl.mp4", "320x180", "25", x265("open-gop=0:radl=2:b-adapt=0")),
    ("hevccropped.mkv", "318x178", "24000/1001", x265("open-gop=0:b-pyramid=1")),
    ("hevcsets.mp4", "320x180", "25", x265("open-gop=0:repeat-headers=1:aud=1:hrd=0")),
    ("hevc.ts", "320x180", "25", x265("open-gop=0:repeat-headers=1:aud=1")),
    ("hevcopen.ts", "320x180", "25", x265("open-gop=1:repeat-headers=1:aud=1")),
    ("layers.mp4", "320x180", "25", x265("open-gop=0:temporal-layers=1")),
    ("hevcten.mp4", "320x180", "25", x265("open-gop=0:slices=2", "-pix_fmt", "yuv420p10le")),
    ("hev1.mp4", "320x180", "25", x265("open-gop=0:repeat-headers=1", "-tag:v", "hev1")),
    ("hevclong.mp4", "320x180", "25", x265("open-gop=0:keyint=1000:ref=5:bframes=8")),
    ("prores.mov", "320x180", "25", ["-c:v", "prores_ks", "-profile:v", "2", "-vendor", "apl0", "-bsf:v",
     "prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709"] + COLOUR),
    ("dnxhr.mov", "320x180", "25", ["-c:v", "dnxhd", "-profile:v", "dnxhr_hq", "-pix_fmt", "yuv422p"] + COLOUR),
    ("mjpeg.mov", "320x180", "25", ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", "-colorspace", "smpte170m"]),
    ("mjpeg.avi", "320x180", "30", ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"]),
    ("ffv1.mkv", "320x180", "25", ["-c:v", "ffv1", "-level", "3", "-g", "1", "-pix_fmt", "yuv420p"] + COLOUR),
    ("mpeg2.ts", "320x180", "25", ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2", "-g", "12"] + COLOUR),
    ("vp9.webm", "320x180", "25", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-b:v", "400k", "-g", "12"] + COLOUR),
]


def make(folder):
    """Makes the files, which no two have a picture in common, and answers their paths."""
    paths = []
    for number, (name, size, rate, coding) in enumerate(MADE):
        path = os.path.join(folder, name)
        picture = f"testsrc2=s={size}:r={rate}:d=2.4,hue=h={40 * number},noise=alls=6:all_seed={number}"
        if not os.path.exists(path):
            must("ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-f", "lavfi", "-i", picture, *coding, path)
        paths.append(path)
    return paths + changed(folder)


def changed(folder):
    """Files made of those: an edit list that begins within a group, uneven frames, sets that change, two in a row."""
    here = lambda name: os.path.join(folder, name)
    ffmpeg = ["ffmpeg", "-nostdin", "-y", "-v", "error", "-threads", "1"]
    for name, source, time in [("edited.mp4", "closed.mp4", "0.7"), ("editedopen.mp4", "open.mp4", "1.1"),
                               ("editedhevc.mp4", "hevcopen.mp4", "0.9")]:
        must(*ffmpeg, "-ss", time, "-i", here(source), "-c", "copy", here(name))
    drop = "select='not(eq(mod(n,19),3)+eq(mod(n,19),7))'"
    for name, coding in [("uneven.mp4", x264("keyint=6:b-pyramid=normal")),
                         ("unevenhevc.mp4", x265("open-gop=0:keyint=6"))]:
        must(*ffmpeg, "-i", here("closed.mp4"), "-vf", drop, "-fps_mode", "vfr", *coding, here(name))
    # Two encodings in a row in one stream: sets of equal numbers and other content, stated by each.
    must(*ffmpeg, "-i", here("closed.mp4"), *x264("aud=1:bframes=0:cabac=0"), here("first.ts"))
    with open(here("list"), "w") as out:
        out.write("".join(f"file {name}\n" for name in ("first.ts", "delimited.ts", "first.ts")))
    for name in ("twice.ts", "twice.mkv"):
        must(*ffmpeg, "-f", "concat", "-i", here("list"), "-c", "copy", here(name))
    names = ["edited.mp4", "editedopen.mp4", "editedhevc.mp4", "uneven.mp4", "unevenhevc.mp4", "twice.ts",
             "twice.mkv"]
    return [here(name) for name in names]
