"""Answers in a terminal, legible without colour: odds, explanations, game files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Explanation
from satsweeper.board.codes import FLAG, MAX_CLUE, Cell
from satsweeper.board.planes import indices
from satsweeper.board.size import size_text
from satsweeper.count.odds import Odds, digits
from satsweeper.show.palette import STYLES, heat
from satsweeper.show.sentences import CHANCE_LEGEND, named, short_percent
from satsweeper.show.terminal import (
    PlainConsole,
    PlainText,
    console_for,
    draw_for,
    empty_text,
    is_plain,
    print_lines,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from satsweeper.play.game_file import GameFile, Guess
    from satsweeper.puzzle.odds.odds import PuzzleOdds
    from satsweeper.puzzle.play.game import PuzzleGame, PuzzleGuess

# Odds in a terminal: a map of chances that is legible without colour, and the safest guesses.

_APART: Final = 12
"""The most different chances that a summary lists one by one."""

MAPPED: Final = 10_000
"""The most cells of a board whose map is printed without ``every``."""

_LONGEST: Final = 40
"""The most digits of a denominator, or of a number of layouts, that are written out."""

CERTAIN: Final = {Fraction(0): "safe", Fraction(1): "a mine"}
_CELL: Final = 3
"""The width of a cell of the map, in characters."""
_LEGEND: Final = f"{CHANCE_LEGEND}   0-8 clue"


def show_odds(
    found: Odds, console: Console | PlainConsole | None = None, *, every: bool = False
) -> None:
    """Print a heat map, the safest guesses, the interior's odds and the number of layouts.

    A board wider than the terminal is printed in stretches of columns, one below the other. For a
    board of more than ``MAPPED`` cells the number of cells at each chance replaces the map.
    ``every``: whether to print the map in any case, and a line for each covered cell, row by row.
    """
    console = console or console_for()
    columns = found.position.columns
    if found.position.rows * columns > MAPPED and not every:
        print_lines(console, *odds_summary(found), *odds_sentences(found))
        return
    margin = len(str(found.position.rows - 1)) + 1
    fit = max((console.width - margin) // _CELL, 1) if console.is_terminal else columns
    for start in range(0, columns, fit):
        across = range(start, min(start + fit, columns))
        print_lines(console, odds_map(found, across, plain=is_plain(console)))
    print_lines(console, _LEGEND, *odds_sentences(found))
    if every:
        # Equal chances of one region are one object: each is put into words once.
        words = {id(each): CERTAIN.get(each) or chance_words(each) for each in found.distinct()}
        cells = (f"{cell}: {words[id(chance)]}" for cell, chance in found.mine.items())
        print_lines(console, "\n".join(cells))


def percent(chance: Fraction) -> str:
    """The chance in percent, two digits; S and M stand for certain cells only."""
    return short_percent(chance)


def odds_map(found: Odds, across: range, *, plain: bool) -> Text | PlainText:
    """The chances of a stretch of columns, in percent, with numbered rows and columns.

    ``plain``: whether nothing has a style, so that rich is not needed.
    """
    margin = len(str(found.position.rows - 1)) + 1
    codes, geometry = found.position.padded, found.position.geometry
    # Arithmetic with fractions is slow, and few chances differ: format each chance once.
    shown = {}
    for each in found.distinct():
        shown[id(each)] = f"{percent(each):>{_CELL}}", heat(each)
    opened = {code: (f"{code:>{_CELL}}", "dim") for code in range(MAX_CLUE + 1)}
    opened[FLAG & 255] = (f"{'F':>{_CELL}}", STYLES["F"])
    text = empty_text(plain, wrapped=False)
    text.append(" " * margin + "".join(f"{column:>{_CELL}}" for column in across) + "\n", "dim")
    for row in range(found.position.rows):
        text.append(f"{row:>{margin - 1}} ", "dim")
        first = geometry.index((row, across.start))
        cells = []
        for index in range(first, first + len(across)):
            chance = found.by_index.get(index)
            cells.append(opened[codes[index]] if chance is None else shown[id(chance)])
        for style, run in groupby(cells, itemgetter(1)):
            text.append("".join([symbol for symbol, _ in run]), style)
        text.append("\n")
    text.rstrip()
    return text


def odds_summary(found: Odds) -> list[str]:
    """Lines with the number of covered cells at each chance.

    If there are more than ``_APART`` chances, a line has a range of ten percent.
    """
    held = Counter(map(id, found.by_index.values()))
    many: Counter[Fraction] = Counter()
    for each in found.distinct():
        # Equal chances of different regions are different objects, so their counts are added up.
        many[each] += held[id(each)]
    cells: Counter[str] = Counter()
    for chance in sorted(many):
        words = CERTAIN.get(chance)
        if words is None and len(many) <= _APART:
            words = chance_words(chance)
        elif words is None:
            tenth = 10 * math.floor(10 * chance)
            words = f"a mine with {tenth} to {tenth + 10}%"
        cells[words] += many[chance]
    size = size_text(found.position.rows, found.position.columns)
    covered = f"{counted(len(found.by_index), 'covered cell')} with {counted(len(many), 'chance')}"
    lines = [f"{size}: {covered}; --all draws the map and lists every cell."]
    width = len(str(max(cells.values(), default=0)))
    lines += [f"{number:{width}}  {chance}" for chance, number in cells.items()]
    if len(many) > _APART:
        between = [chance for chance in many if chance not in CERTAIN]
        ends = f"{_exact_percent(min(between))} and at most {_exact_percent(max(between))}"
        lines.append(f"A cell that is not certain is a mine with at least {ends}.")
    return lines


def odds_sentences(found: Odds | PuzzleOdds) -> list[str]:
    """Lines about the safest guesses, the odds of the interior, and the number of layouts."""
    lines = []
    safest = found.safest()
    if safest:
        chance = min(found.distinct())
        head = "Safe" if not chance else "Safest guesses" if len(safest) > 1 else "Safest guess"
        line = f"{head}: {named(safest)}" + (f"; {chance_words(chance)}." if chance else ".")
        lines.append("Every covered cell is a mine." if chance == 1 else line)
    if found.interior is not None:
        cells = f"{counted(found.interior_cells, 'cell')} that no clue touches"
        lines.append(f"Interior, {cells}: {chance_words(found.interior)}.")
    number_of = digits(found.solutions)
    if len(number_of) > _LONGEST:
        number_of = f"{number_of[0]}.{number_of[1:4]}... x 10^{len(number_of) - 1}"
    mode = ", all equally likely"
    if found.density is not None:
        mode = f", weighted by a density of {found.density}"
    lines.append(f"{number_of} layout{'s' * (found.solutions != 1)}{mode}.")
    return lines


def chance_words(chance: Fraction) -> str:
    """The chance as a fraction, unless its denominator is long, and in percent.

    >>> chance_words(Fraction(1, 8))
    'a mine with 1/8 = 12.5%'
    """
    short = _exact_percent(chance)
    text = str(chance) if chance.denominator.bit_length() < 3 * _LONGEST else ""
    return f"a mine with {text} = {short}" if text and chance else f"a mine with {short}"


def _exact_percent(chance: Fraction) -> str:
    """Up to four digits behind the point; 0% and 100% stand for certain cells only."""
    near = f"{float(chance):.4%}".rstrip("%").rstrip("0").rstrip(".") + "%"
    if 0 < chance < 1 and near in ("0%", "100%"):
        return "less than 0.0001%" if chance < Fraction(1, 2) else "more than 99.9999%"
    return near


# An explanation in a terminal: the board with the clues of the reason, or two layouts.


def show_explanation(
    explanation: Explanation,
    result: Classification,
    console: Console | PlainConsole | None = None,
) -> None:
    """Print the reason for a verdict, with the cell and its clues in brackets on the board.

    Args:
        explanation: the reason, or two layouts that differ in the cell.
        result: the classification of the same position.
        console: where to print; None for standard output.
    """
    console = console or console_for()
    reason = explanation.reason
    if reason is not None:
        marks = {explanation.cell, *reason.clues, *reason.flags}
        print_lines(console, draw_for(console, result.grid(), marks))
        needed = "the total was needed" if reason.total else "the total was not needed"
        clues = counted(len(reason.clues), "clue")
        flags = f" and {counted(len(reason.flags), 'flag')}" if reason.flags else ""
        fewer = "" if reason.irreducible else "; fewer of these may be enough"
        print_lines(console, "[ ] the cell, and what forces it", explanation.sentence)
        print_lines(console, f"{clues}{flags}; {needed}{fewer}.")
        return
    layouts = {"a mine": explanation.mine_layout, "safe": explanation.safe_layout}
    for verdict, layout in layouts.items():
        print_lines(console, f"a layout in which {explanation.cell} is {verdict}:")
        print_lines(console, draw_for(console, list(layout or ()), {explanation.cell}))
    print_lines(console, explanation.sentence)


# The result of a command on the file of a game: a line for a person, or an object for programs.

SCHEMA: Final = "satsweeper/game/1"


class _GameFacts(NamedTuple):
    """The facts in which files of games with and without rules differ.

    ``head``: the schema and the board, as in JSON. ``name``: the name of the cell with an index.
    ``percent``: a chance as the sentence has it.
    """

    head: dict[str, Any]
    seed: int | None
    status: str
    grid: list[Any]
    name: Callable[[int], Any]
    percent: Callable[[Fraction], str]


def _facts(game: GameFile | PuzzleGame) -> _GameFacts:
    from satsweeper.play.game_file import GameFile

    if isinstance(game, GameFile):
        geometry, mines = game.layout.geometry, game.layout.mines.bit_count()
        head = {"schema": SCHEMA, "rows": geometry.rows, "columns": geometry.columns}
        status = "won" if game.won else "lost" if game.exploded else "in play"
        grid = [row.translate(str.maketrans(" .!", "0?F")) for row in game.rows]
        return _GameFacts(
            head | {"mines": mines}, game.text.record.seed, status, grid,
            geometry.cell, lambda chance: f"{percent(chance)} %",
        )  # fmt: skip
    from satsweeper.puzzle.answers import rows_of
    from satsweeper.puzzle.headers import GAME
    from satsweeper.show.sentences import percent as long_percent

    puzzle, marks = game.puzzle, {"#": "?", "!": "F"}
    head = {
        "schema": GAME, "rows": puzzle.rows, "columns": puzzle.columns, "mines": puzzle.mines,
        "rules": list(puzzle.rules), "geometry": puzzle.geometry.name,
    }  # fmt: skip
    cells = rows_of(puzzle, [marks.get(each, each) for each in game.symbols])
    names = puzzle.geometry.cells
    return _GameFacts(head, game.seed, game.status, cells, names.__getitem__, long_percent)


def sentence(
    game: GameFile | PuzzleGame,
    before: GameFile | PuzzleGame | None = None,
    guess: Guess | PuzzleGuess | None = None,
) -> str:
    """The changes since ``before`` (None for a new game), and the status of the game."""
    facts = _facts(game)
    done = [f"new game, seed {facts.seed}"] if before is None else []
    if guess is not None:
        risk = "" if guess.chance is None else f", a mine with {facts.percent(guess.chance)}"
        name = _named(facts, guess.cell)
        place = ",".join(map(str, name)) if isinstance(name, list) else name
        done.append(f"nothing is certain: guessed {place}{risk}")
    for verb, number, noun in _changes(game, before):
        if number and before is not None:
            done.append(f"{verb} {counted(number, noun)}")
    left = counted(_mines_left(facts, game), "mine")
    return f"{', '.join(done) or 'nothing to do'}; {facts.status}, {left} left"


def as_json(
    game: GameFile | PuzzleGame,
    before: GameFile | PuzzleGame | None = None,
    guess: Guess | PuzzleGuess | None = None,
) -> dict[str, Any]:
    """The changes since ``before`` and the status, as the object that ``game --json`` prints.

    In ``grid`` a cell is a clue, ``?`` covered, ``F`` a flag or ``*`` an exploded mine.
    """
    facts = _facts(game)
    guessed: dict[str, Any] | None = None
    if guess is not None:
        guessed = {"cell": _named(facts, guess.cell)}
        if guess.chance is not None:
            guessed |= {"mine": str(guess.chance), "value": float(guess.chance)}
    return {
        **facts.head,
        "mines_left": _mines_left(facts, game),
        "seed": facts.seed,
        "status": facts.status,
        "done": {verb: number for verb, number, _ in _changes(game, before)},
        "guess": guessed,
        "exploded": [_named(facts, cell) for cell in sorted(_cells(game.exploded))],
        "grid": facts.grid,
    }


def _named(facts: _GameFacts, cell: int | Cell) -> Any:
    """The name of a cell, given by its index or itself; a list for coordinates, as in JSON."""
    name = facts.name(cell) if isinstance(cell, int) else cell
    return list(name) if isinstance(name, tuple) else name


def _cells(found: int | frozenset[int]) -> frozenset[int]:
    return frozenset(indices(found, found.bit_length())) if isinstance(found, int) else found


def _mines_left(facts: _GameFacts, game: GameFile | PuzzleGame) -> int:
    return (facts.head["mines"] or 0) - len(_cells(game.flags) | _cells(game.exploded))


def _changes(
    game: GameFile | PuzzleGame, before: GameFile | PuzzleGame | None
) -> list[tuple[str, int, str]]:
    """The changes since ``before``: for each kind, a verb, a number of cells, and a noun."""
    sets = ("opened", "exploded", "flags", "chosen")
    now = [_cells(getattr(game, name)) for name in sets]
    then = [frozenset() if before is None else _cells(getattr(before, name)) for name in sets]
    opened, hit, flagged, chose = (len(new - old) for new, old in zip(now, then, strict=True))
    return [
        ("opened", opened, "cell"), ("hit", hit, "mine"), ("flagged", flagged, "mine"),
        ("unflagged", len(then[2] - now[2]), "cell"), ("chose", chose, "cell"),
    ]  # fmt: skip
