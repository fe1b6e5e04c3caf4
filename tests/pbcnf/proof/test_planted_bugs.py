"""A bug planted in one checker's propagation lets no false refutation pass both checkers.

`satsweeper check` asks `check_drat` and `check_lrat`. Each row plants one bug, and names which of
the two it deceives: none, where another part of the same checker still refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from pbcnf.proof import Addition, LratAddition, check_drat, check_lrat, lanes, lrat
from pbcnf.proof.lanes import Question
from pbcnf.proof.lifetimes import Lifetimes
from pbcnf.proof.propagation import Propagator

SATISFIABLE = [[1, 2], [-1, 2], [1, -2], [3, 4]]


def refuted_at_once(self: Propagator, literals: Iterable[int]) -> int | None:
    return 1


def any_clause_is_false(self: Propagator) -> int | None:
    return 1 if len(self.clauses) > 4 else None


def never_undone(self: Propagator) -> None:
    self._head = self._root


def forgets_all_open_lanes(clauses: object, questions: Sequence[Question]) -> list[int]:
    return []


def no_lane_left(self: Any) -> None:
    self.open = 0


def always_in_conflict(self: object, hints: Sequence[int], false: set[int]) -> bool:
    return True


def every_resolvent_holds(*arguments: object) -> None:
    return None


def refutes_by_any_unit(self: Lifetimes, number: int) -> None:
    self.refuted = self.refuted or number > 3


Bug = tuple[object, str, Callable[..., object]]

BUGS: dict[str, tuple[Bug, set[str]]] = {
    "one by one: every clause is refuted": ((Propagator, "refute", refuted_at_once), {"drat"}),
    "one by one: it conflicts": ((Propagator, "_propagate", any_clause_is_false), {"drat"}),
    "one by one: assumptions stay": ((Propagator, "undo", never_undone), {"drat"}),
    "batches: no question stays open": (
        ("pbcnf.proof.batches", "unrefuted", forgets_all_open_lanes),
        {"drat in batches"},
    ),
    "batches: propagation closes all": ((lanes._Batch, "run", no_lane_left), {"drat in batches"}),
    "batches: the root conflicts": ((Lifetimes, "_watch", refutes_by_any_unit), set()),
    "hints: every hint conflicts": ((lrat._Hints, "conflict", always_in_conflict), {"lrat"}),
    "hints: every resolvent holds": ((lrat, "_check_resolvents", every_resolvent_holds), {"lrat"}),
}  # fmt: skip


def false_refutations_accepted(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Which checkers accept some refutation of a satisfiable formula."""
    found = set()
    lemmas = [(5, 6), (-1,), ()], [()], [(-2,), (2,), ()], [(-3,), (-4,), ()]
    for lits in lemmas:
        for name, many in (("drat", 10**9), ("drat in batches", 0)):
            monkeypatch.setattr("pbcnf.proof.drat._MANY", many)
            try:
                accepted = check_drat(SATISFIABLE, [*map(Addition, lits)]).verified
            except AssertionError:
                accepted = False
            if accepted:
                found.add(name)
        numbers = range(5, 5 + len(lits))
        for hints in ((1, 2, 3), ()):
            hinted = [LratAddition(n, c, hints) for n, c in zip(numbers, lits, strict=True)]
            last = hinted[-1]._replace(hints=hints or tuple(numbers[:-1]))
            if check_lrat(SATISFIABLE, [*hinted[:-1], last]).verified:
                found.add("lrat")
    return found


def test_without_a_bug_no_false_refutation_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert false_refutations_accepted(monkeypatch) == set()


@pytest.mark.parametrize("name", BUGS)
def test_two_parts_must_fail_before_a_false_refutation_passes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (owner, attribute, wrong), deceived = BUGS[name]
    if isinstance(owner, str):
        monkeypatch.setattr(f"{owner}.{attribute}", wrong)
    else:
        monkeypatch.setattr(owner, attribute, wrong)
    found = false_refutations_accepted(monkeypatch)
    assert found == deceived
    assert not {"drat", "lrat"} <= found
    assert not {"drat in batches", "lrat"} <= found
