"""A minute of cuts under a watermark."""

from cuts import Cuts, Over, Piece, chance


class Watermark(Cuts):
    name = "watermark"
    title = "Cuts under a watermark"
    what = "A minute of 720p: twenty pieces of four sources, and a still with alpha over all of it."
    whole_size = (1280, 720)

    def lay_out(self):
        count, length, each = (3, 24, 75) if self.short else (20, 90, 600)
        self.source_frames = [each] * (2 if self.short else 4)
        numbers = chance(7)
        self.pieces = [
            Piece(n % len(self.source_frames), next(numbers) % (each - length), length) for n in range(count)
        ]
        width, height = self.size
        self.over_size = (width // 4, height // 4)
        self.overs = [Over("logo.png", width * 11 // 16 // 2 * 2, height * 11 // 16 // 2 * 2, 0, self.frames)]
