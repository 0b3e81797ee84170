"""Serves page.html and the folder of a stream with byte ranges on a port of the system's choosing, opens the page in
headless Chromium, and prints what the page tells of how the stream played. Usage: serve.py FOLDER NAME."""

import signal
import subprocess
import sys
import tempfile
import threading

import serving

folder, name = sys.argv[1:]
report, told = [], threading.Event()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def hear(text):
    report.append(text)
    told.set()


server = serving.Server(folder, hear)
with tempfile.TemporaryDirectory() as profile:
    browser = subprocess.Popen(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
         "--autoplay-policy=no-user-gesture-required", "--user-data-dir=" + profile,
         f"{server.address}page.html?{name}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        told.wait(60)
    finally:
        browser.terminate()
        browser.wait()
print(report[0] if report else "nothing was told within a minute")
