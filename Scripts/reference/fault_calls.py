"""System calls, the errors that each may have, and how strace makes one of them fail."""
import re
from collections import defaultdict
from pathlib import Path

from hidden_folders import whole_calls

FULL = ["ENOSPC", "EDQUOT", "EIO"]
NO_DESCRIPTORS = ["EMFILE", "ENFILE"]
KILL = "KILL"
# Each kind: the calls, and the errors that a kernel gives for them. Errors for wrong arguments are none.
CALLS: dict[str, tuple[str, list[str]]] = {
    "open": ("open,openat,openat2", [*FULL, *NO_DESCRIPTORS, "EACCES", "EPERM", "EROFS", "ENOMEM", "EINTR"]),
    "read": ("read", ["EIO", "EINTR"]),
    "pread": ("pread64", ["EIO", "EINTR"]),
    "write": ("write", [*FULL, "EINTR"]),
    "pwrite": ("pwrite64", [*FULL, "EINTR"]),
    "fsync": ("fsync,fdatasync", [*FULL, "EINTR"]),
    "rename": ("rename,renameat,renameat2", [*FULL, "EACCES", "EPERM", "EROFS", "EXDEV", "ENOMEM"]),
    "link": ("link,linkat", [*FULL, "EACCES", "EPERM", "EROFS", "EXDEV", "ENOMEM"]),
    "unlink": ("unlink,unlinkat,rmdir", ["EIO", "EACCES", "EPERM", "EROFS", "ENOMEM"]),
    "mkdir": ("mkdir,mkdirat", [*FULL, "EACCES", "EPERM", "EROFS", "ENOMEM"]),
    "ftruncate": ("ftruncate", [*FULL, "EPERM", "EINTR"]),
    "fallocate": ("fallocate", [*FULL, "EPERM", "EINTR"]),
    "copy_file_range": ("copy_file_range", [*FULL, "EXDEV", "EPERM", "ENOMEM", "EINTR"]),
    "flock": ("flock", ["EINTR", "ENOMEM"]),
    "clone": ("clone,clone3,fork,vfork", ["EAGAIN", "ENOMEM", "EPERM"]),
    "mmap": ("mmap", ["ENOMEM", "EAGAIN", "EACCES", "ENFILE"]),
    "pipe": ("pipe,pipe2", NO_DESCRIPTORS),
    "socketpair": ("socketpair", [*NO_DESCRIPTORS, "ENOMEM"]),
    "chmod": ("chmod,fchmod,fchmodat", ["EIO", "EPERM", "EROFS"]),
    "chown": ("chown,fchown,fchownat", ["EIO", "EPERM", "EROFS"]),
    "times": ("utimensat", ["EIO", "EPERM", "EROFS"]),
    "attribute": ("setxattr,fsetxattr", [*FULL, "EPERM"]),
    "close": ("close", FULL),
}
# A file system without hard links, on which no call moves a file without replacing another.
WITHOUT_LINKS = ["-e", "inject=link,linkat:error=EPERM", "-e", "inject=renameat2:error=EINVAL"]
# One line of `strace -f`: process, call, and the rest. Of a call that is interrupted by another thread, the second line
# has no arguments.
LINE = re.compile(r"(\d+) +(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*)")
# What the dynamic loader opens, reads and maps before a program starts.
LOADED = re.compile(r"\.so[.0-9]*[\">]|/etc/ld\.so")


def kind_of() -> dict[str, str]:
    return {call: kind for kind, (calls, _) in CALLS.items() for call in calls.split(",")}


def strace(log: Path, kind: str | None, fault: str, number: int, has_links: bool) -> list[str]:
    """The command that runs another one with a fault at one call; without a kind, it logs all calls."""
    calls = CALLS[kind][0] if kind else ",".join(calls for calls, _ in CALLS.values()) + ",execve"
    command = ["strace", "-f", "-y", "--seccomp-bpf", "-qq", "-o", str(log)]
    extra: list[str] = []
    if not has_links:
        extra = WITHOUT_LINKS
        if kind == "rename":
            calls = calls.replace(",renameat2", "")
    # The last rule for a call counts.
    traced = calls if has_links else f"{calls},link,linkat,renameat2"
    command += ["-e", f"trace={traced}", *extra]
    if kind:
        command += ["-e", f"inject={calls}:{'signal=KILL' if fault == KILL else f'error={fault}'}:when={number}"]
    return command


def count_calls(log: Path) -> dict[str, list[int]]:
    """The numbers, counted in each thread, of the calls of each kind that a program makes once it has started.

    strace counts the calls of each thread by themselves.
    """
    kinds = kind_of()
    counts: dict[tuple[str, str], int] = defaultdict(int)
    found: dict[str, set[int]] = defaultdict(set)
    waiting: dict[str, list[tuple[str, int]]] = defaultdict(list)
    loading: dict[str, bool] = defaultdict(bool)
    for line in log.read_text(errors="replace").splitlines():
        if not (match := LINE.match(line)) or " resumed>" in line:
            continue
        process, call, rest = match.groups()
        if call == "execve":
            loading[process] = True
            waiting[process] = []
            continue
        counts[process, call] += 1
        place = (kinds[call], counts[process, call])
        if LOADED.search(rest):
            waiting[process] = []
        elif not loading[process]:
            found[place[0]].add(place[1])
        elif call.startswith("open") and "= -1" not in rest:
            # The first file that is no library: the loader is done, and what followed its last library was not its.
            loading[process] = False
            for kind, number in [*waiting[process], place]:
                found[kind].add(number)
        else:
            waiting[process].append(place)
    return {kind: sorted(numbers) for kind, numbers in found.items()}


def injected(log: Path, has_links: bool) -> list[str]:
    """The lines of calls that failed or were killed; not those that fail everywhere on a file system without links."""
    text = log.read_text(errors="replace") if log.exists() else ""
    lines = [line for line in whole_calls(text.splitlines())
             if ("killed by SIGKILL" in line or "INJECTED" in line) and not LOADED.search(line)]
    return lines if has_links else [line for line in lines if not re.search(r"^\d+ +(link|linkat|renameat2)\(", line)]


KERNEL = re.compile(r"[<\"]/(proc|sys|dev)/")


def is_of_kernel(lines: list[str]) -> bool:
    """Whether a call failed that asks the kernel about itself: the runtime of Swift, which reads the states of its threads,
    ends the program then."""
    return any(KERNEL.search(line) for line in lines)


def is_impossible(lines: list[str], fault: str) -> bool:
    """Whether a call failed that never has this error: of a disk, with descriptors that are no files, such as those that wake
    threads, and with the kernel's own files."""
    if fault in (KILL, "EINTR", "ENOMEM", *NO_DESCRIPTORS):
        return False
    return any(re.search(r"\(\d+<(anon_inode|pipe|socket|UNIX)", line) or KERNEL.search(line) for line in lines)
