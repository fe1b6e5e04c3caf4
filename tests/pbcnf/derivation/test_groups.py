"""Clauses of sums over groups follow from the rows of the sum and of its groups, others do not."""

from __future__ import annotations

import random
from itertools import product
from typing import Final, NamedTuple

import pytest

from pbcnf import ENCODERS
from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.derivation import BoundIds
from pbcnf.derivation.derivation_state import Derivation, DerivationState, UnderivableError
from pbcnf.derivation.encoded_constraint import declare_bounds
from pbcnf.derivation.leaves import GroupRows
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, Encoded, suited
from pbcnf.encoders.protocol import takes_groups
from pbcnf.proof.cutting_planes.encodings import ProvedClauses, check_encoding
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.derivation_recheck import recheck_derivation
from tests.pbcnf.derivation.derived import written
from tests.pbcnf.derivation.test_every_encoder import RandomRow, altered, extends, opb
from tests.problem_files import cnf, read

GROUPED: Final = sorted(name for name, each in ENCODERS.items() if takes_groups(each))


class Problem(NamedTuple):
    """A problem, what it was made of, its clauses, and the proof beside these."""

    raw: bytes
    rows: list[RandomRow]
    inputs: int
    clauses: list[list[int]]
    variables: int
    proof: bytes
    encoded: list[Encoded]

    @staticmethod
    def of(rows: list[RandomRow], inputs: int, encoder: str, grouped: bool = False) -> Problem:
        raw, choices = opb(rows, inputs), Choices(**suited(encoder))
        constraints = read(raw, "rows.opb").constraints
        made = derive_opb(raw, constraints, choices, groups="find" if grouped else None)
        assert made.one_way is None
        clauses = [[*clause] for clause in made.formula.clauses()]
        numbers = made.formula.num_vars, written(made.derivation), made.encoded
        return Problem(raw, rows, inputs, clauses, *numbers)

    def is_equivalent(self) -> bool:
        """Whether both checkers say so; they agree, and neither refuses."""
        found = ProvedClauses.of(self.raw, self.proof).check(
            cnf(self.variables, self.clauses).encode()
        )
        again = recheck_derivation(
            self.raw.decode(), self.proof.decode(), self.inputs, "proof.pbp", self.variables
        )
        assert again.equivalent == found.equivalent
        return found.equivalent

    def numbers(self) -> list[int]:
        """The numbers that the clauses have in the proof: the first ones alive without rows."""
        before, _ = self.proof.split(b"del id 1 ")
        ends = b"output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
        return [number for number, _ in ProvedClauses.of(self.raw, before + ends).left]

    def without(self, place: int, number: int) -> Problem:
        """Return formula and proof without a clause, deleted in the proof before the rows are."""
        proof = self.proof.replace(b"del id 1 ", b"del id %d ;\ndel id 1 " % number, 1)
        clauses = [*self.clauses[:place], *self.clauses[place + 1 :]]
        return self._replace(clauses=clauses, proof=proof)

    def adds_a_model(self) -> bool:
        """Whether the clauses have a model that is no solution, by trying each assignment."""
        return any(
            extends(self.clauses, self.variables, [v if on else -v for v, on in enumerate(on_, 1)])
            for on_ in product((False, True), repeat=self.inputs)
            if not all(row.holds(on_) for row in self.rows)
        )


def random_rows(rng: random.Random, inputs: int) -> list[RandomRow]:
    """Groups of up to four literals, as rows or clauses, and a weighted sum or two."""
    rows, left = list[RandomRow](), rng.sample(range(1, inputs + 1), inputs)
    while left:
        size = rng.choice((1, 2, 3, 3, 4))
        lits = [v * rng.choice((1, 1, -1)) for v in left[:size]]
        left = left[size:]
        if len(lits) == 1:
            continue
        as_pairs = [(a, b) for i, a in enumerate(lits) for b in lits[:i]]
        rows += rng.choice(
            (
                [RandomRow([(1, -a), (1, -b)], ">=", 1) for a, b in as_pairs],
                [RandomRow([(1, lit) for lit in lits], "=", 1)],
                [RandomRow([(1, lit) for lit in lits], "<=", 1)],
                [RandomRow([(2, -lit) for lit in lits], ">=", 2 * len(lits) - 3)],
            )
        )
    for _ in range(rng.randint(1, 2)):
        chosen = rng.sample(range(1, inputs + 1), rng.randint(2, inputs))
        most = rng.choice((3, 9, 20))
        terms = [(rng.randint(1, most), v * rng.choice((1, 1, 1, -1))) for v in chosen]
        degree = rng.randint(1, sum(weight for weight, _ in terms))
        rows.append(RandomRow(terms, rng.choice(("<=", ">=", "=")), degree))
    rng.shuffle(rows)
    return rows


