"""Converts clips of every codec and container that ffmpeg makes, and compares: `Scripts/sweep --help` says how."""

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

from full_decode import Clip, Deadline, Pair, Unreadable, movie_flaws, photo_flaws, probe, sound_of, streams

SECONDS = 8
STILLS = (0.5, 4, 7.5)
SIZE = "176x144"
RATE = 25
# How long ffmpeg and livephoto may take for one clip.
TIMEOUT = 90

# Muxers that are tried with every codec; the others only with the codec that they take by default.
CONTAINERS = (
    "3gp", "asf", "avi", "flv", "gxf", "ivf", "matroska", "mov", "mp4", "mpeg", "mpegts", "mxf", "nut", "ogg", "rm",
    "swf", "vob", "webm", "wtv")
# Muxers that write no file which holds a clip, and those which only name or repeat another one.
NO_CONTAINERS = {
    "alsa", "caca", "chromaprint", "crc", "dash", "data", "fbdev", "ffmetadata", "fifo", "fifo_test", "framecrc",
    "framehash", "framemd5", "hash", "hds", "hls", "image2", "image2pipe", "md5", "mkvtimestamp_v2", "mp2", "null",
    "opengl", "oss", "pulse", "rawvideo", "rtp", "rtp_mpegts", "rtsp", "sap", "sdl,sdl2", "segment", "smoothstreaming",
    "stream_segment,ssegment", "streamhash", "tee", "uncodedframecrc", "video4linux2,v4l2", "webm_chunk",
    "webm_dash_manifest", "xv", "mp3", "flac", "ico"}
# What a muxer needs of its sound, where its default does not serve.
SOUND = {
    "3gp": "-c:a aac", "3g2": "-c:a aac", "amv": "-ar 22050 -ac 1 -block_size 882", "dv": "-ar 48000 -ac 2",
    "flv": "-ar 44100", "roq": "-ar 22050", "swf": "-ar 44100", "mxf": "-ar 48000", "gxf": "-ar 48000 -ac 1"}
# Makes pictures with a palette.
PALETTE = "-vf split[a][b];[a]palettegen[p];[b][p]paletteuse -pix_fmt pal8"
# What an encoder needs, or what makes it fast enough.
NEEDS = {
    "avui": "-s 720x576", "cfhd": "-s 320x240", "cinepak": "-max_strips 1",
    "dnxhd": "-s 320x240 -profile:v dnxhr_hq -pix_fmt yuv422p",
    "dvvideo": "-s 720x576", "hap": "-s 320x240", "libaom-av1": "-cpu-used 8 -usage realtime", "librav1e": "-speed 10",
    "libsvtav1": "-preset 12", "libvpx": "-deadline realtime -cpu-used 8 -b:v 500k",
    "libvpx-vp9": "-deadline good -cpu-used 8 -auto-alt-ref 1 -lag-in-frames 16 -b:v 500k",
    "libx264": "-preset faster", "libx264rgb": "-preset faster",
    "libx265": "-preset ultrafast -x265-params log-level=none", "mpeg1video": "-b:v 800k",
    "mpeg2video": "-b:v 800k", "roqvideo": "-s 128x128 -r 30", "smc": PALETTE, "vbn": "-s 320x240",
    "xface": "-s 48x48",
}
# Containers whose clips have one of a few sizes.
CONTAINER_NEEDS = {"gxf": "-s 720x576", "dv": "-s 720x576"}
# More than a codec's defaults: encoder, options, name.
VARIANTS = (
    ("rawvideo", PALETTE, "palette"), ("png", PALETTE, "palette"), ("tiff", PALETTE, "palette"),
    ("qtrle", "-pix_fmt gray", "gray"), ("cinepak", "-pix_fmt gray", "gray"),
    ("libx264", "-g 90 -x264-params open-gop=1", "open GOP"),
    ("libx264", "-g 90 -x264-params intra-refresh=1", "intra refresh"),
    ("libx264", "-g 90 -pix_fmt yuv444p", "4:4:4"), ("libx264", "-g 90 -flags +ildct+ilme", "interlaced"),
    ("libx265", "-g 90 -bf 2 -x265-params log-level=none:open-gop=1", "open GOP"),
    ("mpeg2video", "-g 90 -bf 2 -flags +ildct+ilme", "interlaced"),
)


@dataclasses.dataclass(frozen=True)
class Known:
    """A difference that is not livephoto's, and why."""

    clip: str
    container: str
    text: str
    reason: str


