"""A bug planted in one of the parts that check a claim lets no false claim pass the others.

Encodings are followed by two checkers of cutting planes, games by hints and by propagation without
them, verdicts by sums in two ways. Each row of a table plants one bug. What the checkers of
refutations do is in `tests/pbcnf/proof/test_planted_bugs.py`.
"""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbcnf.proof import ProofFormatError
from pbcnf.proof.cutting_planes.encodings import ProvedClauses
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.inequality import Inequality
from satsweeper import Position, certify
from satsweeper.certificate.folder import write_folder
from satsweeper.checker.check import check
from satsweeper.checker.derivation_recheck import FollowedAgain, recheck_derivation
from satsweeper.checker.encoding import check_files
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.game.steps import GameChecker
from satsweeper.checker.sums_recheck import SumInequality
from scripts.forgeries.forgery import false_claim
from scripts.forgeries.verdicts import lie
from tests.oracles import layouts
from tests.problem_files import cnf, pb_proof

FIRST, SECOND = "pbcnf.proof.cutting_planes", "satsweeper.checker"
PROBLEM = "+2 x1 +2 x2 +1 x3 >= 2 ;\n+1 x1 +1 x2 <= 1 ;\n"
FALSE = {
    "a clause that does not follow": (["rup 1 x3 >= 1 : ~ 1 ;"], [[3]]),
    "a clause by two rows": (["rup 1 x3 >= 1 : ~ 1 2 ;"], [[3]]),
    "a sum that says less": (["pol 1 2 + ;", "rup 1 x3 >= 1 : ~ 3 ;", "del id 3 ;"], [[3]]),
    "a division": (["pol 1 2 d ;", "rup 1 x1 1 x3 >= 1 : ~ 3 ;", "del id 3 ;"], [[1, 3]]),
    "a saturation": (["pol 2 s ;", "rup 1 ~x1 >= 1 : ~ 3 ;", "del id 3 ;"], [[-1]]),
    "an input redefined": (["red 1 x3 >= 1 : x3 -> 1 ;"], [[3]]),
    "half a definition too many": (
        ["red 1 x4 1 x1 >= 1 : x4 -> 1 ;", "red 1 ~x4 1 x1 >= 1 : x4 -> 0 ;",
         "rup 1 x1 >= 1 : ~ 3 4 ;", "del id 3 4 ;"], [[1]],
    ),
    "a witness that does not help": (
        ["red 1 x4 >= 1 : x4 -> 0 ;", "red 1 ~x4 >= 1 : x4 -> 0 ;", "rup 1 x3 >= 1 : ~ 3 4 ;",
         "del id 3 4 ;"], [[3]],
    ),
    "a clause left out": (["rup 1 ~x1 1 ~x2 >= 1 : ~ 2 ;", "del id 3 ;"], [[-1, -2]]),
}  # fmt: skip
"""Steps that prove what is false, or nothing, and the clauses that they are said to leave."""


def by_first(steps: list[str], clauses: list[list[int]]) -> bool:
    with suppress(ProofError, ProofFormatError):
        proved = ProvedClauses.of(PROBLEM.encode(), pb_proof(*steps, given=2).encode())
        return bool(proved.check(cnf(4, clauses).encode()))
    return False


def by_second(steps: list[str], clauses: list[list[int]]) -> bool:
    with suppress(WrongCertificateError):
        left = recheck_derivation(PROBLEM, pb_proof(*steps, given=2), 3, "proof")
        return left.clauses == [frozenset(clause) for clause in clauses]
    return False


def by_both(steps: list[str], clauses: list[list[int]], folder: Path) -> bool:
    names = [folder / name for name in ("p.opb", "p.cnf", "p.pbp")]
    texts = (PROBLEM, cnf(4, clauses), pb_proof(*steps, given=2))
    for path, text in zip(names, texts, strict=True):
        path.write_text(text)
    with suppress(WrongCertificateError):
        return bool(check_files(*names, external=False))
    return False


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


