"""Feeds long runs of joining characters into each text field of each format that livephoto reads, and runs the commands that
read it: hostile_text.py PROGRAM [--only WORDS] [--count N] [--seconds S] [--mebibytes M]. Needs pair.JPG, pair.MOV and plain.mp4 in
the current folder."""

import argparse
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from hostile_files import (
    EXIF, archive, exif, handler, itunes, jpeg, maker_note, metadata, motion, packet, replaced, segment, timed_metadata,
    user_data, xmp)

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


def utf16(kind: str, scalars: int) -> bytes:
    return text(kind, scalars, 1 << 24).replace(b"\0", b"").decode(errors="replace").encode("utf-16-le", "replace")


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
    ["frames", "a.mov"], ["edit", *BOTH, "--no-audio", *OUT],
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
            "XMP name": xmp(photo, packet(b'G:%s="1"' % text(kind, 500, 200).replace(b"\0", b""))),
            "XMP short name space": xmp(photo, packet(
                b"".join(b'xmlns:p%d="%s%d" p%d:a="1" ' % (n, text(kind, 500, 1000).replace(b"\0", b""), n, n)
                         for n in range(2)))),
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


@dataclass(frozen=True)
class Outcome:
    name: str
    seconds: float
    # Of the largest process.
    kibibytes: int
    # 124 if it was stopped.
    status: int
    said: bytes

    def exceeds(self, limits: argparse.Namespace) -> bool:
        # 70 is an internal error; above 128, a signal ended it.
        return (self.seconds > limits.seconds or self.kibibytes > limits.mebibytes << 10 or len(self.said) > 1 << 20
                or self.status in (70, 124) or self.status > 128)


def run(name: str, arguments: list[str], files: dict[str, bytes], limits: argparse.Namespace) -> Outcome:
    """Runs a command in a folder of these files alone."""
    with tempfile.TemporaryDirectory(dir=".") as work:
        folder, figures = Path(work, "case").absolute(), Path(work, "figures").absolute()
        folder.mkdir()
        for path, data in files.items():
            Path(folder, path).write_bytes(data)
        words = [next(iter(files)) if word == "ARCHIVE" else word for word in arguments]
        start = time.monotonic()
        process = subprocess.Popen(
            ["/usr/bin/time", "--format", "%e %M", "--output", str(figures), limits.program, *words], cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            said, _ = process.communicate(timeout=limits.stop)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Outcome(name, time.monotonic() - start, 0, 124, b"")
        # A line about the status may come first.
        seconds, kibibytes = figures.read_text().splitlines()[-1].split()
    return Outcome(name, float(seconds), int(kibibytes), process.returncode, said)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="fields, texts and commands that contain this")
    parser.add_argument("--every", type=int, default=1, help="one of so many runs")
    parser.add_argument("--count", type=int, default=100_000, help="scalars of a text")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--mebibytes", type=int, default=200)
    parser.add_argument("--stop", type=float, default=20, help="seconds after which a command is stopped")
    options = parser.parse_args()
    photo, movie, clip = (Path(name).read_bytes() for name in ("pair.JPG", "pair.MOV", "plain.mp4"))
    sweep = Sweep(photo, movie, clip, options.count)
    results, failed, count = [], 0, 0
    with ThreadPoolExecutor(max_workers=min(len(os.sched_getaffinity(0)), 4)) as pool:
        for kind in TEXTS:
            for field, files, commands in sweep.cases(kind):
                names = [(f"{field}, {kind}, {' '.join(arguments)}", arguments) for arguments in commands]
                names = [pair for pair in names if options.only in pair[0]]
                # Those of each field are others, as their number is no multiple of the step.
                chosen = [pair for number, pair in enumerate(names, count) if number % options.every == 0]
                count += len(names)
                for outcome in pool.map(lambda pair: run(*pair, files, options), chosen):
                    results.append(outcome)
                    if outcome.exceeds(options):
                        failed += 1
                        print(
                            f"{outcome.name}: {outcome.seconds:.2f} s, {outcome.kibibytes >> 10} MiB, status "
                            f"{outcome.status}, {len(outcome.said)} bytes: {outcome.said[:120]!r}", flush=True)
    for title, key in (("slowest", lambda r: -r.seconds), ("largest", lambda r: -r.kibibytes)):
        print(f"The {title}:")
        for outcome in sorted(results, key=key)[:8]:
            print(f"{outcome.seconds:8.2f} s {outcome.kibibytes >> 10:5} MiB  {outcome.name}")
    print(f"{len(results)} runs, {failed} beyond {options.seconds} s or {options.mebibytes} MiB, or failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
