"""Compares Live Photos with a full decode of their clip by ffmpeg: from its first packet on, without a seek.

usage: full_decode.py [--timeout SECONDS] CLIP REPORT…

REPORT is what `livephoto convert --json` printed for a pair that it made of CLIP. Prints a line for each difference and
exits with 1 if there is one. Compared are

- the photo with the frame that the clip shows at `stillTimeInClip`, and some frames of the movie with those around
  their times in the clip: mean luma within 4 of 255, and what is seen where;
- the movie's sound with the clip's: within 5 ms, by how its loudness changes. Silence and steady tones fit anywhere. Where
  the clip's time stamps and the lengths of its sound disagree, it may follow either;
- how long the movie's sound is not silent with how long the clip's lasts by the container's packets, as far as what
  ffmpeg decodes there is not silent: within 5 %. ffmpeg may lose the same sound, so this needs no decode that is right.
  A warning of livephoto that sound is lost has to be true.

Zero on the clip's clock is the container's first time stamp, as ffmpeg has it without -copyts, or the start of a
QuickTime movie or MP4 whose pictures begin after an empty edit. Colours that a photo
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
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ignored_boxes import clean_aperture, has_empty_edit, quarter_turns
from media import (
    SAMPLE_RATE, Deadline, Sound, Unreadable, copy_sound, decoded_sound, first_duration, pictures, probe, stated_length,
    streams)
from picture import Picture, distance, flaws
from sound import HEARD_LEVEL, SOUND_LEVEL, SOUND_LIMIT, SOUND_SEARCH, SoundFit, audible, sound_fit

# Another frame has to fit so much better than the one that was asked for to be taken for it.
CLEARLY_BETTER = 0.4
# Two time stamps this close are the same moment: containers round to milliseconds, livephoto to 1/600 s.
ROUNDING = 0.0018
# How much of the stated sound may be missing: a part of it, and seconds.
LOST_PART, LOST_SECONDS = 0.05, 0.1

SDR_TRANSFERS = {"", "bt709", "smpte170m", "bt470m", "gamma22", "bt470bg", "gamma28", "iec61966-2-1", "iec61966-2-4",
                 "bt2020-10", "bt2020-12", "smpte240m", "unknown", "reserved"}
SDR_PRIMARIES = {"", "bt709", "smpte170m", "bt470bg", "smpte240m", "unknown", "reserved"}
ALPHA_FORMAT = re.compile(r"^(yuva|gbrap|rgba|bgra|argb|abgr|ya\d|pal8|ayuv)")


def quarter_turned(stream: dict) -> bool:
    return any(int(data.get("rotation", 0)) % 180 == 90 for data in stream.get("side_data_list", []))


class Clip:
    """A clip and its full decode (pictures and sound) around some moments."""

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
        self.quarter_turns = 0
        if "mov" in self.info.get("format", {}).get("format_name", "").split(","):
            self.clean_aperture = clean_aperture(path)
            self.quarter_turns = quarter_turns(path)
            if has_empty_edit(path):
                self.zero = 0.0

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
        # What livephoto and players take for the matrix of clips that do not name one; ffmpeg always takes BT.601's.
        if self.stream.get("color_space", "unknown") in ("unknown", "reserved") and height > 576 and \
                self.stream.get("pix_fmt", "").startswith("yuv"):
            filters += "setparams=colorspace=bt709,"
        # FFmpeg 5.1 takes the RGB of AV1 and H.265 for luma and chroma.
        if self.stream.get("color_space") == "gbr" and self.stream.get("pix_fmt") == "yuv444p":
            filters += "extractplanes=y+u+v[green][blue][red];[green][blue][red]mergeplanes=0x001020:gbrp,"
        if ALPHA_FORMAT.match(self.stream.get("pix_fmt", "")):
            filters += "format=gbrap,premultiply=inplace=1,format=gbrp,"
        if self.clean_aperture:
            width, height, across, down = self.clean_aperture
            # ffmpeg has turned the frame already; apertures of turned pictures are taken to be in the middle.
            if quarter_turned(self.stream):
                width, height, across, down = height, width, 0, 0
            filters += f"crop=min(iw\\,{width}):min(ih\\,{height}):(iw-ow)/2+{across}:(ih-oh)/2+{down}:exact=1,"
        return filters + "transpose=cclock," * self.quarter_turns

    def shown(self, moment: float) -> Picture:
        """The frame of the clip at a moment."""
        times = [picture.time for picture in self.frames]
        return self.frames[max(0, bisect.bisect_right(times, moment + ROUNDING) - 1)]

    def around(self, moment: float, reach: float) -> list[Picture]:
        """The frames of the clip within some time of a moment."""
        first = self.shown(moment - reach)
        return [first] + [
            picture for picture in self.frames if first.time < picture.time <= moment + reach + ROUNDING]

    @functools.cached_property
    def sound_stream(self) -> tuple[int, Sound] | None:
        """The sound stream that is played, the default one or one that decodes, with its decode."""
        deadline = Deadline(self.timeout)
        for stream in streams(self.info, "audio"):
            if sound := self.decoded(stream, deadline):
                return stream["index"], sound
        return None

    def decoded(self, stream: dict, deadline: Deadline) -> Sound | None:
        # Frames of AMR last 20 ms.
        if stream.get("codec_name") not in ("amr_nb", "amr_wb") or \
                first_duration(self.path, stream["index"], deadline) < 0.03:
            return decoded_sound(self.path, f"0:{stream['index']}", self.heard_span[1], deadline, self.zero)
        # Of a packet with several frames, which 3GP has, ffmpeg decodes the first; in a file of AMR, each is a packet.
        with tempfile.TemporaryDirectory() as folder:
            speech = Path(folder) / "speech.amr"
            copy_sound(self.path, stream["index"], speech, deadline)
            return decoded_sound(speech, "0:0", self.heard_span[1], deadline, self.zero - float(stream.get("start_time", 0)))

    @functools.cached_property
    def sound(self) -> list[array.array]:
        """What is heard around the spans, from SOUND_SEARCH before the first.

        More than once where ffmpeg decodes other lengths of time than the time stamps say: either may be right.
        """
        return self.sound_stream[1].heard(*self.heard_span) if self.sound_stream else []

    @property
    def heard_span(self) -> tuple[float, float]:
        return min(begin for begin, _ in self.spans) - SOUND_SEARCH, max(end for _, end in self.spans) + SOUND_SEARCH

    def heard_around(self, begin: float, end: float) -> list[array.array]:
        """What the clip plays from SOUND_SEARCH before one moment to as much after another."""
        first, last = (
            round((moment - self.heard_span[0]) * SAMPLE_RATE) for moment in (begin - SOUND_SEARCH, end + SOUND_SEARCH))
        return [samples[first:last] for samples in self.sound]


@dataclasses.dataclass(frozen=True)
class Pair:
    """A pair, as `livephoto convert --json` reports it."""

    photo: Path
    movie: Path
    still: float
    still_in_clip: float
    duration: float
    frame_rate: float

    # What livephoto warned about, a sentence each.
    warnings: tuple[str, ...] = ()

    @staticmethod
    def of(report: dict) -> "Pair":
        return Pair(
            Path(report["photo"]), Path(report["movie"]), report["stillTime"], report["stillTimeInClip"],
            report["duration"], report["frameRate"], tuple(report.get("warnings", ())))

    @property
    def begin(self) -> float:
        """The start of the movie on the clip's timeline."""
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
    # It matches, but so may many frames, and another one may match exactly.
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
    """The position of the movie's sound in the clip, and what is wrong with it."""
    margin = round(SOUND_SEARCH * SAMPLE_RATE)
    readings = [
        samples for samples in clip.heard_around(pair.begin, pair.begin + pair.duration)
        if max(map(abs, samples[margin:-margin]), default=0) >= 4]
    if not readings:
        return None, ""
    sound = decoded_sound(pair.movie, "0:a:0", pair.duration, deadline)
    if not sound:
        return None, "movie has no sound, though a full decode has"
    ours = sound.heard(0, pair.duration)[0]
    if max(map(abs, ours)) < 4:
        return None, "movie is silent, though a full decode is not"
    fits = [fit for samples in readings if (fit := sound_fit(ours, samples))]
    if not fits:
        return None, ""
    fit = min(fits, key=lambda fit: (fit.correlation < 0.5, abs(fit.lag)))
    if fit.correlation < 0.5:
        return fit, f"sound is not that of a full decode (correlation {fit.correlation:.2f})"
    if abs(fit.lag) > SOUND_LIMIT + 1e-6:
        return fit, f"sound is {abs(fit.lag) * 1000:.1f} ms {'late' if fit.lag > 0 else 'early'}"
    return fit, ""


