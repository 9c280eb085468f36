"""Compares Live Photos with a full decode of their clip by ffmpeg: from its first packet on, without a seek.

usage: full_decode.py [--timeout SECONDS] CLIP REPORT…

REPORT is what `livephoto convert --json` printed for a pair that it made of CLIP. Prints a line for each difference and
exits with 1 if there is one. Compared are

- the photo with the frame that the clip shows at `stillTimeInClip`, and some frames of the movie with those around
  their times in the clip: mean luma within 4 of 255, and what is seen where;
- the movie's sound with the clip's: within 5 ms, by how its loudness changes. Silence and steady tones fit anywhere.

Zero on the clip's clock is the container's first time stamp, as ffmpeg has it without -copyts. Colours that a photo
cannot hold (HDR, wide gamuts, other curves) are converted by livephoto in its own way: there only what is bright and
what is dark is compared, not how bright it is. Photos in HEIC, which ffmpeg 5.1 cannot read, are the user's own and
need not show the clip; they are passed over.
"""

import argparse
import array
import bisect
import dataclasses
import functools
import json
import math
import operator
import queue
import re
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

# Of the pictures that are compared, whatever the size of those that they are made of.
WIDTH, HEIGHT = 64, 48
# Parts of a picture, so many to a side, whose mean luma is compared.
CELLS = 8
# The most that luma may differ, of 255: on average of the picture, of all places, in the worst part.
MEAN_LIMIT, DIFFERENCE_LIMIT, CELL_LIMIT = 4, 7, 24
# The most that the average of red, green or blue may differ.
COLOUR_LIMIT = 8
# The least correlation, where a picture has contrast and where its tones were mapped.
CORRELATION_LIMIT, RANK_LIMIT = 0.93, 0.8
CONTRAST = 6
# Another frame has to fit so much better than the one that was asked for to be taken for it.
CLEARLY_BETTER = 0.4
# Two time stamps this close are the same moment: containers round to milliseconds, livephoto to 1/600 s.
ROUNDING = 0.0018
# How far a movie's sound may be off, and how far off it is looked for.
SOUND_LIMIT, SOUND_SEARCH = 0.005, 2.5
SAMPLE_RATE, ENVELOPE_RATE, COARSE_RATE = 16000, 2000, 100
# How much earlier than the end of the sound before it a block may begin by its time stamp.
BLOCK_JITTER = 0.02
# How much of a file's beginning and end is searched for a clean aperture.
APERTURE_SEARCH = 1 << 22
# How much worse than the best lag another one may fit and still be as likely.
LAG_MARGIN = 0.01

SDR_TRANSFERS = {"", "bt709", "smpte170m", "bt470m", "gamma22", "bt470bg", "gamma28", "iec61966-2-1", "iec61966-2-4",
                 "bt2020-10", "bt2020-12", "smpte240m", "unknown", "reserved"}
SDR_PRIMARIES = {"", "bt709", "smpte170m", "bt470bg", "smpte240m", "unknown", "reserved"}
ALPHA_FORMAT = re.compile(r"^(yuva|gbrap|rgba|bgra|argb|abgr|ya\d|pal8|ayuv)")


class Unreadable(Exception):
    """ffmpeg cannot make out what there is to compare with; the text is a sentence without its end."""


