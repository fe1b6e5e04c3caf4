"""``.board`` files, version 0.1, of ms_toollib and Metasweeper (github.com/eee555).

The first line is ``# MINESWEEPER-BOARD v0.1``, the next ``# Render: ascii`` or ``emoji``. Then
fields, ``name: value``; ``rows``, ``columns`` and ``mines`` are needed, ``game_mode`` is written.
Then ``[real]``, the truth (``*`` and numbers), or ``[view]``, the player's view, or both: digits,
``U`` covered, ``F`` a flag, ``?`` a question mark, and after the game ``X`` a stepped mine, ``@`` a
mine without a flag, ``#`` a wrong flag. Fields without a meaning here are notes.

A question mark and a wrong flag are read as covered cells, a mine shown after the game as a flag,
each with a mark. Without a ``[view]`` every cell is covered. Rendering ascii is written.
"""

import re
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.notation.error import BoardError, CannotHoldError
from satsweeper.notation.grid import (
    Alphabet,
    Lines,
    all_lines,
    check_numbers,
    grid,
    no_more_rows,
    sized,
    total,
)
from satsweeper.notation.header import shortened
from satsweeper.notation.record import Record, checked
from satsweeper.notation.solution import HIDDEN, MINE, covered_grid
from satsweeper.notation.symbols import DIGITS, to_text

_HEAD = re.compile(r"# MINESWEEPER-BOARD v(\S+)\s*")
_RENDER: Final = "# Render:"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBERS: Final = ("rows", "columns", "mines")
_MODE: Final = "game_mode"
_CLASSIC: Final = "classic"
_QUESTION, _STEPPED, _SHOWN, _WRONG = 64, 65, 66, 67
_MARKS: Final = {
    _QUESTION: "question mark",
    _STEPPED: "exploded mine",
    _SHOWN: "mine shown after the game",
    _WRONG: "wrong flag",
}
_REAL = Alphabet({**DIGITS, "*": FLAG}, "a cell of [real] is * or 0-8")
_VIEW = Alphabet(
    {
        **DIGITS,
        "U": COVERED,
        "F": FLAG,
        "?": _QUESTION,
        "X": _STEPPED,
        "@": _SHOWN,
        "*": _SHOWN,
        "#": _WRONG,
    },
    "a cell of [view] is U (covered), 0-8, F (flag), ?, X, @ or #",
)
_PLAIN = bytes.maketrans(
    bytes([_QUESTION, _STEPPED, _SHOWN, _WRONG]), bytes([HIDDEN, MINE, MINE, HIDDEN])
)
_EMOJI = {"⬜": "U", "🚩": "F", "❓": "?", "💥": "X", "💣": "*", "❌": "#"}
_JOINERS = dict.fromkeys(map(ord, "\ufe0f\u20e3"))
_TO_VIEW = to_text({HIDDEN: "U", MINE: "F"})
_TO_REAL = to_text({MINE: "*"})


def read(data: bytes | str, source: str) -> Record:
    """Read a ``.board`` file; raises ``BoardError``."""
    lines, fields, places = _head(all_lines(data, source), source)
    for name in _NUMBERS:
        if name not in fields:
            raise BoardError(source, message=f"the field {name!r} is missing")
        if not re.fullmatch(r"[0-9]+", fields[name]):
            what = f"{name}: {shortened(fields[name])!r} is no number"
            raise BoardError(source, places[name], 1, what)
    rows, columns = sized(fields.pop("rows"), fields.pop("columns"), source, places["rows"])
    mines = total(fields.pop("mines"), rows * columns, source, places["mines"])
    if fields.get(_MODE) == _CLASSIC:
        del fields[_MODE]
    grids = _sections(lines, rows, columns, source)
    notes = tuple(fields.items())
    solution = None
    if "[real]" in grids:
        first, solution = grids["[real]"]
        check_numbers(solution, columns, first, "[real]", source)
    if "[view]" not in grids:
        record = Record(covered_grid(rows, columns), columns, mines, solution, notes)
        return checked(record, None, source)
    first, codes = grids["[view]"]
    counts = ((name, codes.count(code)) for code, name in _MARKS.items())
    marks = tuple(mark for mark in counts if mark[1])
    record = Record(codes.translate(_PLAIN), columns, mines, solution, notes, marks)
    return checked(record, first, source)