def sound_length_flaw(pair: Pair, clip: Clip, deadline: Deadline) -> str:
    """Whether the movie has less or more sound than the clip's container states, or livephoto warns of that falsely."""
    if not clip.sound_stream:
        return ""
    index, decoded = clip.sound_stream
    begin, end = pair.begin, pair.begin + pair.duration
    stated = stated_length(clip.path, index, begin, end, deadline, clip.zero)
    sound = decoded_sound(pair.movie, "0:a:0", pair.duration, deadline)
    if stated <= LOST_SECONDS or not sound:
        return ""
    theirs = decoded.decoded(begin, end)
    part = audible(theirs, HEARD_LEVEL) / (len(theirs) / SAMPLE_RATE) if theirs else 1
    ours = audible(sound.heard(0, pair.duration)[0], SOUND_LEVEL)
    limit = max(LOST_SECONDS, LOST_PART * stated)
    if stated * min(part, 1) - ours > limit:
        return (f"sound is lost: {ours:.2f} s of the movie are not silent, of {stated:.2f} s that the container states "
                f"({part:.0%} of what ffmpeg decodes there is not silent)")
    if ours - stated > limit:
        return f"sound lasts {ours:.2f} s, though the container states {stated:.2f} s"
    if warning := next((warning for warning in pair.warnings if "its container states" in warning), None):
        return f"a warning is wrong, as {ours:.2f} s of {stated:.2f} s are not silent: {warning}"
    return ""


def compare(pairs: list[Pair], path: Path, timeout: float) -> list[str]:
    """The errors of pairs made from a clip, one sentence each."""
    clip = Clip(path, timeout)
    clip.decode([pair.span for pair in pairs])
    found = []
    for pair in pairs:
        deadline = Deadline(timeout)
        found += photo_flaws(pair, clip, deadline)
        found += movie_flaws(pair, clip, deadline)
        found.append(sound_of(pair, clip, deadline)[1])
        found.append(sound_length_flaw(pair, clip, Deadline(timeout)))
    return [flaw for flaw in found if flaw]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", 1)[0], epilog=__doc__.split("\n\n", 2)[2],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", metavar="CLIP", type=Path)
    parser.add_argument("reports", metavar="REPORT", type=Path, nargs="+")
    parser.add_argument("--timeout", type=float, default=600, help="time limit of the decode in seconds (600)")
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
