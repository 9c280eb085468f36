"""Finds the position of one sound within another by its loudness."""

import array
import dataclasses
import math
import operator

from media import SAMPLE_RATE

# The allowed offset of a movie's sound, and the range that is searched, in seconds.
SOUND_LIMIT, SOUND_SEARCH = 0.005, 2.5
ENVELOPE_RATE, COARSE_RATE = 2000, 100
# How much worse than the best lag another one may fit and still be as likely.
LAG_MARGIN = 0.01

# The smallest sample of a decode that is certainly heard, and of a movie that is not certainly silence.
HEARD_LEVEL, SOUND_LEVEL = 16, 2


def audible(samples: array.array, level: int) -> float:
    """How long samples are not silent, in seconds."""
    step = SAMPLE_RATE // COARSE_RATE
    return sum(
        max(map(abs, samples[first:first + step])) >= level for first in range(0, len(samples), step)) / COARSE_RATE


def envelope(samples: array.array, rate: int) -> list[float]:
    """The loudness of samples at a fixed rate."""
    step = SAMPLE_RATE // rate
    loud = list(map(abs, samples))
    return [sum(loud[first:first + step]) / step for first in range(0, len(loud) - step + 1, step)]


class LagSearch:
    """The match of a sound with a longer one at each lag."""

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
    """The position of a movie's sound in the clip."""

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
