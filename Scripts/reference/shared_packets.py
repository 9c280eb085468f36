"""Makes clips of which several frames of sound share a packet, as phones write them and ffmpeg's muxers do not."""

import random
import struct
from collections.abc import Callable
from pathlib import Path

# By codec: the first bytes of a file, the first byte of a frame of the highest bit rate, and the size of that frame
# (RFC 4867, 5.1 and 5.3).
SPEECH = {"amr_nb": (b"#!AMR\n", 0x3C, 32), "amr_wb": (b"#!AMR-WB\n", 0x44, 61)}
FRAME_MILLISECONDS = 20

Box = tuple[bytes, bytes]


def write_speech(codec: str, path: Path, seconds: float) -> None:
    """Writes speech that no encoder is needed for: any bits decode to some sound, loud or not."""
    magic, first, size = SPEECH[codec]
    chance = random.Random(codec)
    frames = (bytes([first]) + chance.randbytes(size - 1) for _ in range(round(seconds * 1000 / FRAME_MILLISECONDS)))
    path.write_bytes(magic + b"".join(frames))


def boxes(data: bytes) -> list[Box]:
    """The boxes that data consists of: types and contents."""
    found, at = [], 0
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        start = at + 8
        if size == 1:
            size, start = struct.unpack_from(">Q", data, start)[0], at + 16
        size = size or len(data) - at
        found.append((kind, data[start:at + size]))
        at += size
    return found


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, kind) + content


def replaced(data: bytes, kinds: list[bytes], change: Callable[[bytes], bytes]) -> bytes:
    """Boxes, with changed contents of those at a path of types."""
    return b"".join(
        box(kind, content if kind != kinds[0] else replaced(content, kinds[1:], change) if kinds[1:] else change(content))
        for kind, content in boxes(data))


def table(content: bytes, form: str, start: int = 8) -> list[tuple[int, ...]]:
    """The entries of a box with a version, flags and their number before them."""
    count = struct.unpack_from(">I", content, start - 4)[0]
    return list(struct.iter_unpack(form, content[start:start + count * struct.calcsize(form)]))


def samples(file: bytes, parts: dict[bytes, bytes]) -> list[bytes]:
    """A track's samples (ISO/IEC 14496-12, 8.7)."""
    size, count = struct.unpack_from(">II", parts[b"stsz"], 4)
    sizes = [size] * count if size else [entry[0] for entry in table(parts[b"stsz"], ">I", 12)]
    offsets = [entry[0] for entry in (table(parts[b"co64"], ">Q") if b"co64" in parts else table(parts[b"stco"], ">I"))]
    runs = table(parts[b"stsc"], ">III")
    found: list[bytes] = []
    for number, offset in enumerate(offsets, 1):
        for _ in range([run[1] for run in runs if run[0] <= number][-1]):
            found.append(file[offset:offset + sizes[len(found)]])
            offset += len(found[-1])
    return found


def merged(stbl: bytes, file: bytes, frames: int) -> tuple[bytes, bytes]:
    """A sample table in which samples are joined, and their data; its only chunk's offset is zero."""
    parts = dict(boxes(stbl))
    each = samples(file, parts)
    durations = [duration for count, duration in table(parts[b"stts"], ">II") for _ in range(count)]
    groups = range(0, len(each), frames)
    joined = [b"".join(each[first:first + frames]) for first in groups]
    times = [sum(durations[first:first + frames]) for first in groups]
    new = box(b"stsd", parts[b"stsd"])
    new += box(b"stts", struct.pack(">II", 0, len(times)) + b"".join(struct.pack(">II", 1, time) for time in times))
    new += box(b"stsc", struct.pack(">IIIII", 0, 1, 1, len(joined), 1))
    new += box(b"stsz", struct.pack(">III", 0, 0, len(joined)) + b"".join(
        struct.pack(">I", len(sample)) for sample in joined))
    return new + box(b"stco", struct.pack(">III", 0, 1, 0)), b"".join(joined)


def share_packets(source: Path, result: Path, frames: int) -> None:
    """Copies a QuickTime movie, MP4 or 3GP, and joins so many frames of its sound in each packet."""
    file = source.read_bytes()
    data = b""

    def change_track(track: bytes) -> bytes:
        nonlocal data
        handler = dict(boxes(dict(boxes(track))[b"mdia"]))[b"hdlr"]
        if handler[8:12] != b"soun":
            return track

        def change_table(stbl: bytes) -> bytes:
            nonlocal data
            new, data = merged(stbl, file, frames)
            # The sound follows the rest of the file and the header of its own box.
            at = new.rindex(b"stco") + 12
            return new[:at] + struct.pack(">I", place + 8) + new[at + 4:]

        return replaced(track, [b"mdia", b"minf", b"stbl"], change_table)

    # Only if the movie box is the last one, the offsets of other tracks stay true.
    kind, content = boxes(file)[-1]
    if kind != b"moov":
        raise ValueError(f"{source}: its movie box is not the last one")
    place = len(file) - len(content) - 8
    movie = replaced(box(kind, content), [b"moov", b"trak"], change_track)
    result.write_bytes(file[:place] + box(b"mdat", data) + movie)
