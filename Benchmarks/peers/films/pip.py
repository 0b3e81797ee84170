"""A picture in a picture."""

from placed import Placed


class PictureInPicture(Placed):
    name = "picture-in-picture"
    title = "A picture in a picture"
    what = "10 s of 1080p: a clip, and another one over it at a quarter of its sides."

    def lay_out(self):
        self.frames = 90 if self.short else 300
        width, height = self.size
        self.places = [(0, 0, 1), (width * 11 // 16 // 2 * 2, height * 11 // 16 // 2 * 2, 4)]
