"""Runs many commands on one folder at once, and kills some. Scripts/trial together --help says more.

usage: together.py [--minutes N] [--processes N] [--seed N] [--state FILE] PROGRAM
"""
import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from promises import KEPT_FOLDERS, STATUSES

ROUND = 30.0
# Until a command is said to hang, in seconds. Many run at a time.
LONGEST_RUN = 120
# The latest moment of a kill, in seconds: of any command, and of those in place, which take less.
LAST_MOMENT, LAST_MOMENT_IN_PLACE = 3.0, 0.5
KILLED_PART = 0.25
# Without internal errors.
DOCUMENTED = STATUSES - {70}
# Apart from results, which replace files that `link --by-name` would change.
PAIRS = [f"pairs/IMG_{number}" for number in range(4)]
# {p} is a pair at random, {n} a number at random.
IN_PLACE = [
    "link {p}.JPG {p}.MOV --in-place", "unlink {p}.JPG {p}.MOV --in-place", "edit {p}.JPG {p}.MOV --no-audio --in-place",
    "edit {p}.JPG {p}.MOV --still 0.{n} --in-place", "edit {p}.JPG {p}.MOV --exposure 0.{n} --in-place", "undo {p}.JPG", "undo pairs",
]
COMMANDS = [
    *IN_PLACE,
    "link --by-name pairs --in-place", "convert clips/a.mp4 clips/b.mp4 -o made", "convert clips/a.mp4 -o made --name c{n} --force",
    "link {p}.JPG {p}.MOV -o copies --force", "unlink {p}.JPG {p}.MOV -o plain --force",
    "edit {p}.JPG {p}.MOV --start 0.5 -o copies --force", "extract clips/m.MP.jpg -o extracted --force",
    "pack {p}.JPG {p}.MOV --as livp -o packed --force", "pack {p}.JPG {p}.MOV --as pvt -o packed --force",
    "pack {p}.JPG {p}.MOV --as motion-photo -o packed --force", "preview clips/m.MP.jpg -o page.html --force",
    "export {p}.JPG {p}.MOV --as gif -o exported --force", "export clips/m.MP.jpg --as mp4 -o exported --force",
    "frames clips/a.mp4 --count 4 -o sheet.jpg --force", "batch jobs.yaml", "import album -o library",
    "undo --import library", "verify .", "verify {p}.JPG {p}.MOV", "inspect . --json",
]
# After a round, each alone: the folders that it leaves whole.
REPAIRS = [
    "link --by-name pairs --in-place", "convert clips/a.mp4 clips/b.mp4 -o made", "link clips/x.JPG clips/x.MOV -o copies --force",
    "unlink clips/x.JPG clips/x.MOV -o plain --force", "extract clips/m.MP.jpg -o extracted --force",
    "pack clips/x.JPG clips/x.MOV --as livp -o packed --force", "export clips/m.MP.jpg --as gif -o exported --force",
    "preview clips/m.MP.jpg -o page.html --force", "frames clips/a.mp4 --count 4 -o sheet.jpg --force", "batch jobs.yaml",
    "import album -o library",
]


@dataclass
class Running:
    process: subprocess.Popen[bytes]
    line: str
    errors: Path
    start: float
    # When it is killed, and how.
    end: float
    kill: signal.Signals | None


