"""Films of random cuts, each held against ffmpeg's decoding of its sources.

Usage: cuts.py SPLITREEL CORPUS FOLDER SEED FILMS
"""

import json
import os
import random
import sys
from collections import Counter
from fractions import Fraction

import sources
import witness

# A rendered frame looks like its source's by so many dB, or by fewer where the program takes fields apart.
ALIKE, ALIKE_OF_FIELDS = 30, 18
# Frames as like as this may stand still, and be as like their neighbours.
STILL = 45
# A film is no longer than so many frames, and its frames have together no more pixels than so many.
LONGEST, PIXELS = 100, 30_000_000
# So many frames of a source are used at most.
SEEN = 260

CODECS = {"h264": "h264", "hevc": "hevc", "prores": "prores", "dnxhd": "dnxhr", "mjpeg": "mjpeg", "ffv1": "ffv1",
          "vp9": "vp9", "av1": "av1", "mpeg2video": "mpeg2"}
CONTAINERS = {"h264": ["mp4", "mov", "mkv"], "hevc": ["mp4", "mov", "mkv"], "ffv1": ["mkv"], "vp9": ["webm"],
              "av1": ["mp4", "mkv"], "mpeg2": ["mxf"], "prores": ["mov"], "dnxhr": ["mov"], "mjpeg": ["mov"]}
PRIMARIES = {"bt709": "ITU_R_709_2", "bt470bg": "EBU_3213", "smpte170m": "SMPTE_C", "bt2020": "ITU_R_2020"}
TRANSFERS = {"bt709": "ITU_R_709_2", "smpte170m": "ITU_R_709_2", "smpte2084": "SMPTE_ST_2084_PQ",
             "arib-std-b67": "ITU_R_2100_HLG"}
MATRICES = {"bt709": "ITU_R_709_2", "smpte170m": "ITU_R_601_4", "bt470bg": "ITU_R_601_4", "bt2020nc": "ITU_R_2020"}


def text(time):
    """A time of a composition."""
    return f"{time.numerator}/{time.denominator}"


def colour(film):
    """The film's colour is the source's, as the manual says what sources without tags have: nothing is converted."""
    primaries, transfer, matrix = film.tags
    guess = "ITU_R_709_2" if film.height >= 720 or primaries == "bt2020" else "ITU_R_601_4"
    return {"primaries": PRIMARIES.get(primaries, "ITU_R_709_2"), "transfer": TRANSFERS.get(transfer, "ITU_R_709_2"),
            "matrix": MATRICES.get(matrix, guess)}


def profile(film):
    """The encoder preset of an intermediate codec that has the source's profile."""
    name = film.profile.lower().replace("dnxhr", "").strip()
    return name if film.codec in ("prores", "dnxhd") and name else None


def family(film):
    """What sources of one film have in common."""
    return film.codec, film.width, film.height, film.format, film.rate, film.aspect, colour(film)


class Cut:
    """So many frames of the output, from a frame of a source on."""

    def __init__(self, dice, film, most):
        self.film = film
        count = min(len(film.times), SEEN)
        near = [key + by for key in film.keys for by in (-2, -1, 0, 1, 2)] + [0, 0]
        places = [place for place in near if 0 <= place < count]
        self.first = dice.choice(places) if dice.random() < 0.5 else dice.randrange(count)
        ends = [place for place in places if place > self.first] + [count, count]
        end = dice.choice(ends) if dice.random() < 0.6 else dice.randint(self.first + 1, count)
        if len(film.keys) < 3 and dice.random() < 0.5:
            # Nothing but the whole is a group of pictures.
            self.first, end = 0, count
        last = film.times[end - 1] - film.times[self.first]
        self.count = max(1, min(end - self.first if film.is_even else int(last * film.rate) + 1, most))

    @property
    def start(self):
        """The file's time from which the source is shown: a quarter of a frame late where the file rounds its times."""
        if not self.film.is_even:
            return self.film.times[self.first]
        late = Fraction(0) if self.film.is_exact else Fraction(1, 4)
        return self.film.times[0] + (self.first + late) / self.film.rate

    def frame(self, place):
        """The source's frame that frame `place` of the cut shows."""
        if self.film.is_even:
            return self.first + place
        return self.film.shown(self.start + place / self.film.rate)


