"""Films of clips that dissolve into each other."""

import codes
import sources
from film import LOSSLESS, Film, ffmpeg


class Chain(Film):
    """`lay_out` sets `lengths` (frames of each clip) and `overlap` (frames of each dissolve). Clip n is source n."""

    stills = False
    format = sources.H264

    @property
    def frames(self):
        return sum(self.lengths) - self.overlap * (len(self.lengths) - 1)

    @property
    def probes(self):
        return [codes.Probe(self.size[0], slot) for slot in (0, 1)]

    def source(self, number):
        return f"still{number}.png" if self.stills else f"source{number}.mp4"

    def starts(self):
        starts, at = [], 0
        for length in self.lengths:
            starts.append(at)
            at += length - self.overlap
        return starts

    def make_sources(self):
        for n, frames in enumerate(self.lengths):
            path = self.path(self.source(n))
            if self.stills:
                sources.still(path, n, self.size, slots=2, slot=n % 2)
            else:
                sources.film(path, n, self.size, frames, self.rate, slots=2, slot=n % 2, format=self.format)

    def expected(self):
        """A clip is looked at where a quarter of it is to be seen."""
        rows = [[None, None] for _ in range(self.frames)]
        for n, (start, length) in enumerate(zip(self.starts(), self.lengths)):
            for frame in range(length):
                begins = frame / self.overlap if n else 1
                ends = (length - frame) / self.overlap if n + 1 < len(self.lengths) else 1
                if min(begins, ends) >= 0.25:
                    rows[start + frame][n % 2] = codes.code(n, 0 if self.stills else frame)
        return [tuple(row) for row in rows]

    # MARK: The exact frames

    def inputs(self):
        words = []
        for n, length in enumerate(self.lengths):
            words += ["-loop", "1", "-framerate", self.rate, "-t", self.seconds(length)] if self.stills else []
            words += ["-i", self.source(n)]
        return words

    def as_film(self):
        return "scale=out_color_matrix=bt709,format=yuv420p," if self.stills else ""

    def make_reference(self, path, step):
        """Weights of a dissolve are worked out for each frame and pixel: (1 - n/length) of what goes."""
        parts, pads, last = [], [], len(self.lengths) - 1
        for n, length in enumerate(self.lengths):
            parts.append(f"[{n}:v]{self.as_film()}split=3[a{n}][b{n}][c{n}]")
            begin, end = (self.overlap if n else 0), length - (self.overlap if n < last else 0)
            parts.append(f"[a{n}]trim=start_frame=0:end_frame={begin or 1},setpts=N/{self.rate}/TB[head{n}]")
            parts.append(f"[b{n}]trim=start_frame={begin}:end_frame={end},setpts=N/{self.rate}/TB[body{n}]")
            parts.append(f"[c{n}]trim=start_frame={end if n < last else length - 1},setpts=N/{self.rate}/TB[tail{n}]")
            if n:
                weight = f"N/{self.overlap}"
                parts.append(f"[tail{n - 1}][head{n}]blend=all_expr='floor(A*(1-{weight})+B*{weight}+0.5)'[mix{n}]")
                pads.append(f"[mix{n}]")
            pads.append(f"[body{n}]")
        parts.append(f"[head0]nullsink;[tail{last}]nullsink")
        parts.append(f"{''.join(pads)}concat=n={len(pads)}:v=1:a=0,select='not(mod(n,{step}))'[out]")
        words = [self.path(word) if str(word).endswith((".png", ".mp4")) else word for word in self.inputs()]
        ffmpeg(*words, "-filter_complex", ";".join(parts), "-map", "[out]", *LOSSLESS, path)

    # MARK: The tools

    def splitreel_composition(self):
        segments, ends, instructions = ([], []), [0, 0], []
        for n, (start, length) in enumerate(zip(self.starts(), self.lengths)):
            row, place = segments[n % 2], n % 2
            if start > ends[place]:
                row.append({"target": [self.time(ends[place]), self.time(start - ends[place])]})
            segment = {"asset": f"s{n}", "target": [self.time(start), self.time(length)]}
            if not self.stills:
                segment["source"] = ["0s", self.time(length)]
            row.append(segment)
            ends[place] = start + length
            track, other = n % 2 + 1, 2 - n % 2
            body = start + (self.overlap if n else 0)
            if n:
                span = [self.time(start), self.time(self.overlap)]
                going = {"track": other, "opacity": [{"range": span, "from": 1, "to": 0}]}
                instructions.append({"range": span, "layers": [going, {"track": track}]})
            end = start + length - (self.overlap if n + 1 < len(self.lengths) else 0)
            instructions.append({"range": [self.time(body), self.time(end - body)], "layers": [{"track": track}]})
        tracks = [{"id": place + 1, "type": "video", "segments": row} for place, row in enumerate(segments) if row]
        assets = {f"s{n}": self.source(n) for n in range(len(self.lengths))}
        return self.composition(assets, tracks, instructions)

    def graph(self, tools):
        parts = [f"[{n}:v]{self.as_film()}settb=1/{self.rate},setpts=N[c{n}]" for n in range(len(self.lengths))]
        shown = "[c0]"
        for n, start in enumerate(self.starts()[1:], 1):
            parts.append(
                f"{shown}[c{n}]xfade=transition=fade:duration={self.seconds(self.overlap)}:"
                f"offset={self.seconds(start)}[x{n}]"
            )
            shown = f"[x{n}]"
        return self.ffmpeg(self.inputs(), ";\n".join(parts) + f";\n{shown}null[out]")

    def melt(self, tools):
        words = []
        for n, length in enumerate(self.lengths):
            words += [self.source(n), f"out={length - 1}"]
            words += ["-mix", self.overlap, "-mixer", "luma"] if n else []
        return self.melt_film(tools, words)

    def moviepy(self, tools):
        kind, fade = ("image" if self.stills else "film"), self.overlap / self.rate
        layers = [
            {
                kind: self.source(n),
                "at": start / self.rate,
                "seconds": length / self.rate,
                "position": [0, 0],
                "fade": fade if n else 0,
            }
            for n, (start, length) in enumerate(zip(self.starts(), self.lengths))
        ]
        return self.moviepy_film(tools, {"layers": layers})

    def ges(self, tools):
        """Clips that overlap in a layer dissolve there."""
        words = []
        for n, (start, length) in enumerate(zip(self.starts(), self.lengths)):
            words += [
                "+clip",
                self.source(n),
                f"start={self.seconds(start)}",
                f"duration={self.seconds(length)}",
                "layer=0",
            ]
        return self.ges_film(tools, words)
