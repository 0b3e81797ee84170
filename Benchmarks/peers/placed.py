"""Films of several clips at a time, each at a place of its own."""

import codes
import sources
from film import LOSSLESS, Film, ffmpeg


class Placed(Film):
    """`lay_out` sets `frames` and `places`, from the bottom up: x, y, and what each source's sides are divided by."""

    def source(self, number):
        return f"source{number}.mp4"

    @property
    def probes(self):
        return [codes.Probe(self.size[0], 0, x, y, 1 / part) for x, y, part in self.places]

    def make_sources(self):
        for n in range(len(self.places)):
            sources.film(self.path(self.source(n)), n, self.size, self.frames, self.rate)

    def expected(self):
        return [tuple(codes.code(n, frame) for n in range(len(self.places))) for frame in range(self.frames)]

    def fits(self, part):
        return self.size[0] // part, self.size[1] // part

    def filters(self, scale):
        """A graph that lays one over the other; `scale` makes the words that reduce a source to a size."""
        parts, shown = [], ""
        for n, (x, y, part) in enumerate(self.places):
            parts.append(f"[{n}:v]{scale(*self.fits(part)) if part > 1 else 'null'}[p{n}]")
            if n:
                parts.append(f"{shown}[p{n}]overlay={x}:{y}:format=yuv420[o{n}]")
            else:
                parts.append(f"[p0]pad={self.size[0]}:{self.size[1]}:{x}:{y}[o0]")
            shown = f"[o{n}]"
        return parts, shown

    def make_reference(self, path, step):
        """zimg reduces the sources, whose kernel is none of the tools'."""
        parts, shown = self.filters(lambda width, height: f"zscale={width}:{height}:filter=spline36")
        inputs = [word for n in range(len(self.places)) for word in ("-i", self.path(self.source(n)))]
        parts.append(f"{shown}format=yuv420p,select='not(mod(n,{step}))'[out]")
        ffmpeg(*inputs, "-filter_complex", ";".join(parts), "-map", "[out]", *LOSSLESS, path)

    # MARK: The tools

    def splitreel_composition(self):
        tracks, layers = [], []
        for n, (x, y, part) in enumerate(self.places):
            span = ["0s", self.time(self.frames)]
            tracks.append(
                {"id": n + 1, "type": "video", "segments": [{"asset": f"s{n}", "source": span, "target": span}]}
            )
            layer = {"track": n + 1}
            if (x, y, part) != (0, 0, 1):
                layer["transform"] = [{"at": "0s", "value": [1 / part, 0, 0, 1 / part, x, y]}]
            layers.insert(0, layer)
        assets = {f"s{n}": self.source(n) for n in range(len(self.places))}
        return self.composition(assets, tracks, [{"range": ["0s", self.time(self.frames)], "layers": layers}])

    def graph(self, tools):
        parts, shown = self.filters(lambda width, height: f"scale={width}:{height}")
        inputs = [word for n in range(len(self.places)) for word in ("-i", self.source(n))]
        return self.ffmpeg(inputs, ";\n".join(parts) + f";\n{shown}null[out]")

    def melt(self, tools):
        last = f"out={self.frames - 1}"
        # Under a grid lies black: what is to be reduced is on a track above.
        words = ["color:black", last] if self.places[0][2] > 1 else []
        below = 1 if words else 0
        for n in range(len(self.places)):
            words += (["-track"] if words else []) + [self.source(n), last]
        for n, (x, y, part) in enumerate(self.places):
            if part > 1:
                width, height = self.fits(part)
                words += [
                    "-transition",
                    "composite",
                    "in=0",
                    last,
                    "a_track=0",
                    f"b_track={n + below}",
                    f"geometry={x}/{y}:{width}x{height}",
                    "progressive=1",
                    "distort=1",
                    "fill=1",
                ]
        return self.melt_film(tools, words)

    def moviepy(self, tools):
        layers = [
            {
                "film": self.source(n),
                "at": 0,
                "seconds": self.frames / self.rate,
                "position": [x, y],
                "size": list(self.fits(part)),
            }
            for n, (x, y, part) in enumerate(self.places)
        ]
        return self.moviepy_film(tools, {"layers": layers})

    def ges(self, tools):
        words = []
        for n, (x, y, part) in enumerate(self.places):
            width, height = self.fits(part)
            words += [
                "+clip",
                self.source(n),
                "start=0",
                f"duration={self.seconds(self.frames)}",
                f"layer={len(self.places) - 1 - n}",
                "set-posx",
                x,
                "set-posy",
                y,
                "set-width",
                width,
                "set-height",
                height,
            ]
        return self.ges_film(tools, words)
