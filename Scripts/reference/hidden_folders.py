"""Rearranges hidden folders at random and runs the commands that read them. Scripts/trial hidden-folders --help says more.

usage: hidden_folders.py [--count N] [--seed N] [--traced N] PROGRAM
"""
import argparse
import hashlib
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LONGEST_SECONDS = 60
NAMES = ["a.JPG", "a.MOV"]
# Calls that create or change something by name, or open it.
TRACED_CALLS = ("open,openat,openat2,creat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,"
                "mkdirat,rmdir,truncate,chmod,fchmodat,chown,fchownat,utimensat,setxattr,mknod,mknodat")
State = dict[str, tuple[object, ...]]


def state(folder: Path) -> State:
    """What a folder contains: types, permissions, inodes, times and bytes. Of folders, the names show changes."""
    found: State = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.lstat()
        content: object = None
        if stat.S_ISLNK(status.st_mode):
            content = os.readlink(path)
        elif stat.S_ISREG(status.st_mode):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_ino, status.st_mtime_ns, status.st_size, content)
    return found


def whole_calls(lines: list[str]) -> list[str]:
    """strace's lines, with those of calls that other threads interrupt joined: only the first has the arguments."""
    begun: dict[str, str] = {}
    whole = []
    for line in lines:
        process = line.split()[0]
        if line.endswith("<unfinished ...>"):
            begun[process] = line.removesuffix("<unfinished ...>")
        elif resumed := re.fullmatch(r"\d+ +<\.\.\. \w+ resumed>(.*)", line):
            whole.append(begun.pop(process, "") + resumed[1])
        else:
            whole.append(line)
    return whole + list(begun.values())


