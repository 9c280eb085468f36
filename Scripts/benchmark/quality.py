"""Measures the quality of a movie."""

import re
import statistics
from pathlib import Path

from measure import Failed, output


def similarity(movie: Path, clip: Path, begin: float, size: str) -> float:
    """SSIM of a movie and its clip over all planes, from 0 to 1, by ffmpeg.

    To each frame of the movie comes the clip's latest one up to it, scaled to the movie's size: this tells what coding
    lost, and of a larger clip also how scaling differs. `begin` is the movie's beginning in the clip, in seconds. The
    movie's clock rounds to 1/600 s, so the clip's begins that much earlier.
    """
    frames = output([
        "ffmpeg", "-v", "error", "-nostdin", "-i", str(movie), "-i", str(clip), "-filter_complex",
        f"[1:V:0] setpts='PTS-({begin}+1/600)/TB', scale={size}:flags=bicubic:out_color_matrix=bt709:out_range=tv,"
        "format=yuv420p, setsar=1 [clip]; [0:V:0] setsar=1 [movie]; [movie] [clip] ssim=shortest=1:stats_file=-",
        "-an", "-f", "null", "/dev/null",
    ])
    values = [float(value) for value in re.findall(r"All:([0-9.]+)", frames)]
    if not values:
        raise Failed(f"ffmpeg compared no frame of {movie}")
    return statistics.fmean(values)
