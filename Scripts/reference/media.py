"""Reads files with ffprobe and ffmpeg: streams, scaled-down pictures, sound."""

import array
import bisect
import dataclasses
import itertools
import json
import queue
import re
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from picture import HEIGHT, WIDTH, Picture

SAMPLE_RATE = 16000
# The largest difference, in seconds, of a time stamp from the end of the preceding sound that is not a gap or overlap.
STAMP_TOLERANCE = 0.04
# Number of time stamps before and after a block that are compared with its own.
STAMPS_NEARBY = 4
# Packets further apart than this many seconds have no sound between them.
LONGEST_PACKET = 1.0
# The largest difference of equal time stamps after resampling, in seconds.
STAMP_ROUNDING = 0.002


class Unreadable(Exception):
    """ffmpeg cannot make out what there is to compare with; the text is a sentence without its end."""


class Deadline:
    """The deadline of a comparison."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.1, self.end - time.monotonic())

    def unmet(self) -> Unreadable:
        return Unreadable(f"ffmpeg takes longer than {self.seconds:g} s for a full decode")


def run(command: list[str], deadline: Deadline) -> subprocess.CompletedProcess[bytes]:
    """Runs a program of FFmpeg, whatever its exit status, with what it prints."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=deadline.left())
    except subprocess.TimeoutExpired:
        raise deadline.unmet() from None


def probe(path: Path, deadline: Deadline) -> dict:
    """The output of ffprobe for a file."""
    done = run(["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", f"file:{path}"], deadline)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {}


def streams(info: dict, kind: str) -> list[dict]:
    """The playable streams of a kind, default streams first."""
    found = [
        stream for stream in info.get("streams", [])
        if stream.get("codec_type") == kind and not stream.get("disposition", {}).get("attached_pic")]
    return sorted(found, key=lambda stream: not stream.get("disposition", {}).get("default"))


TIME_STAMP = re.compile(rb"showinfo[^\]]*\] n: *\d+ pts: *\S+ pts_time:(\S+) (?:.*nb_samples:(\d+))?")


def ffmpeg(inputs: list[str]) -> list[str]:
    """A command that reads a file with the time stamps that it has, as zero depends on the streams that ffmpeg uses."""
    return ["ffmpeg", "-hide_banner", "-nostdin", "-nostats", "-v", "info", "-copyts", *inputs]