ENCODING_BUGS = {
    "no bug": ("os.fsync", nothing),
    "first: hints always conflict": (f"{FIRST}.checker.refuted", yes),
    "first: the sum loses a part": (f"{FIRST}.operations.added", loses_one),
    "first: division rounds up too far": (f"{FIRST}.operations.divided", one_too_much),
    "first: saturation takes too much": (f"{FIRST}.operations.saturated", never_small),
    "first: everything implies everything": (f"{FIRST}.checker.implies", yes),
    "first: propagation always conflicts": (f"{FIRST}.checker.Database.refutes", yes),
    "second: hints always conflict": (f"{SECOND}.derivation_recheck._refute", nothing),
    "second: the sum is one more": (f"{SECOND}.sums_recheck._added", signed_adds_one),
    "second: division is too good": (f"{SECOND}.sums_recheck._divided", signed_one_too_much),
    "second: saturation is too good": (f"{SECOND}.sums_recheck._saturated", signed_never_small),
    "second: all definitions hold": (
        f"{SECOND}.derivation_recheck.FollowedProof._define", nothing
    ),
}  # fmt: skip
NOT_DECEIVED = {"no bug", "second: the sum is one more"}
"""The part that has one of these accepts nothing that is false."""


@pytest.mark.parametrize("name", ENCODING_BUGS)
def test_two_parts_must_fail_before_a_false_encoding_passes(name, tmp_path, monkeypatch):
    monkeypatch.setattr(*ENCODING_BUGS[name])
    part, other = (by_first, by_second) if name.startswith("first") else (by_second, by_first)
    accepted = [claim for claim, (steps, clauses) in FALSE.items() if part(steps, clauses)]
    assert bool(accepted) == (name not in NOT_DECEIVED)
    for steps, clauses in FALSE.values():
        assert not other(steps, clauses)
        assert not by_both(steps, clauses, tmp_path)


def test_both_checkers_must_be_left_with_the_same_clauses(tmp_path, monkeypatch):
    steps = ["rup 1 x1 1 x2 >= 1 : ~ 1 ;", "rup 1 ~x1 1 ~x2 >= 1 : ~ 2 ;"]
    clauses = [[1, 2], [-1, -2]]
    assert by_both(steps, clauses, tmp_path)
    for left in ([], [[1, 2]], clauses[::-1], [*clauses, [3]]):
        found = FollowedAgain([frozenset(clause) for clause in left], equivalent=False)
        monkeypatch.setattr(f"{SECOND}.encoding.recheck_derivation", lambda *_, f=found: f)
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
    with suppress(ProofFormatError):
        GameChecker().read(line.encode() for line in [*START, *CLUE, *lines])
        return True
    return False


BY_HINTS = ("pbcnf.proof.lidrup.LidrupChecker._follow", nothing)
WITHOUT_HINTS = ("satsweeper.checker.game.lemma_recheck.LemmaRecheck.follow", nothing)
CONFLICTS = ("satsweeper.checker.game.lemma_recheck.ClausePropagator.refute", lambda *_: 1)


@pytest.mark.parametrize("bugs", [[], [BY_HINTS], [WITHOUT_HINTS], [CONFLICTS]])
def test_two_parts_must_fail_before_a_false_game_passes(bugs, monkeypatch):
    for bug in bugs:
        monkeypatch.setattr(*bug)
    assert game_accepted([])
    assert not any(map(game_accepted, FALSE_GAMES.values()))


def test_both_parts_wrong_let_a_false_game_pass_but_no_layout_with_another_verdict(monkeypatch):
    """The list would say nothing if no bug could be seen."""
    monkeypatch.setattr(*BY_HINTS)
    monkeypatch.setattr(*WITHOUT_HINTS)
    assert all(map(game_accepted, FALSE_GAMES.values()))
    shown = ["q 1 0", "s SATISFIABLE", "m 1 -2 -3 0"]
    right, other = (["q -1 0", "q 3 0"], ["q 1 0", "q -3 0"])
    for queries, verdicts, accepted in ((right, "MS", True), (other, "SM", False)):
        lines = [*shown]
        for query, column, mark in zip(queries, (0, 2), verdicts, strict=True):
            lines += [query, "s UNSATISFIABLE", f"u{query[1:]} 2 0"]
            lines.append(f"c proved 0 {column} {'safe' if mark == 'S' else 'mine'}")
        assert game_accepted(lines)
        assert game_accepted([*lines, "c classified 1 1 0"]) is accepted


