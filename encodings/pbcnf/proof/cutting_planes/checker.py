"""The checker: what every rule of a proof may do, and whole proofs checked.

Rules are given here as in version 3.0. In 2.0 a semicolon stands for every colon behind C, and is
always there.

Beyond what VeriPB asks, a witness may only map auxiliary variables, those that neither the formula
mentions nor its first comment declares. Hence every model of the formula extends to one of all
that is derived, and what is derived of the inputs alone follows from the formula. Constraints of
the formula cannot be deleted, but all at once by a proof that turns around (see `Derived.alone`).
From then on a witness may only map variables that no constraint had at that moment. Hence every
model of what was left then extends to one of all that is derived later: if the constraints of the
formula are derived again, it meets them. A logged solution has a value for every variable of the
formula; once there is one, all that is derived holds for better solutions only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from pbcnf.proof.cutting_planes.error import ProofError, RefusedError
from pbcnf.proof.cutting_planes.formula import Known, PbFormula, read_formula
from pbcnf.proof.cutting_planes.inequality import (
    Inequality,
    implies,
    negation,
    substituted,
)
from pbcnf.proof.cutting_planes.operations import evaluate
from pbcnf.proof.cutting_planes.propagation import Database, assumed_false, refuted
from pbcnf.proof.cutting_planes.statements import (
    LITERALS,
    MOST_COMPUTED,
    inequality,
    integer,
    proof_statements,
    text_of,
)


class Shared(NamedTuple):
    """Variables and links that canonical rows share with the encoding clauses.

    Its variables up to ``booleans``, and ``links``: so many constraints, behind the clauses, which
    are deleted with the formula and derived again behind it. A proof that has turned around may
    introduce all other variables of the formula anew.
    """

    booleans: int
    links: int


class ProvedBounds(NamedTuple):
    """The objective of the best solution lies between these, both included."""

    lower: int
    upper: int


_FOOTER: Final = ("output", "conclusion", "end")
_SHORT: Final = {"p": ["pol"], "u": ["rup"], "d": ["del", "id"]}
"""Abbreviations of rules in version 2.0."""


class Checker:
    """A proof as far as it is checked. Rules raise RefusedError for what they do not allow."""

    def __init__(
        self,
        formula: PbFormula,
        version: str,
        most_digits: int = MOST_COMPUTED,
        *,
        turns: bool = False,
        shared: Shared | None = None,
    ) -> None:
        self.formula = formula
        self.turns = turns
        """Whether the proof may delete the formula."""
        self.shared = shared
        self._left: frozenset[int] = frozenset()
        """The variables of the clauses that were left, where only `shared` ones are inputs."""
        self.alone: tuple[tuple[int, Inequality], ...] | None = None
        """Constraints left when the formula was deleted, by number; None before."""
        self.inputs = formula.variables
        """The largest variable that no witness may map."""
        self.fresh: int | None = None
        """The smallest variable that a witness mapped since the formula was deleted."""
        self.most_digits = most_digits
        self.data = Database(formula.constraints, formula.variables)
        self.footer = 0
        """The number of parts of the footer read so far."""
        self.refuted = False
        """Whether the proof concluded, rightly, that the formula is unsatisfiable."""
        self.satisfied = False
        """Whether the proof concluded, rightly, that the formula has a solution."""
        self.bounds: ProvedBounds | None = None
        self.best: int | None = None
        """The objective of the last solution that was logged, which is the best one."""
        self._separator = ":" if version == "3.0" else ";"
        self._short = {} if version == "3.0" else _SHORT

    def take(self, words: list[str]) -> None:
        """Check a statement."""
        if not words:
            raise RefusedError("an empty statement")
        if words[0] in self._short:
            words = [*self._short[words[0]], *words[1:]]
        rule = RULES.get(words[0])
        if rule is None:
            raise RefusedError(f"there is no rule '{words[0][:40]}', only {', '.join(RULES)}")
        if self.footer != (_FOOTER.index(words[0]) if words[0] in _FOOTER else 0):
            raise RefusedError("a proof ends with 'output', 'conclusion' and 'end', each once")
        rule(self, words)

    def number(self, word: str) -> int:
        """Return the number of a constraint that is there; -1 is the last one added."""
        number = integer(word)
        if number < 0:
            number += self.data.last + 1
        if number not in self.data.alive:
            raise RefusedError(f"there is no constraint {word[:40]}")
        return number

    def formula_check(self, words: list[str]) -> None:
        """``f n``: the formula has n constraints."""
        size = len(self.formula.constraints)
        if words[1:] != [str(size)]:
            raise RefusedError(f"the formula has {size} constraints, an equality counted twice")

    def polish(self, words: list[str]) -> None:
        """``pol ...``: operations in reverse Polish notation."""
        alive = self.data.alive
        self.data.add(evaluate(words[1:], lambda word: alive[self.number(word)], self.most_digits))

    def propagation(self, words: list[str]) -> None:
        """``rup C : hints``: unit propagation refutes the negation, ``~`` among the hints."""
        new, hints = self._constraint(words)
        true, rest = assumed_false(new)
        # Without hints everything known is propagated on, and in 3.0 with an empty list nothing.
        if hints is None or (not hints and self._separator == ";"):
            found = self.data.refutes(true, rest)
        else:
            numbers = [word for word in hints if word != "~"]
            known = [self.data.alive[self.number(word)] for word in numbers]
            if len(numbers) == len(hints):
                # Without "~" the hints must be contradictory by themselves.
                true, rest = set(), []
            found = refuted([*rest, *known], true)
        if not found:
            raise RefusedError("unit propagation does not refute the negation of the constraint")
        self.data.add(new)

    def redundance(self, words: list[str]) -> None:
        """``red C : x1 -> 0 ...``: what violates C alone can be changed by the witness."""
        new, mapped = self._constraint(words)
        witness = self._witness(mapped or [])
        opposite = negation(new)
        # Redundance: a model of all that is known which violates `new` satisfies `new`, and still
        # all that is known, once the witness has changed it. So each of these, with the witness put
        # in, must follow from the negation of `new` and all that is known. A constraint without a
        # variable of the witness does not change.
        touched = {id(old): old for var in witness for old in self.data.mentioning(var)}
        goals = [([opposite], new), *(([opposite, old], old) for old in touched.values())]
        for known, old in goals:
            goal = substituted(old, witness)
            if goal.trivial or any(implies(one, goal) for one in known):
                continue
            true, rest = assumed_false(goal)
            if not self.data.refutes(true, [opposite, *rest]):
                which = "the constraint itself" if old is new else _shown(old)
                raise RefusedError(f"the witness need not satisfy {which}")
        self.data.add(new)

    def equality(self, words: list[str]) -> None:
        """``e C : id``: constraint id is C; without a number, some constraint is."""
        new, numbers = self._constraint(words)
        if not numbers:
            if new not in self.data.alive.values():
                raise RefusedError("no constraint is this one")
            return
        found = self.data.alive[self.number(" ".join(numbers))]
        if found != new:
            raise RefusedError(f"constraint {numbers[0]} is another one: {_shown(found)}")

    def deletion(self, words: list[str]) -> None:
        """``del id ...`` or ``del range a b``: forget derived constraints."""
        kind, *rest = words[1:] or [""]
        if kind == "id":
            numbers = [self.number(word) for word in rest]
        elif kind == "range" and len(rest) == 2:
            start, stop = map(integer, rest)
            numbers = list(range(max(start, 1), min(stop, self.data.last + 1)))
        else:
            raise RefusedError("'del' needs 'id' and numbers, or 'range' and two numbers")
        size = len(self.formula.constraints)
        links = self._links() if self.alone is None else []
        if (
            self.turns
            and self.alone is None
            and numbers
            and numbers == [*range(1, size + 1), *links]
        ):
            self._turn(links)
            return
        for number in numbers:
            if number <= size:
                raise RefusedError(f"constraint {number} of the formula cannot be deleted")
            self.data.alive.derived.pop(number, None)

    def _links(self) -> list[int]:
        """Return the numbers of the last constraints, which are links if there are any."""
        number = 0 if self.shared is None else self.shared.links
        return [*islice(reversed(self.data.alive.derived), number)][::-1]

    def _turn(self, links: Sequence[int]) -> None:
        """Delete the formula, and the links."""
        self.data.forget_given()
        self.alone = tuple(self.data.alive.derived.items())
        for number in links:
            del self.data.alive.derived[number]
        left = {abs(lit) for found in self.data.alive.derived.values() for lit in found.terms}
        if self.shared is None:
            self.inputs = max([self.inputs, *left])
        else:
            self.inputs, self._left = self.shared.booleans, frozenset(left)

    def missing(self) -> int | None:
        """Return the first constraint of a deleted formula not derived again; None if all are.

        The last constraints, in order, must be those of the formula.
        """
        if self.alone is None:
            return None
        links = self.alone[len(self.alone) - (self.shared.links if self.shared else 0) :]
        wanted = [*self.formula.constraints, *(link for _, link in links)]
        derived = [*self.data.alive.derived.values()][-len(wanted) :]
        if len(derived) < len(wanted):
            return 1
        pairs = enumerate(zip(wanted, derived, strict=True), start=1)
        return next((number for number, (given, again) in pairs if given != again), None)

    def solution(self, words: list[str]) -> None:
        """``soli x1 ~x2 ...``: a solution; from here on only better ones matter."""
        if self.formula.objective is None:
            raise RefusedError("'soli' needs an objective, and the formula has none that counts")
        end = words.index(":") if ":" in words else len(words)
        self.best = self._value(words[1:end], self.data.alive.items())
        if end < len(words) and words[end + 1 :] != [str(self.best)]:
            raise RefusedError(f"the objective of this solution is {self.best}")
        self.data.add(self.formula.at_most(self.best - 1))

    def _value(self, words: list[str], constraints: Iterable[tuple[int, Inequality]]) -> int:
        """Return the objective of a solution. Raises RefusedError if it is none."""
        true = {LITERALS[word] for word in words}
        variables = {abs(lit) for lit in true}
        if len(variables) < len(words):
            raise RefusedError("a variable is twice in a solution")
        missing = next((v for v in range(1, self.formula.variables + 1) if v not in variables), 0)
        if missing or len(variables) > self.formula.variables:
            what = f"x{missing} has no value" if missing else "it has variables of the proof"
            raise RefusedError(f"a solution gives the formula's variables their values: {what}")
        for number, (terms, degree) in constraints:
            if sum([weight for lit, weight in terms.items() if lit in true]) < degree:
                raise RefusedError(f"this is no solution: constraint {number} does not hold")
        return self.formula.value(true)

    def output(self, words: list[str]) -> None:
        """``output NONE``: nothing is said about what remains."""
        if words[1:] != ["NONE"]:
            raise RefusedError("only 'output NONE' is known")
        self.footer = 1

    def conclusion(self, words: list[str]) -> None:
        """Check what the proof concludes.

        ``NONE``; ``UNSAT : id``, where constraint id cannot be satisfied; ``SAT : literals``, a
        solution; ``BOUNDS lower : id upper : literals``, where constraint id says that the
        objective is at least lower, and that of the solution is at most upper.
        """
        match words[1:]:
            case ["NONE"]:
                pass
            case ["UNSAT", ":", number]:
                if self.best is not None:
                    raise RefusedError("there is a solution")
                if not self.data.alive[self.number(number)].contradictory:
                    raise RefusedError(f"constraint {number} can be satisfied")
                self.refuted = True
            case ["SAT", ":", *literals]:
                self._value(literals, enumerate(self.formula.constraints, start=1))
                self.satisfied = True
            case ["BOUNDS", lower, ":", number, upper, ":", *literals]:
                self.bounds = self._bounds(integer(lower), number, integer(upper), literals)
            case _:
                forms = "NONE, UNSAT : id, SAT : literals, BOUNDS lower : id upper : literals"
                raise RefusedError(f"a conclusion is one of {forms}")
        self.footer = 2

    def _bounds(self, lower: int, number: str, upper: int, literals: list[str]) -> ProvedBounds:
        if self.formula.objective is None:
            raise RefusedError("bounds need an objective, and the formula has none that counts")
        value = self._value(literals, enumerate(self.formula.constraints, start=1))
        if value > upper:
            raise RefusedError(f"the objective of this solution is {value}, not at most {upper}")
        # What was derived after a solution of value b holds where the objective is below b: so the
        # objective is at least the smaller one of b and what the constraint says.
        found = self.data.alive[self.number(number)]
        if self.best is not None and lower > self.best:
            raise RefusedError(f"a solution has {self.best}: {lower} is no lower bound")
        if not (found.contradictory or implies(found, self.formula.at_least(lower))):
            raise RefusedError(
                f"constraint {number} does not say: the objective is at least {lower}"
            )
        return ProvedBounds(lower, upper)

    def end(self, words: list[str]) -> None:
        """``end pseudo-Boolean proof``: nothing follows."""
        if words[1:] != ["pseudo-Boolean", "proof"]:
            raise RefusedError("the end must be 'end pseudo-Boolean proof'")
        self.footer = 3

    def _constraint(self, words: list[str]) -> tuple[Inequality, list[str] | None]:
        """Read a constraint behind the first word; return also the words behind the separator."""
        found, end = inequality(words, 1)
        if end == len(words) and self._separator == ":":
            return found, None
        if end == len(words):
            raise RefusedError("the ';' behind the constraint is missing")
        if words[end] != self._separator:
            raise RefusedError(f"'{words[end]}' where '{self._separator}' should be")
        return found, words[end + 1 :]

    def _witness(self, words: list[str]) -> dict[int, int | bool]:
        words = [word for word in words if word != "->"]
        witness: dict[int, int | bool] = {}
        if len(words) % 2:
            raise RefusedError("a witness is pairs of a variable and 0, 1 or a literal")
        for name, value in zip(words[::2], words[1::2], strict=True):
            var = LITERALS[name]
            if var < 0 or var in witness:
                raise RefusedError(f"a witness maps variables, each once, but has {name}")
            if var <= self.inputs or var in self._left:
                owner = "the formula" if self.alone is None else "what the formula left"
                raise RefusedError(f"the witness maps {name}, a variable of {owner}")
            if self.alone is not None and var > self.formula.variables:
                self.fresh = min(var, self.fresh or var)
            witness[var] = value == "1" if value in ("0", "1") else LITERALS[value]
        return witness


def _shown(found: Inequality) -> str:
    terms = list(found.terms.items())
    shown = [f"{_number(weight)} {'x' if lit > 0 else '~x'}{abs(lit)}" for lit, weight in terms[:6]]
    more = ["..."] if len(terms) > 6 else []
    return " ".join([*shown, *more, ">=", _number(found.degree)])


def _number(number: int) -> str:
    return str(number) if number.bit_length() < 200 else "(a large number)"


RULES: Final[dict[str, Callable[[Checker, list[str]], None]]] = {
    "f": Checker.formula_check,
    "pol": Checker.polish,
    "rup": Checker.propagation,
    "red": Checker.redundance,
    "e": Checker.equality,
    "del": Checker.deletion,
    "soli": Checker.solution,
    "output": Checker.output,
    "conclusion": Checker.conclusion,
    "end": Checker.end,
}
"""Word -> rule."""


@dataclass(frozen=True, slots=True)
class Derived:
    """The constraints that a correct proof leaves, by number; the formula's come first."""

    constraints: Known
    refuted: bool
    """Whether the proof concludes that the formula is unsatisfiable."""
    last: int = 0
    """The number of the constraint that was added last, deleted or not."""
    alone: tuple[tuple[int, Inequality], ...] | None = None
    """Constraints left when all constraints of the formula were deleted, by number.

    Every model of this satisfies the formula, which was derived again. None: nothing was deleted.
    """
    fresh: int | None = None
    """The smallest variable that was introduced after that."""
    satisfied: bool = False
    """Whether the proof concludes that the formula has a solution, which it shows."""
    bounds: ProvedBounds | None = None
    """ProvedBounds on the objective of the best solution, if the proof concludes them."""

    def clauses(self) -> set[frozenset[int]]:
        """Return the clauses among the constraints; -v is the negation of ``xv``."""
        return self.derived_clauses() | _clauses(self.constraints.given)

    def derived_clauses(self) -> set[frozenset[int]]:
        """Return the clauses among the derived constraints."""
        return _clauses(self.constraints.derived.values())

    def first_underived(self, clauses: Iterable[Iterable[int]]) -> int | None:
        """Return the place, from 0, of the first clause that was not derived; None if all were."""
        derived = self.derived_clauses()
        wanted = [frozenset(clause) for clause in clauses]
        if not derived.issuperset(wanted):
            derived = self.clauses()
        return next((place for place, clause in enumerate(wanted) if clause not in derived), None)

    def forced(self) -> set[int]:
        """Return the literals that single constraints force."""
        return self.constraints.forced()


