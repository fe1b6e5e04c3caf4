"""The peers' own tests of their encodings, asked of every encoder of ours that can.

The tables in `tests/data/peers` hold facts of these tests: inputs, bounds, assumptions, answers,
numbers of models. Of these tests 36,319 checks applied to the 25 encoders there were when they were
first run through; here each is asked of every encoder that can, in two solvers or three, and of
counters as well: 230,465 checks. Each part says which tests of its peer do not apply.
"""

from math import comb

import pytest

from pbcnf import (
    ENCODERS,
    Cardinality,
    Counter,
    EncodingSize,
    Formula,
    PseudoBoolean,
    WeightedCounter,
    encode,
)
from tests.peers.suite import (
    Tally,
    among,
    bounds_of,
    clauses_of,
    constraint_of,
    facts,
    literals_of,
    live,
    live_through,
    meets,
    models_of,
    table_of,
)

PYSAT, PINDAKAAS, RUSTSAT = map(facts, ("pysat", "pindakaas", "rustsat"))


@pytest.fixture
def tally():
    return Tally()


# -- PySAT's own tests of its encodings, in its solvers.
#
# 3,625 checks applied to 25 encoders; 6,981 are made here: what follows under a condition is asked
# for every assignment. Not applicable: the clauses of one conditional bound, literal by literal,
# which are those of another encoding; tests of integer variables (29), formulas, clausification,
# `boolengine`, hitting sets, LSU, `process`, pools of names and unique MUSes, which have no
# counterpart here; tests of solvers (statistics, memory, propagation, warm starts) and of DIMACS.


def test_the_numbers_of_models_are_sums_of_binomials():
    for row in PYSAT["models"]:
        lower, upper = bounds_of(row)
        sums = range(lower or 0, upper + 1)
        assert row["models"] == sum(comb(row["inputs"], true) for true in sums), row


def test_a_bound_beyond_the_number_of_inputs_needs_no_clause(tally):
    row = PYSAT["beyond"]
    for encoder in ENCODERS:
        tally.check(clauses_of(row, encoder), row["clauses"], row["case"], encoder)
    tally.settle(test_atmost=26)


MODELS_OF_PYSAT = {"test_atmost1": 780, "test_atmostk": 1470, "test_equals1": 1560}
MODELS_OF_PINDAKAAS = {
    "bool_linear": 1126, "cardinality": 1308, "cardinality_one": 1092, "python": 278
}  # fmt: skip


@pytest.mark.parametrize(
    ("peer", "least"), [("pysat", MODELS_OF_PYSAT), ("pindakaas", MODELS_OF_PINDAKAAS)]
)
def test_every_constraint_has_as_many_models_as_it_should(peer, least, tally):
    told = facts(peer)
    for row in told["models"]:
        holds = meets(row)
        for encoder in ENCODERS:
            clauses = clauses_of(row, encoder)
            for solver in told["solvers"] if clauses is not None else ():
                found = models_of(row, holds, clauses, solver)
                part = row["case"].partition("::")[0]
                tally.check(found, row["models"], part, row["case"], encoder, solver, row)
    tally.settle(**least)


def test_a_weighted_bound_holds_under_its_condition_alone(tally):
    for row in PYSAT["conditional"]:
        case, condition = row["case"], row["when"]
        table = table_of(condition, implied(condition, meets(row)))
        for encoder in ENCODERS:
            clauses = clauses_of(row, encoder)
            if clauses is None:
                continue
            tally.check(clauses, row.get("clauses", clauses), case, encoder, row)
            for solver in PYSAT["solvers"]:
                with live(solver, condition, clauses) as (asked, _):
                    tally.truth_table(asked, [], table, case, encoder, solver, row)
    tally.settle(test_pbenc_conditional=2989)


def implied(condition, holds):
    return lambda true: condition not in true or holds(true)


