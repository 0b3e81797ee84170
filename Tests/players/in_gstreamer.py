"""Plays a film through GStreamer, then seeks to frames of it, and prints as JSON what was seen. Usage: in_gstreamer.py
FILM FRAMES-PER-SECOND DEMUXER+PARSER+DECODER [FRAME ...]. With GST_DEBUG=2 its complaints are on standard error."""

import fractions
import hashlib
import json
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

import marks

film, rate, elements, *places = sys.argv[1:]
rate = fractions.Fraction(rate)
Gst.init(None)
line = Gst.parse_launch(
    f'filesrc location="{film}" ! {" ! ".join(elements.split("+"))} ! appsink name=sink sync=false')
sink = line.get_by_name("sink")


def picture():
    """The next picture's number, sum and time in frames; None at the end."""
    sample = sink.emit("try-pull-sample", 60 * Gst.SECOND)
    if sample is None:
        return None
    buffer, caps = sample.get_buffer(), sample.get_caps().get_structure(0)
    data = buffer.extract_dup(0, buffer.get_size())
    deep = "10" in caps.get_string("format")
    number = marks.read_plane(data, caps.get_int("width")[1] * (2 if deep else 1), 10 if deep else 8)
    shown = sample.get_segment().to_stream_time(Gst.Format.TIME, buffer.pts)
    return number, hashlib.md5(data).hexdigest(), round(shown * rate / Gst.SECOND)


def messages():
    """What went wrong, in the pipeline's own words."""
    told, bus = [], line.get_bus()
    while message := bus.pop_filtered(Gst.MessageType.ERROR | Gst.MessageType.WARNING):
        told.append(str((message.parse_error if message.type == Gst.MessageType.ERROR else message.parse_warning)()))
    return told


line.set_state(Gst.State.PLAYING)
frames = list(iter(picture, None))
seeks = {}
for place in map(int, places):
    # The middle of the frame, and the pictures that follow it.
    if not line.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE,
                            int((place + fractions.Fraction(1, 2)) / rate * Gst.SECOND)):
        seeks[place] = "no seek"
        continue
    seeks[place] = [(picture() or [None])[0] for _ in range(min(3, len(frames) - place))]
told = messages()
line.set_state(Gst.State.NULL)
print(json.dumps({"frames": frames, "seeks": seeks, "told": told}))
