"""Runs programs and measures their cost."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


class Failed(Exception):
    """A program failed; the message is one sentence."""


@dataclass(frozen=True)
class Cost:
    """The cost of a process and all its children."""

    wall_seconds: float
    cpu_seconds: float
    # Of the largest process; the kernel reports no sum.
    peak_bytes: int


@dataclass(frozen=True)
class Spread:
    """The results of several runs."""

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
        # Popen.wait does not report resource usage.
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise _failed(command, process.returncode, (folder / "stderr").read_text(errors="replace"))
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def output(command: list[str]) -> str:
    """The output of a command; raises Failed if it does not exit with 0."""
    process = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        check=False)
    if process.returncode != 0:
        raise _failed(command, process.returncode, process.stderr)
    return process.stdout


def _failed(command: list[str], status: int, said: str) -> Failed:
    return Failed(f"{' '.join(command)[:300]} ended with {status}: {said.strip()[-2000:]}")