class Deadline:
    """When a comparison has to be done."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.1, self.end - time.monotonic())

    def unmet(self) -> Unreadable:
        return Unreadable(f"ffmpeg takes longer than {self.seconds:g} s for a full decode")


@dataclasses.dataclass(frozen=True)
class Picture:
    """A small picture in RGB, and when it is shown."""

    time: float
    pixels: bytes

    @functools.cached_property
    def luma(self) -> list[float]:
        pixels = self.pixels
        return [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in zip(pixels[::3], pixels[1::3], pixels[2::3])]

    @functools.cached_property
    def mean(self) -> float:
        return sum(self.luma) / len(self.luma)

    @functools.cached_property
    def colours(self) -> dict[str, float]:
        size = len(self.pixels) // 3
        return {name: sum(self.pixels[first::3]) / size for first, name in enumerate(("red", "green", "blue"))}

    @functools.cached_property
    def deviation(self) -> float:
        return math.sqrt(sum((value - self.mean) ** 2 for value in self.luma) / len(self.luma))

    @functools.cached_property
    def cells(self) -> list[float]:
        width, height = WIDTH // CELLS, HEIGHT // CELLS
        sums = [0.0] * (CELLS * CELLS)
        for row in range(HEIGHT):
            for column in range(CELLS):
                first = row * WIDTH + column * width
                sums[row // height * CELLS + column] += sum(self.luma[first:first + width])
        return [value / (width * height) for value in sums]

    @functools.cached_property
    def ranks(self) -> "Picture":
        """The cells' luma by rank, which no mapping of tones changes; equal values have one rank."""
        order = sorted(self.luma)
        first = {value: index for index, value in reversed(list(enumerate(order)))}
        last = {value: index for index, value in enumerate(order)}
        ranks = Picture(self.time, b"")
        ranks.__dict__["luma"] = [(first[value] + last[value]) / 2 for value in self.luma]
        return ranks


def difference(one: Picture, other: Picture) -> float:
    """The mean absolute difference of two pictures' luma."""
    return sum(map(abs, map(operator.sub, one.luma, other.luma))) / len(one.luma)


def correlation(one: Picture, other: Picture) -> float:
    """From -1 to 1, whatever the brightness and the contrast."""
    spread = one.deviation * other.deviation * len(one.luma)
    if min(one.deviation, other.deviation) < 0.01:
        return 1.0 if max(one.deviation, other.deviation) < 0.01 else 0.0
    return (sum(map(operator.mul, one.luma, other.luma)) - len(one.luma) * one.mean * other.mean) / spread


def distance(ours: Picture, theirs: Picture, tones_mapped: bool) -> float:
    """How different two pictures are, to find the likeliest of some."""
    if tones_mapped:
        return 100 * (1 - correlation(ours.ranks, theirs.ranks))
    return difference(ours, theirs) + abs(ours.mean - theirs.mean)


def flaws(ours: Picture, theirs: Picture, tones_mapped: bool) -> str:
    """In which way a picture is not the other; nothing if it is."""
    if tones_mapped:
        fit = correlation(ours.ranks, theirs.ranks)
        flat = ours.deviation < CONTRAST and theirs.deviation < CONTRAST
        return "" if flat or fit >= RANK_LIMIT else f"light and shade correlate by {fit:.2f}"
    if abs(ours.mean - theirs.mean) > MEAN_LIMIT:
        return f"mean luma {ours.mean:.0f} against {theirs.mean:.0f}"
    for name, value in ours.colours.items():
        if abs(value - theirs.colours[name]) > COLOUR_LIMIT:
            return f"mean {name} {value:.0f} against {theirs.colours[name]:.0f}"
    if difference(ours, theirs) > DIFFERENCE_LIMIT:
        return f"luma differs by {difference(ours, theirs):.1f}"
    worst = max(map(abs, map(operator.sub, ours.cells, theirs.cells)))
    if worst > CELL_LIMIT:
        return f"luma of one part differs by {worst:.0f}"
    if max(ours.deviation, theirs.deviation) > CONTRAST and correlation(ours, theirs) < CORRELATION_LIMIT:
        return f"correlates by {correlation(ours, theirs):.2f}"
    return ""


