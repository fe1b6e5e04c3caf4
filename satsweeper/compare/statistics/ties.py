"""Contenders that cannot be told apart, as letters: who shares one is not significantly different.

H. Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, Journal of
Computational and Graphical Statistics 13 (2004) 456-466.
"""

from collections.abc import Collection, Iterable, Sequence
from string import ascii_lowercase

from satsweeper.compare.statistics.contest import Contender
from satsweeper.compare.statistics.paired import Comparison


def tied_groups(
    contenders: Sequence[Contender], apart: Iterable[tuple[Contender, Contender]]
) -> list[frozenset[Contender]]:
    """The largest groups in which nobody is apart, by their first member in ``contenders``.

    A contender may be in several: being tied is not transitive.
    """
    groups = [frozenset(contenders)]
    for first, second in apart:
        split = []
        for group in groups:
            both = first in group and second in group
            split += [group - {first}, group - {second}] if both else [group]
        groups = _largest(split)
    place = {contender: at for at, contender in enumerate(contenders)}
    return sorted(groups, key=lambda group: sorted(place[each] for each in group))


def tie_letters(
    contenders: Sequence[Contender], compared: Iterable[Comparison]
) -> dict[Contender, str]:
    """The letters of every contender, the first contender's group being ``a``."""
    apart = [(each.first, each.second) for each in compared if each.better]
    groups = tied_groups(contenders, apart)
    return {
        contender: "".join(_letter(at) for at, group in enumerate(groups) if contender in group)
        for contender in contenders
    }


def _largest(groups: Collection[frozenset[Contender]]) -> list[frozenset[Contender]]:
    distinct = sorted(set(groups), key=lambda group: (-len(group), sorted(group)))
    kept: list[frozenset[Contender]] = []
    for group in distinct:
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept


def _letter(at: int) -> str:
    """a to z, then a', b' ..."""
    return ascii_lowercase[at % 26] + "'" * (at // 26)
