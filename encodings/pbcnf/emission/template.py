"""Templates: the clauses of one shape of constraint, made once and stamped many times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from operator import neg

from pbcnf.constraints.normal_form import settle, settled_clauses
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.formula import Formula
from pbcnf.literals import Block, Lit, Var, picker
from pbcnf.shown import Drawn
from pbcnf.sink import ClauseSink
from pbcnf.wording import counted


@dataclass(frozen=True, eq=False)
class Template(Drawn):
    """The encoding of ``lower <= sum <= upper`` over the inputs 1 .. inputs.

    `clauses` are tuples of literals; the auxiliary variables follow the inputs: inputs+1 ..
    inputs+auxiliaries.
    """

    inputs: int
    auxiliaries: int
    clauses: tuple[tuple[Lit, ...], ...]
    terminated: Callable[[tuple[int, ...]], tuple[int, ...]] = field(repr=False)
    """Picks all clauses at once, a 0 after each, out of ``(0, *variables, *negated variables in
    reverse)``, where index -v holds the negation of v."""

    @cached_property
    def getters(self) -> tuple[Callable[[tuple[int, ...]], tuple[int, ...]], ...]:
        """Each picks one clause out of the same, as a tuple."""
        return tuple(map(picker, self.clauses))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The clauses as read-only int32 arrays of shape (clauses, width), by increasing width."""
        widths = sorted({len(clause) for clause in self.clauses})
        return tuple(_block(self.clauses, width) for width in widths)


def template(encoder: str | Encoder, n: int, lower: int, upper: int) -> Template:
    """Return the template of n distinct inputs; made once per shape, then cached.

    Trivial bounds have templates too. Raises ValueError for a negative n, an unknown name or a
    bound that the encoder cannot express.

    >>> template("direct", 3, 1, 1).clauses
    ((-1, -2), (-1, -3), (-2, -3), (1, 2, 3))
    """
    chosen = find_encoder(encoder) if isinstance(encoder, str) else encoder
    return _template(chosen, n, lower, upper)


@lru_cache(maxsize=1024)
def _template(encoder: Encoder, n: int, lower: int, upper: int) -> Template:
    formula = Formula(num_vars=n)
    inputs = range(1, formula.num_vars + 1)
    settled = settle(n, lower, upper)
    if settled is None:
        encoder.encode(inputs, max(lower, 0), min(upper, n), formula)
    else:
        for clause in settled_clauses(settled, inputs):
            formula.add_clause(clause)
    return template_of(formula, n)


def template_of(formula: Formula, inputs: int) -> Template:
    """Return the template of what a formula holds; variables above `inputs` are auxiliary."""
    clauses = tuple(formula.tuples())
    flat = chain.from_iterable((*clause, 0) for clause in clauses)
    return Template(inputs, formula.num_vars - inputs, clauses, picker(tuple(flat)))


def instantiate(stamp: Template, lits: Sequence[Lit], first_aux: Var) -> list[tuple[Lit, ...]]:
    """Return the clauses of `stamp` over `lits`, its auxiliaries numbered from `first_aux`.

    For hot loops: the literals must be plain ints and valid, they are not checked again. Repeated
    and opposite literals give right clauses, but may leave repeated literals and tautologies in
    them. Raises ValueError for a wrong number of literals.

    >>> instantiate(template("direct", 2, 1, 1), [5, -7], first_aux=8)
    [(-5, 7), (5, -7)]
    """
    lookup = _lookup(stamp, lits, first_aux)
    return [clause(lookup) for clause in stamp.getters]


def instantiate_into(stamp: Template, lits: Sequence[Lit], sink: ClauseSink) -> None:
    """Emit the clauses of `stamp` over valid literals whose variables are allocated in `sink`."""
    lookup = _lookup(stamp, lits, sink.new_vars(stamp.auxiliaries) if stamp.auxiliaries else 0)
    add_terminated = getattr(sink, "add_terminated", None)
    if add_terminated is not None:
        add_terminated(stamp.terminated(lookup), len(stamp.clauses))
    else:
        for clause in stamp.getters:
            sink.add_clause(clause(lookup))


def _lookup(stamp: Template, lits: Sequence[Lit], first_aux: Var) -> tuple[int, ...]:
    if len(lits) != stamp.inputs:
        raise ValueError(f"the template has {counted(stamp.inputs, 'input')}, not {len(lits)}")
    if stamp.auxiliaries:
        lits = [*lits, *range(first_aux, first_aux + stamp.auxiliaries)]
    return (0, *lits, *map(neg, reversed(lits)))


def _block(clauses: tuple[tuple[Lit, ...], ...], width: int) -> Block:
    import numpy as np

    rows = [clause for clause in clauses if len(clause) == width]
    block = np.array(rows, dtype=np.int32).reshape(len(rows), width)
    block.flags.writeable = False
    return block
