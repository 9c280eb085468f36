"""Runs commands on files under several releases of Debian and compares the results. Scripts/trial releases --help says more.

usage: releases.py run PROGRAM FOLDER RESULTS
       releases.py compare RESULTS RESULTS…
"""
import array
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from media import Deadline, Unreadable, decoded_sound, pictures, probe, run, streams
from picture import Picture, difference

# {file} is the file, {out} an empty folder, {clip} a clip. What follows && runs only if what is before succeeds.
COMMANDS = {
    "inspect": "inspect {file} --json",
    "still": "convert {file} --still auto --dry-run",
    "convert": "convert {file} -o {out}",
    "frames": "frames {file} --count 4 -o {out}/sheet.png",
    "jpeg": "export {file} --as jpeg -o {out}/photo.jpg",
    "extract": "extract {file} -o {out}",
    "preview": "preview {file} -o {out}/page.html",
    "photo": "convert {clip} --photo {file} -o {out} --name pair && export {out}/pair.MOV --as jpeg -o {out}/photo.jpg",
}
LONGEST_RUN = 180
# The largest differences of files that releases only compress otherwise: of small pictures' mean luma, of 255, and of the mean
# sample of sound, of 32768.
PICTURE_LIMIT, SOUND_LIMIT = 1.0, 300.0
# Fields of ffprobe's streams that do not depend on the choices of an encoder.
STREAM_KEYS = ["codec_name", "profile", "width", "height", "pix_fmt", "color_range", "color_space", "color_transfer", "color_primaries",
               "chroma_location", "sample_aspect_ratio", "r_frame_rate", "start_pts", "duration_ts", "nb_frames", "sample_rate", "channels"]
# Tags of the file system, and those that depend on the choices of an encoder.
IGNORED_TAGS = re.compile(r"^(ExifTool|System|File):|^SourceFile$|:(MediaDataSize|MediaDataOffset|AvgBitrate|ThumbnailImage)$"
                          r"|:(ThumbnailLength|ThumbnailOffset|MPImage\w*)$")