class Bed:
    def __init__(self, program: Path, work: Path, chance: random.Random) -> None:
        self.program, self.work, self.chance = program, work, chance
        self.named, self.outside, self.source = work / "named", work / "outside", work / "source"
        self.environment = dict(os.environ, XDG_STATE_HOME=str(work / "state"), XDG_CONFIG_HOME="/nonexistent")
        self.failures = self.runs = self.traced_runs = self.arrangements = 0
        self.statuses: dict[str, dict[int, int]] = {}
        self.steps: list[str] = []
        # Movies with a second name outside, which a command that names the movie has changed in place.
        self.changed_inodes: set[object] = set()

    def run(self, *arguments: str, prefix: list[str] | None = None, folder: Path | None = None) -> int | None:
        """Returns the exit status; None if the command hangs."""
        process = subprocess.Popen(
            [*(prefix or []), str(self.program), *arguments], cwd=folder or self.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        try:
            return process.wait(LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None

    def report(self, what: str) -> None:
        self.failures += 1
        print(f"FAILED: arrangement {self.arrangements}: {what}; {'; '.join(self.steps)}", flush=True)

    def make_source(self) -> None:
        self.source.mkdir()
        clip = self.source / "clip.mp4"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=15:duration=0.5", "-c:v",
             "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", str(clip)], check=True)
        (self.source / "jobs.yaml").write_text("version: 1\njobs:\n- {input: clip.mp4, name: made}\n")
        for number, command in enumerate([
            ["convert", str(clip), "--name", "a", "-o", str(self.source)],
            ["pack", "a.JPG", "a.MOV", "--as", "livp", "-o", "b.livp"],
            ["batch", "jobs.yaml", "-o", "batch"],
        ]):
            if self.run(*command, folder=self.source) != 0:
                sys.exit(f"{self.program} fails where nothing is rearranged: {' '.join(command)}")
            if number == 0:
                self.add_pair(self.source / "plain")
                if self.run("unlink", *NAMES, "--in-place", folder=self.source / "plain") != 0:
                    sys.exit(f"{self.program} cannot unlink a pair")

    def add_pair(self, folder: Path, kind: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            shutil.copy2(self.source / kind / name, folder)

    def make_state(self) -> None:
        """A folder with everything hidden that the program writes, and files outside of it."""
        for folder in (self.named, self.outside):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        (self.outside / "notes").write_text("line\nnot terminated")
        (self.outside / "folder").mkdir()
        (self.outside / "folder/notes").write_text("mine")
        named, chance = self.named, self.chance
        self.add_pair(named)
        self.add_pair(named / "sub", "plain")
        shutil.copytree(self.source / "batch", named, dirs_exist_ok=True, symlinks=True)
        statuses = [self.run("link", "--by-name", "named", "--in-place")]
        edits = [["--mute"], ["--still", "0.1"], ["--still", "0.3"]]
        chance.shuffle(edits)
        for edit in edits[:chance.randint(1, 2)]:
            folder = chance.choice(["named", "named/sub"])
            statuses.append(self.run("edit", *(f"{folder}/{name}" for name in NAMES), *edit, "--in-place"))
        if chance.random() < 0.4:
            # It is killed between two changes of the pair.
            calls, number = chance.choice([("pwrite64", 3), ("pwrite64", 5), ("fsync", 8), ("rename,renameat,renameat2", 2)])
            self.run("edit", *(f"named/{name}" for name in NAMES), "--still", "0.2", "--in-place", prefix=[
                "strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", "-e",
                f"inject={calls}:signal=KILL:when={number}"])
        if any(statuses):
            self.report(f"the commands before end with {statuses}")

    def rearrange(self) -> None:
        chance = self.chance
        self.steps, self.changed_inodes = [], set()
        for _ in range(chance.randint(1, 4)):
            entries = sorted(path for path in self.named.rglob("*") if not path.is_symlink())
            hidden = [path for path in entries if ".livephoto" in str(path.relative_to(self.named))]
            path = chance.choice(hidden if hidden and chance.random() < 0.6 else entries)
            change = chance.choice(["link", "link", "second name", "other file", "copied tree", "pipe", "folder", "new hidden"])
            place = self.outside / f"moved-{len(list(self.outside.iterdir()))}"
            self.steps.append(f"{change}: {path.relative_to(self.work)}")
            if change == "link":
                path.rename(place)
                path.symlink_to(os.path.relpath(place, path.parent) if chance.random() < 0.5 else place)
            elif change == "second name" and path.is_file():
                os.link(path, place)
            elif change == "other file":
                self.remove(path)
                target = chance.choice(["notes", "folder", "missing", "folder/missing"])
                path.symlink_to(self.outside / target)
            elif change == "copied tree" and path.is_dir():
                copy = path.with_name(chance.choice([".livephoto-undo", ".livephoto-batch", ".livephoto-0123456789abcdef"]))
                if not copy.exists() and not copy.is_symlink():
                    subprocess.run(["cp", "-a", str(path), str(copy)], check=True)
            elif change == "pipe" and path.is_file():
                path.unlink()
                os.mkfifo(path)
            elif change == "folder" and path.is_file():
                path.unlink()
                path.mkdir()
            elif change == "new hidden":
                folder = path if path.is_dir() else path.parent
                link = folder / chance.choice([".livephoto-undo", ".livephoto-batch", ".livephoto-00000000000000ff", "old", "new"])
                if not link.exists() and not link.is_symlink():
                    link.symlink_to(self.outside / chance.choice(["folder", "notes"]))
        if self.arrangements % 8 == 0:
            self.forge()

    def forge(self) -> None:
        """Changes the text of records, so that their signatures are wrong."""
        chance = self.chance
        for path in self.named.rglob("*"):
            if path.name not in ("journal.jsonl", "change.json") or path.is_symlink() or not path.is_file():
                continue
            text = path.read_text()
            lines = text.splitlines(keepends=True) or ["\n"]
            kind = chance.choice(["unsigned", "paths", "numbers", "order", "code", "line ends", "size"])
            self.steps.append(f"forged {kind}: {path.relative_to(self.work)}")
            if kind == "unsigned":
                lines = [re.sub(r'^\["[0-9a-f]{64}",(.*)\]$', r"\1", line) for line in lines]
            elif kind == "paths":
                lines = [line.replace("a.MOV", chance.choice(["../outside/notes", "/etc/passwd", "sub/../../outside/notes"]))
                         for line in lines]
            elif kind == "numbers":
                lines = [re.sub(r":[0-9]+", lambda _: ":" + chance.choice(["9223372036854775807", "-1", "1e400"]), line)
                         for line in lines]
            elif kind == "order":
                chance.shuffle(lines)
            elif kind == "code":
                lines = [line.replace('["', '["0', 1) for line in lines]
            elif kind == "line ends":
                lines = ["\n" * (1 << 20)]
            path.write_text("".join(lines))
            if kind == "size":
                os.truncate(path, 1 << 30)

    @staticmethod
    def remove(path: Path) -> None:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()

    def commands(self) -> list[list[str]]:
        """Those that encode take long and are run a fourth as often. What a command names may be reached through links."""
        pair = [f"named/{name}" for name in NAMES]
        commands = [
            ["edit", "--undo", "named"], ["edit", "--undo", "named/a.JPG"], ["edit", *pair, "--mute", "--in-place"],
            ["edit", "named/sub/a.JPG", "named/sub/a.MOV", "--still", "0.1", "--in-place"],
            ["link", "--undo", "named"], ["link", "--undo", "named/sub"], ["link", "--by-name", "named", "--in-place"],
            ["link", *pair, "--in-place", "--force"], ["unlink", *pair, "--in-place"],
            ["batch", "source/jobs.yaml", "-o", "named"], ["report", "named", "--html", "named/report.html", "--force"],
            ["convert", "source/clip.mp4", "--name", "new", "-o", "named", "--force"],
            ["pack", *(f"source/{name}" for name in NAMES), "--as", "livp", "-o", "named/packed.livp", "--force"],
            ["extract", "source/b.livp", "-o", "named", "--force"],
            ["preview", *(f"source/{name}" for name in NAMES), "-o", "named/preview.html", "--force"],
            ["export", *(f"source/{name}" for name in NAMES), "--as", "mp4", "-o", "named/exported.mp4", "--force"],
        ]
        slow = {"batch", "convert", "preview", "export"}
        return [command for command in commands
                if (command[0] not in slow or self.chance.random() < 0.25)
                and not ((self.named / "sub").is_symlink() and any(word.startswith("named/sub") for word in command))]

    def check(self, command: list[str], traced: bool) -> None:
        before = state(self.outside)
        movies = {path.lstat().st_ino for path in self.named.rglob("*.MOV") if ".livephoto" not in str(path)}
        log = self.work / "log"
        prefix = ["strace", "-f", "-y", "-qq", "-o", str(log), "-e", f"trace={TRACED_CALLS}"] if traced else None
        status = self.run(*command, prefix=prefix)
        self.runs += 1
        name = " ".join(word for word in command if "/" not in word and not word.startswith("named"))
        counts = self.statuses.setdefault(name, {})
        counts[status if status is not None else -1] = counts.get(status if status is not None else -1, 0) + 1
        what = " ".join(command)
        if status is None or status < 0 or status >= 128:
            self.report(f"{what} ends with {status}")
        after = state(self.outside)
        if "--in-place" in command:
            self.changed_inodes |= movies
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
                         and not (name in after and after[name][1] in self.changed_inodes))
        if changed:
            self.report(f"{what} changes files outside: {changed}")
        if traced:
            self.traced_runs += 1
            self.check_trace(what, log)

    def check_trace(self, what: str, log: Path) -> None:
        """No call may have opened a file outside for writing, or created, renamed or removed one."""
        outside = str(self.outside)
        for line in whole_calls(log.read_text(errors="replace").splitlines()):
            call = line.split("(")[0].split()[-1]
            opens = call.startswith("open") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", line)
            if opens or "= -1" in line:
                continue
            if outside in line:
                self.report(f"{what}: {line}")

    def one(self, traced: bool) -> None:
        self.arrangements += 1
        self.make_state()
        self.rearrange()
        commands = self.commands()
        self.chance.shuffle(commands)
        for command in commands:
            self.check(command, traced)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--traced", type=int, default=20)
    parser.add_argument("program", type=Path)
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        bed = Bed(options.program.absolute(), Path(work), random.Random(options.seed))
        bed.make_source()
        for number in range(options.count):
            bed.one(traced=number % options.traced == 0)
        for name, counts in sorted(bed.statuses.items()):
            print(f"{name}: " + ", ".join(f"{count} with {status}" for status, count in sorted(counts.items())))
    seconds = time.monotonic() - start
    print(f"{bed.arrangements} arrangements, {bed.runs} commands, {bed.traced_runs} of them traced, in {seconds:.0f} s: "
          f"{bed.failures} failed")
    sys.exit(1 if bed.failures else 0)


if __name__ == "__main__":
    main()
