"""Converts clips of every codec and container that ffmpeg can create, and compares; see `Scripts/trial sweep --help`."""

import argparse
import array
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

from combinations import CONTAINER_NEEDS, SOUND, TIMEOUT, Combination, audio_combinations, run, video_combinations
from full_decode import Clip, Pair, movie_flaws, photo_flaws, sound_length_flaw, sound_of
from known_differences import reason
from media import Deadline, Unreadable, probe, streams
from shared_packets import SPEECH, share_packets, write_speech

SECONDS = 8
STILLS = (0.5, 4, 7.5)
SIZE = "176x144"
RATE = 25


@dataclasses.dataclass
class Result:
    combination: Combination
    # Why nothing can be compared; empty if it can.
    skipped: str = ""
    flaws: list[str] = dataclasses.field(default_factory=list)
    seconds: float = 0

    def unexplained(self) -> list[str]:
        return [flaw for flaw in self.flaws if not reason(self.combination, flaw)]


def draw(folder: Path) -> None:
    """Creates the source of all clips: pictures that encode their number in black and white, and bursts of sound."""
    bits = "if(lt(Y,24), 255*mod(floor(N/pow(2,floor(X/22))),2), lum(X,Y)*(0.4+0.6*N/200))"
    run_or_fail([
        "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi",
        "-i", f"testsrc2=size={SIZE}:rate={RATE}:duration={SECONDS}", "-vf", f"format=yuv420p,geq=lum='{bits}':cb='if(lt(Y,12),128,cb(X,Y))':cr='if(lt(Y,12),128,cr(X,Y))'",
        "-c:v", "ffv1", str(folder / "pictures.nut")])
    chance = random.Random(1)
    rate, samples = 48000, array.array("h")
    while len(samples) < 2 * rate * SECONDS:
        loudness = chance.choice((0, 600, 2000, 6000, 12000))
        for index in range(rate // 20):
            value = int(loudness * (((index * 440 * 2 // rate) % 2 - 0.5) + chance.uniform(-0.5, 0.5)))
            samples.extend((value, value))
    with wave.open(str(folder / "sound.wav"), "wb") as file:
        file.setparams((2, 2, rate, 0, "NONE", ""))
        file.writeframes(samples[:2 * rate * SECONDS].tobytes())
    for codec in SPEECH:
        write_speech(codec, folder / f"{codec}.amr", SECONDS)


def run_or_fail(command: list[str]) -> None:
    done = run(command)
    if done.returncode:
        sys.exit(f"error: {command[0]} fails: {done.stderr.strip()[-400:]}")


def encode(combination: Combination, clip: Path, materials: Path, limit: tuple[str, ...] = ()) -> str:
    """Creates a clip; returns the message of ffmpeg if it fails."""
    picture = ["-i", str(materials / "pictures.nut")]
    sound = ["-i", str(materials / "sound.wav")]
    container = combination.container
    if combination.kind == "video":
        video = ["-c:v", combination.encoder, *combination.options.split(), *CONTAINER_NEEDS.get(container, "").split()]
        tries = [[*SOUND.get(container, "").split()], ["-an"]]
    else:
        video = CONTAINER_NEEDS.get(container, "").split()
        encoder = ["-c:a", combination.encoder, *combination.options.split()]
        tries = [[*encoder, *options.split()] for options in (
            SOUND.get(container, "").replace("-c:a aac", ""), "-ar 48000 -ac 2", "-ar 44100 -ac 1", "-ar 16000 -ac 1",
            "-ar 8000 -ac 1", "-ar 8000 -ac 1 -b:a 6300")]
    if combination.encoder in SPEECH:
        sound, tries = ["-i", str(materials / f"{combination.encoder}.amr")], [["-c:a", "copy"]]
    said = ""
    for options in tries:
        # Experimental features must be allowed explicitly, which changes the output of other muxers.
        for strict in ((), ("-strict", "-2")):
            done = run([
                "ffmpeg", "-y", "-v", "error", "-nostdin", "-threads", "1", *picture, *sound,
                "-map", "0:v", "-map", "1:a", *strict, *video, *options, *limit, "-f", container, str(clip)])
            if done.returncode == 0:
                return ""
            said = done.stderr.strip() or "it fails"
            if not re.search("strict|experimental", said):
                break
    return said


def convert(program: Path, clip: Path, still: float, output: Path) -> tuple[Pair | None, str]:
    try:
        done = run([str(program), "convert", str(clip), "--still", str(still), "--output", str(output), "--json"])
    except subprocess.TimeoutExpired:
        return None, f"livephoto takes longer than {TIMEOUT} s"
    if done.returncode:
        sentence = " ".join(done.stderr.split())[:160].replace(str(clip.parent) + "/", "")
        return None, f"livephoto exits with {done.returncode}: {sentence}"
    return Pair.of(json.loads(done.stdout)), ""


def compare(
        program: Path, combination: Combination, path: Path, original: Path, folder: Path) -> tuple[str, list[str]]:
    """Why a clip cannot be compared, and the errors of the pairs made from it.

    `original` is the clip that ffmpeg made and decodes: the clip itself, or the one before its frames were joined.
    """
    try:
        clip = Clip(original, TIMEOUT)
        clip.decode([(-1, SECONDS + 1)])
    except Unreadable as problem:
        return f"ffmpeg cannot read it back: {problem}", []
    if len(clip.frames) < SECONDS * RATE * 0.8 or clip.frames[-1].time < max(STILLS) - 0.1:
        return (f"ffmpeg cannot read it back: {len(clip.frames)} frames, "
                f"the last at {clip.frames[-1].time:.2f} s"), []
    if combination.kind == "audio" and not clip.sound:
        return "ffmpeg cannot read it back: no sound", []
    found = []
    for still in STILLS:
        pair, problem = convert(program, path, still, folder / f"pair-{still}")
        if pair is None:
            found.append(f"{still} s: {problem}")
            continue
        problems = []
        try:
            if combination.kind == "video":
                deadline = Deadline(TIMEOUT)
                shown = clip.shown(still).time
                if abs(pair.still_in_clip - shown) > 0.005 and abs(pair.still_in_clip - still) > 0.5 / RATE + 0.005:
                    problems.append(f"the still is that of {pair.still_in_clip:.3f} s, not of {shown:.3f} s")
                problems += photo_flaws(pair, clip, deadline)
                problems += movie_flaws(pair, clip, deadline)
            fit, problem = sound_of(pair, clip, Deadline(TIMEOUT))
            if combination.kind == "audio" and not (fit or problem):
                problem = "there is no sound to compare"
            problems.append(problem)
            if combination.kind == "audio":
                problems.append(sound_length_flaw(pair, clip, Deadline(TIMEOUT)))
        except Unreadable as problem:
            problems.append(f"cannot be compared: {problem}")
        found += [f"{still} s: {problem}" for problem in problems if problem]
    return "", found


def attempt(combination: Combination, program: Path, materials: Path, keep: Path | None) -> Result:
    """Creates a clip, converts it and compares."""
    begin = time.monotonic()
    result = Result(combination)
    with tempfile.TemporaryDirectory(dir=materials) as name:
        folder = Path(name)
        path = folder / f"clip.{combination.container}"
        try:
            if said := encode(combination, path, materials):
                result.skipped = f"ffmpeg does not make it: {said.splitlines()[0] if said else ''}"
            else:
                original = path
                if combination.frames > 1:
                    path = folder / f"shared.{combination.container}"
                    share_packets(original, path, combination.frames)
                result.skipped, result.flaws = compare(program, combination, path, original, folder)
        except subprocess.TimeoutExpired:
            result.skipped = f"ffmpeg takes longer than {TIMEOUT} s"
        if keep and result.flaws:
            shutil.copytree(folder, keep / combination.name.replace("/", " "), dirs_exist_ok=True)
    result.seconds = time.monotonic() - begin
    return result


def attempt_all(
        variants: list[Combination], program: Path, materials: Path, keep: Path | None) -> list[Result]:
    """The same for variants that differ only in encoder options: if one cannot be created, none can."""
    results: list[Result] = []
    skipped = trial(variants[0], materials)
    for combination in variants:
        results.append(Result(combination, skipped) if skipped else attempt(combination, program, materials, keep))
    return results


def trial(combination: Combination, materials: Path) -> str:
    """Why nothing can be compared, tested with a short clip; empty if it probably can."""
    with tempfile.TemporaryDirectory(dir=materials) as name:
        clip = Path(name) / f"clip.{combination.container}"
        try:
            if said := encode(combination, clip, materials, ("-t", "0.4")):
                return f"ffmpeg does not make it: {said.splitlines()[0]}"
            found = probe(clip, Deadline(TIMEOUT))
        except subprocess.TimeoutExpired:
            return f"ffmpeg takes longer than {TIMEOUT} s"
        except Unreadable as problem:
            return str(problem)
    codecs_found = [stream.get("codec_name", "unknown") for stream in streams(found, combination.kind)]
    if not codecs_found or codecs_found[0] in ("unknown", "none"):
        return f"ffmpeg cannot read it back: no {combination.kind}"
    return ""


def table(results: list[Result]) -> str:
    rows = []
    for result in results:
        if result.skipped:
            continue
        flaws = result.unexplained()
        what = "equal" if not result.flaws else "FAILED: " + "; ".join(flaws) if flaws else \
            "explained: " + "; ".join(sorted({reason(result.combination, flaw) for flaw in result.flaws}))
        rows.append((result.combination.kind, result.combination.clip, result.combination.container, what))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) for row in rows)


def summary(results: list[Result]) -> str:
    """Counts the results of the combinations."""
    skipped = [result.skipped for result in results if result.skipped]
    unmade = sum(text.startswith("ffmpeg does not make it") for text in skipped)
    compared = [result for result in results if not result.skipped]
    failed = sum(bool(result.unexplained()) for result in compared)
    explained = sum(bool(result.flaws) for result in compared) - failed
    return (
        f"passed over: {unmade} that ffmpeg does not make, {len(skipped) - unmade} that it does not read back\n"
        f"{len(compared)} combinations, {len(compared) - failed - explained} equal, "
        + (f"{explained} explained, " if explained else "") + f"{failed} failed")


def arguments() -> argparse.Namespace:
    """Scripts/trial sweep explains them."""
    parser = argparse.ArgumentParser(prog="Scripts/trial sweep")
    parser.add_argument("--only", metavar="PATTERN", action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--program", type=Path, required=True)
    options = parser.parse_args()
    if options.jobs < 1:
        parser.error("--jobs takes whole numbers from 1 on")
    if options.keep and options.keep.exists() and any(options.keep.iterdir()):
        parser.error(f"{options.keep} is not empty; name a new folder to keep the failures in")
    return options


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as name:
        materials = Path(name)
        draw(materials)
        combinations = video_combinations(materials, options.only or ["*"]) + audio_combinations()
        if options.only:
            combinations = [
                one for one in combinations if any(fnmatch.fnmatch(one.name, pattern) for pattern in options.only)]
        groups: dict[tuple[str, str, str], list[Combination]] = {}
        for one in combinations:
            groups.setdefault((one.kind, one.encoder, one.container), []).append(one)
        results: list[Result] = []
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            pending = [
                pool.submit(attempt_all, variants, options.program.resolve(), materials, options.keep)
                for variants in groups.values()]
            for future in pending:
                for result in future.result():
                    results.append(result)
                    what = result.skipped or "; ".join(result.flaws) or "equal"
                    print(f"[{len(results)}/{len(combinations)}] {result.combination.name}: {what[:300]}, "
                          f"{result.seconds:.1f} s", file=sys.stderr, flush=True)
    print(table(results))
    print(summary(results))
    sys.exit(any(result.unexplained() for result in results))


if __name__ == "__main__":
    main()
