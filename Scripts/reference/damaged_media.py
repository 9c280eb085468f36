"""Runs commands on damaged clips, photos and movies. Scripts/trial damaged --help says more.

usage: damaged_media.py [OPTION...] PROGRAM
"""
import argparse
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, run
from typing import NamedTuple, TextIO

from damage import damaged
from program_digest import program_digest
from promises import KEPT_FOLDERS, STATUSES

PICTURES = {"avif", "png", "webp", "tif", "tiff"}
PHOTOS = {"jpg", "jpeg", "heic", "heif"}
MOVIES = {"mov", "mp4", "m4v"}
# Bytes, so that a case takes a moment.
LARGEST_FILE = 20 << 20
# Seconds that the work itself may take, and until a command is said to hang on a busy machine; the largest process in MB: the worker has 2,048, and what it does not touch does not count.
LONGEST_WORK, LONGEST_RUN, MOST_MEMORY = 60, 180, 2048
# What `{}` stands for is damaged; the others are right. Those of movies are also those of pairs.
CLIP_LINES = ["convert {} -o out", "frames {} --count 4 -o out/sheet.jpg", "inspect {} --json"]
PICTURE_LINES = ["convert clip.mp4 --photo {} -o out", "frames {} -o out/sheet.jpg", "inspect {} --json"]
PHOTO_LINES = ["convert clip.mp4 --photo {} -o out", "link {} pair.MOV --find-still --force -o out",
               "extract {} -o out", "edit {} pair.MOV --exposure 0.3 -o out", "preview {} pair.MOV -o page.html",
               "export {} pair.MOV --as jpeg -o out"]
MOVIE_LINES = ["link pair.JPG {} --find-still --force -o out", "edit pair.JPG {} --no-audio -o out", "verify pair.JPG {} --pixels",
               "edit pair.JPG {} --exposure 0.3 -o out", "export pair.JPG {} --as gif -o out", "preview pair.JPG {} -o page.html",
               "pack pair.JPG {} --as motion-photo -o out"]
# How a trap in our own code ends a worker; other signals come from libraries.
CUT_OFF = "warning: the photo's file ends before its picture does"
TRAPS = ("SIGILL", "SIGTRAP")


class Result(NamedTuple):
    status: int | None
    seconds: float
    megabytes: float
    said: str
    wrong: list[str]


