"""One pseudo-Boolean proof: from what a board says and "some verdict is wrong" to a contradiction.

``proof.opb`` is the problem of the clues and the total with that claim as its last constraint (an
inconsistent board makes no claim), ``proof.pbp`` ends in ``conclusion UNSAT``. It is made of what
the other files hold: the derivation of those clauses that the refutation uses, the lemmas of LRAT
as ``rup`` with their hints, or sums of clues. A clause or lemma is deleted after its last use.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbcnf.proof import LratAddition, LratStep
from satsweeper.certificate.formula import CertifiedFormula
from satsweeper.certificate.patterns import proof_text
from satsweeper.certificate.statement import Statement
from satsweeper.certificate.sums import SumsProof

PROBLEM: Final = "proof.opb"
PROOF: Final = "proof.pbp"

_CLAIM: Final = 0
"""Stands for the number of the claim, which comes between the constraints of the board and the
first step only in the new proof."""

_USED: Final = re.compile(r"(?<= )[0-9]+(?= [^*d])")
"""The number of a constraint, in what comes behind the rule or behind ``: ~`` of ``rup``; a number
before ``*`` or ``d`` is a factor or a divisor."""


class _Numbers(dict[int, int]):
    """Old number -> new number; those of what is given stay, and the claim follows them."""

    def __init__(self, given: int) -> None:
        super().__init__({_CLAIM: given + 1})
        self._given = given

    def __missing__(self, number: int) -> int:
        if number > self._given:
            raise KeyError(number)
        return number


@dataclass
class _Steps:
    """Steps in old numbers, from ``given`` + 1 on: lines as written, and lemmas behind them."""

    given: int
    lines: list[str] = field(default_factory=list)
    lemmas: list[tuple[Sequence[int], Sequence[int]]] = field(default_factory=list)
    """Literals, and the numbers of what propagates."""

    def add_lines(self, text: bytes) -> Callable[[int], int]:
        """Add the steps of a proof from the same constraints; what its numbers become."""
        shift = len(self.lines)

        def moved(number: int) -> int:
            return number + shift if number > self.given else number

        lines = text.decode("ascii").splitlines(keepends=True)[2:-3]
        self.lines += [_with_numbers(line, moved) for line in lines] if shift else lines
        return moved

    def add_lemma(self, literals: Sequence[int], hints: Sequence[int]) -> int:
        """The number of a clause that these propagate."""
        self.lemmas.append((literals, hints))
        return self.given + len(self.lines) + len(self.lemmas)

    def add_refutation(self, steps: Sequence[LratStep], clauses: Sequence[int]) -> int:
        """Add the lemmas that refute clauses with these numbers; the number of the last."""
        number = dict(enumerate(clauses, start=1))
        last = 0
        for step in steps:
            if isinstance(step, LratAddition):
                last = self.add_lemma(step.literals, [number[hint] for hint in step.hints])
                number[step.identifier] = last
        return last

    def proof(self, claim: bool, contradiction: int) -> bytes:
        """The proof: only the steps that matter, numbered anew."""
        first = self.given + 1
        needed = {contradiction, *(hint for _, hints in self.lemmas for hint in hints)}
        for at in range(len(self.lines) - 1, -1, -1):
            if first + at in needed:
                needed.update(_used(self.lines[at]))
        new = _Numbers(self.given)
        taken = self.given + claim
        written = []
        for old, line in enumerate(self.lines, first):
            if old in needed:
                written.append(_with_numbers(line, new.__getitem__))
                taken += 1
                new[old] = taken
        written += self._refutation(new, taken)
        return proof_text(self.given + claim, "".join(written), new[contradiction])

    def _refutation(self, new: _Numbers, taken: int) -> Iterator[str]:
        """The lemmas with their hints in new numbers, and deletions."""
        last_use = {hint: at for at, (_, hints) in enumerate(self.lemmas) for hint in hints}
        begin = self.given + len(self.lines) + 1
        for at, (literals, hints) in enumerate(self.lemmas):
            terms = "".join([f"1 x{lit} " if lit > 0 else f"1 ~x{-lit} " for lit in literals])
            yield f"rup {terms}>= 1 : ~ {' '.join([str(new[hint]) for hint in hints])} ;\n"
            new[begin + at] = taken + at + 1
            done = [new[h] for h in hints if last_use[h] == at and h > self.given]
            if done and at < len(self.lemmas) - 1:
                yield f"del id {' '.join(map(str, sorted(set(done))))} ;\n"


def by_clauses(
    said: Statement,
    formula: CertifiedFormula,
    claim: Sequence[int] | None,
    refutation: Sequence[LratStep],
) -> dict[str, bytes]:
    """The two files, from a formula and its refutation together with the claim, if any."""
    steps = _steps(said)
    steps.add_lines(formula.derivation)
    clauses = [*_clauses(steps), *([] if claim is None else [_CLAIM])]
    return _files(said, claim, steps, steps.add_refutation(refutation, clauses))


def by_sums(said: Statement, sums: SumsProof, claim: Sequence[int] | None) -> dict[str, bytes]:
    """The two files, from sums that prove each literal of the claim false, or a contradiction."""
    steps = _steps(said)
    steps.add_lines(sums.text())
    if sums.contradiction is not None:
        return _files(said, claim, steps, sums.contradiction)
    assert claim is not None
    origins = dict.fromkeys(sums.number_of([-lit]) for lit in claim)
    return _files(said, claim, steps, steps.add_lemma((), [*origins, _CLAIM]))


def by_both(
    said: Statement,
    formula: CertifiedFormula,
    sums: SumsProof,
    more: Sequence[Sequence[int]],
    claim: Sequence[int],
    refutation: Sequence[LratStep],
) -> dict[str, bytes]:
    """The two files, from a refutation of a formula and ``more``: clauses that sums prove, and
    last what they leave of the claim."""
    *known, rest = more
    left = set(rest)
    steps = _steps(said)
    steps.add_lines(formula.derivation)
    clauses = _clauses(steps)
    moved = steps.add_lines(sums.text())
    origins = dict.fromkeys(moved(sums.number_of([-lit])) for lit in claim if lit not in left)
    clauses += [moved(sums.number_of(clause)) for clause in known]
    clauses.append(steps.add_lemma(rest, [*origins, _CLAIM]))
    return _files(said, claim, steps, steps.add_refutation(refutation, clauses))


def _steps(said: Statement) -> _Steps:
    return _Steps(2 * (len(said.sums) + (said.total is not None)))


def _clauses(steps: _Steps) -> list[int]:
    """The numbers of the clauses of a formula: those of its derivation's ``rup`` steps."""
    return [n for n, line in enumerate(steps.lines, steps.given + 1) if line.startswith("rup")]


def _files(
    said: Statement, claim: Sequence[int] | None, steps: _Steps, contradiction: int
) -> dict[str, bytes]:
    proof = steps.proof(claim is not None, contradiction)
    return {PROBLEM: said.opb(claim), PROOF: proof}


def _parts(line: str) -> tuple[str, str]:
    """A step, apart where the numbers of constraints begin."""
    if line.startswith("rup"):
        at = line.index(": ~ ") + 3
        return line[:at], line[at:]
    return ("", line) if line.startswith("pol") else (line, "")


def _used(line: str) -> Iterator[int]:
    return map(int, _USED.findall(_parts(line)[1]))


def _with_numbers(line: str, new: Callable[[int], int]) -> str:
    before, behind = _parts(line)
    return before + _USED.sub(lambda found: str(new(int(found[0]))), behind)