def test_an_impossible_bound_makes_a_live_solver_unsatisfiable(tally):
    """PySAT hands the empty clause to a solver that has found a model: here a bound does."""
    for encoder in ENCODERS:
        for solver in PYSAT["empty_clause_solvers"]:
            with live(solver, 3, [[1, 2, 3]]) as (asked, sink):
                tally.check(asked.solve(), True, "test_empty_extclause", encoder, solver)
                encode(Cardinality([1, 2, 3], lower=4), sink, encoder)
                tally.check(asked.solve(), False, "test_empty_extclause", encoder, solver)
    tally.settle(test_empty_extclause=156)


# -- pindakaas' own tests of linear constraints.
#
# 49 constraints applied, 882 checks; here are 88 constraints and 3,804 checks: those that pindakaas
# only brings into a normal form are solved as well. Not applicable: groups of a sum (`choice`,
# `chain`, bounded logarithmic terms), with them `encoders` and seven cases of the aggregator;
# integers, propositional formulas, `sorted`; clauses compared literal by literal, printed
# expressions, and formulas that raise as soon as they are unsatisfiable.


def test_the_numbers_of_models_follow_from_a_plain_loop():
    for row in PINDAKAAS["models"]:
        lits = literals_of(row)
        if len(lits) <= 10:
            table = table_of(max(map(abs, lits), default=0), meets(row))
            assert row["models"] == sum(allowed for _, allowed in table), row
        else:
            # At most one of the 50 is true, or exactly one.
            assert "weights" not in row
            assert row["models"] == len(lits) + (row.get("at_most") == 1)


def test_an_encoder_of_at_most_one_refuses_a_weighted_sum():
    row = PINDAKAAS["refused"]
    with pytest.raises(ValueError, match="pairwise takes weights 1 only"):
        encode(constraint_of(row), Formula(num_vars=3), row["encoder"])


# -- RustSAT's own tests of at most one and of cardinality, asked of encoders and of counters.
#
# 1,075 checks of at most one applied to 25 encoders, 777 of cardinality to 3 counters; 2,418 and
# 4,260 are made here. Those add what was not applicable once: inputs added to a live counter
# (`test_inc_both`, `test_inc_ub`); and bounds go down as well as up. Not applicable: proofs of
# encodings (`cert`), the C interface with its sizes, and the tests of solvers, files and MaxSAT.


SOLVERS = ["minisat22", "cadical195"]
COUNTERS = {name: found for name, found in ENCODERS.items() if isinstance(found, Counter)}


class Plain:
    """A counter from nothing: bounds are built and inputs added as a case goes on."""

    def __init__(self, counter, sink):
        self.inputs = 0
        self.count = COUNTERS[counter].count([], 0, sink)

    def add(self, lits):
        self.count.add_inputs(lits)
        self.inputs += len(lits)

    def bounds(self, downto, upto):
        self.count.extend(upto, downto)

    def at_most(self, bound):
        return self.count.at_most(bound)

    def at_least(self, bound):
        return self.count.at_least(bound)


class Inverted(Plain):
    """At most k of n inputs as at least n - k of the negated ones, as RustSAT's simulator is."""

    def add(self, lits):
        super().add([-lit for lit in lits])

    def bounds(self, downto, upto):
        super().bounds(*sorted(max(self.inputs - bound, 0) for bound in (downto, upto)))

    def at_most(self, bound):
        return super().at_least(self.inputs - bound)

    def at_least(self, bound):
        return super().at_most(self.inputs - bound)


LIVES = [(life, counter) for life in (Plain, Inverted) for counter in COUNTERS]


def test_at_most_one_allows_what_its_truth_table_says(tally):
    for row in RUSTSAT["at_most_one"]:
        n = len(row["sat"][0])
        table = table_of(n, among(row["sat"], n))
        for encoder in ENCODERS:
            clauses = clauses_of({**row, "at_most": 1}, encoder)
            tally.check(clauses, row.get("clauses", clauses), "am1", row["case"], encoder)
            for solver in SOLVERS:
                with live(solver, n, clauses) as (asked, _):
                    case = row["case"], encoder, solver, row["lits"]
                    tally.truth_table(asked, [], table, "am1", *case)
    tally.settle(am1=2392)


