"""A server of files with byte ranges on a port of the system's choosing, for a browser of this machine."""

import http.server
import os
import re
import sys
import threading
import urllib.parse

TYPES = {".html": "text/html", ".m3u8": "application/vnd.apple.mpegurl", ".mpd": "application/dash+xml"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/report":
            self.server.report(urllib.parse.unquote(query))
            return self.answer(200, b"", {})
        folder = os.path.dirname(__file__) if path.endswith(".html") else self.server.folder
        try:
            with open(os.path.join(folder, os.path.basename(urllib.parse.unquote(path))), "rb") as file:
                data = file.read()
        except OSError:
            return self.answer(404, b"", {})
        kind = {"Content-Type": TYPES.get(os.path.splitext(path)[1], "video/mp4"), "Accept-Ranges": "bytes"}
        asked = re.match(r"bytes=(\d+)-(\d*)$", self.headers.get("Range", ""))
        if not asked:
            return self.answer(200, data, kind)
        first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        kind["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
        self.answer(206, data[first : last + 1], kind)

    def answer(self, status, data, headers):
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Serves the pages of this folder and the files of another one; `report` is told what pages ask /report for."""

    def __init__(self, folder, report=lambda text: None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.report = folder, report
        self.address = f"http://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client):
        # A browser ends downloads that it does not need.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client)
