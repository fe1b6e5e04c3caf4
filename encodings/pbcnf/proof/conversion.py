"""From DRUP or DRAT to LRAT: the hints of a check backwards, and only the lemmas it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbcnf.errors import Error
from pbcnf.proof.backward import BackwardCheck
from pbcnf.proof.proof_queries import History
from pbcnf.proof.propagation import Deletions
from pbcnf.proof.steps import Checked, DratStep, LratAddition, LratDeletion, LratStep


class UnprovedError(Error, ValueError):
    """A proof that cannot be converted because it does not hold; `checked` says where."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked)
        self.checked = checked

    def __str__(self) -> str:
        return self.checked.reason


def to_lrat(
    cnf: Iterable[Sequence[int]],
    proof: Iterable[DratStep],
    *,
    goals: Iterable[Sequence[int]] | None = None,
    deletions: Deletions = "drat-trim",
    marks: Mapping[int, bool] | None = None,
) -> list[LratStep]:
    """Return an LRAT proof of what `check_drat` checks; raise UnprovedError if it does not hold.

    The clauses of `cnf` have the identifiers 1, 2, ... and the lemmas those that follow. Marked
    backwards from the empty clause (or the goals, which end the proof as lemmas), only lemmas and
    hints that matter are kept; hints stand in an order of propagation. Every clause is deleted
    after its last use, unused ones at the start.

    The check is `check_drat`'s with `backward`: a wrong lemma that nothing needs goes unnoticed,
    and is not in the result. Raises ValueError for a literal 0, and for `deletions` "strict".

    `marks`, of steps from 0 on: True for a clause that others derive, from the lemmas before it, so
    that it is here without hints, if it is needed; False for a lemma that is wanted, used or not.
    The steps that come of these have the number of the step, from 1 on, as their `line`.

    >>> from pbcnf.proof import parse_drat
    >>> cnf = [[1, 2], [-1, 2], [1, -2], [-1, -2], [1, 5]]
    >>> for step in to_lrat(cnf, parse_drat(b"2 7 0 2 0")): print(tuple(step)[:3])
    (5, (5,), 0)
    (6, (2,), (1, 2))
    (6, (1, 2), 0)
    (7, (), (6, 3, 4))
    """
    if deletions not in ("drat-trim", "ignored"):
        raise ValueError(f"for LRAT deletions are 'drat-trim' or 'ignored', not {deletions!r}")
    marks = marks or {}
    history = History([tuple(c) for c in cnf], list(proof), goals, deletions == "ignored", marks)
    check = BackwardCheck(history, core_first=False)
    checked = check.answer()
    if not checked:
        raise UnprovedError(checked)
    count, clauses = len(history.formula), history.lives.clauses
    derived = {number: (clauses[number - 1], hints) for number, hints in check.hints.items()}
    end = len(clauses) + 1
    last_use: dict[int, int] = {}
    if check.refutation is not None:
        derived[end] = ((), check.refutation)
        last_use[end] = end
    else:
        last_use = dict.fromkeys(range(end - len(history.goals or ()), end), end)
    times = dict(enumerate([question.time for question in history.questions], count + 1))
    wanted = [number for number, time in times.items() if marks.get(time) is False]
    last_use |= dict.fromkeys(wanted, end)
    # From the end backwards, the first use that is met is the last use in the proof: the clause can
    # be deleted right after it.
    uses: dict[int, list[int]] = {}
    for number in sorted(derived, reverse=True):
        if number in last_use:
            for hint in derived[number][1]:
                if hint > 0 and hint not in last_use:
                    last_use[hint] = number
                    uses.setdefault(number, []).append(hint)
    steps: list[LratStep] = []
    unused = tuple(number for number in range(1, count + 1) if number not in last_use)
    if unused:
        steps.append(LratDeletion(count, unused))
    # LRAT wants increasing identifiers, those of the formula first.
    identifiers = {number: number for number in range(1, count + 1)}
    for number in sorted(derived):
        if number not in last_use:
            continue
        identifier = identifiers[number] = len(identifiers) + 1
        lemma, hints = derived[number]
        live = _without_dead(hints, number, last_use)
        steps.append(
            LratAddition(
                identifier,
                lemma,
                tuple(identifiers[hint] if hint > 0 else -identifiers[-hint] for hint in live),
                times[number] + 1 if times.get(number, -1) in marks else 0,
            )
        )
        done = tuple(sorted(identifiers[hint] for hint in uses.get(number, ())))
        if done and number != end:
            steps.append(LratDeletion(identifier, done))
    return steps


def _without_dead(hints: tuple[int, ...], number: int, last_use: dict[int, int]) -> Iterator[int]:
    """Yield the hints of lemma `number`, without resolvents with clauses deleted before.

    A clause that no later step uses is deleted early, so RAT need not resolve with it any more.
    """
    dead = False
    for hint in hints:
        if hint < 0:
            dead = last_use.get(-hint, 0) < number
        if not dead:
            yield hint