def test_the_statistics_of_at_most_one_are_those_of_its_clauses(tally):
    for name, encoder in ENCODERS.items():
        formula = Formula(num_vars=3)
        encoder.encode([1, 2, 3], 0, 1, formula)
        emitted = EncodingSize(formula.num_vars - 3, formula.num_clauses, formula.num_literals)
        tally.check(encoder.size(3, 0, 1), emitted, "stats", name)
    tally.settle(stats=26)


def test_a_counter_lives_through_new_bounds_and_inputs(tally):
    for case, steps in RUSTSAT["card_steps"].items():
        for life, counter in LIVES:
            for solver in SOLVERS:
                with live(solver, 11) as (asked, sink):
                    total = life(counter, sink)
                    named = case, life.__name__, counter, solver
                    live_through(steps, total, asked, tally, "card", *named)
    tally.settle(card=228)


def test_a_counter_built_for_one_bound_counts_exactly(tally):
    row = RUSTSAT["card_min_enc"]
    n, bound = row["inputs"], row["exactly"]
    table = table_of(n, among(row["sat"], n))
    for life, counter in LIVES:
        for solver in SOLVERS:
            with live(solver, n) as (asked, sink):
                total = life(counter, sink)
                total.add([*range(1, n + 1)])
                total.bounds(bound, bound)
                assumed = total.at_least(bound) + total.at_most(bound)
                named = life.__name__, counter, solver
                tally.truth_table(asked, assumed, table, "min_enc", *named)
    tally.settle(min_enc=192)


@pytest.mark.parametrize("kind", ["at_most", "exactly"])
def test_bounds_of_a_counter_follow_each_other_up_and_down(tally, kind):
    n, bounds = RUSTSAT["card_exhaustive"]["inputs"], RUSTSAT["card_exhaustive"]["bounds"]
    for order in (bounds, bounds[::-1]):
        for life, counter in LIVES:
            for solver in SOLVERS:
                with live(solver, n) as (asked, sink):
                    total = life(counter, sink)
                    total.add([*range(1, n + 1)])
                    for bound in order:
                        total.bounds(bound, bound)
                        assumed = total.at_most(bound)
                        assumed += total.at_least(bound) if kind == "exactly" else []
                        row = {"inputs": n, kind: bound}
                        named = life.__name__, counter, solver, row
                        table = table_of(n, meets(row))
                        tally.truth_table(asked, assumed, table, "exhaustive", *named)
    tally.settle(exhaustive=1920)


# -- RustSAT's own tests of weighted sums, asked of every encoder that can, and of counters.
#
# 29,960 checks applied to 8 encoders; 213,002 are made here: by encoders under a literal a bound,
# by weighted counters, and by plain counters of repeated literals, increasing and decreasing for
# all weights. They add what was not applicable once: weighted inputs and bounds that change while
# solving (`test_inc_pb_ub`). The precision of RustSAT's watchdog has no counterpart: its cases are
# taken with the weights divided. Not applicable: proofs of encodings (`cert`).


WEIGHTED_COUNTERS = {
    name: found for name, found in ENCODERS.items() if isinstance(found, WeightedCounter)
}


class Encoded:
    """A weighted sum whose bounds are encoded one by one, each under a literal of its own."""

    def __init__(self, encoder, lits, weights, sink):
        self.terms, self.encoder, self.sink = (lits, weights), encoder, sink

    def bound(self, lower, upper):
        when = self.sink.new_var()
        try:
            encode(PseudoBoolean(*self.terms, lower, upper), self.sink, self.encoder, when=when)
        except ValueError:
            return None
        return [when]


class Counted:
    """A weighted sum whose bounds are those of a counter."""

    def __init__(self, encoder, lits, weights, sink):
        self.count = WEIGHTED_COUNTERS[encoder].count_weighted(lits, weights, sink)
        self.add = self.count.add_inputs
        self.at_most = self.count.at_most

    def bound(self, lower, upper):
        low = [] if lower is None else self.count.at_least(lower)
        return low + ([] if upper is None else self.at_most(upper))


