"""The checker of LRAT proofs: it searches nothing, it only looks at the hints.

Shares no code with the RUP checker. Stricter than lrat-check: identifiers increase, each hint is
unit (not satisfied) in its turn, the last one false, and nothing follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbcnf.proof.steps import Checked, Literals, LratAddition, LratStep, place, written


class _WrongError(Exception):
    """What is wrong with a step."""


def check_lrat(
    cnf: Iterable[Sequence[int]],
    proof: Iterable[LratStep],
    *,
    goals: Iterable[Sequence[int]] | None = None,
) -> Checked:
    """Check that a proof refutes the clauses `cnf`, or that it has every goal among its lemmas.

    The clauses have the identifiers 1, 2, ... All steps are checked, also those behind the empty
    clause. A lemma without a conflict among its hints must be RAT on its first literal p: there
    must be a negative hint -i for every clause i that holds -p at that point and no other; what
    follows it must be refuted once the other literals of clause i are assumed to be false as well,
    unless these contradict what is known. With `goals`, RAT is allowed only on variables that
    occur neither in the clauses nor in the goals, as in `check_drat`. Raises ValueError for a
    literal 0.

    >>> from pbcnf.proof import parse_lrat
    >>> cnf = [[1, 2], [-1, 2], [1, -2], [-1, -2], [1, 5]]
    >>> check_lrat(cnf, parse_lrat(b"6 2 0 1 2 0\\n7 0 6 3 4 0")).core
    (1, 2, 3, 4)
    >>> check_lrat(cnf, parse_lrat(b"6 2 0 1 3 0")).reason
    "line 1: clause '2': hint 3 is not unit"
    """
    known: dict[int, Literals] = {n: tuple(clause) for n, clause in enumerate(cnf, start=1)}
    wanted = None if goals is None else [tuple(goal) for goal in goals]
    fixed = {abs(lit) for clause in (*known.values(), *(wanted or ())) for lit in clause}
    if 0 in fixed:
        raise ValueError("0 is no literal")
    live = dict(known)
    used: dict[int, tuple[int, ...]] = {}
    newest = len(known)
    rat = missing = 0
    for index, step in enumerate(proof):
        if not isinstance(step, LratAddition):
            for number in step.deleted:
                missing += live.pop(number, None) is None
            continue
        if 0 in step.literals:
            raise ValueError("0 is no literal")
        try:
            if step.identifier <= newest:
                raise _WrongError(f"identifier {step.identifier}, but {newest} was there before")
            needs_rat = _needs_rat(step, live)
            if needs_rat and wanted is not None and abs(step.literals[0]) in fixed:
                raise _WrongError("goals forbid RAT on a variable of the formula")
        except _WrongError as error:
            where = f"{place(index, step.line)}: {written(step.literals)}"
            return Checked(
                False, f"{where}: {error}", index, step.line, step.literals,
                len(used) + 1, rat, missing=missing,
            )  # fmt: skip
        rat += needs_rat
        newest = step.identifier
        known[newest] = live[newest] = step.literals
        used[newest] = step.hints
    reason, targets = _conclusion(known, wanted)
    return Checked(
        targets is not None, reason, lemmas=len(used), rat=rat, missing=missing,
        core=_originals(targets or [], used),
    )  # fmt: skip


def _conclusion(
    known: dict[int, Literals], goals: list[Literals] | None
) -> tuple[str, list[int] | None]:
    """Say what the proof proves, and by which of the clauses that were ever there."""
    numbers = {frozenset(clause): number for number, clause in reversed(known.items())}
    if frozenset() in numbers:
        return "the empty clause is derived", [numbers[frozenset()]]
    if goals is None:
        return "the proof ends without the empty clause", None
    for goal in goals:
        if frozenset(goal) not in numbers:
            return f"the goal, {written(goal)}, is not derived", None
    return f"all goals are derived ({len(goals)})", [numbers[frozenset(goal)] for goal in goals]


def _needs_rat(step: LratAddition, live: dict[int, Literals]) -> bool:
    """Check a lemma; return whether it needed the hints for resolvents."""
    end = next((at for at, hint in enumerate(step.hints) if hint < 0), len(step.hints))
    false = set(step.literals)
    if _conflict(step.hints[:end], false, live):
        if end < len(step.hints):
            raise _WrongError("more hints follow the conflict")
        return False
    if not step.literals:
        raise _WrongError("the hints end without a conflict")
    _check_resolvents(step.literals[0], step.hints[end:], false, live)
    return True


def _check_resolvents(
    pivot: int, hints: tuple[int, ...], false: set[int], live: dict[int, Literals]
) -> None:
    open_clauses = {number for number, clause in live.items() if -pivot in clause}
    starts = [at for at, hint in enumerate(hints) if hint < 0]
    if not starts and open_clauses:
        raise _WrongError("the hints end without a conflict")
    for start, end in zip(starts, [*starts, len(hints)][1:], strict=True):
        number = -hints[start]
        if number not in open_clauses:
            raise _WrongError(f"hint -{number} names no clause to resolve with on {pivot}")
        open_clauses.remove(number)
        rest = [lit for lit in live[number] if lit != -pivot]
        more = hints[start + 1 : end]
        if any(-lit in false for lit in rest):
            if more:
                raise _WrongError(f"the resolvent with {number} needs no hints")
        elif not _conflict(more, false.union(rest), live):
            raise _WrongError(f"the hints of the resolvent with {number} end without a conflict")
    if open_clauses:
        raise _WrongError(f"no hint for the resolvent with {min(open_clauses)}")


def _conflict(hints: Sequence[int], false: set[int], live: dict[int, Literals]) -> bool:
    """Make false what the hints make false; return whether they end in a conflict."""
    for at, hint in enumerate(hints, start=1):
        if hint not in live:
            raise _WrongError(f"hint {hint} names no clause that is there")
        rest = {lit for lit in live[hint] if lit not in false}
        if not rest:
            if at < len(hints):
                raise _WrongError("more hints follow the conflict")
            return True
        if len(rest) > 1:
            raise _WrongError(f"hint {hint} is not unit")
        unit = rest.pop()
        if -unit in false:
            raise _WrongError(f"hint {hint} is satisfied")
        false.add(-unit)
    return False


def _originals(targets: list[int], used: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the original clauses from which clauses were derived, by identifier."""
    seen = set(targets)
    waiting = list(targets)
    while waiting:
        fresh = {hint for hint in used.get(waiting.pop(), ()) if hint > 0} - seen
        seen |= fresh
        waiting += fresh
    return tuple(sorted(number for number in seen if number not in used))
