"""A description as a document: sections of paragraphs, pictures and tables, in no format yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pbcnf.wording import are, counted
from satsweeper.competition.choice import Wish
from satsweeper.competition.description.boards import BOARDS
from satsweeper.competition.description.problems import PROBLEMS
from satsweeper.competition.files import stem
from satsweeper.competition.measurement import Measurement
from satsweeper.competition.measuring import Bar
from satsweeper.competition.series import series_of
from satsweeper.competition.tables import HEADS, row
from satsweeper.families.family import Family
from satsweeper.position import Position
from satsweeper.report.table import Table

_WIDEST: Final = 40
"""Columns of a picture."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines of text, and what they show."""

    lines: tuple[str, ...]
    caption: str


Block = str | Picture | Table
"""A text is a paragraph, with the markup of ``Text``."""


@dataclass(frozen=True, slots=True)
class Document:
    """A title, an abstract, and sections: their heads and blocks."""

    title: str
    abstract: str
    sections: tuple[tuple[str, tuple[Block, ...]], ...]


_MINESWEEPER: Final = (
    "A Minesweeper board shows clues in some cells, while others are covered; a clue is the number"
    " of mines among its up to eight neighbours. Whether any layout of mines meets all clues is"
    " NP-complete [@kaye2000], and to prove that a cell is safe or a mine is coNP-complete"
    " [@mit2024]. With a variable for every covered cell, true for a mine, each clue is a"
    " cardinality constraint: exactly $k$ of at most 8."
)
_NO_BOARD: Final = (
    "The instances are problems of cardinality constraints alone, each of them at least $l$ and at"
    " most $u$ of $n$ literals, as the clues of Minesweeper boards are, which the other families of"
    " this entry are made of [@kaye2000]."
)
_DIRECT: Final = (
    'Clues are encoded directly: "exactly $k$ of $n$" becomes all clauses of $k + 1$ negative and'
    " of $n - k + 1$ positive literals, at most 112 of them for 8 neighbours. There are no"
    " auxiliary variables, unit propagation on a clue is complete, and models of the formula are"
    " exactly the layouts. Cells that no clue counts have no variable, and no clause is there"
    " twice."
)
_BY_SIZE: Final = (
    "Each constraint is encoded by an encoder chosen by its size; the name map tells which"
    " auxiliary variables belong to which constraint, and which encoder made them. All variables of"
    " the constraints come first, in the order of the name map."
)
_OPB: Final = (
    "Constraints are written in OPB as they are, one line for a bound, or one with `=` where both"
    " are the same; the first line tells the numbers of variables, constraints and equations. For"
    " the measurements they were encoded as clauses."
)


def document(family: Family, wish: Wish, bar: Bar, entry: Sequence[Measurement]) -> Document:
    """The description of a family: of those instances of the entry that belong to it."""
    board = family.of == "board"
    text = (BOARDS if board else PROBLEMS)[family.name]
    known = series_of(wish.track)
    mine = [each for each in entry if known[each.job.series].family is family]
    sections: list[tuple[str, tuple[Block, ...]]] = [
        ("Origin", (_MINESWEEPER if board else _NO_BOARD,)),
        ("Construction", (*text.made, *_picture(family))),
        ("The expected answer", text.answer),
        ("Why it is hard", text.hardness),
        ("Encoding", (_DIRECT if board else _BY_SIZE, *([_OPB] if wish.track == "pb" else []))),
        ("Measurements", (_measured(bar, mine), _table(wish.track, mine))),
        ("Reproduction", _reproduction(family, mine)),
    ]
    return Document(text.title, _abstract(family, mine), tuple(sections))


def _abstract(family: Family, mine: Sequence[Measurement]) -> str:
    hard = sum(each.grade == "hard" for each in mine)
    return (
        f"The family `{family.name}` has members of every size ({family.size}), whose answer is"
        f" known by an argument: {family.why}. {counted(len(mine), 'instance')} of it"
        f" {are(len(mine))} in this entry; the stronger of two solvers alone solved {hard}."
    )


def _picture(family: Family) -> list[Block]:
    size = family.small[-1]
    made = family.instance(size)
    if not isinstance(made, Position) or made.columns > _WIDEST:
        smaller = [n for n in family.small if isinstance(family.instance(n), Position)]
        made = family.instance(smaller[0]) if smaller else made
        size = smaller[0] if smaller else size
    if not isinstance(made, Position):
        return []
    lines = tuple(made.text().splitlines()[1:])
    return [Picture(lines, f"size {size}; ? is a covered cell, F a given mine, digits are clues")]


def _measured(bar: Bar, mine: Sequence[Measurement]) -> str:
    if bar.track == "counting":
        return (
            "The weak counter finds models with MiniSat [@een2003] through PySAT [@ignatiev2018]"
            f" and forbids each by a clause, for {bar.weak_seconds:g} s of CPU time; the strong one"
            f" eliminates cells one by one, for {bar.strong_seconds:g} s. Where both had a count it"
            " was the same."
        )
    sums = sorted({each.sums for each in mine if each.sums})
    words = f" Sums of constraints refute them, too: {', '.join(sums)}." if sums else ""
    models = any(each.model for each in mine)
    checked = " Models were checked against clauses and constraints." if models else ""
    return (
        f"Every instance was given to MiniSat 2.2 [@een2003] through PySAT [@ignatiev2018] for"
        f" {bar.weak_seconds:g} s of CPU time, and to `{bar.strong}` for {bar.strong_seconds:g} s"
        f" if MiniSat had no answer by then. Loading counts. No answer contradicts the"
        f" argument.{checked}{words}"
    )


def _table(track: str, mine: Sequence[Measurement]) -> Table:
    rows = tuple(row(track, each) for each in mine)
    return Table("CPU seconds of the weak and the strong solver", HEADS[track], rows)


def _reproduction(family: Family, mine: Sequence[Measurement]) -> tuple[Block, ...]:
    first = mine[0].job
    command = f"satsweeper family {family.name} --size {first.size} --seed {first.seed}"
    asked = any(each.job.series != family.name for each in mine)
    more = (
        " A question is that board with one more unit constraint, as its comments say."
        if asked
        else ""
    )
    return (
        f"A file is called by its family, its size $n$ and its seed: `{stem(mine[0])}`. The command"
        f" `{command}` writes the board or the constraints again, on every machine the same.{more}",
    )
