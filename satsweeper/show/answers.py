"""Answers in a terminal, legible without colour: odds, explanations, advice, game files."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.text import Text

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Explanation
from satsweeper.board.codes import FLAG, MAX_CLUE
from satsweeper.board.planes import indices
from satsweeper.board.size import size_text
from satsweeper.count.odds import Odds, digits, fraction
from satsweeper.show.sentences import NAMED, named
from satsweeper.show.terminal import console_for, draw_for, print_lines

if TYPE_CHECKING:
    from satsweeper.play.choice import Advice, Choice
    from satsweeper.play.game_file import GameFile, Guess

# Odds in a terminal: a heat map that is read without colour, and the safest guesses.

_APART: Final = 12
"""The most different chances that a summary lists one by one."""

MAPPED: Final = 10_000
"""The most cells of a board whose map is drawn, unless every cell is asked for."""

_LONGEST: Final = 40
"""The most digits of a fraction, or of a number of layouts, that are written out."""

_CERTAIN: Final = {Fraction(0): "safe", Fraction(1): "a mine"}
_CERTAIN_STYLE: Final = {Fraction(0): "bold green", Fraction(1): "bold red"}
_CELL: Final = 3
"""The width of a cell of the map."""
_HEAT: Final = ((0.1, "green"), (0.25, "yellow"), (0.5, "dark_orange"), (1.0, "red"))

_LEGEND: Final = "07 chance of a mine in percent   S safe   M mine   F flag   0-8 clue"


def show_odds(found: Odds, console: Console | None = None, *, every: bool = False) -> None:
    """Print a heat map, the safest guesses, the interior's odds and the number of layouts.

    A board wider than the terminal is printed in stretches of columns, one below the other. Of a
    board of more than ``MAPPED`` cells there is no map: how many cells have each chance.
    ``every``: the map in any case, and a line for each covered cell, row by row.
    """
    console = console or console_for()
    columns = found.position.columns
    if found.position.rows * columns > MAPPED and not every:
        print_lines(console, *odds_summary(found), *odds_sentences(found))
        return
    margin = len(str(found.position.rows - 1)) + 1
    fit = max((console.width - margin) // _CELL, 1) if console.is_terminal else columns
    for start in range(0, columns, fit):
        print_lines(console, odds_map(found, range(start, min(start + fit, columns))))
    print_lines(console, _LEGEND, *odds_sentences(found))
    if every:
        said = {id(one): _CERTAIN.get(one) or _said(one) for one in found.distinct()}
        cells = (f"{cell}: {said[id(chance)]}" for cell, chance in found.mine.items())
        print_lines(console, "\n".join(cells))


def percent(chance: Fraction) -> str:
    """The chance in percent, two digits; S and M stand for certain cells alone.

    >>> [percent(Fraction(n, 1000)) for n in (0, 1, 74, 999, 1000)]
    ['S', '01', '07', '99', 'M']
    """
    if chance in (0, 1):
        return "M" if chance else "S"
    return f"{min(max(round(chance * 100), 1), 99):02}"


def odds_map(found: Odds, across: range) -> Text:
    """The chances of a stretch of columns, in percent, with numbered rows and columns."""
    margin = len(str(found.position.rows - 1)) + 1
    codes, geometry = found.position.padded, found.position.geometry
    # Few chances differ, and arithmetic with fractions takes its time.
    shown = {}
    for one in found.distinct():
        style = _CERTAIN_STYLE.get(one) or next(style for most, style in _HEAT if one <= most)
        shown[id(one)] = f"{percent(one):>{_CELL}}", style
    opened = {code: (f"{code:>{_CELL}}", "dim") for code in range(MAX_CLUE + 1)}
    opened[FLAG & 255] = (f"{'F':>{_CELL}}", "magenta")
    text = Text(no_wrap=True, overflow="ignore")
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
    """Count the covered cells at each chance, or in each tenth of many chances, in lines."""
    held = Counter(map(id, found.by_index.values()))
    many: Counter[Fraction] = Counter()
    for one in found.distinct():
        # Equal chances of several regions are several objects.
        many[one] += held[id(one)]
    cells: Counter[str] = Counter()
    for chance in sorted(many):
        said = _CERTAIN.get(chance)
        if said is None and len(many) <= _APART:
            said = _said(chance)
        elif said is None:
            tenth = 10 * math.floor(10 * chance)
            said = f"a mine with {tenth} to {tenth + 10}%"
        cells[said] += many[chance]
    size = size_text(found.position.rows, found.position.columns)
    covered = f"{counted(len(found.by_index), 'covered cell')} with {counted(len(many), 'chance')}"
    lines = [f"{size}: {covered}; --all draws the map and lists every cell."]
    width = len(str(max(cells.values(), default=0)))
    lines += [f"{number:{width}}  {chance}" for chance, number in cells.items()]
    if len(many) > _APART:
        between = [chance for chance in many if chance not in _CERTAIN]
        ends = f"{float(min(between)):.4%} and at most {float(max(between)):.4%}"
        lines.append(f"A cell that is not certain is a mine with at least {ends}.")
    return lines


def odds_sentences(found: Odds) -> list[str]:
    """Lines about the safest guesses, the odds of the interior, and the number of layouts."""
    lines = []
    safest = found.safest()
    if safest:
        chance = found.by_index[found.position.geometry.index(safest[0])]
        head = "Safe" if not chance else "Safest guesses" if len(safest) > 1 else "Safest guess"
        said = f"{head}: {named(safest)}" + (f"; {_said(chance)}." if chance else ".")
        lines.append("Every covered cell is a mine." if chance == 1 else said)
    if found.interior is not None:
        cells = f"{counted(found.interior_cells, 'cell')} that no clue touches"
        lines.append(f"Interior, {cells}: {_said(found.interior)}.")
    number_of = digits(found.solutions)
    if len(number_of) > _LONGEST:
        number_of = f"{number_of[0]}.{number_of[1:4]}... x 10^{len(number_of) - 1}"
    mode = ", all equally likely"
    if found.density is not None:
        mode = f", weighted by a density of {found.density}"
    lines.append(f"{number_of} layout{'s' * (found.solutions != 1)}{mode}.")
    return lines


def _said(chance: Fraction) -> str:
    short = f"{float(chance):.4%}"
    text = str(chance) if chance.denominator.bit_length() < 3 * _LONGEST else ""
    return f"a mine with {text} = {short}" if text and chance else f"a mine with {short}"


# An explanation in a terminal: the clues on the board, or two layouts; legible without colour.


def show_explanation(
    explanation: Explanation, result: Classification, console: Console | None = None
) -> None:
    """Print the reason for a verdict, with the cell and its clues in brackets on the board.

    Args:
        explanation: what to show.
        result: the classification of the same position.
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


