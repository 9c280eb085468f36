"""The unusual machines of Scripts/trial machines: how each is made, and which statuses may follow."""
import os
import resource
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterator

from machine_commands import LONGEST_NAME

MIB = 1 << 20
USAGE, UNUSABLE, NO_INPUT, UNAVAILABLE, CANNOT_CREATE, IO_ERROR = 64, 65, 66, 69, 73, 74
# Of a program that lacks memory; it may succeed, too.
LACK_OF_MEMORY = {0, 1, UNUSABLE, UNAVAILABLE, 75}
FULL_DISK = {0, 1, CANNOT_CREATE, IO_ERROR}
SIZE_OF_DISK = 8 * MIB


@dataclass
class Condition:
    name: str
    # The statuses of commands that write, and of those that only read.
    writing: set[int] = field(default_factory=lambda: {0})
    reading: set[int] = field(default_factory=lambda: {0})
    prefix: list[str] = field(default_factory=list)
    # Runs in the child before the program starts.
    prepare: Callable[[], None] | None = None
    # Replaces the environment.
    environment: dict[str, str] | None = None
    variables: dict[str, str] = field(default_factory=dict)
    closed: tuple[int, ...] = ()
    # Mounts a file system over the folder of the case, which has its inputs already.
    disk: str = ""
    free: int = 0
    # Of the files; a character for the kind of each comes first.
    stem: bytes = b""
    has_folder: bool = True
    # Moves the clock by this many seconds while a command runs.
    step: int = 0
    # Commands whose output exists on such a machine.
    occupied: tuple[str, ...] = ()
    # Programs without which this condition is left out.
    needs: tuple[str, ...] = ()
    # Commands that may reject such files with status 1.
    rejecting: tuple[str, ...] = ()


def limit(kind: int, value: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (value, value))


def closed_streams() -> list[Condition]:
    result = []
    for number in range(1, 8):
        streams = tuple(stream for stream in range(3) if number >> stream & 1)
        statuses = {0, IO_ERROR} if 1 in streams else {0}
        result.append(Condition("closed: " + ", ".join(("stdin", "stdout", "stderr")[stream] for stream in streams),
                                closed=streams, writing=statuses, reading=statuses))
    return result


def locales() -> list[Condition]:
    return [Condition(f"LC_ALL={name:.20}", variables={"LC_ALL": name})
            for name in ("C", "POSIX", "C.UTF-8", "tr_TR.UTF-8", "xx_XX", "/../..", "de_DE@" + 300 * "x")]


def disks() -> list[Condition]:
    full = [Condition(f"disk with {free >> 10} KiB free", disk="small", free=free, writing=FULL_DISK, reading={0})
            for free in (0, 4096, 16384, 65536, 131072, 262144)]
    return full + [
        Condition("folder that cannot be written", disk="readonly", writing={1, CANNOT_CREATE}),
        Condition("exFAT", disk="exfat", occupied=("convert, other case",), needs=("mkfs.exfat", "mount.exfat-fuse")),
        Condition("overlay", disk="overlay"),
    ]


def clocks() -> list[Condition]:
    # Files keep their real times.
    base = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
    return [
        Condition("clock at 1969", prefix=["faketime", "-f", "@1969-12-31 00:00:00"], variables=base, needs=("faketime",)),
        Condition("clock at 2150", prefix=["faketime", "-f", "@2150-01-01 00:00:00"], variables=base, needs=("faketime",)),
        Condition("clock steps back a day", prefix=["faketime", "-f", "+0"], step=-86400, variables=base, needs=("faketime",)),
        Condition("clock steps forward a year", prefix=["faketime", "-f", "+0"], step=31536000, variables=base,
                  needs=("faketime",)),
    ]


def names() -> list[Condition]:
    return [
        # Some commands make longer names of it, or names for the time being.
        Condition("names of 255 bytes", stem=b"x" * LONGEST_NAME, writing={0, CANNOT_CREATE}),
        Condition("names of 255 bytes, 3 a character", stem="あ".encode() * 85, writing={0, CANNOT_CREATE}),
        Condition("names that are not UTF-8", stem=b"\xff\xfe \xe4", rejecting=("batch",)),
        Condition("names with newlines", stem=b"a\nerror: b\r\n", rejecting=("batch",)),
        Condition("names with quotes and signs", stem=b"'\"$(id)`*?[a]{b}\\%s<i>&;#|~"),
        Condition("names with marks", stem="e\u0301\u202e\u200f👨‍👩‍👧 İıß".encode(), rejecting=("batch",)),
    ]