def _clauses(inequalities: Iterable[Inequality]) -> set[frozenset[int]]:
    found = (inequality.clause for inequality in inequalities)
    return {clause for clause in found if clause is not None}


def check_proof(
    formula: bytes | PbFormula,
    proof: bytes,
    formula_source: str = "formula.opb",
    proof_source: str = "proof.pbp",
    *,
    most_digits: int = MOST_COMPUTED,
    turns: bool = False,
    shared: Shared | None = None,
) -> Derived:
    r"""Check a proof in VeriPB's format, version 3.0 or 2.0, from an OPB formula, read or not.

    Read are the rules f, pol, rup, red, e, del, soli, output NONE, conclusion, and end;
    nothing is allowed that VeriPB would not allow, and no sum with a weight or a degree of more
    than about `most_digits` digits. A proof that `turns` around may delete all constraints of the
    formula at once, and must derive them again then; the last constraints, in order, are these.
    Of a formula of canonical rows, ``shared`` says what else takes part in that.
    Raises ProofError, naming file and line, for the first thing wrong.

    >>> proof = b"pseudo-Boolean proof version 3.0\nf 1 ;\nrup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;\n"
    >>> proof += b"output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
    >>> check_proof(b"1 x1 1 x2 <= 1 ;\n", proof).first_underived([[-1, -2], [1, 2]])
    1
    """
    problem = read_formula(formula, formula_source) if isinstance(formula, bytes) else formula
    version, statements = proof_statements(text_of(proof, proof_source), proof_source)
    checker = Checker(problem, version, most_digits, turns=turns, shared=shared)
    line = 1
    for line, words in statements:
        try:
            checker.take(words)
        except RefusedError as refusal:
            raise ProofError(proof_source, line, str(refusal)) from None
    if checker.footer != 3:
        message = "the proof is cut off: 'end pseudo-Boolean proof' is missing"
        raise ProofError(proof_source, line, message)
    missing = checker.missing()
    if missing is not None:
        message = f"constraint {missing} of the formula was deleted, and is not derived again"
        raise ProofError(proof_source, line, message)
    found = checker.data.alive, checker.refuted, checker.data.last
    turned = checker.alone, checker.fresh
    return Derived(*found, *turned, checker.satisfied, checker.bounds)
