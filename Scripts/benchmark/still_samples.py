"""Makes movies with a known best part: clips whose frames are degraded outside a good interval.

What is degraded, and how strongly, follows from a seed and the clip's name, so that runs can be compared. Each clip is degraded
in each way once, with a strength that is drawn at random.
"""

import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import Failed, output

# Of the movies that the program gets; larger ones take longer to make.
SIZE = "scale='min(1280,iw)':'min(1280,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2"
SECONDS = 5
# Of the movie's length.
INTERVAL = 0.25
# A scene that is so dark that this factor makes less than a tenth of it white cannot be overexposed.
MOST_LIGHT = 4


@dataclass(frozen=True)
class Clip:
    """A clip of one scene, in a size and length that are quick to work with."""

    path: Path
    name: str
    seconds: float
    width: int
    height: int
    # The factor that makes a tenth of its samples white.
    light: float
    # The level at which the camera clips: that of video's white, or the highest of 8 bits.
    white: int


@dataclass(frozen=True)
class Sample:
    """A movie whose frames are degraded outside of an interval, in seconds."""

    clip: Clip
    movie: Path
    kind: str
    start: float
    end: float

    def is_good(self, time: float) -> bool:
        return self.start - 0.001 <= time <= self.end + 0.001


def ffmpeg(*arguments: str) -> str:
    return output(["ffmpeg", "-v", "error", "-nostdin", "-y", *arguments])


def encode(inputs: list[str], filters: str, movie: Path, quality: int) -> None:
    ffmpeg(
        *inputs, "-t", str(SECONDS), "-filter_complex", f"[0:V:0]{filters},format=yuv420p", "-an", "-vsync", "vfr", "-c:v",
        "libx264", "-preset", "veryfast", "-crf", str(quality), str(movie))


def made(clips: list[Path], photos: list[Path]) -> Iterator[tuple[str, list[str], str]]:
    """Names, inputs and filters of the clips to degrade: the middle of each given one, variants of the first, photos as if a
    hand held the camera, and pictures that ffmpeg draws."""
    for clip in clips:
        length = output(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(clip)]).strip()
        # A stream without a container has no duration; its beginning is taken.
        seconds = 0 if length == "N/A" else float(length)
        # Without seeking, after which the first pictures of some clips are damaged.
        yield clip.name, ["-i", str(clip)], f"trim=start={max(seconds - SECONDS, 0) / 2:.3f},setpts=PTS-STARTPTS,{SIZE}"
    for clip, name, filters in zip(clips, ("night", "film grain", "time-lapse"), (
            "lutyuv=y='16+(val-16)*0.28',noise=c0s=8:c0f=t", "noise=c0s=14:c0f=t", "setpts=PTS/4")):
        yield f"{clip.name}, {name}", ["-i", str(clip)], f"{filters},{SIZE}"
    for index, photo in enumerate(photos):
        inputs = ["-loop", "1", "-framerate", "25", "-i", str(photo)]
        # The hand trembles at over a hertz, and the sensor adds noise.
        shake = (
            "scale=1600:1600:force_original_aspect_ratio=increase,crop=960:720"
            f":x='(iw-960)/2*(1+0.{2 + index % 6}*sin(t*0.9))+5*sin(t*13)':y='(ih-720)/2*(1+0.4*sin(t*1.3))+4*sin(t*17)'")
        light = ",lutyuv=y='16+(val-16)*0.35',noise=c0s=9:c0f=t" if index % 4 == 3 else f",noise=c0s={3 + index % 3}:c0f=t"
        yield photo.name, inputs, shake + light
    yield "fractal", ["-f", "lavfi", "-i", "mandelbrot=s=960x540:rate=25:start_scale=1.2:end_scale=0.05:end_pts=200"], "null"
    yield "cells", [
        "-f", "lavfi", "-i",
        "life=s=320x180:rate=25:mold=10:ratio=0.3:seed=3:death_color=#203040:life_color=#e0d0a0:mold_color=#607080",
    ], "scale=960:540,gblur=1"
    # Words are boxes, as fonts differ between machines.
    words, chance = [], random.Random(5)
    for line in range(34):
        x = 60
        while x < 860:
            width = chance.randint(14, 80)
            words.append(f"drawbox=x={x}:y={20 + line * 30}:w={width}:h=12:c=black@0.8:t=fill")
            x += width + 12
    yield "text", ["-f", "lavfi", "-i", "color=white:s=960x1080:r=25"], ",".join(words) + ",crop=960:540:0:'40*t'"


