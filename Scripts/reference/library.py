"""Makes simulated exports, and checks the library that `livephoto import` made of one.

Usage: library.py make MEDIA TREE ITEMS        writes the tree, and what to expect of it to TREE.json
       library.py check TREE LIBRARY PRINTED   compares the files of the library, and the lines of --json, with that

MEDIA is that of takeout.py, and has motion photos as motion-MAKER-N.jpg for six makers, clip.avi and picture.png.
"""

import hashlib
import json
import os
import struct
import subprocess
import sys
import time

from takeout import DATE, HOUR, LONG, PLACE, Tree, expect, local, moment

MAKERS = ["google", "samsung", "xiaomi", "oppo", "vivo", "huawei"]
KINDS = 20


class Library(Tree):
    def __init__(self, media, root):
        super().__init__(media, root)
        self.photos, self.copied, self.doubts = {}, {}, []

    def live(self, item, date, place=None, source="file"):
        self.photos[str(item)] = {"live": True, "date": date, "place": place, "source": source}

    def file(self, path, date):
        """A file that is copied byte for byte into the folder of a date."""
        with open(os.path.join(self.root, path), "rb") as file:
            self.copied[hashlib.sha256(file.read()).hexdigest()] = date

    def doubt(self, *names):
        self.doubts.append(sorted(os.path.join(self.root, name) for name in names))

    def write_pair(self, photo, movie, number, item=None, linked=False):
        item = number if item is None else item
        kind = "linked " if linked else ""
        self.write(photo, self.content(kind + "photo", number, item, moment(number)))
        self.write(movie, self.content(kind + "movie", number, item, moment(number) + 1))

    def photo(self, name, number, item, dated=True):
        self.write(name, self.content("photo", number, item, moment(number) if dated else None))

    def motion(self, maker, number):
        content = self.source("motion-%s-%d.jpg" % (maker, number % self.count))
        content = self.dated(content.replace(DATE, local(moment(number), "%Y:%m:%d %H:%M:%S").encode()), moment(number) + 1)
        mark = str(number).encode()
        return content[:2] + b"\xff\xfe" + struct.pack(">H", len(mark) + 2) + mark + content[2:]

    def item(self, n):
        date = moment(n)
        year, album, other = "Photos from %s" % local(date, "%Y"), "Album %d" % (n % 5), "Trip %d" % (n % 3)
        name = "IMG_%04d" % n
        a, b = year + "/" + name, album + "/" + name
        kind = n % KINDS
        if kind < 4:
            self.write_pair(a + ".JPG", a + ".MP4", n, linked=True)
            self.live(n, date)
            if kind == 3:
                # The album has the photo alone.
                self.write(b + ".JPG", self.content("linked photo", n, n, date))
        elif kind == 4:
            self.write_pair(a + ".JPG", a + ".JPG.MP4", n)
            self.live(n, date)
        elif kind == 5:
            self.write_pair(a + ".JPG", a + ".MP4", n)
            self.write_pair(a + "(1).JPG", a + ".JPG(1).MP4", n, item="%d.5" % n)
            self.live(n, date)
            self.live("%d.5" % n, date)
        elif kind < 12:
            maker = MAKERS[kind - 6]
            photo = year + ("/PXL_%d.MP.jpg" if maker == "google" else "/%d.jpg") % n
            self.write(photo, self.motion(maker, n))
            self.live(n, date)
            if maker == "samsung":
                self.write(other + "/%d.jpg" % n, self.motion(maker, n))
        elif kind == 12:
            self.write_pair(a + ".JPG", a + ".MP4", n)
            self.write_pair(b + ".JPG", b + ".MP4", n)
            self.write_pair(other + "/" + name + "-copy.JPG", other + "/" + name + "-copy.MP4", n)
            self.live(n, date)
        elif kind == 13:
            self.write_pair(a + ".JPG", b + ".MP4", n)
            self.live(n, date)
        elif kind == 14:
            long = LONG % n
            self.write_pair(year + "/" + long + ".jpg", year + "/" + long + ".mp4", n)
            self.write_pair(album + "/" + long[:44] + ".jpg", album + "/" + long[:44] + ".j.mp4", n, item="%d.5" % n)
            self.live(n, date)
            self.live("%d.5" % n, date)
        elif kind == 15:
            self.photo(a + ".JPG", n, n)
            self.write(a + ".AVI", self.source("clip.avi") + b"JUNK" + struct.pack("<I", 8) + b"%08d" % n)
            self.photos[str(n)] = {"live": False, "date": date, "place": None, "source": "file"}
            self.file(a + ".AVI", local(date, "%Y/%m"))
            self.doubt(a + ".JPG", a + ".AVI")
        elif kind == 16:
            self.photo(a + ".jpg", n, n, dated=False)
            self.sidecar(a + ".jpg", date, PLACE)
            self.photo(b + ".jpg", n, n, dated=False)
            self.photos[str(n)] = {"live": False, "date": date, "place": PLACE, "source": "sidecar"}
        elif kind == 17:
            self.write(a + ".MP4", self.content("movie", n, n, date))
            self.file(a + ".MP4", time.strftime("%Y/%m", time.gmtime(date)))
            self.write(b + "-copy.MP4", self.content("movie", n, n, date))
        elif kind == 18:
            self.photo(a + ".jpg", n, n)
            self.photo(a + "-edited.jpg", n, "%d edited" % n)
            for item in (str(n), "%d edited" % n):
                self.photos[item] = {"live": False, "date": date, "place": None, "source": "file"}
        elif n % (2 * KINDS) == kind:
            self.write(a + ".PNG", self.source("picture.png") + b"%08d" % n)
            self.file(a + ".PNG", "undated")
            self.doubt(a + ".PNG")
            self.write(album + "/notes %d.txt" % n, b"%d" % n)
            self.doubt(album + "/notes %d.txt" % n)
        else:
            # A photo and a movie of one name and different moments.
            self.photo(a + ".JPG", n, n)
            self.write(a + ".MP4", self.content("long movie", n + 1, n, date + 40 * HOUR))
            self.photos[str(n)] = {"live": False, "date": date, "place": None, "source": "file"}
            self.file(a + ".MP4", time.strftime("%Y/%m", time.gmtime(date + 40 * HOUR)))
            self.doubt(a + ".JPG", a + ".MP4")


