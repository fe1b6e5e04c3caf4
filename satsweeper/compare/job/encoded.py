"""A question as clauses, and as native "at most k" where no encoding is wanted."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.weighted_normal_form import WeightedSum, sum_of
from pbcnf.emission.dispatch import Kind, sum_emission
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.formula import EncodingSize, Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink
from satsweeper.compare.job.job import LiteralOrder, reorder
from satsweeper.compare.job.question import JobQuestion


@dataclass(slots=True)
class Encoded:
    """Clauses, and pairs of literals and the number of them that may be true at the most."""

    formula: Formula
    at_most: list[tuple[list[int], int]] = field(default_factory=list)

    @property
    def size(self) -> EncodingSize:
        """All variables, clauses and literals; a native "at most k" counts as one clause."""
        formula = self.formula
        literals = sum(len(lits) for lits, _ in self.at_most)
        return EncodingSize(
            formula.num_vars,
            formula.num_clauses + len(self.at_most),
            formula.num_literals + literals,
        )


def encoded(
    question: JobQuestion,
    clues: Encoder | None,
    total: Encoder | None,
    order: LiteralOrder,
    seed: int,
) -> Encoded:
    """Encode the constraints by ``clues`` and the total by ``total``; None is native.

    Literals enter the encoders in the order ``order`` (``literal_order.py``).

    Raises:
        ValueError: an encoder cannot express a constraint.
    """
    if question.clauses is not None:
        return Encoded(question.clauses)
    answer = Encoded(Formula(question.variables))
    pairs: list[tuple[Linear, Encoder | None]] = [
        (constraint, clues) for constraint in question.constraints
    ]
    if question.total is not None:
        pairs.append((question.total, total))
    in_order = reorder(order, seed, [constraint for constraint, _ in pairs])
    fresh: dict[int, Encoder] = {
        id(encoder): _Fresh(encoder) for encoder in (clues, total) if encoder is not None
    }
    for constraint, encoder in pairs:
        _emit(sum_of(in_order(constraint)), encoder, fresh, answer)
    return answer


def _emit(
    form: WeightedSum | None, encoder: Encoder | None, fresh: dict[int, Encoder], into: Encoded
) -> None:
    needed = form is not None and form.lits and form.clause() is None
    if encoder is None and form is not None and needed:
        if max(form.weights) > 1:
            raise ValueError(f"weights up to {max(form.weights)}: weights 1 only")
        _natively(form, into)
        form = WeightedSum(form.units, (), (), 0, 0)

    def choose(kind: Kind, form: WeightedSum) -> Encoder:
        assert encoder is not None
        return encoder if kind is Kind.PSEUDO_BOOLEAN else fresh[id(encoder)]

    sum_emission(form, choose).emit(into.formula)


def _natively(form: WeightedSum, into: Encoded) -> None:
    n, lits = len(form.lits), list(form.lits)
    if form.upper < n:
        into.at_most.append((lits, form.upper))
    if form.lower > 0:
        into.at_most.append(([-lit for lit in lits], n - form.lower))


class _Fresh:
    """An encoder that no template is known of yet, as those are cached by encoder.

    So every job makes its templates, once a shape: none has a start from the one before, and an
    encoder that takes another for its equal is not given its clauses.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.name = encoder.name
        self.propagation = Propagation.NONE

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        return self.encoder.parsimonious(n, lower, upper)

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        return self.encoder.size(n, lower, upper)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        self.encoder.encode(lits, lower, upper, sink)
