"""Measures x264 settings, to choose those of the presets; see `Scripts/bench x264 --help`."""

import argparse
import re
import statistics
import sys
import tempfile
from pathlib import Path

import encoder
from arguments import count, file, run_script
from measure import Failed, output, run

# ffmpeg's defaults.
REFERENCE = "--preset medium --crf 20"

# A key frame every second, or as often as in a movie of three seconds. Unlike in convert, one encoder makes the movie.
EACH_SECOND = "--keyint 15 --sync-lookahead 0"
GROUPS = f"--keyint {encoder.KEY_FRAME_INTERVAL} --sync-lookahead 0"
SHORT = f"{GROUPS} {encoder.options('ipratio', 'scenecut', 'ref')}"
OURS = f"{SHORT} {encoder.options('rc-lookahead', 'bframes')}"

SETTINGS = [
    f"--preset {settings}"
    for settings in [
        f"medium --crf 20 {EACH_SECOND}", f"fast --crf 20 {EACH_SECOND}", f"faster --crf 20 {EACH_SECOND}",
        f"faster --crf 21 {EACH_SECOND}", f"veryfast --crf 20 {EACH_SECOND}", f"veryfast --crf 19 {EACH_SECOND}",
        f"superfast --crf 20 {EACH_SECOND}", "faster --crf 20 --keyint 30 --sync-lookahead 0",
        f"faster --crf 20 {GROUPS}", f"faster --crf 20 {SHORT}", f"faster --crf 20 {SHORT} --bframes 1",
        f"faster --crf 20 {SHORT} --bframes 0", f"faster --crf 20 {OURS}", f"medium --crf 20 {OURS}",
        f"faster --crf 20 {OURS} --trellis 0",
        f"faster --crf 20 {OURS} --weightp 0", f"faster --crf 20 {OURS} --subme 6", f"veryfast --crf 20 {OURS}",
    ]
]


def raw_frames(clip: Path, folder: Path) -> Path:
    """The frames of a movie made from the clip: 15 per second, at most 1920×1080, three seconds from the middle."""
    seconds = float(output([
        "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(clip)]))
    frames = folder / "frames.y4m"
    frames.unlink(missing_ok=True)
    output([
        "ffmpeg", "-v", "error", "-nostdin", "-ss", f"{max(0, seconds / 2 - 1.5):.3f}", "-i", str(clip), "-t", "3",
        "-vf", "fps=15,scale='if(gt(iw,ih),min(1920,iw),-2)':'if(gt(iw,ih),-2,min(1920,ih))':out_range=tv,"
        "format=yuv420p", "-an", str(frames)])
    return frames


def measured(settings: str, frames: Path, runs: int, folder: Path) -> tuple[float, float, float, float]:
    """CPU seconds, bytes, luma SSIM as reported by x264, and peak memory in bytes."""
    movie = folder / "movie.264"
    command = ["x264", "--ssim", "--threads", "3", *settings.split(), "-o", str(movie), str(frames)]
    costs = [run(command, folder) for _ in range(runs)]
    said = (folder / "stderr").read_text()
    ssim = re.search(r"SSIM Mean Y:([0-9.]+)", said)
    if not ssim:
        raise Failed(f"x264 told no SSIM: {said.strip()[-500:]}")
    cpu = statistics.median(cost.cpu_seconds for cost in costs)
    return cpu, movie.stat().st_size, float(ssim.group(1)), max(cost.peak_bytes for cost in costs)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="Scripts/bench x264",
        description="Encodes what movies of the clips would show with many settings of x264, and prints a table in "
        f"Markdown: CPU and bytes as ratios to x264's `{REFERENCE}` (geometric means over the clips, and the worst), "
        "luma SSIM as the difference from it (the mean and the worst).")
    parser.add_argument("clips", metavar="CLIP", nargs="+", type=file)
    parser.add_argument("--runs", type=count, default=3, help="number of runs of each encode (3)")
    parser.add_argument("--settings", action="append", help="x264 settings to measure instead; can be repeated")
    options = parser.parse_args()
    settings = options.settings or SETTINGS
    found: dict[str, list[tuple[float, float, float, float]]] = {each: [] for each in [REFERENCE, *settings]}
    for clip in options.clips:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            frames = raw_frames(clip, folder)
            for each in found:
                print(f"{clip.name}: {each}", file=sys.stderr)
                found[each].append(measured(each, frames, options.runs, folder))
    print("| x264 | CPU | bytes | SSIM | worst bytes | worst SSIM | peak, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for each in settings:
        pairs = list(zip(found[each], found[REFERENCE]))
        cpu = statistics.geometric_mean(a[0] / b[0] for a, b in pairs)
        sizes = [a[1] / b[1] for a, b in pairs]
        ssim = [a[2] - b[2] for a, b in pairs]
        print(
            f"| `{each}` | {cpu:.2f} | {statistics.geometric_mean(sizes):.3f} | {statistics.fmean(ssim):+.4f} "
            f"| {max(sizes):.3f} | {min(ssim):+.4f} | {max(a[3] for a, _ in pairs) / 1e6:.0f} |")


if __name__ == "__main__":
    run_script(main)
