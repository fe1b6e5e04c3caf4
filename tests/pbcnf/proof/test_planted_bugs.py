"""Who checks proofs trusts little: a bug in one checker lets no false refutation pass both.

`satsweeper check` asks `check_drat` and `check_lrat`. Each row plants one bug, and names which of
them it deceives: none, where another part of the same checker still refuses. `check_drat` goes one
of three ways: one lemma after the other, in batches, backwards.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbcnf.proof import Addition, LratAddition, batch_check, check_drat, check_lrat, lrat
from pbcnf.proof.backward import BackwardCheck, BackwardPropagator
from pbcnf.proof.batch_check import _Batch
from pbcnf.proof.proof_queries import Lifetimes
from pbcnf.proof.propagation import ClausePropagator

SATISFIABLE = [[1, 2], [-1, 2], [1, -2], [3, 4]]


def yes(*arguments: object) -> bool:
    return True


def nothing(*arguments: object) -> None:
    pass


def never_undone(self: ClausePropagator) -> None:
    self._head = self._root


def no_lane_left(self: _Batch) -> None:
    self.open = 0


def any_clause_is_false(self: ClausePropagator) -> int | None:
    return 1 if len(self.clauses) > 4 else None


def refutes_by_any_unit(self: Lifetimes, number: int) -> None:
    self.conflict = number if number > 3 else self.conflict


def lets_everything_follow(self: Lifetimes, number: int) -> None:
    """A unit clause, and all of its literals at once."""
    for lit in self.clauses[number]:
        self.root.append((-lit, number, self.born[number]))
    self.conflict = number if number > 4 else None


def follows_nothing_back(self: BackwardPropagator, *arguments: object) -> bool:
    self.core[:] = bytes([1]) * len(self.core)
    return True


Bug = tuple[object, str, Callable[..., object]]

BUGS: dict[str, tuple[Bug, set[str]]] = {
    "one by one: all are refuted": ((ClausePropagator, "refute", lambda *arguments: 1), {"drat"}),
    "one by one: it conflicts": ((ClausePropagator, "_propagate", any_clause_is_false), {"drat"}),
    "one by one: assumptions stay": ((ClausePropagator, "undo", never_undone), {"drat"}),
    "batches: no question stays open": (
        (batch_check, "unrefuted", lambda *arguments: []), {"drat in batches"},
    ),
    "batches: propagation closes all": ((_Batch, "run", no_lane_left), {"drat in batches"}),
    "batches: the root conflicts": ((Lifetimes, "_watch", refutes_by_any_unit), set()),
    "backwards: it conflicts": ((BackwardPropagator, "_propagate", lambda *arguments: 0), set()),
    "backwards: assumptions stay": ((BackwardPropagator, "_undo", nothing), set()),
    "backwards: too much follows at the root": (
        (Lifetimes, "_watch", lets_everything_follow), set(),
    ),
    "backwards: the last conflict is not explained": (
        (BackwardPropagator, "_explain", follows_nothing_back), set(),
    ),
    "backwards: nothing is marked": ((BackwardPropagator, "_explain", yes), {"drat backwards"}),
    "backwards: every lemma is refuted": ((BackwardPropagator, "refute", yes), {"drat backwards"}),
    "backwards: every lemma is RAT": ((BackwardCheck, "_by_rat", yes), {"drat backwards"}),
    "hints: every hint conflicts": ((lrat._Hints, "conflict", yes), {"lrat"}),
    "hints: every resolvent holds": ((lrat, "_check_resolvents", nothing), {"lrat"}),
}  # fmt: skip


def false_refutations_accepted(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Which checkers accept some refutation of a satisfiable formula."""
    found = set()
    lemmas = [(5, 6), (-1,), ()], [()], [(-2,), (2,), ()], [(-3,), (-4,), ()]
    for lits in lemmas:
        for name, many in (("drat", 10**9), ("drat in batches", 0), ("drat backwards", 0)):
            monkeypatch.setattr("pbcnf.proof.drat._MANY", many)
            way = name == "drat backwards"
            try:
                accepted = check_drat(SATISFIABLE, [*map(Addition, lits)], backward=way).verified
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
def test_two_parts_must_fail_before_a_false_refutation_passes(name, monkeypatch) -> None:
    (owner, attribute, wrong), deceived = BUGS[name]
    monkeypatch.setattr(owner, attribute, wrong)
    found = false_refutations_accepted(monkeypatch)
    assert found == deceived
    assert len(found) < 2