# Advice in words: the certain cells, or the best guess, the reason, and the values to expect.

_LONGEST_FRACTION: Final = 20
"""The most characters of a fraction that is written out."""

_LATER: Final = "The total is unknown; a guess needs it: --mines N."


def advice_text(advice: Advice) -> str:
    """The advice in some lines, for a person."""
    if advice.certain:
        later = "" if advice.position.mines is not None else f"\n{_LATER}"
        return f"Open what holds no mine: {named(advice.certain)}.{later}"
    if not advice.choices:
        return "Nothing is left to open: the game is won."
    best = advice.choices[0]
    lines = [f"No cell is certain. Guess {best.cell}: {_choice_text(best)}."]
    others = advice.choices[1:NAMED]
    if others:
        lines.append("Instead of it:")
        lines += [f"  {choice.cell}: {_choice_text(choice)}" for choice in others]
    if best.win is None:
        lines.append(f"The order is that of {advice.strategy}; the chance to win is not known.")
    return "\n".join(lines)


def _choice_text(choice: Choice) -> str:
    parts = [f"free with {_share(choice.safe)}"]
    if choice.win is not None:
        parts.append(f"the best play wins {_share(choice.win)}")
    if choice.next_safe is not None and choice.progress is not None:
        parts.append(f"this move and the next are safe with {100 * choice.next_safe:.1f} %")
        parts.append(f"a cell is certain then with {100 * choice.progress:.1f} %")
    return ", ".join(parts)


def _share(share: Fraction) -> str:
    exact = fraction(share)
    percent = f"{100 * float(share):.1f} %"
    return f"{exact} ({percent})" if "/" in exact and len(exact) <= _LONGEST_FRACTION else percent


SCHEMA: Final = "satsweeper/game/1"


def sentence(game: GameFile, before: GameFile | None = None, guess: Guess | None = None) -> str:
    """The changes since ``before`` (None for a new game), and the status of the game."""
    done = [f"new game, seed {game.text.record.seed}"] if before is None else []
    if guess is not None:
        row, column = guess.cell
        risk = "" if guess.chance is None else f", a mine with {percent(guess.chance)} %"
        done.append(f"nothing is certain: guessed {row},{column}{risk}")
    for verb, number, noun in _changes(game, before):
        if number and before is not None:
            done.append(f"{verb} {counted(number, noun)}")
    left = counted(_mines_left(game), "mine")
    return f"{', '.join(done) or 'nothing to do'}; {_status(game)}, {left} left"


def as_json(
    game: GameFile, before: GameFile | None = None, guess: Guess | None = None
) -> dict[str, Any]:
    """The same as the object that ``game --json`` prints.

    In ``grid`` a cell is ``0``-``8``, ``?`` covered, ``F`` a flag or ``*`` an exploded mine.
    """
    geometry = game.layout.geometry
    guessed: dict[str, Any] | None = None
    if guess is not None:
        guessed = {"cell": list(guess.cell)}
        if guess.chance is not None:
            guessed |= {"mine": str(guess.chance), "value": float(guess.chance)}
    return {
        "schema": SCHEMA,
        "rows": geometry.rows,
        "columns": geometry.columns,
        "mines": game.layout.mines.bit_count(),
        "mines_left": _mines_left(game),
        "seed": game.text.record.seed,
        "status": _status(game),
        "done": {verb: number for verb, number, _ in _changes(game, before)},
        "guess": guessed,
        "exploded": [list(geometry.cell(i)) for i in indices(game.exploded, geometry.size)],
        "grid": [row.translate(str.maketrans(" .!", "0?F")) for row in game.rows],
    }


def _status(game: GameFile) -> str:
    return "won" if game.won else "lost" if game.exploded else "in play"


def _mines_left(game: GameFile) -> int:
    return game.layout.mines.bit_count() - (game.flags | game.exploded).bit_count()


def _changes(game: GameFile, before: GameFile | None) -> list[tuple[str, int, str]]:
    """The changes: a verb, a number, and a noun each."""
    opened, exploded, flags, chosen = game.opened, game.exploded, game.flags, game.chosen
    unflagged = 0
    if before is not None:
        opened, exploded = opened & ~before.opened, exploded & ~before.exploded
        flags, unflagged = flags & ~before.flags, before.flags & ~flags
        chosen &= ~before.chosen
    return [
        ("opened", opened.bit_count(), "cell"),
        ("hit", exploded.bit_count(), "mine"),
        ("flagged", flags.bit_count(), "mine"),
        ("unflagged", unflagged.bit_count(), "cell"),
        ("chose", chosen.bit_count(), "cell"),
    ]
