"""Shared parts of forgeries: random changes of files, outcomes of readers, truth about boards.

Bytes, lines, words and values of JSON change at random; whether the claims of a certificate that is
accepted hold is found by trying every layout of the board.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.errors import WrongCertificateError
from satsweeper_check import NotProvedError
from scripts.fuzzing.truth import MOST_CELLS, Truth

Files = dict[str, bytes]
"""Names of the files of a certificate -> their contents."""
REFUSED: Final = (WrongCertificateError, ProofError, ProofFormatError, NotProvedError)
"""Exceptions by which readers refuse a certificate; any other one is a fault of the reader."""


def judged(
    readers: Mapping[str, Callable[[], Any]], false_claim: Callable[[Any], str | None]
) -> tuple[str, str]:
    """Return the outcome of a certificate, and the reason.

    That is "rejected" or "harmless" (accepted, and true), if all readers agree; "only A, B", the
    readers that accept it, and why another one does not; "FALSE" or "FAILED", the reader and why.

    Args:
        readers: name of a reader -> what checks, and raises one of `REFUSED`.
        false_claim: returns a false claim of what a reader found and accepts, or None.
    """
    refused: dict[str, str] = {}
    for name, check in readers.items():
        try:
            claim = false_claim(check())
        except REFUSED as error:
            refused[name] = str(error)
        except Exception as error:
            return "FAILED", f"{name}: {type(error).__name__}: {error}"
        else:
            if claim is not None:
                return "FALSE", f"{name}: {claim}"
    if len(refused) in (0, len(readers)):
        return ("rejected", next(iter(refused.values()))) if refused else ("harmless", "")
    name, why = next(iter(refused.items()))
    accept = ", ".join(each for each in readers if each not in refused)
    return f"only {accept}", f"{name}: {why}"


def text_of(file: Path) -> str:
    """Return a file of ASCII text; WrongCertificateError for another one."""
    try:
        return file.read_bytes().decode("ascii")
    except UnicodeDecodeError:
        raise WrongCertificateError(file.name, "not ASCII") from None


_WORDS: Final = (
    "0", "1", "-1", "2", "-2", "x1", "~x1", "~", ";", ":", ">=", "d", "+", "rup", "red", "pol",
    "del", "99", "-99", "2147483648", "9" * 30,
)  # fmt: skip
_VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 2, 7, 10**30, "", "S", "M", "?", "1", [], {}, [0, 0],
    "consistent", "inconsistent",
)  # fmt: skip
_MARKS: Final = b'0123456789 -~x;:.?FSM\n"[]{},d+=>\0\xff'


def mutated(content: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """Return ``content`` after a random change, which may leave it unchanged.

    ``others``: the file of equal name in other certificates, one of which may replace ``content``.
    """
    kinds: list[Callable[[bytes, random.Random], bytes]] = [
        _byte,
        _cut,
        _line,
        _word,
        _words,
        _hollow,
    ]
    if content.startswith(b"{"):
        kinds += [_value, lambda data, rng: _value(_value(data, rng), rng)]
    if others:
        kinds.append(lambda data, rng: rng.choice(others))
    return rng.choice(kinds)(content, rng)


def _byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    new = bytes([rng.choice(_MARKS)])
    # A byte is replaced, inserted, or removed.
    end, put = rng.choice([(at + 1, new), (at, new), (at + 1, b"")])
    return data[:at] + put + data[end:]


def _cut(data: bytes, rng: random.Random) -> bytes:
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return rng.choice([data[:start], data[end:], data[:start] + data[end:]])


def _hollow(data: bytes, rng: random.Random) -> bytes:
    """Keep nothing, or a header and an end alone."""
    lines = data.splitlines(keepends=True)
    head, end = rng.choice([(0, 0), (1, 0), (2, 0), (1, 3), (2, 3)])
    return b"".join([*lines[:head], *lines[max(head, len(lines) - end) :]])


def _line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.choice(["drop", "twice", "swap", "move"])
    if what == "swap":
        lines[at], lines[other] = lines[other], lines[at]
    else:
        line = lines[at] if what == "twice" else lines.pop(at)
        lines[other:other] = [] if what == "drop" else [line]
    return b"".join(lines)


def _word(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    words = lines[at].split(b" ")
    place = rng.randrange(len(words))
    word = words[place]
    number = word.lstrip(b"-+x~")
    choices = [rng.choice(_WORDS).encode(), rng.choice(words), b""]
    if number.isdigit():
        sign = word[: len(word) - len(number)]
        choices += [sign + str(int(number) + step).encode() for step in (1, -1) if int(number)]
        choices += [b"-" + word, word.lstrip(b"-"), word.replace(b"x", b"~x"), word.lstrip(b"~")]
    words[place] = rng.choice(choices)
    lines[at] = b" ".join(words)
    return b"\n".join(lines)


def _words(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(2, 4)):
        data = _word(data, rng)
    return data


def _value(data: bytes, rng: random.Random) -> bytes:
    try:
        found = json.loads(data)
    except ValueError:
        return data
    return json.dumps(changed_value(found, rng)).encode()


def changed_value(found: Any, rng: random.Random) -> Any:
    """Return the JSON value ``found`` changed at one random place; lists and objects in place."""
    if isinstance(found, dict | list) and found and rng.random() < 0.85:
        keys = list(found) if isinstance(found, dict) else list(range(len(found)))
        key = rng.choice(keys)
        what = rng.random()
        if what < 0.1:
            del found[key]
        elif what < 0.2:
            other = rng.choice(keys)
            found[key], found[other] = found[other], found[key]
        elif what < 0.25 and isinstance(found, list):
            found.append(rng.choice(found))
        else:
            found[key] = changed_value(found[key], rng)
        return found
    if type(found) is int and rng.random() < 0.7:
        return found + rng.choice([-1, 1])
    if isinstance(found, str) and found and rng.random() < 0.7:
        at = rng.randrange(len(found))
        return found[:at] + rng.choice("SM?F0123") + found[at + 1 :]
    return rng.choice(_VALUES)


def _read(folder: Path, manifest: dict[str, Any]) -> tuple[tuple[str, ...], int | None] | None:
    """Return the rows and the total of the board; None if the manifest states another size."""
    head, *rows = (folder / "board.txt").read_bytes().decode("ascii").splitlines()
    *size, total = head.split()
    mines = None if total == "?" else int(total)
    stated = [manifest[key] for key in ("rows", "columns", "mines")]
    return (tuple(rows), mines) if stated == [*map(int, size), mines] else None


@lru_cache(maxsize=256)
def _truth(rows: Sequence[str], mines: int | None, trust: bool) -> Truth:
    return Truth(rows if trust else [row.replace("F", "?") for row in rows], mines)


def false_claim(folder: Path, *, cells: bool = True) -> str | None:
    """Return the first false claim of an accepted certificate of verdicts; None for none.

    A board of more than MOST_CELLS covered cells is classified in the plain way. ``cells``: whether
    the proofs of single cells are claims, too.
    """
    manifest = json.loads((folder / "manifest.json").read_bytes())
    board = _read(folder, manifest)
    if board is None:
        return "the size"
    rows, mines = board
    large = sum(char in "?F" for row in rows for char in row) > MOST_CELLS
    if large:
        # Imported late: all other claims are judged without the packages that made them.
        from satsweeper import Position, classify

        head = f"{len(rows)} {len(rows[0])} {'?' if mines is None else mines}"
        position = Position.parse("\n".join([head, *rows, ""]))
        found = classify(position, flags=manifest["flags"], plain=True)
        grid = None if found.conflict is not None else list(found.grid())
    else:
        truth = _truth(rows, mines, manifest["flags"] == "trust")
        grid = truth.grid if truth.layouts else None
    if manifest["status"] != ("inconsistent" if grid is None else "consistent"):
        return f"status {manifest['status']}"
    if manifest["grid"] != grid:
        return f"grid {manifest['grid']}, which is {grid}"
    for proof in manifest["cells"] if cells else ():
        row, column = proof["cell"]
        if large:
            letter = {"safe": "S", "mine": "M"}[proof["verdict"]]
            forced = grid is not None and grid[row][column] == letter
        else:
            # The clues of the proof, all flags, and the total if the proof needs it, must force the
            # verdict: they have a layout, but none with the opposite value of the cell.
            clues = [(r, c) for r, c in proof["clues"] if (r, c) in truth.clue]
            layouts = truth.meeting(clues, truth.flags, proof["total"])
            mine = truth.with_mine((row, column))
            against = ~mine if proof["verdict"] == "mine" else mine
            forced = bool(layouts) and not layouts & against
        if not forced:
            return f"the proof of {proof['cell']}"
    return None


def false_odds(folder: Path) -> str | None:
    """Return the first false claim of an accepted certificate of odds; None for none."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    board = _read(folder, manifest)
    if board is None:
        return "the size"
    density = None if manifest["density"] is None else Fraction(manifest["density"])
    claims = json.loads((folder / "odds.json").read_bytes())
    solutions, chances = true_odds(*board, manifest["flags"] == "trust", density)
    if not solutions:
        # Without a layout there are no odds: a certificate of odds claims that there is one.
        return "odds of a board that has no layout"
    if int(claims["solutions"]) != solutions:
        return f"{claims['solutions']} layouts, which are {solutions}"
    claimed = [Fraction(claims["chances"][at]) for at in claims["cells"]]
    return None if claimed == list(chances) else f"chances {claimed}, which are {chances}"


def true_odds(
    rows: Sequence[str], mines: int | None, trust: bool, density: Fraction | None
) -> tuple[int, tuple[Fraction, ...]]:
    """Return the number of layouts and the chance of a mine in each covered cell; (0, ()) for none.

    Raises:
        ValueError: there are more than MOST_CELLS covered cells.
    """
    truth = _truth(tuple(rows), mines, trust)
    if not truth.layouts:
        return 0, ()
    return truth.layouts.bit_count(), tuple(truth.chances(density).values())