def examples(encoder: str, seeds: range) -> list[Problem]:
    """Random problems of which a sum relies on groups."""
    found = []
    for seed in seeds:
        rng = random.Random(seed)
        inputs = rng.randint(4, 10)
        one = Problem.of(random_rows(rng, inputs), inputs, encoder, grouped=True)
        found += [one] if any(each.cut for each in one.encoded) else []
    return found


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 400), marks=pytest.mark.slow)])
@pytest.mark.parametrize("encoder", GROUPED)
def test_clauses_are_derived_and_none_can_be_left_out_or_changed(encoder, seeds):
    cases = examples(encoder, seeds)
    assert len(cases) > len(seeds) // 3
    for place, one in enumerate(cases):
        text = cnf(one.variables, one.clauses).encode()
        proved = ProvedClauses.of(one.raw, one.proof)
        assert proved.check(text).clauses == len(one.clauses)
        if place % 5 == 0:
            for other in altered(one.clauses, random.Random(place)):
                with pytest.raises(ProofFormatError):
                    proved.check(cnf(one.variables, other).encode())


def lost(one: Problem, rows: list[RandomRow]) -> bool:
    """Whether a solution of `rows` extends to no model of the clauses, by trying each."""
    return any(
        not extends(
            one.clauses, one.variables, [v if value else -v for v, value in enumerate(values, 1)]
        )
        for values in product((False, True), repeat=one.inputs)
        if all(row.holds(values) for row in rows)
    )


@pytest.mark.parametrize("encoder", GROUPED)
def test_no_solution_is_lost(encoder: str) -> None:
    for one in examples(encoder, range(400, 412)):
        assert not lost(one, one.rows)


@pytest.mark.parametrize("encoder", GROUPED)
def test_a_proof_is_refused_of_weaker_rows_whose_solutions_the_clauses_lose(encoder: str) -> None:
    """Of weaker groups as of a weaker sum: what is accepted loses no solution."""
    refused = 0
    for one in examples(encoder, range(500, 530)):
        for place, row in enumerate(one.rows):
            weaker = {"=": row._replace(relation="<="), "<=": row._replace(degree=row.degree + 1)}
            other = weaker.get(row.relation, row._replace(degree=row.degree - 1))
            rows = [*one.rows[:place], other, *one.rows[place + 1 :]]
            # The rows keep their numbers: an equation is two of them.
            if row.relation == "=":
                rows.insert(place, row._replace(relation=">=", degree=row.degree - 1))
            try:
                text = cnf(one.variables, one.clauses).encode()
                check_encoding(opb(rows, one.inputs), text, one.proof)
            except (ProofError, ProofFormatError):
                refused += 1
            else:
                assert not lost(one, rows)
    assert refused > 40


def test_at_most_one_of_a_group_is_derived_from_a_row_from_clauses_and_from_both() -> None:
    rows = [
        Cardinality([1, 2, 3, 4, 5], upper=1),
        PseudoBoolean([5, 6, 7], [2, 2, 4], upper=3),
        *(Cardinality([-a, -6], lower=1) for a in (1, 2, 3)),
        Cardinality([-8, -9], upper=1, lower=1),
    ]
    state = DerivationState(Derivation(2 * len(rows)))
    given = [(row, BoundIds(2 * i + 1, 2 * i + 2)) for i, row in enumerate(rows)]
    for row, numbers in given:
        declare_bounds(row, numbers, state)
    groups = GroupRows(given, state)
    for lits in ([1, 2, 4], [5, 6], [1, 2, 3, 6], [8, 9], [-8, -9]):
        found = state.rows[groups.at_most_one(lits)]
        terms = sorted((weight, lit) for weight, lit in found.terms())
        assert (terms, found.literal_degree) == (sorted((1, -lit) for lit in lits), len(lits) - 1)
    assert state.rows[groups.one_of([-8, -9])].literal_degree == 1
    for wrong in ([1, 7], [4, 6], [1, 2, 7], [6, 8]):
        with pytest.raises(UnderivableError, match="no constraint says"):
            groups.at_most_one(wrong)
    with pytest.raises(UnderivableError, match="is true"):
        groups.one_of([1, 2, 3, 4, 5])
