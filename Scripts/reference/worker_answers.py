"""Lets a worker lie, one value at a time. Scripts/trial worker-answers --help says more.

usage: worker_answers.py [--jobs N] [--every N] [--only TEXT] PROGRAM
"""
import argparse
import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from worker_doubles import REPLAYER, recorder

# Until a command is said to hang.
LONGEST_SECONDS = 20
# sysexits.h, as Documentation/Commands.md lists them; 1 is that of several files and of doctor.
STATUSES = {0, 1, 64, 65, 66, 69, 70, 73, 74, 75}
LONG_TEXT = 10_000_000
MANY = 1_000_000
IDENTIFIER = re.compile(rb"[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}")


@dataclass(frozen=True)
class Raw:
    """A value that is written as it is, because Python's JSON would not write it so."""
    text: str


VALUES: list[tuple[str, object]] = [
    ("0", 0), ("-1", -1), ("1", 1), ("Int.max", 2**63 - 1), ("Int.min", -2**63), ("2^63", 2**63), ("2^53+1", 2**53 + 1),
    ("1e308", Raw("1e308")), ("1e999", Raw("1e999")), ("-1e308", Raw("-1e308")), ("1e-320", Raw("1e-320")),
    ("1.5", 1.5), ("NaN", Raw("NaN")), ("'NaN'", "NaN"), ("''", ""), ("a command", "1; rm -rf ~ #"), ("a path", "/etc/passwd"),
    ("control characters", "\x1b[2J\x00\r\n\u202e"), ("marks", "e" + "\u0301" * 100_000), ("long text", "x" * LONG_TEXT),
    ("null", None), ("true", True), ("{}", {}), ("[]", []), ("many", Raw("[" + "0," * (MANY - 1) + "0]")),
]

@dataclass
class Command:
    name: str
    arguments: list[str]
    answers: list[bytes] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    status: int = 0
    created: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Lie:
    """An answer to the call of this number, with one value changed."""
    call: int
    place: str
    value: str
    # Made when it is told: all together would take gigabytes.
    answer: Callable[[], bytes]


def commands() -> list[Command]:
    pair, exports = ["pair/beach.JPG"], ["mp4", "gif", "webp", "avif", "jpeg", "frames"]
    listed = [
        Command("convert", ["convert", "beach.mp4", "-o", "out"]),
        Command("convert --json", ["convert", "beach.mp4", "-o", "out", "--json", "--progress", "json"]),
        Command("convert --dry-run", ["convert", "beach.mp4", "-o", "out", "--dry-run"]),
        Command("convert --still auto", ["convert", "beach.mp4", "-o", "out", "--still", "auto", "--dry-run"]),
        Command("convert --photo", ["convert", "beach.mp4", "-o", "out", "--photo", "mine.jpg"]),
        Command("convert of two clips", ["convert", "beach.mp4", "pool.mp4", "-o", "out", "--jobs", "1"]),
        Command("frames", ["frames", "beach.mp4", "-o", "out.jpg", "--count", "3"]),
        Command("frames as a page", ["frames", "beach.mp4", "-o", "out.html", "--count", "3"]),
        Command("frames --suggest", ["frames", "beach.mp4", "--suggest", "2"]),
        Command("frames --json", ["frames", "beach.mp4", "--count", "2", "--json"]),
        Command("edit --exposure", ["edit", *pair, "--exposure", "0.3", "-o", "out"]),
        Command("edit --new-key-photo", ["edit", *pair, "--new-key-photo", "--still", "0.3", "-o", "out"]),
        Command("edit --still auto", ["edit", *pair, "--still", "auto", "-o", "out"]),
        *(Command(f"export --as {name}", ["export", *pair, "--as", name, "--size", "160", "-o", f"out.{name}"])
          for name in exports),
        Command("export --dry-run", ["export", *pair, "--as", "gif", "-o", "out.gif", "--dry-run", "--json"]),
        Command("preview", ["preview", "modern/beach.MOV", "-o", "out.html"]),
        Command("verify --pixels", ["verify", *pair, "pair/beach.MOV", "--pixels"]),
        Command("verify --json", ["verify", *pair, "pair/beach.MOV", "--pixels", "--json"]),
        Command("pack", ["pack", "modern/beach.MOV", "--as", "motion-photo", "--photo-format", "jpeg", "--video-format",
                         "h264", "-o", "out.MP.jpg"]),
        Command("link", ["link", "plain.jpg", "plain.mov", "--find-still", "-o", "out"]),
        Command("batch", ["batch", "jobs.yaml", "--jobs", "1", "--retry", "0"]),
        Command("report", ["report", "done", "--html", "out.html"]),
        Command("doctor", ["doctor"]),
    ]
    return listed


