"""Advice in words: the certain cells, or the best guess, the reason, and the values to expect."""

from fractions import Fraction
from typing import Final

from satsweeper.count.odds import fraction
from satsweeper.play.choice import Advice, Choice
from satsweeper.show.sentences import NAMED, named

_LONGEST: Final = 20
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
    lines = [f"No cell is certain. Guess {best.cell}: {_said(best)}."]
    others = advice.choices[1:NAMED]
    if others:
        lines.append("Instead of it:")
        lines += [f"  {choice.cell}: {_said(choice)}" for choice in others]
    if best.win is None:
        lines.append(f"The order is that of {advice.strategy}; the chance to win is not known.")
    return "\n".join(lines)


def _said(choice: Choice) -> str:
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
    return f"{exact} ({percent})" if "/" in exact and len(exact) <= _LONGEST else percent
