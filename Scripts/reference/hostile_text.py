"""Feeds long runs of joining characters into each text field of each format that livephoto reads, and runs the commands that
read it: hostile_text.py PROGRAM [--only WORDS] [--count N] [--seconds S] [--mebibytes M]. Needs pair.JPG, pair.MOV and plain.mp4 in
the current folder."""

import argparse
import hashlib
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

TEXTS = {
    "marks": "\u0301",
    "orders": "\u0301\u0323",  # marks that normalization sorts
    "flags": "\U0001F1E6",
    "joiners": "\u200d",
    "families": "\U0001F469\u200d",
    "jamo": "\u1100",
    "prepended": "\u0600",
    "directions": "\u202e",
    "invalid": b"\xf0\x9f\x80",
    "zeros": b"a\0",
}


def text(kind: str, scalars: int, limit: int) -> bytes:
    unit = TEXTS[kind]
    unit = unit if isinstance(unit, bytes) else unit.encode()
    return b"a" + unit * min(scalars, (limit - 1) // len(unit))


# MARK: Boxes


def box(kind: bytes, *parts: bytes) -> bytes:
    payload = b"".join(parts)
    return struct.pack(">I", 8 + len(payload)) + kind + payload


def children(data: bytes, start: int, end: int) -> list[tuple[bytes, int, int]]:
    found = []
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        size = size or end - start
        found.append((kind, start, start + size))
        start += size
    return found


def find(data: bytes, *path: bytes) -> list[tuple[int, int]]:
    """The ranges of nested boxes, the outermost first."""
    start, end, places = 0, len(data), []
    for kind in path:
        start, end = next((s, e) for k, s, e in children(data, start, end) if k == kind)
        places.append((start, end))
        start += 8
    return places


def replaced(data: bytes, path: list[bytes], new: bytes | None, added: bytes = b"") -> bytes:
    """The file with another box, or with bytes after it. `moov` must be the last box."""
    places = find(data, *path)
    start, end = places[-1]
    new = data[start:end] if new is None else new
    difference = len(new) + len(added) - (end - start)
    result = bytearray(data[:start] + new + added + data[end:])
    for place, _ in places[:-1]:
        struct.pack_into(">I", result, place, struct.unpack_from(">I", result, place)[0] + difference)
    return bytes(result)


def metadata(*items: tuple[bytes, bytes]) -> bytes:
    names = b"".join(box(b"mdta", name) for name, _ in items)
    values = b"".join(
        box(struct.pack(">I", number), box(b"data", struct.pack(">II", 1, 0), value))
        for number, (_, value) in enumerate(items, 1))
    handler = box(b"hdlr", struct.pack(">II4s", 0, 0, b"mdta"), bytes(13))
    return box(b"meta", handler, box(b"keys", struct.pack(">II", 0, len(items)), names), box(b"ilst", values))


def user_data(kind: bytes, value: bytes) -> bytes:
    return box(b"udta", box(kind, struct.pack(">HH", len(value), 0), value))


def itunes(mean: bytes, name: bytes, value: bytes) -> bytes:
    item = box(
        b"----", box(b"mean", bytes(4), mean), box(b"name", bytes(4), name),
        box(b"data", struct.pack(">II", 1, 0), value))
    handler = box(b"hdlr", bytes(8), b"mdir", bytes(13))
    return box(b"udta", box(b"meta", bytes(4), handler, box(b"ilst", item)))


def timed_metadata(movie: bytes, name: bytes, kind: bytes) -> bytes:
    """Another key of the timed metadata track."""
    tracks = [(s, e) for k, s, e in children(movie, find(movie, b"moov")[0][0] + 8, find(movie, b"moov")[0][1])]
    place = movie.index(b"mebx") - 4
    size = struct.unpack_from(">I", movie, place)[0]
    keys = movie.index(b"keys", place) - 4
    key = box(struct.pack(">I", 77), box(b"keyd", b"mdta", name), box(b"dtyp", struct.pack(">I", 1), kind))
    end = keys + struct.unpack_from(">I", movie, keys)[0]
    result = bytearray(movie[:end] + key + movie[end:])
    around = [keys, place]
    track = next(s for s, e in tracks if s < place < e)
    around += [s for s, _ in find_at(movie, track, b"mdia", b"minf", b"stbl", b"stsd")] + [track]
    around.append(find(movie, b"moov")[0][0])
    for start in around:
        struct.pack_into(">I", result, start, struct.unpack_from(">I", result, start)[0] + len(key))
    assert size > 0
    return bytes(result)


def find_at(data: bytes, start: int, *path: bytes) -> list[tuple[int, int]]:
    end = start + struct.unpack_from(">I", data, start)[0]
    places = []
    for kind in path:
        start, end = next((s, e) for k, s, e in children(data, start + 8, end) if k == kind)
        places.append((start, end))
    return places


def handler(movie: bytes, name: bytes, subtype: bytes = b"vide") -> bytes:
    start = find_at(movie, find(movie, b"moov", b"trak")[-1][0], b"mdia", b"hdlr")[-1][0]
    new = box(b"hdlr", bytes(8), subtype, bytes(12), name + b"\0")
    old = struct.unpack_from(">I", movie, start)[0]
    result = bytearray(movie[:start] + new + movie[start + old:])
    for place, _ in find(movie, b"moov", b"trak", b"mdia"):
        struct.pack_into(">I", result, place, struct.unpack_from(">I", result, place)[0] + len(new) - old)
    return bytes(result)


# MARK: Photos


def exif(fields: dict[int, bytes], note: bytes | None = None) -> bytes:
    """A TIFF with fields of text in IFD0 (below 0x8000) and the Exif IFD, and a MakerNote."""
    def directory(entries: list[tuple[int, int, bytes]], start: int) -> bytes:
        data_start = start + 2 + 12 * len(entries) + 4
        head, data = struct.pack(">H", len(entries)), b""
        for tag, kind, value in sorted(entries):
            count = len(value) if kind != 4 else 1
            if len(value) <= 4:
                head += struct.pack(">HHI", tag, kind, count) + value.ljust(4, b"\0")
            else:
                head += struct.pack(">HHII", tag, kind, count, data_start + len(data))
                data += value + bytes(len(value) % 2)
        return head + bytes(4) + data

    image = [(tag, 2, value + b"\0") for tag, value in fields.items() if tag < 0x8000]
    own = [(tag, 2, value + b"\0") for tag, value in fields.items() if tag >= 0x8000]
    if note is not None:
        own.append((0x927C, 7, note))
    first = directory(image + [(0x8769, 4, bytes(4))], 8)
    place = 8 + len(first)
    first = directory(image + [(0x8769, 4, struct.pack(">I", place))], 8)
    return b"MM\0*" + struct.pack(">I", 8) + first + directory(own, place)


def maker_note(identifier: bytes) -> bytes:
    value = identifier + b"\0"
    return b"Apple iOS\0\0\x01MM" + struct.pack(">HHHII", 1, 17, 2, len(value), 14 + 2 + 12 + 4) + bytes(4) + value


def segment(marker: int, payload: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def jpeg(photo: bytes, *segments: bytes, keeping: bool = False) -> bytes:
    """The photo with other segments at its start, without its own APP1 unless kept."""
    place, rest = 2, b""
    while photo[place + 1] != 0xDA:
        size = 2 + struct.unpack_from(">H", photo, place + 2)[0]
        if keeping or photo[place + 1] != 0xE1:
            rest += photo[place:place + size]
        place += size
    return photo[:2] + b"".join(segments) + rest + photo[place:]


EXIF = b"Exif\0\0"
XMP = b"http://ns.adobe.com/xap/1.0/\0"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
CAMERA = "http://ns.google.com/photos/1.0/camera/"
CONTAINER = "http://ns.google.com/photos/1.0/container/"


def packet(attributes: bytes, content: bytes = b"") -> bytes:
    return (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="' + RDF.encode() + b'"><rdf:Description rdf:about=""'
        + b' xmlns:G="' + CAMERA.encode() + b'" xmlns:C="' + CONTAINER.encode() + b'" xmlns:I="' + CONTAINER.encode()
        + b'item/" ' + attributes + b">" + content + b"</rdf:Description></rdf:RDF></x:xmpmeta>")


def xmp(photo: bytes, data: bytes) -> bytes:
    """The photo with XMP, in several segments where one is too small."""
    if len(data) < 65_000:
        return jpeg(photo, segment(0xE1, XMP + data), keeping=True)
    name = hashlib.md5(data).hexdigest().upper().encode()
    note = packet(b'xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="' + name + b'"')
    parts = [
        segment(
            0xE1, b"http://ns.adobe.com/xmp/extension/\0" + name + struct.pack(">II", len(data), start)
            + data[start:start + 60_000]) for start in range(0, len(data), 60_000)
    ]
    return jpeg(photo, segment(0xE1, XMP + note), *parts, keeping=True)


def directory(mime: bytes, semantic: bytes, length: int) -> bytes:
    def item(mime: bytes, semantic: bytes, length: int) -> bytes:
        return (
            b'<rdf:li rdf:parseType="Resource"><C:Item I:Mime="' + mime + b'" I:Semantic="' + semantic
            + b'" I:Length="%d"/></rdf:li>' % length)

    items = item(b"image/jpeg", b"Primary", 0) + item(mime, semantic, 0) + item(b"video/mp4", b"MotionPhoto", length)
    return b"<C:Directory><rdf:Seq>" + items + b"</rdf:Seq></C:Directory>"


# MARK: Archives


def archive(entries: list[tuple[bytes, bytes]], comment: bytes = b"") -> bytes:
    data, listing = b"", b""
    for name, content in entries:
        header = struct.pack(
            "<HHHIIIIHH", 20, 0x800, 0, 0x210000, zlib.crc32(content), len(content), len(content), len(name), 0)
        listing += b"PK\1\2\x14\0" + header + bytes(10) + struct.pack("<I", len(data)) + name
        data += b"PK\3\4" + header + name + content
    end = struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), len(listing), len(data), len(comment))
    return data + listing + b"PK\5\6" + end + comment