def prepare(name: str, inputs: list[str], filters: str, movie: Path) -> Clip:
    encode(inputs, filters, movie, quality=10)
    streams = json.loads(output([
        "ffprobe", "-v", "error", "-select_streams", "V:0", "-show_entries", "stream=width,height,duration", "-of", "json",
        str(movie)]))["streams"]
    if not streams:
        raise Failed("ffmpeg decodes no picture of it")
    found = streams[0]
    levels = output([
        "ffmpeg", "-v", "error", "-nostdin", "-i", str(movie), "-vf", "signalstats,metadata=print:file=-", "-f", "null", "-"])

    def mean(key: str) -> float:
        values = [float(line.split("=")[1]) for line in levels.splitlines() if f".{key}=" in line]
        return sum(values) / len(values)

    white = 255 if mean("YMAX") > (235 + 255) / 2 else 235
    light = 219 / max(mean("YHIGH") - 16, 1)
    return Clip(movie, name, float(found["duration"]), found["width"], found["height"], light, white)


def _between(chance: random.Random, least: float, most: float) -> float:
    """A random strength; weak and strong ones are equally frequent."""
    return math.exp(chance.uniform(math.log(least), math.log(most)))


def _brighter(factor: float, clip: Clip) -> str:
    return f"lutyuv=y='clip(16+(val-16)*{factor:.3f},16,{clip.white})'"


def _flash(chance: random.Random, clip: Clip) -> str:
    """Every other frame is lit by a flash, the frames between them a little."""
    light = clip.light * _between(chance, 1.5, 4)
    return (
        f"{_brighter(light, clip)}:enable='({{outside}})*mod(n,2)',"
        f"{_brighter((1 + light) / 2, clip)}:enable='({{outside}})*(1-mod(n,2))'")


def _fade(chance: random.Random, clip: Clip) -> str:
    """To black, from the frames next to the interval on, which are already darker."""
    start, speed = chance.uniform(0.5, 0.75), _between(chance, 0.03, 0.15)
    return ",".join(
        f"lutyuv=y='16+(val-16)*{max(start - speed * step, 0):.2f}'"
        f":enable='between(max({{start}}-t,t-{{end}}),{step / 10},{step / 10 + 0.1})*({{outside}})'" for step in range(50))


def _title(chance: random.Random, clip: Clip) -> str:
    """Letters are boxes, as fonts differ between machines."""
    colors = [("black", "white"), ("navy", "yellow"), ("white", "black"), ("gray", "white"), ("darkred", "white")]
    (color, ink), letters = chance.choice(colors), chance.randint(3, 8)
    y, height = chance.choice([0.2, 0.45, 0.7]), chance.choice([0.06, 0.1, 0.16])
    return f"drawbox=c={color}:t=fill:enable='{{outside}}'," + ",".join(
        f"drawbox=x=iw*{0.5 - letters * 0.05 + 0.1 * letter:.2f}:y=ih*{y}:w=iw*0.06:h=ih*{height}:c={ink}:t=fill"
        ":enable='{outside}'" for letter in range(letters))


def _haze(chance: random.Random, clip: Clip) -> str:
    left = chance.uniform(0.25, 0.55)
    return f"lutyuv=y='{chance.choice([90, 130, 170])}*{1 - left:.3f}+val*{left:.3f}':enable='{{outside}}'"


