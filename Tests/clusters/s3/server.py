#!/usr/bin/env python3
"""An object store on loopback for tests: moto's server, at a port of the system's choice, with one bucket.

Prints `ready PORT` when it answers, and ends with the process that started it, however that ends.
With SECONDS each GET of an object takes so long, and GET /in-hand answers the most that were in hand at once.
Usage: server.py BUCKET [SECONDS]"""
import logging
import os
import sys
import threading
import time
import urllib.request

from moto.moto_server import threaded_moto_server
from moto.server import ThreadedMotoServer

lock = threading.Lock()
in_hand = 0
most = 0


def slow(app, seconds):
    def answer(environment, start):
        global in_hand, most
        if environment["PATH_INFO"] == "/in-hand":
            start("200 OK", [("Content-Type", "text/plain")])
            return [str(most).encode()]
        # A path of a bucket and a key, and no question to the bucket.
        key = environment["PATH_INFO"].strip("/").partition("/")[2]
        if environment["REQUEST_METHOD"] != "GET" or not key:
            return app(environment, start)
        with lock:
            in_hand += 1
            most = max(most, in_hand)
        time.sleep(seconds)
        with lock:
            in_hand -= 1
        return app(environment, start)

    return answer


if len(sys.argv) > 2:
    make = threaded_moto_server.make_server
    threaded_moto_server.make_server = lambda host, port, app, *rest: make(
        host, port, slow(app, float(sys.argv[2])), *rest
    )

parent = os.getppid()
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
_, port = server.get_host_and_port()
urllib.request.urlopen(
    urllib.request.Request(f"http://127.0.0.1:{port}/{sys.argv[1]}", method="PUT")
)
print(f"ready {port}", flush=True)
while os.getppid() == parent:
    time.sleep(0.2)
