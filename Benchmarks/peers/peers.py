#!/usr/bin/env python3
"""Makes films by splitreel and by other tools, and tells what each cost and whether it is right.

For each film: every tool once, with its memory watched and its film looked at; then RUNS times all tools in turns,
nothing watched. A tool whose first time took two minutes or more is not run again: that time counts.
What was measured goes into a JSON file, film by film; the page's tables are made of that."""

import argparse
import datetime
import os
import shutil
import signal
import statistics
import sys
import tempfile

import codes
import measure
import page
from film import NoWay
from films import ALL
from tools import NAMES, Tools, machine

# Seconds.
LONG = 120.0


def say(text):
    print(text, file=sys.stderr, flush=True)


class Bench:
    def __init__(self, tools, words):
        self.tools, self.words = tools, words

    def once(self, film, way, memory=False):
        """One run of a tool: its cost, and where its film is."""
        log = film.path("log.txt")
        output = film.path(way.output)
        if way.before:
            measure.run(way.before, film.folder, log, environment=way.environment)
        if os.path.exists(output):
            os.remove(output)
        return measure.run(way.commands, film.folder, log, memory, environment=way.environment), output

    def first(self, film, tool):
        """The first run: memory, bytes, and what the film shows."""
        way = self.tools.way(film, tool)
        cost, output = self.once(film, way, memory=True)
        seen = codes.look(output, film.probes, film.rate, film.reference, film.step)
        row = {
            "memory": cost.memory,
            "bytes": os.path.getsize(output) * film.times,
            "frames": len(seen.times),
            "wrong": codes.wrong_frames(seen, film.expected(), film.rate) * film.times,
            "psnr": self.level(statistics.median(seen.psnr)),
            "lowest": self.level(min(seen.psnr)),
        }
        if film.times > 1:
            row.update(times=film.times)
        # Of splitreel's film a copy is made.
        if tool != "splitreel":
            os.remove(output)
        return row, cost

    def first_or_second(self, film, tool):
        """Whoever fails may try once more."""
        for last in (False, True):
            try:
                return self.first(film, tool)
            except (measure.Failure, ValueError) as error:
                say(f"{film.name}, {tool}: {error}")
                if last:
                    raise

    @staticmethod
    def level(psnr):
        """Decibels; a hundred stand for pictures that are equal."""
        return round(min(psnr, 100.0), 2)

    def measure_film(self, film):
        say(f"{film.name}: its sources and its exact frames are made in {film.folder}")
        film.prepare()
        # A part is made only for those who encode all of it; told to, they make the whole film as well.
        part = film if self.words.whole else film.part()
        if part is not film:
            part.prepare()
        rows, costs, made = {}, {}, {}
        for tool in self.words.tools:
            made[tool] = part if NAMES[tool][1] or tool == "splitreel" and not self.tools.copies else film
            try:
                rows[tool], cost = self.first_or_second(made[tool], tool)
            except NoWay as reason:
                if str(reason):
                    rows[tool] = {"cannot": str(reason)}
                continue
            except (measure.Failure, ValueError) as error:
                rows[tool] = {"cannot": "it failed: " + page.short_reason(str(error))}
                continue
            costs[tool] = [cost] if cost.wall >= LONG or self.words.runs == 0 else []
            say(
                f"{film.name}, {tool}: {cost.wall:.1f} s, {rows[tool]['wrong']} wrong frames, {rows[tool]['psnr']} dB"
            )
        again = [tool for tool, known in costs.items() if not known]
        for run in range(self.words.runs):
            for tool in list(again):
                try:
                    costs[tool].append(self.once(made[tool], self.tools.way(made[tool], tool))[0])
                except measure.Failure as error:
                    say(f"{film.name}, {tool}: {error}")
                    rows[tool] = {"cannot": "it failed in a later run"}
                    again.remove(tool)
            say(
                f"{film.name}, run {run + 1} of {self.words.runs}: "
                + ", ".join(f"{tool} {costs[tool][-1].wall:.1f} s" for tool in again)
            )
        self.add_times(rows, costs, made)
        return {
            "title": film.title,
            "what": film.what,
            "frames": film.frames,
            "rate": film.rate,
            "size": list(film.size),
            "date": datetime.date.today().isoformat(),
            "short": film.short,
            "machine": machine(),
            "versions": self.tools.versions(),
            "tools": rows,
        }

    @staticmethod
    def add_times(rows, costs, made):
        """Medians; the ratio is that of runs that followed each other."""
        for tool, known in costs.items():
            if "cannot" in rows[tool] or not known:
                continue
            times = made[tool].times
            rows[tool]["wall"] = round(statistics.median(cost.wall for cost in known) * times, 3)
            rows[tool]["cpu"] = round(statistics.median(cost.cpu for cost in known) * times, 3)
            rows[tool]["runs"] = len(known)
        ours = costs.get("splitreel")
        for tool, known in costs.items():
            if ours and known and "cannot" not in rows[tool]:
                times = made[tool].times / made["splitreel"].times
                if len(known) == len(ours):
                    ratios = [theirs.wall * times / own.wall for theirs, own in zip(known, ours)]
                else:
                    ratios = [rows[tool]["wall"] / rows["splitreel"]["wall"]]
                rows[tool]["ratio"] = round(statistics.median(ratios), 3)


def arguments():
    names = ",".join(film.name for film in ALL)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("splitreel")
    parser.add_argument("--films", default=names, type=lambda text: text.split(","), help=names)
    parser.add_argument("--tools", default=",".join(NAMES), type=lambda text: text.split(","), help=",".join(NAMES))
    parser.add_argument("--runs", type=int, default=3, help="runs that count (3); 0: the first one counts")
    parser.add_argument("--short", action="store_true", help="small films: whether all works, no figures")
    parser.add_argument(
        "--whole", action="store_true", help="those who encode make the whole hour, not three minutes"
    )
    parser.add_argument("--folder", help="where media and films are made and kept; without it, a temporary folder")
    parser.add_argument("--json", required=True, help="the file that gets the figures; other films in it stay")
    parser.add_argument("--page", help="the page whose tables are made anew")
    words = parser.parse_args()
    for given, known in ((words.films, [film.name for film in ALL]), (words.tools, list(NAMES))):
        for name in given:
            if name not in known:
                parser.error(f"there is no {name}; there are {', '.join(known)}")
    return words


def ended(*_):
    raise SystemExit(143)


def main():
    words = arguments()
    signal.signal(signal.SIGTERM, ended)
    signal.signal(signal.SIGHUP, ended)
    folder = words.folder or tempfile.mkdtemp(prefix="splitreel-peers-")
    try:
        bench = Bench(Tools(words.splitreel, words.tools), words)
        for film in [film for film in ALL if film.name in words.films]:
            figures = page.read(words.json)
            figures[film.name] = bench.measure_film(film(os.path.abspath(folder), words.short))
            page.write(words.json, figures)
            if words.page:
                page.make(words.page, figures, [film.name for film in ALL])
    finally:
        measure.end_all()
        if not words.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
