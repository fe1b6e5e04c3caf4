"""The checker of LRAT proofs: it searches nothing, it only looks at the hints.

Shares no code with the RUP checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbcnf.proof.steps import Checked, Literals, LratAddition, LratStep, place, written


class _WrongError(Exception):
    """Raised for a step that is refused, with the reason."""


def check_lrat(
    cnf: Iterable[Sequence[int]],
    proof: Iterable[LratStep],
    *,
    goals: Iterable[Sequence[int]] | None = None,
    strict: bool = False,
) -> Checked:
    """Check that a proof refutes the clauses `cnf`, or that it has every goal among its lemmas.

    The clauses have the identifiers 1, 2, ... All steps are checked, also those behind the empty
    clause. A lemma without a conflict among its hints must be RAT on its first literal p: there
    must be a negative hint -i for every clause i that holds -p at that point, and no other; the
    hints behind it must lead to a conflict once the other literals of clause i are assumed to be
    false as well, unless these literals contradict what is known. With `goals`, RAT is allowed only
    on variables that occur neither in the clauses nor in the goals, as in `check_drat`. Raises
    ValueError for a literal 0.

    As cake_lpr does, it takes what solvers write and what proves no less: hints that are satisfied
    or repeated are passed over, those behind a conflict are not looked at, and the identifier of a
    lemma may be any that no clause, original or derived, has had. `strict`, each hint must be unit
    in its turn, the last one false, none may follow it, and identifiers increase.

    >>> from pbcnf.proof import parse_lrat
    >>> cnf = [[1, 2], [-1, 2], [1, -2], [-1, -2], [1, 5]]
    >>> check_lrat(cnf, parse_lrat(b"6 2 0 1 2 0\\n7 0 6 3 4 0")).core
    (1, 2, 3, 4)
    >>> check_lrat(cnf, parse_lrat(b"6 2 0 1 3 0")).reason
    "line 1: clause '2': the hints end without a conflict"
    >>> proof = parse_lrat(b"9 2 0 1 1 2 3 0\\n7 0 9 3 4 0")
    >>> check_lrat(cnf, proof).verified, check_lrat(cnf, proof, strict=True).reason
    (True, "line 1: clause '2': hint 1 is satisfied")
    """
    known: dict[int, Literals] = {n: tuple(clause) for n, clause in enumerate(cnf, start=1)}
    wanted = None if goals is None else [tuple(goal) for goal in goals]
    fixed = {abs(lit) for clause in (*known.values(), *(wanted or ())) for lit in clause}
    if 0 in fixed:
        raise ValueError("0 is no literal")
    live = dict(known)
    used: dict[int, list[int]] = {}
    newest = len(known)
    rat = missing = 0
    for index, step in enumerate(proof):
        if not isinstance(step, LratAddition):
            for number in step.deleted:
                missing += live.pop(number, None) is None
            continue
        if 0 in step.literals:
            raise ValueError("0 is no literal")
        hints = _Hints(live, strict)
        try:
            if step.identifier in known or step.identifier <= (newest if strict else 0):
                last = newest if strict else step.identifier
                raise _WrongError(f"identifier {step.identifier}, but {last} was there before")
            needs_rat = _needs_rat(step, hints)
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
        used[newest] = hints.used
    reason, targets = _conclusion(known, wanted)
    return Checked(
        targets is not None, reason, lemmas=len(used), rat=rat, missing=missing,
        core=_originals(targets or [], used),
    )  # fmt: skip


def _conclusion(
    known: dict[int, Literals], goals: list[Literals] | None
) -> tuple[str, list[int] | None]:
    """Return the result: whether the proof is a refutation, and the clauses it rests on."""
    numbers = {frozenset(clause): number for number, clause in reversed(known.items())}
    if frozenset() in numbers:
        return "the empty clause is derived", [numbers[frozenset()]]
    if goals is None:
        return "the proof ends without the empty clause", None
    for goal in goals:
        if frozenset(goal) not in numbers:
            return f"the goal, {written(goal)}, is not derived", None
    return f"all goals are derived ({len(goals)})", [numbers[frozenset(goal)] for goal in goals]


class _Hints:
    """Propagation along the hints of a lemma; `used` are the hints the lemma needs."""

    def __init__(self, live: dict[int, Literals], strict: bool) -> None:
        self.live = live
        self.strict = strict
        self.used: list[int] = []

    def conflict(self, hints: Sequence[int], false: set[int]) -> bool:
        """Make false what the hints make false; return whether they lead to a conflict."""
        # Invariant: in every model of the live clauses in which the literals assumed false are
        # false, so are all in `false`. A hint whose literals are all false then contradicts the
        # assumption.
        for at, hint in enumerate(hints, start=1):
            if hint not in self.live:
                raise _WrongError(f"hint {hint} names no clause that is there")
            rest = {lit for lit in self.live[hint] if lit not in false}
            if not rest:
                if at < len(hints):
                    self.refuse("more hints follow the conflict")
                self.used.append(hint)
                return True
            satisfied = any(-lit in false for lit in rest)
            if len(rest) > 1 and (self.strict or not satisfied):
                raise _WrongError(f"hint {hint} is not unit")
            if satisfied:
                self.refuse(f"hint {hint} is satisfied")
            else:
                false.add(-rest.pop())
                self.used.append(hint)
        return False

    def refuse(self, message: str) -> None:
        """Raise for what proves no less than it should, if the check is strict."""
        if self.strict:
            raise _WrongError(message)


def _needs_rat(step: LratAddition, hints: _Hints) -> bool:
    """Check a lemma: RUP by its first hints, or else RAT; return whether it was RAT."""
    end = next((at for at, hint in enumerate(step.hints) if hint < 0), len(step.hints))
    false = set(step.literals)
    if hints.conflict(step.hints[:end], false):
        if end < len(step.hints):
            hints.refuse("more hints follow the conflict")
        return False
    if not step.literals:
        raise _WrongError("the hints end without a conflict")
    _check_resolvents(step.literals[0], step.hints[end:], false, hints)
    return True


def _check_resolvents(pivot: int, given: tuple[int, ...], false: set[int], hints: _Hints) -> None:
    candidates = {number for number, clause in hints.live.items() if -pivot in clause}
    # Every live clause with the negated pivot needs one group of hints; a group for any other
    # clause is an error.
    unproved = set(candidates)
    starts = [at for at, hint in enumerate(given) if hint < 0]
    if not starts and candidates:
        raise _WrongError("the hints end without a conflict")
    for start, end in zip(starts, [*starts, len(given)][1:], strict=True):
        number = -given[start]
        if number not in unproved:
            wrong = f"hint -{number} names no clause to resolve with on {pivot}"
            if number not in candidates:
                raise _WrongError(wrong)
            hints.refuse(wrong)
            continue
        rest = [lit for lit in hints.live[number] if lit != -pivot]
        more = given[start + 1 : end]
        if any(-lit in false for lit in rest):
            if more:
                hints.refuse(f"the resolvent with {number} needs no hints")
        elif not hints.conflict(more, false.union(rest)):
            raise _WrongError(f"the hints of the resolvent with {number} end without a conflict")
        unproved.discard(number)
    if unproved:
        raise _WrongError(f"no hint for the resolvent with {min(unproved)}")


def _originals(targets: list[int], used: dict[int, list[int]]) -> tuple[int, ...]:
    """Return the original clauses from which clauses were derived, by identifier."""
    seen = set(targets)
    waiting = list(targets)
    while waiting:
        fresh = set(used.get(waiting.pop(), ())) - seen
        seen |= fresh
        waiting += fresh
    return tuple(sorted(number for number in seen if number not in used))