class Bed:
    """A folder with inputs, and a copy of the program beside a worker that lies."""

    def __init__(self, program: Path, samples: Path, folder: Path) -> None:
        self.home, self.samples, self.folder = folder / "program", samples, folder / "bed"
        self.original: frozenset[str] = frozenset()
        for name in ["calls", "answers"]:
            (self.home / name).mkdir(parents=True)
        shutil.copy2(program, self.home / "livephoto")
        self.reset()

    def install(self, worker: str) -> None:
        path = self.home / "livephoto-media"
        path.write_text(worker)
        path.chmod(0o755)

    def reset(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.samples, self.folder, copy_function=os.link)
        shutil.rmtree(self.home / "calls")
        (self.home / "calls").mkdir()

    def contents(self) -> frozenset[str]:
        return frozenset(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def run(self, arguments: list[str]) -> tuple[int | None, bytes, bytes]:
        process = subprocess.Popen(
            [str(self.home / "livephoto"), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            output, errors = process.communicate(timeout=LONGEST_SECONDS)
            return process.returncode, output, errors
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, b"", b""

    def record(self, command: Command, worker: Path) -> None:
        for path in (self.home / "answers").iterdir():
            path.unlink()
        self.reset()
        self.original = self.contents()
        self.install(recorder(str(worker)))
        command.status, _, errors = self.run(command.arguments)
        if command.status != 0:
            sys.exit(f"error: {command.name} ended with {command.status}: {errors.decode()}")
        command.created = self.contents() - self.original
        command.files = {path.name: path.read_bytes() for path in (self.home / "answers").iterdir()}
        command.answers = [command.files[str(number)] for number in range(len(os.listdir(self.home / "calls")))]
        if not command.answers:
            sys.exit(f"error: {command.name} does not start the worker")

    def prepare(self, command: Command) -> None:
        self.reset()
        self.original = self.contents()
        shutil.rmtree(self.home / "answers")
        (self.home / "answers").mkdir()
        for name, content in command.files.items():
            (self.home / "answers" / name).write_bytes(content)
        self.install(REPLAYER)

    def judge(self, command: Command, lie: Lie | None) -> str | None:
        """Runs a command whose worker tells a lie; returns what is wrong with its end."""
        if lie:
            (self.home / "answers" / str(lie.call)).write_bytes(lie.answer())
        shutil.rmtree(self.home / "calls")
        (self.home / "calls").mkdir()
        status, output, errors = self.run(command.arguments)
        created = self.contents() - self.original
        if created:
            self.reset()
        if lie:
            (self.home / "answers" / str(lie.call)).write_bytes(command.answers[lie.call])
        if status is None:
            return f"hangs for {LONGEST_SECONDS} s"
        if status < 0:
            return f"ended by {signal.Signals(-status).name}: {errors[:300].decode(errors='replace')}"
        if status not in STATUSES:
            return f"undocumented status {status}"
        if any("/.livephoto" in f"/{name}" and name not in command.created for name in created):
            return f"left behind: {sorted(created)}"
        if not created <= command.created:
            return f"created {sorted(created - command.created)}"
        if status == 0 and created != command.created:
            return f"status 0 without {sorted(command.created - created)}"
        if status not in (0, 1) and command.arguments[0] not in ("batch",) and created - {"out"}:
            return f"status {status}, but created {sorted(created)}"
        if status not in (0, 1) and not errors.strip():
            return f"status {status} without a word"
        if status > 1 and errors.count(b"error:") != 1:
            return f"{errors.count(b'error:')} errors: {errors[:300].decode(errors='replace')}"
        if re.search(rb"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]", errors):
            return "control characters in what it says"
        if b"rm -rf" in output and b"--still" in output:
            return "a command to copy that is not a time"
        return None


def text(value: object) -> str:
    """JSON, with raw values as they are."""
    raws: list[str] = []

    def mark(part: object) -> object:
        if isinstance(part, Raw):
            raws.append(part.text)
            return f"\ue000{len(raws) - 1}\ue000"
        if isinstance(part, dict):
            return {key: mark(item) for key, item in part.items()}
        return [mark(item) for item in part] if isinstance(part, list) else part

    marked = json.dumps(mark(value), separators=(",", ":"), ensure_ascii=False)
    return re.sub("\"\ue000([0-9]+)\ue000\"", lambda match: raws[int(match[1])], marked)


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The paths of all values, of arrays only those of the first and last element."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, part in value.items():
            found += places(part, (*path, key))
    elif isinstance(value, list):
        for index in sorted({0, len(value) - 1} if value else set()):
            found += places(value[index], (*path, index))
    return found


def changed(event: dict, path: tuple[object, ...], change) -> dict:
    event = copy.deepcopy(event)
    part = event
    for key in path[:-1]:
        part = part[key]
    change(part, path[-1])
    return event


def lies(command: Command) -> list[Lie]:
    found = []
    for call, answer in enumerate(command.answers):
        lines = [line for line in answer.split(b"\n") if line]
        seen: set[str] = set()
        for index, line in enumerate(lines):
            event = json.loads(line)
            # One event of progress is like another.
            kind = next(iter(event))
            if kind in seen:
                continue
            seen.add(kind)

            def add(path: tuple[object, ...], name: str, change, index=index, event=event, lines=lines) -> None:
                def answer() -> bytes:
                    new = text(changed(event, path, change)).encode()
                    return b"\n".join([*lines[:index], new, *lines[index + 1:]]) + b"\n"

                found.append(Lie(call, ".".join(str(key) for key in path), name, answer))

            for path in places(event):
                for name, value in VALUES:
                    add(path, name, lambda part, key, value=value: part.__setitem__(key, value))
                add(path, "missing", lambda part, key: part.__delitem__(key))
                add(path, "another key", lambda part, key: part.update({"surplus": 1}) if isinstance(part, dict) else None)
                old = event
                for key in path:
                    old = old[key]
                if isinstance(old, list) and old:
                    add(path, "many of the same", lambda part, key: part.__setitem__(
                        key, Raw("[" + ",".join([text(part[key][0])] * 30_000) + "]")))
                if isinstance(old, (int, float)) and not isinstance(old, bool):
                    for name, near in [("negated", -old), ("plus 1", old + 1), ("minus 1", old - 1), ("doubled", old * 2)]:
                        add(path, name, lambda part, key, near=near: part.__setitem__(key, near))
    return found


def make_samples(program: Path, folder: Path) -> None:
    def run(*arguments: object) -> None:
        subprocess.run([str(argument) for argument in arguments], cwd=folder, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=15:duration=1"]
    sound = ["-f", "lavfi", "-i", "sine=duration=1"]
    run("ffmpeg", "-v", "error", *source, *sound, "-pix_fmt", "yuv420p", "-metadata", "make=Maker", "-metadata",
        "creation_time=2024-05-06T07:08:09Z", "-metadata", "location=+35.7143+139.7963/", "beach.mp4")
    shutil.copy(folder / "beach.mp4", folder / "pool.mp4")
    run("ffmpeg", "-v", "error", *source, "-frames:v", "1", "mine.jpg")
    run(program, "convert", "beach.mp4", "-o", "pair")
    run(program, "convert", "beach.mp4", "-o", "modern", "--preset", "modern")
    run(program, "unlink", "pair/beach.JPG", "-o", "plain")
    for name in (folder / "plain").iterdir():
        name.rename(folder / f"plain{name.suffix.lower()}")
    (folder / "plain").rmdir()
    (folder / "jobs.yaml").write_text("version: 1\noutput: out\njobs:\n- input: beach.mp4\n")
    (folder / "done.yaml").write_text("version: 1\noutput: done\njobs:\n- input: beach.mp4\n")
    run(program, "batch", "done.yaml")
    (folder / "done.yaml").unlink()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("program", type=Path)
    options = parser.parse_args()
    program = options.program.resolve()
    worker = next(path for path in [program.parent.parent / "libexec/livephoto/livephoto-media",
                                    program.parent / "livephoto-media"] if path.exists())
    total = failures = 0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        samples = work / "samples"
        samples.mkdir()
        make_samples(program, samples)
        beds = [Bed(program, samples, work / f"bed{index}") for index in range(options.jobs)]
        for command in commands():
            if options.only not in command.name:
                continue
            began = time.monotonic()
            beds[0].record(command, worker)
            for bed in beds:
                bed.prepare(command)
            truth = beds[0].judge(command, None)
            if truth:
                sys.exit(f"error: {command.name} with the recorded answers: {truth}")
            told = lies(command)[::options.every]

            def work_through(index: int) -> list[tuple[Lie, str]]:
                wrong = []
                for lie in told[index::len(beds)]:
                    problem = beds[index].judge(command, lie)
                    if problem:
                        wrong.append((lie, problem))
                return wrong

            with ThreadPoolExecutor(len(beds)) as pool:
                found = [each for part in pool.map(work_through, range(len(beds))) for each in part]
            for lie, problem in found:
                print(f"{command.name}, call {lie.call}, {lie.place} = {lie.value}: {problem}", flush=True)
            total += len(told)
            failures += len(found)
            print(f"{command.name}: {len(told)} answers, {len(found)} failures, {time.monotonic() - began:.0f} s",
                  file=sys.stderr, flush=True)
    print(f"{total} answers, {failures} failures")
    sys.exit(1 if failures else 0)


main()
