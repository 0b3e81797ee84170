"""Nine clips at a time."""

from placed import Placed


class Grid(Placed):
    name = "grid"
    title = "A grid of nine"
    what = "5 s of 1080p: nine clips of 1080p, each at a third of its sides."

    def lay_out(self):
        self.frames = 60 if self.short else 150
        width, height = self.size
        self.places = [(n % 3 * width // 3, n // 3 * height // 3, 3) for n in range(9)]

    def graph(self, tools):
        """As one writes it by hand: all are stacked at once."""
        width, height = self.fits(3)
        parts = [f"[{n}:v]scale={width}:{height}[p{n}]" for n in range(9)]
        pads, layout = "".join(f"[p{n}]" for n in range(9)), "|".join(f"{x}_{y}" for x, y, _ in self.places)
        inputs = [word for n in range(9) for word in ("-i", self.source(n))]
        return self.ffmpeg(inputs, ";\n".join(parts) + f";\n{pads}xstack=inputs=9:layout={layout}[out]")
