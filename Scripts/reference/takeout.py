"""Makes a simulated Google Takeout, and checks what `livephoto link --by-name` did with it.

Usage: takeout.py make MEDIA TREE ITEMS    writes the tree, and what to expect of it to TREE.json
       takeout.py check TREE PRINTED [OUT] compares the lines of --json (and the files in OUT) with that
       takeout.py same TREE                compares all files with those that were made, also their times

MEDIA has photo-N.jpg and movie-N.mp4, unlinked, and the same as linked-N.JPG and linked-N.MOV, for N from 0. Each item gets
content of its own: a comment in the photo, a `free` box in the movie, and an identifier of its own if it is linked.
"""

import hashlib
import json
import os
import shutil
import struct
import sys
import uuid

LONG = "original_1d4caa6f-16c6-4c3d-901b-%012d_P"


class Tree:
    def __init__(self, media, root):
        self.media, self.root = media, root
        self.count = len([name for name in os.listdir(media) if name.startswith("photo-")])
        self.groups, self.split, self.linked, self.strange, self.files = {}, [], [], [], 0

    def content(self, kind, number, item):
        """A photo or a movie that no other item has. `item` without a fraction has the pictures of its number."""
        base = number % self.count
        names = {"photo": "photo-%d.jpg", "movie": "movie-%d.mp4", "linked photo": "linked-%d.JPG", "linked movie": "linked-%d.MOV"}
        with open(os.path.join(self.media, names[kind] % base), "rb") as file:
            content = file.read()
        mark = str(item).encode()
        if kind.endswith("photo"):
            content = content[:2] + b"\xff\xfe" + struct.pack(">H", len(mark) + 2) + mark + content[2:]
        else:
            content += struct.pack(">I", len(mark) + 8) + b"free" + mark
        if kind.startswith("linked"):
            with open(os.path.join(self.media, "identifier-%d" % base), "rb") as file:
                old = file.read().strip()
            content = content.replace(old, str(uuid.UUID(int=number + (1 << 100))).upper().encode())
        return content

    def write(self, name, content):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path):
            raise SystemExit("takeout.py: %s is made twice" % path)
        with open(path, "wb") as file:
            file.write(content)
        os.utime(path, (1600000000 + self.files, 1600000000 + self.files))
        self.files += 1

    def sidecar(self, photo):
        folder, name = os.path.split(photo)
        title = (name + ".supplemental-metadata")[:46]
        path = os.path.join(folder, title + ".json")
        if not os.path.exists(os.path.join(self.root, path)):
            self.write(path, json.dumps({"title": name, "photoTakenTime": {"timestamp": "1600000000"}}).encode())

    def pair(self, photo, movie, number, item=None, linked=False, expected="linked"):
        item = number if item is None else item
        kind = "linked " if linked else ""
        self.write(photo, self.content(kind + "photo", number, item))
        self.write(movie, self.content(kind + "movie", number + (expected == "strange"), item))
        self.sidecar(photo)
        names = [os.path.join(self.root, photo), os.path.join(self.root, movie)]
        if expected == "strange":
            self.strange.append(names)
        elif os.path.dirname(photo) != os.path.dirname(movie):
            self.split.append(names)
        elif linked:
            self.linked.append(names)
        else:
            self.groups.setdefault(str(item), []).append(names)

    def item(self, n):
        year, album, other = "Photos from %d" % (2015 + n % 8), "Album %d" % (n % 5), "Trip %d" % (n % 3)
        name = "IMG_%04d" % n
        a, b = year + "/" + name, album + "/" + name
        kind = n % 16
        if kind in (0, 1, 2, 3):
            self.pair(a + ".JPG", a + ".MP4", n, linked=True)
        elif kind == 4:
            self.pair(a + ".JPG", a + ".MP4", n)
        elif kind == 5:
            self.pair(a + ".JPG", a + ".JPG.MP4", n)
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
            self.write(a + "-edited.jpg", self.content("photo", n, "%d edited" % n))
        elif kind in (10, 11):
            self.pair(a + ".JPG", a + ".MP4", n)
            self.pair(b + ".JPG", b + ".MP4", n)
            if kind == 11:
                self.pair(other + "/" + name + "-copy.JPG", other + "/" + name + "-copy.MP4", n)
        elif kind == 12:
            self.pair(a + ".JPG", b + ".MP4", n)
            self.write(other + "/" + name + ".JPG", self.content("photo", n, n))
        elif kind == 13:
            self.write(a + ".JPG", self.content("photo", n, n))
            self.sidecar(a + ".JPG")
        elif kind == 14:
            self.write(a + ".MP4", self.content("movie", n, n))
        else:
            self.pair(a + ".JPG", a + ".MP4", n, expected="strange")
            self.write(a + "(1).MP4", self.content("movie", n, "%d.5" % n))


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
    expected = {"groups": tree.groups, "split": tree.split, "linked": tree.linked, "strange": tree.strange}
    with open(root + ".json", "w", encoding="utf-8") as file:
        json.dump({**expected, "files": snapshot(root)}, file)
    pairs = sum(len(group) for group in tree.groups.values()) + len(tree.split) + len(tree.linked)
    print("%d files; %d pairs, of which %d are copies and %d are linked already" % (
        tree.files, pairs, sum(len(group) - 1 for group in tree.groups.values()), len(tree.linked)))


def compare(what, found, expected):
    missing, more = sorted(expected - found)[:5], sorted(found - expected)[:5]
    if missing or more:
        raise SystemExit("%s: missing %s; not expected %s" % (what, missing, more))


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
        compare("copied or there", files("linked") | files("linked-already"), unlinked | linked)
        wanted = len(groups) + len(expected["split"]) + len(linked)
        if len(done["linked"]) != wanted:
            raise SystemExit("%d pairs were copied instead of %d" % (len(done["linked"]), wanted))
        names = [path.lower() for path in snapshot(out)]
        if len(names) != 2 * wanted or len(set(names)) != len(names):
            raise SystemExit("there are %d files, of which %d differ also without case; %d were expected" % (
                len(names), len(set(names)), 2 * wanted))
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
