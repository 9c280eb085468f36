"""Ends commands by signals and runs them with few descriptors. Scripts/trial limits --help says more.

usage: limits.py [--signals N] [--descriptors LIST] [--seed N] PROGRAM
"""
import argparse
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from promises import STATUSES

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
# Promised, in seconds.
LONGEST_END = 3.0
# Until a command that gets no signal is said to hang.
LONGEST_RUN = 60
# The latest moment of a signal, in seconds.
LAST_MOMENT = 1.5
HUGE = 2 << 40


def box(kind: bytes, payload: bytes) -> bytes:
    return struct.pack(">I", 8 + len(payload)) + kind + payload


class Bed:
    """A folder of inputs that is never changed, and one for outputs."""

    def __init__(self, program: Path, work: Path) -> None:
        self.program, self.inputs, self.outputs = program, work / "in", work / "out"
        self.failures = 0
        self.inputs.mkdir()
        self.make_inputs()

    def make_inputs(self) -> None:
        clip = self.inputs / "clip.mp4"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=3", "-c:v", "libx264", "-g", "30",
             "-pix_fmt", "yuv420p", clip], check=True)
        subprocess.run(
            ["ffmpeg", "-v", "error", "-stream_loop", "200", "-i", clip, "-c", "copy", self.inputs / "long.mp4"], check=True)
        subprocess.run([self.program, "convert", clip, "-o", self.inputs, "--name", "pair", "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        photo, movie = (self.inputs / "pair.JPG").read_bytes(), (self.inputs / "pair.MOV").read_bytes()
        subprocess.run([self.program, "pack", "pair.JPG", "pair.MOV", "--as", "motion-photo", "-o", "motion.MP.jpg", "-q"],
                       cwd=self.inputs, check=True, stdout=subprocess.DEVNULL)
        # Photos whose description promises a movie that is not there.
        motion = (self.inputs / "motion.MP.jpg").read_bytes()
        self.sparse("hole.MP.jpg", motion[:motion.index(b"ftypqt") - 4 if b"ftypqt" in motion else len(photo)])
        self.sparse("hole.jpg", photo[:-2])
        self.sparse("hole.heic", box(b"ftyp", b"heic\0\0\0\0mif1heic") + struct.pack(">I4sQ", 1, b"mdat", HUGE - 32))
        # The media of the movie is followed by a hole as large as the file may be.
        self.sparse("hole.MOV", movie + struct.pack(">I4sQ", 1, b"mdat", HUGE - len(movie) - 16))
        shutil.copy(self.inputs / "pair.JPG", self.inputs / "hole2.JPG")
        self.sparse("hole.zip", b"PK\3\4" + bytes(26), end=b"PK\5\6" + bytes(18))
        self.tables("tables.mov")
        many = self.inputs / "many"
        many.mkdir()
        for number in range(400):
            (many / f"IMG_{number:04}.JPG").write_bytes(photo)
            (many / f"IMG_{number:04}.MOV").write_bytes(movie)
        (self.inputs / "jobs.yaml").write_text("version: 1\njobs:\n- input: long.mp4\n- input: clip.mp4\n- input: hole.MOV\n")
        (self.inputs / "few.yaml").write_text("version: 1\njobs:\n- input: clip.mp4\n- input: pair.MOV\n- input: many/IMG_0001.MOV\n")
        os.mkfifo(self.inputs / "pipe.jpg")

    def sparse(self, name: str, start: bytes, end: bytes = b"") -> None:
        """A file of holes of the size HUGE."""
        with open(self.inputs / name, "wb") as file:
            file.write(start)
            try:
                file.truncate(HUGE)
            except OSError:
                # The file system has a lower limit.
                file.truncate(1 << 42)
            file.seek(-len(end), os.SEEK_END)
            file.write(end)

    def tables(self, name: str) -> None:
        """A movie whose tables describe millions of samples."""
        count = 4_000_000
        stts = box(b"stts", struct.pack(">IIII", 0, 1, count, 20))
        stsz = box(b"stsz", struct.pack(">III", 0, 1, count))
        stsc = box(b"stsc", struct.pack(">IIIII", 0, 1, 1, 1, 1))
        stco = box(b"stco", struct.pack(">II", 0, count) + struct.pack(">I", 40) * count)
        entry = box(b"avc1", bytes(6) + struct.pack(">H", 1) + bytes(16) + struct.pack(">HH", 320, 240) + bytes(50))
        stsd = box(b"stsd", struct.pack(">II", 0, 1) + entry)
        minf = box(b"minf", box(b"vmhd", bytes(12)) + box(b"stbl", stsd + stts + stsz + stsc + stco))
        hdlr = box(b"hdlr", bytes(8) + b"vide" + bytes(13))
        mdia = box(b"mdia", box(b"mdhd", struct.pack(">IIIIII", 0, 0, 0, 600, 20 * count, 0)) + hdlr + minf)
        matrix = struct.pack(">9I", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
        tkhd = box(b"tkhd", struct.pack(">IIIIII", 7, 0, 0, 1, 0, 20 * count) + bytes(16) + matrix + struct.pack(
            ">II", 320 << 16, 240 << 16))
        mvhd = box(b"mvhd", struct.pack(">IIIIII", 0, 0, 0, 600, 20 * count, 1 << 16) + bytes(12) + matrix + bytes(24)
                   + struct.pack(">I", 2))
        content = box(b"ftyp", b"qt  \0\0\0\0qt  ") + box(b"mdat", bytes(64)) + box(
            b"moov", mvhd + box(b"trak", tkhd + mdia))
        (self.inputs / name).write_bytes(content)

    def clear(self) -> None:
        shutil.rmtree(self.outputs, ignore_errors=True)
        self.outputs.mkdir()

    def start(self, line: str, limit: int | None = None) -> subprocess.Popen[bytes]:
        def prepare() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

        arguments = [word.replace("OUT", str(self.outputs)) for word in line.split()]
        reader = subprocess.PIPE if " - " in f"{line} " else subprocess.DEVNULL
        # Files, so that the program is never kept from printing.
        return subprocess.Popen([self.program, *arguments], cwd=self.inputs, stdin=reader, stdout=subprocess.DEVNULL,
                                stderr=open(self.outputs.parent / "err", "wb"), preexec_fn=prepare, start_new_session=True)

    def errors(self) -> str:
        return (self.outputs.parent / "err").read_text(errors="replace").strip()

    def leftovers(self) -> list[str]:
        return [str(path) for folder in (self.inputs, self.outputs) for path in folder.rglob(".livephoto-*")
                if path.name not in (".livephoto-undo", ".livephoto-batch")]

    def report(self, what: str) -> None:
        self.failures += 1
        print(f"FAILED: {what}", flush=True)


SLOW = [
    "extract hole.MP.jpg -o OUT", "extract hole.jpg -o OUT", "extract hole.heic -o OUT", "extract hole.zip -o OUT",
    "extract . -o OUT", "inspect hole.MP.jpg", "inspect hole.heic", "inspect hole.MOV", "inspect tables.mov", "inspect .",
    "inspect --boxes hole.MOV", "verify hole2.JPG hole.MOV", "verify hole.MP.jpg", "verify .", "verify pair.JPG tables.mov",
    "preview hole.MP.jpg -o OUT/page.html", "preview many -o OUT/page.html", "link hole2.JPG hole.MOV -o OUT",
    "link --by-name many -o OUT", "link pair.JPG tables.mov -o OUT", "unlink hole2.JPG hole.MOV -o OUT",
    "edit hole2.JPG hole.MOV --no-audio -o OUT", "edit pair.JPG pair.MOV --exposure 0.3 -o OUT",
    "pack hole2.JPG hole.MOV --as livp -o OUT/a.livp", "pack hole2.JPG hole.MOV --as pvt -o OUT/a.pvt",
    "pack many --as motion-photo -o OUT", "export pair.JPG pair.MOV --as gif -o OUT/a.gif",
    "export hole2.JPG hole.MOV --as mp4 -o OUT/a.mp4", "frames long.mp4 --count 30 -o OUT/a.jpg", "frames hole.MOV -o OUT/a.jpg",
    "convert long.mp4 -o OUT", "convert - -o OUT", "convert clip.mp4 --photo hole.jpg -o OUT",
    "convert many -o OUT", "batch jobs.yaml -o OUT", "report OUT", "inspect pipe.jpg", "extract pipe.jpg -o OUT", "doctor",
]

FEW = [
    "convert clip.mp4 -o OUT", "convert clip.mp4 pair.MOV -o OUT --jobs 200", "batch few.yaml -o OUT --jobs 200",
    "preview pair.JPG pair.MOV -o OUT/page.html", "report BATCH --html OUT/report.html", "frames clip.mp4 -o OUT/a.jpg",
    "edit pair.JPG pair.MOV --exposure 0.3 -o OUT", "edit pair.JPG pair.MOV --no-audio -o OUT",
    "export pair.JPG pair.MOV --as jpeg -o OUT/a.jpg", "link pair.JPG pair.MOV -o OUT", "link --by-name many2 -o OUT",
    "verify many2", "pack many2 --as livp -o OUT",
]


def signals(bed: Bed, count: int, seed: int) -> None:
    generator = random.Random(seed)
    longest: dict[str, float] = {}
    stopped = 0
    for number in range(count):
        line = SLOW[number % len(SLOW)]
        kind = generator.choice(SIGNALS)
        bed.clear()
        process = bed.start(line)
        time.sleep(generator.uniform(0.02, LAST_MOMENT))
        was_running = process.poll() is None
        start = time.monotonic()
        process.send_signal(kind)
        try:
            status = process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
            bed.report(f"{line}: {kind.name}: it hangs")
        seconds = time.monotonic() - start
        if process.stdin:
            process.stdin.close()
        if not was_running:
            if status not in STATUSES:
                bed.report(f"{line}: status {status}: {bed.errors()}")
            continue
        stopped += 1
        longest[line] = max(longest.get(line, 0), seconds)
        if seconds > LONGEST_END:
            bed.report(f"{line}: {kind.name}: ended after {seconds:.1f} s")
        # It may have been about to end.
        if status not in {128 + kind} | STATUSES and status != -kind:
            bed.report(f"{line}: {kind.name}: status {status}: {bed.errors()}")
        if left := bed.leftovers():
            bed.report(f"{line}: {kind.name}: left {left}: {bed.errors()}")
    for line, seconds in sorted(longest.items(), key=lambda item: -item[1]):
        print(f"{seconds:6.2f} s  {line}")
    print(f"{count} signals, {stopped} of them while the command ran", flush=True)


def descriptors(bed: Bed, limits: list[int]) -> None:
    few = bed.inputs / "many2"
    few.mkdir(exist_ok=True)
    for path in sorted((bed.inputs / "many").iterdir())[:8]:
        shutil.copy(path, few)
    batch = bed.outputs.parent / "batch"
    subprocess.run([bed.program, "batch", "few.yaml", "-o", batch, "-q"], cwd=bed.inputs, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts: dict[int | None, int] = {}
    for line in FEW:
        seen: list[str] = []
        for limit in limits:
            bed.clear()
            try:
                process = bed.start(line.replace("BATCH", str(batch)), limit)
            except (OSError, subprocess.SubprocessError):
                # The limit is too low to start any program from here.
                continue
            try:
                status: int | None = process.wait(LONGEST_RUN)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
            counts[status] = counts.get(status, 0) + 1
            if not seen or not seen[-1].endswith(f": {status}"):
                seen.append(f"from {limit}: {status}")
            # The dynamic loader's own status, before the program runs, is 127.
            if status not in STATUSES | {127} or status != 0 and not bed.errors():
                bed.report(f"{line}: {limit} descriptors: status {status}: {bed.errors()[-300:]}")
            if left := bed.leftovers():
                bed.report(f"{line}: {limit} descriptors: left {left}")
        print(f"{line}: {', '.join(seen)}", flush=True)
    print("runs by status: " + ", ".join(f"{status}: {number}" for status, number in counts.items()), flush=True)


def numbers(text: str) -> list[int]:
    parts = [part.split("-") for part in text.split(",")]
    return [number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--signals", type=int, default=200)
    parser.add_argument("--descriptors", type=numbers, default=numbers("3-80"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # nohup ignores it, and commands that it starts do too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="livephoto-limits-") as work:
        bed = Bed(options.program.resolve(), Path(work))
        bed.clear()
        signals(bed, options.signals, options.seed)
        descriptors(bed, options.descriptors)
    print(f"{bed.failures} failures")
    return 1 if bed.failures else 0


if __name__ == "__main__":
    sys.exit(main())
