"""Differences from a full decode that the sweep finds but that are not errors of livephoto."""

import dataclasses
import fnmatch
import re

from combinations import Combination


@dataclasses.dataclass(frozen=True)
class Known:
    """A difference that is not an error of livephoto, and why."""

    clip: str
    container: str
    text: str
    reason: str

    def explains(self, combination: Combination, flaw: str) -> bool:
        return (not re.search("livephoto exits|takes longer|no picture", flaw)
                and fnmatch.fnmatch(combination.clip, self.clip) and fnmatch.fnmatch(combination.container, self.container)
                and re.search(self.text, flaw) is not None)


KNOWN: tuple[Known, ...] = (
    Known(
        "smc*", "avi", "differs|frame of|correlates",
        "what ffmpeg writes as SMC in AVI decodes to noise from its first frame on"),
    Known(
        "xface", "nut", "luma differs|correlates",
        "black and white dots of 48x48 oblong pixels change when they are made square, as a player does"),
    *(Known(
        clip, container, "sound is|no sound|cannot be compared",
        "ffmpeg's muxer gives these packets wrong times (seconds, or microseconds, apart that are milliseconds long), so"
        " that nothing says when they are heard")
        for clip, containers in (("g72*", "avi"), ("eac3", "avi"), ("dca", "avi"), ("dfpwm", "avi mov nut"),
                                 ("pcm_*law", "flv"))
        for container in containers.split()),
    Known(
        "libspeex 5 frames*", "flv", "sound is",
        "FLV does not state how many frames a packet has, and ffmpeg decodes the first of five"),
    Known("comfortnoise", "*", "sound is", "each decoding of comfort noise makes other noise"),
)


def reason(combination: Combination, flaw: str) -> str:
    """Why a difference is correct; empty if it is not known to be."""
    return next((known.reason for known in KNOWN if known.explains(combination, flaw)), "")
