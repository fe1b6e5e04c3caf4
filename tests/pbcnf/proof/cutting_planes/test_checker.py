"""What each rule of the checker allows and refuses; how formulas and older syntax are read."""

from __future__ import annotations

import io

import pytest

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.opb import write_opb
from pbcnf.proof.cutting_planes import Inequality, ProofError, check_proof
from pbcnf.proof.cutting_planes.formula import read_formula
from pbcnf.proof.cutting_planes.statements import OLDER, older_syntax
from tests.oracles import assignments, true_literals

TWO_OF_THREE = "* #variable= 4 #constraint= 1\n1 x1 1 x2 1 x3 >= 2 ;\n"
FOOT = "output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"


def check(lines: str, formula: str = TWO_OF_THREE, version: str = "3.0", foot: str = FOOT):
    head = f"pseudo-Boolean proof version {version}\n"
    return check_proof(formula.encode(), f"{head}{lines}\n{foot}".encode())


def last(lines: str, formula: str = TWO_OF_THREE) -> Inequality:
    constraints = check(lines, formula).constraints
    found: Inequality = constraints[max(constraints)]
    return found


@pytest.mark.parametrize(
    ("operations", "terms", "degree"),
    [("1", {1: 1, 2: 1, 3: 1}, 2), ("1 1 +", {1: 2, 2: 2, 3: 2}, 4), ("1 0 *", {}, 0),
     ("1 3 *", {1: 3, 2: 3, 3: 3}, 6), ("1 3 * 2 d", {1: 2, 2: 2, 3: 2}, 3),
     ("1 x1 5 * + s", {1: 2, 2: 1, 3: 1}, 2), ("1 ~x1 +", {2: 1, 3: 1}, 1),
     ("1 ~x1 3 * +", {-1: 2, 2: 1, 3: 1}, 1), ("1 x1 w", {2: 1, 3: 1}, 1),
     ("1 x4 w", {1: 1, 2: 1, 3: 1}, 2), ("1 x1 w x2 w s", {}, 0), ("x7", {7: 1}, 0),
     ("1 x1 w 100000000000000000000000000000000000000000 *", {2: 10**41, 3: 10**41}, 10**41)],
)  # fmt: skip
def test_operations_of_cutting_planes(operations, terms, degree) -> None:
    assert last(f"pol {operations} ;") == Inequality(terms, degree)


@pytest.mark.parametrize(
    ("operations", "why"),
    [("", "leave 0 constraints"), ("1 1", "leave 2 constraints"), ("1 +", "too little to work on"),
     ("+", "too little to work on"), ("3 *", "too little to work on"),
     ("s", "too little to work on"), ("2", "no constraint 2"), ("0", "no constraint 0"),
     ("-3", "no constraint -3"), ("1 0 d", "needs a positive number, not 0"),
     ("1 -2 d", "needs a positive number, not -2"), ("1 -2 *", "needs a positive number, not -2"),
     ("1 ~x1 w", "weakens a variable, not ~x1"), ("1 + d", "no integer"),
     ("1 2", "no constraint 2"), ("1 y", "'y' is no literal"), ("1 x0 w", "'x0' is no literal"),
     ("1 1_0 *", "no literal|no integer")],
)  # fmt: skip
def test_wrong_operations_are_refused_with_their_line(operations, why) -> None:
    with pytest.raises(ProofError, match=why) as error:
        check(f"f 1 ;\npol {operations} ;")
    assert (error.value.source, error.value.line) == ("proof.pbp", 3)
    assert str(error.value).startswith("proof.pbp:3: ")


