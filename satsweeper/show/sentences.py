"""Sentences and lines that need no terminal: chances, conflicts, families, boards, advice."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from textwrap import fill
from typing import TYPE_CHECKING, Final

from pbcnf.wording import counted
from satsweeper.show.letters import WORDS as WORDS

if TYPE_CHECKING:
    from satsweeper.answers.classification import Classification
    from satsweeper.families.table import Family
    from satsweeper.play.choice import Advice, Choice
    from satsweeper.play.generation.board import GeneratedBoard

CHANCE: Final = "chance of a mine in percent"
CHANCE_LEGEND: Final = "   ".join(
    [f"07 {CHANCE}", *(f"{letter} {WORDS[letter]}" for letter in "SMF")]
)
"""The legend of chances in a terminal."""
NAMED: Final = 12
"""The most cells that a sentence names; on a board all of them are marked."""
_WIDTH: Final = 90
_EVEN: Final = "all layouts that the first click allows are equally likely"
_MOVED: Final = "layouts are not equally likely: mines are moved where a guess would be needed"
_WINDOWS: Final = "layouts are not equally likely: a mine at the first click moves to the top left"


def named(cells: Sequence[Hashable], most: int = NAMED) -> str:
    """The first ``most`` cells in words, and how many more there are.

    >>> named([(0, 1), (2, 3)], most=1)
    '(0, 1) and 1 more'
    """
    rest = f" and {len(cells) - most} more" if len(cells) > most else ""
    return ", ".join(map(str, cells[:most])) + rest


def percent(chance: Fraction) -> str:
    """A chance in percent, for people; 0 % and 100 % are printed for certain cells only.

    >>> [percent(Fraction(n, 1000)) for n in (0, 1, 123, 500, 1000)]
    ['0 %', '0.1 %', '12.3 %', '50 %', '100 %']
    >>> percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('less than 0.1 %', 'more than 99.9 %')
    """
    if 0 < chance < Fraction(1, 2000):
        return "less than 0.1 %"
    if Fraction(1999, 2000) < chance < 1:
        return "more than 99.9 %"
    return f"{float(round(chance * 100, 1)):g} %"


def short_percent(chance: Fraction) -> str:
    """The chance in percent, two digits; S and M stand for certain cells only.

    >>> [short_percent(Fraction(n, 1000)) for n in (0, 1, 74, 999, 1000)]
    ['S', '01', '07', '99', 'M']
    """
    if chance in (0, 1):
        return "M" if chance else "S"
    return f"{min(max(round(chance * 100), 1), 99):02}"


def clash_sentence(result: Classification) -> str:
    """Name the clues, flags and perhaps the total that contradict each other on a board."""
    clash = result.conflict
    if clash is None:
        return "No layout exists."
    parts = []
    for cells, one, many in ((clash.clues, "clue", "clues"), (clash.flags, "flag", "flags")):
        if cells:
            parts.append(f"the {one if len(cells) == 1 else many} at {named(cells)}")
    if clash.total:
        parts.append(f"the total of {counted(result.mines_total or 0, 'mine')}")
    alone = len(clash.clues) + len(clash.flags) + clash.total == 1
    verb = "cannot be met" if alone else "cannot all be met at once"
    idle = not clash.total and result.mines_total is not None
    total = "; the total plays no part" if idle else ""
    fewer = "" if clash.irreducible else "; fewer of these may be enough"
    return f"No layout exists: {' and '.join(parts)} {verb}{total}{fewer}."


def families_lines(families: Iterable[Family]) -> Iterator[str]:
    """Lines about families: a heading for each, and facts about its boards below."""
    for family in families:
        yield f"{family.name}: {family.of}, {family.status}"
        seed = "drawn by the seed" if family.seeded else "the seed changes nothing"
        goal = "certain cells proved by" if family.decided_by else "decided by"
        if not family.satisfiable:
            goal = "refuted by"
        elif family.goal != "decide":
            goal = "optimum proved by"
        for line in (
            f"size n: {family.size}, {family.sizes_in_words}; {seed}",
            f"why: {family.why}",
            f"{goal}: {' or '.join(family.decided_by) or 'search'}",
            f"grows: {family.grows}",
        ):
            yield fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ")


def generated_sentence(board: GeneratedBoard) -> str:
    """The settings of a generated board, and how often its proof needs the total."""
    row, column = board.start
    said = f"{board.board}, first click {row},{column} ({board.first_click}), seed {board.seed}"
    if board.number:
        said += f", board {board.number}"
    if board.moves is None:
        return said
    needed = sum(move.total for move in board.moves)
    total = f"the total is needed for {needed}" if needed else "the total is never needed"
    return f"{said}: no guess, {counted(len(board.moves), 'move')}, {total}"


def generated_lines(board: GeneratedBoard) -> list[str]:
    """The sentence about a board, the distribution of layouts, the layout, and its game ID."""
    from satsweeper.notation.error import CannotHoldError
    from satsweeper.notation.formats import write_record

    spread = _EVEN if board.uniform else _WINDOWS if board.moves is None else _MOVED
    shown = [generated_sentence(board), spread, *board.rows]
    # A board that is too large for a game ID gets no such line.
    with suppress(CannotHoldError):
        shown.append(write_record(board.record("tatham"), "tatham").decode("ascii").strip())
    return shown


# Advice: the certain cells, or the best guess with its chances, and other choices.

_LONGEST_FRACTION: Final = 20
"""The most characters of a fraction that is printed beside the percentage."""

_LATER: Final = "The total is unknown; a guess needs it: --mines N."


def advice_text(advice: Advice) -> str:
    """The advice as lines of text for a person."""
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
    from satsweeper.count.odds import fraction

    exact = fraction(share)
    percent = f"{100 * float(share):.1f} %"
    return f"{exact} ({percent})" if "/" in exact and len(exact) <= _LONGEST_FRACTION else percent
