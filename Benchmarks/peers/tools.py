"""The tools that are compared: where they are, and which versions."""

import os
import re
import shutil
import subprocess

from film import NoWay

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYPI = ["moviepy==2.2.1", "smartcut==1.7"]

# The method of a film: the tool's name on the page, and whether it encodes all of a film.
NAMES = {
    "splitreel": ("splitreel", False),
    "cp": ("cp of splitreel's film", False),
    "rendered": ("splitreel, nothing copied", True),
    "graph": ("ffmpeg, filter graph", True),
    "concat": ("ffmpeg, concat, encoded", True),
    "copy": ("ffmpeg, concat, copied", False),
    "melt": ("melt", True),
    "moviepy": ("MoviePy", True),
    "ges": ("GES", True),
    "losslesscut": ("LosslessCut's way", False),
    "smartcut": ("smartcut", False),
}


def said(*words):
    """What a command prints; empty where it is not there."""
    try:
        done = subprocess.run(words, capture_output=True, check=False, timeout=60)
    except OSError:
        return ""
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def number(text):
    found = re.search(r"\d+\.\d+[.\w+~-]*", text)
    return found.group(0) if found else ""


class Tools:
    """Paths are None for what is not there; `missing` says why."""

    def __init__(self, splitreel, wanted):
        self.splitreel = os.path.abspath(splitreel)
        help_text = said(self.splitreel, "render", "--help")
        self.copies, self.caches = "--passthrough" in help_text, "--no-cache" in help_text
        self.melt, self.ges = shutil.which("melt"), shutil.which("ges-launch-1.0")
        self.moviepy = self.smartcut = None
        self.missing = {
            "melt": "not installed: Debian's melt",
            "ges": "not installed: Debian's ges1.0-tools",
            "moviepy": "not to be had from PyPI",
            "smartcut": "not to be had from PyPI",
        }
        if {"moviepy", "smartcut"} & set(wanted):
            self.find_python()

    def find_python(self):
        script = os.path.join(ROOT, "Tests", "clusters", "venv.sh")
        done = subprocess.run([script, "peers", *PYPI], stdout=subprocess.PIPE, check=False)
        place = done.stdout.decode().strip()
        if done.returncode == 0 and place:
            self.moviepy, self.smartcut = f"{place}/bin/python", f"{place}/bin/smartcut"

    def way(self, film, tool):
        """How the tool makes the film; throws NoWay."""
        if tool in self.missing and getattr(self, tool) is None:
            raise NoWay(self.missing[tool])
        return getattr(film, tool)(self)

    def options(self, cache, passthrough=None):
        """Those of splitreel's options that this version has."""
        words = ["--no-cache"] if self.caches and not cache else []
        return words + (["--passthrough", passthrough] if self.copies and passthrough else [])

    def versions(self):
        found = {
            "splitreel": said(self.splitreel, "--version").strip().splitlines()[:1],
            "ffmpeg": [number(said("ffmpeg", "-version"))],
        }
        if self.melt:
            found["melt"] = [number(said(self.melt, "-version"))]
        if self.ges:
            found["GES"] = [said("dpkg-query", "-W", "-f=${Version}", "ges1.0-tools").strip()]
        if self.moviepy:
            found.update({name: [version] for name, version in (word.split("==") for word in PYPI)})
        return {name: text[0] for name, text in found.items() if text and text[0]}


def machine():
    """The facts of this machine that times depend on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": model.group(1).strip() if model else os.uname().machine,
        "cores": len(os.sched_getaffinity(0)),
        "memory": round(memory / (1 << 30)),
        "kernel": os.uname().release,
    }