def make(media, root, items):
    tree = Library(media, root)
    for number in range(items):
        tree.item(number)
    with open(root + ".json", "w", encoding="utf-8") as file:
        json.dump({"photos": tree.photos, "copied": tree.copied, "doubts": tree.doubts}, file)
    print("%d files; %d photos and %d other files expected" % (tree.files, len(tree.photos), len(tree.copied)))


def facts(library):
    tags = ["-Comment", "-ContentIdentifier", "-MediaGroupUUID", "-DateTimeOriginal", "-QuickTime:CreateDate", "-GPSLatitude", "-GPSLongitude"]
    command = ["exiftool", "-json", "-n", "-r", "-fast", "-api", "QuickTimeUTC=0"] + tags + [library]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return {one["SourceFile"]: one for one in json.loads(found)}


def check_photo(library, path, item, wanted, files):
    photo, layout = files[path], "%Y:%m:%d %H:%M:%S"
    taken = wanted["date"] - 2 * HOUR if wanted["source"] == "sidecar" else wanted["date"]
    expect(path, photo.get("DateTimeOriginal"), local(taken, layout))
    expect(path, os.path.dirname(path)[len(library) + 1 :], local(taken, "%Y/%m"))
    place = wanted["place"]
    expect(path, [photo.get("GPSLatitude"), photo.get("GPSLongitude")], [place["latitude"], place["longitude"]] if place else [None, None])
    movie = files.get(os.path.splitext(path)[0] + ".MOV")
    expect(path + ": Live Photo", movie is not None, wanted["live"])
    if movie:
        expect(movie["SourceFile"], movie.get("ContentIdentifier"), photo.get("ContentIdentifier", photo.get("MediaGroupUUID")))
        expect(movie["SourceFile"], movie.get("CreateDate"), time.strftime(layout, time.gmtime(wanted["date"] + 1)))
    return 2 if movie else 1


def check(root, library, printed):
    with open(root + ".json", encoding="utf-8") as file:
        expected = json.load(file)
    files = facts(library)
    by_mark = {}
    for path, one in files.items():
        if path.lower().endswith(".jpg"):
            by_mark.setdefault(str(one.get("Comment")), []).append(path)
    expect("photos", sorted(by_mark), sorted(expected["photos"]))
    count = 0
    for item, wanted in expected["photos"].items():
        expect("copies of " + item, len(by_mark[item]), 1)
        count += check_photo(library, by_mark[item][0], item, wanted, files)
    copied = {}
    for folder, folders, names in os.walk(library):
        folders[:] = [name for name in folders if not name.startswith(".")]
        count -= len(names)
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                copied[hashlib.sha256(file.read()).hexdigest()] = folder[len(library) + 1 :]
    for digest, folder in expected["copied"].items():
        expect("folder of a copied file", copied.get(digest), folder)
    expect("files", -count, len(expected["copied"]))
    lines = [json.loads(line) for line in open(printed, encoding="utf-8")]
    doubts = sorted(sorted(line["sources"] + line["related"]) for line in lines if line["doubts"])
    expect("doubts", [one for one in doubts if one not in expected["doubts"]], [])
    expect("doubts", [one for one in expected["doubts"] if one not in doubts], [])
    print("%d Live Photos and %d other files are right" % (
        sum(one["live"] for one in expected["photos"].values()),
        sum(not one["live"] for one in expected["photos"].values()) + len(expected["copied"])))


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "make":
        make(arguments[0], arguments[1], int(arguments[2]))
    else:
        check(arguments[0], arguments[1], arguments[2])