def _blocks(chance: random.Random, clip: Clip) -> str:
    """As much compression leaves them."""
    size = chance.choice([4, 6, 8, 12, 16])
    return (
        f"split[a][b];[b]scale='ceil(iw/{size})':'ceil(ih/{size})':flags=area,scale={clip.width}:{clip.height}:flags=neighbor[c]"
        ";[a][c]overlay=format=yuv420:enable='{outside}'")


def _near_object(chance: random.Random, clip: Clip) -> str:
    """Something before the lens, such as a finger."""
    width, height = chance.uniform(0.55, 0.9), chance.uniform(0.6, 0.95)
    color = chance.choice(["0x503018", "0x202020", "0x906050", "0xc0a090"])
    return (
        f"split[a][b];[b]drawbox=c={color}:t=fill,scale=trunc(iw*{width:.2f}/2)*2:trunc(ih*{height:.2f}/2)*2,"
        f"noise=c0s=3:c0f=t[c];[a][c]overlay=x=W*{chance.uniform(0, 1 - width):.2f}:y=H*{chance.uniform(0, 1 - height):.2f}"
        ":format=yuv420:enable='{outside}'")


# libavfilter's chains, which apply where `{outside}` is true, as their option `enable` takes it.
DEGRADATIONS: dict[str, Callable[[random.Random, Clip], str]] = {
    "motion blur": lambda chance, _: f"avgblur=sizeX={round(_between(chance, 3, 16))}:sizeY=1:enable='{{outside}}'",
    "vertical motion blur": lambda chance, _: f"avgblur=sizeX=1:sizeY={round(_between(chance, 3, 16))}:enable='{{outside}}'",
    "diagonal motion blur": lambda chance, _: (
        f"dblur=angle={chance.choice([30, 45, 60, 120, 150])}:radius={_between(chance, 4, 16):.2f}:enable='{{outside}}'"),
    "defocus": lambda chance, _: f"gblur=sigma={_between(chance, 1.8, 8):.2f}:enable='{{outside}}'",
    "darkness": lambda chance, clip: f"{_brighter(_between(chance, 0.1, 0.5), clip)}:enable='{{outside}}'",
    "overexposure": lambda chance, clip: f"{_brighter(clip.light * _between(chance, 1.3, 3), clip)}:enable='{{outside}}'",
    "flash": _flash,
    "haze": _haze,
    "fade": _fade,
    "black": lambda chance, _: (
        f"lutyuv=y='16+(val-16)*{chance.choice([0.04, 0.02, 0.01, 0])}':u=128:v=128:enable='{{outside}}'"),
    "title": _title,
    "noise": lambda chance, _: f"noise=c0s={round(_between(chance, 14, 80))}:c0f=t:enable='{{outside}}'",
    "blocks": _blocks,
    "near object": _near_object,
}


def samples(clip: Clip, folder: Path, seed: int) -> Iterator[Sample]:
    """Degrades a clip in each way; yields one sample after another, whose file is then overwritten."""
    movie = folder / "sample.mp4"
    for kind, degradation in DEGRADATIONS.items():
        if kind in ("overexposure", "flash") and clip.light * 1.3 > MOST_LIGHT:
            continue
        chance = random.Random(f"{seed} {clip.name} {kind}")
        start = chance.uniform(0.05, 0.95 - INTERVAL) * clip.seconds
        end = start + INTERVAL * clip.seconds
        chain = degradation(chance, clip)
        outside = f"not(between(t,{start:.3f},{end:.3f}))"
        for name, value in (("outside", outside), ("start", f"{start:.3f}"), ("end", f"{end:.3f}")):
            chain = chain.replace(f"{{{name}}}", value)
        encode(["-i", str(clip.path)], chain, movie, quality=16)
        yield Sample(clip, movie, kind, start, end)
