"""Runs commands that write while system calls fail or the program is killed. Scripts/trial faults --help says more.

usage: faults.py [OPTION...] PROGRAM
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Iterator

from fault_bed import Bed
from fault_calls import CALLS, KILL, count_calls, strace
from fault_case import RANDOM, Case, Expected, NothingWorks, Outcome
from fault_commands import Command, commands, make_media
from fault_record import Record
from fault_systems import NAMES, CannotMount, FileSystem, opened


class Campaign:
    def __init__(self, options: argparse.Namespace, work: Path, systems: list[FileSystem], record: Record) -> None:
        self.options, self.record = options, record
        self.systems = {system.name: system for system in systems}
        self.commands = {command.name: command for command in commands()
                         if not options.commands or any(word in command.name.split(", ") + [command.name]
                                                        for word in options.commands)}
        if not self.commands:
            sys.exit(f"error: no command is called {', '.join(options.commands)}; known are "
                     f"{'; '.join(command.name for command in commands())}.")
        self.media = work / "media"
        self.media.mkdir()
        self.beds: dict[str, SimpleQueue[Bed]] = {}
        for system in systems:
            self.beds[system.name] = SimpleQueue()
            for number in range(options.jobs):
                self.beds[system.name].put(Bed(options.program, self.media, system, f"bed-{number}", work))
        self.expected: dict[tuple[str, str], Expected] = {}
        self.lock = threading.Lock()
        self.end = time.monotonic() + options.minutes * 60 if options.minutes else None

    def make_media(self) -> None:
        """With a user's key, which each command finds where it looks for it."""
        bed = Bed(self.options.program, self.media, FileSystem("media", self.media), ".", self.media)
        make_media(self.media, lambda arguments, folder: bed.run(arguments))
        shutil.copytree(self.media / "plain", self.media / "keyed")
        if bed.run(["link", "keyed/a.JPG", "keyed/a.MOV", "--in-place"]) != 0:
            sys.exit("error: a pair cannot be linked in place where nothing goes wrong.")
        shutil.move(bed.own / "state", self.media / "key")

    def expectation(self, bed: Bed, command: Command) -> Expected:
        key = (bed.system.name, command.name)
        if key not in self.expected:
            found = bed.expected(command)
            with self.lock:
                self.expected.setdefault(key, found)
        return self.expected[key]

    def count(self, place: tuple[str, str]) -> None:
        """Counts the calls of a command on a file system, by running it once."""
        system, command = self.systems[place[0]], self.commands[place[1]]
        bed = self.beds[system.name].get()
        try:
            self.expectation(bed, command)
            bed.set(command)
            bed.run_with(command, strace(bed.log, None, "", 0, system.has_links))
            calls = count_calls(bed.log)
            with self.lock:
                self.record.add_counts(system.name, command.name, calls)
        except NothingWorks as error:
            self.finish(Case(system.name, command.name, "none", "none", 0, "again"), Outcome(str(error), None))
        finally:
            self.beds[system.name].put(bed)

    def cases(self) -> list[Case]:
        """All cases, in an order in which each call of each command fails once with each error before any does so twice."""
        ordered: list[tuple[int, float, Case]] = []
        chance = random.Random(self.options.seed)
        for system in self.systems:
            for command in self.commands.values():
                for index, case in self.cases_of(system, command, chance):
                    ordered.append((index, chance.random(), case))
        return [case for _, _, case in sorted(ordered)]

    def cases_of(self, system: str, command: Command, chance: random.Random) -> Iterator[tuple[int, Case]]:
        ways = ["again", "undo"] if command.undo else ["again", "other"]
        # What `undo` has begun, another `undo` completes; what is in several folders, the same command.
        if command.by_file or not command.is_flat:
            ways = ["again"]
        if (system, command.name) not in self.record.counts:
            return
        counts = self.record.counts[system, command.name]
        for kind, (_, errors) in CALLS.items():
            if kind == "link" and not self.systems[system].has_links or self.options.calls and kind not in self.options.calls:
                continue
            for fault in [*errors, KILL]:
                # The first, the last, then all others.
                numbers = list(counts.get(kind, []))
                ends = numbers[:1] + numbers[1:][-1:]
                numbers = numbers[1:-1]
                chance.shuffle(numbers)
                for index, number in enumerate(ends + numbers):
                    for offset, way in enumerate(ways):
                        if fault == KILL or (number + len(fault)) % len(ways) == offset:
                            yield index, Case(system, command.name, kind, fault, number, way)
        for number in range(0 if self.options.calls else self.options.kills):
            yield number // 4, Case(system, command.name, RANDOM, KILL, number, ways[number % len(ways)])

    def one(self, case: Case) -> None:
        if case in self.record.outcomes or self.end and time.monotonic() > self.end:
            return
        bed = self.beds[case.system].get()
        try:
            command = self.commands[case.command]
            outcome = bed.try_case(case, command, self.expectation(bed, command), self.options.seed)
        finally:
            self.beds[case.system].put(bed)
        self.finish(case, outcome)

    def finish(self, case: Case, outcome: Outcome) -> None:
        with self.lock:
            self.record.add(case, outcome)
            if outcome.result not in ("ok", "not reached", "impossible"):
                print(f"FAILED: {case.system}: {case.command}: {case.kind} number {case.number}: {case.fault} "
                      f"({case.way}): {outcome.result}", flush=True)

    def run(self) -> None:
        places = [(system.name, command.name) for system in self.systems.values() for command in self.commands.values()
                  if (system.name, command.name) not in self.record.counts
                  and (system.truncates or not command.needs_truncation)]
        with ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(self.count, places))
            cases = self.cases()
            if self.options.sample:
                cases = cases[:self.options.sample]
            left = sum(case not in self.record.outcomes for case in cases)
            print(f"{len(cases)} cases of {len(self.commands)} commands on {', '.join(self.systems)}; {left} left",
                  flush=True)
            list(pool.map(self.one, cases))
        left = sum(case not in self.record.outcomes for case in cases)
        if left:
            print(f"{left} cases are left; the same command continues with them")


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(";" if ";" in text else ",") if name.strip()]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--start", choices=["fresh", "continued"], default="continued")
    parser.add_argument("--file-systems", type=names, default=NAMES)
    parser.add_argument("--commands", type=names, default=[])
    parser.add_argument("--calls", type=names, default=[])
    parser.add_argument("--table", choices=["none", "calls", "errors"], default="calls")
    parser.add_argument("program", type=Path)
    options = parser.parse_args()
    options.program = options.program.absolute()
    record = Record(options.record, options.program, options.start == "fresh")
    with ExitStack() as until, tempfile.TemporaryDirectory() as work:
        place = Path(tempfile.mkdtemp(prefix="livephoto-faults-", dir=options.folder))
        until.callback(shutil.rmtree, place, ignore_errors=True)
        systems = []
        for name in options.file_systems:
            try:
                systems.append(opened(name, place, until))
            except CannotMount as error:
                print(f"note: without {name}: {error}")
        campaign = Campaign(options, Path(work), systems, record)
        campaign.make_media()
        try:
            campaign.run()
        except KeyboardInterrupt:
            print("stopped; the same command continues")
    used = [system.name for system in systems]
    if options.table != "none":
        record.print_tables(used, options.table == "errors")
    print()
    record.print_sums(used)
    sys.exit(1 if record.failures(used) else 0)


if __name__ == "__main__":
    main()
