"""LIDRUP: cores and lemmas against all assignments, and what is out of turn."""

import random
from itertools import product

import pytest

from pbcnf.proof import LidrupChecker, ProofFormatError

INPUTS = ["i 1 1 2 0", "i 2 -1 2 0"]


def events(*lines: str) -> list[str]:
    found = LidrupChecker().events(line.encode() for line in ("p lidrup", *lines))
    return [event.kind for event in found]


def test_a_clause_that_is_set_aside_counts_again_once_it_is_taken_back() -> None:
    core = ["q -2 0", "s UNSATISFIABLE", "u -2 0 1 2 0"]
    assert events(*INPUTS, "w 1 0", "r 1 0", *core) == ["i", "i", "u"]
    with pytest.raises(ProofFormatError, match="lidrup:7: the core: hint 1 names no clause"):
        events(*INPUTS, "w 1 0", *core)


def test_a_model_is_held_to_inputs_that_were_deleted() -> None:
    with pytest.raises(ProofFormatError, match="the model violates input clause '-1 2'"):
        events(*INPUTS, "d 2 0", "q 1 0", "s SATISFIABLE", "m 1 -2 0")


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["i 1 3 0"], "4: clause 1 is there already"),
        (["i -1 3 0"], "4: an identifier above 0 comes first"),
        (["d 7 0"], "4: no clause 7 is there"),
        (["r 1 0"], "4: no clause 1 is set aside"),
        (["q 1 0", "i 3 1 0"], "5: an input before the query has its answer"),
        (["q 1 0", "s SATISFIABLE", "u 1 0 1 0"], "6: 'u', but the query awaits its 'm'"),
        (["q 1 0", "m 1 2 0"], "5: 'm' answers no query"),
        (["s SATISFIABLE"], "4: an answer to no query"),
        (["q 1 0", "s SATISFIABLE", "m 1 -1 2 0"], "6: the model has a literal and its opposite"),
        (["q 1 2"], "4: 'q' has a 0 once, at the end"),
        (["l 3 2 0"], "4: 'l' has a 0 twice, at the end"),
        (["x 1 0"], "4: no line of LIDRUP: 'x 1 0'"),
        (["q 1\x0b2 0"], "4: only blanks and tabs are between words"),
        (["q one 0"], "4: 'one' is no integer"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(lines: list[str], fault: str) -> None:
    with pytest.raises(ProofFormatError) as caught:
        events(*INPUTS, *lines)
    assert str(caught.value).startswith(f"lidrup:{fault}")


def test_the_first_line_is_the_header() -> None:
    with pytest.raises(ProofFormatError, match="lidrup:1: expected 'p lidrup', not 'i 1 1 0'"):
        list(LidrupChecker().events([b"i 1 1 0"]))


def test_an_unknown_answer_leaves_the_query_behind() -> None:
    assert events(*INPUTS, "q 1 0", "s UNKNOWN", "i 3 1 0") == ["i", "i", "i"]


def implied(inputs: list[list[int]], clause: list[int], variables: int) -> bool:
    return all(
        any((lit > 0) is bits[abs(lit) - 1] for lit in clause)
        for bits in product((False, True), repeat=variables)
        if all(any((lit > 0) is bits[abs(lit) - 1] for lit in one) for one in inputs)
    )


@pytest.mark.parametrize("seed", range(4))
def test_whatever_hints_are_given_what_is_accepted_is_implied(seed: int) -> None:
    rnd = random.Random(seed)
    accepted = 0
    for _ in range(500):
        inputs = [rnd.sample([1, -1, 2, -2, 3, -3, 4, -4], rnd.randint(1, 2)) for _ in range(7)]
        checker = LidrupChecker()
        told = [f"i {n} {' '.join(map(str, one))} 0" for n, one in enumerate(inputs, 1)]
        list(checker.events(line.encode() for line in ("p lidrup", *told)))
        for number in range(8, 14):
            clause = rnd.sample([1, -1, 2, -2, 3, -3, 4, -4], rnd.randint(0, 2))
            hints = rnd.sample(range(1, number), rnd.randint(1, 4))
            line = f"l {number} {' '.join(map(str, clause))} 0 {' '.join(map(str, hints))} 0"
            try:
                list(checker.events([line.replace("  ", " ").encode()]))
            except ProofFormatError:
                break
            accepted += 1
            assert implied(inputs, clause, 4)
    assert accepted > 20
