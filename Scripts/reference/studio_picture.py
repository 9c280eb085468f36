"""Takes a picture of the studio with a clip. Scripts/trial pictures calls it.

usage: studio_picture.py PROGRAM CLIP PICTURE
"""

import os
import pathlib
import sys

program, clip, picture = sys.argv[1:]
os.environ.update(LIVEPHOTO=program, STUDIO_FOLDER=str(pathlib.Path(clip).parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Browser"))

from chromium import Chromium  # noqa: E402
from studio import Studio  # noqa: E402

with Studio(clip) as studio, Chromium() as chromium:
    page = chromium.open(studio.address, 1100, 700)
    page.wait("document.body.dataset.screen === 'editor' && document.querySelector('#stage').dataset.exact === 'true'", 60)
    page.run("document.querySelector('#tab-adjust').click()")
    page.wait("document.querySelector('#stage-note').hidden && !document.querySelector('.summary.waiting')", 60)
    page.run("document.activeElement.blur()")
    page.screenshot(picture)
