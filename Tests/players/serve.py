"""Serves page.html and the folder of a stream with byte ranges on a port of the system's choosing, opens the page in
headless Chromium, and prints what the page tells of how the stream played. Usage: serve.py FOLDER NAME."""
import http.server, os, re, subprocess, sys, tempfile, threading, urllib.parse

folder, name = sys.argv[1:]
report, told = [], threading.Event()
types = {".html": "text/html", ".m3u8": "application/vnd.apple.mpegurl", ".mpd": "application/dash+xml"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/report":
            report.append(urllib.parse.unquote(query))
            told.set()
            return self.answer(200, b"", {})
        place = os.path.dirname(__file__) if path == "/page.html" else folder
        try:
            with open(os.path.join(place, os.path.basename(urllib.parse.unquote(path))), "rb") as file:
                data = file.read()
        except OSError:
            return self.answer(404, b"", {})
        kind = {"Content-Type": types.get(os.path.splitext(path)[1], "video/mp4"), "Accept-Ranges": "bytes"}
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
    def handle_error(self, request, client):
        # A browser ends downloads that it does not need.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client)


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory() as profile:
    browser = subprocess.Popen(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
         "--autoplay-policy=no-user-gesture-required", "--user-data-dir=" + profile,
         f"http://127.0.0.1:{server.server_port}/page.html?{name}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told.wait(60)
    browser.terminate()
    browser.wait()
print(report[0] if report else "nothing was told within a minute")
