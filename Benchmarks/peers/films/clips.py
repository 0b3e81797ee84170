"""Many short files."""

from cuts import Cuts, Piece, chance


class Clips(Cuts):
    name = "clips"
    title = "200 short clips"
    what = "200 s of 720p: a second out of each of 200 files of two seconds, from an arbitrary frame on."
    whole_size = (1280, 720)

    def lay_out(self):
        count = 6 if self.short else 200
        numbers = chance(200)
        self.source_frames = [60] * count
        self.pieces = [Piece(n, 1 + next(numbers) % 29, 20 if self.short else 30) for n in range(count)]
