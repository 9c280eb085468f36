"""The commands of Scripts/trial machines, and what each makes."""
from dataclasses import dataclass

IDENTIFIER = "01234567-89AB-4CDE-8F01-23456789ABCD"
LONGEST_NAME = 255


@dataclass
class Command:
    name: str
    # {c} is the clip, {p} a linked pair, {q} a plain one, {m} a motion photo, {u} a pair changed in place, {a} a folder.
    line: str
    # How many files are new after success, without hidden ones.
    new: int = 0
    # Files that may change, both or neither.
    changes: tuple[str, ...] = ()
    # What `verify` must accept: the folder "out" (verify), what is extracted of it (extract), or the changed files (pair).
    proof: str = ""


COMMANDS = [
    Command("convert", f"convert {{c}}.mp4 -o out --id {IDENTIFIER}", 2, proof="verify"),
    # There is "case/pair.JPG" and "case/pair.MOV".
    Command("convert, other case", f"convert {{c}}.mp4 -o case --name PAIR --id {IDENTIFIER}", 2),
    Command("link", "link {p}.JPG {p}.MOV -o out", 2, proof="verify"),
    Command("link in place", f"link {{q}}.JPG {{q}}.MOV --in-place --id {IDENTIFIER}", changes=("{q}.JPG", "{q}.MOV"),
            proof="pair"),
    Command("unlink", "unlink {p}.JPG {p}.MOV --in-place", changes=("{p}.JPG", "{p}.MOV")),
    Command("edit", "edit {p}.JPG {p}.MOV --no-audio --in-place", 1, changes=("{p}.MOV", "{p}.JPG"), proof="pair"),
    Command("edit, encoded", "edit {p}.JPG {p}.MOV --exposure 0.3 -o out", 3, proof="verify"),
    Command("extract", "extract {m}.MP.jpg -o out", 2, proof="verify"),
    Command("pack", "pack {p}.JPG {p}.MOV --as livp -o out", 1, proof="extract"),
    Command("pack pvt", "pack {p}.JPG {p}.MOV --as pvt -o out", 3, proof="extract"),
    Command("verify", "verify {p}.JPG {p}.MOV --pixels"),
    Command("inspect", "inspect {p}.JPG {p}.MOV {m}.MP.jpg --json"),
    Command("preview", "preview {p}.JPG {p}.MOV -o out/page.html", 1),
    Command("export", "export {p}.JPG {p}.MOV --as gif -o out", 1),
    Command("frames", "frames {c}.mp4 --count 4 -o out/sheet.jpg", 1),
    Command("undo", "undo {u}.JPG", -1, changes=("{u}.JPG", "{u}.MOV")),
    Command("batch", "batch jobs.yaml", 2, proof="verify"),
    Command("import", "import {a} -o out", 2, proof="verify"),
]
READERS = {"verify", "inspect"}


def file_name(kind: str, stem: bytes) -> bytes:
    """The name of a kind of file, so short that the longest extension fits."""
    whole = kind.encode() + stem
    room = LONGEST_NAME - len(b".MP.jpg" if kind == "m" else b".JPG")
    while len(whole) > room:
        whole = whole.decode()[:-1].encode()
    return whole


def filled(word: str, stem: bytes) -> bytes:
    """A word of a line with the names of files."""
    whole = word.encode()
    for kind in "cpqmua":
        whole = whole.replace(b"{%b}" % kind.encode(), file_name(kind, stem))
    return whole
