"""Makes a simulated Google Takeout, and checks what `livephoto link --by-name` did with it.

Usage: takeout.py make MEDIA TREE ITEMS    writes the tree, and what to expect of it to TREE.json
       takeout.py check TREE PRINTED [OUT] compares the lines of --json (and the files in OUT) with that
       takeout.py same TREE                compares all files with those that were made, also their times

MEDIA has photo-N.jpg and movie-N.mp4, unlinked, the same as linked-N.JPG and linked-N.MOV, the same photos and movies without
dates as photo-undated-N.jpg and movie-undated-N.mp4, for N from 0, and long.mp4, a movie too long for a Live Photo. Each item
gets content of its own: a date in the photo and the movie, a comment in the photo, a `free` box in the movie, and an
identifier of its own if it is linked.
"""

import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import uuid

LONG = "original_1d4caa6f-16c6-4c3d-901b-%012d_P"
# What the photos of MEDIA have.
DATE = b"2001:01:01 00:00:00"
HOUR = 3600
FROM_1904_TO_1970 = 2082844800
PLACE = {"latitude": 48.8583, "longitude": 2.2945, "altitude": 35.0}


def moment(number):
    """When an item was taken, in seconds since 1970. Items are eight hours apart and begin in 2015."""
    return 1420106400 + number * 8 * HOUR


def local(seconds, layout):
    """In the zone of the photos of MEDIA, two hours ahead of UTC."""
    return time.strftime(layout, time.gmtime(seconds + 2 * HOUR))


