"""Makes small files that claim to be huge, in the current folder: hostile_clips.py CLIP FRAGMENTED_CLIP."""

import struct
import sys
from pathlib import Path


def box(kind: bytes, *parts: bytes) -> bytes:
    payload = b"".join(parts)
    return struct.pack(">I", 8 + len(payload)) + kind + payload


def changed(clip: bytes, kind: bytes, *fields: int) -> bytes:
    """The clip with other numbers behind the type of the first box of a kind."""
    place = clip.index(kind) + 4
    new = struct.pack(f">{len(fields)}I", *fields)
    return clip[:place] + new + clip[place + len(new):]


def grown(clip: bytes, path: list[bytes], more: bytes) -> bytes:
    """The clip with bytes added at the end of a box, which with all around it grows by them. The movie box comes last."""
    places = []
    start = 0
    for kind in path:
        start = clip.index(kind, start)
        places.append(start - 4)
        start += 4
    end = places[-1] + struct.unpack_from(">I", clip, places[-1])[0]
    data = bytearray(clip[:end] + more + clip[end:])
    for place in places:
        struct.pack_into(">I", data, place, struct.unpack_from(">I", data, place)[0] + len(more))
    return bytes(data)


def edits(clip: bytes, count: int) -> bytes:
    table = box(b"edts", box(b"elst", struct.pack(">II", 0, count), struct.pack(">IIHH", 1, 0, 1, 0) * count))
    return grown(clip.replace(b"edts", b"free"), [b"moov", b"trak"], table)


def tracks(clip: bytes, count: int) -> bytes:
    start = clip.index(b"trak") - 4
    track = clip[start:start + struct.unpack_from(">I", clip, start)[0]]
    return grown(clip, [b"moov"], track * count)


def keys(clip: bytes, count: int) -> bytes:
    names = b"".join(box(b"mdta", b"%06d" % number) for number in range(count))
    values = b"".join(
        box(struct.pack(">I", number + 1), box(b"data", struct.pack(">II", 1, 0), b"x")) for number in range(count))
    handler = box(b"hdlr", struct.pack(">II4s", 0, 0, b"mdta"), bytes(13))
    meta = box(b"meta", handler, box(b"keys", struct.pack(">II", 0, count), names), box(b"ilst", values))
    return grown(clip, [b"moov"], meta)


def gif(width: int, height: int, frames: int) -> bytes:
    """Pictures that end after their first pixels."""
    frame = b"\x21\xf9\x04\0\x0a\0\0\0" + b"\x2c" + struct.pack("<HHHH", 0, 0, width, height) + b"\0\x02\x02\x4c\x01\0"
    screen = struct.pack("<HH", width, height) + b"\x80\0\0" + b"\0\0\0\xff\xff\xff"
    return b"GIF89a" + screen + frame * frames + b"\x3b"


def main() -> None:
    plain, fragmented = (Path(name).read_bytes() for name in sys.argv[1:3])
    clips = {
        "sample-sizes.mp4": changed(plain, b"stsz", 0, 1, 80_000_000),
        "run.mp4": changed(fragmented, b"trun", 0, 40_000_000),
        "edits-100000.mp4": edits(plain, 100_000),
        "edits-500000.mp4": edits(plain, 500_000),
        "tracks.mp4": tracks(plain, 1000),
        "keys.mp4": keys(plain, 200_000),
        "pictures.gif": gif(8000, 8000, 300),
    }
    for name, data in clips.items():
        Path(f"hostile-{name}").write_bytes(data)


if __name__ == "__main__":
    main()
