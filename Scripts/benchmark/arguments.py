"""Command line helpers shared by the scripts of this folder."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from measure import Failed


def count(text: str) -> int:
    """A number of runs: an integer from 1 to 99."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"takes a whole number from 1 to 99, not {text}")
    return int(text)


def file(text: str) -> Path:
    """A path of an existing file."""
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{text} is no file")
    return Path(text).resolve()


def run_script(main: Callable[[], None]) -> None:
    """Runs a script and reports failures as one sentence instead of a traceback."""
    try:
        main()
    except Failed as failure:
        sys.exit(f"error: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
