"""MPS, the oldest format of linear programs: the reader, for linear problems over 0/1 variables.

Read is the free form, and the fixed form where no name has a space: rows, whose
decimals are taken as in `pbcnf.formats.read.lp`, ranges, one objective, and columns that are binary
(``BV``) or integer with bounds within 0 and 1. An integer column without bounds is read as 0/1,
with a note, because programs disagree on its domain. Everything else in the format is refused, with
its place.

Reference: see `pbcnf.formats.write.mps`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, Final, NamedTuple

from pbcnf.constraints.problem import Problem
from pbcnf.formats.binary_program import BinaryProgram, Linear, Number, Place, shown
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import text_lines
from pbcnf.wording import counted

_WORD: Final = re.compile(r"\S+", re.ASCII)
_SENSES: Final = {"MAX": True, "MAXIMIZE": True, "MIN": False, "MINIMIZE": False}


class _Word(NamedTuple):
    text: str
    place: Place


@dataclass(slots=True)
class _State:
    """The content of the lines read so far."""

    problem: BinaryProgram
    kinds: dict[str, str] = field(default_factory=dict)
    """Row name to N, E, L or G."""
    rows: dict[str, Linear] = field(default_factory=dict)
    terms: dict[str, dict[str, Number]] = field(default_factory=dict)
    """Row name, or name of the objective, to weights by column."""
    objective: str | None = None
    integer: bool = False
    """Whether the current columns are between the markers INTORG and INTEND."""
    integers: set[str] = field(default_factory=set)
    last_column: str | None = None
    sides: dict[str, Number] = field(default_factory=dict)
    ranges: dict[str, Number] = field(default_factory=dict)
    lower: dict[str, int] = field(default_factory=dict)
    upper: dict[str, int] = field(default_factory=dict)
    entered: set[str] = field(default_factory=set)
    """The sections that have begun."""

    def error(self, word: _Word, message: str) -> FormatError:
        """Return the error at a word."""
        return self.problem.error(word.place, message)


def read_mps(stream: IO[bytes], source: str, notes: list[FormatError] | None = None) -> Problem:
    """Read an MPS file, compressed or not; `source` names it in errors.

    The variables are numbered in the order of the columns. A bound that fixes a variable becomes a
    constraint. Integer columns without any bound are 0/1, as in CPLEX and HiGHS; `notes` gets a
    line about such columns, because lp_solve reads them as integers from 0 upwards.

    Raises FormatError, with line and column, for unsupported input, and OSError.
    """
    state = _State(BinaryProgram(source))
    section, number = "", 0
    plain = _plain_columns(state)
    for number, raw in enumerate(text_lines(stream, source, comments=b"*"), start=1):
        if section == "COLUMNS" and plain(raw, number):
            continue
        line = raw.decode("latin-1")
        words = [_Word(match[0], (number, match.start() + 1)) for match in _WORD.finditer(line)]
        for at, word in enumerate(words[2:], start=2):
            # From the third word on, a word with $ in front begins a comment, unless the word is
            # the name of a row or a column.
            named = word.text in state.kinds or word.text in state.problem.seen
            if word.text.startswith("$") and not named:
                del words[at:]
                break
        if not words or line.startswith("*"):
            continue
        if section == "ENDATA":
            raise state.error(words[0], f"'{shown(words[0].text)}' after ENDATA")
        if line[0] not in " \t":
            section = _entered(state, section, words)
        elif section in _READERS:
            _READERS[section](state, words)
        else:
            message = "no data belong here: a section such as ROWS must come before them"
            raise state.error(words[0], message)
    if section != "ENDATA":
        raise state.problem.error((number or 1, 1), "no ENDATA: the file may be cut off")
    return _problem(state, [] if notes is None else notes)


def _entered(state: _State, before: str, words: list[_Word]) -> str:
    """Return the section that a line begins."""
    section = words[0].text.upper()
    if section not in _SECTIONS:
        raise state.error(words[0], f"a section '{shown(words[0].text)}' is not read")
    if section in state.entered:
        raise state.error(words[0], f"a second {section}")
    state.entered.add(section)
    order = list(_SECTIONS)
    # Some programs write the sense before the name.
    named_late = (before, section) == ("OBJSENSE", "NAME")
    if before and order.index(section) < order.index(before) and not named_late:
        raise state.error(words[0], f"{section} after {before}")
    if order.index(section) > order.index("ROWS") and not state.kinds:
        raise state.error(words[0], f"{section} before any row")
    if section == "OBJSENSE" and len(words) > 1:
        _sense(state, words[1:])
    elif section != "NAME" and len(words) > 1:
        raise state.error(words[1], f"'{shown(words[1].text)}' after {section}")
    return section


def _sense(state: _State, words: list[_Word]) -> None:
    sense = _SENSES.get(words[0].text.upper())
    if sense is None or len(words) > 1:
        raise state.error(words[0], f"'{shown(words[0].text)}' where MAX or MIN is needed")
    state.problem.maximise = sense


def _row(state: _State, words: list[_Word]) -> None:
    kind = words[0].text.upper()
    if kind not in ("N", "E", "L", "G") or len(words) != 2:
        blanks = "; names with blanks are not read" if len(words) > 2 else ""
        raise state.error(words[0], f"a row is N, E, L or G and a name{blanks}")
    name = words[1].text
    if name in state.kinds:
        raise state.error(words[1], f"a second row {shown(name)}")
    state.kinds[name] = kind
    if kind != "N":
        state.terms[name] = {}
        state.rows[name] = Linear(state.terms[name])
    elif state.objective is None:
        state.objective = name
        state.terms[name] = state.problem.objective
    else:
        raise state.error(words[0], "a second row without bounds: one objective is read")


def _column(state: _State, words: list[_Word]) -> None:
    if len(words) > 1 and words[1].text.strip("'") == "MARKER":
        marker = words[2].text.strip("'") if len(words) == 3 else ""
        if marker not in ("INTORG", "INTEND") or state.integer is (marker == "INTORG"):
            raise state.error(words[-1], "a marker is INTORG, and then INTEND")
        state.integer = marker == "INTORG"
        return
    name = words[0].text
    if name != state.last_column:
        if name in state.problem.seen:
            raise state.error(words[0], f"column {shown(name)} in two places")
        state.problem.seen[name] = words[0].place
        if state.integer:
            state.integers.add(name)
    state.last_column = name
    for row, word, value in _pairs(state, words, 1):
        if name in state.terms[row]:
            raise state.error(word, f"a second weight of {shown(name)} in row {shown(row)}")
        state.terms[row][name] = value


def _plain_columns(state: _State) -> Callable[[bytes, int], bool]:
    """Return a function that reads a line of one or two weights, if nothing about it is unusual.

    It returns False, and has changed nothing, if something is. Nearly all lines of a large file are
    plain: they are read several times as fast.
    """
    rows, seen, value_of = state.terms.get, state.problem.seen, state.problem.value
    values = state.problem.values.get

    def read(raw: bytes, number: int) -> bool:
        if raw[0] not in b" \t" or not raw.isascii() or b"$" in raw:
            return False
        line = raw.decode("ascii")
        words = line.split()
        if len(words) == 5:
            name, row, weight, other, more = words
        elif len(words) == 3:
            name, row, weight = other, _, more = words
        else:
            return False
        # Of one weight `other` is the name of the column, and stands for no row.
        first, second = rows(row), rows(row if len(words) == 3 else other)
        value, last = values(weight) or value_of(weight), values(more) or value_of(more)
        if first is None or second is None or value is None or last is None:
            return False
        new = name != state.last_column
        if name in first or name in second or (row == other) or (new and name in seen):
            return False
        if new:
            seen[name] = number, line.index(name) + 1
            state.last_column = name
            if state.integer:
                state.integers.add(name)
        first[name], second[name] = value, last
        return True

    return read


def _range(state: _State, words: list[_Word]) -> None:
    _collect(state, words, state.ranges)
    for word in words:
        if word.text == state.objective and word.text in state.ranges:
            raise state.error(word, "the objective has no range")


def _collect(state: _State, words: list[_Word], found: dict[str, Number]) -> None:
    """Read pairs of row and value, after an optional name of the vector."""
    for row, word, value in _pairs(state, words, len(words) % 2):
        if row in found:
            raise state.error(word, f"a second value for row {shown(row)}")
        found[row] = value


def _pairs(state: _State, words: list[_Word], first: int) -> list[tuple[str, _Word, Number]]:
    """Return row name, row and value of each pair from the word `first` on."""
    if len(words) == first or (len(words) - first) % 2:
        raise state.error(words[-1], "a row and a value belong together")
    found = []
    for row, value in zip(words[first::2], words[first + 1 :: 2], strict=True):
        if row.text not in state.kinds:
            raise state.error(row, f"row {shown(row.text)} is not among the ROWS")
        found.append((row.text, row, state.problem.number(value.text, value.place)))
    return found


def _bound(state: _State, words: list[_Word]) -> None:
    kind = words[0].text.upper()
    if kind not in ("BV", "UP", "LO", "FX", "UI", "LI"):
        raise state.error(words[0], f"a bound '{shown(words[0].text)}' is not read: only 0/1 is")
    # The name of the set of bounds may be missing; BV may have a value, which has no meaning.
    fewest = 2 if kind == "BV" else 3
    if not fewest <= len(words) <= 4:
        raise state.error(words[0], f"a bound {kind} has a column" + " and a value" * (fewest - 2))
    at = 1 if len(words) == fewest else 2
    column = words[at].text
    if column not in state.problem.seen:
        raise state.error(words[at], f"column {shown(column)} is not among the COLUMNS")
    if kind == "BV":
        state.integers.add(column)
        state.lower[column], state.upper[column] = 0, 1
        return
    given = words[at + 1]
    exact = state.problem.number(given.text, given.place)
    if exact.denominator != 1:
        raise state.error(given, f"{shown(given.text)} is no integer: it bounds a 0/1 variable")
    value = exact.numerator
    if not 0 <= value <= 1:
        raise state.error(given, f"a bound {shown(given.text)}: only 0/1 is read")
    if kind in ("UI", "LI"):
        state.integers.add(column)
    if kind not in ("UP", "UI"):
        state.lower[column] = value
    if kind not in ("LO", "LI"):
        state.upper[column] = value


def _problem(state: _State, notes: list[FormatError]) -> Problem:
    problem = state.problem
    domains = {}
    unbounded = []
    for name, place in problem.seen.items():
        if name not in state.integers:
            message = f"column {shown(name)} is not integer with bounds 0 and 1"
            raise problem.error(place, message)
        if name not in state.upper and name in state.lower:
            message = f"column {shown(name)} has a lower bound and no upper one: only 0/1 is read"
            raise problem.error(place, message)
        if name not in state.upper:
            unbounded.append(name)
        domains[name] = state.lower.get(name, 0), state.upper.get(name, 1)
    for name, content in state.rows.items():
        kind, side, width = state.kinds[name], state.sides.get(name, 0), state.ranges.get(name)
        content.lower = None if kind == "L" else side
        content.upper = None if kind == "G" else side
        # With a range R, row L is side - |R| .. side, row G side .. side + |R|, and row E side + R
        # .. side if R < 0, or else side .. side + R.
        if width is not None and (kind == "L" or (kind == "E" and width < 0)):
            content.lower = side - max(width, -width)
        elif width is not None:
            content.upper = side + max(width, -width)
        problem.rows.append(content)
    if unbounded:
        message = (
            f"{counted(len(unbounded), 'integer column')} without bounds, {shown(unbounded[0])}"
            " first: read as 0/1, as CPLEX and HiGHS do (lp_solve: 0 or more)"
        )
        notes.append(problem.error(problem.seen[unbounded[0]], message))
    # In section RHS, the row of the objective has the negated constant.
    if state.objective is not None:
        problem.constant = -state.sides.get(state.objective, 0)
    return problem.numbered(domains, list(domains))


_READERS: Final[dict[str, Callable[[_State, list[_Word]], None]]] = {
    "OBJSENSE": _sense,
    "ROWS": _row,
    "COLUMNS": _column,
    "RHS": lambda state, words: _collect(state, words, state.sides),
    "RANGES": _range,
    "BOUNDS": _bound,
}
_SECTIONS: Final = ("NAME", *_READERS, "ENDATA")