# MARK: Cases


class Sweep:
    def __init__(self, photo: bytes, movie: bytes, clip: bytes, scalars: int):
        self.photo, self.movie, self.clip, self.scalars = photo, movie, clip, scalars

    def cases(self, kind: str):
        """Name of the field, the files of a folder, and the commands that read them."""
        long, short, segment_ = (text(kind, self.scalars, limit) for limit in (1 << 24, 65_000, 60_000))
        long_value = long.replace(b"\0", b"")
        escaped = "".join(f"\\u{unit:04x}" for (unit,) in struct.iter_unpack("<H", utf16(kind, self.scalars)))
        quarter = text(kind, self.scalars // 4, 1 << 20).replace(b"\0", b"")
        photo, movie = self.photo, self.movie
        photos = {
            "XMP name space": xmp(photo, packet(
                b"".join(b'xmlns:p%d="%s%d" p%d:a="1" ' % (n, quarter, n, n) for n in range(4)))),
            "XMP prefix": xmp(photo, packet(b'xmlns:%s="u:v" ' % text(kind, 500, 60).replace(b"\0", b""))),
            "XMP value": xmp(photo, packet(b'G:MotionPhoto="%s"' % long_value)),
            "XMP text": xmp(photo, packet(b"", b"<G:MotionPhoto>" + long_value + b"</G:MotionPhoto>")),
            "XMP number": xmp(photo, packet(
                b'G:MotionPhoto="1" G:MotionPhotoVersion="1" G:MotionPhotoPresentationTimestampUs="%s"' % long_value)),
            "Mime": motion(photo, movie, long_value, b"Other"),
            "Semantic": motion(photo, movie, b"image/jpeg", long_value),
            "moved identifier": motion(photo, movie, b"image/jpeg", b"Other", long_value),
            "Exif Make": jpeg(photo, segment(0xE1, EXIF + exif({271: segment_}))),
            "Exif date": jpeg(photo, segment(0xE1, EXIF + exif({306: segment_[:30_000], 0x9003: segment_[:30_000]}))),
            "Exif zone": jpeg(photo, segment(0xE1, EXIF + exif({0x9003: b"2020:01:01 10:00:00", 0x9011: segment_}))),
            "photo identifier": jpeg(photo, segment(0xE1, EXIF + exif({}, maker_note(segment_)))),
        }
        for field, data in photos.items():
            yield field, {"a.jpg": data, "a.mov": movie}, PHOTO
        keys = [b"moov", b"meta"]
        apple = b"com.apple.quicktime."
        movies = {
            "movie identifier": replaced(movie, keys, metadata((apple + b"content.identifier", long))),
            "key": replaced(movie, keys, metadata((long, b"1"), (long + b"2", b"2"))),
            "value": replaced(movie, keys, metadata((apple + b"title", long))),
            "location": replaced(movie, keys, metadata((apple + b"location.ISO6709", b"+35.7143+139.7963" + long))),
            "creation date": replaced(movie, keys, metadata((apple + b"creationdate", long))),
            "UTF-16": replaced(movie, keys, metadata((apple + b"make", long), (apple + b"model", long))),
            "user data": replaced(movie, keys, None, user_data(b"\xa9xyz", short)),
            "user date": replaced(movie, keys, None, user_data(b"\xa9day", short)),
            "iTunes name": replaced(movie, keys, None, itunes(long, long, long)),
            "handler name": handler(movie, long),
            "handler name of a stripped track": handler(movie, long, b"data"),
            "timed key": timed_metadata(movie, long, b"com.apple.metadata.datatype.UTF-8"),
            "timed type": timed_metadata(movie, b"a", long),
        }
        for field, data in movies.items():
            yield field, {"a.jpg": photo, "a.mov": data}, MOVIE
        entry = text(kind, self.scalars, 65_500)
        yield "zip name", {"a.livp": archive([(entry + b".jpg", photo), (entry + b".mov", movie)])}, ARCHIVE
        yield "zip folder", {"a.zip": archive(
            [(entry[:30_000] + b"/a.jpg", photo), (entry[:30_000] + b"/a.mov", movie)])}, ARCHIVE
        yield "zip names", {"a.zip": archive([(entry + b"%d.jpg" % n, b"") for n in range(40)])}, ARCHIVE
        yield "zip comment", {"a.livp": archive([(b"a.jpg", photo), (b"a.mov", movie)], entry)}, ARCHIVE
        pair = {"a.jpg": jpeg(photo), "a.mov": self.clip}
        title = long.replace(b"\0", b"")
        moment = b'"photoTakenTime": {"timestamp": "1700000000"}'
        sidecars = {
            "title": b'{"title": "%s", %s}' % (title, moment),
            "title with stops": b'{"title": "%s", %s}' % (b".".join([title[:2000]] * 50), moment),
            "escaped title": b'{"title": "%s", %s}' % (escaped.encode(), moment),
            "member": b'{"%s": 1, "%sb": 2, "title": "a.jpg", %s}' % (title, title, moment),
            "escaped member": b'{"%s": 1, "%sb": 2, %s}' % (escaped.encode(), escaped.encode(), moment),
            "members": b'{"title": "a.jpg", %s, %s}' % (
                b", ".join(b'"%s%d": 1' % (title[:100].decode(errors="ignore").encode(), n) for n in range(6000)), moment),
            "time": b'{"title": "a.jpg", "photoTakenTime": {"timestamp": "%s"}}' % title,
        }
        for field, data in sidecars.items():
            yield "sidecar's " + field, pair | {
                "a.jpg.json": data, "a.mov.json": data, "a.mp4.json": data, "a.mp4": self.clip}, SIDECAR
        names = {}
        for number in range(50):
            stem = text(kind, 1000, 200).replace(b"\0", b"") + b"%d" % number
            names[os.fsdecode(stem + b".jpg")] = pair["a.jpg"]
            names[os.fsdecode(stem + b"(1).mov")] = self.clip
        yield "file names", names, NAMES
        for field, tags in {
            "clip title": [(apple + b"title", long), (apple + b"artist", long)],
            "clip place": [(apple + b"location.ISO6709", long)],
            "clip make": [(apple + b"make", long), (apple + b"model", long)],
            "clip tag": [(long, b"1"), (long + b"x", b"2")],
        }.items():
            yield field, {"a.mov": replaced(movie, keys, metadata(*tags))}, CLIP


def utf16(kind: str, scalars: int) -> bytes:
    return text(kind, scalars, 1 << 24).replace(b"\0", b"").decode(errors="replace").encode("utf-16-le", "replace")


def motion(photo: bytes, movie: bytes, mime: bytes, semantic: bytes, identifier: bytes = b"") -> bytes:
    own = b'xmlns:L="urn:x-livephoto:1.0/" L:AppleContentIdentifier="%s" ' % identifier
    properties = b'G:MotionPhoto="1" G:MotionPhotoVersion="1" G:MotionPhotoPresentationTimestampUs="500000" '
    described = packet(own + properties, directory(mime, semantic, len(movie)))
    return xmp(jpeg(photo), described) + movie


BOTH = ["a.jpg", "a.mov"]
OUT = ["-o", "out"]
PHOTO = [
    ["inspect", "a.jpg"], ["inspect", "--json", "a.jpg"], ["verify", "a.jpg"], ["verify", *BOTH], ["verify", "."],
    ["extract", "a.jpg", *OUT], ["link", *BOTH, *OUT], ["link", "--by-name", ".", *OUT], ["preview", ".", *OUT],
    ["pack", "--as", "livp", *BOTH, *OUT], ["pack", "--as", "motion-photo", *BOTH, *OUT],
    ["convert", "a.mov", "--photo", "a.jpg", *OUT],
]
MOVIE = [
    ["inspect", "a.mov"], ["inspect", "--json", "a.mov"], ["inspect", "--boxes", "a.mov"], ["verify", *BOTH],
    ["verify", "."], ["link", *BOTH, *OUT], ["link", "--by-name", ".", *OUT], ["preview", ".", *OUT],
    ["pack", "--as", "pvt", *BOTH, *OUT], ["pack", "--as", "motion-photo", *BOTH, *OUT], ["convert", "a.mov", *OUT],
    ["frames", "a.mov"], ["edit", *BOTH, "--mute", *OUT],
]
ARCHIVE = [
    ["inspect", "ARCHIVE"], ["inspect", "--json", "ARCHIVE"], ["verify", "ARCHIVE"], ["extract", "ARCHIVE", *OUT],
    ["extract", ".", *OUT], ["preview", "ARCHIVE", *OUT],
]
SIDECAR = [
    ["link", *BOTH, *OUT], ["link", "--by-name", ".", *OUT], ["convert", "a.mp4", *OUT],
    ["convert", "a.mp4", *OUT, "--dry-run"],
]
NAMES = [["link", "--by-name", ".", *OUT, "--dry-run"], ["verify", "."], ["extract", ".", *OUT], ["preview", ".", *OUT]]
CLIP = [["convert", "a.mov", *OUT], ["convert", "a.mov", *OUT, "--dry-run"], ["frames", "a.mov"], ["inspect", "a.mov"]]


def run(program: str, arguments: list[str], stop: float) -> tuple[float, int, int, bytes]:
    """Seconds, the KiB of the largest process, the status (124 if it was stopped), and what it said."""
    figures = Path("../figures")
    start = time.monotonic()
    process = subprocess.Popen(
        ["/usr/bin/time", "--format", "%e %M", "--output", str(figures), program, *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True)
    try:
        said, _ = process.communicate(timeout=stop)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return time.monotonic() - start, 0, 124, b""
    # A line about the status may come first.
    seconds, kibibytes = figures.read_text().splitlines()[-1].split()
    return float(seconds), int(kibibytes), process.returncode, said


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="fields, texts and commands that contain this")
    parser.add_argument("--count", type=int, default=100_000, help="scalars of a text")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--mebibytes", type=int, default=200)
    parser.add_argument("--stop", type=float, default=20, help="seconds after which a command is stopped")
    options = parser.parse_args()
    photo, movie, clip = (Path(name).read_bytes() for name in ("pair.JPG", "pair.MOV", "plain.mp4"))
    sweep = Sweep(photo, movie, clip, options.count)
    results, failed = [], 0
    for kind in TEXTS:
        for field, files, commands in sweep.cases(kind):
            for arguments in commands:
                name = f"{field}, {kind}, {' '.join(arguments)}"
                if options.only not in name:
                    continue
                shutil.rmtree("case", ignore_errors=True)
                os.mkdir("case")
                for path, data in files.items():
                    Path("case", path).write_bytes(data)
                os.chdir("case")
                words = [next(iter(files)) if word == "ARCHIVE" else word for word in arguments]
                seconds, peak, status, said = run(options.program, words, options.stop)
                os.chdir("..")
                results.append((seconds, peak, name))
                # 70 is an internal error; above 128, a signal ended it.
                costs = seconds > options.seconds or peak > options.mebibytes << 10 or len(said) > 1 << 20
                if costs or status in (70, 124) or status > 128:
                    failed += 1
                    print(
                        f"{name}: {seconds:.2f} s, {peak >> 10} MiB, status {status}, {len(said)} bytes: {said[:120]!r}",
                        flush=True)
    for title, key in (("slowest", lambda r: -r[0]), ("largest", lambda r: -r[1])):
        print(f"The {title}:")
        for seconds, peak, name in sorted(results, key=key)[:8]:
            print(f"{seconds:8.2f} s {peak >> 10:5} MiB  {name}")
    print(f"{len(results)} runs, {failed} beyond {options.seconds} s or {options.mebibytes} MiB, or failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
