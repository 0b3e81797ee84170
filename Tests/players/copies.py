#!/usr/bin/python3
"""Plays films of copied and of rendered pictures in GStreamer, VLC and Chromium: every frame is the one that belongs there,
none of them complains of anything that it does not complain of in the sources, and each join is sought. The sums of frames
are those of ffmpeg; Chromium, which shows other colours, must show copies as it shows their sources. Prints what was seen.
Usage: copies.py SPLITREEL [short|PLAYER|FAMILY ...]: these alone; short is one film in GStreamer."""

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import marks

HERE = os.path.dirname(os.path.realpath(__file__))
FRAMES, GROUP = 100, 25
# The source, its first frame, and how many: the key frames are 25 apart. No frame is shown twice.
CLIPS = [(0, 7, 51), (1, 13, 41), (2, 25, 27), (0, 59, 29), (1, 75, 25)]
SHOWN = [(source, first + frame) for source, first, length in CLIPS for frame in range(length)]
NUMBERS = [1000 * source + frame for source, frame in SHOWN]
JOINS = [sum(clip[2] for clip in CLIPS[:index]) for index in range(len(CLIPS))]

TAGS = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
X264 = ["-c:v", "libx264", "-preset", "fast", "-crf", "18", "-g", str(GROUP), "-keyint_min", str(GROUP),
        "-sc_threshold", "0", "-bf", "3", "-b_strategy", "0", "-pix_fmt", "yuv420p", *TAGS]
X265 = ["-c:v", "libx265", "-preset", "fast", "-crf", "18", "-tag:v", "hvc1", *TAGS, "-x265-params",
        f"keyint={GROUP}:min-keyint={GROUP}:scenecut=0:open-gop=0:log-level=none"]
PRORES = ["-c:v", "prores_ks", "-profile:v", "3", "-vendor", "apl0", "-pix_fmt", "yuv422p10le", *TAGS, "-bsf:v",
          "prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709"]
DECODERS = {"h264": "h264parse+avdec_h264", "hevc": "h265parse+avdec_h265", "prores": "avdec_prores"}
PLAYERS = ["gstreamer", "vlc", "chromium"]
DEMUXERS = {"mp4": "qtdemux", "mov": "qtdemux", "mkv": "matroskademux"}
FRAGMENTS = ["-movflags", "frag_keyframe+delay_moov+default_base_moof"]


class Family:
    """Three sources, and the endings of the films that are made of them; `fragments` is an mp4."""

    def __init__(self, name, codec, rate, ending, codings, films, options=()):
        self.name, self.codec, self.rate, self.ending, self.films, self.options = name, codec, rate, ending, films, options
        self.codings = codings if isinstance(codings[0], list) else [codings] * 3

    def source(self, number):
        return f"{self.name}-{number}.{self.ending}"

    def make(self):
        for number, coding in enumerate(self.codings):
            marks.make_source(self.source(number), number, FRAMES, self.rate, coding)
        over, _, under = self.rate.partition("/")
        time = lambda frames: f"{frames * int(under or 1)}/{over}"
        segments = [
            {"asset": f"s{source}", "source": [time(first), time(length)], "target": [time(start), time(length)]}
            for (source, first, length), start in zip(CLIPS, JOINS)]
        with open(f"{self.name}.json", "w") as file:
            json.dump({"format": "splitreel/1", "assets": {f"s{n}": {"url": self.source(n)} for n in range(3)},
                       "composition": {"tracks": [{"id": 1, "type": "video", "segments": segments}]},
                       "video": {"renderSize": [marks.WIDTH, marks.HEIGHT], "frameDuration": time(1)}}, file)


FAMILIES = [
    Family("h264", "h264", "25", "mp4", X264, ["mp4", "mov", "mkv", "fragments"]),
    # Sets of equal numbers and other content.
    Family("h264-sets", "h264", "30000/1001", "mp4",
           [X264, [*X264, "-x264-params", "ref=2:cabac=0:8x8dct=0"], X264], ["mp4", "fragments"]),
    Family("h264-ts", "h264", "25", "ts", [*X264, "-x264-params", "aud=1"], ["mp4", "mkv"]),
    Family("hevc", "hevc", "25", "mp4", [*X265, "-pix_fmt", "yuv420p"], ["mp4", "mov", "mkv", "fragments"]),
    Family("hevc10", "hevc", "24000/1001", "mp4", [*X265, "-pix_fmt", "yuv420p10le"], ["mp4", "mkv"],
           ["--pixel-format", "yuv420p10le"]),
    Family("prores", "prores", "25", "mov", PRORES, ["mov", "mkv"]),
]


def run(*words, timeout=None):
    """Runs a command and answers how it went. Nothing that it started outlives it, or this process."""
    die = lambda: ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             start_new_session=True, preexec_fn=die)
    try:
        output, errors = child.communicate(timeout=timeout)
        return subprocess.CompletedProcess(words, child.returncode, output, errors)
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def must(*words):
    result = run(*words)
    if result.returncode != 0:
        sys.exit(f"{' '.join(words)}: {result.stderr}")
    return result


