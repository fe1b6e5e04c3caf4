"""RustSAT's own tests of at most one and of cardinality, asked of encoders and of counters.

1,075 checks of at most one applied to 25 encoders, 777 of cardinality to 3 counters; 2,418 and
4,260 are made here. Those add what was not applicable once: inputs added to a live counter
(`test_inc_both`, `test_inc_ub`); and bounds go down as well as up. Not applicable: proofs of
encodings (`cert`), the C interface with its sizes, and the tests of solvers, files and MaxSAT.
"""

import pytest

from pbcnf import ENCODERS, Counter, EncodingSize, Formula

SOLVERS = ["minisat22", "cadical195"]
COUNTERS = {name: found for name, found in ENCODERS.items() if isinstance(found, Counter)}


@pytest.fixture(scope="module")
def rustsat(facts):
    return facts("rustsat")


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


def test_at_most_one_allows_what_its_truth_table_says(rustsat, suite, tally):
    for row in rustsat["at_most_one"]:
        n = len(row["sat"][0])
        table = suite.table_of(n, suite.among(row["sat"], n))
        for encoder in ENCODERS:
            clauses = suite.clauses_of({**row, "at_most": 1}, encoder)
            tally.check(clauses, row.get("clauses", clauses), "am1", row["case"], encoder)
            for solver in SOLVERS:
                with suite.live(solver, n, clauses) as (asked, _):
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


def test_a_counter_lives_through_new_bounds_and_inputs(rustsat, suite, tally):
    for case, steps in rustsat["card_steps"].items():
        for life, counter in LIVES:
            for solver in SOLVERS:
                with suite.live(solver, 11) as (asked, sink):
                    total = life(counter, sink)
                    named = case, life.__name__, counter, solver
                    suite.live_through(steps, total, asked, tally, "card", *named)
    tally.settle(card=228)


def test_a_counter_built_for_one_bound_counts_exactly(rustsat, suite, tally):
    row = rustsat["card_min_enc"]
    n, bound = row["inputs"], row["exactly"]
    table = suite.table_of(n, suite.among(row["sat"], n))
    for life, counter in LIVES:
        for solver in SOLVERS:
            with suite.live(solver, n) as (asked, sink):
                total = life(counter, sink)
                total.add([*range(1, n + 1)])
                total.bounds(bound, bound)
                assumed = total.at_least(bound) + total.at_most(bound)
                named = life.__name__, counter, solver
                tally.truth_table(asked, assumed, table, "min_enc", *named)
    tally.settle(min_enc=192)


@pytest.mark.parametrize("kind", ["at_most", "exactly"])
def test_bounds_of_a_counter_follow_each_other_up_and_down(rustsat, suite, tally, kind):
    n, bounds = rustsat["card_exhaustive"]["inputs"], rustsat["card_exhaustive"]["bounds"]
    for order in (bounds, bounds[::-1]):
        for life, counter in LIVES:
            for solver in SOLVERS:
                with suite.live(solver, n) as (asked, sink):
                    total = life(counter, sink)
                    total.add([*range(1, n + 1)])
                    for bound in order:
                        total.bounds(bound, bound)
                        assumed = total.at_most(bound)
                        assumed += total.at_least(bound) if kind == "exactly" else []
                        row = {"inputs": n, kind: bound}
                        named = life.__name__, counter, solver, row
                        table = suite.table_of(n, suite.meets(row))
                        tally.truth_table(asked, assumed, table, "exhaustive", *named)
    tally.settle(exhaustive=1920)
