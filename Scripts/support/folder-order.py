#!/usr/bin/env python3
"""Holds the folders of each target to one order: a folder uses only those before it.

Usage: folder-order.py TARGETS [FILE...]

TARGETS has a line for each target: its folder, its name, what it may import. The orders are in ARCHITECTURE.md, in lines
such as "- `Target`: Files, Pairs, Commands". Prints `file:line: sentence` for each use of a later folder.
"""

import collections
import pathlib
import re
import sys

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|#*"""|#*"|\\\(|[A-Za-z_]\w*|[{}()\n]', re.S)
DECLARATION = re.compile(r"^(?:struct|class|enum|protocol|actor|typealias)$")
ORDER = re.compile(r"^- `([\w-]+)`: ([\w, ]+)$")


def words(text):
    """The identifiers of Swift source with line and depth of braces, comments and strings left out."""
    found, line, depth, position = [], 1, 0, 0
    while match := TOKEN.search(text, position):
        token, position = match.group(), match.end()
        if token == "\n":
            line += 1
        elif token in "{}":
            depth += 1 if token == "{" else -1
        elif token.startswith("/"):
            line += token.count("\n")
        elif token.endswith('"'):
            start = position
            position = end_of_string(text, position, token)
            inside = text[start:position]
            for code in re.findall(r"\\#*\(([^\n]*?)\)", inside):
                found += [(word, line, depth) for word in re.findall(r"[A-Za-z_]\w*", code)]
            line += inside.count("\n")
        elif token not in "()" and token != "\\(":
            found.append((token, line, depth))
    return found


def end_of_string(text, position, opening):
    hashes = opening.count("#")
    closing = opening.lstrip("#") + "#" * hashes
    while position < len(text) and not text.startswith(closing, position):
        position += 2 if text[position] == "\\" and hashes == 0 else 1
    return position + len(closing)


def folder_of(file, root):
    """The first folder below the target's; "" for a file that is in none."""
    parts = file.relative_to(root).parts
    return parts[0] if len(parts) > 1 else ""


def declared(tokens):
    """The types that a file declares at its top level for other files."""
    found = set()
    for (before, _, _), (keyword, _, depth), (name, _, _) in zip([("", 0, 0), *tokens], tokens, tokens[1:]):
        if depth == 0 and DECLARATION.match(keyword) and before not in ("import", "private", "fileprivate"):
            found.add(name)
    return found


def breaches(target, root, files, order):
    tokens = {file: words(file.read_text()) for file in files}
    home = collections.defaultdict(set)
    for file in files:
        for name in declared(tokens[file]):
            home[name].add(folder_of(file, root))
    folders = {folder_of(file, root) for file in files}
    if missing := folders - {""} - set(order):
        yield f"ARCHITECTURE.md:1: the order of folders of {target} lacks {', '.join(sorted(missing))}."
    # Files beside the folders may use all of them.
    rank = {folder: number for number, folder in enumerate([*order, ""])}
    for file in files:
        own = rank.get(folder_of(file, root), 0)
        for name, line, _ in tokens[file]:
            later = [rank.get(folder, 0) for folder in home.get(name, ())]
            if later and min(later) > own:
                place = [*order, ""][min(later)] or "no folder"
                yield f"{file}:{line}: {name} is in {place}, which comes after {folder_of(file, root)}."


def main():
    targets, files = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    orders = {}
    for line in pathlib.Path("ARCHITECTURE.md").read_text().splitlines():
        if match := ORDER.match(line):
            orders[match[1]] = match[2].split(", ")
    for line in pathlib.Path(targets).read_text().splitlines():
        root, name, *_ = line.split()
        own = [file for file in files if file.is_relative_to(root)]
        if root.startswith("Sources/") and any(folder_of(file, root) for file in own):
            for breach in breaches(name, root, own, orders.get(name, [])):
                print(breach)


main()
