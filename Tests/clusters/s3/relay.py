#!/usr/bin/env python3
"""A relay on loopback before a server, which is slow or breaks connections as a network does.

Prints `ready PORT`, and a line for each connection that it breaks; ends with the process that started it.
Usage: relay.py PORT [--rate BYTES] [--break-at BYTES ...]
  --rate BYTES       the bytes that go to the server in a second, of all connections together
  --break-at BYTES   after so many bytes from the server, of all connections, the one that brings them is reset"""
import argparse
import asyncio
import os
import socket
import struct

words = argparse.ArgumentParser()
words.add_argument("port", type=int)
words.add_argument("--rate", type=int, default=0)
words.add_argument("--break-at", type=int, action="append", default=[])
words = words.parse_args()
parent = os.getppid()
places = sorted(words.break_at)
came = 0


async def pass_on(reader, writer, is_answer, client):
    global came
    try:
        while data := await reader.read(1 << 16):
            if is_answer:
                came += len(data)
                if places and came >= places[0]:
                    print(f"reset after {places.pop(0)} bytes", flush=True)
                    # A connection that lingers for no time is reset, and not closed.
                    client.get_extra_info("socket").setsockopt(
                        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                    )
                    client.transport.abort()
                    return
            elif words.rate:
                await asyncio.sleep(len(data) / words.rate)
            writer.write(data)
            await writer.drain()
    except (ConnectionError, OSError):
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    try:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", words.port)
    except OSError:
        return writer.close()
    await asyncio.gather(
        pass_on(reader, far_writer, False, writer), pass_on(far_reader, writer, True, writer), return_exceptions=True
    )


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(f"ready {server.sockets[0].getsockname()[1]}", flush=True)
    while os.getppid() == parent:
        await asyncio.sleep(0.2)
    os._exit(0)


asyncio.run(main())