# -- Bugs planted in what checks sums, one at a time: no false claim passes.


BOARDS = (
    "3 4 ?\n1???\n12??\n01??\n", "3 5 4\n?2???\n?3?1?\n????1\n",
    "3 5 ?\n1????\n12?2?\n01?1?\n", "1 8 3\n1???????\n",
)  # fmt: skip


def everything(*_: object) -> set[int]:
    return {sign * v for v in range(1, 17) for sign in (1, -1)}


SUM_BUGS = {
    "no bug": ("os.fsync", nothing),
    "equalities force everything": (f"{FIRST}.formula.Equalities.forced", everything),
    "all that is known forces everything": (f"{FIRST}.formula.Known.forced", everything),
    "one inequality forces all its literals": (
        f"{FIRST}.inequality.Inequality.forced", property(lambda self: list(self.terms))
    ),
    "the sums added up again force everything": (
        f"{SECOND}.sums_recheck._NumberedSums.forced", everything
    ),
    "every problem is as written": (f"{SECOND}.formula._as_written", yes),
    "propagation refutes everything": (f"{FIRST}.checker.refuted", yes),
    "no layout breaks a clue": (
        f"{SECOND}.board.CheckedBoard._clue_planes", property(lambda self: (0, [0] * 4))
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def certificates():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satsweeper.certificate.certify.MANY", 0)
        made = [certify(Position.parse(text)) for text in BOARDS]
    return [replace(one, files={**one.files, "layouts.json": all_layouts(one)}) for one in made]


def all_layouts(certificate: Any) -> bytes:
    """Instead of a few: whichever verdict is a lie, those that agree with it are among them."""
    board = certificate.files["board.txt"].decode()
    rows = board.splitlines()[1:]
    found = []
    for mines in layouts(Position.parse(board)):
        shown = [
            [("S", "M")[(r, c) in mines] if mark == "?" else mark for c, mark in enumerate(row)]
            for r, row in enumerate(rows)
        ]
        found.append(["".join(row) for row in shown])
    return json.dumps({"layouts": found, "cells": []}).encode()


def lies_passed(certificates: list[Any], folder: Path) -> list[str | None]:
    """False claims of the accepted ones among 120 changed certificates; None for a true claim.

    Each has another verdict somewhere, and all files are made to agree as far as may be.
    """
    rng = random.Random(11)
    accepted = []
    for number in range(120):
        one = certificates[number % len(certificates)]
        about = json.loads(json.dumps({**one.about, "files": dict.fromkeys(one.files, "")}))
        changed = lie(one.files, about, rng)
        files = {name: data for name, data in {**one.files, **changed}.items() if data is not None}
        # Not what write_folder gives, which names and hashes them itself.
        del about["files"]
        write_folder(folder, files, about)
        with suppress(WrongCertificateError):
            check(folder, external=False)
            accepted.append(false_claim(folder))
    return accepted


@pytest.mark.parametrize("bug", SUM_BUGS)
def test_no_single_bug_lets_a_false_verdict_pass(bug, certificates, tmp_path, monkeypatch):
    monkeypatch.setattr("os.fsync", nothing)
    monkeypatch.setattr(*SUM_BUGS[bug])
    assert all(each.about["proof"] in ("sums", "both") for each in certificates)
    accepted = lies_passed(certificates, tmp_path / "c")
    assert set(accepted) <= {None}
    assert len(accepted) < 60


def test_two_bugs_at_once_are_needed(certificates, tmp_path, monkeypatch):
    """Without both checkers of sums and without the one proof, false claims are accepted."""
    for bug in ("all that is known forces everything", "the sums added up again force everything"):
        monkeypatch.setattr(*SUM_BUGS[bug])
    monkeypatch.setattr("satsweeper.checker.check.check_one_proof", nothing)
    monkeypatch.setattr("os.fsync", nothing)
    assert any(lies_passed(certificates, tmp_path / "c"))


# -- The second checker of derivations: what it refuses by itself, without the first.


ROW = "* #variable= 3 #constraint= 1\nmin: +1 x1 ;\n+1 x1 +1 ~x2 +1 x3 >= 2 ;\n"
DEFINED = ["red 2 x4 1 ~x1 1 x2 >= 2 : x4 -> 1 ;", "red 1 ~x4 1 x1 1 ~x2 >= 1 : x4 -> 0 ;"]


def left(*steps: str) -> list[frozenset[int] | None]:
    return recheck_derivation(ROW, pb_proof(*steps, given=1), 3, "p.pbp").clauses


def test_what_is_left_are_the_clauses_in_order_and_none_for_what_is_no_clause():
    steps = [*DEFINED, "rup 1 x4 1 x3 >= 1 : ~ 1 2 ;", "rup 1 x1 1 x3 >= 1 : ~ 1 ;"]
    assert left(*steps, "del id 2 3 ;") == [frozenset({4, 3}), frozenset({1, 3})]
    assert left("pol 1 x1 + ;") == [None]


def test_division_rounds_up_and_saturation_keeps_the_integer_points():
    # 2x + 2y + 2z' >= 3 is x + y + z' >= 2.
    problem = "+2 x1 +2 x2 -2 x3 >= 1 ;\n"
    steps = ["pol 1 2 d ;", "pol 1 s ;", "rup 1 x1 1 x2 >= 1 : ~ 2 ;", "del id 2 3 ;"]
    found = recheck_derivation(problem, pb_proof(*steps, given=1), 3, "p.pbp")
    assert found == FollowedAgain([frozenset({1, 2})], equivalent=False, links=[])


@pytest.mark.parametrize(
    ("steps", "fault"),
    [(["red 1 x1 >= 1 : x1 -> 1 ;"], "x1 is a variable of the problem"),
     (["red 1 x4 1 x1 >= 1 : x4 -> 0 ;"], "the witness does not satisfy the constraint"),
     (["red 1 x4 1 x1 >= 1 : x4 -> 1 x5 -> 0 ;"], "a witness is one variable and its value"),
     ([DEFINED[0], "red 1 ~x4 1 x1 >= 1 : x4 -> 0 ;"], "not its other half"),
     ([DEFINED[0], "red 2 ~x4 1 x1 1 ~x2 >= 2 : x4 -> 0 ;"], "leaves no value for x4"),
     (["rup 1 x1 >= 1 : ~ 1 ;"], "the constraint does not follow"),
     (["rup 1 x1 1 x3 >= 1 : 1 ;"], "the negation is not among the hints"),
     (["rup 1 x1 1 x3 >= 1 : ~ 7 ;"], "7"), (["rup 1 x1 1 x3 >= 2 : ~ 1 ;"], "does not follow"),
     ([DEFINED[0], "del id 1 2 ;"], "constraint 1 is the problem's"),
     (["del id 1 ;"], "deleted rows are not derived again"),
     (["del range 1 3 ;"], "only constraints by their numbers are deleted"),
     (["e 1 x1 >= 1 : 1 ;"], "no step of a derivation: e")],
)  # fmt: skip
def test_a_step_that_is_not_sound_is_refused_by_the_second_checker(steps, fault):
    match = rf"^p.pbp: line \d+: followed again: .*{re.escape(fault)}"
    with pytest.raises(WrongCertificateError, match=match):
        left(*steps)


def test_a_proof_that_is_cut_off_or_goes_on_is_refused():
    whole = pb_proof(*DEFINED, given=1)
    for text, fault in (
        (whole.replace("end pseudo-Boolean proof ;\n", ""), "the end is missing"),
        (whole + "del id 2 ;\n", "nothing may follow the end"),
        (whole.replace("3.0", "2.0"), "no proof of version 3.0"),
        (pb_proof(given=2), "the problem's rows are 1"),
    ):
        with pytest.raises(WrongCertificateError, match=fault):
            recheck_derivation(ROW, text, 3, "p.pbp")
