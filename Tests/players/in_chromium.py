"""Shows frames of a film in headless Chromium, plays it, and prints as JSON what was seen, and what Chromium's log of media
complains of. Usage: in_chromium.py FILM FRAMES-PER-SECOND FRAME,FRAME,... file|pieces: pieces come by an mp4 in fragments."""

import fractions
import json
import os
import signal
import subprocess
import sys
import tempfile

import serving

film, rate, frames, form = sys.argv[1:]
rate = fractions.Fraction(rate)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


class Browser:
    """Chromium, spoken to by its protocol for tools over two pipes: it ends when they do, however that comes."""

    def __init__(self, profile):
        theirs, self.output = os.pipe()
        self.input, theirOutput = os.pipe()
        words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                 "--autoplay-policy=no-user-gesture-required", "--user-data-dir=" + profile, "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs} 4>&{theirOutput}', "bash", *words],
            env={**os.environ, "TMPDIR": profile}, pass_fds=(theirs, theirOutput), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(theirOutput)
        self.rest, self.count, self.session, self.log = b"", 0, {}, []

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.input, 1 << 16)
            if not data:
                sys.exit("chromium has ended")
            self.rest += data
        one, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(one)
        if message.get("method", "").startswith("Media."):
            self.log.append(message)
        return message

    def ask(self, method, **words):
        self.count += 1
        question = {"id": self.count, "method": method, "params": words, **self.session}
        os.write(self.output, json.dumps(question).encode() + b"\0")
        while (answer := self.message()).get("id") != self.count:
            pass
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]

    def wait(self, method):
        while self.message().get("method") != method:
            pass


def codecs(path):
    """The type of an mp4 of H.264, by what its avcC says."""
    with open(path, "rb") as file:
        data = file.read()
    return f'video/mp4; codecs="avc1.{data[data.index(b"avcC") + 5 :][:3].hex()}"'


def complaints(log):
    """Warnings and errors of the media log, and errors of its players."""
    for event in log:
        for one in event["params"].get("messages", []):
            if one["level"] in ("error", "warning"):
                yield f"{one['level']}: {one['message']}"
        for one in event["params"].get("errors", []):
            yield json.dumps(one)


moments = [float((int(frame) + fractions.Fraction(1, 2)) / rate) for frame in frames.split(",")]
kind = codecs(film) if form == "pieces" else ""
server = serving.Server(os.path.dirname(os.path.abspath(film)))
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        browser.session = {"sessionId": browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for method in ("Media.enable", "Page.enable"):
            browser.ask(method)
        browser.ask("Page.navigate", url=server.address + "film.html")
        browser.wait("Page.loadEventFired")
        call = f"look({json.dumps(os.path.basename(film))}, {json.dumps(kind)}, {json.dumps(moments)})"
        answer = browser.ask("Runtime.evaluate", expression=call, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            told = [answer["exceptionDetails"]["exception"].get("description", "?")]
            saw = {"frames": [], "played": 0}
        else:
            told, saw = [], answer["result"]["value"]
        print(json.dumps({**saw, "told": told + list(complaints(browser.log))}))
    finally:
        browser.process.terminate()
        browser.process.wait()
