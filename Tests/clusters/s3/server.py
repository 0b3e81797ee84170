#!/usr/bin/env python3
"""An object store on loopback for tests: moto's server, at a port of the system's choice, with one bucket.

Prints `ready PORT` when it answers, and ends with the process that started it, however that ends.
Usage: server.py BUCKET"""
import logging
import os
import sys
import time
import urllib.request

from moto.server import ThreadedMotoServer

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
