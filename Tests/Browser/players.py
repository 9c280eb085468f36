"""Makes pages with players, and compares what they show, for pages.py, whose first two arguments are PROGRAM and FOLDER."""

import pathlib
import re
import subprocess
import sys

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
PLAYER = "document.querySelectorAll('live-photo')[%d]"
# Whether the movie is seen, and how far it is.
STATE = "(e => ({shown: e.shadowRoot.getElementById('stage').classList.contains('shown'), playing: e.playing, " \
        "time: e.currentTime, opacity: Number(getComputedStyle(e.shadowRoot.getElementById('movie') ?? e).opacity)}))"
LOADED = "[...document.querySelectorAll('live-photo')].filter(e => e.shadowRoot?.getElementById('photo').src)"


def livephoto(*arguments, status=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, f"{arguments}: status {done.returncode}: {done.stderr}"
    return done.stdout


def preview(name, *arguments, status=0):
    """Makes a page and returns its address."""
    page = FOLDER / "pages" / f"{name}.html"
    page.parent.mkdir(exist_ok=True)
    livephoto("preview", *arguments, "--output", page, "--force", status=status)
    return page.as_uri()


def likeness(first, second):
    """The structural similarity of the luma of two screenshots; 1 for equal ones."""
    (FOLDER / "first.png").write_bytes(first)
    (FOLDER / "second.png").write_bytes(second)
    done = subprocess.run(
        ["ffmpeg", "-nostdin", "-i", FOLDER / "first.png", "-i", FOLDER / "second.png", "-lavfi",
         "[0]format=gray[a];[1]format=gray[b];[a][b]ssim", "-f", "null", "-"],
        capture_output=True, text=True, check=True)
    return float(re.search(r"All:([\d.]+)", done.stderr)[1])
