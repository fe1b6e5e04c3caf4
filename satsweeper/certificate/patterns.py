"""Steps of a certificate's derivation, copied from clue to clue and numbered as they are written.

All clues of one shape, "exactly k of n cells", have the same clauses and the same derivation but
for the numbers of variables and constraints. So both are made once a shape, as data, and formatted
once with places for these numbers (:class:`Template`). A copy fills the places.

Steps keep the numbers they were made with until a proof is written: a block of them says which
constraints a step uses, so that a proof can leave out steps and number the rest anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from pbcnf.constraints.constraint import Cardinality
from pbcnf.derivation import (
    BoundIds,
    Derivation,
    DerivationState,
    Step,
    derive_constraint,
    step_text,
)
from pbcnf.derivation.derivation_state import antecedents
from pbcnf.emission.encode import encode
from pbcnf.formula import Formula


class Template(NamedTuple):
    """Text with places for numbers: ``places`` are indices into a table of numbers, in order.

    The table of a step has 0, then the variables of the shape, then the shape's constraints.
    ``uses``: the constraints that a step uses, by their numbers in the shape.
    """

    text: str
    places: tuple[int, ...]
    uses: tuple[int, ...] = ()

    def filled(self, numbers: Sequence[int]) -> str:
        """Return the text with ``numbers[place]`` in every place."""
        return self.text % tuple([numbers[place] for place in self.places])


@dataclass(frozen=True)
class Pattern:
    """Clauses of "exactly ``mines`` of ``n`` cells", and their derivation from the two bounds.

    Inputs are variables 1 .. ``n``; ``auxiliaries`` more are in the clauses, from n + 1 on. The
    bounds are constraints 1 and 2, so the first step adds constraint 3.
    """

    encoding: str
    n: int
    mines: int
    auxiliaries: int
    clauses: list[list[int]]

    @cached_property
    def _derived(self) -> tuple[DerivationState, list[int]]:
        state = DerivationState(Derivation(formula=2))
        exactly = Cardinality(range(1, self.n + 1), self.mines, self.mines)
        _, numbers = derive_constraint(exactly, self.encoding, BoundIds(1, 2), state, self.n + 1)
        return state, numbers

    @property
    def clause_numbers(self) -> list[int]:
        """The numbers, in the pattern, of the constraints that are the clauses, in order."""
        return self._derived[1]

    @cached_property
    def variables(self) -> int:
        """The number of variables: inputs, auxiliary variables, variables of the proof alone."""
        return max(self._derived[0].last_var, self.n + self.auxiliaries)

    @cached_property
    def steps(self) -> list[Template]:
        """The steps of the derivation, to be filled."""
        last = self.variables
        return [_step_template(step, last) for step in self._derived[0].derivation.additions()]

    @cached_property
    def lines(self) -> Template:
        """The clauses as lines of DIMACS, with places for variables."""
        signed = [
            " ".join(["%d" if v > 0 else "-%d" for v in clause] + ["0\n"])
            for clause in self.clauses
        ]
        return Template("".join(signed), tuple([abs(v) for clause in self.clauses for v in clause]))

    def clauses_of(self, variables: Sequence[int]) -> Iterator[list[int]]:
        """Yield the clauses over other variables, inputs first."""
        lookup = (0, *variables, *[-variable for variable in reversed(variables)])
        for clause in self.clauses:
            yield [lookup[literal] for literal in clause]


@lru_cache(maxsize=1024)
def pattern(encoding: str, n: int, mines: int) -> Pattern:
    """Return the pattern of "exactly ``mines`` of ``n`` inputs".

    Raises:
        ValueError: the encoding does not express these bounds.
    """
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), mines, mines), formula, encoding)
    return Pattern(encoding, n, mines, formula.num_vars - n, list(formula.clauses()))


@dataclass
class PatternCopy:
    """The derivation of one clue's clauses: a pattern over other variables and constraints.

    ``bound``: the number of the clue's lower bound, which the upper bound follows; ``first``: the
    number of the constraint that the first step adds. ``variables``: the variables of the clauses;
    variables of the derivation alone are numbered from ``first_own`` on.
    """

    pattern: Pattern
    variables: Sequence[int]
    bound: int
    first: int
    first_own: int = 0

    @property
    def size(self) -> int:
        """The number of steps."""
        return len(self.pattern.steps)

    @property
    def own_variables(self) -> int:
        """The number of variables that only the derivation has."""
        return self.pattern.variables - len(self.variables)

    def moved(self, number: int) -> int:
        """Return the number of the constraint that is `number` in the pattern."""
        return self.bound + number - 1 if number < 3 else self.first + number - 3

    def uses(self, place: int) -> Iterator[int]:
        """Yield the numbers of the constraints that the step at `place` is made from."""
        return map(self.moved, self.pattern.steps[place].uses)

    def line(self, place: int, new: Mapping[int, int]) -> str:
        """Return the text of the step at `place`, with ``new`` numbers for the constraints."""
        table, last = self._variables, self.pattern.variables
        text, places, _ = self.pattern.steps[place]
        return text % tuple(
            [table[at] if at <= last else new[self.moved(at - last)] for at in places]
        )

    def text(self) -> str:
        """Return the text of all steps, with the numbers they have."""
        constraints = (self.bound, self.bound + 1, *range(self.first, self.first + self.size))
        table = (*self._variables, *constraints)
        return "".join([step.filled(table) for step in self.pattern.steps])

    @property
    def _variables(self) -> tuple[int, ...]:
        own = range(self.first_own, self.first_own + self.own_variables)
        return (0, *self.variables, *own)


@dataclass
class DerivationBlock:
    """Steps as data. Numbers above ``given`` are larger by ``shift`` than the steps have them."""

    derivation: Derivation
    given: int
    shift: int = 0
    steps: list[Step] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = self.derivation.additions()

    @property
    def first(self) -> int:
        """The number of the constraint that the first step adds."""
        return self.derivation.formula + self.shift + 1

    @property
    def size(self) -> int:
        """The number of steps."""
        return len(self.steps)

    def moved(self, number: int) -> int:
        """Return the number here of the constraint that is `number` in the derivation."""
        return number + self.shift if number > self.given else number

    def uses(self, place: int) -> Iterator[int]:
        """Yield the numbers of the constraints that the step at `place` is made from."""
        return map(self.moved, antecedents(self.steps[place]))

    def line(self, place: int, new: Mapping[int, int]) -> str:
        """Return the text of the step at `place`, with ``new`` numbers for the constraints."""
        return step_text(self.steps[place], number=lambda old: str(new[self.moved(old)]))

    def text(self) -> str:
        """Return the text of all steps, with the numbers they have."""
        return "".join([step_text(s, number=lambda old: str(self.moved(old))) for s in self.steps])


StepBlock = PatternCopy | DerivationBlock
"""Consecutive steps of a derivation; every step adds one constraint."""


def _step_template(step: Step, last: int) -> Template:
    """Return a step over variables 1 .. ``last`` with places: constraint c is at ``last + c``."""
    places: list[int] = []

    def placed(place: int, text: str) -> str:
        places.append(place)
        return text

    text = step_text(
        step,
        name=lambda lit: placed(abs(lit), "x%d" if lit > 0 else "~x%d"),
        number=lambda number: placed(last + number, "%d"),
    )
    return Template(text, tuple(places), antecedents(step))
