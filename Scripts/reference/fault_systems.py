"""File systems to write to: folders of the machine's own, and images that are mounted for the time of a trial."""
import os
import shutil
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

NAMES = ["here", "no links", "ext4", "tmpfs", "vfat", "exfat"]
# Enough for all that the commands write, and little enough for a machine's memory.
IMAGE_BYTES = 256 << 20
# Programs, and the packages of Debian that have them: FUSE, because not every kernel has both file systems.
NEEDED = {"ext4": {"mkfs.ext4": "e2fsprogs"}, "vfat": {"mkfs.vfat": "dosfstools", "fusefat": "fusefat"},
          "exfat": {"mkfs.exfat": "exfatprogs", "mount.exfat-fuse": "exfat-fuse"}}


@dataclass
class FileSystem:
    name: str
    folder: Path

    @property
    def has_links(self) -> bool:
        """Whether calls that need links get as far as the file system."""
        return self.name != "no links"

    @property
    def has_times(self) -> bool:
        """Whether times come back as they were set; FAT keeps two seconds."""
        return self.name not in ("vfat", "exfat")


    @property
    def truncates(self) -> bool:
        """Debian's fusefat does not, and loses what is in a file that is removed while it is open."""
        return self.name != "vfat"


class CannotMount(Exception):
    pass


def opened(name: str, place: Path, until: ExitStack) -> FileSystem:
    """Mounts a file system at a new folder, until the stack is closed.

    "here" is the file system of the folder, "no links" the same one, where strace makes each hard link fail.
    """
    folder = place / name.replace(" ", "-")
    folder.mkdir()
    if name in ("here", "no links"):
        return FileSystem(name, folder)
    if os.geteuid() != 0:
        raise CannotMount("only root can mount it")
    for program, package in NEEDED.get(name, {}).items():
        if not shutil.which(program):
            raise CannotMount(f"there is no {program}; install it with: apt-get install {package}")
    image = place / f"{name}.img"
    if name == "tmpfs":
        mount(["mount", "-t", "tmpfs", "-o", f"size={IMAGE_BYTES}", "livephoto-faults", str(folder)], folder)
    else:
        with image.open("wb") as file:
            file.truncate(IMAGE_BYTES)
        subprocess.run([f"mkfs.{name}", *(["-q", "-F"] if name == "ext4" else []), str(image)], check=True,
                       stdout=subprocess.DEVNULL)
    if name == "ext4":
        mount(["mount", "-o", "loop", str(image), str(folder)], folder)
    elif name == "vfat":
        mount(["fusefat", "-s", "-o", "rw+", str(image), str(folder)], folder)
    elif name == "exfat":
        # It takes block devices only. The device goes when it is unmounted.
        device = subprocess.run(["losetup", "--find", "--show", str(image)], capture_output=True, text=True)
        if device.returncode != 0:
            raise CannotMount(f"losetup: {device.stderr.strip()}")
        try:
            mount(["mount.exfat-fuse", "-o", "rw", device.stdout.strip(), str(folder)], folder)
        finally:
            subprocess.run(["losetup", "--detach", device.stdout.strip()], check=False)
    until.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=False)
    return FileSystem(name, folder)


def mount(command: list[str], folder: Path) -> None:
    """Runs a command that mounts something, and waits until it is there."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for _ in range(100):
        if os.path.ismount(folder):
            return
        time.sleep(0.02)
    raise CannotMount(f"{command[0]}: {done.stderr.strip() or done.returncode}")
