"""Media for the films, made by ffmpeg, the same each time. Made once in a folder."""

import os
import subprocess

import codes


class Format:
    """What sources are encoded as: ffmpeg's words, the pixels, the matrix of their colours, primaries and transfer."""

    def __init__(self, words, pixels="yuv420p", matrix="bt709", primaries="bt709", transfer="bt709"):
        self.words, self.pixels, self.matrix = words, pixels, matrix
        self.tags = f"setparams=range=tv:colorspace={matrix}:color_primaries={primaries}:color_trc={transfer}"


H264 = Format(["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-g", "60"])
HDR = Format(
    [
        "-c:v",
        "libx265",
        "-preset",
        "ultrafast",
        "-crf",
        "20",
        "-x265-params",
        "log-level=none:keyint=60",
        "-tag:v",
        "hvc1",
    ],
    "yuv420p10le",
    "bt2020nc",
    "bt2020",
    "arib-std-b67",
)


def picture(source, width, height, rate, format):
    """A moving picture of colours that R'G'B' has, too; neighbours in number look different."""
    shown = ("null", "hflip,negate", "vflip,colorchannelmixer=rr=0:rg=1:gg=0:gb=1:bb=0:br=1")[source % 3]
    matrix = format.matrix.removesuffix("nc")
    return (
        f"testsrc2=s={width}x{height}:r={rate},format=rgb24,{shown},"
        f"scale=out_color_matrix={matrix}:flags=bicubic+accurate_rnd,format=yuv420p"
    )


def make(words, path):
    """Runs ffmpeg into a file beside, so that a file that is there is whole."""
    if os.path.exists(path):
        return
    name, ending = os.path.splitext(path)
    done = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", *words, f"{name}.part{ending}"], capture_output=True, check=False
    )
    if done.returncode != 0:
        raise ValueError(f"{path} cannot be made: {done.stderr.decode('utf-8', 'replace')[-1000:]}")
    os.rename(f"{name}.part{ending}", path)


def graph(source, size, frames, rate, slots, slot, format):
    """The end of a filter graph that makes a source as [out]. There is some noise in it, as in what a camera sees."""
    width, height = size
    ten = "p10" if "10" in format.pixels else ""
    return (
        f"{picture(source, width, height, rate, format)},noise=alls=4:allf=t,format={format.pixels}[p];"
        f"{codes.band(width, slots, slot, source, frames, rate)};"
        f"[p][band]overlay=shortest=1:format=yuv420{ten},format={format.pixels},{format.tags}[out]"
    )


def film(path, source, size, frames, rate=30, slots=1, slot=0, format=H264):
    """A film without sound whose frames have their numbers in them."""
    make(
        [
            "-filter_complex",
            graph(source, size, frames, rate, slots, slot, format),
            "-map",
            "[out]",
            "-frames:v",
            str(frames),
            *format.words,
            "-pix_fmt",
            format.pixels,
            "-movflags",
            "+faststart",
        ],
        path,
    )


def still(path, source, size, slots=1, slot=0):
    """A PNG of 8-bit R'G'B' with a code of frame 0."""
    shown = graph(source, size, 1, 30, slots, slot, H264)
    make(
        [
            "-filter_complex",
            f"{shown};[out]scale=in_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int,"
            "format=rgb24[still]",
            "-map",
            "[still]",
            "-frames:v",
            "1",
        ],
        path,
    )


def logo(path, size, seed=0):
    """A PNG with alpha: a disc, seven tenths opaque, that another seed turns."""
    width, height = size
    make(
        [
            "-f",
            "lavfi",
            "-i",
            f"testsrc2=s={width}x{height}:r=1:d=1,hue=h={47 * seed},format=rgba,"
            f"geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='178*lt(hypot(X-{width // 2},Y-{height // 2}),{height // 2 - 1})'",
            "-frames:v",
            "1",
        ],
        path,
    )
