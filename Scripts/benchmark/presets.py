"""Measures the built-in presets, for Tests/Benchmarks/SETTINGS.md; see `Scripts/bench presets --help`."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from arguments import count, file, run_script
from measure import Spread, output, run
from quality import similarity


def describe(clip: Path) -> str:
    """A short description of a clip, without its file name."""
    stream = json.loads(output([
        "ffprobe", "-v", "error", "-select_streams", "V:0", "-show_entries",
        "stream=codec_name,width,height,avg_frame_rate", "-of", "json", str(clip)]))["streams"][0]
    frames, seconds = map(int, stream["avg_frame_rate"].split("/"))
    return f"{stream['width']}×{stream['height']}, {frames / max(seconds, 1):.4g} fps, {stream['codec_name']}"


def shipped(program: Path) -> list[str]:
    """The built-in presets, which `presets list` separates from the user's own by an empty line."""
    lines = output([str(program), "presets", "list"]).split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines if line]


def measured(program: Path, clip: Path, preset: str, runs: int, folder: Path) -> tuple[float, float, str]:
    """Median CPU seconds and minimum wall seconds of a conversion, and the rest of its row."""
    command = [
        str(program), "convert", str(clip), "--preset", preset, "--output", str(folder / "out"), "--force", "--json"]
    costs = [run(command, folder) for _ in range(runs)]
    result = json.loads((folder / "stdout").read_text())
    movie, photo = Path(result["movie"]), Path(result["photo"])
    ssim = similarity(
        movie, clip, result["stillTimeInClip"] - result["stillTime"], f"{result['width']}:{result['height']}")
    cpu = Spread.of([cost.cpu_seconds for cost in costs]).median
    wall = min(cost.wall_seconds for cost in costs)
    sizes = f"{result['frames']} | {movie.stat().st_size / 1000:.0f} | {photo.stat().st_size / 1000:.0f}"
    return cpu, wall, f"{sizes} | {ssim:.4f} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="Scripts/bench presets",
        description="Measures time, size and quality of each built-in preset and prints a Markdown table. CPU is the "
        "median processor time of a conversion, which other load on the machine hardly affects. Time is the elapsed time "
        "of the fastest run relative to classic's. SSIM compares each frame of the movie with that of the clip at the "
        "same moment, scaled to the movie's size, so it shows the loss of encoding.")
    parser.add_argument("clips", metavar="CLIP", nargs="+", type=file, help="SDR: tone mapping would count as a loss")
    parser.add_argument("--runs", type=count, default=3, help="number of runs of each conversion (3)")
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    program = options.program.resolve()
    print("| Clip | Preset | CPU, s | Time | Frames | Movie, kB | Photo, kB | SSIM |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for clip in options.clips:
        classic = None
        for preset in shipped(program):
            print(f"{preset}: {clip}", file=sys.stderr)
            with tempfile.TemporaryDirectory() as folder:
                cpu, wall, rest = measured(program, clip, preset, options.runs, Path(folder))
            classic = classic or wall
            print(f"| {describe(clip)} | `{preset}` | {cpu:.2f} | {wall / classic:.2f} | {rest}", flush=True)


if __name__ == "__main__":
    run_script(main)
