"""Cross-validates the powers to which the parts of a score are raised, from the scores of many samples.

A score is a product, so that its logarithm is a sum: the parts' logarithms, each times a factor that is 1 for the program's own
powers. Tuning looks for the factors with the most right choices.
"""

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass

# What is tuned; the position is a preference, not a measure of the picture.
PARTS = ("contrast", "sharp", "blur", "exposure", "noise", "change")
FACTORS = (0.0, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)
# As in StillScoring: of scores that differ by less, the frame nearest to the middle is taken.
NEARLY_AS_GOOD = math.log(0.98)


@dataclass(frozen=True)
class Scores:
    """The scores of all frames of a sample."""

    clip: str
    kind: str
    # Of each frame: the logarithms of the parts in the order of PARTS, that of the position, and the distance from the middle.
    frames: list[tuple[list[float], float, float]]
    good: list[bool]

    @classmethod
    def of(cls, clip: str, kind: str, candidates: list[dict], is_good) -> "Scores":
        times = [one["time"] for one in candidates]
        middle = (min(times) + max(times)) / 2
        frames = [
            ([math.log(max(one["score"][part], 0.0005)) for part in PARTS], math.log(max(one["score"]["position"], 0.0005)),
             abs(one["time"] - middle)) for one in candidates]
        return cls(clip, kind, frames, [is_good(time) for time in times])

    def is_hit(self, factors: dict[str, float]) -> bool:
        values = [factors[part] for part in PARTS]
        totals = [position + sum(map(float.__mul__, parts, values)) for parts, position, _ in self.frames]
        least = max(totals) + NEARLY_AS_GOOD
        chosen = min(
            (index for index, total in enumerate(totals) if total >= least), key=lambda index: self.frames[index][2])
        return self.good[chosen]


def hits(scores: Iterable[Scores], factors: dict[str, float]) -> int:
    return sum(one.is_hit(factors) for one in scores)


def own_factors() -> dict[str, float]:
    return {part: 1.0 for part in PARTS}


def tune(scores: list[Scores]) -> dict[str, float]:
    """The factors with the most right choices that changing one after another finds, from half of each power on."""
    # Not from the program's own powers, which were chosen with all clips.
    factors = {part: 0.5 for part in PARTS}
    best = hits(scores, factors)
    improved = True
    while improved:
        improved = False
        for part in PARTS:
            for factor in FACTORS:
                changed = factors | {part: factor}
                found = hits(scores, changed)
                # A difference of one choice is chance.
                if found > best + 1:
                    factors, best, improved = changed, found, True
    return factors


def cross_validate(scores: list[Scores], rounds: int, seed: int) -> dict[str, list[float]]:
    """Tunes with one half of the clips and measures with the other, and the other way round, several times.

    Returns the shares of right choices of each kind, one for each sample: the mean over the rounds.
    """
    clips = sorted({one.clip for one in scores})
    found = [0] * len(scores)
    for number in range(rounds):
        shuffled = clips[:]
        random.Random(f"{seed} {number}").shuffle(shuffled)
        first = set(shuffled[:len(shuffled) // 2])
        for half in (True, False):
            factors = tune([one for one in scores if (one.clip in first) == half])
            for index, one in enumerate(scores):
                if (one.clip in first) != half:
                    found[index] += one.is_hit(factors)
    result: dict[str, list[float]] = {}
    for one, number in zip(scores, found):
        result.setdefault(one.kind, []).append(number / rounds)
    return result
