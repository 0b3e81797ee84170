"""Plays a film in libvlc, without a window, then seeks to frames of it, and prints as JSON what was seen. Usage: in_vlc.py
FILM FRAMES-PER-SECOND [FRAME ...]. Complaints are on standard error. It is no command of VLC: root may run none."""

import ctypes
import fractions
import hashlib
import json
import queue
import sys

import marks

film, rate, *places = sys.argv[1:]
rate = float(fractions.Fraction(rate))
vlc = ctypes.CDLL("libvlc.so.5")
Pointer, Number = ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint)
Setup = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.POINTER(Pointer), Pointer, Number, Number, Number, Number)
Cleanup = ctypes.CFUNCTYPE(None, Pointer)
Lock = ctypes.CFUNCTYPE(Pointer, Pointer, ctypes.POINTER(Pointer))
Unlock = ctypes.CFUNCTYPE(None, Pointer, Pointer, ctypes.POINTER(Pointer))
Display = ctypes.CFUNCTYPE(None, Pointer, Pointer)
Event = ctypes.CFUNCTYPE(None, Pointer, Pointer)
for name in ("libvlc_new", "libvlc_media_new_path", "libvlc_media_player_new_from_media", "libvlc_media_player_event_manager"):
    getattr(vlc, name).restype = Pointer
shown, sizes = queue.Queue(), []
ENDED = 0x109
# The picture that libvlc writes to. One is enough: it is read before the next one is made.
memory = ctypes.create_string_buffer(marks.WIDTH * (marks.HEIGHT + 16) * 6)


@Setup
def setup(opaque, chroma, width, height, pitches, lines):
    """Leaves the decoder's own form as it is, so that nothing is converted."""
    name = ctypes.string_at(chroma, 4).decode()
    if name not in ("I420", "I422", "I0AL", "I2AL"):
        # Pictures of a graphics card, which are asked for first.
        return 0
    # The last two have ten bits.
    deep, half = name.endswith("AL"), name in ("I420", "I0AL")
    # Else it makes the picture as high as what the decoder writes, which is more.
    width[0], height[0] = marks.WIDTH, marks.HEIGHT
    sizes[:] = [10 if deep else 8]
    for plane in range(3):
        pitches[plane] = marks.WIDTH * (2 if deep else 1) // (2 if plane else 1)
        lines[plane] = marks.HEIGHT // (2 if plane and half else 1)
        sizes.append(pitches[plane] * lines[plane])
    return 1


@Lock
def lock(opaque, planes):
    place = ctypes.addressof(memory)
    for plane in range(3):
        planes[plane] = place
        place += sizes[1 + plane]
    return None


@Display
def display(opaque, picture):
    shown.put(memory.raw[: sum(sizes[1:])])


cleanup, unlock = Cleanup(lambda opaque: None), Unlock(lambda opaque, picture, planes: None)


@Event
def end(event, opaque):
    shown.put(None)


words = ["--verbose=1", "--no-audio", "--no-video-title-show", "--avcodec-hw=none", "--no-drop-late-frames",
         "--no-skip-frames", "--avcodec-threads=1", "--no-plugins-cache", "--no-osd", "--no-spu"]
instance = Pointer(vlc.libvlc_new(len(words), (ctypes.c_char_p * len(words))(*[word.encode() for word in words])))


def play(start=0, count=None):
    """The numbers and sums of the pictures that are shown from so many seconds on, so many or all."""
    media = Pointer(vlc.libvlc_media_new_path(instance, film.encode()))
    vlc.libvlc_media_add_option(media, f":start-time={start:.3f}".encode())
    player = Pointer(vlc.libvlc_media_player_new_from_media(media))
    vlc.libvlc_event_attach(Pointer(vlc.libvlc_media_player_event_manager(player)), ENDED, end, None)
    vlc.libvlc_video_set_format_callbacks(player, setup, cleanup)
    vlc.libvlc_video_set_callbacks(player, lock, unlock, display, None)
    vlc.libvlc_media_player_play(player)
    pictures = []
    while count is None or len(pictures) < count:
        try:
            picture = shown.get(timeout=60)
        except queue.Empty:
            break
        if picture is None:
            break
        stride = marks.WIDTH * (2 if sizes[0] == 10 else 1)
        pictures.append((marks.read_plane(picture, stride, sizes[0]), hashlib.md5(picture).hexdigest()))
    vlc.libvlc_media_player_stop(player)
    vlc.libvlc_media_player_release(player)
    vlc.libvlc_media_release(media)
    while not shown.empty():
        shown.get()
    return pictures


frames = play()
seeks = {place: [one[0] for one in play(max(0, (int(place) + 0.25) / rate), 3)] for place in places}
print(json.dumps({"frames": frames, "seeks": seeks}))
vlc.libvlc_release(instance)
