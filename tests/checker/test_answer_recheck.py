"""The second checker of answers: what it refuses, in which words, and that both must agree."""

import re
from typing import Any

import pytest

from satsweeper.checker.answer import check_answer
from satsweeper.checker.answer_recheck import AnswerFollowedAgain, recheck_answer
from satsweeper.checker.errors import WrongCertificateError
from tests.checker.small import put
from tests.problem_files import pb_proof

PROBLEM = "* #variable= 3 #constraint= 2\nmin: +3 x1 +4 x2 +2 x3 ;\n+1 x1 +1 x2 >= 1 ;\n"
PROBLEM += "+1 x2 +1 x3 >= 1 ;\n"
"""The least value is 4, of x2 alone."""
BEST = "soli ~x1 x2 ~x3 : 4 ;"
STEPS = ["rup 1 ~x2 >= 1 : ~ 3 ;", "rup 1 x1 >= 1 : ~ 1 4 ;", "rup >= 1 : ~ 2 3 4 5 ;"]
END = "BOUNDS 4 : 6 4 : ~x1 x2 ~x3"


def test_a_proof_of_an_optimum_and_of_each_other_conclusion_is_followed():
    def concluded(*steps: str, conclusion: str) -> AnswerFollowedAgain:
        return recheck_answer(PROBLEM, pb_proof(*steps, given=2, conclusion=conclusion), "p.pbp")

    assert concluded(BEST, *STEPS, conclusion=END) == ("BOUNDS", 4, 4)
    assert concluded(BEST.replace(" : 4", ""), *STEPS, conclusion=END) == ("BOUNDS", 4, 4)
    assert concluded("pol 1 2 + ;", conclusion="BOUNDS 0 : 1 7 : x1 x2 ~x3") == ("BOUNDS", 0, 7)
    assert concluded(conclusion="SAT : x1 x2 x3") == ("SAT", 0, 0)
    assert concluded(conclusion="NONE") == ("NONE", 0, 0)
    # Without hints all is propagated on; the last constraint is -1; and what is no clause.
    assert concluded(BEST, "rup 1 ~x2 >= 1 ;", "pol -1 1 + ;", conclusion="NONE")[0] == "NONE"
    assert concluded("rup 1 x1 2 x2 1 x3 >= 2 : ~ 1 2 ;", conclusion="NONE")[0] == "NONE"
    none = "* #variable= 1\n+1 x1 >= 1 ;\n-1 x1 >= 0 ;\n"
    proof = pb_proof("pol 1 2 + ;", given=2, conclusion="UNSAT : 3")
    assert recheck_answer(none, proof, "p.pbp") == ("UNSAT", 0, 0)


@pytest.mark.parametrize("place", [2, 3])
def test_an_objective_is_in_front_of_the_rows_and_there_is_one(place):
    lines = PROBLEM.splitlines(keepends=True)
    for kept in (lines, [lines[0], *lines[2:]]):
        problem = "".join([*kept[:place], lines[1], *kept[place:]])
        with pytest.raises(WrongCertificateError, match=r"weights and literals in turn|no literal"):
            recheck_answer(problem, pb_proof(given=2, conclusion="NONE"), "p.pbp")