def probe(path: Path, deadline: Deadline) -> dict:
    """What ffprobe finds in a file."""
    try:
        done = subprocess.run(
            ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", f"file:{path}"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=deadline.left())
    except subprocess.TimeoutExpired:
        raise deadline.unmet() from None
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {}


def streams(info: dict, kind: str) -> list[dict]:
    """The streams of a kind that could be shown, the default ones first."""
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
                    # No time stamp: shown after the one before.
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


def quarter_turned(stream: dict) -> bool:
    return any(int(data.get("rotation", 0)) % 180 == 90 for data in stream.get("side_data_list", []))


class Clip:
    """A clip, and what a full decode of it shows and plays around some moments."""

    def __init__(self, path: Path, timeout: float = 600) -> None:
        self.path = path
        self.timeout = timeout
        self.info = probe(path, Deadline(timeout))
        self.frames: list[Picture] = []
        self.stream: dict = {}
        self.spans = [(0.0, 0.0)]
        # The container's first time stamp.
        self.zero = float(self.info.get("format", {}).get("start_time", 0))
        self.clean_aperture = None
        if "mov" in self.info.get("format", {}).get("format_name", "").split(","):
            self.clean_aperture = clean_aperture(path)

    @property
    def tones_mapped(self) -> bool:
        """Whether the clip's colours have to be converted to be sRGB's."""
        return self.stream.get("color_transfer", "") not in SDR_TRANSFERS or \
            self.stream.get("color_primaries", "") not in SDR_PRIMARIES

    def decode(self, spans: list[tuple[float, float]]) -> None:
        """Decodes the clip's pictures, in one pass, and keeps those that it shows within any of the spans."""
        deadline = Deadline(self.timeout)
        self.spans = spans
        for self.stream in streams(self.info, "video"):
            self.frames = self.decode_stream(spans, deadline)
            if self.frames:
                return
        raise Unreadable("ffmpeg decodes no picture of it")

    def decode_stream(self, spans: list[tuple[float, float]], deadline: Deadline) -> list[Picture]:
        frames = []
        # The latest picture before each span is what the span begins with.
        before: list[Picture | None] = [None] * len(spans)
        past = 0
        for picture in pictures(
                ["-i", f"file:{self.path}", "-map", f"0:{self.stream['index']}"], self.filters(), deadline,
                self.zero):
            for index, (begin, _) in enumerate(spans):
                if picture.time < begin and (before[index] is None or before[index].time <= picture.time):
                    before[index] = picture
            if any(begin <= picture.time <= end for begin, end in spans):
                frames.append(picture)
            # Time stamps may be out of order: only a whole second of later ones says that there will be no others.
            past = past + 1 if picture.time > max(end for _, end in spans) + 1 else 0
            if past > 60:
                break
        kept = {id(picture): picture for picture in [*before, *frames] if picture}
        return sorted(kept.values(), key=lambda picture: picture.time)

    def filters(self) -> str:
        """What makes the clip's frames comparable, before they are scaled."""
        filters = ""
        height = int(self.stream.get("height", 0))
        # What livephoto and players take for the matrix of clips that do not tell; ffmpeg always takes BT.601's.
        if self.stream.get("color_space", "unknown") in ("unknown", "reserved") and height > 576 and \
                self.stream.get("pix_fmt", "").startswith("yuv"):
            filters += "setparams=colorspace=bt709,"
        if ALPHA_FORMAT.match(self.stream.get("pix_fmt", "")):
            filters += "format=gbrap,premultiply=inplace=1,format=gbrp,"
        if self.clean_aperture:
            width, height, across, down = self.clean_aperture
            # ffmpeg has turned the frame already; apertures of turned pictures are taken to be in the middle.
            if quarter_turned(self.stream):
                width, height, across, down = height, width, 0, 0
            filters += f"crop=min(iw\\,{width}):min(ih\\,{height}):(iw-ow)/2+{across}:(ih-oh)/2+{down}:exact=1,"
        return filters

    def shown(self, moment: float) -> Picture:
        """The frame that the clip shows at a moment."""
        times = [picture.time for picture in self.frames]
        return self.frames[max(0, bisect.bisect_right(times, moment + ROUNDING) - 1)]

    def around(self, moment: float, reach: float) -> list[Picture]:
        """The frames that the clip shows within some time of a moment."""
        first = self.shown(moment - reach)
        return [first] + [
            picture for picture in self.frames if first.time < picture.time <= moment + reach + ROUNDING]

    @functools.cached_property
    def sound(self) -> array.array | None:
        """What is heard around the spans, from SOUND_SEARCH before the first: the default track, or one that decodes."""
        begin, end = self.heard_span
        deadline = Deadline(self.timeout)
        for stream in streams(self.info, "audio"):
            samples = heard(self.path, f"0:{stream['index']}", begin, end, deadline, self.zero)
            if samples is not None:
                return samples
        return None

    @property
    def heard_span(self) -> tuple[float, float]:
        return min(begin for begin, _ in self.spans) - SOUND_SEARCH, max(end for _, end in self.spans) + SOUND_SEARCH

    def heard_around(self, begin: float, end: float) -> array.array | None:
        """What the clip plays from SOUND_SEARCH before one moment to as much after another."""
        if self.sound is None:
            return None
        first, last = (
            round((moment - self.heard_span[0]) * SAMPLE_RATE) for moment in (begin - SOUND_SEARCH, end + SOUND_SEARCH))
        return self.sound[first:last]


def clean_aperture(path: Path) -> tuple[float, float, float, float] | None:
    """The part of the stored picture that a QuickTime movie or MP4 shows, to which livephoto crops and ffmpeg 5.1 not.

    Width, height, and how far its middle is from the picture's, across and down, in pixels (ISO/IEC 14496-12, 12.1.4).
    """
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        pieces = []
        for begin in {0, max(0, size - APERTURE_SEARCH)}:
            file.seek(begin)
            pieces.append(file.read(APERTURE_SEARCH))
    for piece in pieces:
        at = piece.find(b"\0\0\0\x28clap")
        if at >= 0 and len(piece) >= at + 40:
            numbers = struct.unpack_from(">8i", piece, at + 8)
            if all(denominator > 0 for denominator in numbers[1::2]):
                width, height, across, down = (a / b for a, b in zip(numbers[::2], numbers[1::2]))
                return width, height, across, down
    return None


def heard(
        path: Path, stream: str, begin: float, end: float, deadline: Deadline, zero: float = 0
) -> array.array | None:
    """A sound stream's samples from one moment to another, mono, each block where its time stamp says, if it can be.

    None when none decodes, up to the later moment.
    """
    command = ffmpeg(["-i", f"file:{path}"]) + [
        "-map", stream, "-vn", "-sn", "-dn", "-af", f"atrim=end={end + zero + 1:.3f},"
        f"aformat=sample_fmts=s16:sample_rates={SAMPLE_RATE}:channel_layouts=mono,ashowinfo", "-f", "s16le", "-"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=deadline.left())
    except subprocess.TimeoutExpired:
        raise deadline.unmet() from None
    blocks = array.array("h", done.stdout[:len(done.stdout) // 2 * 2])
    samples = array.array("h", bytes(2 * round((end - begin) * SAMPLE_RATE)))
    at, moment = 0, -math.inf
    for match in TIME_STAMP.finditer(done.stderr):
        count = int(match[2] or 0)
        if match[1] == b"NOPTS" and at == 0:
            moment = zero
        # A block follows the one before, also when its time stamp is that of an earlier one, as RealMedia has them.
        if match[1] != b"NOPTS" and float(match[1]) > moment - BLOCK_JITTER:
            moment = float(match[1])
        first = round((moment - zero - begin) * SAMPLE_RATE)
        skipped = max(0, -first)
        first += skipped
        block = blocks[at + skipped:at + count][:max(0, len(samples) - first)]
        samples[first:first + len(block)] = block
        at += count
        moment += count / SAMPLE_RATE
    return samples if at > 0 else None


def envelope(samples: array.array, rate: int) -> list[float]:
    """How loud samples are, so many times a second."""
    step = SAMPLE_RATE // rate
    loud = list(map(abs, samples))
    return [sum(loud[first:first + step]) / step for first in range(0, len(loud) - step + 1, step)]


class LagSearch:
    """How well a sound fits another, longer one at each lag."""

    def __init__(self, sound: list[float], other: list[float]) -> None:
        self.sound, self.other = sound, other
        self.count = len(sound)
        self.mean = sum(sound) / self.count
        self.spread = math.sqrt(sum((value - self.mean) ** 2 for value in sound))
        self.sums = [0.0]
        self.squares = [0.0]
        for value in other:
            self.sums.append(self.sums[-1] + value)
            self.squares.append(self.squares[-1] + value * value)

    def fit(self, lag: int) -> float:
        """The correlation with the other sound from its value number `lag` on."""
        if lag < 0 or lag + self.count > len(self.other):
            return -1.0
        total = self.sums[lag + self.count] - self.sums[lag]
        spread = self.squares[lag + self.count] - self.squares[lag] - total * total / self.count
        if spread <= 0 or self.spread == 0:
            return 0.0
        product = sum(map(operator.mul, self.sound, self.other[lag:lag + self.count]))
        return (product - self.mean * total) / (self.spread * math.sqrt(spread))


@dataclasses.dataclass(frozen=True)
class SoundFit:
    """Where in the clip a movie's sound is found."""

    # How much later than in the clip, in seconds; of all lags that are as likely, that nearest to none.
    lag: float
    # Of loudness, at the best lag of all.
    correlation: float


def sound_fit(ours: array.array, theirs: array.array) -> SoundFit | None:
    """Finds samples in others that begin SOUND_SEARCH earlier and end as much later; None if nothing changes in them."""
    coarse = LagSearch(envelope(ours, COARSE_RATE), envelope(theirs, COARSE_RATE))
    level = max(coarse.mean, 1.0)
    if coarse.spread / math.sqrt(coarse.count) < 0.05 * level or sum(coarse.other) / len(coarse.other) < 4:
        return None
    reach = round(SOUND_SEARCH * COARSE_RATE)
    fits = {lag: coarse.fit(lag) for lag in range(len(coarse.other) - coarse.count + 1)}
    peaks = sorted(
        (lag for lag in fits if fits[lag] >= max(fits.get(lag - 1, -1), fits.get(lag + 1, -1))), key=fits.get)[-4:]
    fine = LagSearch(envelope(ours, ENVELOPE_RATE), envelope(theirs, ENVELOPE_RATE))
    ratio = ENVELOPE_RATE // COARSE_RATE
    lags = {
        lag for peak in {*peaks, reach} for lag in range((peak - 1) * ratio, (peak + 1) * ratio + 1)}
    fits = {lag: fine.fit(lag) for lag in lags}
    best = max(fits.values())
    lag = min((lag for lag in fits if fits[lag] >= best - LAG_MARGIN), key=lambda lag: abs(lag - reach * ratio))
    return SoundFit((reach * ratio - lag) / ENVELOPE_RATE, max(coarse.fit(peak) for peak in peaks))


@dataclasses.dataclass(frozen=True)
class Pair:
    """A pair, as `livephoto convert --json` reports it."""

    photo: Path
    movie: Path
    still: float
    still_in_clip: float
    duration: float
    frame_rate: float

    @staticmethod
    def of(report: dict) -> "Pair":
        return Pair(
            Path(report["photo"]), Path(report["movie"]), report["stillTime"], report["stillTimeInClip"],
            report["duration"], report["frameRate"])

    @property
    def begin(self) -> float:
        """When in the clip the movie begins."""
        return self.still_in_clip - self.still

    @property
    def span(self) -> tuple[float, float]:
        return self.begin - 1, self.begin + self.duration + 1


def otherwise(picture: Picture, wanted: Picture, clip: Clip) -> str:
    """Which of the clip's frames a picture is, if it is not the one that was wanted; at the end of a sentence."""
    best = min(clip.frames, key=lambda frame: distance(picture, frame, clip.tones_mapped))
    if abs(best.time - wanted.time) <= ROUNDING or flaws(picture, best, clip.tones_mapped):
        return ""
    return f"; it is the frame of {best.time:.3f} s"


def photo_flaws(pair: Pair, clip: Clip, deadline: Deadline) -> Iterator[str]:
    if pair.photo.suffix.lower() in (".heic", ".heif"):
        return
    photos = list(pictures(["-i", f"file:{pair.photo}", "-map", "0:V:0"], "", deadline))
    if not photos:
        yield "ffmpeg decodes no picture of the photo"
        return
    photo, wanted = photos[0], clip.shown(pair.still_in_clip)
    what = flaws(photo, wanted, clip.tones_mapped)
    if what:
        yield f"photo differs from a full decode at {pair.still_in_clip:.3f} s: {what}{otherwise(photo, wanted, clip)}"
        return
    # It is alike; but so may be many frames, and another may be the very one.
    best = min(clip.frames, key=lambda frame: distance(photo, frame, clip.tones_mapped))
    there, here = (distance(photo, frame, clip.tones_mapped) for frame in (best, wanted))
    if here > 1 and there < CLEARLY_BETTER * here:
        yield (f"photo is the frame of {best.time:.3f} s, not of {pair.still_in_clip:.3f} s (from which it differs by "
               f"{here:.1f}, from the other by {there:.1f})")


def movie_flaws(pair: Pair, clip: Clip, deadline: Deadline) -> Iterator[str]:
    frames = list(pictures(["-i", f"file:{pair.movie}", "-map", "0:V:0"], "", deadline))
    if not frames:
        yield "ffmpeg decodes no picture of the movie"
        return
    # Each frame of the movie is the clip's nearest to its place in an even rhythm.
    reach = 1 / pair.frame_rate if pair.frame_rate else 0
    for index in sorted({round(part / 5 * (len(frames) - 1)) for part in range(6)}):
        frame = frames[index]
        moment = pair.begin + frame.time
        near = clip.around(moment, reach)
        best = min(near, key=lambda candidate: distance(frame, candidate, clip.tones_mapped))
        if what := flaws(frame, best, clip.tones_mapped):
            yield (f"movie frame at {frame.time:.3f} s differs from a full decode around {moment:.3f} s: {what}"
                   f"{otherwise(frame, best, clip)}")
            return


def sound_of(pair: Pair, clip: Clip, deadline: Deadline) -> tuple[SoundFit | None, str]:
    """Where the movie's sound is in the clip, and what is wrong with it."""
    theirs = clip.heard_around(pair.begin, pair.begin + pair.duration)
    margin = round(SOUND_SEARCH * SAMPLE_RATE)
    if not theirs or max(map(abs, theirs[margin:-margin]), default=0) < 4:
        return None, ""
    ours = heard(pair.movie, "0:a:0", 0, pair.duration, deadline)
    if ours is None:
        return None, "movie has no sound, though a full decode has"
    if max(map(abs, ours)) < 4:
        return None, "movie is silent, though a full decode is not"
    fit = sound_fit(ours, theirs)
    if fit is None:
        return None, ""
    if fit.correlation < 0.5:
        return fit, f"sound is not that of a full decode (correlation {fit.correlation:.2f})"
    if abs(fit.lag) > SOUND_LIMIT + 1e-6:
        return fit, f"sound is {abs(fit.lag) * 1000:.1f} ms {'late' if fit.lag > 0 else 'early'}"
    return fit, ""


def compare(pairs: list[Pair], path: Path, timeout: float) -> list[str]:
    """What is wrong with pairs made of a clip, a sentence each."""
    clip = Clip(path, timeout)
    clip.decode([pair.span for pair in pairs])
    found = []
    for pair in pairs:
        deadline = Deadline(timeout)
        found += photo_flaws(pair, clip, deadline)
        found += movie_flaws(pair, clip, deadline)
        found.append(sound_of(pair, clip, deadline)[1])
    return [flaw for flaw in found if flaw]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", 1)[0], epilog=__doc__.split("\n\n", 2)[2],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", metavar="CLIP", type=Path)
    parser.add_argument("reports", metavar="REPORT", type=Path, nargs="+")
    parser.add_argument("--timeout", type=float, default=600, help="how long the decode may take, in seconds (600)")
    options = parser.parse_args()
    try:
        pairs = [Pair.of(json.loads(report.read_text())) for report in options.reports]
        found = compare(pairs, options.clip, options.timeout)
    except Unreadable as problem:
        found = [f"cannot be compared: {problem}"]
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"error: {problem!r}")
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
