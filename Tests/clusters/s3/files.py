#!/usr/bin/env python3
"""Serves the files of a folder as objects of S3, by ranges and as fast as the disk is: moto reads all of an object for
each range of it. Whoever asks needs no signature. Prints `ready PORT`; ends with the process that started it.
Usage: files.py FOLDER     the object of s3://BUCKET/KEY is the file FOLDER/BUCKET/KEY"""
import http.server
import os
import re
import sys
import threading
import time

folder = os.path.realpath(sys.argv[1])
parent = os.getppid()


class Objects(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        try:
            file = open(folder + self.path.split("?")[0], "rb")
        except OSError:
            return self.answer(404, {"Content-Length": "0"})
        with file:
            facts = os.fstat(file.fileno())
            tag = f'"{facts.st_ino:x}-{facts.st_size:x}-{facts.st_mtime_ns:x}"'
            if self.headers.get("If-Match", tag) != tag:
                return self.answer(412, {"Content-Length": "0"})
            first, last, status = 0, facts.st_size - 1, 200
            head = {"ETag": tag, "Last-Modified": self.date_time_string(facts.st_mtime), "Accept-Ranges": "bytes"}
            if asked := re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")):
                first, status = int(asked[1]), 206
                last = min(last, int(asked[2] or last))
                head["Content-Range"] = f"bytes {first}-{last}/{facts.st_size}"
            head["Content-Length"] = str(last + 1 - first)
            self.answer(status, head)
            file.seek(first)
            left = 0 if self.command == "HEAD" else last + 1 - first
            try:
                while left > 0 and (part := file.read(min(left, 1 << 18))):
                    self.wfile.write(part)
                    left -= len(part)
            except ConnectionError:
                self.close_connection = True

    def answer(self, status, head):
        self.send_response(status)
        for name, value in head.items():
            self.send_header(name, value)
        self.end_headers()


class Server(http.server.ThreadingHTTPServer):
    # A connection that somebody breaks is nothing to tell.
    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Objects)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"ready {server.server_address[1]}", flush=True)
while os.getppid() == parent:
    time.sleep(0.2)
