#!/usr/bin/env python3
"""Lists the public symbols without documentation.

Usage: undocumented.py FOLDER...

Reads the symbol graphs (*.symbols.json) below the folders, as the Swift compiler writes them. A symbol counts as
documented if it has a comment or inherits one from the protocol that requires it; what the compiler synthesizes is
ignored. Prints `file:line: sentence` for each other one and exits with 1 if there are any.
"""

import json
import os
import pathlib
import sys
import urllib.parse


def place(symbol):
    """The file relative to the current folder, and the line counted from 1."""
    location = symbol.get("location")
    if not location:
        return None
    path = urllib.parse.unquote(urllib.parse.urlparse(location["uri"]).path)
    return os.path.relpath(path), location["position"]["line"] + 1


def findings(graph):
    module = graph["module"]["name"]
    for symbol in graph["symbols"]:
        if symbol.get("docComment", {}).get("lines") or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
            continue
        where = place(symbol)
        # Members that the compiler synthesizes have no place in the sources.
        if where:
            name = ".".join([module, *symbol["pathComponents"]])
            yield *where, f"the public {symbol['kind']['displayName'].lower()} {name} has no documentation."


def main():
    graphs = [file for folder in sys.argv[1:] for file in sorted(pathlib.Path(folder).glob("**/*.symbols.json"))]
    if not graphs:
        sys.exit("error: there are no symbol graphs in " + " ".join(sys.argv[1:]))
    found = sorted({finding for file in graphs for finding in findings(json.loads(file.read_text()))})
    for file, line, sentence in found:
        print(f"{file}:{line}: {sentence}")
    sys.exit(1 if found else 0)


main()