REFUSED = {
    "a worse value": (["soli ~x1 x2 ~x3 : 3 ;"], "NONE", "the objective of this solution is 4"),
    "no solution": (["soli ~x1 ~x2 x3 ;"], "NONE", "no solution: constraint 1 does not hold"),
    "half a solution": (["soli x1 x2 ;"], "NONE", "a solution gives x1 to x3 their values"),
    "a variable twice": (["soli x1 x2 ~x2 ;"], "NONE", "a solution gives x1 to x3"),
    "no literal": (["soli x1 x2 y ;"], "NONE", "'y' is no literal: x1, x2, ... or ~x1, ..."),
    "a bound too large": ([BEST, *STEPS], END.replace("S 4", "S 5"), "a solution has 4: 5 is no"),
    "a bound too small": ([BEST, *STEPS], END.replace("6 4", "6 3"), "is 4, not at most 3"),
    "a bound of nothing": ([BEST, *STEPS[:2]], END.replace("6", "5"), "constraint 5 does not say"),
    "a solution and none": ([BEST, *STEPS], "UNSAT : 6", "there is a solution"),
    "no contradiction": ([], "UNSAT : 1", "constraint 1 can be satisfied"),
    "another conclusion": ([], "UNSAT", "a conclusion is one of NONE, UNSAT : id, SAT"),
    "a step behind the end": ([BEST, "output NONE ;", "pol 1 ;"], "NONE", "nothing may follow"),
    "a row deleted": (["del id 1 ;"], "NONE", "constraint 1 is the problem's"),
    "all rows deleted": (["del id 1 2 ;"], "NONE", "constraint 1 is the problem's"),
    "deleted twice": (["pol 1 ;", "del id 3 3 ;"], "NONE", "there is no constraint 3"),
    "a clause that does not follow": (["rup 1 x1 >= 1 : ~ 1 ;"], "NONE", "does not follow"),
    "without the negation": (["rup 1 x1 1 x2 >= 1 : 1 ;"], "NONE", "does not follow"),
    "a hint that is not there": (["rup 1 x1 >= 1 : ~ 9 ;"], "NONE", "there is no constraint 9"),
    "a hint that is no number": (["rup 1 x1 >= 1 : ~ a ;"], "NONE", "'a' is no integer"),
    "no relation": (["rup 1 x1 : ~ 1 ;"], "NONE", "a constraint of a proof ends with >="),
    "half a term": (["rup 1 x1 1 >= 1 : ~ 1 ;"], "NONE", "weights and literals in turn"),
    "an unknown rule": (["e 1 x1 >= 1 : 1 ;"], "NONE", "no step of a derivation: e"),
    "an input defined": (["red 1 x3 >= 1 : x3 -> 1 ;"], "NONE", "x3 is a variable of the problem"),
}
"""Steps and conclusion, and the refusal."""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_sound_or_malformed_is_refused_in_one_line(name):
    steps, conclusion, fault = REFUSED[name]
    match = rf"^p.pbp: line \d+: followed again: .*{re.escape(fault)}"
    with pytest.raises(WrongCertificateError, match=match):
        recheck_answer(PROBLEM, pb_proof(*steps, given=2, conclusion=conclusion), "p.pbp")


def yes(*_: object) -> bool:
    return True


FALSE = {
    "a lower bound": ([BEST, *STEPS[:2]], END.replace("6", "5")),
    "a value": (["soli ~x1 x2 ~x3 : 4 ;", "rup >= 1 : ~ 3 ;"], END.replace("6", "4")),
}
FIRST, SECOND = "pbcnf.proof.cutting_planes", "satsweeper.checker"


@pytest.mark.parametrize(
    ("part", "bug"),
    [(f"{FIRST}.checker.implies", yes), (f"{FIRST}.checker.refuted", yes),
     (f"{SECOND}.answer_recheck.conflict", yes)],
)  # fmt: skip
def test_a_bug_of_one_checker_does_not_let_a_false_answer_pass(part, bug, tmp_path, monkeypatch):
    monkeypatch.setattr(part, bug)
    for number, (steps, conclusion) in enumerate(FALSE.values()):
        paths = put(
            tmp_path / f"{number}", PROBLEM, pb_proof(*steps, given=2, conclusion=conclusion)
        )
        with pytest.raises(WrongCertificateError):
            check_answer(*paths, external=False)


def test_both_must_come_to_the_same_conclusion(tmp_path, monkeypatch):
    paths = put(tmp_path, PROBLEM, pb_proof(BEST, *STEPS, given=2, conclusion=END))
    assert check_answer(*paths, external=False).status == "OPTIMUM FOUND"
    other: Any = AnswerFollowedAgain("BOUNDS", 3, 4)
    monkeypatch.setattr(f"{SECOND}.answer.recheck_answer", lambda *_: other)
    with pytest.raises(WrongCertificateError, match="followed again: another conclusion"):
        check_answer(*paths, external=False)


def test_a_rule_that_only_the_first_checker_knows_is_told(tmp_path):
    proof = pb_proof(BEST, *STEPS, "pol 1 2 + ;", "del range 7 8 ;", given=2, conclusion=END)
    (tmp_path / "p.opb").write_text(PROBLEM)
    (tmp_path / "p.pbp").write_text(proof)
    checked = check_answer(tmp_path / "p.opb", tmp_path / "p.pbp", external=False)
    assert checked.status == "OPTIMUM FOUND"
    assert checked.as_json()["checkers"] == 1
    assert "one checker followed it" in checked.sentence()
    (tmp_path / "p.pbp").write_text(proof.replace("del range 7 8 ;", ""))
    assert check_answer(tmp_path / "p.opb", tmp_path / "p.pbp").as_json()["checkers"] == 2
