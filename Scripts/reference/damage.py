"""Damage to files, as disks, transfers and programs that make mistakes do it. Each change depends on its random numbers alone."""
import random
from typing import Callable

# Bytes at the beginning and at the end, where most formats have their tables.
HEAD, TAIL = 4096, 65536
# The longest run of bytes that is removed, repeated or replaced.
LONGEST_RUN = 1 << 16
# Limits of the types in which formats have sizes and counts.
NUMBERS = [0, 1, 2, 7, 8, 15, 16, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF]

Change = Callable[[random.Random, bytearray, bytes], None]


def place(chance: random.Random, data: bytearray) -> int:
    """A place in the file: near its beginning, near its end, or anywhere."""
    size = len(data)
    part = chance.random()
    if part < 0.4:
        return chance.randrange(min(HEAD, size))
    if part < 0.7:
        return size - 1 - chance.randrange(min(TAIL, size))
    return chance.randrange(size)


def run(chance: random.Random, data: bytearray) -> slice:
    start = place(chance, data)
    return slice(start, start + min(int(2 ** chance.uniform(0, 16)), LONGEST_RUN))


def flip_bits(chance: random.Random, data: bytearray, _: bytes) -> None:
    for _ in range(int(2 ** chance.uniform(0, 7))):
        data[place(chance, data)] ^= 1 << chance.randrange(8)


def set_bytes(chance: random.Random, data: bytearray, _: bytes) -> None:
    for _ in range(int(2 ** chance.uniform(0, 5))):
        data[place(chance, data)] = chance.randrange(256)


def set_number(chance: random.Random, data: bytearray, _: bytes) -> None:
    """A number of 1, 2, 4 or 8 bytes becomes one of those at which programs fail."""
    size = chance.choice([1, 2, 4, 4, 4, 8])
    start = max(min(place(chance, data), len(data) - size), 0)
    number = chance.choice(NUMBERS) & (1 << 8 * size) - 1
    data[start:start + size] = number.to_bytes(size, chance.choice(["big", "big", "little"]))


def add_to_number(chance: random.Random, data: bytearray, _: bytes) -> None:
    start = max(min(place(chance, data), len(data) - 4), 0)
    number = int.from_bytes(data[start:start + 4], "big") + chance.choice([-16, -8, -4, -1, 1, 4, 8, 16])
    data[start:start + 4] = (number & 0xFFFFFFFF).to_bytes(4, "big")


def blank(chance: random.Random, data: bytearray, _: bytes) -> None:
    """As blocks of a damaged disk."""
    part = run(chance, data)
    length = len(data[part])
    data[part] = chance.choice([bytes(length), b"\xff" * length, chance.randbytes(length)])


def remove(chance: random.Random, data: bytearray, _: bytes) -> None:
    del data[run(chance, data)]


def repeat(chance: random.Random, data: bytearray, _: bytes) -> None:
    part = run(chance, data)
    data[part.start:part.start] = data[part]


def cut(chance: random.Random, data: bytearray, _: bytes) -> None:
    del data[place(chance, data):]


def splice(chance: random.Random, data: bytearray, other: bytes) -> None:
    """Bytes of another file."""
    part = run(chance, data)
    start = chance.randrange(max(len(other), 1))
    data[part] = other[start:start + len(data[part])]


# With their shares. What moves the rest of a file mostly ends at its tables, so it is rarer.
CHANGES: dict[Change, int] = {flip_bits: 6, set_bytes: 4, set_number: 6, add_to_number: 3, blank: 3, splice: 3, remove: 1, repeat: 1, cut: 1}


def damaged(chance: random.Random, original: bytes, other: bytes) -> bytes:
    """The file with one to three changes. It may be the same, as when a byte gets the value that it had."""
    data = bytearray(original)
    for change in chance.choices(list(CHANGES), list(CHANGES.values()), k=chance.choice([1, 1, 2, 3])):
        if data:
            change(chance, data, other)
    return bytes(data)
