"""Forged proofs of games: statements that claim more of a board than the proof shows."""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

_EMPTY_CORE: Final = b"u 0 "


class _State(NamedTuple):
    """The board at the end of a proof: its columns, and what is said of its cells by number."""

    columns: int
    covered: list[int]
    proved: dict[int, bytes]


def forged(data: bytes, rng: random.Random) -> bytes:
    """Return the proof ``data`` of a game with a lie, or unchanged if it has no place for one."""
    lines = data.split(b"\n")[:-1]
    return b"\n".join([*rng.choice(_LIES)(lines, rng), b""])


def _every_verdict(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Claim any verdict for every cell, by an empty core that is there or made up."""
    ends = [at for at, line in enumerate(lines, start=1) if line.startswith(_EMPTY_CORE)]
    if ends:
        kept = lines[: ends[0]]
    else:
        hints = b" ".join(b"%d" % rng.randint(1, 9) for _ in range(3))
        kept = [*lines, b"q 0", b"s UNSATISFIABLE", _EMPTY_CORE + hints + b" 0"]
    columns, covered, _ = _state(kept)
    verdicts = [rng.choice((b"safe", b"mine")) for _ in covered]
    if rng.random() < 0.3:
        kept += _made_up_layout(kept, rng)
    kept += [
        b"c proved %d %d %b" % (*divmod(cell, columns), verdict)
        for cell, verdict in zip(covered, verdicts, strict=True)
    ]
    return [*kept, _classified(kept)]


def _without_layouts(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Leave out some layouts, or all; statements that rest on them stay."""
    share = rng.choice((0.3, 0.8, 1))
    gone: set[int] = set()
    for at, line in enumerate(lines):
        if line.startswith(b"m ") and rng.random() < share:
            gone.update((at - 2, at - 1, at))
    return [line for at, line in enumerate(lines) if at not in gone]


def _another_cell(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Open a covered cell with any clue, even one proved to be a mine, or put a flag on it."""
    columns, covered, _ = _state(lines)
    if not covered:
        return lines
    place = divmod(rng.choice(covered), columns)
    if rng.random() < 0.3:
        said = b"c mine %d %d" % place
    else:
        said = b"c open %d %d %d" % (*place, rng.randint(0, 3))
    at = rng.choice((len(lines), len(lines), rng.randrange(2, len(lines) + 1)))
    changed = [*lines[:at], said, *lines[at:]]
    if rng.random() < 0.5:
        changed += _made_up_layout(changed, rng)
    return [*changed, _classified(changed)]


def _turned(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Exchange safe and mine in all verdicts, or in some."""
    share = rng.choice((0.5, 1))
    swap = {b"safe": b"mine", b"mine": b"safe"}
    changed: list[bytes] = []
    for line in lines:
        if line.startswith(b"c proved ") and rng.random() < share:
            line = b" ".join(swap.get(word, word) for word in line.split(b" "))
        elif line.startswith(b"c classified "):
            line = _classified(changed)
        changed.append(line)
    return changed


def _another_total(lines: list[bytes], rng: random.Random) -> list[bytes]:
    words = lines[1].split(b" ")
    words[-1] = rng.choice([b"?", *(b"%d" % n for n in range(6))])
    return [lines[0], b" ".join(words), *lines[2:]]


_LIES: Final[tuple[Callable[[list[bytes], random.Random], list[bytes]], ...]] = (
    _every_verdict, _every_verdict, _without_layouts, _another_cell, _turned, _another_total,
)  # fmt: skip


def _made_up_layout(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Return a model with mines at random, mostly in covered cells alone."""
    columns, covered, _ = _state(lines)
    rows = int(lines[1].split(b" ")[4])
    wild = rng.random() < 0.2
    mines = {cell for cell in range(rows * columns) if rng.random() < 0.3}
    if not wild:
        mines &= {*covered}
    literals = [cell + 1 if cell in mines else -cell - 1 for cell in range(rows * columns)]
    return [b"q 0", b"s SATISFIABLE", b"m %b 0" % b" ".join(b"%d" % lit for lit in literals)]


def _classified(lines: list[bytes]) -> bytes:
    """Return the statement ``c classified`` with the numbers that fit ``lines`` before it."""
    _, covered, proved = _state(lines)
    safe = sum(proved.get(cell) == b"safe" for cell in covered)
    mines = sum(proved.get(cell) == b"mine" for cell in covered)
    return b"c classified %d %d %d" % (safe, mines, len(covered) - safe - mines)


def _state(lines: list[bytes]) -> _State:
    rows, columns = (int(word) for word in lines[1].split(b" ")[4:6])
    known: set[int] = set()
    proved: dict[int, bytes] = {}
    for line in lines:
        words = line.split(b" ")
        if words[:2] in ([b"c", b"open"], [b"c", b"mine"], [b"c", b"proved"]):
            cell = int(words[2]) * columns + int(words[3])
            if words[1] == b"proved":
                proved[cell] = words[4]
            else:
                known.add(cell)
    return _State(columns, [each for each in range(rows * columns) if each not in known], proved)