@pytest.mark.parametrize(
    "line",
    ["rup 1 x1 1 x2 >= 1 ;", "rup 1 x1 1 x2 >= 1 : ~ 1 ;", "rup 1 x1 1 x2 >= 1 : 1 ~ ;",
     "rup 1 x1 1 x2 >= 1 : ~ -1 ;", "rup 2 x1 2 x2 >= 1;", "rup 1 ~x1 -1 x1 >= -1 ;",
     "rup >= 0 : ~ ;", "rup 1 x1 1 x2\n  1 x9 >= 1 % as before, and more\n : 1 ~ ;"],
)  # fmt: skip
def test_what_propagation_refutes_the_negation_of_is_added(line) -> None:
    assert len(check(line).constraints) == 2


@pytest.mark.parametrize(
    ("line", "why"),
    [("rup 1 x1 >= 1 ;", "does not refute"), ("rup 1 x1 >= 1 : ~ 1 ;", "does not refute"),
     ("rup 1 x1 1 x2 >= 2 ;", "does not refute"), ("rup 1 x1 1 ~x2 >= 1 ;", "does not refute"),
     ("rup 1 x1 1 x2 >= 1 : 1 ;", "does not refute"),
     ("rup 1 x1 1 x2 >= 1 : ~ ;", "does not refute"),
     ("rup 1 x1 1 x2 >= 1 : ;", "does not refute"), ("rup 1 x1 x2 >= 1 ;", "half a term"),
     ("rup 1 x1 1 x2 >= 1 : ~ 2 ;", "no constraint 2"), ("rup 1 x1 1 x2 1 ;", "needs '>='"),
     ("rup 1 x1 1 x2 >= 1 ~ 1 ;", "'~' where ':' should be"),
     ("rup 1 x1 1 x2 >= ;", "degree is missing"), ("rup 1 x1 1 x2 <= 1 ;", "needs '>='"),
     ("rup 1 x1 1 x2 >= x3 ;", "'x3' is no integer"), ("rup 1 x1 1 x٢ >= 1 ;", "not ASCII")],
)  # fmt: skip
def test_what_propagation_does_not_refute_is_not(line, why) -> None:
    with pytest.raises(ProofError, match=why):
        check(line)


def test_propagation_goes_through_several_constraints_and_past_deleted_ones() -> None:
    chain = "1 ~x1 1 x2 >= 1 ;\n1 ~x2 1 x3 >= 1 ;\n1 ~x3 1 x4 >= 1 ;\n1 x1 >= 1 ;\n"
    assert last("rup 1 x4 >= 1 ;", chain) == Inequality({4: 1}, 1)
    assert last("rup 1 x4 >= 1 : ~ 4 1 2 3 ;", chain) == Inequality({4: 1}, 1)
    with pytest.raises(ProofError, match="does not refute"):
        check("rup 1 x4 >= 1 : ~ 4 1 3 ;", chain)
    derived = "rup 1 x1 1 x2 >= 1 ;\npol 2 x1 w ;\ndel id 2 ;\n"
    for line in ("pol 2 ;", "rup 1 x1 1 x2 >= 1 : ~ 2 ;", "e 1 x1 1 x2 >= 1 : 2 ;", "del id 2 ;"):
        with pytest.raises(ProofError, match="no constraint 2"):
            check(derived + line)


def test_constraints_of_the_formula_stay() -> None:
    for line in ("del id 1 ;", "del range 1 2 ;", "del range -5 9 ;"):
        with pytest.raises(ProofError, match="constraint 1 of the formula cannot be deleted"):
            check(line)
    constraints = check("pol 1 ;\npol 1 ;\npol 1 ;\ndel range 2 4 ;").constraints
    assert sorted(constraints) == [1, 4]
    with pytest.raises(ProofError, match="'del' needs 'id'"):
        check("del spec 1 x1 1 x2 1 x3 >= 2 ;")


ITSELF = "need not satisfy the constraint itself"
DEFINITION = "red 1 x5 1 ~x1 1 ~x2 >= 1 : x5 -> 1 ;\nred 2 ~x5 1 x1 1 x2 >= 2 : x5 -> 0 ;\n"


