"""A film that is rendered again after one of its titles was changed."""

from cuts import Cuts, Over, Piece, chance


class Title(Cuts):
    name = "title"
    title = "Again after one title changed"
    what = (
        "Two minutes of 720p with six titles of two seconds. The film was rendered once; then the picture of one "
        "title is another one."
    )
    whole_size = (1280, 720)
    changed = 2

    def lay_out(self):
        count, length, each = (3, 50, 150) if self.short else (12, 300, 1800)
        self.source_frames = [each] * 2
        numbers = chance(12)
        self.pieces = [Piece(n % 2, next(numbers) % (each - length), length) for n in range(count)]
        width, height = self.size
        titles, every, shown = (3, 50, 15) if self.short else (6, 600, 60)
        self.over_size = (width // 2, height // 4)
        place = (width // 2 - width // 4 // 2 * 2, height * 5 // 8 // 2 * 2)
        self.overs = [Over(f"title{n}.png", *place, n * every + every // 3, shown, n) for n in range(titles)]
        self.overs[self.changed] = Over("changed.png", *place, self.changed * every + every // 3, shown, 9)

    def splitreel(self, tools):
        """With a cache that the first render filled, where this version has one."""
        if not tools.caches:
            return super().splitreel(tools)
        cache, new = ["--cache", self.path("cache")], self.overs
        old = new[self.changed]
        self.overs = list(new)
        self.overs[self.changed] = Over(f"title{self.changed}.png", old.x, old.y, old.first, old.frames, self.changed)
        self.make_sources()
        first = self.render(tools, cache, name="first", output="first")
        self.overs = new
        return self.way(self.render(tools, cache), "splitreel", before=[["rm", "-rf", self.path("cache")], first])
