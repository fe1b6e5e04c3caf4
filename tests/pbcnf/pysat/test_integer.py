"""PySAT's integers over our encoders: their solutions are those of trying every value."""

import pickle
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import IDPool
from pysat.solvers import Solver

from pbcnf.pysat import card, pb
from pbcnf.pysat.formulas import NoSuchEncodingError
from pbcnf.pysat.integer import Integer, IntegerEngine, LinearExpr
from tests.commands import python

ENDS = ((-1, 2), (0, 3), (2, 4), (1, 1))
INTEGER_ENCODINGS = [*range(6), *range(7, 10), None, "adder", "decision_diagram"]
WEIGHTS = st.tuples(*[st.integers(-3, 3)] * len(ENDS)).filter(lambda weights: any(weights[:3]))
"""Not 0 for all that have more than one value: PySAT fails over a sum of no literals."""
ROWS = st.lists(
    st.tuples(WEIGHTS, st.sampled_from(["<=", ">=", "==", "!="]), st.integers(-12, 12)),
    min_size=1,
    max_size=3,
)
HOLDS = {
    "<=": lambda value, bound: value <= bound,
    ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: value == bound,
    "!=": lambda value, bound: value != bound,
}


def engine_of(encodings):
    pool = IDPool()
    integers = [
        Integer(f"x{i}", *ends, encoding=encoding, vpool=pool)
        for i, (ends, encoding) in enumerate(zip(ENDS, encodings, strict=True))
    ]
    return IntegerEngine(integers, vpool=pool), integers, pool


def summed(weights, values):
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def solutions(clauses, engine, integers):
    """Every solution once: each model is excluded by the values it stands for."""
    found = []
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        while solver.solve():
            values = engine.decode_model(solver.get_model(), vars=integers)
            found.append(tuple(values[each] for each in integers))
            solver.add_clause([-lit for lit in engine.encode_model(values, vars=integers)])
    return sorted(found)


@settings(max_examples=250, deadline=None)
@given(
    st.tuples(*[st.sampled_from(["direct", "order", "coupled"])] * len(ENDS)),
    ROWS,
    st.sampled_from(INTEGER_ENCODINGS),
    st.sampled_from([card.EncType.seqcounter, card.EncType.kmtotalizer, "adder"]),
    st.booleans(),
)
def test_sums_of_integers_have_the_solutions_of_arithmetic(
    encodings, rows, intenc, cardenc, different
):
    engine, integers, pool = engine_of(encodings)
    different = different and "order" not in encodings[:3]  # PySAT has it for other encodings only
    if different:
        engine.add_alldifferent(integers[:3])
    for weights, sign, bound in rows:
        left = sum((w * x for w, x in zip(weights, integers, strict=True)), LinearExpr())
        engine.add_linear(HOLDS[sign](left, bound))
    clauses = engine.clausify(cardenc=cardenc, intenc=intenc).clauses
    assert solutions(clauses, engine, integers) == [
        values
        for values in product(*(range(least, most + 1) for least, most in ENDS))
        if all(HOLDS[sign](summed(weights, values), bound) for weights, sign, bound in rows)
        and (not different or len({*values[:3]}) == 3)
    ]
    # What the pool gives next is no variable of the clauses.
    assert all(abs(lit) < pool.id("next") for clause in clauses for lit in clause)


def test_literals_of_one_integer_are_known_to_exclude_each_other():
    """Clauses of the sum alone, 4 integers of 6 values: with groups fewer than by any encoder."""
    integers = [Integer(f"x{i}", 0, 5, encoding="direct") for i in range(4)]
    engine = IntegerEngine(integers)
    engine.add_linear(3 * integers[0] + 2 * integers[1] + integers[2] + integers[3] <= 11)
    sizes = [len(engine.clausify(intenc=each).clauses) for each in INTEGER_ENCODINGS]
    assert sizes[pb.EncType.best] == min(sizes)


@pytest.mark.parametrize("wrong", [10, -1, "native sums", "nothing"])
def test_an_encoding_that_there_is_not_is_refused(wrong):
    engine, (x, *_), _ = engine_of(["order"] * len(ENDS))
    engine.add_linear(x <= 1)
    with pytest.raises(NoSuchEncodingError):
        engine.clausify(intenc=wrong)


def test_integers_are_pickled_by_the_name_of_our_module():
    assert pickle.loads(pickle.dumps(Integer)) is Integer
    assert Integer.__module__ == "pbcnf.pysat.integer"


def test_pindakaas_is_not_needed_and_pysats_own_modules_stay_as_they_are():
    code = (
        "import sys; sys.modules['pindakaas'] = None\n"
        "import pysat.card\n"
        "from pbcnf.pysat.integer import *\n"
        "x = Integer('x', 0, 3); engine = IntegerEngine([x]); engine.add_linear(2 * x <= 3)\n"
        "assert engine.clausify().clauses\n"
        "assert not {'pysat.pb', 'pysat.integer'} & {*sys.modules}\n"
        "assert pysat.card.CardEnc.__module__ == 'pysat.card'\n"
        # A program that says `pysat` itself gets ours as well.
        "import pbcnf.pysat.pb, pbcnf.pysat.card, pbcnf.pysat.integer\n"
        "for name in ('pb', 'card', 'integer'):\n"
        "    sys.modules[f'pysat.{name}'] = sys.modules[f'pbcnf.pysat.{name}']\n"
        "from pysat.integer import IntegerEngine as theirs\n"
        "assert theirs is IntegerEngine\n"
    )
    ended = python("-c", code)
    assert ended.returncode == 0, ended.stderr
