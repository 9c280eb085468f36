"""What the boxes of a movie or HEIF file say that FFmpeg 5.1 ignores."""

import struct
from collections.abc import Iterator
from pathlib import Path

# How much of a file's beginning and end is searched for a box.
SEARCHED = 1 << 22


def has_empty_edit(path: Path) -> bool:
    """Whether the first video track of a QuickTime movie or MP4 begins with an empty edit (ISO/IEC 14496-12, 8.6.6)."""
    def boxes(begin: int, end: int) -> Iterator[tuple[bytes, int, int]]:
        while begin + 8 <= end:
            file.seek(begin)
            header = file.read(16)
            size, kind = struct.unpack_from(">I4s", header)
            start = begin + 8
            if size == 1 and len(header) == 16:
                size, start = struct.unpack_from(">Q", header, 8)[0], begin + 16
            size = size or end - begin
            if size < start - begin:
                return
            yield kind, start, min(begin + size, end)
            begin += size

    def find(place: tuple[int, int], *kinds: bytes) -> Iterator[tuple[int, int]]:
        for kind, start, end in boxes(*place):
            if kind == kinds[0]:
                yield from find((start, end), *kinds[1:]) if kinds[1:] else [(start, end)]

    with open(path, "rb") as file:
        whole = (0, file.seek(0, 2))
        for track in find(whole, b"moov", b"trak"):
            handlers = []
            for start, _ in find(track, b"mdia", b"hdlr"):
                file.seek(start + 8)
                handlers.append(file.read(4))
            if handlers != [b"vide"]:
                continue
            for start, _ in find(track, b"edts", b"elst"):
                file.seek(start)
                head = file.read(24)
                if len(head) == 24 and int.from_bytes(head[4:8], "big") > 0:
                    duration, moment = struct.unpack_from(">Qq" if head[0] == 1 else ">Ii", head, 8)
                    return duration > 0 and moment == -1
            return False
    return False


def clean_aperture(path: Path) -> tuple[float, float, float, float] | None:
    """The part of the stored picture that a QuickTime movie or MP4 shows, to which livephoto crops and ffmpeg 5.1 not.

    Width, height, and how far its middle is from the picture's, across and down, in pixels (ISO/IEC 14496-12, 12.1.4).
    """
    for content in _found(path, b"\0\0\0\x28clap", 32):
        numbers = struct.unpack(">8i", content)
        if all(denominator > 0 for denominator in numbers[1::2]):
            width, height, across, down = (a / b for a, b in zip(numbers[::2], numbers[1::2]))
            return width, height, across, down
    return None


def quarter_turns(path: Path) -> int:
    """How often a HEIF's picture is turned by 90 degrees anticlockwise when it is shown (ISO/IEC 23008-12, 6.5.10)."""
    return next((content[0] & 3 for content in _found(path, b"\0\0\0\x09irot", 1)), 0)


def _found(path: Path, header: bytes, length: int) -> Iterator[bytes]:
    """What follows a box's header, in the beginning and the end of a file."""
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        for begin in {0, max(0, size - SEARCHED)}:
            file.seek(begin)
            piece = file.read(SEARCHED)
            at = piece.find(header)
            if at >= 0 and len(piece) >= at + len(header) + length:
                yield piece[at + len(header):at + len(header) + length]