KNOWN: tuple[Known, ...] = (
    Known("smc*", "avi", "", "what ffmpeg writes as SMC in AVI decodes to noise from its first frame on"),
    Known(
        "xface", "nut", "luma differs|correlates",
        "black and white dots of 48x48 oblong pixels change when they are made square, as a player does"),
    Known(
        "*", "gxf", r"sound is (9|1[0-9])\.[0-9] ms early",
        "GXF gives times in fields of 20 ms: a decode that follows them has holes of silence between packets of 0.68 s"),
    *(Known(
        "ac3*", container, r"sound is 32\.0 ms early",
        "the comparison loses a frame where a cut frame makes two packets have one time stamp; against a plain decode to"
        " PCM from the first packet on the sound is in place (offset 0 ms, correlation 0.99)")
        for container in ("mpeg", "vob")),
    *(Known(
        clip, container, "sound|compare",
        "ffmpeg's muxer gives these packets wrong times (seconds, or microseconds, apart that are milliseconds long), so"
        " that nothing says when they are heard")
        for clip, containers in (("g72*", "avi"), ("eac3", "avi"), ("dca", "avi"), ("dfpwm", "avi mov nut"),
                                 ("pcm_?law", "flv"))
        for container in containers.split()),
    Known(
        "real_144", "rm", r"sound is 20\.0 ms late",
        "the comparison loses the first of the frames, which all have one time stamp; against a plain decode to PCM the"
        " sound is in place (offset 0 ms, correlation 0.999)"),
    Known("comfortnoise", "*", "correlation", "each decoding of comfort noise makes other noise"),
    *(Known(
        "flac", container, r"sound is 96\.0 ms early",
        "after a start or a seek libavformat's FLAC parser, which these containers need, loses nine frames (0.86 s) and"
        " gives a wrong time to the one before") for container in ("asf", "wtv")),
)


@dataclasses.dataclass(frozen=True)
class Combination:
    """A clip that may be made, by codec and container."""

    # What is swept: `video` or `audio`.
    kind: str
    encoder: str
    variant: str
    options: str
    container: str

    @property
    def clip(self) -> str:
        return f"{self.encoder} {self.variant}".strip()

    @property
    def name(self) -> str:
        return f"{self.kind} {self.clip} in {self.container}"


@dataclasses.dataclass
class Result:
    combination: Combination
    # Why there is nothing to compare; empty if there is.
    skipped: str = ""
    flaws: list[str] = dataclasses.field(default_factory=list)
    seconds: float = 0

    def unexplained(self) -> list[str]:
        return [flaw for flaw in self.flaws if not self.reason(flaw)]

    def reason(self, flaw: str) -> str:
        where = self.combination
        return next((
            known.reason for known in KNOWN
            if fnmatch.fnmatch(where.clip, known.clip) and fnmatch.fnmatch(where.container, known.container)
            and re.search(known.text, flaw)), "")


def run(command: list[str], timeout: float = TIMEOUT) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=timeout)


def encoders(kind: str) -> dict[str, str]:
    """The encoders of a kind, V or A, with the codecs that they make."""
    found = {}
    for line in run(["ffmpeg", "-v", "quiet", "-encoders"]).stdout.splitlines():
        if match := re.match(rf" {kind}[A-Z.]{{5}} (\S+) .*?(?:\(codec (\S+)\))?$", line):
            found[match[1]] = match[2] or match[1]
    return found


def codecs() -> dict[str, str]:
    """Of each codec the flags that ffmpeg lists: D, it decodes it; the fourth, I, each frame for itself."""
    return {
        match[2]: match[1] for line in run(["ffmpeg", "-v", "quiet", "-codecs"]).stdout.splitlines()
        if (match := re.match(r" ([A-Z.]{6}) (\S+) ", line))}


def muxers() -> dict[str, str]:
    """The muxers of clips, with the video codec that each takes by default."""
    found = {}
    for line in run(["ffmpeg", "-v", "quiet", "-muxers"]).stdout.splitlines():
        match = re.match(r" +E (\S+) ", line)
        if match and match[1] not in NO_CONTAINERS:
            help_text = run(["ffmpeg", "-v", "quiet", "-h", f"muxer={match[1]}"]).stdout
            if default := re.search(r"Default video codec: (\S+)\.", help_text):
                found[match[1]] = default[1]
    return found


def draw(folder: Path) -> None:
    """Makes what all clips are made of: pictures that say their number in black and white, and bursts of sound."""
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


def run_or_fail(command: list[str]) -> None:
    done = run(command)
    if done.returncode:
        sys.exit(f"error: {command[0]} fails: {done.stderr.strip()[-400:]}")


def encode(combination: Combination, clip: Path, materials: Path, limit: tuple[str, ...] = ()) -> str:
    """Makes a clip; what ffmpeg says if it does not."""
    picture = ["-i", str(materials / "pictures.nut")]
    sound = ["-i", str(materials / "sound.wav")]
    container = combination.container
    if combination.kind == "video":
        video = ["-c:v", combination.encoder, *combination.options.split(), *CONTAINER_NEEDS.get(container, "").split()]
        tries = [[*SOUND.get(container, "").split()], ["-an"]]
    else:
        video = CONTAINER_NEEDS.get(container, "").split()
        tries = [["-c:a", combination.encoder, *options.split()] for options in (
            SOUND.get(container, "").replace("-c:a aac", ""), "-ar 48000 -ac 2", "-ar 44100 -ac 1", "-ar 16000 -ac 1",
            "-ar 8000 -ac 1", "-ar 8000 -ac 1 -b:a 6300")]
    said = ""
    for options in tries:
        # What is experimental has to be allowed, which changes what other muxers write.
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


