"""A dissolve in 4K and HDR."""

import sources
from chain import Chain
from film import NoWay


class HDR(Chain):
    name = "hdr"
    title = "4K in HDR"
    what = (
        "7 s of 2160p in HLG: two clips of HEVC in 10 bits, and a dissolve of a second. "
        "x265 by its preset ultrafast, crf 24."
    )
    whole_size = (3840, 2160)
    format = sources.HDR
    encoder = [
        "-c:v",
        "libx265",
        "-preset",
        "ultrafast",
        "-crf",
        "24",
        "-g",
        "60",
        "-x265-params",
        "no-open-gop=1:log-level=none",
        "-pix_fmt",
        "yuv420p10le",
        "-tag:v",
        "hvc1",
        "-color_primaries",
        "bt2020",
        "-color_trc",
        "arib-std-b67",
        "-colorspace",
        "bt2020nc",
    ]
    settings = ["--video-codec", "hevc", "--encoder-preset", "ultrafast"]

    melt_matrix = 2020
    melt_encoder = [
        "vcodec=libx265",
        "preset=ultrafast",
        "crf=24",
        "pix_fmt=yuv420p10le",
        "x265-params=no-open-gop=1:log-level=none",
    ]

    def lay_out(self):
        self.lengths, self.overlap = ([60, 60], 15) if self.short else ([120, 120], 30)

    def moviepy(self, tools):
        raise NoWay("its frames are R'G'B' of 8 bits")

    def ges(self, tools):
        raise NoWay("its profiles cannot ask x265 for a crf")
