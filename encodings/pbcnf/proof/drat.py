"""The checker of DRUP and DRAT proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbcnf.proof.backward import BackwardCheck
from pbcnf.proof.batch_check import check_in_batches
from pbcnf.proof.gc_pause import gc_paused
from pbcnf.proof.proof_queries import History
from pbcnf.proof.propagation import Deletions, Replay
from pbcnf.proof.steps import Addition, Checked, DratStep

_MANY: Final = 1000
_LARGE: Final = 4
"""Proofs of at least _MANY steps are checked in batches, except for large formulas.

A formula is large if it has more than _LARGE clauses for each step of the proof. A lemma touches
few of its clauses, so that checking lemmas one by one is faster.
"""


@gc_paused()
def check_drat(
    cnf: Iterable[Sequence[int]],
    proof: Iterable[DratStep],
    *,
    goals: Iterable[Sequence[int]] | None = None,
    deletions: Deletions = "drat-trim",
    backward: bool = False,
) -> Checked:
    """Check that a proof refutes the clauses `cnf`, or that every goal follows from them.

    Forwards, unless `backward`: every lemma up to the empty clause must be RUP, or RAT on its first
    literal. As in drat-trim the empty clause is reached as soon as unit propagation conflicts; what
    comes after is not looked at, and a ``0`` need not be written. With `goals` (clauses, such as
    one literal each) the proof may also end without the empty clause, if then each goal is RUP; RAT
    is then allowed on variables only that occur neither in the clauses nor in the goals, since on
    others it would exclude models that a goal has to hold in.

    A clause is deleted by its set of literals, one copy at a time; deletions of what is not there
    are counted. `deletions` is "drat-trim" (those of unit clauses and of reasons of literals that
    hold for good are not obeyed: solvers log them, but rely on the literal), "strict" (all obeyed)
    or "ignored". Not obeying some never makes a wrong proof pass. Two things pass drat-trim and
    not this: a lemma that is wrong and never used (unless `backward`), and one that is RAT on
    another than its first literal (drat-trim tries them all).

    With `backward` only those lemmas are looked at that the empty clause or the goals need, from
    the end on; conflicts are sought first among the clauses needed so far. A wrong lemma that
    nothing needs goes unnoticed, and of wrong ones that are needed the last is named; all else is
    as it is forwards. `lemmas` counts those of the core, `core` has the clauses of the formula's,
    and the steps `needed` are the trimmed proof, of which the core of the formula is enough; the
    whole formula is too, unless there are RAT lemmas. On long proofs it takes longer than forwards.

    Raises ValueError for a literal 0, and for `backward` with "strict".

    >>> from pbcnf.proof import parse_drat
    >>> check_drat([[1, 2], [-1, 2], [1, -2], [-1, -2]], parse_drat(b"2 0")).reason
    'the empty clause is reached at line 1'
    >>> check_drat([[1, 2], [-1, 2], [1, -2]], [], goals=[[1], [2]]).reason
    'all goals follow (2)'
    >>> check_drat([[1, 2], [-1, 2], [1, -2]], parse_drat(b"3 4 0")).reason  # RAT
    'the proof ends without the empty clause'
    >>> lemmas = parse_drat(b"3 2 0 4 0 2 0")
    >>> checked = check_drat([[1, 2], [-1, 2], [1, -2], [-1, -2], [1, 3]], lemmas, backward=True)
    >>> checked.core, [lemmas[i].literals for i in checked.needed]
    ((1, 2, 3, 4), [(2,)])
    """
    cnf, proof = list(cnf), list(proof)
    if backward and deletions not in ("drat-trim", "ignored"):
        raise ValueError(f"backwards deletions are 'drat-trim' or 'ignored', not {deletions!r}")
    many = len(proof) >= _MANY and len(cnf) <= _LARGE * len(proof)
    if backward or (many and deletions in ("drat-trim", "ignored")):
        history = History(list(map(tuple, cnf)), proof, goals, deletions == "ignored")
        return BackwardCheck(history).answer() if backward else check_in_batches(history)
    return Replay(cnf, goals, deletions).run(proof)


def session_lemmas(proof: Iterable[DratStep]) -> list[Addition]:
    """Return the lemmas of the log of an incremental solver, to be checked with `goals`.

    Deletions are left out, because goals are derived at the end from lemmas that the solver may
    have deleted before; so are empty clauses, which some solvers log whenever assumptions fail.
    Leaving out steps never makes a wrong proof pass.
    """
    return [step for step in proof if isinstance(step, Addition) and step.literals]
