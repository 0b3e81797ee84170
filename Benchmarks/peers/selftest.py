#!/usr/bin/env python3
"""Proves that what is measured is measured: CPU and memory of processes below processes, films with one wrong frame,
and that a film is made, looked at and written down. Usage: selftest.py SPLITREEL. Its last line is `all held`."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import codes
import measure
import page
from film import ffmpeg
from films.watermark import Watermark

HERE = os.path.dirname(os.path.abspath(__file__))


def expect(held, what):
    if not held:
        raise SystemExit(f"does not hold: {what}")
    print(what, flush=True)


def costs(folder):
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    log = os.path.join(folder, "log")
    cost = measure.run([["bash", "-c", f"{sys.executable} -c '{burn}'; true"]], folder, log)
    expect(0.3 <= cost.cpu < 3, f"a grandchild's CPU counts: {cost.cpu:.2f} s of 0.30")
    cost = measure.run([["bash", "-c", f"( {sys.executable} -c '{burn}' & )"]], folder, log)
    expect(0.3 <= cost.cpu < 3 and cost.wall >= 0.3, f"so does that of one that was left behind: {cost.cpu:.2f} s")
    hold = "import time\nb = bytearray(60 << 20)\nb[::4096] = b[::4096]\ntime.sleep(1.2)"
    both = f"{sys.executable} -c '{hold}' & {sys.executable} -c '{hold}'; wait"
    cost = measure.run([["bash", "-c", both]], folder, log, memory=True)
    expect(120e6 <= cost.memory < 250e6, f"memory of two at a time is added up: {cost.memory / 1e6:.0f} MB of 126")
    try:
        measure.run([["bash", "-c", "echo no such thing; exit 3"]], folder, log)
        expect(False, "a command that fails is told")
    except measure.Failure as failure:
        expect("ended with 3" in str(failure) and "no such thing" in str(failure), "a command that fails is told")


def wrong_one(film):
    """The exact film, with one frame of another one in its place, or one too many or too few."""
    exact, expected = film.reference, film.expected()

    def seen(name, *words):
        path = film.path(name)
        if words:
            ffmpeg("-i", exact, *words, "-fps_mode", "passthrough", "-c:v", "ffv1", path)
        look = codes.look(path, film.probes, film.rate, exact, film.step)
        return codes.wrong_frames(look, expected, film.rate), look.psnr

    wrong, psnr = seen("exact.mkv")
    expect(wrong == 0 and min(psnr) == float("inf"), "the exact film has no wrong frame and is equal")
    # Places beside no cut.
    wrong, psnr = seen(
        "one.mkv",
        "-filter_complex",
        "[0]settb=1/30,setpts=N,split[a][b];[b]setpts=N+1[c];"
        "[a][c]overlay=shortest=1:enable='eq(n,30)':format=yuv420",
    )
    expect(wrong == 1 and sum(level < 60 for level in psnr) == 1, f"a frame shown twice is {wrong} wrong frame of 1")
    wrong, _ = seen("gone.mkv", "-vf", "select='not(eq(n,30))'")
    expect(wrong == 1, f"a frame left out is {wrong} wrong frame of 1")
    wrong, _ = seen("more.mkv", "-vf", "tpad=stop=1:stop_mode=clone")
    expect(wrong == 1, f"a frame too many is {wrong} wrong frame of 1")
    wrong, _ = seen("early.mkv", "-vf", "trim=start_frame=1,setpts=PTS-STARTPTS")
    expect(wrong == len(expected), "a film that is one frame early is wrong all over")


def whole_way(splitreel, folder, media):
    figures, text = os.path.join(folder, "figures.json"), os.path.join(folder, "page.md")
    with open(text, "w", encoding="utf-8") as file:
        file.write(f"Before.\n\n{page.BEGIN}\nold\n{page.END}\n\nAfter.\n")
    done = subprocess.run(
        [
            sys.executable,
            os.path.join(HERE, "peers.py"),
            splitreel,
            "--short",
            "--runs",
            "0",
            "--films",
            "watermark",
            "--tools",
            "splitreel,graph,concat",
            "--folder",
            media,
            "--json",
            figures,
            "--page",
            text,
        ],
        capture_output=True,
        check=False,
    )
    expect(done.returncode == 0, f"a film is made: {done.stderr.decode()[-1500:].strip()}")
    with open(figures, encoding="utf-8") as file:
        rows = json.load(file)["watermark"]["tools"]
    for tool in ("splitreel", "graph"):
        row = rows[tool]
        expect(
            row.get("wrong") == 0
            and row["psnr"] > 35
            and row["wall"] > 0
            and row["cpu"] > 0
            and row["memory"] > 10e6
            and row["bytes"] > 10e3,
            f"{tool} made the right film: {row}",
        )
    expect("cannot" in rows["concat"], "who has no way to make it says so")
    with open(text, encoding="utf-8") as file:
        made = file.read()
    expect(
        made.startswith("Before.")
        and made.rstrip().endswith("After.")
        and "old" not in made
        and "| splitreel |" in made
        and "| ffmpeg, filter graph |" in made,
        "the page has both, and keeps what is around",
    )


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    splitreel, folder = os.path.abspath(sys.argv[1]), tempfile.mkdtemp(prefix="splitreel-peers-")
    try:
        costs(folder)
        film = Watermark(folder, short=True)
        film.prepare()
        wrong_one(film)
        whole_way(splitreel, folder, folder)
    finally:
        measure.end_all()
        shutil.rmtree(folder, ignore_errors=True)
    print("all held")


if __name__ == "__main__":
    main()
