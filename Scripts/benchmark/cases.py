"""The table of all cases: what is measured, compared with what, and the targets."""

import dataclasses
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from encoder import KEY_FRAME_INTERVAL, MEDIUM_PARAMETERS, OUR_PARAMETERS, joined
from inputs import Inputs
from measure import output
from quality import similarity

THREE_PROGRAMS = Path(__file__).parent / "three-programs"


@dataclass(frozen=True)
class Quality:
    """Two movies of the same clip."""

    our_ssim: float
    peer_ssim: float
    # Our value divided by the peer's.
    bytes_ratio: float


@dataclass(frozen=True)
class Case:
    """One row: our command and the peer's, each run in its own folder."""

    name: str
    title: str
    peer_title: str
    # Limits for the ratios of ours to the peer's, by the names of Cost's properties, and for the quality.
    targets: dict[str, float]
    ours: list[str]
    peer: list[str]
    # Prepares the folder for both commands before each run.
    prepare: Callable[[Path], None] = field(default=lambda folder: None)
    # Examines the output of both commands.
    quality: Callable[[Path, Path], Quality] | None = None


class Cases:
    """Creates the requested cases: their inputs and commands."""

    def __init__(self, program: Path, inputs: Inputs):
        self.program = str(program)
        self.inputs = inputs

    def case(self, name: str) -> Case:
        """Returns the case with one of the NAMES; creates its inputs if missing."""
        return self._MAKERS[name](self, name)

    # Clips of 60 fps give every fourth frame: the still is one whose grid is that of ffmpeg's filter fps, which begins at
    # the first frame (and takes it, with round=up). So both encode the very same frames.
    STILL_60 = ("#88", "1.46667")
    STILL_30 = ("#44", "1.46667")
    SAME_PRESET = ("-preset", "faster", "-g", KEY_FRAME_INTERVAL)
    SAME_SETTINGS = (*SAME_PRESET, "-x264-params", joined(OUR_PARAMETERS))

    def _hd60(self, name: str) -> Case:
        return self._conversion(
            name, "3 s of 1080p60 H.264", "h264_1080p60", self.STILL_60,
            {"wall_seconds": 0.70, "cpu_seconds": 0.90, "peak_bytes": 0.95})

    def _hd60_same(self, name: str) -> Case:
        return self._conversion(
            name, "3 s of 1080p60 H.264", "h264_1080p60", self.STILL_60, {}, encoder=self.SAME_SETTINGS,
            peer_title="three programs, all of x264's settings the same")

    def _hd60_medium(self, name: str) -> Case:
        return self._conversion(
            name, "3 s of 1080p60 H.264", "h264_1080p60", self.STILL_60,
            {"wall_seconds": 0.50, "peak_bytes": 0.65, "ssim_loss": 0.001, "bytes": 1.1},
            encoder=(), peer_title="three programs, ffmpeg's default preset at CRF 20")

    def _hd60_medium_same(self, name: str) -> Case:
        preset = {"name": "medium", "extends": "classic", "video": {"x264Preset": "medium"}}
        case = self._conversion(
            name, "3 s of 1080p60 H.264", "h264_1080p60", self.STILL_60, {},
            encoder=("-preset", "medium", "-g", KEY_FRAME_INTERVAL, "-x264-params", joined(MEDIUM_PARAMETERS)),
            peer_title="three programs, both with x264's preset medium and all of its settings the same")
        return dataclasses.replace(
            case, ours=[*case.ours, "--preset", "medium.yaml"],
            prepare=lambda folder: (folder / "medium.yaml").write_text(json.dumps(preset)))

    def _hd30(self, name: str) -> Case:
        return self._conversion(name, "3 s of 1080p30 H.264 with B-frames", "h264_1080p30", self.STILL_30, {})

    def _portrait(self, name: str) -> Case:
        return self._conversion(
            name, "3 s of a portrait phone clip, 1080p30", "h264_portrait", self.STILL_30, {}, size="1080:1920")

    def _uhd(self, name: str) -> Case:
        return self._conversion(
            name, "3 s of 4K30 HEVC", "hevc_4k30", self.STILL_30, {"wall_seconds": 0.78, "peak_bytes": 0.85})

    def _uhd_same(self, name: str) -> Case:
        return self._conversion(
            name, "3 s of 4K30 HEVC", "hevc_4k30", self.STILL_30, {}, encoder=self.SAME_SETTINGS,
            peer_title="three programs, all of x264's settings the same")

    def _uhd_hlg(self, name: str) -> Case:
        linear = "zscale=transferin=arib-std-b67:transfer=linear:npl=203,format=gbrpf32le"
        back = "zscale=transfer=bt709:matrix=bt709:primaries=bt709:range=tv,format=yuv420p"
        return self._conversion(
            name, "3 s of 4K30 HEVC in HLG, tone-mapped", "hevc_4k30_hlg", self.STILL_30, {"wall_seconds": 0.70},
            filters=f"fps=15:round=up,scale=1920:1080,{linear},zscale=primaries=bt709,tonemap=mobius,{back}",
            peer_title="three programs with zscale and tonemap", compares=False)

    def _conversion(
        self, name: str, title: str, clip: str, still: tuple[str, str], targets: dict[str, float], *,
        size: str = "1920:1080", encoder: tuple[str, ...] = SAME_PRESET, filters: str | None = None,
        peer_title: str = "three programs, the same preset, CRF and key frames", compares: bool = True,
    ) -> Case:
        path = self.inputs.path(clip)
        filters = filters or f"fps=15:round=up,scale={size}"

        def quality(ours: Path, peer: Path) -> Quality:
            result = json.loads((ours / "stdout").read_text())
            movie, other = Path(result["movie"]), peer / f"{clip}.MOV"
            begin = result["stillTimeInClip"] - result["stillTime"]
            return Quality(
                similarity(ours / movie, path, begin, size), similarity(other, path, 0, size),
                _video_bytes(ours / movie) / _video_bytes(other))

        return Case(
            name, title, peer_title, targets,
            [self.program, "convert", str(path), "--still", still[0], "--output", ".", "--force", "--json"],
            [str(THREE_PROGRAMS), str(path), still[1], filters, ".", *encoder],
            quality=quality if compares else None)

    def _floor(self, name: str) -> Case:
        return self._encoder_alone(name, "the same preset, CRF and key frames", {"wall_seconds": 1.20}, {})

    def _floor_same(self, name: str) -> Case:
        return self._encoder_alone(name, "all settings the same", {}, OUR_PARAMETERS)

    def _encoder_alone(
        self, name: str, settings: str, targets: dict[str, float], parameters: dict[str, str]
    ) -> Case:
        frames = self.inputs.frames("h264_1080p30", "1920:1080")
        return Case(
            name, "3 s of 1080p30 H.264 with B-frames", f"x264 alone, of the raw frames, {settings}", targets,
            self._conversion(name, "", "h264_1080p30", self.STILL_30, {}).ours,
            ["x264", "--quiet", "--preset", "faster", "--crf", "20", "--keyint", KEY_FRAME_INTERVAL]
            + [word for key, value in parameters.items() for word in ("--" + key, value)]
            + ["-o", "movie.264", str(frames)])

    def _long(self, name: str) -> Case:
        def convert(clip: str, still: str) -> list[str]:
            return [self.program, "convert", str(self.inputs.path(clip)), "--still", still, "--output", ".", "--force"]

        # Both have the same content: the long clip repeats the short one.
        return Case(
            name, "the still at 1:30:05 of two hours", "livephoto at 0:05 of ten seconds", {"wall_seconds": 1.15},
            convert("two_hours", "1:30:05"), convert("ten_seconds", "0:05"))

    def _batch(self, name: str) -> Case:
        clip = self.inputs.path("h264_1080p60")
        cores = str(len(os.sched_getaffinity(0)))

        def prepare(folder: Path) -> None:
            for number in range(16):
                link = folder / f"clip-{number:02}.mov"
                link.unlink(missing_ok=True)
                link.symlink_to(clip)
            jobs = {"version": 1, "defaults": {"still": self.STILL_60[0]}, "jobs": [{"input": "clip-*.mov"}]}
            (folder / "jobs.json").write_text(json.dumps(jobs))
            shutil.rmtree(folder / "pairs", ignore_errors=True)

        filters = "fps=15:round=up,scale=1920:1080"
        one = [str(THREE_PROGRAMS), "{}", self.STILL_60[1], filters, "pairs", *self.SAME_PRESET]
        quoted = " ".join(f"'{word}'" for word in one)
        return Case(
            name, f"16 clips of 1080p60, {cores} cores", f"xargs -P {cores} three programs", {"wall_seconds": 0.80},
            [self.program, "batch", "jobs.json", "--output", "pairs"],
            ["sh", "-c", f"ls clip-*.mov | xargs -P {cores} -I '{{}}' {quoted}"], prepare=prepare)

    def _verify(self, name: str) -> Case:
        return Case(
            name, "verify of one pair", "ffprobe -version", {"wall_seconds": 1.0},
            [self.program, "verify", str(self._pair())], ["ffprobe", "-version"])

    def _inspect(self, name: str) -> Case:
        movie = str(self._pair().with_suffix(".MOV"))
        return Case(
            name, "inspect --json of a movie", "exiftool -j -ee", {"wall_seconds": 0.4},
            [self.program, "inspect", "--json", movie], ["exiftool", "-j", "-ee", movie])

    def _link(self, name: str) -> Case:
        movie, photo = self.inputs.path("half_a_gigabyte"), self._pair()
        return Case(
            name, "link --output of a movie of 500 MB", "cp", {"wall_seconds": 1.3},
            [self.program, "link", str(photo), str(movie), "--still", "1.5", "--output", "linked"],
            ["cp", str(photo), str(movie), "linked"], prepare=_empty("linked"))

    def _link_in_place(self, name: str) -> Case:
        movie, photo = self.inputs.path("half_a_gigabyte"), self._pair()

        def prepare(folder: Path) -> None:
            _empty("linked")(folder)
            shutil.copy(photo, folder / "linked" / "photo.JPG")
            shutil.copy(movie, folder / "linked" / "movie.MOV")
            # Do not measure the flushing of what was just copied.
            os.sync()

        return Case(
            name, "link --in-place of a movie of 500 MB", "sleep 0.15", {"wall_seconds": 1.0},
            [self.program, "link", "linked/photo.JPG", "linked/movie.MOV", "--still", "1.5", "--in-place"],
            ["sleep", "0.15"], prepare=prepare)

    def _pair(self) -> Path:
        """Creates a Live Photo and returns its key photo; the paired video is beside it."""
        photo = self.inputs.folder / "pair" / "h264_1080p30.JPG"
        if not photo.exists():
            output([self.program, "convert", str(self.inputs.path("h264_1080p30")), "--output", str(photo.parent)])
        return photo

    _MAKERS = {
        "1080p60": _hd60, "1080p60-same": _hd60_same, "1080p60-medium": _hd60_medium,
        "1080p60-medium-same": _hd60_medium_same, "1080p30": _hd30,
        "portrait": _portrait, "4k30": _uhd, "4k30-same": _uhd_same, "4k30-hlg": _uhd_hlg, "floor": _floor,
        "floor-same": _floor_same, "long": _long, "batch": _batch, "verify": _verify, "inspect": _inspect,
        "link": _link, "link-in-place": _link_in_place,
    }
    NAMES = tuple(_MAKERS)


def _empty(name: str) -> Callable[[Path], None]:
    """Creates an empty folder with this name in the folder of the case."""

    def prepare(folder: Path) -> None:
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()

    return prepare


def _video_bytes(movie: Path) -> int:
    """The size of a movie's video samples in bytes."""
    sizes = output([
        "ffprobe", "-v", "error", "-select_streams", "V:0", "-show_entries", "packet=size", "-of", "csv=p=0", str(movie)])
    return sum(int(size.strip(",")) for size in sizes.split())
