"""The input clips. Each is created once and kept."""

from pathlib import Path

from measure import output

# Fine detail in a slow zoom, and camera noise, so that encoders have as much work as with a camera's clip. Flat test
# patterns would cost next to nothing.
DRAWN = (
    "mandelbrot=size=1920x1080:rate=60:start_scale=0.004:end_scale=0.003:end_pts=360:maxiter=400,"
    "hue=s=0.5,gblur=sigma=1.2,format=yuv420p,noise=c0s=4:c0f=t")

BT709 = "-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709".split()
# As written by phones: 48 kHz AAC, which is copied into the movie.
SOUND = "-c:a aac -b:a 128k -ar 48000".split()


class Inputs:
    """Creates the inputs in a folder, from a clip (looped if short) or from generated pictures."""

    def __init__(self, folder: Path, clip: Path | None):
        self.folder = folder
        self.clip = clip
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        """Returns the input with this name, one of the methods of this class; creates it if missing."""
        path = self.folder / f"{name}.mov"
        if not path.exists():
            unfinished = self.folder / f"unfinished-{name}.mov"
            getattr(self, name)(unfinished)
            unfinished.rename(path)
        return path

    def frames(self, name: str, size: str) -> Path:
        """The raw frames of a movie made from this input: 15 per second in this size."""
        path = self.folder / f"{name}.y4m"
        if not path.exists():
            unfinished = self.folder / f"unfinished-{name}.y4m"
            filters = f"fps=15:round=up,scale={size}:flags=bicubic,format=yuv420p"
            _ffmpeg("-i", self.path(name), "-vf", filters, "-an", unfinished)
            unfinished.rename(path)
        return path

    def h264_1080p60(self, path: Path) -> None:
        self._encode(path, "fps=60,scale=1920:1080", "-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p", 3)

    def h264_1080p30(self, path: Path) -> None:
        """With referenced B-frames, as in the preset medium."""
        self._encode(path, "fps=30,scale=1920:1080", "-c:v libx264 -preset medium -crf 18 -pix_fmt yuv420p", 3)

    def h264_portrait(self, path: Path) -> None:
        """Stored in landscape with a rotation, as phones do, without B-frames."""
        upright = self.folder / "unfinished-upright.mov"
        self._encode(upright, "fps=30,scale=1920:1080", "-c:v libx264 -preset veryfast -bf 0 -crf 19 -pix_fmt yuv420p", 3)
        _ffmpeg("-i", upright, "-c", "copy", "-metadata:s:v", "rotate=90", path)
        upright.unlink()

    def hevc_4k30(self, path: Path) -> None:
        self._encode(
            path, "fps=30,scale=3840:2160:flags=lanczos",
            "-c:v libx265 -preset superfast -crf 20 -x265-params log-level=error -tag:v hvc1 -pix_fmt yuv420p", 3)

    def hevc_4k30_hlg(self, path: Path) -> None:
        """10-bit BT.2020 with the HLG curve; SDR white is at 75 %."""
        self._encode(
            path,
            "fps=30,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709,"
            "zscale=transfer=linear:matrix=gbr:npl=203,format=gbrpf32le,"
            "zscale=transfer=arib-std-b67:primaries=bt2020:matrix=bt2020nc:range=tv:npl=203,format=yuv420p10le,"
            "scale=3840:2160:flags=lanczos",
            "-c:v libx265 -preset superfast -crf 20 -tag:v hvc1 -x265-params log-level=error:colorprim=bt2020"
            ":transfer=arib-std-b67:colormatrix=bt2020nc:range=limited",
            3, color="-color_range tv -colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67".split())

    def ten_seconds(self, path: Path) -> None:
        self._encode(
            path, "fps=30,scale=1920:1080", "-c:v libx264 -preset veryfast -b:v 1M -g 60 -pix_fmt yuv420p", 10)

    def two_hours(self, path: Path) -> None:
        _ffmpeg("-stream_loop", "719", "-i", self.path("ten_seconds"), "-c", "copy", path)

    def half_a_gigabyte(self, path: Path) -> None:
        clip = self.path("h264_1080p60")
        loops = 500_000_000 // clip.stat().st_size
        _ffmpeg("-stream_loop", str(loops), "-i", clip, "-c", "copy", path)

    def _encode(self, path: Path, filters: str, encoder: str, seconds: int, color: list[str] = BT709) -> None:
        if self.clip:
            source = ["-stream_loop", "-1", "-i", str(self.clip)]
        else:
            source = ["-f", "lavfi", "-i", DRAWN]
        _ffmpeg(
            *source, "-f", "lavfi", "-i", "anoisesrc=amplitude=0.1:sample_rate=48000:seed=1", "-map", "0:V:0", "-map",
            "1:a", "-vf", f"scale=out_color_matrix=bt709:out_range=tv,{filters}", *encoder.split(), *color, *SOUND, "-t",
            str(seconds), path)


def _ffmpeg(*arguments: str | Path) -> None:
    output(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)])