class Trial:
    """One film: its cuts, and what became of them."""

    def __init__(self, number, dice, film, others, folder):
        self.number, self.folder, self.main = number, folder, film
        films = [film] + ([dice.choice(others)] if others and dice.random() < 0.6 else [])
        room = min(LONGEST, PIXELS // (film.width * film.height))
        self.cuts = []
        for _ in range(dice.randint(1, 4)):
            # One cut alone may be a whole file: many have one key frame.
            most = max(room, 160 if not self.cuts and film.width * film.height < 500_000 else 0)
            if (left := most - sum(cut.count for cut in self.cuts)) > 0:
                self.cuts.append(Cut(dice, dice.choice(films), left))
        self.codec = CODECS.get(film.codec, "h264")
        self.ending = dice.choice(CONTAINERS[self.codec])
        self.faults, self.copied, self.rendered, self.unsaid = [], 0, 0, 0
        self.reasons, self.complaints = Counter(), set()

    @property
    def sources(self):
        return sorted({cut.film.path for cut in self.cuts})

    def compose(self, format):
        at, segments, names = Fraction(0), [], {path: f"s{n}" for n, path in enumerate(self.sources)}
        for cut in self.cuts:
            length = cut.count / self.main.rate
            segments.append({"asset": names[cut.film.path], "source": [text(cut.start), text(length)],
                             "target": [text(at), text(length)], "clampToSource": True})
            at += length
        aspect = self.main.aspect
        settings = {"codec": self.codec, "pixelFormat": format, "encoderPreset": profile(self.main),
                    "pixelAspect": [aspect.numerator, aspect.denominator] if aspect != 1 else None}
        self.film = os.path.join(self.folder, f"film.{self.ending}")
        video = {"renderSize": [round(self.main.width * aspect), self.main.height], "color": colour(self.main),
                 "frameDuration": text(1 / self.main.rate), "fit": "stretch" if aspect != 1 else "contain"}
        output = {"url": self.film, "videoSettings": {key: value for key, value in settings.items() if value}}
        project = {"format": "splitreel/1", "assets": {name: {"url": path} for path, name in names.items()},
                   "composition": {"tracks": [{"id": 1, "type": "video", "segments": segments}]}, "video": video,
                   "outputs": [output]}
        path = os.path.join(self.folder, "film.json")
        with open(path, "w") as file:
            json.dump(project, file)
        return path

    def make(self, splitreel):
        """Renders the film, and answers the chunks of its plan; none where it could not be made."""
        own = self.main.format if self.codec != "mjpeg" else None
        for format in (own.replace("yuvj", "yuv") if own else None, None):
            path = self.compose(format)
            planned = witness.run(splitreel, "plan", path, "--json")
            if planned.returncode == 0:
                break
        if planned.returncode != 0:
            self.faults.append("not planned: " + planned.stderr.strip().replace("\n", " "))
            return []
        chunks = json.loads(planned.stdout)["chunks"]
        if os.path.exists(self.film):
            os.remove(self.film)
        made = witness.run(splitreel, "render", path, "--no-cache", "--workers", "1", "--json")
        if made.returncode != 0:
            self.faults.append("not rendered: " + made.stderr.strip().replace("\n", " "))
            return []
        counted = json.loads(made.stdout)["chunks"]["passthrough"]
        if counted != sum(chunk["kind"] == "passthrough" for chunk in chunks):
            self.faults.append(f"{counted} copied, which is not what was planned")
        return chunks

    def check(self, chunks):
        """Holds the film's frames against their sources'."""
        kinds = [chunk["kind"] for chunk in chunks for _ in range(chunk["frameCount"])]
        for chunk in chunks:
            told = chunk["why"].split("not copied: ")[-1] if "not copied: " in chunk["why"] else None
            if chunk["kind"] == "source" and not told:
                self.unsaid += 1
            elif told:
                self.reasons[told.split(": ")[-1]] += 1
        film = witness.Film(self.film)
        raw = os.path.join(self.folder, "film.raw")
        said = film.decode(raw, like=film)
        known, raws = set(), {}
        for path in self.sources:
            source = next(cut.film for cut in self.cuts if cut.film.path == path)
            raws[path] = os.path.join(self.folder, f"source{len(raws)}.raw")
            known |= source.decode(raws[path], like=film, frames=SEEN + 1)
        self.complaints = said - known
        size = film.frame_bytes()
        places = [(raws[cut.film.path], cut.frame(n)) for cut in self.cuts for n in range(cut.count)]
        if not len(film.times) == len(places) == len(kinds):
            self.faults.append(f"{len(film.times)} frames, not {len(places)}")
            return
        self.check_frames(film, raw, places, kinds, size)
        self.faults += witness.packet_faults(self.film, self.main.rate, self.ending in ("mkv", "webm"))
        for path in [raw, *raws.values()]:
            os.remove(path)

    def check_frames(self, film, raw, places, kinds, size):
        sums = witness.sums(raw, size)
        known = {path: witness.sums(path, size) for path in {path for path, _ in places}}
        counts = {path: len(own) for path, own in known.items()}
        made = [frame for frame, kind in enumerate(kinds) if kind != "passthrough"]
        alike = self.likeness(film, raw, [places[frame] for frame in made], made, counts, size)
        floor = ALIKE_OF_FIELDS if any(cut.film.is_interlaced for cut in self.cuts) else ALIKE
        for frame, kind in enumerate(kinds):
            path, place = places[frame]
            if kind == "passthrough":
                self.copied += 1
                if sums[frame] != known[path][place]:
                    self.faults.append(f"copied frame {frame} is not frame {place} of its source")
                continue
            right, before, after = alike[self.rendered::len(made)]
            self.rendered += 1
            if right < floor or right < STILL and max(before, after) > right + 0.5:
                self.faults.append(f"rendered frame {frame} is unlike frame {place}: {right} dB, its neighbours"
                                   f" {before} and {after}")

    def likeness(self, film, raw, places, made, counts, size):
        """How like the frames of `made` are their sources', then those before these, then those behind them."""
        if not made:
            return []
        expected, shown = (os.path.join(self.folder, name) for name in ("expected.raw", "shown.raw"))
        witness.rearrange([(path, min(max(place + by, 0), counts[path] - 1)) for by in (0, -1, 1)
                           for path, place in places], size, expected)
        witness.rearrange([(raw, frame) for frame in made] * 3, size, shown)
        alike = witness.likeness(expected, shown, film)
        os.remove(expected), os.remove(shown)
        return alike

    def __str__(self):
        cuts = ", ".join(f"{os.path.basename(cut.film.path)} {cut.first}+{cut.count}" for cut in self.cuts)
        told = f"{self.number:3} {self.codec}.{self.ending} {cuts}: {self.copied} copied, {self.rendered} rendered"
        if self.reasons:
            told += " (" + "; ".join(self.reasons) + ")"
        for fault in self.faults[:3] + ([f"and {len(self.faults) - 3} more"] if len(self.faults) > 3 else []):
            told += f"\n    WRONG: {fault}"
        for line in sorted(self.complaints):
            told += f"\n    NEW COMPLAINT: {line}"
        return told


def opened(paths):
    """The films that ffmpeg reads; of the others it is said why they are left out."""
    films = []
    for path in paths:
        try:
            film = witness.Film(path)
            if len(film.times) < 2:
                raise RuntimeError("it has no two frames")
            films.append(film)
        except (RuntimeError, KeyError, IndexError, ValueError) as fault:
            print(f"left out: {path}: {fault}", flush=True)
    return films


def main(splitreel, corpus, folder, seed, count):
    dice = random.Random(seed)
    real = opened(sources.real(corpus))
    tagged = opened([path for path in (sources.tagged(film, folder) for film in real) if path])
    made = opened(sources.make(folder))
    films = real + tagged + made
    print(f"seed {seed}: {len(real)} real films, {len(tagged)} with tags, {len(made)} made", flush=True)
    order = films[:]
    dice.shuffle(order)
    trials = []
    for number in range(count):
        film = order[number % len(order)]
        others = [other for other in films if other is not film and family(other) == family(film)]
        trial = Trial(number, dice, film, others, folder)
        if chunks := trial.make(splitreel):
            trial.check(chunks)
        print(trial, flush=True)
        trials.append(trial)
    shown = {path for trial in trials for path in trial.sources}
    wrong, loud = sum(bool(trial.faults) for trial in trials), sum(bool(trial.complaints) for trial in trials)
    print(f"{count} films of {len(shown)} sources, {len(shown & {film.path for film in real + tagged})} of them real:")
    print(f"  {sum(len(trial.cuts) for trial in trials)} cuts")
    print(f"  {sum(trial.copied for trial in trials)} frames copied,"
          f" in {sum(trial.copied > 0 for trial in trials)} films")
    print(f"  {sum(trial.rendered for trial in trials)} frames rendered")
    print(f"  {sum(trial.unsaid for trial in trials)} spans rendered of which the plan does not say why")
    print(f"  {wrong} films with faults, {loud} with new complaints")
    return 1 if wrong or loud else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])))
