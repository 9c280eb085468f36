"""Compares what other programs read of photos before and after livephoto's commands. Scripts/trial readers --help says more.

usage: readers.py PROGRAM FILE|FOLDER...
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    import pillow_heif
except ImportError:
    pillow_heif = None

LONGEST_SECONDS = 300
SUFFIXES = {".jpg", ".jpeg", ".heic", ".heif"}
# Groups of exiftool that are not tags of the file: its version, the file system, and values computed from other tags.
NO_TAGS = ("ExifTool", "System", "File", "Composite")
# What makes a photo a motion photo. The extracted photo is none.
MOTION = re.compile(
    r"GCamera|Xmp\.Camera|Container|MotionPhoto|MicroVideo|Samsung:|Trailer|EmbeddedVideo|xmpNote|MiCamera|OpCamera")
# Tags that depend on the encoder, such as colour profiles and tiles, and the thumbnail, which an edit removes.
CODING = re.compile(
    r"ICC_Profile|ICC-|icc_profile|MetaImageSize|ImageSpatialExtent|MediaData|QuickTime:Rotation|tiling|XMPToolkit|Adobe:|"
    r"IFD1:|Exif\.Thumbnail")
# Pictures that are left out with a warning.
FURTHER_PICTURES = re.compile(r"QuickTime:|^aux|^metadata|HDRGainMap|HDRToneMap|^image|^depth")
# Apple's MakerNote, which is not in motion photos, and the folder that it may have been alone in.
NOTE = re.compile(r"ContentIdentifier|Apple|MakerNote|Exif\.Image\.ExifTag|" + MOTION.pattern)
Read = dict[str, Counter[str]]


def output(*command: str) -> str:
    run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=LONGEST_SECONDS)
    return run.stdout.decode(errors="replace")


def read(photo: Path) -> Read:
    """What each reader finds, and how often."""
    tags: Counter[str] = Counter()
    for line in output("exiftool", "-a", "-G1", "-s", "-u", str(photo)).splitlines():
        match = re.match(r"\[([^\]]+)\]\s+(\S+)", line)
        if match and match[1] not in NO_TAGS:
            tags[f"{match[1]}:{match[2]}"] += 1
    found = {"exiftool": tags, "exiv2": Counter(output("exiv2", "-q", "-PEIXk", str(photo)).split())}
    if photo.suffix.lower() in (".heic", ".heif"):
        lines = output("heif-info", str(photo)).splitlines()
        found["heif-info"] = Counter(
            name for line in lines for name in re.findall(r"^\s*(image|thumbnail|alpha channel|depth channel|metadata)\b", line))
        if pillow_heif:
            found["pillow-heif"] = pictures(photo)
    return found


def pictures(photo: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for image in pillow_heif.open_heif(str(photo), convert_hdr_to_8bit=False):
        counts["images"] += 1
        for name, value in image.info.items():
            counts[name] += len(value) if isinstance(value, (list, dict)) else value is not None
    return counts


class Bench:
    def __init__(self, program: Path, work: Path) -> None:
        self.program, self.work = program, work
        self.failures = self.comparisons = 0

    def run(self, *arguments: str | Path) -> tuple[bool, str]:
        """Whether a command succeeded, and what it said."""
        environment = dict(os.environ, XDG_STATE_HOME=str(self.work / "state"))
        run = subprocess.run(
            [str(self.program), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, env=environment,
            timeout=LONGEST_SECONDS)
        return run.returncode == 0, (run.stdout + run.stderr).decode(errors="replace")

    def compare(self, photo: Path, what: str, before: Read, after: Read, said: str, ignored: re.Pattern[str] | None) -> None:
        self.comparisons += 1
        for reader, tags in before.items():
            lost = tags - after.get(reader, Counter())
            if reader == "exiv2" and "MakerNote is moved" in said:
                lost = Counter({tag: count for tag, count in lost.items() if re.match(
                    r"Exif\.(Photo|Image|GPSInfo|Iop|Thumbnail)\.|Iptc|Xmp", tag) and tag != "Exif.MakerNote"})
            if "further pictures" in said:
                lost = Counter({tag: count for tag, count in lost.items() if not FURTHER_PICTURES.search(tag)})
            lost = Counter({
                tag: count for tag, count in lost.items()
                if not (ignored and ignored.search(tag)) and tag not in ("Exif.MakerNote.Offset", "Exif.MakerNote.ByteOrder")})
            if lost:
                self.failures += 1
                names = ", ".join(f"{tag} ({count})" for tag, count in sorted(lost.items())[:12])
                print(f"LOST: {photo}: {what}: {reader}: {lost.total()} of {tags.total()}: {names}", flush=True)

    def movie(self, photo: Path) -> Path:
        """The photo's own movie, or one of its shape."""
        for suffix in (".MOV", ".mov", ".MP4", ".mp4"):
            if photo.with_suffix(suffix).exists():
                return photo.with_suffix(suffix)
        width, height = map(int, output(
            "exiftool", "-s3", "-p", "$ImageWidth $ImageHeight", str(photo)).split() or (4, 3))
        if output("exiftool", "-n", "-s3", "-Orientation", str(photo)).strip() in ("5", "6", "7", "8"):
            width, height = height, width
        scale = 320 / max(width, height)
        size = f"{max(2, round(width * scale / 2) * 2)}x{max(2, round(height * scale / 2) * 2)}"
        movie = self.work / "movie.mov"
        output("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=15:duration=1", "-c:v",
               "libx264", "-pix_fmt", "yuv420p", str(movie))
        return movie

    def check(self, photo: Path, number: int) -> None:
        folder = self.work / str(number)
        before = read(photo)
        is_done, said = self.run("extract", photo, "-o", folder / "extracted", "--name", "photo")
        if is_done:
            source = self.only(folder / "extracted")
            self.compare(photo, "extract", before, read(source), said, MOTION)
            linked = source
        else:
            is_done, said = self.run(
                "link", photo, self.movie(photo), "--still", "50%", "-o", folder / "linked", "--name", "photo", "--force")
            if not is_done:
                return print(f"not linked: {photo}: {said.strip().splitlines()[-1:]}", flush=True)
            linked = self.only(folder / "linked")
            self.compare(photo, "link", before, read(linked), said, None)
        before = read(linked)
        for what, options, ignored in [
            ("edit --mute", ["--mute"], None), ("edit --still", ["--still", "0.2"], None),
            ("edit --exposure", ["--exposure", "0.3"], re.compile(f"{CODING.pattern}|{MOTION.pattern}")),
        ]:
            out = folder / what.replace(" ", "")
            is_done, said = self.run("edit", linked, linked.with_suffix(".MOV"), *options, "-o", out)
            if is_done:
                self.compare(photo, what, before, read(self.only(out)), said, ignored)
            elif "nothing to" not in said and "no sound" not in said:
                print(f"not edited: {photo}: {what}: {said.strip().splitlines()[-1:]}", flush=True)
        for form, suffix in [("livp", ".livp"), ("motion-photo", linked.suffix)]:
            packed = folder / f"packed{suffix}"
            is_done, said = self.run("pack", linked, linked.with_suffix(".MOV"), "--as", form, "-o", packed)
            if not is_done:
                print(f"not packed: {photo}: {form}: {said.strip().splitlines()[-1:]}", flush=True)
                continue
            if form == "motion-photo":
                self.compare(photo, "pack", before, read(packed), said, NOTE)
            out = folder / f"from-{form}"
            is_done, said = self.run("extract", packed, "-o", out)
            if is_done:
                self.compare(photo, f"pack, extract ({form})", before, read(self.only(out)), said, MOTION)
            else:
                print(f"not extracted: {photo}: {form}: {said.strip().splitlines()[-1:]}", flush=True)
        print(f"{photo}: {sum(tags.total() for tags in before.values())} tags and pictures", flush=True)

    def only(self, folder: Path) -> Path:
        return next(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("photos", type=Path, nargs="+")
    options = parser.parse_args()
    if not pillow_heif:
        print("without pillow-heif, which Python does not have", flush=True)
    photos = [file for path in options.photos for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
              if file.suffix.lower() in SUFFIXES and file.is_file()]
    with tempfile.TemporaryDirectory(prefix="livephoto-readers-") as work:
        bench = Bench(options.program.resolve(), Path(work))
        for number, photo in enumerate(photos):
            bench.check(photo, number)
    print(f"{len(photos)} photos, {bench.comparisons} comparisons, {bench.failures} with losses")
    sys.exit(1 if bench.failures or not bench.comparisons else 0)


if __name__ == "__main__":
    main()