def make_media(program: Path, folder: Path) -> None:
    """A clip and its Live Photo; and in the folder own, files of the usual codecs to damage if no others are named."""
    def ffmpeg(*words: str) -> None:
        run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=15:d=2", "-f", "lavfi", "-i", "sine=d=2",
             *words], cwd=folder, check=True)

    def livephoto(*words: str) -> None:
        run([program, *words], cwd=folder, check=True, stdout=DEVNULL, stderr=DEVNULL)

    own = folder / "own"
    own.mkdir()
    ffmpeg("-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "clip.mp4")
    livephoto("convert", "clip.mp4", "-o", ".", "--name", "pair")
    shutil.copy(folder / "clip.mp4", own)
    for name, words in {"hevc.mov": "-c:v libx265 -x265-params log-level=error -tag:v hvc1 -c:a pcm_s16le",
                        "mpeg2.ts": "-c:v mpeg2video -c:a mp2", "vp9.webm": "-c:v libvpx-vp9 -deadline realtime -c:a libopus",
                        "mpeg4.avi": "-c:v mpeg4 -c:a libmp3lame", "prores.mov": "-c:v prores_ks", "picture.png": "-frames:v 1",
                        "picture.webp": "-frames:v 1", "picture.tiff": "-frames:v 1", "moving.gif": "-t 1"}.items():
        ffmpeg(*words.split(), f"own/{name}")
    for extension in ("JPG", "MOV"):
        shutil.copy(folder / f"pair.{extension}", own)
    livephoto("pack", "pair.JPG", "pair.MOV", "--as", "motion-photo", "-o", "own/motion.MP.jpg")
    # libheif may have been built without an encoder.
    run([program, "convert", "clip.mp4", "-o", "own", "--name", "high", "--photo-format", "heic"], cwd=folder,
        stdout=DEVNULL, stderr=DEVNULL)


class Campaign:
    def __init__(self, options: argparse.Namespace, work: Path) -> None:
        self.options, self.work = options, work
        media = work / "media"
        media.mkdir()
        make_media(options.program, media)
        self.media = media
        root = options.folder or media / "own"
        self.files = sorted(path for path in root.rglob("*") if path.is_file() and 0 < path.stat().st_size <= LARGEST_FILE)
        if not self.files:
            sys.exit(f"error: {root} has no file of at most {LARGEST_FILE >> 20} MB; name a folder of clips and photos.")
        self.lock = threading.Lock()
        self.end = time.monotonic() + options.minutes * 60 if options.minutes else None
        self.counts, self.longest, self.largest = Counter[str](), (0.0, -1), (0.0, -1)
        self.failed: list[int] = []
        self.done: set[int] = set()
        options.record.parent.mkdir(parents=True, exist_ok=True)
        head = {"program": program_digest(options.program), "seed": options.seed, "files": [str(path) for path in self.files]}
        self.record = self.read(head)

    def read(self, head: dict[str, object]) -> TextIO:
        """What was tried before with the same program and files; the last line may be incomplete."""
        file = self.options.record
        lines = [json.loads(line) for line in file.read_text().split("\n")[:-1]] if file.exists() else []
        if lines and lines[0] == head and not self.options.fresh:
            for line in lines[1:]:
                self.count(line["case"], Result(*(line[name] for name in Result._fields)))
            return file.open("a", buffering=1)
        record = file.open("w", buffering=1)
        record.write(json.dumps(head) + "\n")
        return record

    def count(self, case: int, result: Result) -> None:
        self.done.add(case)
        self.counts[str(result.status)] += 1
        for mark in ("decoder crash", "takes more processor time", "needs more memory", "was stopped"):
            self.counts[mark] += mark in result.said
        self.longest = max(self.longest, (result.seconds, case))
        self.largest = max(self.largest, (result.megabytes, case))
        if result.wrong:
            self.failed.append(case)

    def line(self, case: int) -> tuple[str, str, bytes]:
        """The command of a case, the name of the damaged file, and its content."""
        chance = random.Random(f"{self.options.seed} {case}")
        path, other = chance.choice(self.files), chance.choice(self.files)
        extension = path.suffix[1:].lower()
        lines = (PHOTO_LINES if extension in PHOTOS else PICTURE_LINES if extension in PICTURES
                 else CLIP_LINES + (MOVIE_LINES if extension in MOVIES else []))
        # Converting reads most of a file.
        line = lines[0] if chance.random() < 0.3 else chance.choice(lines)
        return line, f"damaged{path.suffix}", damaged(chance, path.read_bytes(), other.read_bytes())

    def one(self, case: int) -> None:
        if case in self.done or self.end and time.monotonic() > self.end:
            return
        line, name, content = self.line(case)
        folder = Path(tempfile.mkdtemp(dir=self.work, prefix="case-"))
        try:
            result = self.run(folder, line.format(name), name, content)
            if result.wrong and self.options.keep:
                self.options.keep.mkdir(exist_ok=True)
                (self.options.keep / f"{case}-{name}").write_bytes(content)
        finally:
            shutil.rmtree(folder)
        with self.lock:
            self.count(case, result)
            self.record.write(json.dumps({"case": case, **result._asdict()}) + "\n")
            for wrong in result.wrong:
                print(f"FAILED: case {case}: livephoto {line.format(name)}: {wrong}: {result.said[-300:]!r}", flush=True)

    def run(self, folder: Path, line: str, name: str, content: bytes) -> Result:
        inputs = folder / "in"
        inputs.mkdir()
        temporary = folder / "tmp"
        temporary.mkdir()
        for file in ("clip.mp4", "pair.JPG", "pair.MOV"):
            shutil.copy2(self.media / file, inputs)
        (inputs / name).write_bytes(content)
        before = {path.name: path.read_bytes() for path in inputs.iterdir()}
        limit = [] if line.startswith(("inspect", "extract")) else ["--timeout", f"{LONGEST_WORK}"]
        begin = time.monotonic()
        with Popen([self.options.program, *line.split(), *limit], cwd=inputs, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE,
                   start_new_session=True, env={**os.environ, "TMPDIR": str(temporary)}) as process:
            timer = threading.Timer(LONGEST_RUN, lambda: os.killpg(process.pid, signal.SIGKILL))
            timer.start()
            said = process.stderr.read().decode(errors="replace") if process.stderr else ""
            _, ended, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = status = os.waitstatus_to_exitcode(ended)
        seconds, megabytes = time.monotonic() - begin, usage.ru_maxrss / 1024
        out, wrong = inputs / "out", []
        made = [path for path in [*out.rglob("*"), *inputs.glob("page.html")] if path.is_file()]
        errors = [text for text in said.splitlines() if text.startswith("error:")]
        if status not in STATUSES - {70}:
            wrong.append(f"status {status}")
        if any(f"({trap})" in said for trap in TRAPS):
            wrong.append("the worker trapped")
        # 1: differences that `verify` found. They are printed as results.
        if status not in (0, 1) and len(errors) != 1:
            wrong.append(f"{len(errors)} errors")
        if status not in (0, 1) and made:
            wrong.append(f"{made[0].name} is left")
        if any(path.name.startswith(".") and path.name not in KEPT_FOLDERS for path in folder.rglob("*")) or any(temporary.iterdir()):
            wrong.append("temporary files are left")
        if {path.name: path.read_bytes() for path in inputs.iterdir() if path.is_file() and path.name != "page.html"} != before:
            wrong.append("an input is changed")
        if seconds > LONGEST_RUN:
            wrong.append(f"{seconds:.0f} s")
        if megabytes > MOST_MEMORY:
            wrong.append(f"{megabytes:.0f} MB")
        if status == 0 and line.split()[0] in ("convert", "link", "edit"):
            wrong += self.verified(out, said)
        return Result(status, round(seconds, 2), round(megabytes), said[-500:], wrong)

    def verified(self, out: Path, said: str) -> list[str]:
        checked = run([self.options.program, "verify", out, "--quiet"], capture_output=True, stdin=DEVNULL)
        errors = [line for line in checked.stdout.splitlines() if line.lstrip().startswith(b"error:")]
        # A photo that was given is kept as it is, with a warning.
        if checked.returncode == 0 or CUT_OFF in said and all(b"(photo-whole)" in line for line in errors):
            return []
        return [f"verify rejects what was made: {checked.stdout[-300:]!r}"]

    def report(self) -> int:
        print(f"{len(self.done)} damaged files of {len(self.files)}; by status: "
              + ", ".join(f"{name}: {count}" for name, count in sorted(self.counts.items()) if count))
        print(f"the longest took {self.longest[0]:.1f} s (case {self.longest[1]}), the largest process "
              f"{self.largest[0]:.0f} MB (case {self.largest[1]}); {len(self.failed)} failures")
        return 1 if self.failed else 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda text: Path(text).resolve())
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--only", type=int)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    # Workers that a library crashes leave no images of their memory.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="livephoto-damaged-") as work:
        campaign = Campaign(options, Path(work))
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(campaign.one, [options.only] if options.only is not None else range(options.cases)))
        return campaign.report()


if __name__ == "__main__":
    sys.exit(main())
