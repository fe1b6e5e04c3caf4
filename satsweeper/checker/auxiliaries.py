"""Clauses with auxiliary variables: connected components, and extension of cell assignments."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, TypeVar

MOST_AUXILIARIES: Final = 128
"""Limit on auxiliary variables of one search; the encoding of a clue has fewer."""

Clauses = tuple[tuple[int, ...], ...]
Key = TypeVar("Key", bound=Hashable)


def components(members: Mapping[Key, Sequence[int]]) -> list[list[Key]]:
    """Group keys so that no two groups share a member; the order of the keys is kept.

    Args:
        members: of each key, at least one.
    """
    leader: dict[int, int] = {}

    def find(member: int) -> int:
        while (above := leader.setdefault(member, member)) != member:
            leader[member] = leader[above]
            member = above
        return member

    for first, *others in members.values():
        for member in others:
            leader[find(member)] = find(first)
    found: dict[int, list[Key]] = {}
    for key, own in members.items():
        found.setdefault(find(own[0]), []).append(key)
    return list(found.values())


def extends(clauses: Iterable[Sequence[int]], inputs: Sequence[int], least: int, most: int) -> bool:
    """Whether each assignment of ``inputs`` with ``least`` to ``most`` of them true has a model.

    False as well if there are more auxiliary variables than MOST_AUXILIARIES.
    """
    clauses = [*clauses]
    others = {abs(lit) for clause in clauses for lit in clause}.difference(inputs)
    if len(others) > MOST_AUXILIARIES:
        return False
    # Constraints of one shape have the same clauses, but for the numbers of the variables.
    name = {v: number for number, v in enumerate([*inputs, *sorted(others)], start=1)}
    renamed = tuple(tuple([name[lit] if lit > 0 else -name[-lit] for lit in c]) for c in clauses)
    return _extends(renamed, len(inputs), max(least, 0), min(most, len(inputs)))


@lru_cache(maxsize=4096)
def _extends(clauses: Clauses, inputs: int, least: int, most: int) -> bool:
    return all(
        _satisfiable(clauses, {v if value else -v for v, value in enumerate(values, start=1)})
        for values in product((False, True), repeat=inputs)
        if least <= sum(values) <= most
    )


def _satisfiable(clauses: Clauses, true: set[int]) -> bool:
    """Whether ``clauses`` have a model with the literals ``true``, to which more may be added."""
    found = True
    while found:
        found = False
        short: tuple[int, ...] = ()
        # Unit propagation to its fixpoint; then a shortest open clause is branched on.
        for clause in clauses:
            if true.isdisjoint(clause):
                left = tuple([lit for lit in clause if -lit not in true])
                if not left:
                    return False
                if len(left) == 1:
                    true.add(left[0])
                    found = True
                elif not short or len(left) < len(short):
                    short = left
    if not short:
        return True
    return any(_satisfiable(clauses, true | {lit}) for lit in (short[0], -short[0]))
