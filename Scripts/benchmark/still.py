"""Measures the choice of the still, for Documentation/Still.md; see `Scripts/bench still --help`."""

import argparse
import concurrent.futures
import json
import sys
import tempfile
from pathlib import Path

from arguments import count, file, run_script
from measure import Failed, output
from still_choosers import Chooser, by_laplacian, by_thumbnail, chooser
from still_devices import blur, by_pictures, compare_devices
from still_samples import DEGRADATIONS, made, prepare, samples
from still_tuning import PARTS, Scores, cross_validate, hits, own_factors

PHOTOS = (".jpg", ".jpeg", ".png", ".webp")
ROUNDS = 3


def measure(name: str, inputs: list[str], filters: str, program: Path, others: dict[str, Chooser], seed: int):
    """Degrades a clip in all ways. Returns the scores of the frames, and the hits of each chooser by kind."""
    scores: list[Scores] = []
    found: list[tuple[str, dict[str, bool]]] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            clip = prepare(name, inputs, filters, Path(folder) / "clip.mp4")
        except Failed as error:
            print(f"  {name} is left out: {error}", file=sys.stderr)
            return scores, found
        for sample in samples(clip, Path(folder), seed):
            document = json.loads(output([str(program), "frames", str(sample.movie), "--count", "1", "--json"]))
            time = float(document["suggestedStill"])
            if not sample.is_good(time):
                print(
                    f"  {name}: {sample.kind}: {time:.2f} is outside of {sample.start:.2f} to {sample.end:.2f}", file=sys.stderr)
            scores.append(Scores.of(name, sample.kind, document["candidates"], sample.is_good))
            found.append((
                sample.kind, {"`--still auto`": sample.is_good(time)} | {
                    chosen: sample.is_good(choose(sample.movie)) for chosen, choose in others.items()}))
    return scores, found


def compare_degraded(
    clips: list[Path], photos: list[Path], program: Path, others: dict[str, Chooser], seed: int, jobs: int
) -> None:
    """Prints how often each chooser takes a frame of the good interval, and what the parts contribute."""
    scores: list[Scores] = []
    found: dict[str, list[dict[str, bool]]] = {kind: [] for kind in DEGRADATIONS}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for some, hit in pool.map(lambda one: measure(*one, program, others, seed), made(clips, photos)):
            scores += some
            for kind, choices in hit:
                found[kind].append(choices)
    validated = cross_validate(scores, ROUNDS, seed)
    names = ["`--still auto`", *others]
    print("| Outside of the interval | Clips | Cross-validated | " + " | ".join(names) + " |")
    print("|---|---:|---:|" + "---:|" * len(names))
    for kind, choices in [*found.items(), ("all", [one for some in found.values() for one in some])]:
        shares = validated.get(kind) or [share for some in validated.values() for share in some]
        values = [_percent(sum(one[name] for one in choices), len(choices)) for name in names]
        print(f"| {kind} | {len(choices)} | {_percent(sum(shares), len(shares))} | " + " | ".join(values) + " |")
    print("\n| Without | `--still auto` | Most lost |\n|---|---:|---|")
    for part in PARTS:
        factors = own_factors() | {part: 0.0}
        losses = []
        for kind in DEGRADATIONS:
            some = [one for one in scores if one.kind == kind]
            lost = hits(some, own_factors()) - hits(some, factors)
            losses.append((lost / max(len(some), 1), kind))
        worst = ", ".join(f"{kind} ({-100 * lost:.0f})" for lost, kind in sorted(losses, reverse=True)[:3] if lost > 0)
        print(f"| {part} | {_percent(hits(scores, factors), len(scores))} | {worst} |")


def _percent(part: float, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="Scripts/bench still",
        description="Measures how well --still auto chooses, and prints Markdown tables. Of each clip, all frames outside a "
        "good interval are degraded in several ways, with random strength; a choice is right if it lies in the interval. Photos "
        "become clips of a camera held by hand; some more clips are made by ffmpeg. The powers of the score's parts are "
        "cross-validated: tuned with one half of the clips and measured with the other. Of movies from iPhones, which record "
        "each frame's motion blur, the table says what share of the frames is less blurred than the chosen one.")
    parser.add_argument("clips", metavar="CLIP", nargs="+", type=file, help="a clip of one scene, a photo, or an iPhone's movie")
    parser.add_argument("--seed", type=count, default=1, help="chooses the places of the intervals (1)")
    parser.add_argument("--jobs", type=count, default=2, help="clips that are measured at the same time (2)")
    parser.add_argument(
        "--only-auto", action="store_true", help="do not compare with ffmpeg's filter thumbnail and the Laplacian")
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    program = options.program.resolve()
    others = {} if options.only_auto else {"`thumbnail`": by_thumbnail, "Laplacian": by_laplacian}
    photos = [one for one in options.clips if one.suffix.lower() in PHOTOS]
    measured = [(one, blur(one)) for one in options.clips if one not in photos]
    devices = [(clip, found) for clip, found in measured if found]
    clips = [clip for clip, found in measured if not found]
    if clips or photos:
        compare_degraded(clips, photos, program, others, options.seed, options.jobs)
    if devices:
        auto = chooser(program)
        compare_devices(devices, {"`--still auto`": auto, "without the records": by_pictures(auto), **others})


if __name__ == "__main__":
    run_script(main)
