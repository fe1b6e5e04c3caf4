"""Shared parts of the scripts that change certificates and proofs at random.

Arguments, counting and table; random changes of files: bytes, lines, words, values of JSON; and
whether the claims of a certificate that is accepted hold, by trying every layout of the board.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from rich.console import Console
from rich.table import Table

import satsweeper_check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.show.progress import progress
from scripts.frame.arguments import INTERRUPTED, parser_of, positive
from scripts.fuzzing.truth import MOST_CELLS, Truth

ALONE: Final = ("small alone accepts", "small alone refuses")
"""The outcomes where the small checker, `satsweeper_check`, and ``check`` differ."""
OUTCOMES: Final = ("rejected", "harmless", *ALONE, "FALSE", "FAILED")

Outcome = tuple[str, str, str]
"""The change, the outcome, and why."""

_Originals = TypeVar("_Originals")
_Found = TypeVar("_Found")


def judged(
    check: Callable[[], _Found],
    false_claim: Callable[[_Found], str | None],
    small: tuple[Sequence[Path], Callable[[dict[str, Any]], str | None]] | None = None,
) -> tuple[str, str]:
    """Return the outcome of ``check``, and why.

    Args:
        check: raises WrongCertificateError for what it refuses.
        false_claim: returns a false claim of what ``check`` accepts, or None.
        small: what the small checker is asked about, and a false claim of what it accepts; None: it
            is not asked.
    """
    outcome, why = _judged(check, false_claim)
    if small is None:
        return outcome, why
    paths, other_claim = small
    again, reason = _judged(lambda: satsweeper_check.check([str(p) for p in paths]), other_claim)
    if again in ("FALSE", "FAILED"):
        return again, f"the small checker: {reason}"
    if outcome in ("FALSE", "FAILED") or outcome == again:
        return outcome, why
    return ALONE[again == "rejected"], why or reason


def _judged(
    check: Callable[[], _Found], false_claim: Callable[[_Found], str | None]
) -> tuple[str, str]:
    try:
        found = check()
    except (WrongCertificateError, satsweeper_check.NotProvedError) as error:
        return "rejected", str(error)
    except Exception as error:
        return "FAILED", f"{type(error).__name__}: {error}"
    claim = false_claim(found)
    return ("harmless", "") if claim is None else ("FALSE", claim)


def run(
    description: str | None,
    make: Callable[[random.Random, int, Path], _Originals],
    mutate: Callable[[_Originals, Path, random.Random], Outcome],
    argv: Sequence[str] | None = None,
    of: str = "boards",
) -> int:
    """Change certificates as often as the arguments say, and print the outcomes.

    Args:
        description: the help text.
        make: ``make(rng, number, folder)`` returns certificates of ``number`` random boards, or of
            other things that ``of`` names, made in ``folder``.
        mutate: changes a certificate, checks it, and judges its claims if it is accepted.
        argv: the arguments; None for the arguments of the process.
        of: the things that are certified, in the plural, which name an option.

    Returns:
        0 no false claim was accepted; 1 one was, or the checker failed; 130 interrupted.
    """
    parser = parser_of(description)
    add = parser.add_argument
    add("--count", type=positive, default=1000, metavar="N", help="mutations (%(default)s)")
    add(f"--{of}", type=positive, default=40, metavar="N", help=f"random {of} (%(default)s)")
    add("--seed", type=int, default=0, help=f"of {of} and mutations (%(default)s)")
    arguments = parser.parse_args(argv)
    rng = random.Random(arguments.seed)
    found: Counter[tuple[str, str]] = Counter()
    complaints: list[str] = []
    try:
        with TemporaryDirectory() as name, progress("mutations", arguments.count) as reach:
            originals = make(rng, getattr(arguments, of), Path(name))
            for done in range(arguments.count):
                kind, outcome, why = mutate(originals, Path(name), rng)
                found[kind, outcome] += 1
                if outcome not in ("rejected", "harmless"):
                    complaints.append(f"mutation {done} of {kind}: {outcome}: {why}")
                reach(done + 1)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    table = Table(title=f"{found.total()} mutations", show_footer=True)
    table.add_column("what was changed", footer="all")
    for outcome in OUTCOMES:
        total = sum(n for (_, each), n in found.items() if each == outcome)
        table.add_column(outcome, justify="right", footer=str(total))
    for name in sorted({name for name, _ in found}):
        table.add_row(name, *(str(found[name, outcome]) for outcome in OUTCOMES))
    console = Console()
    console.print(table)
    for complaint in complaints:
        console.print(complaint, markup=False, soft_wrap=True)
    return 1 if any(found[each] for each in found if each[1] in ("FALSE", "FAILED")) else 0


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
    kinds: list[Callable[[bytes, random.Random], bytes]] = [_byte, _cut, _line, _word, _words]
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
