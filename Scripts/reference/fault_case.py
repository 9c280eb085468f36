"""One fault of one command, what was before and after it, and what came of it."""
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# Kills at random moments, as a kind of call.
RANDOM = "random"
# Complete files whose contents differ from run to run.
COMPLETE = "complete"
# Names of files, and a digest or COMPLETE, and the time.
State = dict[str, tuple[str, int]]
IDENTIFIER = re.compile(rb"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}")


class Case(NamedTuple):
    system: str
    command: str
    # A key of CALLS, or RANDOM.
    kind: str
    fault: str
    # Which of the calls, from 1.
    number: int
    # How it continues: "again" with the same command, "other" with another one, "undo".
    way: str


class NothingWorks(Exception):
    """A command fails where nothing goes wrong."""


class Outcome(NamedTuple):
    # "ok", "not reached" if the call did not occur this time, "impossible", or what is wrong.
    result: str
    status: int | None


@dataclass
class Expected:
    old: State
    new: State
    seconds: float


def without_times(state: State) -> dict[str, str]:
    return {name: content for name, (content, _) in state.items()}


def items(state: State, by_file: bool = False) -> dict[str, dict[str, str]]:
    """The files by what they belong to: a pair, or a list by itself."""
    found: dict[str, dict[str, str]] = {}
    for name, (content, _) in state.items():
        is_list = by_file or Path(name).suffix in (".csv", ".html", ".jsonl", ".prom", ".yaml")
        item = name if is_list else str(Path(name).parent / Path(name).name.split(".")[0])
        found.setdefault(item, {})[name] = content
    return found


def without_numbers(state: State) -> State:
    """The files by their contents together with those of the same number, and how often these are there."""
    found: State = {}
    for _, files in sorted(items(state).items()):
        contents = " ".join(sorted(files.values()))
        count = sum(name.startswith(contents) for name in found)
        found[f"{contents}-{count}"] = (contents, 0)
    return found