def compare(program: Path, combination: Combination, path: Path, folder: Path) -> tuple[str, list[str]]:
    """Why a clip cannot be compared, and what is wrong with the pairs made of it."""
    try:
        clip = Clip(path, TIMEOUT)
        clip.decode([(-1, SECONDS + 1)])
    except Unreadable as problem:
        return f"ffmpeg cannot read it back: {problem}", []
    if len(clip.frames) < SECONDS * RATE * 0.8 or clip.frames[-1].time < max(STILLS) - 0.1:
        return (f"ffmpeg cannot read it back: {len(clip.frames)} frames, "
                f"the last at {clip.frames[-1].time:.2f} s"), []
    if combination.kind == "audio" and clip.sound is None:
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
        except Unreadable as problem:
            problems.append(f"cannot be compared: {problem}")
        found += [f"{still} s: {problem}" for problem in problems if problem]
    return "", found


def attempt(combination: Combination, program: Path, materials: Path, keep: Path | None) -> Result:
    """Makes a clip, converts it and compares."""
    begin = time.monotonic()
    result = Result(combination)
    with tempfile.TemporaryDirectory(dir=materials) as name:
        folder = Path(name)
        path = folder / f"clip.{combination.container}"
        try:
            if said := encode(combination, path, materials):
                result.skipped = f"ffmpeg does not make it: {said.splitlines()[0] if said else ''}"
            else:
                result.skipped, result.flaws = compare(program, combination, path, folder)
        except subprocess.TimeoutExpired:
            result.skipped = f"ffmpeg takes longer than {TIMEOUT} s"
        if keep and result.flaws:
            shutil.copytree(folder, keep / combination.name.replace("/", " "), dirs_exist_ok=True)
    result.seconds = time.monotonic() - begin
    return result


def attempt_all(
        variants: list[Combination], program: Path, materials: Path, keep: Path | None) -> list[Result]:
    """The same for what differs by the encoder's options alone: what cannot be made in one way cannot in another."""
    results: list[Result] = []
    skipped = trial(variants[0], materials)
    for combination in variants:
        results.append(Result(combination, skipped) if skipped else attempt(combination, program, materials, keep))
    return results


def trial(combination: Combination, materials: Path) -> str:
    """Why there is nothing to compare, found out with a clip of some frames; nothing if it seems that there is."""
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


def works(encoder: str, options: list[str], materials: Path) -> bool | None:
    """Whether an encoder encodes; None if it does and has no frames that depend on later ones."""
    done = run([
        "ffmpeg", "-v", "error", "-nostdin", "-i", str(materials / "pictures.nut"), "-frames:v", "12", "-strict", "-2",
        "-c:v", encoder, *NEEDS.get(encoder, "").split(), *options, "-f", "framecrc", "-"])
    if done.returncode:
        return False
    packets = [line.split(",") for line in done.stdout.splitlines() if not line.startswith("#")]
    return True if any(packet[1].strip() != packet[2].strip() for packet in packets) else None


def video_combinations(materials: Path, patterns: list[str]) -> list[Combination]:
    """All that may be made; of encoders of which no combination is wanted, which takes time to find out, none."""
    flags, containers = codecs(), muxers()
    found = []
    for encoder, codec in encoders("V").items():
        if not any(fnmatch.fnmatch(f"video {encoder}", " ".join(pattern.split(" ")[:2])) for pattern in patterns):
            continue
        if not flags.get(codec, "").startswith("D") or works(encoder, [], materials) is False:
            continue
        needs = NEEDS.get(encoder, "")
        variants = [("", needs)]
        if flags[codec][3] != "I":
            variants.append(("long GOP", f"{needs} -g 90"))
            if works(encoder, ["-bf", "2", "-g", "90"], materials):
                variants.append(("B-frames", f"{needs} -g 90 -bf 2"))
        variants += [(name, f"{needs} {options}") for other, options, name in VARIANTS if other == encoder]
        for container, default in containers.items():
            if container in CONTAINERS or default == codec:
                found += [Combination("video", encoder, name, options, container) for name, options in variants]
    return found


def audio_combinations() -> list[Combination]:
    flags = codecs()
    return [
        Combination("audio", encoder, "", "", container)
        for encoder, codec in encoders("A").items() if flags.get(codec, "").startswith("D")
        for container in CONTAINERS if container != "ivf"]


def table(results: list[Result]) -> str:
    rows = []
    for result in results:
        if result.skipped:
            continue
        flaws = result.unexplained()
        what = "equal" if not result.flaws else "FAILED: " + "; ".join(flaws) if flaws else \
            "explained: " + "; ".join(sorted({result.reason(flaw) for flaw in result.flaws}))
        rows.append((result.combination.kind, result.combination.clip, result.combination.container, what))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) for row in rows)


def summary(results: list[Result]) -> str:
    """How many combinations came out how."""
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
    """Scripts/sweep explains them."""
    parser = argparse.ArgumentParser(prog="Scripts/sweep")
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
