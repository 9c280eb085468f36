"""Compares what is read in a corpus of Scripts/trial fuzz with what another program reads.

Usage: fuzz_compare.py PROGRAM CORPUS      with the target in FUZZ_TARGET

Only files that both read count. Prints one line: how many files were read by this project, by both, and alike; then the
first files that differ. A difference is no fault by itself: a corpus consists of damaged files, which each reader takes
in its own way.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.parsers.expat

MOST_FILES = 300
MOST_SHOWN = 5
# Of a track, as many as --describe prints.
MOST_SAMPLES = 64
XML = "http://www.w3.org/XML/1998/namespace"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def run(*command, may_fail=False):
    """Standard output of a program; None if it takes too long, or fails and may not."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode(errors="replace") if may_fail or done.returncode == 0 else None


def movie(path, ours):
    """Each packet of ffprobe is a sample of the same place and size. Tracks that only one reads do not count."""
    text = run(
        "ffprobe", "-v", "quiet", "-show_packets", "-show_entries", "packet=stream_index,pos,size", "-of", "json", path)
    streams = collections.defaultdict(set)
    for packet in json.loads(text).get("packets", []) if text else []:
        if "pos" in packet:
            streams[packet["stream_index"]].add((int(packet["pos"]), int(packet["size"])))
    tracks = [{tuple(sample) for sample in track["samples"]} for track in ours if track["count"] <= MOST_SAMPLES]
    # Damaged movies have tracks that share samples.
    known = [places for places in streams.values() if any(places & track for track in tracks)]
    return all(any(places <= track for track in tracks) for places in known) if known else None


def heif(path, ours):
    """heif-info names the same stored or shown size."""
    # It prints the size before it decodes the picture, which is none here.
    text = run("heif-info", path, may_fail=True)
    size = re.search(r"^image: (\d+)x(\d+)", text or "", re.MULTILINE)
    if not size:
        return None
    return sorted(map(int, size.groups())) == sorted([int(ours["width"]), int(ours["height"])])


def jpeg(path, ours):
    """exiftool reads the same size and content identifier."""
    # The tag has had two names.
    names = ["-Apple:ContentIdentifier", "-Apple:MediaGroupUUID"]
    text = run("exiftool", "-json", "-n", "-fast", "-File:ImageWidth", "-File:ImageHeight", *names, path)
    found = json.loads(text)[0] if text else {}
    if "ImageWidth" not in found:
        return None
    identifier = str(found.get("ContentIdentifier", found.get("MediaGroupUUID", "")))
    # Bytes that are not UTF-8 are shown in different ways.
    are_plain = identifier.isascii() and ours["identifier"].isascii()
    if are_plain and identifier and ours["identifier"] and identifier != ours["identifier"]:
        return False
    return [str(found[key]) for key in ("ImageWidth", "ImageHeight")] == [ours["width"], ours["height"]]


def tiff(path, ours):
    """exiftool reads the same texts; of a tag that is there twice, one of the values. A number is no text here."""
    results = []
    for key, text in ours.items():
        found = run("exiftool", "-a", "-s3", f"-IFD0:{key}", path)
        if found and text and text.isascii() and text.isprintable():
            results.append(text.strip() in [line.strip() for line in found.splitlines()])
    return all(results) if results else None


def zip(path, ours):  # pylint: disable=redefined-builtin
    """unzip lists what can be unpacked, with its size and checksum."""
    text = run("unzip", "-v", path)
    if text is None:
        return None
    listed = re.findall(r"^ *(\d+) +\S+ +\d+ +-?\d+% +\S+ +\S+ +([0-9a-f]{8}) ", text, re.MULTILINE)
    found = {(int(size), int(checksum, 16)) for size, checksum in listed}
    return all((int(size), int(checksum)) in found for _, size, checksum in ours)


def xmp(path, ours):
    """All texts are attributes or elements of the document by a full parser."""
    found = set()
    texts = []

    def start(name, attributes):
        namespace, _, local = name.rpartition(" ")
        texts.append((namespace, local, []))
        for key, value in attributes.items():
            found.add((key.rpartition(" ")[0], key.rpartition(" ")[2], value))
            found.add((namespace, local, value))

    def end(_):
        namespace, local, parts = texts.pop()
        text = "".join(parts)
        found.add((namespace, local, text))
        # The value of a property may be in an element of RDF.
        for outer in texts:
            found.add((outer[0], outer[1], text))

    def data(text):
        if texts:
            texts[-1][2].append(text)

    parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    with open(path, "rb") as file:
        try:
            parser.Parse(file.read().strip(b"\0 \r\n\t"), True)
        except (xml.parsers.expat.ExpatError, ValueError):
            return None
    stripped = {(namespace, local, text.strip()) for namespace, local, text in found}
    return all((namespace, local, text.strip()) in stripped for namespace, local, text in ours)


READERS = {"movie": (movie, ".mov"), "heif": (heif, ".heic"), "jpeg": (jpeg, ".jpg"), "tiff": (tiff, ".tif"),
           "zip": (zip, ".zip"), "xmp": (xmp, ".xmp")}


def main():
    target, (program, corpus) = os.environ["FUZZ_TARGET"], sys.argv[1:]
    if target not in READERS:
        return
    compare, ending = READERS[target]
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(corpus))[:MOST_FILES]:
            with open(os.path.join(corpus, name), "rb") as source:
                content = source.read()
            with open(os.path.join(folder, name + ending), "wb") as copy:
                copy.write(content)
        described = run(program, "--describe", folder)
        if described is None:
            sys.exit(f"error: {target}: the corpus cannot be read; Scripts/trial fuzz {target} finds out why.")
        lines = [line.split("\t", 1) for line in described.splitlines()]
        results = {name: compare(os.path.join(folder, name), json.loads(text)) for name, text in lines}
    both = {name: result for name, result in results.items() if result is not None}
    alike = sum(both.values())
    print(f"{target}: {len(results)} files read here, {len(both)} also by the other reader, {alike} alike")
    for name in [name for name, result in both.items() if not result][:MOST_SHOWN]:
        print(f"  differs: {os.path.join(corpus, name.removesuffix(ending))}")


main()