class Repeated:
    """A weighted sum in a counter of literals, each as often as it weighs: RustSAT's simulator."""

    def __init__(self, encoder, lits, weights, sink):
        copies = [lit for lit, weight in zip(lits, weights, strict=True) for _ in range(weight)]
        self.count = COUNTERS[encoder].count(copies, 0, sink)

    def bound(self, lower, upper):
        asked = [bound for bound in (lower, upper) if bound is not None]
        self.count.extend(max(asked), min(asked))
        low = [] if lower is None else self.count.at_least(lower)
        return low + ([] if upper is None else self.count.at_most(upper))


def sums_of(weights):
    """Every way to bound such a sum, and whose. Of 1,580 copies a counter would take seconds."""
    yield from ((Encoded, name) for name in ENCODERS)
    yield from ((Counted, name) for name in WEIGHTED_COUNTERS)
    if sum(weights) <= 100:
        yield from ((Repeated, name) for name in COUNTERS)


def check_tables(tally, part, rows):
    """Bound one sum in live solvers as each row says, and ask for the whole truth table."""
    lits = literals_of(rows[0])
    tables = [table_of(len(lits), meets(row)) for row in rows]
    for way, encoder in sums_of(rows[0]["weights"]):
        for solver in SOLVERS:
            with live(solver, len(lits)) as (asked, sink):
                total = way(encoder, lits, rows[0]["weights"], sink)
                for row, table in zip(rows, tables, strict=True):
                    assumed = total.bound(*bounds_of(row))
                    if assumed is not None:
                        named = part, way.__name__, encoder, solver, row
                        tally.truth_table(asked, assumed, table, *named)


def test_a_bound_allows_what_its_truth_table_says(tally):
    for row in RUSTSAT["pb"]:
        n = len(row["weights"])
        row["inputs"] = n
        published = table_of(n, among(row["sat"], n))
        assert table_of(n, meets(row)) == published
        check_tables(tally, row["case"], [row])
    tally.settle(eq=240, min_enc=240)


def test_every_upper_bound_of_a_sum_in_a_live_solver_up_and_down(tally):
    for weights in RUSTSAT["pb_exhaustive"]:
        rows = [{"inputs": 4, "weights": weights, "at_most": k} for k in range(sum(weights) + 1)]
        check_tables(tally, "increasing", rows)
        check_tables(tally, "decreasing", rows[::-1])
    tally.settle(increasing=91232, decreasing=91232)


def test_every_upper_bound_of_weights_that_were_divided(tally):
    given = RUSTSAT["pb_precision"]
    for divisor in given["divisors"]:
        weights = [weight // divisor for weight in given["weights"]]
        rows = [{"inputs": 4, "weights": weights, "at_most": k} for k in range(sum(weights) + 1)]
        check_tables(tally, "precision", rows)
        check_tables(tally, "precision", rows[::-1])
    tally.settle(precision=29248)


def test_bounds_beside_hard_clauses_are_answered_as_published(tally):
    for row in RUSTSAT["pb_asked"]:
        for way, encoder in sums_of(row["weights"]):
            for solver in SOLVERS:
                with live(solver, 30, row.get("clauses", [])) as (asked, sink):
                    total = way(encoder, row["lits"], row["weights"], sink)
                    for kind, bound, expected in row["asked"]:
                        assumed = total.bound(*bounds_of({kind: bound}))
                        if assumed is not None:
                            bits = enumerate(row.get("assumed", ""), start=1)
                            assumed += [var if bit == "1" else -var for var, bit in bits]
                            found = asked.solve(assumptions=assumed)
                            named = row["case"], way.__name__, encoder, solver, kind, bound
                            tally.check(found, expected, "asked", *named)
    tally.settle(asked=762)


def test_a_weighted_counter_lives_through_new_bounds_and_inputs(tally):
    for case, steps in RUSTSAT["pb_steps"].items():
        for encoder in WEIGHTED_COUNTERS:
            for solver in SOLVERS:
                with live(solver, 11) as (asked, sink):
                    total = Counted(encoder, [], [], sink)
                    live_through(steps, total, asked, tally, case, encoder, solver)
    tally.settle(inc_pb_ub=48)