class Bed:
    def __init__(self, program: Path, work: Path, generator: random.Random, one_pair: bool) -> None:
        self.program, self.work, self.generator = program, work, generator
        self.folder, self.master = work / "folder", work / "master"
        self.failures = self.number = 0
        self.statuses: collections.Counter[int] = collections.Counter()
        self.kinds: dict[str, collections.Counter[int]] = {}
        # All are kept busy with one pair, so that each command meets what another one has just begun, or left when it was killed.
        self.commands, self.pairs, self.last_moment = (
            (IN_PLACE, PAIRS[:1], LAST_MOMENT_IN_PLACE) if one_pair else (COMMANDS, PAIRS, LAST_MOMENT))
        self.make_master()

    def make_master(self) -> None:
        clips, album = self.master / "clips", self.master / "album"
        clips.mkdir(parents=True)
        album.mkdir()
        for name, picture in {"a": "testsrc2", "b": "mandelbrot"}.items():
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"{picture}=s=160x120:r=15", "-f", "lavfi", "-i",
                            "sine", "-t", "2", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "5", "-c:a", "aac",
                            clips / f"{name}.mp4"], check=True)
        for path in [*PAIRS, "clips/x"]:
            folder, name = path.split("/")
            self.run(["convert", "clips/a.mp4", "--name", name, "-o", folder], self.master, check=True)
        self.run(["pack", "clips/x.JPG", "clips/x.MOV", "--as", "motion-photo", "-o", "clips/m.MP.jpg"], self.master, check=True)
        for path in [clips / "x.JPG", clips / "x.MOV", clips / "b.mp4", clips / "m.MP.jpg"]:
            shutil.copy2(path, album)
        (self.master / "jobs.yaml").write_text(
            "version: 1\noutput: batch\njobs:\n- input: clips/a.mp4\n- input: clips/b.mp4\n  still: 0.5\n")

    def run(self, words: list[str], folder: Path, check: bool = False) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.program, *words], cwd=folder, capture_output=True, text=True, errors="replace",
                              timeout=LONGEST_RUN, check=check)

    def report(self, what: str) -> None:
        self.failures += 1
        print(f"FAILED: {what}", flush=True)

    def start(self) -> Running:
        self.number += 1
        line = self.generator.choice(self.commands)
        words = line.format(p=self.generator.choice(self.pairs), n=self.generator.randint(1, 9)).split()
        errors = self.work / f"errors{self.number}"
        with open(errors, "wb") as stderr:
            process = subprocess.Popen([self.program, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=stderr)
        kill = None
        if self.generator.random() < KILLED_PART:
            kill = self.generator.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        now = time.monotonic()
        return Running(process, " ".join(words), errors, now,
                       now + (self.generator.uniform(0, self.last_moment) if kill else LONGEST_RUN), kill)

    def is_running(self, one: Running) -> bool:
        status = one.process.poll()
        if status is None and time.monotonic() > one.end:
            if one.kill is None:
                self.report(f"{one.line}: it hangs")
            one.process.send_signal(one.kill or signal.SIGKILL)
            one.kill, one.end = signal.SIGKILL, time.monotonic() + 30
        if status is None:
            return True
        said = one.errors.read_text(errors="replace").strip()
        one.errors.unlink()
        self.statuses[status] += 1
        self.kinds.setdefault(one.line.split()[0], collections.Counter())[status] += 1
        if status not in DOCUMENTED and not (one.kill and status in (-9, -15, 143)):
            self.report(f"{one.line}: status {status}: {said[-400:]!r}")
        elif status > 1 and status != 143 and "error: " not in said:
            self.report(f"{one.line}: status {status} without a sentence: {said[-400:]!r}")
        return False

    def load(self, seconds: float, processes: int) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.master, self.folder)
        end = time.monotonic() + seconds
        running: list[Running] = []
        while running or time.monotonic() < end:
            running = [one for one in running if self.is_running(one)]
            if len(running) < processes and time.monotonic() < end:
                running.append(self.start())
            else:
                time.sleep(0.02)

    def check(self, what: str) -> None:
        """What must hold when all have ended."""
        self.check_processes(what)
        for line in REPAIRS:
            done = self.run(line.split(), self.folder)
            is_there = done.returncode == 73 and "--force" not in line
            # Pairs that were edited or unlinked may be reported.
            if done.returncode not in (0, 1) and not is_there or done.returncode == 1 and "by-name" not in line:
                self.report(f"{what}: afterwards, {line}: status {done.returncode}: {done.stderr[-500:]!r}")
        left = [str(path.relative_to(self.folder)) for path in self.folder.rglob(".livephoto-*") if path.name not in KEPT_FOLDERS]
        if left:
            self.report(f"{what}: left: {left}")
        for name in PAIRS:
            self.check_pair(what, name)
        for folder in ("made", "copies", "extracted", "batch", "library"):
            done = self.run(["verify", folder], self.folder)
            if done.returncode:
                self.report(f"{what}: verify {folder}: {done.returncode}: {done.stdout[-400:]!r} {done.stderr[-200:]!r}")
        if (self.folder / "packed").exists():
            done = self.run(["extract", "packed", "-o", str(self.work / "unpacked"), "--force"], self.folder)
            # A pair that was not linked when it was packed is none.
            if done.returncode not in (0, 1):
                self.report(f"{what}: extract packed: {done.returncode}: {done.stderr[-400:]!r}")
        for page, end in {"page.html": b"</html>\n", "sheet.jpg": b"\xff\xd9"}.items():
            if not (self.folder / page).read_bytes().endswith(end):
                self.report(f"{what}: {page} is not complete")
        self.undo(what)

    def check_processes(self, what: str) -> None:
        """The worker of a killed command ends by itself."""
        deadline = time.monotonic() + 10
        while found := [number for number in os.listdir("/proc") if number.isdigit() and self.is_here(number)]:
            if time.monotonic() > deadline:
                return self.report(f"{what}: processes are left: {found}")
            time.sleep(0.1)

    def is_here(self, number: str) -> bool:
        try:
            return os.readlink(f"/proc/{number}/cwd") == str(self.folder)
        except OSError:
            return False

    def identifier(self, name: str) -> str | None:
        done = self.run(["inspect", name, "--json"], self.folder)
        document = json.loads(done.stdout) if done.returncode == 0 else {}
        return document[document["kind"]].get("contentIdentifier") if document else "unreadable"

    def check_pair(self, what: str, name: str) -> None:
        photo, movie = self.identifier(f"{name}.JPG"), self.identifier(f"{name}.MOV")
        if photo != movie or photo == "unreadable":
            return self.report(f"{what}: {name}: photo and movie have the identifiers {photo} and {movie}")
        done = self.run(["verify", f"{name}.JPG", f"{name}.MOV"], self.folder)
        if photo and done.returncode:
            self.report(f"{what}: {name}: verify: {done.returncode}: {done.stdout[-400:]!r}")

    def undo(self, what: str) -> None:
        for line in ("undo pairs", "undo --import library"):
            done = self.run(line.split(), self.folder)
            # There may be nothing to undo.
            if done.returncode not in (0, 66):
                self.report(f"{what}: afterwards, {line}: {done.returncode}: {done.stderr[-400:]!r}")
        for path in self.master.rglob("*"):
            copy = self.folder / path.relative_to(self.master)
            if path.is_file() and (not copy.exists() or copy.read_bytes() != path.read_bytes()):
                self.report(f"{what}: undone, {path.relative_to(self.master)} is not the old file")
        if rest := [str(path) for path in (self.folder / "library").rglob("*") if path.is_file()]:
            self.report(f"{what}: undone, the library still has {rest}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path)
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    number = int(options.state.read_text()) if options.state and options.state.exists() else 0
    failures = runs = 0
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory(prefix="livephoto-together-") as work:
            bed = Bed(options.program.resolve(), Path(work), random.Random(options.seed * 1_000_000 + number), one_pair=number % 3 == 2)
            bed.load(min(ROUND, max(end - time.monotonic(), 1)), options.processes)
            bed.check(f"round {number}")
        failures += bed.failures
        runs += bed.number
        statuses = ", ".join(f"{status}: {count}" for status, count in sorted(bed.statuses.items()))
        print(f"round {number}: {bed.number} commands; by status: {statuses}; {bed.failures} failures", flush=True)
        number += 1
        if options.state:
            options.state.write_text(f"{number}\n")
    print(f"{runs} commands, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
