"""Numbers that are drawn into films and read back from what a player shows: which frame of which source it is.

A picture has 16 blocks of 16 pixels in its first row, one for each bit, white for 1, the lowest on the left. The row
below has their opposites. Frame 7 of source 2 carries 2007."""

import subprocess

BITS, BLOCK = 16, 16
WIDTH, HEIGHT = 320, 180


def strip(number):
    """The two rows of blocks, a byte for each pixel."""
    rows = b""
    for flip in (0, 1):
        row = b"".join(bytes([255 if (number >> bit & 1) != flip else 0]) * BLOCK for bit in range(BITS))
        rows += row * BLOCK
    return rows


def read(level):
    """The number of a picture, whose luminance at a place level(x, y) tells, of 0…255; None where it has none."""
    number = 0
    for bit in range(BITS):
        x = bit * BLOCK + BLOCK // 2
        spots = [(x + dx, dy) for dx in (-3, 0, 3) for dy in (-3, 0, 3)]
        plain, other = (sum(level(a, row * BLOCK + BLOCK // 2 + b) for a, b in spots) / 9 for row in (0, 1))
        if abs(plain - other) < 80:
            return None
        number |= (plain > other) << bit
    return number


def read_plane(plane, stride, depth=8):
    """The number of a plane of luma, of 8 bits, or of more in two bytes, the low one first."""
    if depth == 8:
        return read(lambda x, y: plane[y * stride + x])
    return read(lambda x, y: int.from_bytes(plane[y * stride + 2 * x : y * stride + 2 * x + 2], "little") >> depth - 8)


def make_source(path, source, frames, rate, coding):
    """A film of so many numbered frames, by ffmpeg; what is below the numbers moves."""
    strips = b"".join(strip(1000 * source + frame) for frame in range(frames))
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi",
         "-i", f"testsrc2=s={WIDTH}x{HEIGHT}:r={rate},hue=h={60 * source}",
         "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{BITS * BLOCK}x{2 * BLOCK}", "-r", rate, "-i", "-",
         "-filter_complex", "[0][1]overlay=shortest=1:format=yuv444,format=yuv444p", *coding, path],
        input=strips, check=True)
