"""Two clips that dissolve into each other."""

from chain import Chain


class Dissolve(Chain):
    name = "dissolve"
    title = "A dissolve"
    what = "22 s of 1080p: two clips of 12 s, and a dissolve of 2 s between them."

    def lay_out(self):
        self.lengths, self.overlap = ([75, 75], 30) if self.short else ([360, 360], 60)
