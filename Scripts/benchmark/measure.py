"""Runs whole programs and says what they cost."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


class Failed(Exception):
    """A program that did not do its work; the message is one sentence for a person."""


@dataclass(frozen=True)
class Cost:
    """What a process and all its children took."""

    wall_seconds: float
    cpu_seconds: float
    # Of the largest single process: the kernel counts no others.
    peak_bytes: int


@dataclass(frozen=True)
class Spread:
    """What several runs gave."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: list[float]) -> "Spread":
        return cls(statistics.median(values), min(values), max(values))


def run(command: list[str], folder: Path) -> Cost:
    """Runs a command in a folder, where `stdout` and `stderr` keep what it prints; raises Failed if it does not end
    with 0."""
    began = time.perf_counter()
    with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
        # Not Popen.wait: it tells nothing of the resources.
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise _failed(command, process.returncode, (folder / "stderr").read_text(errors="replace"))
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def output(command: list[str]) -> str:
    """What a command prints; raises Failed if it does not end with 0."""
    process = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        check=False)
    if process.returncode != 0:
        raise _failed(command, process.returncode, process.stderr)
    return process.stdout


def _failed(command: list[str], status: int, said: str) -> Failed:
    return Failed(f"{' '.join(command)[:300]} ended with {status}: {said.strip()[-2000:]}")