class Tree:
    def __init__(self, media, root):
        self.media, self.root = media, root
        self.count = len([name for name in os.listdir(media) if re.fullmatch(r"photo-\d+\.jpg", name)])
        self.groups, self.split, self.linked, self.strange, self.files = {}, [], [], [], 0
        self.dates, self.cache = {}, {}

    def source(self, name):
        if name not in self.cache:
            with open(os.path.join(self.media, name), "rb") as file:
                self.cache[name] = file.read()
        return self.cache[name]

    def content(self, kind, number, item, date):
        """A photo or a movie that no other item has. `date` is in seconds since 1970, or None."""
        base = number % self.count
        if kind == "long movie":
            content = self.source("long.mp4")
        else:
            names = {"photo": "photo-%s%d.jpg", "movie": "movie-%s%d.mp4", "linked photo": "linked-%s%d.JPG", "linked movie": "linked-%s%d.MOV"}
            content = self.source(names[kind] % ("" if date else "undated-", base))
        mark = str(item).encode()
        if kind.endswith("photo"):
            if date:
                content = content.replace(DATE, local(date, "%Y:%m:%d %H:%M:%S").encode())
            content = content[:2] + b"\xff\xfe" + struct.pack(">H", len(mark) + 2) + mark + content[2:]
        else:
            if date:
                content = self.dated(content, date)
            content += struct.pack(">I", len(mark) + 8) + b"free" + mark
        if kind.startswith("linked"):
            old = self.source("identifier-%d" % base).strip()
            content = content.replace(old, str(uuid.UUID(int=number + (1 << 100))).upper().encode())
        return content

    @staticmethod
    def dated(movie, date):
        """The movie with another creation time in its header, in UTC."""
        place = movie.rindex(b"mvhd") + 8
        old = movie[place : place + 4]
        if struct.unpack(">I", old)[0] == 0:
            raise SystemExit("takeout.py: the movie has no date")
        return movie[:place] + struct.pack(">I", date + FROM_1904_TO_1970) + movie[place + 4 :]

    def write(self, name, content):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path):
            raise SystemExit("takeout.py: %s is made twice" % path)
        with open(path, "wb") as file:
            file.write(content)
        os.utime(path, (1600000000 + self.files, 1600000000 + self.files))
        self.files += 1

    def sidecar(self, photo, date, place=None):
        folder, name = os.path.split(photo)
        title = (name + ".supplemental-metadata")[:46]
        path = os.path.join(folder, title + ".json")
        if not os.path.exists(os.path.join(self.root, path)):
            unknown = {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0}
            fields = {"title": name, "photoTakenTime": {"timestamp": str(date)}, "geoData": place or unknown}
            self.write(path, json.dumps(fields).encode())

    def pair(self, photo, movie, number, item=None, linked=False, source="file", place=None, expected="linked"):
        """`source` is where the date is: in each `file`; in a `sidecar` or the `name` of files without one; nowhere
        (`none`); or in the name, beside a sidecar that is `damaged`. `expected` is `strange` for a photo and a movie of
        different moments."""
        item = number if item is None else item
        kind = "linked " if linked else ""
        date = moment(number)
        dated = source == "file"
        is_strange = expected == "strange"
        movie_kind = "long movie" if is_strange and number % 128 != 15 else kind + "movie"
        self.write(photo, self.content(kind + "photo", number, item, date if dated else None))
        movie_date = date + 40 * HOUR if is_strange else date + 1
        self.write(movie, self.content(movie_kind, number + is_strange, item, movie_date if dated else None))
        if source == "damaged":
            self.write(photo + ".json", b"[")
        elif source not in ("name", "none"):
            self.sidecar(photo, date, place)
        names = [os.path.join(self.root, photo), os.path.join(self.root, movie)]
        if is_strange:
            self.strange.append(names)
            return
        self.dates[names[0]] = [date, source, place]
        if os.path.dirname(photo) != os.path.dirname(movie):
            self.split.append(names)
        elif linked:
            self.linked.append(names)
        else:
            self.groups.setdefault(str(item), []).append(names)

    def item(self, n):
        year, album, other = "Photos from %s" % local(moment(n), "%Y"), "Album %d" % (n % 5), "Trip %d" % (n % 3)
        name = "IMG_%04d" % n
        a, b = year + "/" + name, album + "/" + name
        kind = n % 16
        if kind in (0, 1, 2, 3):
            self.pair(a + ".JPG", a + ".MP4", n, linked=True)
        elif kind == 4:
            source = {4: "sidecar", 68: "name", 132: "damaged"}.get(n % 256, "file")
            if source in ("name", "damaged"):
                a = year + "/" + local(moment(n), "IMG_%Y%m%d_%H%M%S")
            self.pair(a + ".JPG", a + ".MP4", n, source=source, place=PLACE if source == "sidecar" else None)
        elif kind == 5:
            self.pair(a + ".JPG", a + ".JPG.MP4", n, place=PLACE)
        elif kind == 6:
            self.pair(a + ".JPG", a + ".MP4", n)
            self.pair(a + "(1).JPG", a + ".JPG(1).MP4", n, item="%d.5" % n)
        elif kind == 7:
            self.pair(year + "/PXL_%d.MP.jpg" % n, year + "/PXL_%d.MP" % n, n)
            self.pair(year + "/PXL_%d.MP~2.jpg" % n, year + "/PXL_%d.MP~2" % n, n, item="%d.5" % n)
        elif kind == 8:
            long = LONG % n
            self.pair(year + "/" + long + ".jpg", year + "/" + long + ".mp4", n)
            self.pair(album + "/" + long[:44] + ".jpg", album + "/" + long[:44] + ".j.mp4", n, item="%d.5" % n)
        elif kind == 9:
            self.pair(a + ".jpg", year + "/" + name.lower() + ".mp4", n)
            self.write(a + "-edited.jpg", self.content("photo", n, "%d edited" % n, moment(n)))
        elif kind in (10, 11):
            # Of some undated pairs, only the copy in an album has a sidecar.
            is_dated = n % 256 != 10
            self.pair(a + ".JPG", a + ".MP4", n, source="file" if is_dated else "none")
            self.pair(b + ".JPG", b + ".MP4", n, source="file" if is_dated else "sidecar")
            if kind == 11:
                self.pair(other + "/" + name + "-copy.JPG", other + "/" + name + "-copy.MP4", n)
        elif kind == 12:
            self.pair(a + ".JPG", b + ".MP4", n)
            self.write(other + "/" + name + ".JPG", self.content("photo", n, n, moment(n)))
        elif kind == 13:
            self.write(a + ".JPG", self.content("photo", n, n, moment(n)))
            self.sidecar(a + ".JPG", moment(n))
        elif kind == 14:
            self.write(a + ".MP4", self.content("movie", n, n, moment(n)))
        else:
            self.pair(a + ".JPG", a + ".MP4", n, expected="strange")
            self.write(a + "(1).MP4", self.content("movie", n, "%d.5" % n, moment(n)))


def snapshot(root):
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[path] = [hashlib.sha256(file.read()).hexdigest(), os.stat(path).st_mtime_ns]
    return found


def make(media, root, items):
    shutil.rmtree(root, ignore_errors=True)
    tree = Tree(media, root)
    for number in range(items):
        tree.item(number)
    expected = {"groups": tree.groups, "split": tree.split, "linked": tree.linked, "strange": tree.strange, "dates": tree.dates}
    with open(root + ".json", "w", encoding="utf-8") as file:
        json.dump({**expected, "files": snapshot(root)}, file)
    pairs = sum(len(group) for group in tree.groups.values()) + len(tree.split) + len(tree.linked)
    print("%d files; %d pairs, of which %d are copies and %d are linked already" % (
        tree.files, pairs, sum(len(group) - 1 for group in tree.groups.values()), len(tree.linked)))