def test_a_fresh_variable_may_be_defined_in_both_directions() -> None:
    constraints = check(DEFINITION).constraints
    assert constraints[2] == Inequality({5: 1, -1: 1, -2: 1}, 1)
    assert constraints[3] == Inequality({-5: 2, 1: 1, 2: 1}, 2)
    assert len(check("red 1 x5 1 x1 >= 1 : x5 ~x1 ;").constraints) == 2
    assert len(check("red 1 x5 1 x6 >= 1 : x5 1 x6 0 ;").constraints) == 2


@pytest.mark.parametrize(
    ("line", "why"),
    [("red 1 x1 >= 1 : x1 -> 1 ;", "maps x1, a variable of the formula"),
     ("red 1 x4 >= 1 : x4 -> 1 ;", "maps x4, a variable of the formula"),
     ("red 1 x5 1 x4 >= 1 : x5 -> 1 x4 -> 1 ;", "maps x4, a variable of the formula"),
     ("red 1 x5 1 x1 >= 1 : x5 -> 0 ;", ITSELF), ("red 1 x5 1 x1 >= 1 : x6 -> 1 ;", ITSELF),
     ("red 1 x5 1 x1 >= 1 ;", ITSELF), ("red 1 x5 1 x1 >= 1 : x5 -> x4 ;", ITSELF),
     ("red 1 x1 -1 x1 1 x2 >= 1 : x5 -> 1 ;", ITSELF), ("red 1 x5 >= 1 ; x5 -> 1 ;", ITSELF),
     (DEFINITION + "red 1 x5 >= 1 : x5 -> 1 ;", "need not satisfy 2 ~x5 1 x1 1 x2 >= 2"),
     (DEFINITION + "red 1 ~x5 >= 1 : x5 -> 0 ;", "need not satisfy 1 x5 1 ~x1 1 ~x2 >= 1"),
     (DEFINITION + "red 1 ~x5 1 ~x3 >= 1 : x5 -> 0 ;", "need not satisfy 1 x5"),
     ("red 1 x5 >= 1 : x5 -> 1 x5 -> 0 ;", "each once, but has x5"),
     ("red 1 x5 >= 1 : ~x5 -> 0 ;", "each once, but has ~x5"),
     ("red 1 x5 >= 1 : x5 -> ;", "pairs of a variable"),
     ("red 1 x5 >= 1 : x5 -> 2 ;", "'2' is no literal")],
)  # fmt: skip
def test_a_variable_that_is_not_fresh_or_a_wrong_witness_is_refused(line, why) -> None:
    with pytest.raises(ProofError, match=why):
        check(line)


def test_an_input_nothing_mentions_is_an_input_if_it_is_declared() -> None:
    line = "red 1 x4 >= 1 : x4 -> 1 ;"
    with pytest.raises(ProofError, match="a variable of the formula"):
        check(line)
    assert check(line, TWO_OF_THREE.replace("= 4", "= 3")).clauses() == {frozenset({4})}


def test_equal_constraints_are_equal_in_normal_form() -> None:
    check("e -1 ~x1 1 x2 +1 x3 >= 1 : 1 ;\ne 1 x3 1 x1 1 x2 >= 2 : -1;")
    for line in ("e 1 x1 1 x2 >= 2 : 1 ;", "e 1 x1 1 x2 1 x3 >= 1 : 1 ;"):
        with pytest.raises(ProofError, match="constraint 1 is another one: 1 x1 1 x2 1 x3 >= 2"):
            check(line)
    check("e 1 x1 1 x2 1 x3 >= 2 ;\nrup 1 x2 1 x3 >= 1 ;\ne 1 x2 1 x3 >= 1 ;")
    with pytest.raises(ProofError, match="no constraint is this one"):
        check("e 1 x1 1 x2 1 x3 >= 1 ;")
    with pytest.raises(ProofError, match="'1 1' is no integer"):
        check("e 1 x1 1 x2 1 x3 >= 1 : 1 1 ;")


