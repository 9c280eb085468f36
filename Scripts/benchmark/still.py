"""Measures the choice of the still, for Documentation/Still.md; see `Scripts/bench still --help`."""

import argparse
import json
import math
import random
import re
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arguments import count, file, run_script
from measure import Failed, output

# How frames outside the good interval are degraded: libavfilter's chains by strength, from weak to strong. The chains apply
# where `{outside}` is true, as their option `enable` takes it.
DEGRADATIONS: dict[str, list[str]] = {
    "motion blur": [f"avgblur=sizeX={size}:sizeY=1:enable='{{outside}}'" for size in (4, 8, 16)],
    "vertical motion blur": [f"avgblur=sizeX=1:sizeY={size}:enable='{{outside}}'" for size in (4, 8, 16)],
    "defocus": [f"gblur=sigma={sigma}:enable='{{outside}}'" for sigma in (2, 4, 8)],
    "darkness": [f"lutyuv=y='16+(val-16)*{factor}':enable='{{outside}}'" for factor in (0.5, 0.3, 0.12)],
    "overexposure": [f"lutyuv=y='clip(16+(val-16)*{factor},16,235)':enable='{{outside}}'" for factor in (1.8, 2.5, 4)],
    # Every other frame is lit by a flash, the frames between them a little.
    "flash": [
        f"lutyuv=y='clip(16+(val-16)*{light},16,235)':enable='({{outside}})*mod(n,2)',"
        f"lutyuv=y='clip(16+(val-16)*{(1 + light) / 2},16,235)':enable='({{outside}})*(1-mod(n,2))'" for light in (2, 3, 5)],
    # To black, from the frames next to the interval on, which are already darker.
    "fade": [
        ",".join(
            f"lutyuv=y='16+(val-16)*{max(start - speed * step, 0):.2f}'"
            f":enable='between(max({{start}}-t,t-{{end}}),{step / 10},{step / 10 + 0.1})*({{outside}})'"
            for step in range(50)) for start, speed in ((0.7, 0.03), (0.6, 0.06), (0.5, 0.12))],
    "black": [f"lutyuv=y='16+(val-16)*{factor}':u=128:v=128:enable='{{outside}}'" for factor in (0.04, 0.01, 0)],
    # White letters are boxes, as fonts differ between machines.
    "title": [
        f"drawbox=c={color}:t=fill:enable='{{outside}}'," + ",".join(
            f"drawbox=x=iw*{0.2 + 0.1 * letter:.1f}:y=ih*0.45:w=iw*0.06:h=ih*0.1:c={ink}:t=fill:enable='{{outside}}'"
            for letter in range(6)) for color, ink in (("black", "white"), ("navy", "yellow"), ("white", "black"))],
    "noise": [f"noise=c0s={strength}:c0f=t:enable='{{outside}}'" for strength in (20, 40, 80)],
}

# Of the movies that the program gets; larger ones take longer to make.
SIZE = "scale='min(1280,iw)':'min(1280,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2"
SECONDS = 5
# Of the movie's length.
INTERVAL = 0.25


@dataclass(frozen=True)
class Sample:
    """A movie whose frames are degraded outside of an interval, in seconds."""

    movie: Path
    kind: str
    strength: int
    start: float
    end: float


Chooser = Callable[[Path], float]


def ffmpeg(*arguments: str) -> str:
    return output(["ffmpeg", "-v", "error", "-nostdin", "-y", *arguments])


def length(clip: Path) -> float:
    return float(output(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(clip)]))


def samples(clip: Path, folder: Path, chance: random.Random):
    """Degrades a clip in each way and strength; yields one sample after another, whose file is then overwritten."""
    seconds = min(length(clip), SECONDS)
    movie = folder / "sample.mp4"
    for kind, chains in DEGRADATIONS.items():
        for strength, chain in enumerate(chains):
            start = chance.uniform(0.05, 0.95 - INTERVAL) * seconds
            end = start + INTERVAL * seconds
            filters = chain.format(outside=f"not(between(t,{start:.3f},{end:.3f}))", start=start, end=end)
            ffmpeg(
                "-t", str(seconds), "-i", str(clip), "-map", "0:V:0", "-vf", f"{SIZE},format=yuv420p,{filters}", "-c:v",
                "libx264", "-preset", "veryfast", "-crf", "16", str(movie))
            yield Sample(movie, kind, strength, start, end)


def chooser(program: Path) -> Chooser:
    """The choice of `--still auto`."""
    def choose(clip: Path) -> float:
        plan = json.loads(output([
            str(program), "convert", str(clip), "--still", "auto", "--dry-run", "--json", "--output", "/nonexistent"]))
        return float(plan["stillTimeInClip"])
    return choose


def by_thumbnail(clip: Path) -> float:
    """The frame of ffmpeg's filter `thumbnail`, which is nearest to the mean histogram."""
    frames = output([
        "ffprobe", "-v", "error", "-select_streams", "V:0", "-count_packets", "-show_entries", "stream=nb_read_packets",
        "-of", "csv=p=0", str(clip)]).split(",")[0].strip()
    return _times(clip, f"thumbnail=n={frames},showinfo", r"pts_time:([0-9.]+)")[0]


def by_laplacian(clip: Path) -> float:
    """The frame with the largest mean absolute Laplacian of luma, at the size at which `--still auto` looks."""
    filters = (
        "scale=640:640:force_original_aspect_ratio=decrease:flags=area,format=gray,"
        "convolution=0m='0 -1 0 -1 4 -1 0 -1 0':0rdiv=1,signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-")
    text = output([
        "ffmpeg", "-v", "error", "-nostdin", "-i", str(clip), "-map", "0:V:0", "-vf", filters, "-f", "null", "/dev/null"])
    found = re.findall(r"pts_time:([0-9.]+)\s+lavfi.signalstats.YAVG=([0-9.]+)", text)
    return float(max(found, key=lambda one: float(one[1]))[0])