CONDITIONS = [
    Condition("ordinary"),
    Condition("1 MiB of stack", prepare=limit(resource.RLIMIT_STACK, MIB)),
    Condition("512 MiB of data", prepare=limit(resource.RLIMIT_DATA, 512 * MIB), writing=LACK_OF_MEMORY, reading=LACK_OF_MEMORY),
    Condition("512 MiB of addresses", prepare=limit(resource.RLIMIT_AS, 512 * MIB), writing=LACK_OF_MEMORY,
              reading=LACK_OF_MEMORY),
    Condition("files of at most 32 KiB", prepare=limit(resource.RLIMIT_FSIZE, 32768), writing=FULL_DISK),
    Condition("one core", prepare=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})),
    Condition("umask 077", prepare=lambda: os.umask(0o077) and None),
    Condition("umask 777", prepare=lambda: os.umask(0o777) and None),
    Condition("no variables", environment={}),
    Condition("no home, odd terminal", variables={"HOME": "/proc/none/\xe9", "TERM": "x" * 200, "XDG_CONFIG_HOME": "relative"},
              # There is no place for the key of journals.
              writing={0, CANNOT_CREATE, UNUSABLE}),
    Condition("current folder is gone", has_folder=False),
    *closed_streams(), *locales(), *disks(), *clocks(), *names(),
]


def missing(condition: Condition) -> str | None:
    return next((program for program in condition.needs
                 if not shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")), None)


def call(*arguments: str | Path) -> str:
    return subprocess.run([str(argument) for argument in arguments], check=True, capture_output=True, text=True).stdout.strip()


def fill(folder: Path, free: int) -> None:
    """Leaves so many bytes of a disk."""
    with open(folder / "filler", "wb", buffering=0) as file:
        while (space := os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize) > free:
            file.write(bytes(min(space - free, MIB)))


@contextmanager
def mounted(condition: Condition, folder: Path, spare: Path, complete: Callable[[], None]) -> Iterator[None]:
    """Has the folder with its files on a disk of the condition.

    complete: is called when the files are there and can still be changed.
    """
    device = None
    if condition.disk == "readonly":
        complete()
        call("mount", "--bind", "-o", "ro", folder, folder)
        call("mount", "-o", "remount,bind,ro", folder)
    elif condition.disk:
        lower = spare / "lower"
        shutil.rmtree(spare, ignore_errors=True)
        spare.mkdir()
        folder.rename(lower)
        folder.mkdir()
        if condition.disk == "overlay":
            (spare / "upper").mkdir()
            (spare / "work").mkdir()
            call("mount", "-t", "overlay", "overlay", "-o", f"lowerdir={lower},upperdir={spare}/upper,workdir={spare}/work", folder)
        else:
            if condition.disk == "exfat":
                call("truncate", "-s", "64M", spare / "image")
                call("mkfs.exfat", spare / "image")
                device = call("losetup", "--find", "--show", spare / "image")
                call("mount.exfat-fuse", device, folder)
            else:
                call("mount", "-t", "tmpfs", "-o", f"size={SIZE_OF_DISK}", "small", folder)
            shutil.copytree(lower, folder, dirs_exist_ok=True)
    if condition.disk != "readonly":
        complete()
    if condition.disk == "small":
        fill(folder, condition.free)
    try:
        yield
    finally:
        if condition.disk:
            call("umount", folder)
        if device:
            time.sleep(0.2)
            call("losetup", "--detach", device)


@contextmanager
def stepping(condition: Condition, file: Path) -> Iterator[dict[str, str]]:
    """Has the clock step soon after a command has started. Yields the variables that make libfaketime read it from a file."""
    if not condition.step:
        yield {}
        return
    file.write_text("+0")
    timer = threading.Timer(0.15, lambda: file.write_text(f"{condition.step:+}"))
    timer.start()
    try:
        yield {"FAKETIME_TIMESTAMP_FILE": str(file), "FAKETIME_NO_CACHE": "1"}
    finally:
        timer.cancel()
        timer.join()
