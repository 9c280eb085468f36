"""Differences from a full decode that the sweep finds and that are not livephoto's."""

import dataclasses
import fnmatch
import re

from combinations import Combination


@dataclasses.dataclass(frozen=True)
class Known:
    """A difference that is not livephoto's, and why."""

    clip: str
    container: str
    text: str
    reason: str

    def explains(self, combination: Combination, flaw: str) -> bool:
        return (fnmatch.fnmatch(combination.clip, self.clip) and fnmatch.fnmatch(combination.container, self.container)
                and re.search(self.text, flaw) is not None)


KNOWN: tuple[Known, ...] = (
    Known("smc*", "avi", "", "what ffmpeg writes as SMC in AVI decodes to noise from its first frame on"),
    Known(
        "xface", "nut", "luma differs|correlates",
        "black and white dots of 48x48 oblong pixels change when they are made square, as a player does"),
    Known(
        "*", "gxf", r"sound is (9|1[0-9])\.[0-9] ms early",
        "GXF gives times in fields of 20 ms: a decode that follows them has holes of silence between packets of 0.68 s"),
    *(Known(
        "ac3*", container, r"sound is 32\.0 ms early",
        "the comparison loses a frame where a cut frame makes two packets have one time stamp; against a plain decode to"
        " PCM from the first packet on the sound is in place (offset 0 ms, correlation 0.99)")
        for container in ("mpeg", "vob")),
    *(Known(
        clip, container, "sound|compare",
        "ffmpeg's muxer gives these packets wrong times (seconds, or microseconds, apart that are milliseconds long), so"
        " that nothing says when they are heard")
        for clip, containers in (("g72*", "avi"), ("eac3", "avi"), ("dca", "avi"), ("dfpwm", "avi mov nut"),
                                 ("pcm_?law", "flv"))
        for container in containers.split()),
    Known(
        "real_144", "rm", r"sound is 20\.0 ms late",
        "the comparison loses the first of the frames, which all have one time stamp; against a plain decode to PCM the"
        " sound is in place (offset 0 ms, correlation 0.999)"),
    Known("comfortnoise", "*", "correlation", "each decoding of comfort noise makes other noise"),
    *(Known(
        "flac", container, r"sound is 96\.0 ms early",
        "after a start or a seek libavformat's FLAC parser, which these containers need, loses nine frames (0.86 s) and"
        " gives a wrong time to the one before") for container in ("asf", "wtv")),
)


def reason(combination: Combination, flaw: str) -> str:
    """Why a difference is right; empty if it is not known to be."""
    return next((known.reason for known in KNOWN if known.explains(combination, flaw)), "")
