import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.formats.error import FormatError
from pbcnf.formats.problems import open_problem, read_problem, write_problem


def read(text):
    return read_problem(io.BytesIO(text if isinstance(text, bytes) else text.encode()), "f")


def test_clauses_counts_and_weighted_sums_are_read():
    text = (
        "c first\np cnf+ 4 5\n1 -2 0\n1 2 3 <= 2\nc var 1 a\n -1 2 -4>=1\n"
        "w 2*1 3*-4 -1*2 <= +3\r\n0\n"
    )
    found = read(text)
    assert (found.num_vars, found.names) == (4, {1: "a"})
    assert found.constraints == (
        Cardinality([1, -2], lower=1),
        Cardinality([1, 2, 3], upper=2),
        Cardinality([-1, 2, -4], lower=1),
        PseudoBoolean([1, -4, 2], [2, 3, -1], upper=3),
        Cardinality([], lower=1),
    )
    assert open_problem(lambda: io.BytesIO(text.encode())).format == "cnf+"


HEAD = "p cnf+ 3 1\n"
MALFORMED = {
    "no numbers in the header": ("p cnf+\n", "1:1: 'p cnf+' is no header"),
    "another header": (HEAD + HEAD, "2:1: 'p' is no literal, <= or >="),
    "a huge declared number": ("p cnf+ 99999999999 1\n", "1:8: 99999999999 variables: at most"),
    "no 0": (HEAD + "1 2\n", "2:3: the line has no 0, and no <= or >="),
    "no bound": (HEAD + "1 2 <=\n", "2:6: the bound is missing"),
    "a bound that is no number": (HEAD + "1 2 <= x", "2:8: 'x' is no integer bound"),
    "another relation": (HEAD + "1 2 = 1", "2:5: '=' is no literal, <= or >="),
    "two bounds": (HEAD + "1 2 >= 1 <= 2", "2:10: '<=' behind the bound: a line each"),
    "two clauses on a line": (HEAD + "1 0 2 0", "2:5: '2' behind the 0: a line each"),
    "a 0 behind the bound": (HEAD + "1 2 <= 1 0", "2:10: '0' behind the bound"),
    "a literal beyond the declared": (HEAD + "1 -4 <= 1", "2:3: literal -4: 3 variables are"),
    "the same in a weighted sum": (HEAD + "w 2*1 2*4 <= 1", "2:9: literal 4: 3 variables are"),
    "a weight without w": (HEAD + "2*1 2 <= 1", "2:1: '2*1' is no literal, <= or >="),
    "no weight behind w": (HEAD + "w 2*1 2 <= 1", "2:7: '2' is no term: after 'w' come WEIGHT*LIT"),
    "w in the middle": (HEAD + "1 w <= 1", "2:3: 'w' is no literal"),
    "a weight of 5000 digits": (HEAD + f"w {'9' * 5000}*1 <= 1", "2:3: an integer of more than"),
    "more than declared": (HEAD + "1 0\n 2 <= 1\n", "3:2: constraint 2, but 1 is declared"),
    "less than declared": ("p cnf+ 3 2\n1 0\n", " the file ends after 1 of 2 declared"),
}


@pytest.mark.parametrize(("text", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_text_is_refused_at_its_place(text, message):
    with pytest.raises(FormatError) as error:
        read(text)
    assert str(error.value).startswith(f"f:{message}")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40) | st.text("w*-0123 <=>c\n", max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(data):
    try:
        problem = read(b"p cnf+ 3 2\n" + data)
    except FormatError:
        return
    assert len(problem.constraints) == 2


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_is_written_has_the_same_models_here_and_in_pysat(make_instance, models_of, rng):
    formula = pytest.importorskip("pysat.formula")
    problem = make_instance(rng)
    stream = io.BytesIO()
    write_problem(problem, stream, "cnf+")
    expected = models_of(problem)
    assert models_of(read(stream.getvalue())) == expected
    theirs = formula.CNFPlus(from_string=stream.getvalue().decode())
    for bits in models_of(type(problem)(problem.num_vars, ())):
        model = {var if bit else -var for var, bit in enumerate(bits, start=1)}
        holds = all(model.intersection(clause) for clause in theirs.clauses) and all(
            sum(
                weight
                for lit, weight in zip(lits, *(rest or [[1] * len(lits)]), strict=True)
                if lit in model
            )
            <= bound
            for lits, bound, *rest in theirs.atmosts
        )
        assert holds == (bits in expected)
