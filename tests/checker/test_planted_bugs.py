"""A bug planted in one of the parts that check a claim lets no false claim pass the others.

Encodings are followed by two checkers of cutting planes, games by hints and by propagation without
them. Each row plants one bug and says whether the part that has it is deceived at all. What the
checkers of refutations do is in `tests/pbcnf/proof/test_planted_bugs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbcnf.proof import ProofFormatError
from pbcnf.proof.cutting_planes.encodings import ProvedClauses
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.inequality import Inequality
from pbcnf.proof.lidrup import LidrupChecker
from satsweeper.checker.derivation_recheck import recheck_derivation
from satsweeper.checker.encoding import check_files
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.game.steps import GameChecker
from satsweeper.checker.sums_recheck import SumInequality

FIRST, SECOND = "pbcnf.proof.cutting_planes.", "satsweeper.checker."
PROBLEM = b"+2 x1 +2 x2 +1 x3 >= 2 ;\n+1 x1 +1 x2 <= 1 ;\n"
HEAD = "pseudo-Boolean proof version 3.0\nf 2 ;\n"
END = "output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
FALSE = {
    "a clause that does not follow": (["rup 1 x3 >= 1 : ~ 1 ;"], [[3]]),
    "a clause by two rows": (["rup 1 x3 >= 1 : ~ 1 2 ;"], [[3]]),
    "a sum that says less": (["pol 1 2 + ;", "rup 1 x3 >= 1 : ~ 3 ;", "del id 3 ;"], [[3]]),
    "a division": (["pol 1 2 d ;", "rup 1 x1 1 x3 >= 1 : ~ 3 ;", "del id 3 ;"], [[1, 3]]),
    "a saturation": (["pol 2 s ;", "rup 1 ~x1 >= 1 : ~ 3 ;", "del id 3 ;"], [[-1]]),
    "an input redefined": (["red 1 x3 >= 1 : x3 -> 1 ;"], [[3]]),
    "half a definition too many": (
        [
            "red 1 x4 1 x1 >= 1 : x4 -> 1 ;", "red 1 ~x4 1 x1 >= 1 : x4 -> 0 ;",
            "rup 1 x1 >= 1 : ~ 3 4 ;", "del id 3 4 ;",
        ],
        [[1]],
    ),
    "a witness that does not help": (
        [
            "red 1 x4 >= 1 : x4 -> 0 ;", "red 1 ~x4 >= 1 : x4 -> 0 ;",
            "rup 1 x3 >= 1 : ~ 3 4 ;", "del id 3 4 ;",
        ],
        [[3]],
    ),
    "a clause left out": (["rup 1 ~x1 1 ~x2 >= 1 : ~ 2 ;", "del id 3 ;"], [[-1, -2]]),
}  # fmt: skip
"""Steps that prove what is false, or nothing, and the clauses that they are said to leave."""


def proof(steps: list[str]) -> bytes:
    return (HEAD + "".join(f"{step}\n" for step in steps) + END).encode()


def dimacs(clauses: list[list[int]]) -> bytes:
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([f"p cnf 4 {len(clauses)}", *lines, ""]).encode()


def by_first(steps: list[str], clauses: list[list[int]]) -> bool:
    try:
        ProvedClauses.of(PROBLEM, proof(steps)).check(dimacs(clauses))
    except (ProofError, ProofFormatError):
        return False
    return True


def by_second(steps: list[str], clauses: list[list[int]]) -> bool:
    try:
        left = recheck_derivation(PROBLEM.decode(), proof(steps).decode(), 3, "proof")
    except WrongCertificateError:
        return False
    return left == [frozenset(clause) for clause in clauses]


def by_both(steps: list[str], clauses: list[list[int]], folder: Path) -> bool:
    names = [folder / name for name in ("p.opb", "p.cnf", "p.pbp")]
    for name, data in zip(names, (PROBLEM, dimacs(clauses), proof(steps)), strict=True):
        name.write_bytes(data)
    try:
        check_files(*names, external=False)
    except WrongCertificateError:
        return False
    return True


def yes(*arguments: object) -> bool:
    return True


def nothing(*arguments: object) -> None:
    return None


def one_too_much(of: Inequality, divisor: int) -> Inequality:
    return Inequality(dict.fromkeys(of.terms, 1), of.degree // divisor + 1)


def never_small(of: Inequality) -> Inequality:
    return Inequality(dict.fromkeys(of.terms, 1), len(of.terms))


def loses_one(left: Inequality, right: Inequality) -> Inequality:
    return Inequality(dict([*left.terms.items()][-1:]), 1)


def signed_one_too_much(of: SumInequality, divisor: int) -> SumInequality:
    return SumInequality({v: c // divisor for v, c in of.left.items()}, of.bound)


def signed_never_small(of: SumInequality) -> SumInequality:
    return SumInequality({v: 1 if c > 0 else -1 for v, c in of.left.items()}, 0)


def signed_adds_one(one: SumInequality, other: SumInequality) -> SumInequality:
    left = {v: one.left.get(v, 0) + other.left.get(v, 0) for v in {*one.left, *other.left}}
    return SumInequality({v: c for v, c in left.items() if c}, one.bound + other.bound + 1)


ENCODING_BUGS: dict[str, tuple[str, Callable[..., object], bool]] = {
    "first: hints always conflict": (FIRST + "checker.refuted", yes, True),
    "first: the sum loses a part": (FIRST + "checker.added", loses_one, True),
    "first: division rounds up too far": (FIRST + "checker.divided", one_too_much, True),
    "first: saturation takes too much": (FIRST + "checker.saturated", never_small, True),
    "first: everything implies everything": (FIRST + "checker.implies", yes, True),
    "first: propagation always conflicts": (FIRST + "checker.Database.refutes", yes, True),
    "second: hints always conflict": (SECOND + "derivation_recheck._refute", nothing, True),
    "second: the sum is one more": (SECOND + "sums_recheck._added", signed_adds_one, False),
    "second: division is too good": (SECOND + "sums_recheck._divided", signed_one_too_much, True),
    "second: saturation is too good": (
        SECOND + "sums_recheck._saturated",
        signed_never_small,
        True,
    ),
    "second: all definitions hold": (
        SECOND + "derivation_recheck._DerivationState._define",
        nothing,
        True,
    ),
}


def test_without_a_bug_neither_accepts_a_false_encoding(tmp_path):
    for steps, clauses in FALSE.values():
        assert not by_first(steps, clauses)
        assert not by_second(steps, clauses)
        assert not by_both(steps, clauses, tmp_path)


@pytest.mark.parametrize("name", ENCODING_BUGS)
def test_two_parts_must_fail_before_a_false_encoding_passes(name, tmp_path, monkeypatch):
    where, wrong, deceived = ENCODING_BUGS[name]
    monkeypatch.setattr(where, wrong)
    part, other = (by_first, by_second) if name.startswith("first") else (by_second, by_first)
    accepted = [claim for claim, (steps, clauses) in FALSE.items() if part(steps, clauses)]
    assert bool(accepted) == deceived
    for steps, clauses in FALSE.values():
        assert not other(steps, clauses)
        assert not by_both(steps, clauses, tmp_path)


START = ["p lidrup", "c satsweeper game 1 1 3 1", "c open 0 1 1", "c by open", "i 1 -2 0"]
CLUE = ["c by 0 1", "i 2 1 3 0", "i 3 -1 -3 0"]
FALSE_GAMES = {
    "a core without a conflict": ["q 1 0", "s UNSATISFIABLE", "u 1 0 2 0", "c proved 0 0 safe"],
    "a lemma, then a core": (
        ["l 4 -1 0 2 0", "q 1 0", "s UNSATISFIABLE", "u 1 0 4 0", "c proved 0 0 safe"]
    ),
    "a core of nothing": ["q 1 0", "s UNSATISFIABLE", "u 0 2 3 0", "c inconsistent"],
}


def game_accepted(lines: list[str]) -> bool:
    try:
        GameChecker().read(line.encode() for line in [*START, *CLUE, *lines])
    except ProofFormatError:
        return False
    return True


def refutes_at_once(self: object, literals: object) -> int:
    return 1


GAME_BUGS: dict[str, tuple[object, str, Callable[..., object]]] = {
    "by hints: all follow": (LidrupChecker, "_follow", nothing),
    "without hints: everything conflicts": (
        "satsweeper.checker.game.lemma_recheck.ClausePropagator", "refute", refutes_at_once
    ),
    "without hints: nothing is asked": (
        "satsweeper.checker.game.lemma_recheck.LemmaRecheck", "follow", nothing
    ),
}  # fmt: skip


def test_without_a_bug_no_false_game_is_accepted():
    assert game_accepted([])
    assert not any(map(game_accepted, FALSE_GAMES.values()))


@pytest.mark.parametrize("name", GAME_BUGS)
def test_two_parts_must_fail_before_a_false_game_passes(name, monkeypatch):
    owner, attribute, wrong = GAME_BUGS[name]
    if isinstance(owner, str):
        monkeypatch.setattr(f"{owner}.{attribute}", wrong)
    else:
        monkeypatch.setattr(owner, attribute, wrong)
    assert not any(map(game_accepted, FALSE_GAMES.values()))


def test_both_parts_wrong_let_a_false_game_pass(monkeypatch):
    """The list would say nothing if no bug could be seen."""
    monkeypatch.setattr(LidrupChecker, "_follow", nothing)
    monkeypatch.setattr("satsweeper.checker.game.lemma_recheck.LemmaRecheck.follow", nothing)
    assert all(map(game_accepted, FALSE_GAMES.values()))


def test_both_parts_wrong_let_no_layout_pass_that_has_another_verdict(monkeypatch):
    monkeypatch.setattr(LidrupChecker, "_follow", nothing)
    monkeypatch.setattr("satsweeper.checker.game.lemma_recheck.LemmaRecheck.follow", nothing)
    shown = ["q 1 0", "s SATISFIABLE", "m 1 -2 -3 0"]
    right, other = (["q -1 0", "q 3 0"], ["q 1 0", "q -3 0"])
    for queries, verdicts, accepted in ((right, "MS", True), (other, "SM", False)):
        lines = [*shown]
        for query, column, mark in zip(queries, (0, 2), verdicts, strict=True):
            lines += [query, "s UNSATISFIABLE", f"u{query[1:]} 2 0"]
            lines.append(f"c proved 0 {column} {'safe' if mark == 'S' else 'mine'}")
        assert game_accepted(lines)
        assert game_accepted([*lines, "c classified 1 1 0"]) is accepted
