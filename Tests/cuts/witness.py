"""What ffmpeg and ffprobe say of a film: the witness that shares no code with the program."""

import hashlib
import json
import os
import re
import subprocess
from fractions import Fraction


def run(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")


def must(*words):
    done = run(*words)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()[-500:]}")
    return done


def fraction(text):
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return Fraction(0)


class Film:
    """The first video track of a file, with the time of each of its frames."""

    def __init__(self, path):
        self.path = path
        read = must("ffprobe", "-v", "quiet", "-select_streams", "v:0", "-read_intervals", "%+#400", "-show_streams",
                    "-show_entries", "frame=best_effort_timestamp,key_frame,interlaced_frame", "-of", "json", path)
        read = json.loads(read.stdout)
        track = read["streams"][0]
        self.codec, self.profile = track["codec_name"], track.get("profile", "")
        self.width, self.height, self.format = track["width"], track["height"], track["pix_fmt"]
        self.tags = [track.get(key, "unknown") for key in ("color_primaries", "color_transfer", "color_space")]
        self.aspect = fraction(track.get("sample_aspect_ratio", "1:1").replace(":", "/")) or Fraction(1)
        turns = [part.get("rotation", 0) for part in track.get("side_data_list", [])]
        self.is_upright = not any(turns)
        if any(turn % 180 for turn in turns):
            self.width, self.height = self.height, self.width
            self.aspect = 1 / self.aspect
        self.tick = fraction(track["time_base"])
        # Of a part that was read, the last frames in time may have others missing between them.
        frames = read.get("frames", [])[:380]
        self.is_interlaced = any(frame.get("interlaced_frame") for frame in frames)
        self.keys = [place for place, frame in enumerate(frames) if frame.get("key_frame")]
        start = round(self.start() / self.tick) * self.tick
        self.times = [frame["best_effort_timestamp"] * self.tick - start for frame in frames]
        rates = [fraction(track[key]) for key in ("r_frame_rate", "avg_frame_rate")]
        even = [rate for rate in rates if rate and self.strays(rate) <= max(self.tick, Fraction(1, 1000))]
        self.rate, self.is_even = (even or [Fraction(25)])[0], bool(even)
        self.is_exact = not self.is_even or self.strays(self.rate) == 0

    def start(self):
        """The time of the file at which its first picture or sound begins, in seconds."""
        read = must("ffprobe", "-v", "quiet", "-show_entries", "stream=codec_type,start_time", "-of", "json", self.path)
        times = [fraction(track.get("start_time", "N/A")) for track in json.loads(read.stdout)["streams"]
                 if track["codec_type"] in ("video", "audio") and "start_time" in track]
        return min(times, default=Fraction(0))

    def strays(self, rate):
        """The furthest that a frame is from its place on an even grid, in seconds."""
        return max((abs(time - self.times[0] - place / rate) for place, time in enumerate(self.times)), default=0)

    def shown(self, time):
        """The frame that is shown at a time of the file."""
        return max((place for place, own in enumerate(self.times) if own <= time), default=0)

    def frame_bytes(self):
        """The bytes of a raw frame."""
        wide = self.width if "444" in self.format else (self.width + 1) // 2
        high = (self.height + 1) // 2 if "420" in self.format else self.height
        return (self.width * self.height + 2 * wide * high) * (2 if "le" in self.format else 1)

    def decode(self, raw, like, frames=1_000_000):
        """Writes its frames, so many at most, in the size and format of a film. Answers what ffmpeg complains of."""
        words = ["ffmpeg", "-nostdin", "-y", "-v", "warning", "-threads", "1", "-i", self.path, "-map", "0:v:0"]
        words += ["-vf", f"scale={like.width}:{like.height}"] if like is not self else []
        words += ["-frames:v", str(frames), "-fps_mode", "passthrough", "-pix_fmt", like.format, "-f", "rawvideo", raw]
        return complaints(must(*words).stderr)


def complaints(text):
    """Lines of ffmpeg without places and numbers: two of one kind are equal."""
    lines = set()
    for line in text.splitlines():
        line = re.sub(r"0x[0-9a-f]+", "N", line)
        line = re.sub(r"-?\d+(\.\d+)?", "N", line)
        line = re.sub(r"^\[[a-zA-Z0-9_,.]+ @ N\] ?", "", line).strip()
        if line and "deprecated pixel format" not in line and "Last message repeated" not in line:
            lines.add(line)
    return lines


def sums(raw, size):
    """The MD5 of each raw frame of so many bytes."""
    with open(raw, "rb") as file:
        return [hashlib.md5(frame).hexdigest() for frame in iter(lambda: file.read(size), b"")]


def rearrange(places, size, to):
    """Writes raw frames of files of such, each told as a file and a place."""
    files = {path: open(path, "rb") for path, _ in places}
    with open(to, "wb") as out:
        for path, place in places:
            files[path].seek(place * size)
            out.write(files[path].read(size))
    for file in files.values():
        file.close()


def likeness(one, other, film):
    """The PSNR of each frame of two raw films, in dB of all planes."""
    form = ["-f", "rawvideo", "-pix_fmt", film.format, "-s", f"{film.width}x{film.height}", "-r", "25"]
    told = one + ".psnr"
    must("ffmpeg", "-nostdin", "-v", "error", "-threads", "1", *form, "-i", one, *form, "-i", other, "-lavfi",
         f"psnr=stats_file={told}", "-f", "null", "-")
    with open(told) as lines:
        values = [float(value) for line in lines for value in re.findall(r"psnr_avg:(\S+)", line)]
    os.remove(told)
    return values


def packet_faults(path, rate, is_rounded):
    """What is odd of the times of a film's packets."""
    read = must("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=time_base:packet=pts,dts",
                "-of", "json", path)
    read = json.loads(read.stdout)
    tick = fraction(read["streams"][0]["time_base"])
    packets = read["packets"]
    shown = sorted(packet["pts"] * tick for packet in packets)
    slack = Fraction(1, 1000) if is_rounded else 0
    faults = []
    if any(abs(time - place / rate) > slack for place, time in enumerate(shown)):
        faults.append("frames are not even")
    coded = [packet["dts"] for packet in packets if "dts" in packet]
    if any(later <= earlier for earlier, later in zip(coded, coded[1:])):
        faults.append("decoding times go back")
    if any(packet.get("dts", packet["pts"]) > packet["pts"] for packet in packets):
        faults.append("a frame is decoded after it is shown")
    return faults
