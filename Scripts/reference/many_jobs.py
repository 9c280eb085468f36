"""Makes the output folder of a batch of many jobs from that of a batch of one job.

Usage: many_jobs.py MODEL PHOTO JOBS FOLDER

MODEL is the folder of the real batch, PHOTO the key photo of all pairs. Every tenth job has failed, for one of eight
reasons, and one of a thousand was interrupted. The photos and movies are hard links.
"""

import json
import os
import pathlib
import shutil
import sys

REASONS = [
    "is not a clip", "is cut off after 10 seconds", "needs more memory than the limit of 512 MB",
    "took longer than 1800 seconds and was stopped", "has no picture", "may not be read (permission denied)",
    "made its decoder crash (SIGSEGV)", "the still 9 s is after the end",
]
# A file system may allow some 65,000 links of a file.
MOST_LINKS = 50_000


def records(model, name, number, extension):
    """The lines of a job in the journal."""
    started, done = ({**record, "id": name} for record in model)
    yield started
    if number % 1000 == 7:
        return
    if number % 10 == 3:
        reason = REASONS[number // 10 % len(REASONS)]
        yield {
            "id": name, "status": "failed", "exitCode": 65, "error": f"{name}.mp4: {reason}", "reason": reason,
            "attempts": 1, "seconds": 0.4, "lastWords": ["[mov] moov not found"]}
        return
    done["photo"] = {**done["photo"], "path": f"{name}.{extension}"}
    done["movie"] = {**done["movie"], "path": f"{name}.MOV"}
    yield done


def main(model, photo, jobs, folder):
    model, folder = pathlib.Path(model), pathlib.Path(folder)
    state = ".livephoto-batch"
    lines = [json.loads(line) for line in (model / state / "journal.jsonl").read_text().splitlines()]
    extension = photo.rpartition(".")[2]
    movie = next(model.glob("*.MOV"))
    (folder / state).mkdir(parents=True)
    with open(folder / state / "journal.jsonl", "w", encoding="utf-8") as journal:
        for number in range(1, int(jobs) + 1):
            name = f"{number // 1000:03}/IMG_{number:06}"
            for record in records(lines, name, number, extension):
                journal.write(json.dumps(record) + "\n")
            (folder / name).parent.mkdir(exist_ok=True)
            if number % MOST_LINKS == 1:
                sources = [shutil.copy(photo, folder / state / "photo"), shutil.copy(movie, folder / state / "movie")]
            os.link(sources[0], folder / f"{name}.{extension}")
            os.link(sources[1], folder / f"{name}.MOV")
            if number % MOST_LINKS == 0:
                for source in sources:
                    os.unlink(source)


main(*sys.argv[1:])