def compare(what, found, expected):
    missing, more = sorted(expected - found)[:5], sorted(found - expected)[:5]
    if missing or more:
        raise SystemExit("%s: missing %s; not expected %s" % (what, missing, more))


def check_metadata(out, lines, dates):
    """Checks the dates and places of copies, as exiftool reads them, and their folders by year and month."""
    tags = ["-DateTimeOriginal", "-OffsetTimeOriginal", "-QuickTime:CreateDate", "-GPSLatitude", "-GPSLongitude"]
    command = ["exiftool", "-json", "-n", "-r", "-fast", "-api", "QuickTimeUTC=0"] + tags + [out]
    found = {one["SourceFile"]: one for one in json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)}
    for line in lines:
        date, source, place = dates[line["files"][0]]
        photo, movie = found[line["photo"]], found[line["movie"]]
        layout = "%Y:%m:%d %H:%M:%S"
        # Sidecars have no time zone but UTC, and names have local time of an unknown zone, which the header takes for UTC.
        taken = date - 2 * HOUR if source == "sidecar" else date
        offset, header = {"file": ["+02:00", date + 1], "sidecar": ["+00:00", date]}.get(source, [None, date + 2 * HOUR])
        expect(line["photo"], photo.get("DateTimeOriginal"), local(taken, layout))
        expect(line["photo"], photo.get("OffsetTimeOriginal"), offset)
        expect(line["movie"], movie.get("CreateDate"), time.strftime(layout, time.gmtime(header)))
        expect(line["photo"], line["photo"][len(out) + 1 :].split("/")[:2], [local(taken, "%Y"), local(taken, "%m")])
        for file in (photo, movie):
            here = [file.get("GPSLatitude"), file.get("GPSLongitude")]
            expect(file["SourceFile"], here, [place["latitude"], place["longitude"]] if place else [None, None])


def expect(name, found, wanted):
    if found != wanted:
        raise SystemExit("%s: %s was expected, not %s" % (name, wanted, found))


def check(root, printed, out):
    with open(root + ".json", encoding="utf-8") as file:
        expected = json.load(file)
    lines = [json.loads(line) for line in open(printed, encoding="utf-8")]
    done = {}
    for line in lines:
        done.setdefault(line["status"], []).append(line)
    groups = [[tuple(files) for files in group] for group in expected["groups"].values()]
    every = {files for group in groups for files in group}
    unlinked = every | {tuple(files) for files in expected["split"]} if out else every
    linked = {tuple(files) for files in expected["linked"]}

    def files(status):
        return {tuple(line["files"]) for line in done.get(status, [])}

    if out:
        compare("copied or there", files("linked") | files("copy"), unlinked | linked)
        wanted = len(groups) + len(expected["split"]) + len(linked)
        if len(done["linked"]) != wanted:
            raise SystemExit("%d pairs were copied instead of %d" % (len(done["linked"]), wanted))
        names = [path.lower() for path in snapshot(out)]
        if len(names) != 2 * wanted or len(set(names)) != len(names):
            raise SystemExit("there are %d files, of which %d differ also without case; %d were expected" % (
                len(names), len(set(names)), 2 * wanted))
        check_metadata(out, done["linked"], expected["dates"])
    else:
        compare("linked", files("linked"), unlinked)
        compare("linked already", files("linked-already"), linked)
        identifiers = {tuple(line["files"]): line["contentIdentifier"] for line in done["linked"]}
        of_group = [{identifiers[files] for files in group} for group in groups]
        if any(len(found) != 1 for found in of_group) or len(set.union(*of_group)) != len(groups):
            raise SystemExit("copies of a pair have different identifiers, or different pairs the same one")
        changed = {path for files in every for path in files}
        now = snapshot(root)
        touched = {path for path, facts in expected["files"].items() if now.get(path) != facts}
        # The movie keeps its time, but not its content.
        compare("changed", touched, changed)
        compare("files", {path for path in now if ".livephoto-undo" not in path}, set(expected["files"]))
    compare("not alike", files("not-alike"), {tuple(files) for files in expected["strange"]})
    if "failed" in done:
        raise SystemExit("failed: %s" % done["failed"][0])


def same(root):
    with open(root + ".json", encoding="utf-8") as file:
        expected = json.load(file)["files"]
    now = snapshot(root)
    compare("files", set(now), set(expected))
    compare("changed", {path for path in now if now[path] != expected[path]}, set())


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "make":
        make(arguments[0], arguments[1], int(arguments[2]))
    elif command == "check":
        check(arguments[0], arguments[1], arguments[2] if len(arguments) > 2 else None)
    else:
        same(arguments[0])
