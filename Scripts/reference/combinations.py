"""The clips that this ffmpeg may be able to create: an encoder with options, in a container."""

import dataclasses
import fnmatch
import re
import subprocess
from pathlib import Path

from shared_packets import SPEECH

# Time limit of ffmpeg and livephoto for one clip.
TIMEOUT = 90

# Muxers tested with every codec; others are tested only with their default codec.
CONTAINERS = (
    "3gp", "asf", "avi", "flv", "gxf", "ivf", "matroska", "mov", "mp4", "mpeg", "mpegts", "mxf", "nut", "ogg", "rm",
    "swf", "vob", "webm", "wtv")
# Muxers that do not write a file with a clip, and aliases of others.
NO_CONTAINERS = {
    "alsa", "caca", "chromaprint", "crc", "dash", "data", "fbdev", "ffmetadata", "fifo", "fifo_test", "framecrc",
    "framehash", "framemd5", "hash", "hds", "hls", "image2", "image2pipe", "md5", "mkvtimestamp_v2", "mp2", "null",
    "opengl", "oss", "pulse", "rawvideo", "rtp", "rtp_mpegts", "rtsp", "sap", "sdl,sdl2", "segment", "smoothstreaming",
    "stream_segment,ssegment", "streamhash", "tee", "uncodedframecrc", "video4linux2,v4l2", "webm_chunk",
    "webm_dash_manifest", "xv", "mp3", "flac", "ico"}
# Sound settings that a muxer needs, if the defaults do not work.
SOUND = {
    "3gp": "-c:a aac", "3g2": "-c:a aac", "amv": "-ar 22050 -ac 1 -block_size 882", "dv": "-ar 48000 -ac 2",
    "flv": "-ar 44100", "roq": "-ar 22050", "swf": "-ar 44100", "mxf": "-ar 48000", "gxf": "-ar 48000 -ac 1"}
# Creates pictures with a palette.
PALETTE = "-vf split[a][b];[a]palettegen[p];[b][p]paletteuse -pix_fmt pal8"
# Options that an encoder needs or that make it fast enough.
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
# Containers that allow only certain sizes.
CONTAINER_NEEDS = {"gxf": "-s 720x576", "dv": "-s 720x576"}
# Additional variants of codecs: encoder, options, name.
VARIANTS = (
    ("rawvideo", PALETTE, "palette"), ("png", PALETTE, "palette"), ("tiff", PALETTE, "palette"),
    ("qtrle", "-pix_fmt gray", "gray"), ("cinepak", "-pix_fmt gray", "gray"),
    ("libx264", "-g 90 -x264-params open-gop=1", "open GOP"),
    ("libx264", "-g 90 -x264-params intra-refresh=1", "intra refresh"),
    ("libx264", "-g 90 -pix_fmt yuv444p", "4:4:4"), ("libx264", "-g 90 -flags +ildct+ilme", "interlaced"),
    ("libx265", "-g 90 -bf 2 -x265-params log-level=none:open-gop=1", "open GOP"),
    ("mpeg2video", "-g 90 -bf 2 -flags +ildct+ilme", "interlaced"),
)
# The same for sound: encoders that put several frames into a packet.
SOUND_VARIANTS = (
    ("libopus", "-frame_duration 120", "120 ms a packet"), ("libspeex", "-frames_per_packet 5", "5 frames a packet"),
    ("adpcm_ms", "-block_size 4096", "long blocks"),
    ("adpcm_ima_wav", "-block_size 4096", "long blocks"),
)
# Sound whose frames are joined in the packets of QuickTime movies, MP4 and 3GP: encoder, or codec of speech that is
# written without one, and frames a packet.
SHARED_PACKETS = (("amr_nb", 5), ("amr_nb", 12), ("amr_wb", 5), ("mp2", 2), ("libmp3lame", 3), ("ac3", 2), ("eac3", 3))
SHARING_CONTAINERS = ("3gp", "3g2", "mov", "mp4")


@dataclasses.dataclass(frozen=True)
class Combination:
    """A clip to create, by codec and container."""

    # The kind: `video` or `audio`.
    kind: str
    encoder: str
    variant: str
    options: str
    container: str
    # How many frames of the sound are joined in each packet once the clip is made.
    frames: int = 1

    @property
    def clip(self) -> str:
        return f"{self.encoder} {self.variant}".strip()

    @property
    def name(self) -> str:
        return f"{self.kind} {self.clip} in {self.container}"


def run(command: list[str], timeout: float = TIMEOUT) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=timeout)


def encoders(kind: str) -> dict[str, str]:
    """The encoders of a kind, V or A, with their codecs."""
    found = {}
    for line in run(["ffmpeg", "-v", "quiet", "-encoders"]).stdout.splitlines():
        if match := re.match(rf" {kind}[A-Z.]{{5}} (\S+) .*?(?:\(codec (\S+)\))?$", line):
            found[match[1]] = match[2] or match[1]
    return found


def codecs() -> dict[str, str]:
    """The flags that ffmpeg lists for each codec: D means it can decode it; the fourth, I, means intra-only."""
    return {
        match[2]: match[1] for line in run(["ffmpeg", "-v", "quiet", "-codecs"]).stdout.splitlines()
        if (match := re.match(r" ([A-Z.]{6}) (\S+) ", line))}


def muxers() -> dict[str, str]:
    """The muxers of clips, with the default video codec of each."""
    found = {}
    for line in run(["ffmpeg", "-v", "quiet", "-muxers"]).stdout.splitlines():
        match = re.match(r" +E +(\S+) ", line)
        if match and match[1] not in NO_CONTAINERS:
            help_text = run(["ffmpeg", "-v", "quiet", "-h", f"muxer={match[1]}"]).stdout
            if default := re.search(r"Default video codec: (\S+)\.", help_text):
                found[match[1]] = default[1]
    return found


def works(encoder: str, options: list[str], materials: Path) -> bool | None:
    """Whether an encoder works; None if it does but has no B-frames."""
    done = run([
        "ffmpeg", "-v", "error", "-nostdin", "-i", str(materials / "pictures.nut"), "-frames:v", "12", "-strict", "-2",
        "-c:v", encoder, *NEEDS.get(encoder, "").split(), *options, "-f", "framecrc", "-"])
    if done.returncode:
        return False
    packets = [line.split(",") for line in done.stdout.splitlines() if not line.startswith("#")]
    return True if any(packet[1].strip() != packet[2].strip() for packet in packets) else None


def video_combinations(materials: Path, patterns: list[str]) -> list[Combination]:
    """All combinations of the encoders that match a pattern; trying the others takes time."""
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
    variants = [("", "", encoder) for encoder, codec in encoders("A").items() if flags.get(codec, "").startswith("D")]
    variants += [
        (name, options, encoder) for encoder, options, name in SOUND_VARIANTS if ("", "", encoder) in variants]
    found = [
        Combination("audio", encoder, name, options, container)
        for name, options, encoder in variants for container in CONTAINERS if container != "ivf"]
    return found + [
        Combination("audio", encoder, f"{frames} frames a packet", "", container, frames)
        for encoder, frames in SHARED_PACKETS if encoder in SPEECH or ("", "", encoder) in variants
        for container in SHARING_CONTAINERS]
