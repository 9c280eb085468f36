"""Photos, movies and archives that contain a given text in one of their fields."""

import hashlib
import struct
import zlib


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


def motion(photo: bytes, movie: bytes, mime: bytes, semantic: bytes, identifier: bytes = b"") -> bytes:
    own = b'xmlns:L="urn:x-livephoto:1.0/" L:AppleContentIdentifier="%s" ' % identifier
    properties = b'G:MotionPhoto="1" G:MotionPhotoVersion="1" G:MotionPhotoPresentationTimestampUs="500000" '
    described = packet(own + properties, directory(mime, semantic, len(movie)))
    return xmp(jpeg(photo), described) + movie
