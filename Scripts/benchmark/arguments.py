"""What the scripts of this folder have in common on the command line."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from measure import Failed


def count(text: str) -> int:
    """A whole number from 1 to 99, as how often something runs."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"takes a whole number from 1 to 99, not {text}")
    return int(text)


def file(text: str) -> Path:
    """A file that is there."""
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{text} is no file")
    return Path(text).resolve()


def run_script(main: Callable[[], None]) -> None:
    """Runs a script; what fails is one sentence, not a trace."""
    try:
        main()
    except Failed as failure:
        sys.exit(f"error: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
