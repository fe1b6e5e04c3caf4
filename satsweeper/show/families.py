"""The list of families for a person."""

from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import Final

from satsweeper.families.family import Family

_WIDTH: Final = 90


def families_lines(families: Iterable[Family]) -> Iterator[str]:
    """A heading a family, and what is known of it below."""
    for family in families:
        yield f"{family.name}: {family.of}, {family.status}"
        seed = "drawn by the seed" if family.seeded else "the seed changes nothing"
        for line in (
            f"size n: {family.size}, {family.sizes_in_words}; {seed}",
            f"why: {family.why}",
            f"{_suffices(family)}: {' or '.join(family.decided_by) or 'search'}",
            f"grows: {family.grows}",
        ):
            yield fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ")


def _suffices(family: Family) -> str:
    """What it is that something suffices for."""
    if not family.satisfiable:
        return "refuted by"
    return "certain cells proved by" if family.decided_by else "decided by"