def _times(clip: Path, filters: str, pattern: str) -> list[float]:
    text = output([
        "bash", "-c", 'ffmpeg -nostdin -hide_banner -i "$0" -map 0:V:0 -vf "$1" -f null /dev/null 2>&1', str(clip), filters])
    times = [float(time) for time in re.findall(pattern, text)]
    if not times:
        raise Failed(f"ffmpeg chose no frame of {clip}")
    return times


def by_pictures(choose: Chooser) -> Chooser:
    """Returns a chooser that does not see what an iPhone recorded about the frames."""
    def chosen(movie: Path) -> float:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / movie.name
            ffmpeg("-i", str(movie), "-map", "0:V:0", "-c", "copy", "-map_metadata", "-1", str(copy))
            return choose(copy)
    return chosen


def blur(movie: Path) -> list[tuple[float, float]]:
    """Time and length of the motion-blur vector of each frame, as an iPhone measured it; empty for other movies."""
    streams = json.loads(output(["ffprobe", "-v", "error", "-show_entries", "stream=index,codec_type", "-of", "json", str(movie)]))
    contents = movie.read_bytes()
    for stream in streams["streams"]:
        if stream.get("codec_type") != "data":
            continue
        packets = json.loads(output([
            "ffprobe", "-v", "error", "-select_streams", str(stream["index"]), "-show_entries", "packet=pts_time,pos,size",
            "-of", "json", str(movie)]))["packets"]
        found = []
        for packet in packets:
            # After the size and the key; version 3, with the vector at 24 and the flag 8 for its validity at 42.
            record = contents[int(packet["pos"]) + 8:int(packet["pos"]) + int(packet["size"])]
            if len(record) < 48 or struct.unpack_from("<I", record)[0] != 3 or not record[42] & 8:
                break
            found.append((float(packet["pts_time"]), math.hypot(*struct.unpack_from("<2f", record, 24))))
        if len(found) > 5:
            return found
    return []


def compare_degraded(clips: list[Path], choosers: dict[str, Chooser], seed: int) -> None:
    """Prints how often each chooser takes a frame of the good interval."""
    hits: dict[str, dict[str, list[bool]]] = {kind: {name: [] for name in choosers} for kind in DEGRADATIONS}
    for clip in clips:
        print(clip, file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            for sample in samples(clip, Path(folder), random.Random(f"{seed} {clip.name}")):
                for name, choose in choosers.items():
                    time = choose(sample.movie)
                    is_hit = sample.start - 0.001 <= time <= sample.end + 0.001
                    hits[sample.kind][name].append(is_hit)
                    if not is_hit and name == next(iter(choosers)):
                        print(
                            f"  {sample.kind} {sample.strength + 1}: {time:.2f} is outside of {sample.start:.2f} to "
                            f"{sample.end:.2f}", file=sys.stderr)
    print("| Outside of the interval | Clips | " + " | ".join(choosers) + " |")
    print("|---|---:|" + "---:|" * len(choosers))
    total: dict[str, list[bool]] = {name: [] for name in choosers}
    for kind, found in hits.items():
        for name in choosers:
            total[name] += found[name]
        print(_row(kind, found))
    print(_row("all", total))


def _row(title: str, found: dict[str, list[bool]]) -> str:
    number = len(next(iter(found.values())))
    shares = [f"{100 * sum(values) / max(number, 1):.1f} %" for values in found.values()]
    return f"| {title} | {number} | " + " | ".join(shares) + " |"


def compare_devices(movies: list[tuple[Path, list[tuple[float, float]]]], choosers: dict[str, Chooser]) -> None:
    """Prints how many frames of each movie an iPhone measured as less blurred than the chosen one."""
    print("\n| Movie | Blur, px | " + " | ".join(choosers) + " |")
    print("|---|---|" + "---:|" * len(choosers))
    for movie, measured in movies:
        lengths = sorted(value for _, value in measured)
        cells = []
        for choose in choosers.values():
            time = choose(movie)
            chosen = min(measured, key=lambda one: abs(one[0] - time))[1]
            cells.append(f"{100 * sum(value < chosen for value in lengths) / len(lengths):.0f} %")
        print(f"| {movie.name} | {lengths[0]:.1f} to {lengths[-1]:.1f} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="Scripts/bench still",
        description="Measures how well --still auto chooses, and prints Markdown tables. Of each clip, all frames outside a "
        "good interval are degraded in several ways and strengths; a choice is right if it lies in the interval. Of movies "
        "from iPhones, which record each frame's motion blur, the table says what share of the frames is less blurred than the "
        "chosen one. The same is done with ffmpeg's filter thumbnail and with the Laplacian.")
    parser.add_argument("clips", metavar="CLIP", nargs="+", type=file, help="a clip of one scene, or an iPhone's movie")
    parser.add_argument("--seed", type=count, default=1, help="chooses the places of the intervals (1)")
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    auto = chooser(options.program.resolve())
    choosers = {"`--still auto`": auto, "`thumbnail`": by_thumbnail, "Laplacian": by_laplacian}
    measured = [(clip, blur(clip)) for clip in options.clips]
    devices = [(clip, found) for clip, found in measured if found]
    others = [clip for clip, found in measured if not found]
    if others:
        compare_degraded(others, choosers, options.seed)
    if devices:
        compare_devices(devices, {"`--still auto`": auto, "without the records": by_pictures(auto), **choosers})


if __name__ == "__main__":
    run_script(main)
