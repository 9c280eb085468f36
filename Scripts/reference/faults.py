"""Changes pairs in place under injected faults and kills. Scripts/faults --help says more.

usage: faults.py [--kills N] [--seed N] PROGRAM
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
from dataclasses import dataclass
from pathlib import Path

CALLS = ["write", "pwrite64", "fsync", "rename,renameat,renameat2", "link,linkat", "unlink,unlinkat,rmdir", "ftruncate",
         "fallocate", "chmod,fchmod,fchmodat", "chown,fchown,fchownat", "utimensat", "setxattr", "mkdir,mkdirat", "close"]
ERRORS = ["ENOSPC", "EIO", "EPERM", "EACCES"]
# Until a command is said to hang.
LONGEST_SECONDS = 30
# Upper limit of the calls of one kind that a command makes.
MOST_CALLS = 60
# An edit that is encoded takes longer, so only calls that replace files fail, and it is killed less often.
REPLACING_CALLS = ["rename,renameat,renameat2", "link,linkat", "unlink,unlinkat,rmdir", "fsync"]
REPLACING_ERRORS = ["EIO"]
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
    undo: list[str]
    calls: list[str]
    errors: list[str]
    # Its part of the kills.
    weight: float

    @property
    def is_edit(self) -> bool:
        return self.arguments[0] == "edit"


class Bed:
    """A folder with one pair, and the program that changes it."""

    def __init__(self, program: Path, work: Path) -> None:
        self.program, self.work, self.folder = program, work, work / "bed"
        self.failures = 0
        self.runs = 0

    def run(self, arguments: list[str], prefix: list[str] | None = None) -> int | None:
        """Returns the exit status; None if the command hangs."""
        process = subprocess.Popen(
            [*(prefix or []), str(self.program), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            # strace alone would leave the program.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None

    def set(self, pair: Pair) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for name, (content, modified) in pair.items():
            (self.folder / name).write_bytes(content)
            os.utime(self.folder / name, ns=(modified, modified))

    def read(self) -> Pair:
        """The pair, without the recipe of an edit, which may be missing after a fault."""
        return {path.name: (path.read_bytes(), path.stat().st_mtime_ns)
                for path in sorted(self.folder.iterdir())
                if not path.name.startswith(".") and not path.name.endswith(".edit.yaml")}

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
        found = self.read()
        if status is None:
            return self.report(f"{what}: it hangs")
        if status == 0 and found != operation.new:
            return self.report(f"{what}: status 0, but the pair is not the new one")
        if status > 0 and found != operation.old and (prints or found != operation.new):
            return self.report(f"{what}: status {status}, but the pair is not the old one")
        if undoes:
            self.run(operation.undo)
            if self.read() != operation.old:
                return self.report(f"{what}: undone, the pair is not the old one")
            if operation.is_edit and self.has_recipe():
                return self.report(f"{what}: undone, the recipe of the edit is left")
        else:
            again = self.run(operation.arguments)
            # A pair that is already the new one may get another encoding of the same values.
            is_right = self.read() == operation.new or found == operation.new and self.run(operation.proof) == 0
            if again != 0 or not is_right:
                return self.report(f"{what}: done again, it ends with {again}, or the pair is not the new one")
        if not self.is_clean():
            self.report(f"{what}: something is left in the folder: {sorted(os.listdir(self.folder))}")
        return None

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
        status = self.run(operation.arguments, [
            "strace", "-f", "-y", "-qq", "-o", str(log), "-e", f"trace={calls}", "-e",
            f"inject={calls}:{fault}:when={number}"])
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
            process = subprocess.Popen(
                [str(self.program), *operation.arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, length * 1.1))
            process.send_signal(signal.SIGKILL)
            status = process.wait()
            reached += status < 0
            self.check(operation, f"{operation.name}: kill {number}", status, undoes=number % 2 == 0)
        return reached


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
    made = []
    undo_link = ["link", "--undo", "."]
    undo_edit = ["edit", "--undo", "."]
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
        made.append(Operation(name, arguments, proof, old, bed.read(), undo, *kind))
    return made


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("program", type=Path)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as work:
        bed = Bed(options.program.absolute(), Path(work))
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
