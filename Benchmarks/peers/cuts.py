"""Films of cuts, with stills over them or not."""

import math
import os
import subprocess

import codes
import sources
from film import LOSSLESS, Film, NoWay, Way, ffmpeg


class Piece:
    """So many frames of a source, from one of its frames on."""

    def __init__(self, source, first, frames):
        self.source, self.first, self.frames = source, first, frames


class Over:
    """A still with alpha over a film, from a frame on, so many frames long."""

    def __init__(self, file, x, y, first, frames, seed=0):
        self.file, self.x, self.y, self.first, self.frames, self.seed = file, x, y, first, frames, seed


def chance(seed):
    """Numbers below 2^31 that look random, the same each time."""
    while True:
        seed = (seed * 1103515245 + 12345) % (1 << 31)
        yield seed >> 8


class Cuts(Film):
    """`lay_out` sets `source_frames` (of each source), `pieces` and `overs`."""

    overs = ()
    over_size = (0, 0)

    @property
    def frames(self):
        return sum(piece.frames for piece in self.pieces)

    @property
    def probes(self):
        return [codes.Probe(self.size[0])]

    def source(self, number):
        return f"source{number}.mp4"

    def make_sources(self):
        for number, frames in enumerate(self.source_frames):
            sources.film(self.path(self.source(number)), number, self.size, frames, self.rate)
        for over in self.overs:
            sources.logo(self.path(over.file), self.over_size, over.seed)

    def expected(self):
        return [(codes.code(piece.source, piece.first + n),) for piece in self.pieces for n in range(piece.frames)]

    # MARK: The exact frames

    def make_reference(self, path, step):
        """Frames are taken out of the decoded sources by their numbers, and laid in order."""
        shown = [(piece.source, piece.first + n) for piece in self.pieces for n in range(piece.frames)][::step]
        bytes_each, places, raw = self.size[0] * self.size[1] * 3 // 2, {}, self.path("frames.raw")
        with open(raw, "wb") as file:
            for source in sorted({source for source, _ in shown}):
                wanted = sorted({frame for other, frame in shown if other == source})
                self.append_frames(file, source, wanted)
                places.update({(source, frame): len(places) + n for n, frame in enumerate(wanted)})
        ordered = self.path("ordered.raw")
        with open(raw, "rb") as file, open(ordered, "wb") as output:
            for frame in shown:
                file.seek(places[frame] * bytes_each)
                output.write(file.read(bytes_each))
        os.remove(raw)
        width, height = self.size
        inputs = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{width}x{height}", "-r", self.rate, "-i", ordered]
        for over in self.overs:
            inputs += ["-i", self.path(over.file)]
        ffmpeg(*inputs, "-filter_complex", self.overlays("[0:v]", 1, step), "-map", "[out]", *LOSSLESS, path)
        os.remove(ordered)

    def append_frames(self, file, source, wanted):
        select = "+".join(f"eq(n,{frame})" for frame in wanted)
        subprocess.run(
            [
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-i",
                self.path(self.source(source)),
                "-vf",
                f"select='{select}'",
                "-fps_mode",
                "passthrough",
                "-f",
                "rawvideo",
                "-",
            ],
            stdout=file,
            check=True,
        )

    def overlays(self, base, first_input, step=1):
        """Filters that lay the stills over `base`, of which each `step`th frame is there; they end in [out]."""
        parts = [f"{base}null[under0]"]
        for n, over in enumerate(self.overs):
            last = over.first + over.frames - 1
            parts.append(f"[{first_input + n}:v]scale=out_color_matrix=bt709,format=yuva420p[over{n}]")
            parts.append(
                f"[under{n}][over{n}]overlay={over.x}:{over.y}:format=yuv420:"
                f"enable='between(n*{step},{over.first},{last})'[under{n + 1}]"
            )
        parts.append(f"[under{len(self.overs)}]format=yuv420p[out]")
        return ";".join(parts)

    # MARK: The tools

    def splitreel_composition(self):
        assets = {f"s{piece.source}": self.source(piece.source) for piece in self.pieces}
        segments, at = [], 0
        for piece in self.pieces:
            segments.append(
                {
                    "asset": f"s{piece.source}",
                    "source": [self.time(piece.first), self.time(piece.frames)],
                    "target": [self.time(at), self.time(piece.frames)],
                }
            )
            at += piece.frames
        tracks = [{"id": 1, "type": "video", "segments": segments}]
        instructions, at = [], 0
        for n, over in enumerate(self.overs):
            assets[f"over{n}"] = over.file
            track = {
                "id": n + 2,
                "type": "video",
                "segments": [{"asset": f"over{n}", "target": [self.time(over.first), self.time(over.frames)]}],
            }
            if over.first:
                track["segments"].insert(0, {"target": ["0s", self.time(over.first)]})
                if over.first > at:
                    instructions.append(
                        {"range": [self.time(at), self.time(over.first - at)], "layers": [{"track": 1}]}
                    )
            tracks.append(track)
            moved = {"track": n + 2, "transform": [{"at": "0s", "value": [1, 0, 0, 1, over.x, over.y]}]}
            instructions.append(
                {"range": [self.time(over.first), self.time(over.frames)], "layers": [moved, {"track": 1}]}
            )
            at = over.first + over.frames
        if self.overs and at < self.frames:
            instructions.append({"range": [self.time(at), self.time(self.frames - at)], "layers": [{"track": 1}]})
        return self.composition(assets, tracks, instructions)

    def graph(self, tools):
        inputs, parts = [], []
        for n, piece in enumerate(self.pieces):
            # A quarter of a frame earlier: no rounding loses the first one.
            begin = max(0.0, (piece.first - 0.25) / self.rate)
            inputs += ["-ss", f"{begin:.6f}", "-t", self.seconds(piece.frames + 1), "-i", self.source(piece.source)]
            parts.append(f"[{n}:v]setpts=PTS-STARTPTS,trim=end_frame={piece.frames}[c{n}]")
        for over in self.overs:
            inputs += ["-i", over.file]
        pads = "".join(f"[c{n}]" for n in range(len(self.pieces)))
        parts.append(f"{pads}concat=n={len(self.pieces)}:v=1:a=0[base]")
        return self.ffmpeg(inputs, ";\n".join(parts) + ";\n" + self.overlays("[base]", len(self.pieces)))

    def joins_only(self):
        if self.overs:
            raise NoWay("it lays nothing over a film")

    def concat_list(self, name):
        lines = []
        for piece in self.pieces:
            lines += [
                f"file '{self.source(piece.source)}'",
                f"inpoint {self.seconds(piece.first)}",
                f"outpoint {self.seconds(piece.first + piece.frames)}",
            ]
        return self.write(name, "\n".join(lines) + "\n")

    def joined(self, name, listed, words, before=()):
        return Way(
            [
                *before,
                [
                    "ffmpeg",
                    "-nostdin",
                    "-v",
                    "error",
                    "-y",
                    "-f",
                    "concat",
                    "-safe",
                    "0",
                    "-i",
                    listed,
                    "-map",
                    "0:v",
                    *words,
                    f"{name}.mp4",
                ],
            ],
            f"{name}.mp4",
        )

    def concat(self, tools):
        self.joins_only()
        return self.joined("concat", self.concat_list("concat.txt"), ["-r", self.rate, *self.encoder])

    def copy(self, tools):
        self.joins_only()
        return self.joined("copy", self.concat_list("copy.txt"), ["-c", "copy"])

    def losslesscut(self, tools):
        """As LosslessCut cuts and merges: each piece is copied from the key frame before it on, and all are joined."""
        self.joins_only()
        cuts = [
            [
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-y",
                "-ss",
                self.seconds(piece.first),
                "-i",
                self.source(piece.source),
                "-t",
                self.seconds(piece.frames),
                "-avoid_negative_ts",
                "make_zero",
                "-map",
                "0:v",
                "-c",
                "copy",
                f"lossless{n}.mp4",
            ]
            for n, piece in enumerate(self.pieces)
        ]
        return self.joined("losslesscut", self.pieces_list("lossless"), ["-c", "copy"], cuts)

    def smartcut(self, tools):
        """It cuts one file at a time: each piece is cut by itself, and ffmpeg joins them."""
        self.joins_only()
        cuts = []
        for n, piece in enumerate(self.pieces):
            # Rounded down to a nanosecond: told by the number, it keeps a frame too many.
            ends = [math.floor(frame * 1e9 / self.rate) / 1e9 for frame in (piece.first, piece.first + piece.frames)]
            cuts.append(
                [tools.smartcut, self.source(piece.source), f"smart{n}.mp4", "--keep", f"{ends[0]:.9f},{ends[1]:.9f}"]
            )
        return self.joined("smartcut", self.pieces_list("smart", True), ["-c", "copy"], cuts)

    def pieces_list(self, name, durations=False):
        """The files of the pieces; their lengths, too, where their headers say too little."""
        lines = []
        for n, piece in enumerate(self.pieces):
            lines.append(f"file '{name}{n}.mp4'\n")
            if durations:
                lines.append(f"duration {piece.frames / self.rate:.9f}\n")
        return self.write(f"{name}.txt", "".join(lines))

    def melt(self, tools):
        words = []
        for piece in self.pieces:
            words += [self.source(piece.source), f"in={piece.first}", f"out={piece.first + piece.frames - 1}"]
        at, (width, height) = 0, self.over_size
        for n, over in enumerate(self.overs):
            words += ["-track"] if n == 0 else []
            words += ["-blank", over.first - at - 1] if over.first > at else []
            words += [over.file, f"out={over.frames - 1}"]
            at = over.first + over.frames
        for over in self.overs:
            words += [
                "-transition",
                "composite",
                f"in={over.first}",
                f"out={over.first + over.frames - 1}",
                "a_track=0",
                "b_track=1",
                f"geometry={over.x}/{over.y}:{width}x{height}",
                "progressive=1",
                "distort=1",
            ]
        return self.melt_film(tools, words)

    def moviepy(self, tools):
        rate = self.rate
        cuts = [
            [self.source(piece.source), piece.first / rate, (piece.first + piece.frames) / rate]
            for piece in self.pieces
        ]
        layers = [
            {"image": over.file, "at": over.first / rate, "seconds": over.frames / rate, "position": [over.x, over.y]}
            for over in self.overs
        ]
        return self.moviepy_film(tools, {"cuts": cuts, "layers": layers})

    def ges(self, tools):
        words, at, layer = [], 0, len(self.overs) and 1
        width, height = self.over_size
        for over in self.overs:
            words += [
                "+clip",
                over.file,
                f"start={self.seconds(over.first)}",
                f"duration={self.seconds(over.frames)}",
                "layer=0",
                "set-posx",
                over.x,
                "set-posy",
                over.y,
                "set-width",
                width,
                "set-height",
                height,
            ]
        for piece in self.pieces:
            # Rounded up: a nanosecond too little is the frame before.
            begin = math.ceil(piece.first * 1e9 / self.rate) / 1e9
            words += [
                "+clip",
                self.source(piece.source),
                f"inpoint={begin:.9f}",
                f"duration={piece.frames / self.rate:.9f}",
                f"start={at / self.rate:.9f}",
                f"layer={layer}",
            ]
            at += piece.frames
        return self.ges_film(tools, words)
