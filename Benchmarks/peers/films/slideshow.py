"""Stills that dissolve into each other."""

from chain import Chain


class Slideshow(Chain):
    name = "slideshow"
    title = "A slideshow"
    what = "30 s of 1080p: twelve stills of 3 s each (PNG), and dissolves of half a second."
    stills = True

    def lay_out(self):
        self.lengths, self.overlap = ([45] * 4, 12) if self.short else ([90] * 12, 15)
