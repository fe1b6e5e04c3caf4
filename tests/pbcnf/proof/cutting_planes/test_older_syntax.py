"""Proofs in the syntax of older versions: the same steps without hints, for who reads no other."""

from __future__ import annotations

import pytest

from pbcnf.proof.cutting_planes import ProofError, check_proof
from pbcnf.proof.cutting_planes.statements import OLDER, older_syntax

FORMULA = b"* #variable= 3 #constraint= 3\n1 x1 1 x2 1 x3 = 2 ;\n1 ~x1 1 ~x2 1 ~x3 >= 2 ;\n"
STEPS = [
    "f 3 ;",
    "red 2 x4 1 ~x2 1 ~x3 >= 2 : x4 -> 1 ;",
    "red 1 ~x4 1 x2 1 x3 >= 1 : x4 -> 0 ;",
    "rup 1 ~x2 1 x4 >= 1 : ~ 4 ; % a comment",
    "pol 1 3 + ;",
    "e >= 1 : 7 ;",
    "del id 4 6 ;",
    "rup 1 x1 >= 1 ;",
]
FOOTER = ["output NONE ;", "conclusion UNSAT : 7 ;", "end pseudo-Boolean proof ;"]


def proof(steps: list[str]) -> bytes:
    return "\n".join(["pseudo-Boolean proof version 3.0", *steps, ""]).encode()


def test_each_rule_is_written_as_version_2_0_has_it() -> None:
    assert older_syntax(proof([*STEPS, *FOOTER]), "2.0").decode().splitlines() == [
        "pseudo-Boolean proof version 2.0",
        "f 3",
        "red 2 x4 1 ~x2 1 ~x3 >= 2 ; x4 -> 1",
        "red 1 ~x4 1 x2 1 x3 >= 1 ; x4 -> 0",
        "rup 1 ~x2 1 x4 >= 1 ;",
        "pol 1 3 +",
        "e >= 1 ; 7",
        "del id 4 6",
        "rup 1 x1 >= 1 ;",
        "output NONE",
        "conclusion UNSAT : 7",
        "end pseudo-Boolean proof",
    ]


def test_version_1_2_has_a_contradiction_as_a_step_and_no_footer() -> None:
    steps = [*STEPS[:-1], "del range 4 6 ;", *FOOTER]
    assert older_syntax(proof(steps), "1.2").decode().splitlines()[6:] == [
        "e 7 >= 1 ;", "del id 4 6", "del id 4 5", "c 7 0",
    ]  # fmt: skip
    nothing = [STEPS[0], FOOTER[0], "conclusion NONE ;", FOOTER[2]]
    assert older_syntax(proof(nothing), "1.2").decode().splitlines()[1:] == ["f 3"]


def test_what_is_read_in_version_2_0_is_what_was_written_in_3_0() -> None:
    new = proof([*STEPS, *FOOTER])
    old = older_syntax(new, "2.0")
    assert old != new
    assert check_proof(FORMULA, old) == check_proof(FORMULA, new)
    assert check_proof(FORMULA, old).refuted


@pytest.mark.parametrize("version", OLDER)
def test_other_rules_and_versions_are_refused(version: str) -> None:
    with pytest.raises(ProofError, match="3: a statement of an unknown rule"):
        older_syntax(proof(["f 3 ;", "dom 1 x1 >= 1 : x1 -> 1 ;"]), version)
    with pytest.raises(ProofError, match=r"version 2\.0 is not converted, only 3\.0"):
        older_syntax(b"pseudo-Boolean proof version 2.0\nf 3\n", version)
    with pytest.raises(ValueError, match=r"no older version 0\.1, only 2\.0 and 1\.2"):
        older_syntax(proof(STEPS), "0.1")
