"""Compares livephoto with other programs; see `Scripts/bench --help`."""

import argparse
import dataclasses
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from arguments import count, file, run_script
from cases import Case, Cases, Quality
from inputs import Inputs
from measure import Cost, Spread, output, run

METRICS = {"wall_seconds": "wall, s", "cpu_seconds": "CPU, s", "peak_bytes": "peak, MB"}


@dataclasses.dataclass(frozen=True)
class Row:
    """The measurements of a case."""

    name: str
    title: str
    peer: str
    ours: dict[str, Spread]
    theirs: dict[str, Spread]
    # For each metric, the ratio of ours to the peer's in each run.
    ratios: dict[str, Spread]
    targets: dict[str, float]
    quality: Quality | None

    def reached(self) -> dict[str, float]:
        """The values that have a target."""
        figures = {metric: ratio.median for metric, ratio in self.ratios.items()}
        if self.quality:
            figures["ssim_loss"] = self.quality.peer_ssim - self.quality.our_ssim
            figures["bytes"] = self.quality.bytes_ratio
        return {target: figures[target] for target in self.targets}

    def missed(self) -> list[str]:
        """The targets that are missed."""
        return [target for target, figure in self.reached().items() if figure > self.targets[target]]


def measured(case: Case, runs: int, folder: Path) -> Row:
    """Runs both programs alternately, `runs` times each, after a warm-up that does not count."""
    folders = {"ours": folder / "ours", "peer": folder / "peer"}
    commands = {"ours": case.ours, "peer": case.peer}
    costs: dict[str, list[Cost]] = {"ours": [], "peer": []}
    for number in range(runs + 1):
        # Change the order, because the first program always finds the caches and disk as the other left them.
        for who in sorted(folders, reverse=number % 2 == 1):
            folders[who].mkdir(parents=True, exist_ok=True)
            case.prepare(folders[who])
            cost = run(commands[who], folders[who])
            if number > 0:
                costs[who].append(cost)

    def values(who: str, metric: str) -> list[float]:
        return [getattr(cost, metric) for cost in costs[who]]

    return Row(
        case.name, case.title, case.peer_title,
        *({metric: Spread.of(values(who, metric)) for metric in METRICS} for who in ("ours", "peer")),
        {
            metric: Spread.of([a / b if b else 0 for a, b in zip(values("ours", metric), values("peer", metric))])
            for metric in METRICS
        },
        case.targets, case.quality(folders["ours"], folders["peer"]) if case.quality else None)


def machine(program: Path) -> str:
    """The machine and the programs, as a paragraph."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    commands = [[str(program), "--version"], ["ffmpeg", "-version"], ["x264", "--version"], ["exiftool", "-ver"]]
    livephoto, ffmpeg, x264, exiftool = (output(command).splitlines()[0].split(" Copyright")[0] for command in commands)
    return (
        f"{len(os.sched_getaffinity(0))} cores of {model}, {memory:.0f} GiB, Linux {platform.release()}; "
        f"{livephoto}; {ffmpeg}; {x264}; exiftool {exiftool}.")


def paragraph(row: Row) -> str:
    """A case in Markdown: cost, ratios and targets."""
    lines = [f"## {row.name}: {row.title}", "", f"Against {row.peer}.", "",
             "| | livephoto | peer | ratio | target |", "|---|---|---|---|---|"]
    for metric, words in METRICS.items():
        unit = 1e6 if metric == "peak_bytes" else 1
        digits = 0 if metric == "peak_bytes" else 3 if row.theirs[metric].median < 1 else 2

        def shown(spread: Spread) -> str:
            return f"{spread.median / unit:.{digits}f} ({spread.least / unit:.{digits}f}–{spread.most / unit:.{digits}f})"

        ratio = row.ratios[metric]
        lines.append(
            f"| {words} | {shown(row.ours[metric])} | {shown(row.theirs[metric])} "
            f"| **{ratio.median:.2f}** ({ratio.least:.2f}–{ratio.most:.2f}) | {verdict(row, metric)} |")
    if row.quality:
        loss = row.quality.peer_ssim - row.quality.our_ssim
        lines.append(
            f"| SSIM | {row.quality.our_ssim:.4f} | {row.quality.peer_ssim:.4f} | {-loss:+.4f} "
            f"| {verdict(row, 'ssim_loss')} |")
        lines.append(f"| bytes of video | | | **{row.quality.bytes_ratio:.2f}** | {verdict(row, 'bytes')} |")
    return "\n".join(lines) + "\n"


def verdict(row: Row, target: str) -> str:
    """A target and whether it is met."""
    if target not in row.targets:
        return ""
    limit = row.targets[target]
    words = f"≥ −{limit}" if target == "ssim_loss" else f"≤ {limit:.2f}"
    return words + (", missed" if target in row.missed() else "")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="Scripts/bench", usage="Scripts/bench [OPTION…] [CASE…]",
        description="Measures livephoto and other programs alternately and prints a Markdown page. Each case has medians "
        "with minimum and maximum, the ratios of the runs, SSIM and size of both movies, and the targets.",
        epilog="examples: Scripts/bench --runs 9 > Tests/Benchmarks/RESULTS.md; Scripts/bench 1080p60 floor; "
        "Scripts/bench --clip walk.mov 1080p60 4k30 --json")
    parser.add_argument("cases", metavar="CASE", nargs="*", help="cases to run (default: all)")
    parser.add_argument("--list", action="store_true", help="lists the cases")
    parser.add_argument("--runs", type=count, default=5, help="number of runs of each program (5)")
    parser.add_argument(
        "--clip", type=file, help="clip to make the inputs from (default: generated pictures with noise)")
    parser.add_argument("--inputs", type=Path, help="folder for the inputs, which are kept (about 2 GB)")
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="prints one JSON document instead")
    options = parser.parse_args()
    if options.list:
        print("\n".join(Cases.NAMES))
        sys.exit(0)
    for name in options.cases:
        if name not in Cases.NAMES:
            parser.error(f"there is no case {name}; there are {', '.join(Cases.NAMES)}")
    return options


def main() -> None:
    options = arguments()
    inputs = Inputs(options.inputs.resolve(), options.clip)
    cases = Cases(options.program.resolve(), inputs)
    about = machine(options.program)
    source = f"Inputs made from {options.clip.name}." if options.clip else "Inputs generated by ffmpeg, with noise."
    if not options.json:
        print(f"# Benchmark\n\n{about} {source} Each program ran {options.runs} times, alternately.\n")
    rows = []
    for name in options.cases or Cases.NAMES:
        print(f"{name}…", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            row = measured(cases.case(name), options.runs, Path(folder))
        rows.append(row)
        if not options.json:
            print(paragraph(row), flush=True)
    if options.json:
        print(json.dumps(
            {"machine": about, "inputs": source, "runs": options.runs,
             "cases": [dataclasses.asdict(row) | {"missed": row.missed()} for row in rows]}, indent=2))


if __name__ == "__main__":
    run_script(main)
