"""The commands that write files, each with the files before it, and what restores them."""
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

IDENTIFIER = "01234567-89AB-4CDE-8F01-23456789ABCD"
PAIR = ["a.JPG", "a.MOV"]
CLIP = ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=15:duration=2", "-f", "lavfi",
        "-i", "sine=duration=2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"]

# Of commands that give new identifiers to several pairs.
FRESH = {"has_items": True, "has_new_identifiers": True}
# Of `undo`, which says after an error which files are restored; the same command restores the others.
BY_FILE = {"has_items": True, "by_file": True}


@dataclass
class Command:
    """In arguments, MEDIA/ is the folder of sources; other paths are in the folder that is checked."""

    name: str
    arguments: list[str]
    # The folder of sources with the files before it; these files are there besides, with other contents.
    old: str = ""
    replaced: list[str] = field(default_factory=list)
    # Commands after which the files are the old ones, such as those whose change is undone.
    before: list[list[str]] = field(default_factory=list)
    # Restores the old files of a change in place, with their times.
    undo: list[str] = field(default_factory=list)
    # Must succeed for the new files if the command done again may write others.
    proof: list[str] = field(default_factory=list)
    # Whether files are made one after another, so that an error leaves those that are complete.
    has_items: bool = False
    # Whether each file is one of these; otherwise a pair is.
    by_file: bool = False
    # Whether it writes one file: after an error of the last flush, that is in its place.
    is_single: bool = False
    # Files whose contents have times or names of hidden folders: only whether they are complete is checked.
    volatile: tuple[str, ...] = ()
    # Whether all files are in one folder, so that any other command that writes there repairs it.
    is_flat: bool = True
    # Whether the user's key for journals is missing before.
    has_key: bool = True
    reads_clip: bool = False
    # Whether pairs get the next numbers, so that one that has failed gets another the next time.
    has_numbers: bool = False
    # Whether pairs get new identifiers, so that only these differ from run to run.
    has_new_identifiers: bool = False

    @property
    def needs_truncation(self) -> bool:
        """Whether it needs ftruncate(2), or a file that is open after it was removed, which not all of FUSE have."""
        return bool(self.undo or self.before or self.reads_clip) or self.arguments[0] in ("batch", "import")

    @property
    def forces(self) -> bool:
        return "--force" in self.arguments


def commands() -> list[Command]:
    linked = [f"MEDIA/linked/{name}" for name in PAIR]
    plain = [f"MEDIA/plain/{name}" for name in PAIR]
    to = ["--output", "."]
    again = ["undo", "."]
    verify = ["verify", *PAIR]
    in_place = ["--in-place"]
    made = [
        Command("link", ["link", *plain, *to, "--id", IDENTIFIER], replaced=PAIR),
        Command("unlink", ["unlink", *linked, *to], replaced=PAIR),
        Command("edit", ["edit", *linked, *to, "--keep-id", "--end", "1.5", "--still", "0.5"], replaced=PAIR),
        Command("edit, encoded", ["edit", *linked, *to, "--keep-id", "--exposure", "0.5"], replaced=PAIR),
        Command("extract", ["extract", "MEDIA/packed/a.livp", *to], replaced=PAIR),
        Command("pack livp", ["pack", *linked, *to, "--as", "livp"], replaced=["a.livp"], is_single=True),
        Command("pack motion photo", ["pack", *linked, *to, "--as", "motion-photo"], replaced=["a.MP.jpg"], is_single=True),
        Command("pack pvt.zip", ["pack", *linked, *to, "--as", "pvt.zip"], replaced=["a.pvt.zip"], is_single=True),
        Command("pack pvt", ["pack", *linked, *to, "--as", "pvt"], replaced=["a.pvt/a.JPG"]),
        Command("preview", ["preview", *linked, "--output", "a.html"], replaced=["a.html"], is_single=True),
        Command("frames", ["frames", "MEDIA/clip.mp4", "--count", "4", "--output", "a.jpg"], replaced=["a.jpg"],
                is_single=True),
        Command("convert", ["convert", "MEDIA/clip.mp4", *to, "--name", "a", "--id", IDENTIFIER], replaced=PAIR),
        Command("export gif", ["export", *linked, "--as", "gif", "--output", "a.gif"], replaced=["a.gif"], is_single=True),
        Command("export mp4", ["export", *linked, "--as", "mp4", "--output", "a.mp4"], replaced=["a.mp4"], is_single=True),
    ]
    new = [Command(command.name, command.arguments, is_single=command.is_single) for command in made]
    for command in made:
        command.name += ", replacing"
        command.arguments = [*command.arguments, "--force"]
    several = [
        Command("convert standard input", ["convert", "-", *to, "--name", "a", "--id", IDENTIFIER], reads_clip=True),
        Command("convert, two stills", ["convert", "MEDIA/clip.mp4", *to, "--still", "0.5,1.5"], **FRESH),
        Command("convert a folder", ["convert", "MEDIA/clips", *to], **FRESH),
        Command("export frames", ["export", *linked, "--as", "frames", *to]),
        Command("pack dcim", ["pack", "MEDIA/many", *to, "--as", "dcim"], has_items=True, has_numbers=True, is_flat=False),
        Command("pack a folder", ["pack", "MEDIA/many", *to, "--as", "livp"], has_items=True),
        Command("extract a folder", ["extract", "MEDIA/containers", *to], has_items=True),
        Command("preview of links", ["preview", ".", "--link", "--output", "a.html"], "many", is_single=True),
        Command("link by name, copies", ["link", "--by-name", "MEDIA/unlinked", *to, "--tree", "%Y"], **FRESH,
                is_flat=False),
        Command("import", ["import", "MEDIA/export", "--output", ".", "--html", "look.html", "--csv", "look.csv"],
                **FRESH, is_flat=False, volatile=("look.html", "look.csv")),
        Command("import for Android", ["import", "MEDIA/export", "--output", ".", "--for", "android"], **FRESH,
                is_flat=False),
        Command("undo an import", ["undo", "--import", "."], before=[["import", "MEDIA/export", "--output", "."]],
                **BY_FILE, has_new_identifiers=True, is_flat=False),
        Command("verify, lists", ["verify", "MEDIA/many", "--csv", "a.csv", "--html", "a.html"], has_items=True,
                volatile=("a.csv", "a.html")),
        Command("batch", ["batch", "MEDIA/jobs.yaml", *to], **FRESH),
        Command("batch, files of figures", ["batch", "MEDIA/jobs.yaml", *to, "--report", "report.jsonl", "--metrics",
                                            "figures.prom"],
                **FRESH, volatile=("report.jsonl", "figures.prom")),
        Command("batch report", ["batch", "report", ".", "--html", "report.html", "--force"], "batch", ["report.html"],
                volatile=("report.html",), is_single=True),
        Command("edit, recipe", ["edit", *linked, *to, "--keep-id", "--still", "0.5", "--save-recipe", "recipe.yaml"],
                has_items=True),
    ]
    placed = [
        Command("link in place", ["link", *PAIR, *in_place, "--still", "0.5", "--id", IDENTIFIER], "plain", undo=again,
                proof=verify),
        Command("link in place, first key", ["link", *PAIR, *in_place, "--still", "0.5", "--id", IDENTIFIER], "plain",
                undo=again, proof=verify, has_key=False),
        Command("unlink in place", ["unlink", *PAIR, *in_place], "linked", undo=again, proof=["inspect", *PAIR]),
        Command("link by name in place", ["link", "--by-name", ".", *in_place], "unlinked", undo=again,
                proof=["verify", "."], **FRESH),
        Command("edit in place", ["edit", *PAIR, *in_place, "--still", "0.5", "--end", "1.5"], "linked", undo=again,
                proof=verify),
        Command("edit in place, encoded", ["edit", *PAIR, *in_place, "--exposure", "0.5"], "linked", undo=again,
                proof=verify),
        Command("undo", again, "plain", before=[["link", *PAIR, *in_place, "--still", "0.5", "--id", IDENTIFIER]],
                **BY_FILE),
        Command("undo, encoded", again, "linked", before=[["edit", *PAIR, *in_place, "--exposure", "0.5"]], **BY_FILE),
        Command("undo by name", again, "unlinked", before=[["link", "--by-name", ".", *in_place]], **BY_FILE,
                has_new_identifiers=True),
    ]
    return new + made + several + placed