def test_integers_of_any_size_are_computed_and_large_ones_not_shown() -> None:
    large = "1" + "0" * 3999
    lines = f"pol 1 {large} * {large} * ;\npol 2 {large} d {large} d ;\n"
    check(lines + "e 1 x1 1 x2 1 x3 >= 2 : 3 ;")
    with pytest.raises(ProofError, match=r"another one: \(a large number\) x1"):
        check(lines + "e 1 x1 1 x2 1 x3 >= 2 : 2 ;")
    with pytest.raises(ProofError, match="no integer of at most 4000 digits"):
        check(f"pol 1 {large}0 * ;")


def test_numbers_grow_no_further_than_is_allowed() -> None:
    large = "9" * 4000
    # Without a limit this takes minutes: three thousand factors, twelve million characters.
    with pytest.raises(ProofError, match="2: weights or degrees of more than 16000 digits"):
        check("pol 1" + f" {large} *" * 3000 + " ;")
    doubled = "".join(f"pol {n} {n} + ;\n" for n in range(2, 60_000))
    with pytest.raises(ProofError, match="weights or degrees of more than 16000 digits"):
        check("pol 1 ;\n" + doubled)
    proof = f"pseudo-Boolean proof version 3.0\npol 1 1000 * 1000 * ;\n{FOOT}".encode()
    assert check_proof(TWO_OF_THREE.encode(), proof, most_digits=7).constraints
    with pytest.raises(ProofError, match="weights or degrees of more than 5 digits"):
        check_proof(TWO_OF_THREE.encode(), proof, most_digits=5)


def test_a_refutation_is_concluded_only_from_a_contradiction() -> None:
    both = "1 x1 1 x2 >= 1 ;\n1 x1 1 x2 <= 0 ;\n"
    foot = FOOT.replace("conclusion NONE", "conclusion UNSAT : {}")
    assert check("pol 1 2 + ;", both, foot=foot.format(3)).refuted
    assert check("rup >= 1 ;", both, foot=foot.format(-1)).refuted
    assert not check("pol 1 2 + ;", both).refuted
    assert frozenset() in check("pol 1 2 + ;", both).clauses()
    with pytest.raises(ProofError, match="constraint 2 can be satisfied"):
        check("pol 1 2 + ;", both, foot=foot.format(2))


@pytest.mark.parametrize(
    ("foot", "why"),
    [("", "cut off"), ("output NONE ;\nconclusion NONE ;\n", "cut off"),
     ("output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof\n", "no ';' at its end"),
     ("output NONE ;\nend pseudo-Boolean proof ;\n", "each once"),
     ("conclusion NONE ;\n", "each once"), ("output NONE ;\npol 1 ;\n", "each once"),
     (FOOT + "pol 1 ;\n", "each once"),
     ("output DERIVABLE FILE ;\n", "only 'output NONE'"),
     ("output NONE ;\nconclusion SAT ;\n", "a conclusion is one of NONE, UNSAT : id"),
     ("output NONE ;\nconclusion UNSAT ;\n", "a conclusion is one of NONE, UNSAT : id"),
     ("output NONE ;\nconclusion NONE ;\nend proof ;\n", "the end must be")],
)  # fmt: skip
def test_a_proof_without_its_end_is_no_proof(foot, why) -> None:
    with pytest.raises(ProofError, match=why):
        check("pol 1 ;", foot=foot)


@pytest.mark.parametrize(
    ("text", "why"),
    [(b"", "1: the first line must be"),
     (b"pseudo-Boolean proof version 1.2\n", "version 1.2 is not read, only 3.0 and 2.0"),
     (b"pseudo-Boolean proof version 3.0\nf 2 ;\n", "2: the formula has 1 constraints"),
     (b"pseudo-Boolean proof version 3.0\nf ;\n", "2: the formula has 1 constraints"),
     (b"pseudo-Boolean proof version 3.0\n\nsol x1 ;\n", "3: there is no rule 'sol'"),
     (b"pseudo-Boolean proof version 3.0\n;\n", "2: an empty statement")],
)  # fmt: skip
def test_what_is_no_proof_of_a_known_version_is_refused(text, why) -> None:
    with pytest.raises(ProofError, match=why):
        check_proof(TWO_OF_THREE.encode(), text)


