"""The streams of `kubectl exec` and `kubectl port-forward`: WebSocket (RFC 6455), and within the latter SPDY/3.1."""

import base64
import hashlib
import json
import socket
import struct
import threading
import zlib

# The dictionary that headers of SPDY/3.1 are packed with: names, each behind its length, and text.
NAMES = """options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age
allow authorization cache-control connection content-base content-encoding content-language content-length
content-location content-md5 content-range content-type date etag expect expires from host if-match
if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma
proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade
user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie
keep-alive origin""".replace("\n", " ").split(" ")
TEXT = (
    "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritat"
    "ive Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found5"
    "00 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct N"
    "ov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,applic"
    "ation/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf"
    "-8charset=iso-8859-1,utf-,*,enq=0."
)
DICTIONARY = b"".join(struct.pack(">I", len(name)) + name.replace("_", " ").encode() for name in NAMES) + TEXT.encode()


class Socket:
    """The server's end of a WebSocket, whose connection is a request's."""

    def __init__(self, request, protocol):
        if protocol not in request.headers.get("Sec-WebSocket-Protocol", ""):
            raise ConnectionError(f"{protocol} is not among {request.headers.items()}")
        key = request.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        request.send_response(101)
        for name, value in [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Protocol", protocol),
                            ("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())]:
            request.send_header(name, value)
        request.end_headers()
        request.close_connection = True
        self.input, self.output, self.lock = request.rfile, request.wfile, threading.Lock()

    def send(self, data, code=2):
        size = len(data)
        length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 65536 else (
            b"\x7f" + struct.pack(">Q", size))
        with self.lock:
            self.output.write(bytes([0x80 | code]) + length + data)

    def read(self):
        """The data of the next message, or None at the end. Answers pings."""
        while True:
            head = self.input.read(2)
            if len(head) < 2:
                return None
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(self.input.read(2 if size == 126 else 8), "big")
            mask, data = self.input.read(4), self.input.read(size)
            masks = (mask * (size // 4 + 1))[:size]
            data = (int.from_bytes(data, "big") ^ int.from_bytes(masks, "big")).to_bytes(size, "big")
            if head[0] & 15 == 8:
                return None
            if head[0] & 15 == 9:
                self.send(data, 10)
            else:
                return data


def run(request, pod, words):
    """Runs a command in a pod, and sends what it said and how it ended. It gets no input."""
    stream = Socket(request, "v5.channel.k8s.io")
    ended = pod.exec(words)
    for channel, text in ((b"\1", ended.stdout), (b"\2", ended.stderr)):
        if text:
            stream.send(channel + text.encode())
    status = {"metadata": {}, "status": "Success"}
    if ended.returncode:
        status = {"metadata": {}, "status": "Failure", "reason": "NonZeroExitCode", "message": "the command failed",
                  "details": {"causes": [{"reason": "ExitCode", "message": str(ended.returncode)}]}}
    stream.send(b"\3" + json.dumps(status).encode())
    stream.send(struct.pack(">H", 1000), 8)


def forward(request):
    """Carries connections to ports of this machine, each a stream of SPDY/3.1, until the other end closes."""
    tunnel = Socket(request, "SPDY/3.1+portforward.k8s.io")
    unpack, pack = zlib.decompressobj(zdict=DICTIONARY), zlib.compressobj(zdict=DICTIONARY)
    connections, data = {}, b""
    while (more := tunnel.read()) is not None:
        data += more
        while len(data) >= 8 and len(data) >= 8 + (size := int.from_bytes(data[5:8], "big")):
            first, flags = struct.unpack(">IB", data[:5])
            body, data = data[8:8 + size], data[8 + size:]
            if first == 0x80030001:
                stream = int.from_bytes(body[:4], "big")
                headers = named(unpack.decompress(body[10:]))
                reply = struct.pack(">I", stream) + pack.compress(bytes(4)) + pack.flush(zlib.Z_SYNC_FLUSH)
                tunnel.send(struct.pack(">II", 0x80030002, len(reply)) + reply)
                if headers["streamtype"] == "data":
                    connections[stream] = socket.create_connection(("127.0.0.1", int(headers["port"])))
                    threading.Thread(target=back, args=(tunnel, stream, connections[stream]), daemon=True).start()
            elif first == 0x80030006:
                tunnel.send(struct.pack(">II", first, size) + body)
            elif not first >> 31 and first in connections:
                connections[first].sendall(body)
                if flags & 1:
                    connections[first].shutdown(socket.SHUT_WR)
    for connection in connections.values():
        connection.close()


def back(tunnel, stream, connection):
    """Sends what comes from a connection to a stream."""
    while True:
        try:
            data = connection.recv(65536)
            tunnel.send(struct.pack(">II", stream, (0 if data else 1) << 24 | len(data)) + data)
        except OSError:
            return
        if not data:
            return


def named(block):
    """The headers of a block that was unpacked."""
    words, place = [], 4
    while place < len(block):
        size = int.from_bytes(block[place:place + 4], "big")
        words.append(block[place + 4:place + 4 + size].decode())
        place += 4 + size
    return dict(zip(words[::2], words[1::2]))
