"""A session held to the truth while cells of a layout are opened, with a lie now and then."""

from random import Random
from typing import Any, Final

from satsweeper import Session
from satsweeper.solvers.table import AUTO, SOLVERS
from scripts.fuzzing import judge
from scripts.fuzzing.judge import attempt, refused
from scripts.fuzzing.positions import Case, position_of, whole_encoders
from scripts.fuzzing.truth import Truth, around

_MOST_OPENED: Final = 4


def played(case: Case, truth: Truth, rng: Random) -> None:
    """``Session``: classify, explain and reveal in turn."""
    options: dict[str, Any] = {"flags": case.flags}
    if rng.random() < 0.3:
        options["encoding"] = rng.choice(whole_encoders())
        options["total_encoding"] = rng.choice(whole_encoders())
        options["solver"] = rng.choice([AUTO, *SOLVERS])
    call = f"Session(position, {', '.join(f'{k}={v!r}' for k, v in options.items())})"
    position = position_of(case)
    with attempt(call, lambda: Session(position, **options)) as session:
        _play(call, session, case.seen(), truth, rng)


def _play(call: str, session: Session, rows: tuple[str, ...], truth: Truth, rng: Random) -> None:
    flagged = set(truth.flags)
    mines = truth.some_layout(rng.random()) if truth.layouts else flagged
    for _ in range(_MOST_OPENED):
        if rng.random() < 0.9:
            judge.classification(
                f"{call}.classify()", attempt(f"{call}.classify()", session.classify), truth
            )
        if truth.covered and rng.random() < 0.3:
            _explain(call, session, truth, rng)
        lie = rng.random() < 0.1
        hidden = [cell for cell in truth.covered if lie or cell not in mines]
        if not hidden:
            break
        cell = rng.choice(hidden)
        clue = rng.randint(0, 8) if lie else len(mines & around(cell))
        call = f"{call}.reveal({cell}, {clue})"
        attempt(call, lambda cell=cell, clue=clue: session.reveal(cell, clue))  # type: ignore[misc]
        rows = _opened(rows, *cell, clue)
        truth = Truth(rows, truth.mines)
    judge.classification(
        f"{call}.classify()", attempt(f"{call}.classify()", session.classify), truth
    )


def _explain(call: str, session: Session, truth: Truth, rng: Random) -> None:
    cell = rng.choice(truth.covered)
    asked = f"{call}.explain({cell})"
    if truth.layouts:
        found = attempt(asked, lambda: session.explain(cell))
        judge.explanation(asked, found, truth, cell)
    else:
        refused(asked, ValueError, lambda: session.explain(cell))


def _opened(rows: tuple[str, ...], r: int, c: int, clue: int) -> tuple[str, ...]:
    row = rows[r][:c] + str(clue) + rows[r][c + 1 :]
    return (*rows[:r], row, *rows[r + 1 :])
