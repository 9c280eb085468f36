"""Changes pairs in place and writes files under injected faults and kills. Scripts/trial faults --help says more.

usage: faults.py [--kills N] [--seed N] [--folder DIR] PROGRAM
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

CALLS = ["write", "pwrite64", "fsync", "rename,renameat,renameat2", "link,linkat", "unlink,unlinkat,rmdir", "ftruncate",
         "fallocate", "chmod,fchmod,fchmodat", "chown,fchown,fchownat", "utimensat", "setxattr", "mkdir,mkdirat", "close"]
ERRORS = ["ENOSPC", "EIO", "EPERM", "EACCES"]
# Exit statuses.
CANNOT_CREATE, IO_ERROR = 73, 74
# Of a pair that another command writes to the folder.
OTHER_NAME = "other"
# Until a command is said to hang: one that may start the worker, and one that does not.
LONGEST_SECONDS = 30
LONGEST_SECONDS_ALONE = 5
# Upper limit of the calls of one kind that a command makes.
MOST_CALLS = 60
# Where nothing that exists changes until all is written: without the calls that also wake threads, which cannot fail.
PUBLISHING_CALLS = [calls for calls in CALLS if calls not in ("write", "close")]
# An edit that is encoded takes longer, so only calls that replace files fail, and it is killed less often.
REPLACING_CALLS = ["rename,renameat,renameat2", "link,linkat", "unlink,unlinkat,rmdir", "fsync"]
REPLACING_ERRORS = ["EIO"]
# A file system without hard links, on which no call moves a file without replacing another.
WITHOUT_LINKS = ["-e", "inject=link,linkat:error=EPERM", "-e", "inject=renameat2:error=EINVAL"]
IDENTIFIER = "01234567-89AB-4CDE-8F01-23456789ABCD"
Pair = dict[str, tuple[bytes, int]]


@dataclass
class Operation:
    name: str
    arguments: list[str]
    # Commands that must exit with 0 for the new pair.
    proof: list[str]
    old: Pair
    new: Pair
    # Nothing for a command that writes new files.
    undo: list[str]
    calls: list[str]
    errors: list[str]
    # Its part of the kills.
    weight: float
    has_links: bool = True
    # Whether it writes one file: after an error of the last flush, that is in its place.
    is_single: bool = False
    longest: float = LONGEST_SECONDS

    @property
    def is_edit(self) -> bool:
        return self.arguments[0] == "edit"


class Bed:
    """A folder with one pair or none, and the program that changes it."""

    def __init__(self, program: Path, work: Path, folder: Path | None) -> None:
        self.program, self.work, self.folder = program, work, (folder or work) / "bed"
        self.failures = 0
        self.runs = 0

    def run(
            self, arguments: list[str], prefix: list[str] | None = None, longest: float = LONGEST_SECONDS) -> int | None:
        """Returns the exit status; None if the command hangs."""
        process = subprocess.Popen(
            [*(prefix or []), str(self.program), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(longest)
        except subprocess.TimeoutExpired:
            # strace alone would leave the program.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None

    def set(self, pair: Pair) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for name, (content, modified) in pair.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_bytes(content)
            if modified:
                os.utime(self.folder / name, ns=(modified, modified))

    def read(self, operation: Operation | None = None) -> Pair:
        """The files, without the recipe of an edit, which may be missing after a fault. New files may have any time."""
        names = {path: str(path.relative_to(self.folder)) for path in sorted(self.folder.rglob("*")) if path.is_file()}
        return {name: (path.read_bytes(), 0 if operation and not operation.undo else path.stat().st_mtime_ns)
                for path, name in names.items()
                if not name.startswith(".livephoto") and not name.endswith(".edit.yaml")}

    def has_recipe(self) -> bool:
        return any(self.folder.glob("*.edit.yaml"))

    def is_clean(self) -> bool:
        return not [path for path in self.folder.iterdir() if path.name.startswith(".livephoto-")
                    and path.name != ".livephoto-undo"]

    def report(self, what: str) -> None:
        self.failures += 1
        print(f"FAILED: {what}", flush=True)

    def check(self, operation: Operation, what: str, status: int | None, undoes: bool, prints: bool = True) -> None:
        """What has to hold after the operation has ended with a status, or was killed (negative).

        prints: whether it could surely print its result. Otherwise it may fail though the pair is the new one.
        """
        self.runs += 1
        found = self.read(operation)
        if status is None:
            return self.report(f"{what}: it hangs")
        if status == 0 and found != operation.new:
            return self.report(f"{what}: status 0, but the result is not the new one")
        is_flushed = prints and not (operation.is_single and status == IO_ERROR)
        if status > 0 and found != operation.old and (is_flushed or found != operation.new):
            return self.report(f"{what}: status {status}, but not everything is as before")
        if not undoes:
            again = self.run(operation.arguments)
            # A pair that is already the new one may get another encoding of the same values.
            is_right = self.read(operation) == operation.new or found == operation.new and self.run(operation.proof) == 0
            is_there = not operation.undo and "--force" not in operation.arguments and again == CANNOT_CREATE
            if again != 0 and not is_there or not is_right:
                return self.report(f"{what}: done again, it ends with {again}, or the result is not the new one")
        elif operation.undo:
            self.run(operation.undo)
            if self.read(operation) != operation.old:
                return self.report(f"{what}: undone, the pair is not the old one")
            if operation.is_edit and self.has_recipe():
                return self.report(f"{what}: undone, the recipe of the edit is left")
        else:
            other = self.run(["link", *map(str, self.plain), "--output", ".", "--name", OTHER_NAME])
            for path in self.folder.glob(OTHER_NAME + ".*"):
                path.unlink()
            if other != 0 or self.read(operation) not in (operation.old, operation.new):
                return self.report(f"{what}: after the next command ({other}), it is neither as before nor the result")
        if not self.is_clean():
            self.report(f"{what}: something is left in the folder: {sorted(os.listdir(self.folder))}")
        return None

    @property
    def plain(self) -> list[Path]:
        return [self.work / "plain" / name for name in ("a.JPG", "a.MOV")]

    @property
    def linked(self) -> list[Path]:
        return [self.work / "linked" / name for name in ("a.JPG", "a.MOV")]

    def inject(self, operation: Operation) -> None:
        for calls in operation.calls:
            for fault in [*(f"error={error}" for error in operation.errors), "signal=KILL"]:
                for number in range(1, MOST_CALLS):
                    # With each way to continue.
                    if not all(self.injected(operation, calls, fault, number, undoes) for undoes in (True, False)):
                        break

    def injected(self, operation: Operation, calls: str, fault: str, number: int, undoes: bool) -> bool:
        """Returns whether such a call occurred and failed."""
        log = self.work / "log"
        self.set(operation.old)
        limits = [] if operation.has_links else WITHOUT_LINKS
        status = self.run(operation.arguments, [
            "strace", "-f", "-y", "-qq", "-o", str(log), "-e", f"trace={calls}", *limits, "-e",
            f"inject={calls}:{fault}:when={number}"], operation.longest)
        marks = ("INJECTED", "killed by SIGKILL")
        lines = [line for line in log.read_text(errors="replace").splitlines() if any(mark in line for mark in marks)]
        if not lines:
            return False
        killed = any("killed by SIGKILL" in line for line in lines)
        # strace splits a call that is interrupted by another thread into two lines; the second has no arguments.
        prints = not any("write(1<" in line or "write resumed" in line for line in lines)
        what = f"{operation.name}: {calls} number {number}: {fault}"
        # Waking a thread by an eventfd cannot fail. A folder whose close fails is closed, but not here, so that it stays locked.
        # Both make the program wait forever.
        if status is None and any("eventfd" in line or f"<{self.folder}>" in line for line in lines):
            return True
        self.check(operation, what, -9 if killed and status is not None else status, undoes, prints)
        return True

    def kill(self, operation: Operation, times: int, moments: random.Random) -> int:
        self.set(operation.old)
        start = time.monotonic()
        self.run(operation.arguments)
        length = time.monotonic() - start
        reached = 0
        for number in range(times):
            self.set(operation.old)
            prefix = [] if operation.has_links else ["strace", "-f", "-qq", "-o", "/dev/null", *WITHOUT_LINKS]
            process = subprocess.Popen(
                [*prefix, str(self.program), *operation.arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(moments.uniform(0, length * (1.1 if operation.has_links else 3)))
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            status = process.wait()
            reached += status < 0
            self.check(operation, f"{operation.name}: kill {number}", status, undoes=number % 2 == 0)
        return reached


def publishing(bed: Bed, clip: Path) -> list[Operation]:
    """The commands that write new files, with and without files that they replace, and with and without hard links."""
    photo, movie = map(str, bed.linked)
    to = ["--output", "."]
    pair = ["a.JPG", "a.MOV"]
    commands: list[tuple[str, list[str], list[str], bool]] = [
        ("link", ["link", *map(str, bed.plain), *to, "--id", IDENTIFIER], pair, False),
        ("unlink", ["unlink", photo, movie, *to], pair, False),
        ("edit", ["edit", photo, movie, *to, "--keep-id", "--end", "1.5", "--still", "0.5"], pair, False),
        ("extract", ["extract", str(bed.work / "packed" / "a.livp"), *to], pair, False),
        ("pack", ["pack", photo, movie, *to, "--as", "livp"], ["a.livp"], True),
        ("pack, a folder", ["pack", photo, movie, *to, "--as", "pvt"], ["a.pvt/a.JPG"], False),
        ("preview", ["preview", photo, movie, "--output", "a.html"], ["a.html"], True),
        ("convert", ["convert", str(clip), *to, "--name", "a", "--id", IDENTIFIER], pair, False),
        ("export", ["export", photo, movie, "--as", "gif", "--output", "a.gif"], ["a.gif"], True),
    ]
    made = []
    for name, arguments, replaced, is_single in commands:
        starts_worker = name in ("convert", "export")
        for old in [{}, {file: (b"old " + file.encode(), 0) for file in replaced}]:
            command = arguments + (["--force"] if old else [])
            bed.set(old)
            if bed.run(command) != 0:
                sys.exit(f"{name} fails where nothing goes wrong: {' '.join(command)}")
            operation = Operation(
                name + (", replacing" if old else ""), command, ["inspect", "."], old, {}, [], PUBLISHING_CALLS, ["EIO"],
                0.1 if starts_worker else 0.5, is_single=is_single,
                longest=LONGEST_SECONDS if starts_worker else LONGEST_SECONDS_ALONE)
            operation.new = bed.read(operation)
            if starts_worker:
                operation.calls = REPLACING_CALLS
            made.append(operation)
            calls = [kind.replace(",renameat2", "") for kind in operation.calls if not kind.startswith("link")]
            made.append(replace(operation, name=f"{operation.name}, without links", calls=calls, has_links=False))
    return made


def operations(bed: Bed) -> list[Operation]:
    """The operations, each with the pair before and after a run without faults."""
    clip = bed.work / "clip.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15:duration=2", "-c:v",
         "libx264", "-pix_fmt", "yuv420p", str(clip)], check=True)
    bed.set({})
    names = ["a.JPG", "a.MOV"]
    if bed.run(["convert", str(clip), "--name", "a", "--id", IDENTIFIER]) != 0:
        sys.exit(f"{bed.program} cannot convert a clip")
    for name in names:
        os.utime(bed.folder / name, ns=(10**18 + 123_456_789, 10**18 + 123_456_789))
    linked = bed.read()
    if bed.run(["unlink", *names, "--in-place"]) != 0:
        sys.exit(f"{bed.program} cannot part a pair")
    plain = bed.read()
    movie_linked = {"a.JPG": plain["a.JPG"], "a.MOV": linked["a.MOV"]}
    for folder, pair in (("linked", linked), ("plain", plain)):
        (bed.work / folder).mkdir()
        for name, (content, _) in pair.items():
            (bed.work / folder / name).write_bytes(content)
    if bed.run(["pack", *map(str, bed.linked), "--as", "livp", "--output", str(bed.work / "packed")]) != 0:
        sys.exit(f"{bed.program} cannot pack a pair")
    made = publishing(bed, clip)
    undo_link = ["undo", "."]
    undo_edit = ["undo", "."]
    for name, arguments, proof, old, undo in [
        ("link", ["link", *names, "--in-place", "--still", "0.5", "--id", IDENTIFIER], ["verify", *names], plain,
         undo_link),
        ("unlink", ["unlink", *names, "--in-place"], ["inspect", *names], linked, undo_link),
        ("link --by-name", ["link", "--by-name", ".", "--in-place"], ["verify", *names], movie_linked, undo_link),
        ("edit", ["edit", *names, "--in-place", "--still", "0.5", "--end", "1.5"], ["verify", *names], linked, undo_edit),
        ("edit, encoded", ["edit", *names, "--in-place", "--exposure", "0.5"], ["verify", *names], linked, undo_edit),
    ]:
        bed.set(old)
        if bed.run(arguments) != 0:
            sys.exit(f"{name} fails where nothing goes wrong")
        kind = (REPLACING_CALLS, REPLACING_ERRORS, 0.1) if "encoded" in name else (CALLS, ERRORS, 1)
        operation = Operation(name, arguments, proof, old, bed.read(), undo, *kind)
        calls = [kind.replace(",renameat2", "") for kind in operation.calls if not kind.startswith("link")]
        made += [operation, replace(operation, name=f"{name}, without links", calls=calls, errors=["EIO"], has_links=False)]
    return made


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("program", type=Path)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as work:
        bed = Bed(options.program.absolute(), Path(work), options.folder)
        reached = 0
        tried = operations(bed)
        for operation in tried:
            bed.inject(operation)
        injected = bed.runs
        kills = 0
        for operation in tried:
            count = max(int(options.kills * operation.weight / sum(other.weight for other in tried)), 1)
            reached += bed.kill(operation, count, moments)
            kills += count
    print(f"{injected} injected faults, {kills} kills ({reached} before the end): {bed.failures} failed")
    sys.exit(1 if bed.failures else 0)


if __name__ == "__main__":
    main()
