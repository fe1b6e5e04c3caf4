"""RustSAT's own tests of weighted sums, asked of every encoder of ours that can, and of counters.

29,960 checks applied to 8 encoders; 213,002 are made here: by encoders under a literal a bound, by
weighted counters, and by plain counters of repeated literals, increasing and decreasing for all
weights. They add what was not applicable once: weighted inputs and bounds that change while solving
(`test_inc_pb_ub`). The precision of RustSAT's watchdog has no counterpart: its cases are taken with
the weights divided. Not applicable: proofs of encodings (`cert`).
"""

import pytest

from pbcnf import ENCODERS, Counter, PseudoBoolean, WeightedCounter, encode

SOLVERS = ["minisat22", "cadical195"]
COUNTERS = {name: found for name, found in ENCODERS.items() if isinstance(found, Counter)}
WEIGHTED_COUNTERS = {
    name: found for name, found in ENCODERS.items() if isinstance(found, WeightedCounter)
}


@pytest.fixture(scope="module")
def rustsat(facts):
    return facts("rustsat")


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


def check_tables(suite, tally, part, rows):
    """Bound one sum in live solvers as each row says, and ask for the whole truth table."""
    lits = suite.literals_of(rows[0])
    tables = [suite.table_of(len(lits), suite.meets(row)) for row in rows]
    for way, encoder in sums_of(rows[0]["weights"]):
        for solver in SOLVERS:
            with suite.live(solver, len(lits)) as (asked, sink):
                total = way(encoder, lits, rows[0]["weights"], sink)
                for row, table in zip(rows, tables, strict=True):
                    assumed = total.bound(*suite.bounds_of(row))
                    if assumed is not None:
                        named = part, way.__name__, encoder, solver, row
                        tally.truth_table(asked, assumed, table, *named)


def test_a_bound_allows_what_its_truth_table_says(rustsat, suite, tally):
    for row in rustsat["pb"]:
        n = len(row["weights"])
        row["inputs"] = n
        published = suite.table_of(n, suite.among(row["sat"], n))
        assert suite.table_of(n, suite.meets(row)) == published
        check_tables(suite, tally, row["case"], [row])
    tally.settle(eq=240, min_enc=240)


def test_every_upper_bound_of_a_sum_in_a_live_solver_up_and_down(rustsat, suite, tally):
    for weights in rustsat["pb_exhaustive"]:
        rows = [{"inputs": 4, "weights": weights, "at_most": k} for k in range(sum(weights) + 1)]
        check_tables(suite, tally, "increasing", rows)
        check_tables(suite, tally, "decreasing", rows[::-1])
    tally.settle(increasing=91232, decreasing=91232)


def test_every_upper_bound_of_weights_that_were_divided(rustsat, suite, tally):
    given = rustsat["pb_precision"]
    for divisor in given["divisors"]:
        weights = [weight // divisor for weight in given["weights"]]
        rows = [{"inputs": 4, "weights": weights, "at_most": k} for k in range(sum(weights) + 1)]
        check_tables(suite, tally, "precision", rows)
        check_tables(suite, tally, "precision", rows[::-1])
    tally.settle(precision=29248)


def test_bounds_beside_hard_clauses_are_answered_as_published(rustsat, suite, tally):
    for row in rustsat["pb_asked"]:
        for way, encoder in sums_of(row["weights"]):
            for solver in SOLVERS:
                with suite.live(solver, 30, row.get("clauses", [])) as (asked, sink):
                    total = way(encoder, row["lits"], row["weights"], sink)
                    for kind, bound, expected in row["asked"]:
                        assumed = total.bound(*suite.bounds_of({kind: bound}))
                        if assumed is not None:
                            bits = enumerate(row.get("assumed", ""), start=1)
                            assumed += [var if bit == "1" else -var for var, bit in bits]
                            found = asked.solve(assumptions=assumed)
                            named = row["case"], way.__name__, encoder, solver, kind, bound
                            tally.check(found, expected, "asked", *named)
    tally.settle(asked=762)


def test_a_weighted_counter_lives_through_new_bounds_and_inputs(rustsat, suite, tally):
    for case, steps in rustsat["pb_steps"].items():
        for encoder in WEIGHTED_COUNTERS:
            for solver in SOLVERS:
                with suite.live(solver, 11) as (asked, sink):
                    total = Counted(encoder, [], [], sink)
                    suite.live_through(steps, total, asked, tally, case, encoder, solver)
    tally.settle(inc_pb_ub=48)
