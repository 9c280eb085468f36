"""What was tried and found, in a file, so that a trial continues where it stopped; and its table."""
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from fault_calls import CALLS, KILL
from fault_case import Case, Outcome
from program_digest import program_digest


class Record:
    """Lines of JSON: the program's digest, then counts of calls and outcomes of cases."""

    def __init__(self, file: Path, program: Path, fresh: bool) -> None:
        self.outcomes: dict[Case, Outcome] = {}
        self.counts: dict[tuple[str, str], dict[str, list[int]]] = {}
        digest = program_digest(program)
        self.is_continued = not fresh and file.exists() and self.read(file, digest)
        file.parent.mkdir(parents=True, exist_ok=True)
        self.file = file.open("a" if self.is_continued else "w", buffering=1)
        if not self.is_continued:
            self.write({"program": digest})

    def read(self, file: Path, digest: str) -> bool:
        """Reads the lines of the same program; the last one may be incomplete."""
        for number, line in enumerate(file.read_text().split("\n")[:-1]):
            try:
                value = json.loads(line)
            except ValueError:
                sys.exit(f"error: {file}: line {number + 1} is not of this trial; name another file with --record.")
            if number == 0 and value.get("program") != digest:
                return False
            if "case" in value:
                self.outcomes[Case(*value["case"])] = Outcome(value["result"], value["status"])
            elif "calls" in value:
                self.counts[value["system"], value["command"]] = value["calls"]
        return True

    def write(self, value: dict[str, object]) -> None:
        self.file.write(json.dumps(value) + "\n")

    def add_counts(self, system: str, command: str, calls: dict[str, list[int]]) -> None:
        self.counts[system, command] = calls
        self.write({"system": system, "command": command, "calls": calls})

    def add(self, case: Case, outcome: Outcome) -> None:
        self.outcomes[case] = outcome
        self.write({"case": case, "result": outcome.result, "status": outcome.status})

    def reached(self, systems: list[str]) -> dict[Case, Outcome]:
        return {case: outcome for case, outcome in self.outcomes.items()
                if case.system in systems and outcome.result not in ("not reached", "impossible")}

    def failures(self, systems: list[str]) -> int:
        return sum(outcome.result != "ok" for outcome in self.reached(systems).values())

    def print_tables(self, systems: list[str], each_error: bool) -> None:
        reached = self.reached(systems)
        kinds = [kind for kind in [*CALLS, "random"] if any(case.kind == kind for case in reached)]
        for system in systems:
            cells = Cells((case.command, case.kind, outcome.result) for case, outcome in reached.items()
                          if case.system == system)
            print(f"\n{system}: faults (and of these, failed)")
            cells.print("command", kinds)
        print("\nall file systems: faults by error (and of these, failed)")
        faults = sorted({case.fault for case in reached}, key=lambda fault: (fault == KILL, fault))
        Cells((case.kind, case.fault, outcome.result) for case, outcome in reached.items()).print("call", faults)
        if each_error:
            print("\ncommand, call, file system: errors")
            rows: dict[tuple[str, str, str], list[tuple[str, str]]] = defaultdict(list)
            for case, outcome in reached.items():
                rows[case.command, case.kind, case.system].append((case.fault, outcome.result))
            for (command, kind, system), results in sorted(rows.items()):
                cells = Cells(("", fault, result) for fault, result in results)
                print(f"{command}, {kind}, {system}: " + ", ".join(
                    f"{fault} {cells.text('', fault)}" for fault in sorted({fault for fault, _ in results})))

    def print_sums(self, systems: list[str]) -> None:
        for system in systems:
            reached = self.reached([system])
            kills = sum(case.fault == KILL for case in reached)
            wrong = Counter(outcome.result for outcome in reached.values() if outcome.result != "ok")
            mixtures = sum(count for text, count in wrong.items() if "neither" in text or "not everything" in text
                           or "not the" in text or "missing" in text)
            leftovers = sum(count for text, count in wrong.items() if "is left" in text)
            print(f"{system}: {len(reached) - kills} faults, {kills} kills: {mixtures} mixtures, {leftovers} leftovers, "
                  f"{sum(wrong.values()) - mixtures - leftovers} otherwise wrong")


class Cells:
    """Counts of results by row and column."""

    def __init__(self, results) -> None:
        self.all: Counter[tuple[str, str]] = Counter()
        self.failed: Counter[tuple[str, str]] = Counter()
        for row, column, result in results:
            self.all[row, column] += 1
            self.failed[row, column] += result != "ok"

    def text(self, row: str, column: str) -> str:
        if not self.all[row, column]:
            return "·"
        failed = self.failed[row, column]
        return f"{self.all[row, column]}" + (f"({failed})" if failed else "")

    def print(self, title: str, columns: list[str]) -> None:
        rows = list(dict.fromkeys(sorted(row for row, _ in self.all)))
        width = max([len(row) for row in rows] + [len(title)])
        widths = {column: max([len(self.text(row, column)) for row in rows] + [min(len(column), 9)]) for column in columns}
        print("  ".join([title.ljust(width), *(column[:9].rjust(widths[column]) for column in columns)]))
        for row in rows:
            print("  ".join([row.ljust(width), *(self.text(row, column).rjust(widths[column]) for column in columns)]))
