"""The second checker of derivations: what it refuses by itself, without the first."""

import pytest

from satsweeper.checker.derivation_recheck import recheck_derivation
from satsweeper.checker.errors import WrongCertificateError

PROBLEM = "* #variable= 3 #constraint= 1\nmin: +1 x1 ;\n+1 x1 +1 ~x2 +1 x3 >= 2 ;\n"
DEFINED = ["red 2 x4 1 ~x1 1 x2 >= 2 : x4 -> 1 ;", "red 1 ~x4 1 x1 1 ~x2 >= 1 : x4 -> 0 ;"]


def proof(*steps: str, rows: int = 1) -> str:
    begin = ["pseudo-Boolean proof version 3.0", f"f {rows} ;"]
    end = ["output NONE ;", "conclusion NONE ;", "end pseudo-Boolean proof ;", ""]
    return "\n".join([*begin, *steps, *end])


def left(*steps: str) -> list[frozenset[int] | None]:
    return recheck_derivation(PROBLEM, proof(*steps), 3, "p.pbp")


def test_what_is_left_are_the_clauses_in_order():
    steps = [*DEFINED, "rup 1 x4 1 x3 >= 1 : ~ 1 2 ;", "rup 1 x1 1 x3 >= 1 : ~ 1 ;"]
    assert left(*steps, "del id 2 3 ;") == [frozenset({4, 3}), frozenset({1, 3})]


def test_an_inequality_that_is_no_clause_is_left_as_none():
    assert left("pol 1 x1 + ;") == [None]


def test_division_rounds_up_and_saturation_keeps_the_integer_points():
    # 2x + 2y + 2z' >= 3 is x + y + z' >= 2.
    problem = "+2 x1 +2 x2 -2 x3 >= 1 ;\n"
    steps = ["pol 1 2 d ;", "pol 1 s ;", "rup 1 x1 1 x2 >= 1 : ~ 2 ;", "del id 2 3 ;"]
    found = recheck_derivation(problem, proof(*steps), 3, "p.pbp")
    assert found == [frozenset({1, 2})]


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        (["red 1 x1 >= 1 : x1 -> 1 ;"], "x1 is a variable of the problem"),
        (["red 1 x4 1 x1 >= 1 : x4 -> 0 ;"], "the witness does not satisfy the constraint"),
        (["red 1 x4 1 x1 >= 1 : x4 -> 1 x5 -> 0 ;"], "a witness is one variable and its value"),
        ([DEFINED[0], "red 1 ~x4 1 x1 >= 1 : x4 -> 0 ;"], "not its other half"),
        ([DEFINED[0], "red 2 ~x4 1 x1 1 ~x2 >= 2 : x4 -> 0 ;"], "leaves no value for x4"),
        (["rup 1 x1 >= 1 : ~ 1 ;"], "the clause does not follow"),
        (["rup 1 x1 1 x3 >= 1 : 1 ;"], "the negation is not among the hints"),
        (["rup 1 x1 1 x3 >= 1 : ~ 7 ;"], "7"),
        (["rup 1 x1 1 x3 >= 2 : ~ 1 ;"], "is no clause"),
        (["del id 1 ;"], "constraint 1 is the problem's"),
        (["del range 1 3 ;"], "only constraints by their numbers are deleted"),
        (["e 1 x1 >= 1 : 1 ;"], "no step of a derivation: e"),
    ],
)
def test_a_step_that_is_not_sound_is_refused(steps, fault):
    with pytest.raises(WrongCertificateError, match=r"^p.pbp: line \d+: followed again: ") as found:
        left(*steps)
    assert fault in str(found.value)


def test_a_proof_that_is_cut_off_or_goes_on_is_refused():
    whole = proof(*DEFINED)
    with pytest.raises(WrongCertificateError, match="the end is missing"):
        recheck_derivation(PROBLEM, whole.replace("end pseudo-Boolean proof ;\n", ""), 3, "p.pbp")
    with pytest.raises(WrongCertificateError, match="nothing may follow the end"):
        recheck_derivation(PROBLEM, whole + "del id 2 ;\n", 3, "p.pbp")
    with pytest.raises(WrongCertificateError, match="the problem's rows are 1"):
        recheck_derivation(PROBLEM, proof(rows=2), 3, "p.pbp")
