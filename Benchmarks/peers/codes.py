"""Numbers that are drawn into pictures and read back out of films: which frame of which source is shown.

A source has a band of square blocks at its top left. A code is a row of 24 blocks there, one for each bit, light for 1;
the lowest is the first. Its row is one of some slots, so that two sources that lie over each other can both be read.
What is beside the row is grey: what a film has made of that grey parts light from dark."""

import os
import re
import subprocess

BITS = 24
# With a grey block at each end.
COLUMNS = BITS + 2
GREY, DARK, LIGHT = 128, 16, 235
# A source has at most so many frames.
FRAMES = 1 << 16


def block(width):
    """The side of a block, in pixels of a source of that width."""
    return width // 30 // 8 * 8


def code(source, frame):
    return source * FRAMES + frame


def band(width, slots, slot, source, frames, rate):
    """The end of a filter graph that makes the band as [band]."""
    side, columns, rows = block(width), COLUMNS, 2 * slots + 1
    bit = f"if(bitand(floor((N+{code(source, 0)})/pow(2,X-1)),1),{LIGHT},{DARK})"
    row = f"eq(Y,{1 + 2 * slot})*between(X,1,{BITS})"
    return (
        f"color=gray:s={columns}x{rows}:r={rate}:d={frames / rate:.6f},format=gray,"
        f"geq=lum='if({row},{bit},{GREY})',scale={side * columns}:{side * rows}:flags=neighbor[band]"
    )


class Probe:
    """A row of a code in a film: the source's width, its slot, and where the source is shown how large."""

    def __init__(self, width, slot=0, x=0, y=0, scale=1.0):
        side = block(width) * scale
        self.x, self.y = x, y + side * (1 + 2 * slot)
        self.width, self.height = side * COLUMNS, side

    def filter(self):
        # The middle of the row: its edges are mixed with what is beside them.
        top, height = self.y + self.height / 4, max(1, round(self.height / 2))
        return (
            f"crop={round(self.width)}:{height}:{round(self.x)}:{round(top)}:exact=1,"
            f"scale={COLUMNS}:1:flags=area,format=gray"
        )


def decode(levels):
    """The code of a row's levels, the grey ones at its ends; None where one of them is neither light nor dark."""
    grey, number = (levels[0] + levels[-1]) / 2, 0
    for place, level in enumerate(levels[1:-1]):
        if abs(level - grey) < 8:
            return None
        number |= (level > grey) << place
    return number


class Look:
    """What a film shows: for each frame its time in seconds from the first one and the code of each probe; the PSNR in
    dB of the frames that were compared, infinite for equal ones."""

    def __init__(self, times, codes, psnr):
        self.times, self.codes, self.psnr = times, codes, psnr


def look(film, probes, rate, reference=None, step=1):
    """Decodes a film once. What it shows at each `step`th frame's time is held against the reference's next."""
    parts = len(probes)
    names = "".join(f"[p{n}]" for n in range(parts))
    graph = [f"[0:v:0]split={parts + 1}{names}[whole]" if reference else f"[0:v:0]split={parts}{names}"]
    graph += [f"[p{n}]extractplanes=y,{probe.filter()}[c{n}]" for n, probe in enumerate(probes)]
    rows = "".join(f"[c{n}]" for n in range(parts))
    stack = f"{rows}hstack=inputs={parts}" if parts > 1 else "[c0]null"
    graph.append(f"{stack},settb=1/90000,showinfo=checksum=0[codes]")
    words = ["ffmpeg", "-nostdin", "-v", "info", "-nostats", "-i", film]
    outputs = ["-map", "[codes]", "-fps_mode", "passthrough", "-f", "rawvideo", "-"]
    if reference:
        words += ["-i", reference]
        graph.append(
            f"[whole]setpts=PTS-STARTPTS,fps={rate},select='not(mod(n,{step}))',setpts=N/TB[mine];"
            "[1:v]setpts=N/TB[exact]"
        )
        graph.append(f"[mine][exact]psnr=shortest=1:stats_file='{film}.psnr'[compared]")
        outputs += ["-map", "[compared]", "-fps_mode", "passthrough", "-f", "null", "-"]
    done = subprocess.run(words + ["-filter_complex", ";".join(graph)] + outputs, capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode != 0:
        raise ValueError(f"{film} cannot be looked at: {said[-1000:]}")
    pts = [int(number) for number in re.findall(r"\] n: *\d+ pts: *(-?\d+)", said)]
    rows = [done.stdout[at : at + COLUMNS * parts] for at in range(0, len(done.stdout), COLUMNS * parts)]
    if len(pts) != len(rows):
        raise ValueError(f"{film}: {len(rows)} frames with {len(pts)} times")
    found = [tuple(decode(row[COLUMNS * n : COLUMNS * (n + 1)]) for n in range(parts)) for row in rows]
    return Look([(number - pts[0]) / 90000 for number in pts], found, compared(f"{film}.psnr") if reference else [])


def compared(path):
    """The PSNR of each frame, as ffmpeg's filter wrote it down."""
    with open(path, encoding="ascii") as file:
        levels = [float(level) for level in re.findall(r"psnr_avg:(\S+)", file.read())]
    os.remove(path)
    return levels


def wrong_frames(seen, expected, rate):
    """How many places of a film show something else than they should. A place is the middle of a frame's time, and what
    is shown there is the last picture before it. What the film has too many counts, too.

    `expected` has a tuple for each frame; None in it is a code that is not looked at."""
    wrong, at = 0, -1
    for place, codes in enumerate(expected):
        while at + 1 < len(seen.times) and seen.times[at + 1] <= (place + 0.5) / rate:
            at += 1
        ended = at < 0 or (at + 1 == len(seen.times) and (place - 0.5) / rate > seen.times[at])
        shown = () if ended else seen.codes[at]
        if ended or any(code is not None and code != there for code, there in zip(codes, shown)):
            wrong += 1
    return wrong + max(0, len(seen.times) - len(expected))
