"""Runs every command on unusual machines. Scripts/trial machines --help says more.

usage: machines.py [--only TEXT] [--state FILE] PROGRAM
"""
import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine_commands import COMMANDS, IDENTIFIER, LONGEST_NAME, READERS, Command, file_name, filled
from machine_conditions import CANNOT_CREATE, CONDITIONS, IO_ERROR, Condition, missing, mounted, stepping
from program_digest import program_digest
from promises import KEPT_FOLDERS, STATUSES

# Until a command is said to hang, in seconds. The machine may be busy.
LONGEST_RUN = 60
STDOUT, STDERR = 1, 2
Files = dict[bytes, str]


class Bed:
    def __init__(self, program: Path, work: Path) -> None:
        self.program, self.work = program, work
        self.case, self.temporary = work / "case", work / "tmp"
        self.masters: dict[bytes, Path] = {}
        # The new files of each command on an ordinary machine.
        self.expected: dict[str, Files] = {}
        self.failures: list[str] = []
        clip = work / "clip.mp4"
        # Upper and lower case of i are other letters in it. Without the sources of locales, the program is told its name only.
        self.locales = work / "locales"
        self.locales.mkdir()
        if shutil.which("localedef"):
            subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", self.locales / "tr_TR.UTF-8"], capture_output=True)
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=15:d=2", "-f", "lavfi", "-i",
                        "sine=d=2", "-shortest", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-c:a", "aac", clip], check=True)

    def master(self, stem: bytes) -> Path:
        """A folder of inputs with such names."""
        if stem in self.masters:
            return self.masters[stem]
        folder = self.work / f"master{len(self.masters)}"
        folder.mkdir()
        (folder / "out").mkdir()
        (folder / "case").mkdir()
        names = {kind: os.fsdecode(file_name(kind, stem)) for kind in "cpqmua"}
        shutil.copy2(self.work / "clip.mp4", folder / f"{names['c']}.mp4")
        self.quiet(folder, "convert", self.work / "clip.mp4", "--id", IDENTIFIER, "--name", "x")
        self.quiet(folder, "unlink", "x.JPG", "x.MOV", "-o", ".", "--name", "y")
        self.quiet(folder, "pack", "x.JPG", "x.MOV", "--as", "motion-photo", "-o", "x.MP.jpg")
        (folder / names["a"]).mkdir()
        for kind, source in {"p": "x", "q": "y", "u": "x"}.items():
            for extension in ("JPG", "MOV"):
                shutil.copy2(folder / f"{source}.{extension}", folder / f"{names[kind]}.{extension}")
        for extension in ("JPG", "MOV"):
            shutil.copy2(folder / f"x.{extension}", folder / names["a"] / f"{names['p']}.{extension}")
            (folder / f"x.{extension}").rename(folder / "case" / f"pair.{extension}")
            (folder / f"y.{extension}").unlink()
        (folder / "x.MP.jpg").rename(folder / f"{names['m']}.MP.jpg")
        (folder / "jobs.yaml").write_text(
            f"version: 1\noutput: out\njobs:\n- input: c*.mp4\n  id: {IDENTIFIER}\n")
        self.masters[stem] = folder
        return folder

    def quiet(self, folder: Path, *arguments: str | bytes | Path) -> None:
        subprocess.run([self.program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def files(self, folder: Path) -> Files:
        # The owner of hidden folders is the program.
        return {os.fsencode(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in folder.rglob("*") if path.is_file() and not path.name == "filler"
                and not any(part in KEPT_FOLDERS for part in path.relative_to(folder).parts)}

    def start(self, condition: Condition, words: list[bytes], variables: dict[str, str]) -> tuple[int | None, str]:
        """Runs the program under a condition: its status, nothing if it hangs, and what it has said."""
        gone = self.work / "gone"
        gone.mkdir(exist_ok=True)
        errors = self.work / "errors"

        def prepare() -> None:
            if not condition.has_folder:
                os.chdir(gone)
                gone.rmdir()
            if condition.prepare:
                condition.prepare()
            for stream in condition.closed:
                os.close(stream)

        environment = {**os.environ, "TMPDIR": str(self.temporary), "LOCPATH": str(self.locales), **condition.variables, **variables}
        with open(errors, "wb") as stderr:
            process = subprocess.Popen(
                [*condition.prefix, self.program, *words], cwd=self.case, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=stderr, preexec_fn=prepare, start_new_session=True, close_fds=True,
                env=environment if condition.environment is None else condition.environment)
        status: int | None = None
        try:
            status = process.wait(LONGEST_RUN)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return status, errors.read_text(errors="replace").strip()

    def words(self, command: Command, condition: Condition) -> list[bytes]:
        folder = os.fsencode(self.case) + b"/" if not condition.has_folder else b""
        result = []
        for number, word in enumerate(command.line.split()):
            whole = filled(word, condition.stem)
            is_path = number > 0 and whole != word.encode() or word.startswith(("out", "case", "jobs.yaml"))
            result.append(folder + whole if is_path else whole)
        # The output of a job file belongs to the current folder.
        return result + ([b"-o", folder + b"out"] if command.name == "batch" and folder else [])

    def run(self, command: Command, condition: Condition) -> tuple[int | None, list[str]]:
        """The status, and what is wrong."""
        for folder in (self.case, self.temporary):
            shutil.rmtree(folder, ignore_errors=True)
        self.temporary.mkdir()
        shutil.copytree(self.master(condition.stem), self.case)

        def complete() -> None:
            # A journal is valid only where it was made.
            if command.name == "undo":
                self.quiet(self.case, "edit", filled("{u}.JPG", condition.stem), "--no-audio", "--in-place")

        with mounted(condition, self.case, self.work / "spare", complete):
            before = self.files(self.case)
            with stepping(condition, self.work / "clock") as variables:
                status, said = self.start(condition, self.words(command, condition), variables)
            after = self.files(self.case)
            wrong = self.judge(command, condition, status, said, before, after)
            if status == 0 and not wrong and condition.disk != "small":
                wrong += self.prove(command, condition)
        return status, [f"{command.name}: {condition.name}: status {status}: {fault}: {said[-400:]!r}" for fault in wrong]

    def judge(self, command: Command, condition: Condition, status: int | None, said: str, before: Files,
              after: Files) -> list[str]:
        if status is None:
            return ["it hangs"]
        allowed = condition.reading if command.name in READERS else condition.writing
        allowed = allowed | {1} if command.name in condition.rejecting else allowed
        allowed = {CANNOT_CREATE} if command.name in condition.occupied else allowed
        wrong = [] if status in allowed and status in STATUSES else ["this status is not expected"]
        if status and STDERR not in condition.closed:
            lines = [line for line in said.splitlines() if line.startswith("error: ")]
            # A report of findings is on stdout.
            if not lines and not (status == 1 and command.name == "verify"):
                wrong.append("no sentence says why")
            # A batch says why its job has failed, and then why it ends.
            if len(lines) > 1 and status != 1 and command.name != "batch":
                wrong.append("more than one error")
        if "Fatal error" in said or "Stack dump" in said:
            wrong.append("it trapped")
        changes = {filled(name, condition.stem) for name in command.changes}
        changed = {name for name, content in before.items() if after.get(name) != content}
        recipes = {name for name in changed if name.endswith(b".edit.yaml") and command.name == "undo"}
        if changed - changes - recipes:
            wrong.append(f"it changed {changed - changes - recipes}")
        new = {name: content for name, content in after.items() if name not in before}
        if left := [name for name in new if b".livephoto-" in name or b".tmp" in name]:
            wrong.append(f"it left {left}")
        if left := [name for name in os.listdir(self.temporary)]:
            wrong.append(f"it left {left} in the temporary folder")
        # The work may be done if only the result could not be printed.
        is_done = status == 0 or status == IO_ERROR and STDOUT in condition.closed
        count = len(new) - len(recipes)
        # There is no recipe of a pair whose name leaves no room for its extension.
        is_cut = command.name in ("edit", "undo") and count == 0 and len(condition.stem) >= LONGEST_NAME
        if is_done and count != command.new and not is_cut:
            wrong.append(f"new files: {sorted(new)}")
        if not is_done and (changed or new):
            wrong.append(f"it failed, but changed {changed} and made {set(new)}")
        values = {name: content for name, content in after.items() if name in new or name in changes}
        if condition.name == "ordinary":
            self.expected[command.name] = values
        elif is_done and not condition.stem and self.expected.get(command.name, values) != values:
            differing = [name for name, content in values.items() if self.expected[command.name].get(name) != content]
            wrong.append(f"other bytes or names than on an ordinary machine: {differing}")
        return wrong

    def prove(self, command: Command, condition: Condition) -> list[str]:
        folder = self.case / "out"
        words: list[bytes | str | Path] = ["verify", folder]
        made = self.work / "extracted"
        if command.proof == "extract":
            shutil.rmtree(made, ignore_errors=True)
            if subprocess.run([self.program, "extract", folder, "-o", made, "-q"], capture_output=True).returncode:
                return ["extract rejects the result"]
            words = ["verify", made]
        elif command.proof == "pair":
            words = ["verify", *(filled(name, condition.stem) for name in command.changes)]
        elif not command.proof:
            return []
        proof = subprocess.run([self.program, *words], cwd=self.case, capture_output=True)
        return [f"verify rejects the result: {proof.stdout[-300:]!r}"] if proof.returncode else []


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--state", type=Path)
    options = parser.parse_args()
    program = options.program.resolve()
    digest = program_digest(program)[:16]
    passed = set(options.state.read_text().splitlines()) if options.state and options.state.exists() else set()
    runs = failures = 0
    with tempfile.TemporaryDirectory(prefix="livephoto-machines-") as work:
        bed = Bed(program, Path(work))
        for condition in CONDITIONS:
            if program_name := missing(condition):
                print(f"{condition.name}: left out; there is no {program_name}", flush=True)
                continue
            counts: dict[str, list[str]] = {}
            started = time.monotonic()
            for command in COMMANDS:
                key = f"{digest} {condition.name}: {command.name}"
                is_chosen = options.only in condition.name or options.only in command.name
                if condition.name != "ordinary" and (not is_chosen or key in passed):
                    continue
                status, wrong = bed.run(command, condition)
                counts.setdefault(str(status), []).append(command.name)
                runs += 1
                failures += len(wrong)
                for fault in wrong:
                    print(f"FAILED: {fault}", flush=True)
                if not wrong and options.state:
                    with open(options.state, "a") as file:
                        file.write(key + "\n")
            if counts:
                row = "; ".join(f"{status}: " + (", ".join(names) if status != "0" else str(len(names)))
                                for status, names in sorted(counts.items()))
                print(f"{condition.name} ({time.monotonic() - started:.0f} s): {row}", flush=True)
    print(f"{runs} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
