"""Measures commands on simulated libraries of many files.

Usage: million.py PROGRAM MEDIA WORK ITEMS... [NAME...]  measures libraries of so many files, which it makes and removes
       million.py make MEDIA TREE KIND ITEMS             only makes the files of a library

MEDIA has small pairs of files as KIND.JPG and KIND.MOV, with the date DATE: `linked` ones, which are a Live Photo, and
`plain` ones, which have no identifiers and are not. Each pair of a library has a date of its own, and so other
contents; linked ones have identifiers of their own.
"""

import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid

DATE = datetime.datetime(2020, 6, 1, 10)
# Not at midnight and noon, which stand for a day in many files.
FIRST = datetime.datetime(2001, 1, 1, 0, 7)
# So that a library by month has some 4,000 files in each folder, however many there are.
STEP = datetime.timedelta(minutes=20)
PAIRS_IN_FOLDER = 500
# Names of cameras repeat.
NAMES = 10_000
# For results and for what a person would see on a terminal.
SIGNS = ["--json", "--progress", "json"]
# The part of the duration after which a run is stopped.
STOPS = [0.02, 0.3, 0.6, 0.9]
LONGEST_STOP, LONGEST_START, LONGEST_SILENCE, MOST_MEMORY, MOST_GROWTH = 1.0, 1.0, 5.0, 400, 11.0


def texts(date):
    return date.strftime("%Y:%m:%d %H:%M:%S").encode(), date.strftime("%Y-%m-%dT%H:%M:%S").encode()


