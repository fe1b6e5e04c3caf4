"""Options that name the encoders of a problem's constraints."""

import argparse
from typing import TYPE_CHECKING, Final

from satsweeper.cli.exit_codes import usage_errors
from satsweeper.cli.options import adder, natural

if TYPE_CHECKING:
    from pbcnf.emission.whole_problems import Choices

KINDS: Final = {
    "at_most_one": "at-most-one constraints",
    "cardinality": "cardinality constraints",
    "pseudo_boolean": "pseudo-boolean constraints",
    "parity": "parities: direct, cut_3 to cut_8",
}
"""Field of ``Choices`` -> the kind of constraint that the option of this name is for."""

_MOST_CLAUSES: Final = 20_000_000


def add_encoders(parser: argparse.ArgumentParser) -> None:
    """Add the encoder of each kind of constraint, and the limit on clauses."""
    add = adder(parser)
    add("--encoding NAME", "encoder of every kind of constraint that it can do")
    for kind, of in KINDS.items():
        option = f"--{kind.replace('_', '-')}"
        add(f"{option} NAME", f"encoder of {of} (by size)")
    add(
        "--max-clauses N",
        f"refuse a constraint that would have more clauses ({_MOST_CLAUSES:,})",
        type=natural("number of clauses", 1),
        default=_MOST_CLAUSES,
    )


def choices_of(arguments: argparse.Namespace) -> "Choices":
    """Return the encoders that the arguments name; raise UsageError for an unknown name."""
    from pbcnf.emission.whole_problems import Choices, suited

    given = {
        name: getattr(arguments, name) for name in KINDS if getattr(arguments, name) is not None
    }
    with usage_errors():
        everywhere = {} if arguments.encoding is None else suited(arguments.encoding)
        return Choices(**{**everywhere, **given})