def pictures(arguments: list[str], filters: str, deadline: Deadline, zero: float = 0) -> Iterator[Picture]:
    """Decodes a stream and yields its frames, made small, with their times, in the order in which they are shown."""
    filters += f"scale={WIDTH}:{HEIGHT}:flags=area+accurate_rnd+full_chroma_int,format=rgb24,showinfo=checksum=0"
    command = ffmpeg(arguments) + [
        "-vf", filters, "-fps_mode", "passthrough", "-an", "-sn", "-dn", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    times: queue.SimpleQueue = queue.SimpleQueue()
    with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        def read_times() -> None:
            for line in process.stderr:
                if match := TIME_STAMP.search(line):
                    times.put(match[1])

        reader = threading.Thread(target=read_times, daemon=True)
        reader.start()
        timer = threading.Timer(deadline.left(), process.kill)
        timer.start()
        last = -1.0
        try:
            while len(pixels := process.stdout.read(WIDTH * HEIGHT * 3)) == WIDTH * HEIGHT * 3:
                try:
                    last = float(times.get(timeout=10))
                except ValueError:
                    # Without a time stamp: shown after the previous frame.
                    last += 0.001
                except queue.Empty:
                    raise Unreadable("ffmpeg does not say when frames are shown") from None
                yield Picture(last - zero, pixels)
            if not timer.is_alive():
                raise deadline.unmet()
        finally:
            timer.cancel()
            process.kill()
            reader.join()


def counted(counts: list[int], stamps: list[float | None]) -> list[float]:
    """When blocks of so many samples with these time stamps are heard, by counting samples from the first stamp on, as a
    decode to PCM has them, but for gaps and overlaps.
    """
    moments: list[float] = []
    moment, last = 0.0, None
    for count, stamp in zip(counts, stamps):
        # Some demuxers give several blocks one time stamp: all but the first follow the sound before them.
        is_own = stamp is not None and (last is None or abs(stamp - last) > STAMP_ROUNDING)
        if is_own and (not moments or abs(stamp - moment) > STAMP_TOLERANCE):
            moment = stamp
        last = stamp
        moments.append(moment)
        moment += count / SAMPLE_RATE
    return moments


def resynchronized(counts: list[int], stamps: list[float | None]) -> list[float]:
    """The same, by counting samples from where most of the stamps nearby say, as players have them."""
    begins = [count / SAMPLE_RATE for count in itertools.accumulate(counts, initial=0)]
    stamped = [index for index, stamp in enumerate(stamps) if stamp is not None]
    moments = []
    for index in range(len(counts)):
        place = bisect.bisect_left(stamped, index)
        near = stamped[max(0, place - STAMPS_NEARBY):place + STAMPS_NEARBY + 1]
        moments.append(begins[index] + statistics.median([stamps[other] - begins[other] for other in near] or [0.0]))
    return moments


@dataclasses.dataclass(frozen=True)
class Sound:
    """What ffmpeg decodes of a sound stream: mono samples, in blocks of so many samples, with their time stamps."""

    samples: array.array
    counts: list[int]
    stamps: list[float | None]

    def heard(self, begin: float, end: float) -> list[array.array]:
        """The samples between two moments; more than once where the lengths of blocks and their time stamps disagree."""
        readings = [counted(self.counts, self.stamps), resynchronized(self.counts, self.stamps)]
        if max(abs(one - other) for one, other in zip(*readings)) < STAMP_ROUNDING:
            readings.pop()
        return [placed(self.samples, self.counts, moments, begin, end) for moments in readings]

    def decoded(self, begin: float, end: float) -> array.array:
        """The samples of the blocks that begin between two moments, without silence where there are none."""
        samples, at = array.array("h"), 0
        for count, moment in zip(self.counts, counted(self.counts, self.stamps)):
            if begin <= moment < end:
                samples.extend(self.samples[at:at + count])
            at += count
        return samples


def decoded_sound(path: Path, stream: str, end: float, deadline: Deadline, zero: float = 0) -> Sound | None:
    """Decodes a sound stream up to a moment; None when nothing decodes."""
    command = ffmpeg(["-i", f"file:{path}"]) + [
        "-map", stream, "-vn", "-sn", "-dn", "-af", f"atrim=end={end + zero + 1:.3f},"
        f"aformat=sample_fmts=s16:sample_rates={SAMPLE_RATE}:channel_layouts=mono,ashowinfo", "-f", "s16le", "-"]
    done = run(command, deadline)
    samples = array.array("h", done.stdout[:len(done.stdout) // 2 * 2])
    found = list(TIME_STAMP.finditer(done.stderr))
    counts = [int(match[2] or 0) for match in found]
    stamps = [None if match[1] == b"NOPTS" else float(match[1]) - zero for match in found]
    return Sound(samples, counts, stamps) if counts else None


def first_duration(path: Path, stream: int, deadline: Deadline) -> float:
    """How long the first packet of a stream lasts, in seconds; 0 if that is not known."""
    command = [
        "ffprobe", "-v", "error", "-select_streams", str(stream), "-read_intervals", "%+#1", "-show_entries",
        "packet=duration_time", "-of", "csv=p=0", f"file:{path}"]
    return number(run(command, deadline).stdout.decode(errors="replace").strip().rstrip(",")) or 0


def copy_sound(path: Path, stream: int, result: Path, deadline: Deadline) -> None:
    """Writes the packets of a sound stream into a file of another container."""
    run(ffmpeg(["-i", f"file:{path}"]) + ["-map", f"0:{stream}", "-c", "copy", f"file:{result}"], deadline)


def stated_length(
        path: Path, stream: int, begin: float, end: float, deadline: Deadline, zero: float = 0
) -> float:
    """How long a sound stream lasts between two moments by what its container states: the durations of its packets, or,
    without those, how far apart they are. In seconds.
    """
    # Containers may store sound some seconds before or after the pictures of the same time.
    command = [
        "ffprobe", "-v", "error", "-select_streams", str(stream), "-read_intervals", f"%{end + zero + 11:.3f}",
        "-show_entries", "packet=pts_time,dts_time,duration_time,flags", "-of", "compact=p=0:nk=0", f"file:{path}"]
    packets: list[tuple[float, float | None]] = []
    for line in run(command, deadline).stdout.decode(errors="replace").splitlines():
        fields = dict(field.split("=", 1) for field in line.split("|") if "=" in field)
        times = [number(fields.get(name)) for name in ("pts_time", "dts_time", "duration_time")]
        time = times[0] if times[0] is not None else times[1]
        if time is not None and "D" not in fields.get("flags", ""):
            packets.append((time - zero, times[2]))
    packets.sort(key=lambda packet: packet[0])
    length, spacing = 0.0, 0.0
    for (time, duration), (following, _) in itertools.zip_longest(packets, packets[1:], fillvalue=(None, None)):
        if following is not None and 0 < following - time <= LONGEST_PACKET:
            spacing = following - time
        length += max(0.0, min(time + (duration or spacing), end) - max(time, begin))
    return min(length, end - begin)


def number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def placed(
        blocks: array.array, counts: list[int], moments: list[float], begin: float, end: float
) -> array.array:
    """The samples between two moments; silence where there are none."""
    samples = array.array("h", bytes(2 * round((end - begin) * SAMPLE_RATE)))
    at = 0
    for count, moment in zip(counts, moments):
        first = round((moment - begin) * SAMPLE_RATE)
        skipped = max(0, -first)
        first += skipped
        block = blocks[at + skipped:at + count][:max(0, len(samples) - first)]
        samples[first:first + len(block)] = block
        at += count
    return samples