def make_media(folder: Path, run: Callable[[list[str], Path], int | None]) -> None:
    """Makes the sources of all commands."""
    def must(*arguments: str) -> None:
        if run(list(arguments), folder) != 0:
            sys.exit(f"a command fails where nothing goes wrong: livephoto {' '.join(arguments)}")

    def copy(to: str, files: dict[str, str]) -> None:
        (folder / to).mkdir()
        for name, source in files.items():
            shutil.copy2(folder / source, folder / to / name)

    subprocess.run([*CLIP, str(folder / "clip.mp4")], check=True)
    must("convert", "clip.mp4", "--name", "a", "--id", IDENTIFIER, "--output", "linked", "--date", "2025-09-08T10:11:12Z")
    must("convert", "clip.mp4", "--name", "b", "--output", "linked-b", "--still", "0.5", "--date", "2024-03-02T10:11:12Z")
    for kind in ("a", "b"):
        suffix = "" if kind == "a" else "-b"
        must("unlink", f"linked{suffix}/{kind}.JPG", f"linked{suffix}/{kind}.MOV", "--output", f"plain{suffix}")
    linked_b = {"b.JPG": "linked-b/b.JPG", "b.MOV": "linked-b/b.MOV"}
    copy("clips", {"a.mp4": "clip.mp4", "b.mp4": "clip.mp4"})
    copy("many", {"a.JPG": "linked/a.JPG", "a.MOV": "linked/a.MOV", **linked_b})
    copy("unlinked", {"a.JPG": "plain/a.JPG", "a.MOV": "plain/a.MOV", "b.JPG": "plain-b/b.JPG", "b.MOV": "plain-b/b.MOV"})
    must("pack", "linked/a.JPG", "linked/a.MOV", "--as", "livp", "--output", "packed")
    must("pack", "linked-b/b.JPG", "linked-b/b.MOV", "--as", "motion-photo", "--output", "packed")
    copy("containers", {"a.livp": "packed/a.livp", "b.MP.jpg": "packed/b.MP.jpg"})
    copy("export", {"a.JPG": "plain/a.JPG", "a.MOV": "plain/a.MOV", "c.livp": "packed/a.livp", "b.MP.jpg": "packed/b.MP.jpg",
                    "d.mp4": "clip.mp4"})
    (folder / "jobs.yaml").write_text("version: 1\njobs:\n- {input: clip.mp4, name: a}\n"
                                      "- {input: clip.mp4, name: b, still: 0.5}\n")
    must("batch", "jobs.yaml", "--output", "batch")
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, ns=(10**18 + 123_456_789, 10**18 + 123_456_789))
