"""OPB files and whole problems: every clause derived from the rows of the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, PseudoBoolean
from pbcnf.constraints.normal_form import sum_of
from pbcnf.derivation.converse.rows import derive_rows
from pbcnf.derivation.derivation_state import (
    BoundIds,
    Derivation,
    DerivationState,
    UnderivableError,
)
from pbcnf.derivation.encoded_constraint import (
    declare_bounds,
    derive_clauses,
    linear_terms,
)
from pbcnf.derivation.encoded_sum import EmittedConstraint
from pbcnf.derivation.inequalities import LinearInequality, linear_inequality
from pbcnf.emission.whole_problems import Choices, Encoded, encode_problem
from pbcnf.encoders.table import find_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from pbcnf.wording import counted

if TYPE_CHECKING:
    from pbcnf.derivation.leaves import GroupRows


@dataclass(frozen=True, slots=True)
class CertifiedEncoding:
    """The clauses of a problem, derived in order, and a derivation of the rows from the clauses."""

    formula: Formula
    derivation: Derivation
    encoded: list[Encoded]
    one_way: str | None = None
    """Why the rows are not derived from the clauses again; None if they are."""


class DerivedConstraint(NamedTuple):
    """A constraint whose clauses are derived: rows by number, clauses, and their numbers.

    ``steps``: the range of steps that derived the clauses.
    """

    one: Encoded
    constraint: Linear
    given: BoundIds
    rows: dict[int, LinearInequality]
    emitted: EmittedConstraint
    numbers: list[int]
    steps: range


def derive_problem(
    constraints: Iterable[tuple[Linear, BoundIds]],
    num_vars: int,
    rows: int,
    choices: Choices | None = None,
    most_clauses: int | None = None,
    groups: Literal["find"] | None = None,
    back: bool = True,
) -> CertifiedEncoding:
    """Encode a problem as `encode_problem` does, derive every clause, and from these every row.

    ``constraints``: each with the numbers of its rows among the ``rows`` of the file.
    ``num_vars``: of the problem; auxiliary variables follow. ``groups``: as for `encode_problem`;
    rows of other constraints take part in the derivation then. ``back``: whether the rows are
    deleted in the end, and derived again from the clauses.

    Raises ValueError, naming the constraint, for one that cannot be encoded or derived.
    """
    given = [*constraints]
    formula, derivation = Formula(num_vars), Derivation(rows)
    state = DerivationState(derivation)
    every: list[Constraint] = [constraint for constraint, _ in given]
    encoded = [*encode_problem(every, formula, choices, most_clauses, groups=groups)]
    rows_of_groups: GroupRows | None = None
    if any(one.cut is not None for one in encoded):
        # Sums over groups need numpy: imported late.
        from pbcnf.derivation.leaves import GroupRows

        rows_of_groups = GroupRows(given, state)
    state.last_var = formula.num_vars
    every_one = derive_encoded(encoded, given, formula, state, rows_of_groups)
    no_rows: str | None = "not asked for"
    if back:
        found = rows_again(every_one, state, range(1, rows + 1))
        no_rows = found if isinstance(found, str) else None
    return CertifiedEncoding(formula, derivation, encoded, no_rows)


def derive_encoded(
    encoded: Sequence[Encoded],
    given: Sequence[tuple[Linear, BoundIds]],
    formula: Formula,
    state: DerivationState,
    rows_of_groups: GroupRows | None = None,
) -> list[DerivedConstraint]:
    """Derive the clauses of constraints, which ``formula`` has in order, from their rows.

    Raises EncodingError, naming the constraint, for one that cannot be derived.
    """
    derivation = state.derivation
    emitted = formula.clauses()
    every_one: list[DerivedConstraint] = []
    for one, (constraint, numbers) in zip(encoded, given, strict=True):
        clauses = [*islice(emitted, one.size.clauses)]
        first, begin = derivation.formula + derivation.added + 1, len(derivation.steps)
        declare_bounds(constraint, numbers, state)
        own_rows = {number: state.rows[number] for number in numbers if number is not None}
        encoder = None if one.encoder is None else find_encoder(one.encoder)
        of = EmittedConstraint(
            sum_of(constraint), one.kind, encoder, one.first_auxiliary, clauses, one.cut is not None
        )
        try:
            if of.form is None or one.cut is None or rows_of_groups is None:
                kept = derive_clauses(of, numbers, state)
            else:
                from pbcnf.derivation.groups import derive_grouped

                kept = derive_grouped(of, one.cut, numbers, rows_of_groups, state)
        except UnderivableError as error:
            raise EncodingError(f"constraint {one.number}: {error}") from None
        last = derivation.formula + derivation.added
        if [*kept] != sorted(set(kept)):
            # Once more, so that they come in their order, and two equal clauses are two
            # constraints.
            pairs = zip(clauses, kept, strict=True)
            kept = [state.propagate(clause, [number]) for clause, number in pairs]
        # What the constraint needed beside its clauses is deleted, and no other constraint uses it.
        wanted = set(kept)
        state.delete(number for number in range(first, last + 1) if number not in wanted)
        state.rows.clear()
        state.if_false.clear()
        taken = range(begin, len(derivation.steps))
        every_one.append(DerivedConstraint(one, constraint, numbers, own_rows, of, [*kept], taken))
    return every_one


def rows_again(
    every: Sequence[DerivedConstraint],
    state: DerivationState,
    gone: Iterable[int],
    before: int = 0,
) -> dict[int, int] | str:
    """Delete the constraints ``gone``, then derive each row from the clauses of its constraint.

    ``before``: the number before that of the first row. Returns the new number of each row; or why
    that is not possible, and adds no step then.
    """
    derivation = state.derivation
    steps, added = len(derivation.steps), derivation.added
    derivation.delete(gone)
    rows = list[dict[int, LinearInequality]]()
    for each in every:
        # Two rows of an equality that say the same have the number of the second.
        done, end = before + sum(map(len, rows)), max(each.rows, default=0)
        own = {at: each.rows.get(at) or each.rows[at + 1] for at in range(done + 1, end + 1)}
        rows.append(own)
    numbers = dict[int, int]()
    rows_of_groups: GroupRows | None = None
    # Sums over groups rely on the rows of the groups, which rely on no other rows.
    pairs = zip(every, rows, strict=True)
    for each, own in sorted(pairs, key=lambda pair: pair[0].one.cut is not None):
        over_groups = None
        if each.one.cut is not None:
            from pbcnf.derivation.converse.groups import derive_grouped_bounds
            from pbcnf.derivation.leaves import GroupRows

            if rows_of_groups is None:
                given = [
                    (some.constraint, BoundIds(*(numbers.get(at or 0) for at in some.given)))
                    for some in every
                ]
                rows_of_groups = GroupRows(given, state)
            over_groups = partial(
                derive_grouped_bounds, cut=each.one.cut, rows=rows_of_groups, state=state
            )
        first = derivation.formula + derivation.added + 1
        try:
            taken = derivation.steps[each.steps.start : each.steps.stop]
            found = derive_rows(
                each.emitted, each.numbers, taken, [*own.values()], state, over_groups
            )
        except UnderivableError as error:
            del derivation.steps[steps:]
            derivation.added = added
            return f"constraint {each.one.number}: {error}"
        numbers |= zip(own, found, strict=True)
        last = derivation.formula + derivation.added
        wanted = set(found)
        state.delete(number for number in range(first, last + 1) if number not in wanted)
        state.rows.clear()
        state.if_false.clear()
    if rows_of_groups is not None:
        # Once more, in their order.
        for number, row in ((number, row) for own in rows for number, row in own.items()):
            state.rows[numbers[number]] = row
            state.add([(numbers[number], 1)])
        state.delete(numbers.values())
        state.rows.clear()
    return numbers


def derive_opb(
    raw: bytes,
    constraints: Sequence[Constraint],
    choices: Choices | None = None,
    most_clauses: int | None = None,
    source: str = "problem.opb",
    groups: Literal["find"] | None = None,
    known: int | None = None,
    further: Sequence[tuple[Linear, BoundIds]] = (),
) -> CertifiedEncoding:
    r"""Encode an OPB file, and derive every clause from the file's rows as checkers read them.

    ``constraints``: the same file as `pbcnf.formats.problems.read_problem` reads it.
    ``groups``: as for `encode_problem`. ``known``: the number of constraints that a proof has
    between those of the file and the first step; of these, ``further`` are encoded as well. If it
    is given, clauses are derived from rows, and not back.

    Raises ProofError for a file that checkers do not read (products, names other than x1, x2, ...),
    and ValueError for a constraint that cannot be encoded or derived.

    >>> made = derive_opb(b"2 x1 2 x2 2 x3 >= 3 ;\n", [Cardinality([1, 2, 3], 2)])
    Traceback (most recent call last):
    pbcnf.errors.EncodingError: row 1 is read in two ways
    >>> made = derive_opb(b"1 x1 1 x2 1 x3 >= 2 ;\n", [Cardinality([1, 2, 3], 2)])
    >>> made.formula.num_clauses, made.derivation.added
    (3, 5)
    """
    formula = read_formula(raw, source, objective=True)
    numbered = [*_numbered(formula, constraints, source), *further]
    size = len(formula.constraints) + (known or 0)
    back = known is None
    return derive_problem(numbered, formula.variables, size, choices, most_clauses, groups, back)


def _numbered(
    formula: PbFormula, constraints: Sequence[Constraint], source: str
) -> list[tuple[Linear, BoundIds]]:
    """Return each constraint with the numbers of its rows.

    Raises ValueError if the rows do not say what the constraints say.
    """
    if len(formula.rows) != len(constraints):
        raise EncodingError(
            f"read are {counted(len(formula.rows), 'constraint')} by the checker,"
            f" {len(constraints)} by others"
        )
    found: list[tuple[Linear, BoundIds]] = []
    first = 1
    for size, constraint in zip(formula.rows, constraints, strict=True):
        if not isinstance(constraint, Cardinality | PseudoBoolean):
            raise EncodingError(f"{source}: no OPB file has a {type(constraint).__name__}")
        terms = linear_terms(constraint)
        lower = linear_inequality(terms, constraint.lower)
        upper = linear_inequality([(-weight, lit) for weight, lit in terms], -constraint.upper)
        # The rows as the checker reads them, written as ours are, must be these two bounds.
        said = {}
        for number in range(first, first + size):
            row = formula.constraints[number - 1]
            pairs = [(weight, lit) for lit, weight in row.terms.items()]
            said[_key(linear_inequality(pairs, row.degree))] = number
        numbers = BoundIds(said.pop(_key(lower), None), said.pop(_key(upper), None))
        if said:
            raise EncodingError(f"row {min(said.values())} is read in two ways")
        found.append((constraint, numbers))
        first += size
    return found


def _key(of: LinearInequality) -> tuple[object, ...]:
    return (frozenset(of.coefficients.items()), of.degree)
