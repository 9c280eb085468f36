"""Ways to choose the still of a movie: the program's, and two simple ones."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from measure import Failed, output

# Returns the time of the still in the movie, in seconds.
Chooser = Callable[[Path], float]


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