def test_version_2_ends_statements_with_their_line() -> None:
    foot = FOOT.replace(" ;", "")
    lines = (
        "* a comment\nf 1\nred 1 x5 1 x1 >= 1 ; x5 -> 1\nrup 1 x1 1 x2 >= 1 ;\n"
        "rup 1 x1 1 x3 >= 1 ; 1 ~\npol 1 x1 w\ne 1 x2 1 x3 >= 1 ; 5\ndel id 5\n"
        "u 1 x1 1 x2 >= 1 ;\np 1\nd 6"
    )
    assert sorted(check(lines, version="2.0", foot=foot).constraints) == [1, 2, 3, 4, 7]
    for short in ("p 1 ;", "u 1 x1 1 x2 >= 1 ;", "d 1 ;"):
        with pytest.raises(ProofError, match=f"there is no rule '{short[0]}'"):
            check(short)
    with pytest.raises(ProofError, match="the ';' behind the constraint is missing"):
        check("rup 1 x1 1 x2 >= 1", version="2.0", foot=foot)
    with pytest.raises(ProofError, match="only 'output NONE'"):
        check(lines, version="2.0")
    with pytest.raises(ProofError, match="':' where ';' should be"):
        check("rup 1 x1 1 x2 >= 1 : ~ 1", version="2.0", foot=foot)


def test_what_was_derived_is_compared_with_clauses() -> None:
    derived = check("rup 1 x1 1 x2 >= 1 ;\nrup 3 x1 3 x3 >= 1 ;")
    assert derived.clauses() == {frozenset({1, 2}), frozenset({1, 3})}
    assert derived.first_underived([[2, 1], [3, 1]]) is None
    assert derived.first_underived([[2, 1], [2, 3], [1]]) == 1