def write(record: Record) -> bytes:
    """Return the file: always a view, and the solution if the record has one."""
    fields = {"rows": record.rows, "columns": record.columns, "mines": record.mines}
    notes = dict(record.notes)
    mode = notes.pop(_MODE, _CLASSIC)
    for name, value in notes.items():
        # Readers drop characters that cannot be printed, and blanks at both ends.
        as_read = "".join(c for c in value if c.isprintable()).strip()
        if not _NAME.fullmatch(name) or name in fields or value != as_read:
            raise CannotHoldError(f"board cannot hold the note {name!r} as it is", "notes")
    head = ["# MINESWEEPER-BOARD v0.1", "# Render: ascii", ""]
    head += [f"{name}: {value}" for name, value in {**notes, **fields, _MODE: mode}.items()]
    real = b"" if record.solution is None else b"[real]\n" + record.solution.translate(_TO_REAL)
    view = b"[view]\n" + record.padded.translate(_TO_VIEW)
    gap = b"\n" if real else b""
    return "\n".join([*head, "", ""]).encode("utf-8") + real + gap + view


def _head(lines: Lines, source: str) -> tuple[Lines, dict[str, str], dict[str, int]]:
    """Return the lines from the first section on, in ascii; the fields before; and their lines."""
    fields: dict[str, str] = {}
    places: dict[str, int] = {}
    render = "ascii"
    opening = next((i for i, (_, line) in enumerate(lines) if line.strip()), 0)
    number, line = lines[opening]
    version = _HEAD.fullmatch(line)
    if version is None or version[1] != "0.1":
        what = f"{shortened(line)!r}: a .board file begins with '# MINESWEEPER-BOARD v0.1'"
        raise BoardError(source, number, 1, what)
    for i, (number, line) in enumerate(lines[opening + 1 :], opening + 1):
        if line.startswith("["):
            rest = lines[i:]
            if render == "emoji":
                # Characters in place of emoji: errors count columns in characters.
                plain = [(n, row.translate(_JOINERS)) for n, row in rest]
                rest = [(n, "".join(_EMOJI.get(c, c) for c in row)) for n, row in plain]
            return rest, fields, places
        name, colon, value = line.partition(":")
        name = name.strip()
        if line.startswith(_RENDER):
            render = value.strip()
            if render not in ("ascii", "emoji"):
                what = f"{shortened(render)!r}: a .board file is rendered as ascii or emoji"
                raise BoardError(source, number, 1, what)
        elif not line.strip() or line.startswith("#"):
            continue
        elif not colon or not _NAME.fullmatch(name):
            what = f"{shortened(line)!r} is no field 'name: value'"
            raise BoardError(source, number, 1, what)
        elif name in fields:
            what = f"a second {shortened(name)!r}; the first is in line {places[name]}"
            raise BoardError(source, number, 1, what)
        else:
            fields[name], places[name] = value.strip(), number
    raise BoardError(source, message="neither [real] nor [view]: there is no grid")


def _sections(lines: Lines, rows: int, columns: int, source: str) -> dict[str, tuple[int, bytes]]:
    """Return the line of the first row, and the codes, of each section."""
    found: dict[str, tuple[int, bytes]] = {}
    alphabets = {"[real]": _REAL, "[view]": _VIEW}
    at = 0
    while at < len(lines):
        number, line = lines[at]
        name = line.strip()
        if not name or name.startswith("# "):
            at += 1
        elif name not in alphabets or name in found:
            again = "a second one" if name in found else "a section is [real] or [view]"
            raise BoardError(source, number, 1, f"{shortened(name)!r}: {again}")
        else:
            body = lines[at + 1 : at + 1 + rows]
            stop = next((i for i, (_, row) in enumerate(body) if _ends(row)), rows)
            if stop < len(body):
                what = f"the header says {counted(rows, 'row')}, {name} has {stop}"
                raise BoardError(source, body[stop][0], 1, what)
            found[name] = number + 1, grid(body, rows, columns, alphabets[name], source)
            at += 1 + rows
            rest = lines[at:]
            if rest and not _ends(rest[0][1]):
                no_more_rows(rest, rows, columns, source)
    return found


def _ends(row: str) -> bool:
    """Whether ``row`` cannot belong to a grid: a blank line, or the name of a section."""
    return not row.strip() or row.startswith("[")
