"""Compares the chosen still with the motion blur that an iPhone measured for each frame of a Live Photo's movie."""

import json
import math
import struct
import tempfile
from pathlib import Path

from measure import output
from still_choosers import Chooser
from still_samples import ffmpeg


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
