"""What all films have: their place and size, their exact frames, and how each tool makes them."""

import json
import os
import subprocess


class NoWay(Exception):
    """A tool cannot make a film; the reason in few words, which stand in the table. Without words there is no row."""


class Way:
    """How a tool makes a film: the commands that are measured, and what they write. `before` runs first, unmeasured."""

    def __init__(self, commands, output, before=(), environment=None):
        self.commands, self.output, self.before, self.environment = commands, output, before, environment


class Film:
    """A film in a folder of its own. `short` ones are small: they prove that all works, and measure nothing."""

    name = title = what = ""
    rate = 30
    # What ffmpeg encodes by. The same is asked of the other tools; it is splitreel's default without `settings`.
    encoder = ["-c:v", "libx264", "-preset", "medium", "-crf", "20", "-g", "60"]
    settings = []
    melt_matrix = 709
    melt_encoder = ["vcodec=libx264", "preset=medium", "crf=20", "pix_fmt=yuv420p"]
    # The end of an encoding profile. Constant quality is what x264 calls crf; preset 6 is `medium`.
    ges_encoder = "->video/x-h264|element-properties,pass=5,quantizer=20,speed-preset=6"
    # One codec, and so one ending, for all tools.
    ending = "mp4"
    # Tools that encode all of a very long film make this part of it, and what it cost is multiplied.
    times = 1

    def __init__(self, folder, short=False):
        self.short = short
        self.size = (480, 264) if short else self.whole_size
        self.folder = os.path.join(folder, f"{self.name}-short" if short else self.name)
        os.makedirs(self.folder, exist_ok=True)
        self.lay_out()

    # MARK: What each film says

    whole_size = (1920, 1080)

    def lay_out(self):
        """Sets `frames` and what the film is made of."""
        raise NotImplementedError

    def make_sources(self):
        raise NotImplementedError

    def make_reference(self, path, step):
        """Each `step`th exact frame of the film, without loss, made by nothing but ffmpeg's decoders and arithmetic."""
        raise NotImplementedError

    def expected(self):
        """For each frame the codes that are to be read, a tuple as long as `probes`; None is not looked at."""
        raise NotImplementedError

    probes = ()

    # MARK: What is the same for all

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def step(self):
        """PSNR is that of some 300 frames of a long film."""
        return max(1, self.frames // 300)

    @property
    def reference(self):
        return self.path("exact.mkv")

    def prepare(self):
        self.make_sources()
        if not os.path.exists(self.reference):
            self.make_reference(self.reference, self.step)

    def time(self, frames):
        return f"{frames}/{self.rate}"

    def seconds(self, frames):
        return f"{frames / self.rate:.6f}"

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def write_json(self, name, value):
        return self.write(name, json.dumps(value, indent=1))

    def part(self):
        """The part of the film that tools make which encode all of it; by default the film itself."""
        return self

    def composition(self, assets, tracks, instructions=None):
        video = {"renderSize": list(self.size), "frameDuration": f"1/{self.rate}"}
        if instructions:
            video["instructions"] = instructions
        return {
            "format": "splitreel/1",
            "assets": {name: {"url": url} for name, url in assets.items()},
            "composition": {"tracks": tracks},
            "video": video,
        }

    # MARK: The tools

    def splitreel_composition(self):
        raise NotImplementedError

    def render(self, tools, words=(), name="film", output="splitreel"):
        composition = self.write_json(f"{name}.json", self.splitreel_composition())
        return [
            tools.splitreel,
            "render",
            composition,
            "-o",
            f"{output}.{self.ending}",
            "--overwrite",
            "--quiet",
            "--workers",
            "2",
            *self.settings,
            *words,
        ]

    def splitreel(self, tools):
        return self.way(self.render(tools, tools.options(cache=False)), "splitreel")

    def way(self, words, output, before=()):
        """splitreel with a cache of its own, should it want one."""
        environment = {"XDG_CACHE_HOME": self.path("cache-home")}
        return Way([words], f"{output}.{self.ending}", before, environment)

    def rendered(self, tools):
        if not tools.copies:
            raise NoWay("this version copies nothing")
        words = tools.options(cache=False, passthrough="never")
        return self.way(self.render(tools, words, output="rendered"), "rendered")

    def cp(self, tools):
        """What a copy of the film's file costs; in most films that is nothing beside the rest, and no row."""
        raise NoWay("")

    def graph(self, tools):
        raise NotImplementedError

    def concat(self, tools):
        raise NoWay("it only joins")

    copy = losslesscut = concat

    def smartcut(self, tools):
        raise NoWay("it only cuts")

    def melt(self, tools):
        raise NoWay("not written")

    def moviepy(self, tools):
        raise NoWay("not written")

    def ges(self, tools):
        raise NoWay("not written")

    def ffmpeg(self, inputs, graph, output="graph"):
        """ffmpeg's graph, which ends in [out], as the film."""
        self.write("graph.txt", graph)
        words = [
            "ffmpeg",
            "-nostdin",
            "-v",
            "error",
            "-y",
            *inputs,
            "-filter_complex_script",
            "graph.txt",
            "-map",
            "[out]",
            "-r",
            self.rate,
            *self.encoder,
            f"{output}.{self.ending}",
        ]
        return Way([words], f"{output}.{self.ending}")

    def melt_film(self, tools, words):
        width, height = self.size
        self.write(
            "profile",
            f"description=film\nframe_rate_num={self.rate}\nframe_rate_den=1\nwidth={width}\n"
            f"height={height}\nprogressive=1\nsample_aspect_num=1\nsample_aspect_den=1\n"
            f"display_aspect_num={width}\ndisplay_aspect_den={height}\ncolorspace={self.melt_matrix}\n",
        )
        consumer = ["-consumer", "avformat:melt.mp4", *self.melt_encoder, "g=60", "an=1", "real_time=-2"]
        return Way(
            [[tools.melt, "-silent", "-profile", self.path("profile"), *words, *consumer]],
            "melt.mp4",
            environment={"QT_QPA_PLATFORM": "offscreen"},
        )

    def moviepy_film(self, tools, edit):
        edit = {"size": list(self.size), "rate": self.rate, "output": "moviepy.mp4", "cuts": [], "layers": [], **edit}
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "moviepy_film.py")
        return Way(
            [[tools.moviepy, script, self.write_json("moviepy.json", edit)]],
            "moviepy.mp4",
            environment={"FFMPEG_BINARY": "ffmpeg"},
        )

    def ges_film(self, tools, words):
        """`words` are the timeline."""
        width, height = self.size
        profile = (
            f"video/quicktime,variant=iso:video/x-raw,width={width},height={height},framerate={self.rate}/1"
            f"{self.ges_encoder},key-int-max=60"
        )
        caps = f"video/x-raw,width={width},height={height},framerate={self.rate}/1"
        return Way(
            [
                [
                    tools.ges,
                    "--track-types",
                    "video",
                    "--video-caps",
                    caps,
                    *words,
                    "--no-interactive",
                    "-f",
                    profile,
                    "-o",
                    "file://" + self.path("ges.mp4"),
                ]
            ],
            "ges.mp4",
            environment={"NO_COLOR": "1"},
        )


def ffmpeg(*words):
    """Runs ffmpeg for what is not measured."""
    done = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, words)], capture_output=True, check=False
    )
    if done.returncode != 0:
        raise ValueError(
            f"ffmpeg {' '.join(map(str, words))[:300]}: {done.stderr.decode('utf-8', 'replace')[-1000:]}"
        )


LOSSLESS = ["-fps_mode", "passthrough", "-c:v", "ffv1", "-level", "3", "-g", "1"]