@pytest.mark.parametrize("byte", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\r"])
def test_only_blanks_and_tabs_are_between_words(byte: str) -> None:
    with pytest.raises(ProofError, match=f"formula.opb:2: byte 0x{ord(byte):02x}: only blanks"):
        check("", TWO_OF_THREE.replace("1 x1", f"1{byte}x1"))
    with pytest.raises(ProofError, match=f"proof.pbp:3: byte 0x{ord(byte):02x}: only blanks"):
        check(f"pol 1 ;\npol{byte}1 ;")
    assert check("pol\t1 ;\r\n", TWO_OF_THREE.replace("\n", "\r\n"))


@pytest.mark.parametrize(
    ("text", "constraints"),
    [("+1 x1 -2 ~x2 >= 1 ;", [Inequality({1: 1, 2: 2}, 3)]),
     ("1 x1 1 x2 <= 1;", [Inequality({-1: 1, -2: 1}, 1)]),
     ("1 x1 1 x2 = 1 ;", [Inequality({1: 1, 2: 1}, 1), Inequality({-1: 1, -2: 1}, 1)]),
     ("1 x1 1 ~x1 1 x2 >= 1 ;", [Inequality({2: 1}, 0)]),
     ("1 x1 1 x1 0 x2 >= -3 ;", [Inequality({1: 2}, -3)]), (">= 1 ;", [Inequality({}, 1)]),
     ("1 x1\n  1 x2\n>= 1 ; 1 x3 >=1;", [Inequality({1: 1, 2: 1}, 1), Inequality({3: 1}, 1)]),
     ("* a comment ;\n\n", [])],
)  # fmt: skip
def test_constraints_are_read_in_normal_form(text, constraints) -> None:
    assert read_formula(text.encode()).constraints == constraints


def test_declared_variables_are_variables_of_the_formula() -> None:
    assert read_formula(b"* #variable= 9 #constraint= 1\n1 x3 >= 1 ;\n").variables == 9
    assert read_formula(b"* #variable= 2 #constraint= 1\n1 x3 >= 1 ;\n").variables == 3
    assert read_formula(b"1 x3 >= 1 ;\n* #variable= 9\n").variables == 3


def test_what_our_writer_writes_is_read_as_it_was_meant() -> None:
    constraints = (
        Cardinality([1, -2, 3], 1, 2),
        Cardinality([1, 2], 1, 1),
        PseudoBoolean([1, 2, -3], [2, -3, 10**30], upper=4),
    )
    stream = io.BytesIO()
    write_opb(Problem(3, constraints), stream)
    formula = read_formula(stream.getvalue())
    for bits in assignments(3):
        model = true_literals(bits)
        holds = [
            sum(weight for lit, weight in read.terms.items() if lit in model) >= read.degree
            for read in formula.constraints
        ]
        meant = [constraint.holds(model) for constraint in constraints]
        assert [all(holds[0:2]), all(holds[2:4]), holds[4]] == meant


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [("min: 1 x1 ;\n1 x1 >= 1 ;", 1, "objective"), ("1 x1 >= 1", 1, "no ';' at its end"),
     ("\n1 x1\n>= ;", 2, "a constraint ends with"), ("1 x1 > 1 ;", 1, "a constraint ends with"),
     ("1 x1 1 >= 1 ;", 1, "half a term"), ("1 x1 1 y >= 1 ;", 1, "'y' is no literal"),
     ("1.5 x1 >= 1 ;", 1, "'1.5' is no integer"), ("1 x1 >= 1_0 ;", 1, "'1_0' is no integer"),
     (f"1 x1 >= {'9' * 5000} ;", 1, "at most 4000 digits"),
     ("1 x1 1 x\u0662 >= 1 ;", 1, "not ASCII"), ("1 x1 >= 1 ;;", 1, "a constraint ends with")],
)  # fmt: skip
def test_what_is_no_formula_is_refused_with_its_line(text, line, why) -> None:
    with pytest.raises(ProofError, match=why) as error:
        read_formula(text.encode(), "board.opb")
    assert (error.value.source, error.value.line) == ("board.opb", line)


FORMULA = b"* #variable= 3 #constraint= 3\n1 x1 1 x2 1 x3 = 2 ;\n1 ~x1 1 ~x2 1 ~x3 >= 2 ;\n"
STEPS = [
    "f 3 ;", "red 2 x4 1 ~x2 1 ~x3 >= 2 : x4 -> 1 ;", "red 1 ~x4 1 x2 1 x3 >= 1 : x4 -> 0 ;",
    "rup 1 ~x2 1 x4 >= 1 : ~ 4 ; % a comment", "pol 1 3 + ;", "e >= 1 : 7 ;", "del id 4 6 ;",
    "rup 1 x1 >= 1 ;",
]  # fmt: skip
FOOTER = ["output NONE ;", "conclusion UNSAT : 7 ;", "end pseudo-Boolean proof ;"]


def proof(steps: list[str]) -> bytes:
    return "\n".join(["pseudo-Boolean proof version 3.0", *steps, ""]).encode()


def test_each_rule_is_written_as_version_2_0_has_it() -> None:
    assert older_syntax(proof([*STEPS, *FOOTER]), "2.0").decode().splitlines() == [
        "pseudo-Boolean proof version 2.0", "f 3", "red 2 x4 1 ~x2 1 ~x3 >= 2 ; x4 -> 1",
        "red 1 ~x4 1 x2 1 x3 >= 1 ; x4 -> 0", "rup 1 ~x2 1 x4 >= 1 ;", "pol 1 3 +", "e >= 1 ; 7",
        "del id 4 6", "rup 1 x1 >= 1 ;", "output NONE", "conclusion UNSAT : 7",
        "end pseudo-Boolean proof",
    ]  # fmt: skip


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
