"""A folder in which one command at a time runs with a fault, and what has to hold then."""
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from fault_calls import KILL, injected, is_impossible, strace
from fault_case import COMPLETE, IDENTIFIER, RANDOM, Case, Expected, NothingWorks, Outcome, State, without_numbers
from fault_check import Check
from fault_commands import Command
from fault_systems import FileSystem
from promises import KEPT_FOLDERS

# Until a command is said to hang.
LONGEST_SECONDS = 30


class Bed:
    def __init__(self, program: Path, media: Path, system: FileSystem, name: str, work: Path) -> None:
        self.program, self.media, self.system = program, media, system
        self.folder = system.folder / name
        self.own = work / f"{system.folder.name}-{name}"
        self.own.mkdir()
        self.log = self.own / "log"
        self.environment = dict(
            os.environ, XDG_STATE_HOME=str(self.own / "state"), XDG_CONFIG_HOME=str(self.own / "none"),
            TMPDIR=str(self.own / "temporary"), LIVEPHOTO_CONFIG="")
        (self.own / "temporary").mkdir()

    def arguments(self, arguments: list[str]) -> list[str]:
        return [str(self.program), *(re.sub("^MEDIA/", f"{self.media}/", argument) for argument in arguments)]

    def start(self, arguments: list[str], prefix: list[str], reads_clip: bool = False) -> "subprocess.Popen[bytes]":
        with open(self.media / "clip.mp4" if reads_clip else os.devnull, "rb") as source:
            return subprocess.Popen(
                [*prefix, *self.arguments(arguments)], cwd=self.folder, stdin=source, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=self.environment, start_new_session=True)

    def run(self, arguments: list[str], prefix: list[str] | None = None, reads_clip: bool = False) -> int | None:
        """Returns the exit status; None if the command hangs."""
        process = self.start(arguments, prefix or [], reads_clip)
        try:
            return process.wait(LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            # strace alone would leave the program.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None

    def run_with(self, command: Command, prefix: list[str] | None = None) -> int | None:
        return self.run(command.arguments, prefix, command.reads_clip)

    def set(self, command: Command) -> None:
        """Makes the files that are there before a command."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.folder.exists():
            # FUSE's FAT sometimes keeps a folder that was just emptied.
            self.folder = self.folder.with_name(self.folder.name + "x")
        shutil.rmtree(self.own / "state", ignore_errors=True)
        self.folder.mkdir()
        # Not all file systems have permissions and times for folders, which copytree would set.
        for path in sorted((self.media / command.old).rglob("*")) if command.old else []:
            place = self.folder / path.relative_to(self.media / command.old)
            place.mkdir() if path.is_dir() else shutil.copyfile(path, place)
        for name in command.replaced:
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(f"old {name}")
        if command.undo or command.before:
            for path in self.files().values():
                os.utime(path, ns=(10**18 + 123_456_789, 10**18 + 123_456_789))
        if command.has_key:
            # What makes the user's key.
            shutil.copytree(self.media / "key", self.own / "state", copy_function=shutil.copy2)
        for arguments in command.before:
            if self.run(arguments) != 0:
                raise NothingWorks(f"where nothing goes wrong, livephoto {' '.join(arguments)} fails")

    def read(self, command: Command) -> State:
        """The files, without the recipe of an edit, which may be missing after a fault."""
        has_times = bool(command.undo) and self.system.has_times
        state = {name: (self.content(path, name in command.volatile, command.has_new_identifiers),
                       path.stat().st_mtime_ns if has_times else 0)
                for name, path in self.files().items()
                if not name.startswith(".livephoto") and "/.livephoto" not in name and not name.endswith(".edit.yaml")}
        return without_numbers(state) if command.has_numbers else state

    def files(self) -> dict[str, Path]:
        return {str(path.relative_to(self.folder)): path for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def content(self, path: Path, is_volatile: bool, has_new_identifiers: bool) -> str:
        content = path.read_bytes()
        if has_new_identifiers:
            content = IDENTIFIER.sub(b"", content)
        digest = hashlib.sha256(content).hexdigest()
        if not is_volatile or content == b"old " + str(path.relative_to(self.folder)).encode():
            return digest
        if path.suffix == ".jsonl":
            for line in content.splitlines():
                json.loads(line)
        ends = b"</html>\n" if path.suffix == ".html" else b"\n"
        return COMPLETE if content.endswith(ends) else f"incomplete {digest}"

    def leftovers(self, makes_key: bool = True) -> list[str]:
        """What a run has left: its hidden folders and files, also those in records and, if it makes one, beside the key."""
        hidden = [name for name, path in ((str(path.relative_to(self.folder)), path) for path in self.folder.rglob("*"))
                  if path.name.startswith(".livephoto-") and path.name not in KEPT_FOLDERS or path.name.startswith("unfinished")]
        return hidden + [path.name for path in (self.own / "temporary").iterdir()] + [
            path.name for path in (self.own / "state").rglob("key-*") if makes_key]

    def expected(self, command: Command) -> Expected:
        """The files before and after a run without faults."""
        self.set(command)
        old = self.read(command)
        start = time.monotonic()
        if (status := self.run_with(command)) != 0:
            raise NothingWorks(f"it ends with {status} where nothing goes wrong")
        seconds = time.monotonic() - start
        if left := self.leftovers():
            raise NothingWorks(f"where nothing goes wrong, something is left: {', '.join(left)}")
        return Expected(old, self.read(command), seconds)

    def try_case(self, case: Case, command: Command, expected: Expected, seed: int) -> Outcome:
        self.set(command)
        if case.kind == RANDOM:
            status, lines = self.kill(case, command, expected, seed), []
            if status is not None and status >= 0:
                return Outcome("not reached", status)
        else:
            status = self.run_with(command, strace(self.log, case.kind, case.fault, case.number, self.system.has_links))
            lines = injected(self.log, self.system.has_links)
            if not lines:
                return Outcome("not reached", status)
            if is_impossible(lines, case.fault):
                return Outcome("impossible", status)
            # A folder whose close fails is closed, but not here, so that it stays locked, and others wait for it.
            if status is None and case.kind == "close" and case.fault != KILL:
                return Outcome("impossible", status)
        wrong = Check(self, case, command, expected).after(status, lines)
        return Outcome(wrong or "ok", status)

    def kill(self, case: Case, command: Command, expected: Expected, seed: int) -> int | None:
        prefix = [] if self.system.has_links else strace(self.log, None, "", 0, False)
        process = self.start(command.arguments, prefix, command.reads_clip)
        time.sleep(random.Random(f"{seed} {case}").uniform(0, expected.seconds * (1 if self.system.has_links else 2)))
        if self.system.has_links:
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
            # strace may end before what it traces, whose locks the next command would find.
            process.wait()
            time.sleep(0.2)
        return process.wait()
