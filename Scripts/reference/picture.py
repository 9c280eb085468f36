"""Compares small pictures."""

import dataclasses
import functools
import math
import operator

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


@dataclasses.dataclass(frozen=True)
class Picture:
    """A small picture in RGB, and its time."""

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
    """The difference of two pictures, to find the best match."""
    if tones_mapped:
        return 100 * (1 - correlation(ours.ranks, theirs.ranks))
    return difference(ours, theirs) + abs(ours.mean - theirs.mean)


def flaws(ours: Picture, theirs: Picture, tones_mapped: bool) -> str:
    """How a picture differs from another; empty if it matches."""
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
