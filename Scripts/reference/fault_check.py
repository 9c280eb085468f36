"""What has to hold after a fault."""
from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from fault_calls import KILL, is_of_kernel
from fault_case import IDENTIFIER, Case, Expected, State, items, without_times
from fault_commands import Command

if TYPE_CHECKING:
    from fault_bed import Bed

# Exit statuses that Documentation/Commands.md lists for a command that could not do its work.
CHECK_FAILED, CANNOT_CREATE, IO_ERROR, TEMPORARY = 1, 73, 74, 75
RIGHT_STATUSES = [CHECK_FAILED, 65, 66, 69, CANNOT_CREATE, IO_ERROR, TEMPORARY]
# Of the dynamic loader, which finds a library that a program asks for while it runs.
NOT_LOADED = 127
# Of a pair that another command writes to the folder.
OTHER_NAME = "other"


class Check:
    """What has to hold after one fault."""

    def __init__(self, bed: Bed, case: Case, command: Command, expected: Expected) -> None:
        self.bed, self.case, self.command, self.old, self.new = bed, case, command, expected.old, expected.new

    def is_new(self, found: State) -> bool:
        return without_times(found) == without_times(self.new)

    def is_mixture(self, found: State) -> bool:
        """Whether an item is neither as before nor complete; without items, all files together are one."""
        if not self.command.has_items:
            return found != self.old and not self.is_new(found)
        old, new, now = (items(state, self.command.by_file) for state in (self.old, self.new, found))
        if self.command.has_new_identifiers and not self.command.by_file:
            if any(len(self.identifiers(item)) > 1 for item in now.values()):
                return True
        return any(now.get(name) not in (old.get(name), new.get(name)) for name in {*old, *new, *now})

    def identifiers(self, names: dict[str, str]) -> set[bytes]:
        """Those in the files of an item; a motion photo and a pair have one."""
        return {found for name in names if Path(name).suffix.lower() in (".jpg", ".mov")
                for found in IDENTIFIER.findall((self.bed.folder / name).read_bytes())}

    def after(self, status: int | None, lines: list[str]) -> str | None:
        """What is wrong; nil if nothing is."""
        bed, case, command = self.bed, self.case, self.command
        if status is None:
            return "it hangs"
        found = bed.read(command)
        if wrong := self.status(status, found, lines):
            return wrong
        if case.way == "undo":
            again = bed.run(command.undo)
            if bed.read(command) != self.old:
                return f"status {status}; undone ({again}), the files are not the old ones"
            if any(name.endswith(".edit.yaml") for name in bed.files()):
                return f"status {status}; undone, the recipe of the edit is left"
        elif case.way == "other":
            again = bed.run(["link", "MEDIA/plain/a.JPG", "MEDIA/plain/a.MOV", "--output", ".", "--name", OTHER_NAME])
            for path in bed.folder.glob(OTHER_NAME + ".*"):
                path.unlink()
            if again != 0 or self.is_mixture(bed.read(command)):
                return f"status {status}; after the next command ({again}), the files are neither the old nor the new ones"
        else:
            again = bed.run_with(command)
            # A killed process may have its lock for a moment.
            for _ in range(5):
                if again == TEMPORARY and case.fault == KILL:
                    time.sleep(0.5)
                    again = bed.run_with(command)
            after = bed.read(command)
            # A pair that is already the new one may get another encoding of the same values.
            is_right = self.is_new(after) or self.is_new(found) and command.proof and bed.run(command.proof) == 0
            is_done = self.is_new(found) and (
                again == CANNOT_CREATE and not command.forces or command.arguments[0] == "undo")
            # Where one of two results is there, the other needs --force.
            if command.has_items and again == CANNOT_CREATE and not command.forces and not self.is_mixture(after):
                is_right = is_done = True
            if again != 0 and not is_done or not is_right:
                return f"status {status}; done again, it ends with {again}" + ("" if is_right else ", and files are missing")
        if left := bed.leftovers(case.way == "again"):
            return f"status {status}; after the next command, something is left: {', '.join(left)}"
        return None

    def status(self, status: int, found: State, lines: list[str]) -> str | None:
        """What is wrong with the files and the exit status before anything else runs."""
        case, command = self.case, self.command
        if status == 0:
            return None if self.is_new(found) else "status 0, but the files are not the new ones"
        if status < 0:
            # Where there is no memory and no thread, the runtime of the language ends a program.
            is_killed = case.fault == KILL or case.kind in ("mmap", "clone") or is_of_kernel(lines)
            return None if is_killed else f"it ends by signal {-status}"
        if status == NOT_LOADED and found == self.old:
            return None
        if case.fault == "EINTR":
            return f"status {status} after a call that was interrupted"
        if status not in RIGHT_STATUSES and case.fault != KILL:
            return f"status {status}"
        # It has done its work if only its result could not be printed, or a flush failed after the file was in place.
        prints = not any("write(1<" in line or "write resumed" in line for line in lines)
        if self.is_new(found) and (not prints or command.is_single and status == IO_ERROR):
            return None
        if command.by_file:
            # It says what is restored, and done again, restores the rest.
            return None
        if self.is_mixture(found) or not command.has_items and found != self.old:
            return f"status {status}, but not everything is as before"
        return None