def run_all(program: Path, folder: Path, results: Path) -> int:
    """Runs each command on each file, and writes a line of JSON for each run. Continues where it stopped."""
    log = results / "results.jsonl"
    done = {(line["file"], line["command"]) for line in read_log(results)}
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".tsv", ".md", ".txt", ".bin"))
    # The same bytes everywhere, as content identifiers follow from them.
    clip = results / "clip.y4m"
    clip.write_bytes(b"YUV4MPEG2 W320 H240 F15:1 Ip A1:1 C420jpeg\n" + (b"FRAME\n" + bytes([128]) * (320 * 240 * 3 // 2)) * 15)
    with open(log, "a", encoding="utf-8") as lines:
        for number, file in enumerate(files):
            for command, words in COMMANDS.items():
                name = str(file.relative_to(folder))
                if (name, command) in done:
                    continue
                out = results / f"{number:03}-{command}"
                shutil.rmtree(out, ignore_errors=True)
                out.mkdir()
                line = {"file": name, "command": command, "folder": out.name, "status": 0, "stdout": "", "stderr": ""}
                for each in words.split(" && "):
                    if line["status"] == 0:
                        status, said = run_one(program, [word.format(file=file, out=out, clip=clip) for word in each.split()])
                        line["status"] = status
                        for key, text in said.items():
                            line[key] += text.replace(str(results), "OUT").replace(str(folder), "IN")
                lines.write(json.dumps(line) + "\n")
                lines.flush()
            print(f"{number + 1} of {len(files)}: {file.name}", file=sys.stderr, flush=True)
    return 0


def run_one(program: Path, arguments: list[str]) -> tuple[int, dict[str, str]]:
    try:
        ended = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_RUN)
    except subprocess.TimeoutExpired:
        return -1, {"stderr": f"longer than {LONGEST_RUN} s"}
    return ended.returncode, {"stdout": ended.stdout.decode(errors="replace"), "stderr": ended.stderr.decode(errors="replace")}


def read_log(results: Path) -> list[dict]:
    log = results / "results.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def compare(all_results: list[Path]) -> int:
    """Prints a line for each difference from the first results."""
    first, others = all_results[0], all_results[1:]
    runs = {(line["file"], line["command"]): line for line in read_log(first)}
    failures = 0
    for other in others:
        differing = 0
        theirs = {(line["file"], line["command"]): line for line in read_log(other)}
        for key in sorted(runs.keys() | theirs.keys()):
            if key not in runs or key not in theirs:
                flaws = ["was not run"]
            else:
                flaws = list(flaws_of(runs[key], theirs[key], first, other))
            for flaw in flaws:
                print(f"{other.name}: {key[0]}: {key[1]}: {flaw}", flush=True)
            differing += bool(flaws)
        print(f"{other.name}: {len(theirs)} runs, {differing} differ from {first.name}")
        failures += differing
    return 1 if failures else 0


def flaws_of(mine: dict, theirs: dict, first: Path, other: Path) -> Iterator[str]:
    if mine["status"] != theirs["status"]:
        yield f"status {mine['status']} and {theirs['status']}: {last_line(mine)!r}, {last_line(theirs)!r}"
        return
    for name in ("stdout", "stderr"):
        for one, two in zip_longest(mine[name].splitlines(), theirs[name].splitlines(), fillvalue=""):
            if one != two:
                yield f"{name}: {one[:200]!r} and {two[:200]!r}"
                break
    one, two = first / mine["folder"], other / theirs["folder"]
    names = [sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) for folder in (one, two)]
    if names[0] != names[1]:
        yield f"files: {names[0]} and {names[1]}"
        return
    for name in names[0]:
        if (one / name).read_bytes() == (two / name).read_bytes() or name.endswith(".html"):
            continue
        try:
            for flaw in file_flaws(one / name, two / name):
                yield f"{name}: {flaw}"
        except Unreadable as reason:
            yield f"{name}: {reason}"


def last_line(line: dict) -> str:
    return (line["stderr"].strip().splitlines() or [""])[-1][:200]


def file_flaws(one: Path, two: Path) -> Iterator[str]:
    deadline = Deadline(600)
    ours, theirs = tags(one), tags(two)
    for tag in sorted(ours.keys() | theirs.keys()):
        if ours.get(tag) != theirs.get(tag):
            yield f"{tag}: {str(ours.get(tag))[:80]} and {str(theirs.get(tag))[:80]}"
    yield from stream_flaws(probe(one, deadline), probe(two, deadline))
    worst, count = 0.0, 0
    frames = [pictures(["-i", f"file:{path}", "-map", "0:v:0"], "", deadline) for path in (one, two)]
    for mine, other in zip_longest(*frames):
        if mine is None or other is None:
            yield f"one has more than {count} frames"
            break
        count += 1
        if abs(mine.time - other.time) > 0.0005:
            yield f"frame {count} is shown at {mine.time} and {other.time} s"
            break
        worst = max(worst, difference(mine, other), colour_difference(mine, other))
    if worst > PICTURE_LIMIT:
        yield f"pictures differ by {worst:.1f} of 255"
    sounds = [decoded_sound(path, "0:a:0", 1e6, deadline) for path in (one, two)]
    if (sounds[0] is None) != (sounds[1] is None):
        yield "one has no sound"
    elif sounds[0] is not None:
        yield from sound_flaws(sounds[0].samples, sounds[1].samples)


def tags(path: Path) -> dict:
    done = run(["exiftool", "-j", "-G1", "-n", str(path)], Deadline(60))
    read = json.loads(done.stdout or b"[{}]")[0]
    return {tag: value for tag, value in read.items() if not IGNORED_TAGS.search(tag)}


def stream_flaws(one: dict, two: dict) -> Iterator[str]:
    for kind in ("video", "audio", "data"):
        pairs = zip_longest(streams(one, kind), streams(two, kind), fillvalue={})
        for mine, theirs in pairs:
            for key in STREAM_KEYS:
                if mine.get(key) != theirs.get(key):
                    yield f"{kind}: {key}: {mine.get(key)} and {theirs.get(key)}"


def colour_difference(one: Picture, two: Picture) -> float:
    return max(abs(one.colours[name] - two.colours[name]) for name in one.colours)


def sound_flaws(one: array.array, two: array.array) -> Iterator[str]:
    if len(one) != len(two):
        yield f"sound has {len(one)} and {len(two)} samples"
    count = min(len(one), len(two))
    mean = sum(abs(a - b) for a, b in zip(one, two)) / count if count else 0
    if mean > SOUND_LIMIT:
        yield f"sound differs by {mean:.0f} of 32768"


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 5:
        sys.exit(run_all(*map(Path, sys.argv[2:])))
    if sys.argv[1:2] == ["compare"] and len(sys.argv) > 3:
        sys.exit(compare([Path(folder) for folder in sys.argv[2:]]))
    sys.exit(__doc__)