def sums(film):
    """The sum of each frame by ffmpeg, and its complaints."""
    result = run("ffmpeg", "-nostdin", "-v", "warning", "-i", film, "-map", "0:v", "-f", "framemd5", "-")
    return [line.split()[-1] for line in result.stdout.splitlines() if line[0] != "#"], kinds(result.stderr)


def kinds(text):
    """The lines of a log without what differs from run to run: times, places in memory, numbers."""
    lines = [re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{16}\b|[0-9]+", "N", line).strip() for line in text.splitlines()]
    return {re.sub(r"^[N:. ]+", "", line) for line in lines if line}


def see(player, *words):
    """What a player's script tells of a film, and the kinds of its complaints."""
    try:
        result = run(sys.executable, f"{HERE}/in_{player}.py", *words, timeout=300)
    except subprocess.TimeoutExpired:
        return {"frames": [], "seeks": {}}, {"it hangs"}
    if result.returncode != 0:
        return {"frames": [], "seeks": {}}, {"it fails"} | kinds(result.stderr)
    saw = json.loads(result.stdout)
    return saw, kinds(result.stderr) | kinds("\n".join(saw.get("told", [])))


def wrong(numbers, wanted):
    """The first frames that are others than they should be, in words."""
    if len(numbers) != len(wanted):
        return [f"{len(numbers)} frames instead of {len(wanted)}"]
    return [f"frame {place} is {one}, not {other}" for place, (one, other) in enumerate(zip(numbers, wanted)) if one != other]


class Film:
    def __init__(self, family, form, path, copied, sources):
        self.family, self.form, self.path, self.copied, self.sources = family, form, path, copied, sources
        self.sums, told = sums(path)
        self.faults = [f"it says: {one}" for one in told - set().union(*(source[1] for source in sources))]
        for frame in copied:
            source, place = SHOWN[frame]
            if self.sums[frame : frame + 1] != sources[source][0][place : place + 1]:
                self.faults.append(f"frame {frame} is no copy")

    def plain(self):
        """The sources in a file like this one, by ffmpeg: what players say of such a file anyhow."""
        for number in range(3):
            path = f"plain-{number}.{'mp4' if self.form == 'fragments' else self.form}"
            must("ffmpeg", "-nostdin", "-y", "-v", "error", "-i", self.family.source(number), "-c", "copy",
                 *(FRAGMENTS if self.form == "fragments" else []), path)
            yield path

    def complaints(self, player, told, *words):
        """What a player complains of here and not in the sources."""
        known = set().union(*(see(player, path, self.family.rate, *words)[1] for path in self.plain())) if told else set()
        return [f"it says: {one}" for one in sorted(told - known)]

    def frames(self, frames):
        """Faults of the frames that were shown, each a number and a sum."""
        faults = wrong([frame[0] for frame in frames], NUMBERS)
        return faults or wrong([frame[1] for frame in frames], self.sums)

    def in_gstreamer(self):
        line = f"{DEMUXERS.get(self.form, 'qtdemux')}+{DECODERS[self.family.codec]}"
        saw, told = see("gstreamer", self.path, self.family.rate, line, *map(str, JOINS))
        faults = self.complaints("gstreamer", told, line) + self.frames(saw["frames"])
        if not faults and [frame[2] for frame in saw["frames"]] != list(range(len(NUMBERS))):
            faults.append("its times are no frames")
        for join in JOINS:
            if (numbers := saw["seeks"].get(str(join))) != NUMBERS[join : join + 3]:
                faults.append(f"seeking to {join} shows {numbers}, not {NUMBERS[join : join + 3]}")
        return faults

    def in_vlc(self):
        # VLC shows frames by the clock, and leaves some out where the machine is busy.
        for _ in range(3):
            saw, told = see("vlc", self.path, self.family.rate)
            lost = Film.lost_in_vlc(self.path, self.family.rate, saw)
            if lost:
                lost -= Film.lost_in_vlc(self.twin(), self.family.rate)
            faults = self.complaints("vlc", told) + sorted(lost)
            right = dict(zip(NUMBERS, self.sums))
            faults += [f"it shows another frame {number}" for number, one in saw["frames"] if right.get(number) != one]
            if not faults:
                break
        return faults

    @staticmethod
    def lost_in_vlc(path, rate, saw=None):
        """The frames that VLC leaves out, and the joins that it does not find to some frames."""
        saw = saw or see("vlc", path, rate)[0]
        lost = {f"it leaves out frame {place}" for place, number in enumerate(NUMBERS) if number not in dict(saw["frames"])}
        places = [NUMBERS.index(frame[0]) if frame[0] in NUMBERS else -1 for frame in saw["frames"]]
        if places != sorted(places):
            lost.add("its order is another one")
        saw, _ = see("vlc", path, rate, *map(str, JOINS))
        for join in JOINS:
            numbers = saw["seeks"].get(str(join)) or [None]
            places = [NUMBERS.index(one) if one in NUMBERS else -100 for one in numbers]
            # It begins up to three frames earlier where a frame is no key, in any film with B-frames.
            if not -3 <= places[0] - join <= 0 or places != sorted(places):
                lost.add(f"seeking to {join} does not find it")
        return lost

    def twin(self):
        """The film encoded by ffmpeg with the same key frames: what VLC does not find there it finds nowhere."""
        if not os.path.exists(twin := f"twin-{self.path}"):
            keys = must("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of",
                        "csv=p=0", self.path).stdout
            keys = ",".join(line.split(",")[0] for line in keys.splitlines() if "K" in line)
            coding = [word.replace(f"keyint={GROUP}:", "keyint=250:") for word in self.family.codings[0]]
            must("ffmpeg", "-nostdin", "-v", "error", "-i", self.path, *coding, "-g", "250", "-force_key_frames", keys,
                 *(["-forced-idr", "1"] if self.family.codec != "prores" else []),
                 *(FRAGMENTS if self.form == "fragments" else []), twin)
        return twin

    def in_chromium(self):
        form = "pieces" if self.form == "fragments" else "file"
        saw, told = see("chromium", self.path, self.family.rate, ",".join(map(str, range(len(NUMBERS)))), form)
        faults = [f"it says: {one}" for one in sorted(told)]
        faults += wrong([frame[0] for frame in saw["frames"]], NUMBERS)
        if saw.get("played") != len(NUMBERS):
            faults.append(f"it plays {saw.get('played')} frames")
        for number, path in enumerate(self.plain()):
            copied = [frame for frame in self.copied if SHOWN[frame][0] == number]
            if copied and not faults:
                theirs, _ = see("chromium", path, self.family.rate, ",".join(str(SHOWN[frame][1]) for frame in copied), form)
                ours = [saw["frames"][frame] for frame in copied]
                faults += [f"a copy: {fault}" for fault in wrong(ours, theirs["frames"])]
        return faults


def films(splitreel, family, forms):
    """Renders a family's films."""
    family.make()
    sources = [sums(family.source(number)) for number in range(3)]
    for form in forms:
        path = f"{family.name}-film.{form}" if form != "fragments" else f"{family.name}-fragments.mp4"
        words = [f"{family.name}.json", "-o", path, "--video-codec", family.codec, *family.options,
                 *(["--fragmented"] if form == "fragments" else [])]
        plan = json.loads(must(splitreel, "plan", *words, "--json").stdout)
        copied = [frame for chunk in plan["chunks"] if chunk["kind"] == "passthrough"
                  for frame in range(chunk["firstFrame"], chunk["firstFrame"] + chunk["frameCount"])]
        must(splitreel, "render", *words)
        film = Film(family, form, path, copied, sources)
        if not copied:
            film.faults.append("nothing is copied")
        yield film


def broken(film):
    """A film that lacks a packet in the middle of a group: each player must tell."""
    path = f"broken.{film.form}"
    must("ffmpeg", "-nostdin", "-y", "-v", "error", "-i", film.path, "-c", "copy", "-bsf:v", "noise=drop=eq(n\\,25)", path)
    other = Film(film.family, film.form, path, [], film.sources)
    other.sums = film.sums
    # Its own twin would lack the same frame.
    other.twin = film.twin
    return other


def main():
    splitreel, *words = sys.argv[1:]
    splitreel = os.path.realpath(splitreel)
    short, names = words == ["short"], {word for word in words if word in {one.name for one in FAMILIES}}
    players = [word for word in words if word in PLAYERS] or (["gstreamer"] if short else PLAYERS)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    failed = 0

    def say(name, faults):
        nonlocal failed
        failed += bool(faults)
        print(f"{name}: {'; '.join(faults[:4]) + (' …' if len(faults) > 4 else '') if faults else 'right'}", flush=True)

    with tempfile.TemporaryDirectory(prefix="splitreel-players-", ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        # What players keep goes, too.
        os.environ.update(HOME=folder, TMPDIR=folder, XDG_CACHE_HOME=folder, XDG_CONFIG_HOME=folder, XDG_RUNTIME_DIR=folder,
                          GST_DEBUG="2", GST_DEBUG_NO_COLOR="1", SPLITREEL_NO_CACHE="true")
        # It looks at all its plugins once, and says much of that.
        if "gstreamer" in players:
            run("gst-inspect-1.0", "fakesink")
        for family in FAMILIES[:1] if short else [one for one in FAMILIES if one.name in names] if names else FAMILIES:
            for film in films(splitreel, family, ["mp4"] if short else family.films):
                name = f"{family.name} {film.form}, {len(film.copied)} of {len(NUMBERS)} frames copied"
                say(f"{name}, ffmpeg", film.faults)
                for player in players:
                    # It has no HEVC here, no ProRes, and no Matroska but WebM.
                    if player == "chromium" and (family.codec != "h264" or film.form == "mkv"):
                        continue
                    say(f"{name}, {player}", getattr(film, f"in_{player}")())
                    if family is FAMILIES[0] and film.form == "mp4":
                        unseen = not getattr(broken(film), f"in_{player}")()
                        say(f"a film that lacks a packet, {player}", ["nothing is seen of it"] if unseen else [])
        os.chdir("/")
    sys.exit(min(failed, 1))


main()
