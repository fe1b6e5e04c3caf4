"""A pseudo-Boolean proof that the board contradicts "some verdict is wrong".

``proof.opb`` is the problem of the clues and the total with that claim as its last constraint (an
inconsistent board makes no claim), ``proof.pbp`` ends in ``conclusion UNSAT``. The proof consists
of the steps of the other files: the derivation of those clauses that the refutation uses, the
lemmas of LRAT as ``rup`` with their hints, or sums of clues. A clause or lemma is deleted after its
last use.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbcnf.derivation import step_text, whole_proof
from pbcnf.derivation.derivation_state import Deleted, Propagated
from pbcnf.proof import LratAddition, LratStep
from satsweeper.certificate.formula import CertifiedFormula, Statement
from satsweeper.certificate.patterns import DerivationBlock, StepBlock
from satsweeper.certificate.sums import SumsProof

PROBLEM: Final = "proof.opb"
PROOF: Final = "proof.pbp"

_CLAIM: Final = 0
"""Stands for the number of the claim, which comes between the constraints of the board and the
first step only in the new proof."""


class _NewNumbers(dict[int, int]):
    """Old number of a constraint -> number in the proof; the board's constraints keep theirs.

    Numbers 0, -1, -2 ... stand for constraints that come behind those of the board, in this order.
    """

    def __init__(self, given: int) -> None:
        super().__init__()
        self._given = given

    def __missing__(self, number: int) -> int:
        if number > self._given:
            raise KeyError(number)
        return number if number > 0 else self._given + 1 - number


@dataclass
class ProofSteps:
    """Steps in old numbers, from ``given`` + 1 on: blocks of a derivation, then lemmas.

    Numbers 0, -1, -2 ... are those of further constraints, such as the claim, in their order.
    """

    given: int
    blocks: list[StepBlock] = field(default_factory=list)
    size: int = 0
    """The number of steps in the blocks."""
    lemmas: list[Propagated] = field(default_factory=list)

    def add_blocks(self, blocks: Sequence[StepBlock]) -> None:
        """Append blocks of steps."""
        self.blocks += blocks
        self.size += sum([block.size for block in blocks])

    def add_sums(self, sums: SumsProof) -> DerivationBlock:
        """Add the steps of a proof by sums; return the block, which knows their numbers here."""
        block = DerivationBlock(sums.derivation, self.given, shift=self.size)
        self.add_blocks([block])
        return block

    def add_lemma(self, literals: Sequence[int], hints: Sequence[int]) -> int:
        """Add a clause that propagation on the constraints `hints` proves; return its number."""
        self.lemmas.append(Propagated(tuple(literals), tuple(hints)))
        return self.given + self.size + len(self.lemmas)

    def add_refutation(self, steps: Sequence[LratStep], clauses: Sequence[int]) -> int:
        """Add the lemmas that refute clauses with these numbers; return the number of the last."""
        number = dict(enumerate(clauses, start=1))
        last = 0
        for step in steps:
            if isinstance(step, LratAddition):
                last = self.add_lemma(step.literals, [number[hint] for hint in step.hints])
                number[step.identifier] = last
        return last

    def proof(self, further: int, contradiction: int) -> bytes:
        """Return the proof: only the steps that its last constraint needs, numbered anew.

        Args:
            further: the number of constraints between those of the board and the first step.
            contradiction: the old number of the constraint that cannot hold.
        """
        # Backwards: a step is needed if the contradiction, a lemma or a needed later step uses it.
        needed = {contradiction, *(hint for lemma in self.lemmas for hint in lemma.ids)}
        kept: list[tuple[StepBlock, list[int]]] = []
        for block in reversed(self.blocks):
            places = []
            for place in range(block.size - 1, -1, -1):
                if block.first + place in needed:
                    needed.update(block.uses(place))
                    places.append(place)
            kept.append((block, places[::-1]))
        # Forwards: steps are numbered as they are written, so uses have their new numbers by then.
        new = _NewNumbers(self.given)
        taken = self.given + further
        written = []
        for block, places in reversed(kept):
            for place in places:
                written.append(block.line(place, new))
                taken += 1
                new[block.first + place] = taken
        written += self._refutation(new, taken)
        text = whole_proof(self.given + further, written, contradiction=new[contradiction])
        return "".join(text).encode("ascii")

    def _refutation(self, new: _NewNumbers, taken: int) -> Iterator[str]:
        """Yield the lemmas with their hints in new numbers, and deletions after the last use."""
        last_use = {hint: at for at, lemma in enumerate(self.lemmas) for hint in lemma.ids}
        begin = self.given + self.size + 1
        for at, lemma in enumerate(self.lemmas):
            yield step_text(lemma, number=lambda old: str(new[old]))
            new[begin + at] = taken + at + 1
            done = {new[h] for h in lemma.ids if last_use[h] == at and h > self.given}
            if done and at < len(self.lemmas) - 1:
                yield step_text(Deleted(tuple(sorted(done))))


def by_clauses(
    said: Statement,
    formula: CertifiedFormula,
    claim: Sequence[int] | None,
    refutation: Sequence[LratStep],
) -> dict[str, bytes]:
    """Return the two files, from a formula and its refutation together with the claim, if any."""
    steps = ProofSteps(formula.given)
    steps.add_blocks(formula.blocks)
    clauses = [*formula.numbers, *([] if claim is None else [_CLAIM])]
    return _files(said, claim, steps, steps.add_refutation(refutation, clauses))


def by_sums(said: Statement, sums: SumsProof, claim: Sequence[int] | None) -> dict[str, bytes]:
    """Return the two files, from sums that prove each literal of the claim false, or refute."""
    steps = ProofSteps(sums.derivation.formula)
    steps.add_sums(sums)
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
    """Return the two files, from a refutation of a formula and of further clauses.

    ``more``: clauses that sums prove, and as the last one the part of the claim that sums leave.
    """
    *known, rest = more
    left = set(rest)
    steps = ProofSteps(formula.given)
    steps.add_blocks(formula.blocks)
    moved = steps.add_sums(sums).moved
    origins = dict.fromkeys(moved(sums.number_of([-lit])) for lit in claim if lit not in left)
    clauses = [*formula.numbers, *(moved(sums.number_of(clause)) for clause in known)]
    clauses.append(steps.add_lemma(rest, [*origins, _CLAIM]))
    return _files(said, claim, steps, steps.add_refutation(refutation, clauses))


def _files(
    said: Statement, claim: Sequence[int] | None, steps: ProofSteps, contradiction: int
) -> dict[str, bytes]:
    proof = steps.proof(int(claim is not None), contradiction)
    return {PROBLEM: said.opb(claim), PROOF: proof}
