"""An hour of cuts from three sources of one family."""

import copy

from cuts import Cuts, Piece, chance
from film import NoWay, Way


class Hour(Cuts):
    name = "hour"
    title = "An hour of cuts"
    what = (
        "60 pieces of a minute each, cut at arbitrary frames out of three H.264 sources of 1080p. "
        "The sources have the same settings and a key frame each two seconds."
    )

    # So many of the pieces are made by tools that encode all.
    few = 3

    def lay_out(self):
        count, length, each = (6, 25, 120) if self.short else (60, 1800, 10800)
        self.source_frames = [each] * 3
        numbers = chance(33)
        self.pieces = []
        for n in range(count):
            first = next(numbers) % (each - length)
            # On no key frame.
            self.pieces.append(Piece(n % 3, first + (first % 60 == 0), length))

    def part(self):
        part = copy.copy(self)
        part.times = len(self.pieces) // self.few
        part.pieces = self.pieces[: self.few]
        return part

    def cp(self, tools):
        if not tools.copies:
            raise NoWay("this version copies nothing")
        return Way([["cp", "--reflink=never", "splitreel.mp4", "cp.mp4"]], "cp.mp4")

    @property
    def reference(self):
        return self.path("exact.mkv" if self.times == 1 else "exact-part.mkv")
