"""Follows every advice that livephoto gives. advice.sh --help says more.

usage: advice.py PROGRAM SOURCES
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

# Advice in the sources: a command of the program with the files that it is for.
ADVICE = re.compile(r"livephoto (?:convert|link|edit|extract|pack)\b(?: (?:[A-Z]+\b|--[a-z-]+|\\\(\w+\([^()]*\)\)))*")
# Help of the command line itself: it answers commands and options that do not exist.
NO_ADVICE = ("/Program/", "LivePhotoBatch/Jobs", "Command.swift")


@dataclass
class Case:
    """Files with a fault, the command that finds it, and the commands that the advice is."""
    advice: str
    make: Callable[["Bench"], object]
    find: list[str]
    follow: list[list[str]]
    # The rule that is broken before and not after, where `verify` finds the fault.
    rule: str = ""
    profile: str = "any"
    # The file or folder that `verify` looks at afterwards.
    made: str = "."


class Bench:
    def __init__(self, program: Path, work: Path) -> None:
        self.program, self.work = program, work
        self.folder = work
        self.environment = dict(os.environ, XDG_STATE_HOME=str(work / "state"), XDG_CONFIG_HOME="/nonexistent")
        self.ffmpeg("clip.mp4", "-f lavfi -i testsrc2=size=192x108:rate=30:duration=3 -f lavfi -i sine=d=3 -c:v libx264 -c:a aac"
                    " -pix_fmt yuv420p")
        self.ffmpeg("plain.jpg", "-i clip.mp4 -frames:v 1")
        self.ffmpeg("plain.png", "-i clip.mp4 -frames:v 1")
        self.must("convert", "clip.mp4", "-o", "good", "--name", "a")
        self.must("convert", "clip.mp4", "-o", "other", "--name", "a")
        self.must("convert", "clip.mp4", "-o", "modern", "--name", "a", "--preset", "modern", "--photo-format", "jpeg")
        self.must("convert", "clip.mp4", "-o", "wallpaper", "--name", "a", "--preset", "wallpaper")
        self.must("pack", "good/a.JPG", "good/a.MOV", "--as", "motion-photo", "-o", "motion.jpg")

    def run(self, *arguments: str) -> tuple[int, str]:
        run = subprocess.run(
            [str(self.program), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
            env=self.environment)
        return run.returncode, (run.stdout + run.stderr).decode(errors="replace")

    def must(self, *arguments: str) -> None:
        status, said = self.run(*arguments)
        if status != 0:
            raise RuntimeError(f"livephoto {' '.join(arguments)} exits with {status}: {said}")

    def ffmpeg(self, name: str, options: str) -> None:
        subprocess.run(["ffmpeg", "-v", "error", "-y", *options.split(), name], cwd=self.folder, check=True,
                       stdin=subprocess.DEVNULL)

    def pair(self, kind: str = "good", movie: str = "", change: Callable[[bytearray], None] | None = None,
             photo: str = "", name: str = "a") -> None:
        """Copies a pair, with another movie (options of ffmpeg), changed bytes of its movie, or another photo."""
        source = self.work / kind
        shutil.copy(source / "a.JPG", self.folder / f"{name}.JPG")
        if movie:
            self.ffmpeg(f"{name}.MOV", f"-i {source / 'a.MOV'} -i {self.work / 'clip.mp4'} {movie}")
        else:
            shutil.copy(source / "a.MOV", self.folder / f"{name}.MOV")
        if photo:
            shutil.copy(self.work / photo, self.folder / f"{name}.JPG")
        if change:
            self.change(f"{name}.MOV", change)

    def change(self, name: str, change: Callable[[bytearray], None]) -> None:
        data = bytearray((self.folder / name).read_bytes())
        change(data)
        (self.folder / name).write_bytes(data)

    def broken(self, profile: str, path: str = ".") -> set[str]:
        status, said = self.run("verify", "--json", "--profile", profile, path)
        if status not in (0, 1):
            raise RuntimeError(f"verify exits with {status}: {said}")
        return {finding["rule"] for line in said.splitlines() for finding in json.loads(line)["findings"]}


def still_track(data: bytearray) -> tuple[int, int]:
    """The place and size of the still-image-time track of a movie."""
    handler = data.find(b"still-image-time")
    start = data.rfind(b"trak", 0, handler) - 4
    return start, struct.unpack_from(">I", data, start)[0]


def patched(pattern: bytes, offset: int, new: bytes) -> Callable[[bytearray], None]:
    """Replaces bytes of the still-image-time track, `offset` after a pattern."""
    def change(data: bytearray) -> None:
        start, size = still_track(data)
        place = data.index(pattern, start, start + size) + len(pattern) + offset
        data[place:place + len(new)] = new
    return change


def still_value(data: bytearray) -> None:
    place = data.index(bytes.fromhex("0000000900000001ff"))
    data[place + 8] = 0


def second_still_track(data: bytearray) -> None:
    start, size = still_track(data)
    copy = bytearray(data[start:start + size])
    header = copy.index(b"tkhd")
    struct.pack_into(">I", copy, header + 16, 9)
    movie = data.rfind(b"moov", 0, start) - 4
    struct.pack_into(">I", data, movie, struct.unpack_from(">I", data, movie)[0] + size)
    if movie < data.index(b"mdat"):
        raise RuntimeError("the movie box is before the media, so that offsets would change")
    data[start + size:start + size] = copy


def mp4_brands(data: bytearray) -> None:
    size = struct.unpack_from(">I", data)[0]
    data[:size] = data[:size].replace(b"qt  ", b"isom")


def lower_case(data: bytearray) -> None:
    for found in list(re.finditer(rb"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", data)):
        data[found.start():found.end()] = found.group().lower()


def lower_case_pair(bench: Bench) -> None:
    bench.pair()
    for name in ("a.JPG", "a.MOV"):
        bench.change(name, lower_case)


def wide_photo(bench: Bench) -> None:
    bench.ffmpeg("wide.jpg", f"-i {bench.work / 'clip.mp4'} -vf crop=144:108 -frames:v 1")
    shutil.copy(bench.work / "good/a.MOV", bench.folder / "a.MOV")
    os.rename(bench.folder / "wide.jpg", bench.folder / "a.JPG")
    bench.must("link", "a.JPG", "a.MOV", "--in-place")


def motion_photo(codec: str) -> Callable[[Bench], None]:
    """A motion photo of the older form, which states where its movie begins."""
    def make(bench: Bench) -> None:
        bench.ffmpeg("m.mp4", f"-i {bench.work / 'clip.mp4'} -t 1 {codec}")
        movie = (bench.folder / "m.mp4").read_bytes()
        shutil.copy(bench.work / "plain.jpg", bench.folder / "a.jpg")
        subprocess.run(
            ["exiftool", "-q", "-overwrite_original", "-XMP-GCamera:MicroVideo=1", "-XMP-GCamera:MicroVideoVersion=1",
             f"-XMP-GCamera:MicroVideoOffset={len(movie)}", "a.jpg"], cwd=bench.folder, check=True)
        with (bench.folder / "a.jpg").open("ab") as file:
            file.write(movie)
        (bench.folder / "m.mp4").unlink()
    return make


def wrong_time(bench: Bench) -> None:
    shutil.copy(bench.work / "motion.jpg", bench.folder / "a.jpg")
    bench.change("a.jpg", lambda data: data.__setitem__(slice(0, len(data)), re.sub(
        rb'(MotionPhotoPresentationTimestampUs=")(\d+)"', lambda found: found[1] + b"9" * len(found[2]) + b'"', bytes(data))))


def wrong_offset(bench: Bench) -> None:
    motion_photo("-c:v libx264 -c:a aac")(bench)
    bench.change("a.jpg", lambda data: data.__setitem__(slice(0, len(data)), re.sub(
        rb'(MicroVideoOffset[=>"\']+)(\d+)', lambda found: found[1] + b"1" * len(found[2]), bytes(data))))


def plain(*names: str) -> Callable[[Bench], None]:
    def make(bench: Bench) -> None:
        for name in names:
            shutil.copy(bench.work / name, bench.folder / Path(name).name)
    return make


IDENTIFIER = "E8F3C1B2-1111-4222-8333-0123456789AB"
LINK = "livephoto link PHOTO MOVIE --in-place"
RELINK = [["link", "a.JPG", "a.MOV", "--in-place"]]
STILL = [["link", "a.JPG", "a.MOV", "--in-place", "--still", "0.5"]]
AGAIN = [["convert", "a.MOV", "-o", "new"]]
WITH_PHOTO = "livephoto convert MOVIE --photo PHOTO"
REENCODE = [["convert", "a.MOV", "--photo", "a.JPG", "-o", "out"]]
WALLPAPER = [["convert", "clip.mp4", "-o", ".", "--name", "a", "--preset", "wallpaper", "--force"]]
REPACK = [["extract", "a.jpg", "-o", "out", "--name", "a"],
          ["pack", "out/a.JPG", "out/a.MOV", "--as", "motion-photo", "-o", "new/a.jpg"]]


def rules() -> list[Case]:
    """A case for each advice of a rule."""
    def case(rule: str, make: Callable[[Bench], object], follow: list[list[str]], profile: str = "any") -> Case:
        return Case("", make, [], follow, rule, profile, "new" if "new" in str(follow) else ".")

    def pair(**options: object) -> Callable[[Bench], None]:
        return lambda bench: bench.pair(**options)

    return [
        case("photo-readable", pair(photo="plain.png"), [["convert", "a.MOV", "--photo", "a.JPG", "-o", "new"]]),
        case("photo-identifier", pair(photo="plain.jpg"), RELINK),
        case("identifiers-equal", lambda bench: (bench.pair(), shutil.copy(bench.work / "other/a.MOV", bench.folder)),
             [RELINK[0] + ["--force"]]),
        case("movie-identifier", pair(movie="-map 0:v -map 0:a -c copy"), RELINK),
        case("movie-brand", pair(change=mp4_brands), RELINK),
        case("movie-whole", pair(movie="-map 0:v -c copy -movflags frag_keyframe+empty_moov -f mov"), AGAIN),
        case("movie-video", pair(movie="-map 0:v -map 0:v -c copy"), AGAIN),
        case("movie-codec", pair(movie="-map 0:v -c:v mjpeg"), AGAIN),
        case("movie-codec-profile", pair(movie="-map 0:v -c:v libx264 -pix_fmt yuv444p"), AGAIN),
        case("movie-start", pair(movie="-map 0:v -c copy -output_ts_offset 0.5"), AGAIN),
        case("classic-codec", pair(kind="modern"), AGAIN, "classic"),
        case("classic-size", pair(movie="-map 1:v -t 1 -r 15 -vf scale=2048:1152 -c:v libx264"), AGAIN, "classic"),
        case("classic-rate", pair(movie="-map 1:v -c copy"), AGAIN, "classic"),
        case("modern-codec", pair(), [AGAIN[0] + ["--preset", "modern"]], "modern"),
        case("modern-size", pair(movie="-map 1:v -t 1 -vf scale=2048:1152 -c:v libx264"),
             [AGAIN[0] + ["--preset", "modern"]], "modern"),
        case("modern-rate", pair(movie="-map 1:v -t 1 -r 60 -c:v libx264"), [AGAIN[0] + ["--preset", "modern"]], "modern"),
        case("metadata-track-intact", pair(movie="-map 0 -c copy -copy_unknown"), STILL),
        case("still-time-present", pair(movie="-map 0:v -map 0:a -c copy"), STILL),
        case("still-time-single", pair(change=second_still_track), STILL),
        case("still-time-type", pair(change=patched(b"dtyp", 4, bytes([0, 0, 0, 22]))), STILL),
        case("still-time-value", pair(change=still_value), STILL),
        case("still-time-inside", pair(change=patched(b"elst", 8, struct.pack(">I", 60_000))), STILL),
        case("still-time-track-duration", pair(change=patched(b"tkhd", 20, struct.pack(">I", 1))), STILL),
        case("still-time-on-frame", pair(change=patched(b"elst", 8, struct.pack(">I", 307))),
             [["edit", "a.JPG", "--still", "0.5", "--in-place"]]),
        case("identifier-form", lower_case_pair, [["link", "a.JPG", "a.MOV", "--in-place", "--id", IDENTIFIER]]),
        case("same-shape", wide_photo, [["convert", "a.MOV", "--photo", "a.JPG", "--fill", "4:3", "-o", "new"]]),
        case("wallpaper-rate", lambda bench: (bench.pair(), plain("clip.mp4")(bench)), WALLPAPER, "wallpaper"),
        case("wallpaper-full-rate", lambda bench: (bench.pair("wallpaper"), plain("clip.mp4")(bench)), [
            ["convert", "clip.mp4", "-o", ".", "--name", "a", "--preset", "wallpaper", "--fps", "48-60", "--repeat-frames",
             "--force"]], "wallpaper"),
        case("wallpaper-length", lambda bench: (bench.pair(), plain("clip.mp4")(bench)), WALLPAPER, "wallpaper"),
        case("wallpaper-info", lambda bench: (bench.pair(), plain("clip.mp4")(bench)), WALLPAPER, "wallpaper"),
        case("wallpaper-single-edit", lambda bench: (
            bench.pair("wallpaper", movie="-map 0:v -c copy -output_ts_offset 0.5"), plain("clip.mp4")(bench)), WALLPAPER,
            "wallpaper"),
        case("wallpaper-lead-in", lambda bench: (
            bench.pair("wallpaper"), bench.must("edit", "a.JPG", "--still", "0.1", "--in-place")),
            [["link", "a.JPG", "a.MOV", "--in-place", "--still", "1.5"]], "wallpaper"),
        case("photo-alone", lambda bench: (bench.pair(), (bench.folder / "a.MOV").unlink(), plain("clip.mp4")(bench)),
             [["convert", "clip.mp4", "--photo", "a.JPG", "-o", "new"]]),
        case("movie-alone", lambda bench: (bench.pair(), (bench.folder / "a.JPG").unlink()), AGAIN),
        case("motion-photo-micro-video", motion_photo("-c:v libx264 -c:a aac"), REPACK),
        case("motion-photo-movie", wrong_offset, REPACK),
        case("motion-photo-tracks", motion_photo("-map 0:v -map 0:v -c:v libx264"), REPACK),
        case("motion-photo-codec", motion_photo("-c:v mpeg4 -c:a aac"),
             [["export", "a.jpg", "--as", "mp4", "-o", "clip.mp4"],
              ["convert", "clip.mp4", "--photo", "a.jpg", "-o", "new"]]),
        case("motion-photo-time", wrong_time, [
            REPACK[0], ["link", "out/a.JPG", "out/a.MOV", "--in-place", "--still", "0.5"], REPACK[1]]),
    ]


def messages() -> list[Case]:
    """A case for each advice of an error or note."""
    def avi(bench: Bench) -> None:
        bench.ffmpeg("a.avi", f"-i {bench.work / 'clip.mp4'} -t 1 -c:v mpeg4")
        plain("plain.jpg")(bench)

    def fragmented(bench: Bench) -> None:
        bench.ffmpeg("a.mov", f"-i {bench.work / 'clip.mp4'} -c copy -movflags frag_keyframe+empty_moov")
        plain("plain.jpg")(bench)

    def motion_jpeg(bench: Bench) -> None:
        bench.ffmpeg("a.mov", f"-i {bench.work / 'clip.mp4'} -t 1 -c:v mjpeg")
        plain("plain.jpg")(bench)

    def dated(bench: Bench) -> None:
        plain("plain.jpg", "clip.mp4")(bench)
        subprocess.run(["exiftool", "-q", "-overwrite_original", "-n", "-ExifIFD:DateTimeOriginal=sometime", "plain.jpg"],
                       cwd=bench.folder, check=True, stderr=subprocess.DEVNULL)

    def unlike(bench: Bench) -> None:
        shutil.copy(bench.work / "clip.mp4", bench.folder / "b.mp4")
        bench.ffmpeg("b.jpg", "-f lavfi -i smptehdbars=size=192x108 -frames:v 1")

    def converted(name: str, photo: str) -> list[list[str]]:
        return [["convert", name, "--photo", photo, "-o", "out"]]

    return [
        Case(f"{WITH_PHOTO} re-encodes it", avi, ["link", "plain.jpg", "a.avi", "-o", "out"], converted("a.avi", "plain.jpg")),
        Case("livephoto export FILE --as mp4 and --as jpeg make a clip and a photo of it, for livephoto convert CLIP --photo "
             "PHOTO", motion_photo("-c:v mpeg4"), ["extract", "a.jpg", "-o", "out"], [
                 ["export", "a.jpg", "--as", "mp4", "-o", "clip.mp4"], ["export", "a.jpg", "--as", "jpeg", "-o", "photo.jpg"],
                 ["convert", "clip.mp4", "--photo", "photo.jpg", "-o", "out"]]),
        Case(f"{WITH_PHOTO} makes a key photo of it", plain("plain.png", "clip.mp4"), ["link", "plain.png", "clip.mp4", "-o", "out"],
             converted("clip.mp4", "plain.png")),
        Case(f"{WITH_PHOTO} re-encodes it", fragmented, ["link", "plain.jpg", "a.mov", "-o", "out"],
             converted("a.mov", "plain.jpg")),
        Case(f"{WITH_PHOTO} re-encodes it", motion_jpeg, ["link", "plain.jpg", "a.mov", "-o", "out"],
             converted("a.mov", "plain.jpg")),
        Case("livephoto link PHOTO MOVIE --date replaces it", dated, ["link", "plain.jpg", "clip.mp4", "-o", "out"],
             [["link", "plain.jpg", "clip.mp4", "--date", "2024-05-06T07:08:09Z", "-o", "dated"]]),
        Case("livephoto convert CLIP --photo PICTURE", plain("plain.png", "clip.mp4"), ["convert", "plain.png", "-o", "out"],
             [["convert", "clip.mp4", "--photo", "plain.png", "-o", "out"]]),
        Case("livephoto extract", lambda bench: plain("motion.jpg")(bench), ["convert", "motion.jpg", "-o", "out"],
             [["extract", "motion.jpg", "-o", "out"]]),
        Case("livephoto extract", lambda bench: plain("motion.jpg", "clip.mp4")(bench), ["convert", ".", "-o", "out"],
             [["extract", ".", "-o", "out"]]),
        Case("livephoto link plain.jpg plain.mp4", lambda bench: (
            plain("plain.jpg")(bench), shutil.copy(bench.work / "clip.mp4", bench.folder / "plain.mp4")),
            ["extract", "plain.jpg", "-o", "out"], [["link", "plain.jpg", "plain.mp4", "-o", "out"]]),
        Case("livephoto extract", lambda bench: plain("motion.jpg")(bench),
             ["edit", "motion.jpg", "--no-audio", "--in-place"], [
                 ["extract", "motion.jpg", "-o", "out", "--name", "a"], ["edit", "out/a.JPG", "--no-audio", "--in-place"]]),
        Case("livephoto link makes a Live Photo of a photo and a movie", plain("plain.jpg", "clip.mp4"),
             ["edit", "plain.jpg", "clip.mp4", "--no-audio", "-o", "out"], [["link", "plain.jpg", "clip.mp4", "-o", "out"]]),
        Case("livephoto link or convert makes it a Live Photo again", lambda bench: bench.pair(change=still_value),
             ["edit", "a.JPG", "--no-audio", "--in-place"], RELINK + [["edit", "a.JPG", "--no-audio", "--in-place"]]),
        Case("livephoto undo", lambda bench: (
            plain("plain.jpg")(bench), shutil.copy(bench.work / "clip.mp4", bench.folder / "plain.mp4")),
            [], [["link", "--by-name", ".", "--in-place"], ["undo", "."]]),
        Case("livephoto link PHOTO MOVIE --in-place), undo the import and repeat it", unlike, ["import", ".", "-o", "library"],
             [["link", "b.jpg", "b.mp4", "--in-place"], ["undo", "--import", "library"], ["import", ".", "-o", "library"]]),
        Case(f"{WITH_PHOTO} makes a Live Photo of them", lambda bench: (
            avi(bench), (bench.folder / "plain.jpg").rename(bench.folder / "a.jpg")), ["import", ".", "-o", "library"],
             converted("a.avi", "a.jpg")),
        Case("livephoto undo --import library", plain("plain.jpg"), [],
             [["import", ".", "-o", "library"], ["undo", "--import", "library"]]),
        Case("livephoto edit PHOTO --recipe FILE --output DIR", lambda bench: bench.pair(),
             ["edit", "a.JPG", "--no-audio", "-o", "out"],
             [["edit", "a.JPG", "--recipe", "out/a.edit.yaml", "--output", "again"]]),
    ]


def check(bench: Bench, case: Case) -> str:
    """What is wrong; empty if nothing is."""
    case.make(bench)
    if case.rule:
        if case.rule not in bench.broken(case.profile):
            return f"the files do not break the rule: {sorted(bench.broken(case.profile))}"
    if case.find:
        _, said = bench.run(*case.find)
        written = "".join(path.read_text(errors="replace") for path in bench.folder.rglob("*.yaml"))
        if case.advice not in " ".join((said + written).split()):
            return f"livephoto {' '.join(case.find)} does not give the advice, but: {said.strip()}"
    for command in case.follow:
        status, said = bench.run(*command)
        if status != 0:
            return f"livephoto {' '.join(command)} exits with {status}: {said.strip()}"
    if case.rule and case.rule in bench.broken(case.profile, case.made):
        return "the rule is still broken afterwards"
    return ""


def uncovered(program: Path, sources: Path, cases: list[Case]) -> list[str]:
    """Advice of rules and in the sources for which there is no case."""
    listed = subprocess.run(
        [str(program), "verify", "--explain", "--json"], capture_output=True, check=True, text=True).stdout
    remedies = {rule["id"]: rule["remedy"] for rule in map(json.loads, listed.splitlines())}
    covered = {remedies[case.rule] for case in cases if case.rule}
    missing = [f"{name}: {text}" for name, text in remedies.items()
               if re.search(r"livephoto|[Ee]xtract|convert", text) and text not in covered
               and name != "movie-readable"]
    known = " ".join([case.advice for case in cases] + list(covered))
    for path in sorted(sources.rglob("*.swift")):
        if any(part in str(path) for part in NO_ADVICE):
            continue
        for line in path.read_text().splitlines():
            if line.strip().startswith("//"):
                continue
            for found in ADVICE.findall(line):
                fixed = found.split("\\(")[0].strip()
                if fixed not in known:
                    missing.append(f"{path.name}: {found}")
    return missing


def main() -> None:
    program, sources = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    cases = rules() + messages()
    failures = [f"no case for the advice of {text}" for text in uncovered(program, sources, cases)]
    with tempfile.TemporaryDirectory(prefix="livephoto-advice-") as work:
        bench = Bench(program, Path(work))
        for number, case in enumerate(cases):
            bench.folder = bench.work / f"case{number}"
            bench.folder.mkdir()
            try:
                failure = check(bench, case)
            except (RuntimeError, OSError, subprocess.SubprocessError, ValueError) as error:
                failure = f"{type(error).__name__}: {error}"
            if failure:
                failures.append(f"{case.rule or case.advice}: {failure}")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(f"followed {len(cases)} pieces of advice, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