def make(media, tree, kind, items):
    """Writes a library, two files for each Live Photo."""
    media, tree = pathlib.Path(media), pathlib.Path(tree)
    models = [(extension, (media / f"{kind}.{extension}").read_bytes()) for extension in ("JPG", "MOV")]
    identifier = (media / "identifier").read_bytes().strip()
    for number in range(items // 2):
        if number % PAIRS_IN_FOLDER == 0:
            folder = tree / f"{number // PAIRS_IN_FOLDER:04}"
            folder.mkdir(parents=True)
        changes = list(zip(texts(DATE), texts(FIRST + number * STEP)))
        changes.append((identifier, str(uuid.uuid5(uuid.NAMESPACE_OID, str(number))).upper().encode()))
        for extension, content in models:
            for old, new in changes:
                content = content.replace(old, new)
            with open(folder / f"IMG_{number % NAMES:04}.{extension}", "wb") as file:
                file.write(content)


def make_jobs(path, tree, items):
    """A job that links a pair for each pair of a tree, and as many whose clip does not exist."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"version": 1}) + "\n")
        for folder in sorted(tree.iterdir()):
            for photo in sorted(folder.glob("*.JPG")):
                movie, clip = str(photo.with_suffix(".MOV")), str(photo.with_suffix(".mp4"))
                link = {"movie": movie, "photo": str(photo), "still": 0.5}
                for job in [link, {"input": clip, "name": f"{photo.stem}-2"}]:
                    file.write(json.dumps({**job, "output": folder.name}) + "\n")


def memory(process):
    """The resident memory of a process and its children, in MB."""
    pages, waiting = 0, [process]
    while waiting:
        number = waiting.pop()
        try:
            with open(f"/proc/{number}/statm", encoding="ascii") as file:
                pages += int(file.read().split()[1])
            with open(f"/proc/{number}/task/{number}/children", encoding="ascii") as file:
                waiting += [int(child) for child in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Run:
    """A command that runs, whose results and output are counted."""

    def __init__(self, command, stop_after=None, number=signal.SIGINT):
        # The seconds until the first result, and until anything is printed; the longest time in which nothing is.
        self.first, self.sign, self.silence = None, None, 0.0
        self.lines, self.peak, self.stop, self.messages = 0, 0.0, None, b""
        lock = threading.Lock()
        start = latest = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        ended = threading.Event()

        def note():
            nonlocal latest
            with lock:
                now = time.monotonic()
                self.sign = self.sign or now - start
                self.silence = max(self.silence, now - latest)
                latest = now

        def watch():
            while not ended.wait(0.05):
                self.peak = max(self.peak, memory(process.pid))

        def stop():
            if not ended.wait(stop_after):
                self.stop = time.monotonic()
                process.send_signal(number)

        def listen():
            while data := process.stderr.read(1 << 16):
                note()
                self.messages = (self.messages + data)[-2000:]

        threads = [threading.Thread(target=watch), threading.Thread(target=listen)]
        if stop_after is not None:
            threads.append(threading.Thread(target=stop))
        for thread in threads:
            thread.start()
        while data := process.stdout.read(1 << 20):
            note()
            self.first = self.first or time.monotonic() - start
            self.lines += data.count(b"\n")
        _, status, usage = os.wait4(process.pid, 0)
        end = time.monotonic()
        note()
        ended.set()
        for thread in threads:
            thread.join()
        self.seconds = end - start
        self.stop = self.stop and end - self.stop
        self.status = os.waitstatus_to_exitcode(status)
        self.peak = max(self.peak, usage.ru_maxrss / 1000)
        process.returncode = self.status


class Trial:
    def __init__(self, program, media, work):
        self.program, self.media, self.work = program, media, pathlib.Path(work).resolve()
        # The seconds of the command for the number of items before.
        self.before, self.faults = {}, 0

    def measure(self, name, items, arguments, statuses=(0,), lines=None, output=None, stops=STOPS):
        """Runs a command and then stops it on its way, and prints a row of the table."""
        def reset():
            if output:
                shutil.rmtree(output, ignore_errors=True)

        reset()
        command = [self.program, *arguments]
        run = Run(command)
        if run.status not in statuses or lines is not None and run.lines != lines:
            messages = run.messages.decode(errors="replace")
            sys.exit(f"error: {name} of {items} items ended with status {run.status} and {run.lines} lines: {messages}")
        longest = 0.0
        for index, part in enumerate(stops):
            reset()
            stopped = Run(command, max(run.seconds * part, 0.2), [signal.SIGINT, signal.SIGTERM][index % 2])
            longest = max(longest, stopped.stop or 0.0)
        reset()
        known = self.before.get(name)
        growth = run.seconds / known[0] * (10 / (items / known[1])) if known else None
        self.before[name] = (run.seconds, items)
        # A batch prints nothing but failures, which are on stderr.
        first = run.first or 0
        row = [name, f"{items}", f"{run.seconds:.1f}", f"{run.peak:.0f}", f"{growth:.1f}" if growth else "",
               f"{run.sign:.2f}", f"{first:.2f}" if first else "", f"{run.silence:.1f}",
               f"{longest:.2f}" if stops else ""]
        print("| " + " | ".join(row) + " |", flush=True)
        figures = [
            (run.peak, MOST_MEMORY, "MB of memory"), (growth or 0, MOST_GROWTH, "times the time"),
            (first, LONGEST_START, "s until the first result"),
            (run.sign, LONGEST_START, "s until anything was printed"),
            (run.silence, LONGEST_SILENCE, "s in which nothing was printed"), (longest, LONGEST_STOP, "s to stop")]
        for value, limit, what in figures:
            if value > limit:
                print(f"error: {name} of {items} items: {value:.1f} {what}, more than {limit}", file=sys.stderr)
                self.faults += 1

    def trial(self, items, names):
        tree, made, jobs = self.work / "tree", self.work / "made", self.work / "jobs.jsonl"
        report = self.work / "report.jsonl"

        def wants(name):
            return not names or name in names

        if any(map(wants, ["inspect", "verify", "import"])):
            make(self.media, tree, "linked", items)
        if wants("inspect"):
            self.measure("inspect --json", items, ["inspect", tree, *SIGNS], lines=items)
        if wants("verify"):
            self.measure("verify --json", items, ["verify", tree, *SIGNS], lines=items // 2)
        if wants("import"):
            self.measure("import --json", items, ["import", tree, "--output", made, *SIGNS], lines=items // 2,
                         output=made)
        shutil.rmtree(tree, ignore_errors=True)
        if any(map(wants, ["link", "batch"])):
            make(self.media, tree, "plain", items)
        if wants("link"):
            self.measure("link --by-name --json", items,
                         ["link", "--by-name", tree, "--output", made, "--still", "0.5", *SIGNS], lines=items // 2,
                         output=made)
        if wants("batch"):
            make_jobs(jobs, tree, items)
            command = ["batch", jobs, "--output", made, "--progress", "json"]
            self.measure("batch", items, command, statuses=(1,), stops=[])
            self.measure("batch, resumed", items, command + ["--report", report], statuses=(1,))
            self.measure("batch report --json", items, ["batch", "report", jobs, made, *SIGNS], statuses=(1,),
                         lines=items)
            self.measure("batch report --failed", items, ["batch", "report", jobs, made, "--failed", *SIGNS[1:]], statuses=(1,),
                         lines=items // 2 + 1)
        for path in [tree, made]:
            shutil.rmtree(path, ignore_errors=True)
        for path in [jobs, report]:
            path.unlink(missing_ok=True)


def main(arguments):
    if arguments[0] == "make":
        return make(arguments[1], arguments[2], arguments[3], int(arguments[4]))
    numbers = [int(text) for text in arguments[3:] if text.isdigit()]
    trial = Trial(*arguments[:3])
    columns = ["Command", "Items", "s", "MB", "Growth for 10 times", "s to output", "s to a result", "s of silence", "s to stop"]
    print("| " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * (len(columns) - 1))
    for items in numbers:
        trial.trial(items, [text for text in arguments[3:] if not text.isdigit()])
    return 1 if trial.faults else 0


sys.exit(main(sys.argv[1:]))
