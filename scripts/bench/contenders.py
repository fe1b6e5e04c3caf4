"""The table of contenders, and which of them are skipped here and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pbcnf import ENCODERS
from pbcnf.encoders.table import expresses
from satsweeper import Position, classify
from satsweeper.position import KEEP
from satsweeper.solvers.table import SOLVERS
from scripts.bench.baselines import (
    Answer,
    cp_sat,
    ms_toollib_deduction,
    ms_toollib_probability,
    pysat_loop,
)
from scripts.bench.encode_contenders import missing

BASELINE: Final = "pysat-loop"
TOOLLIB: Final = ("ms_toollib-deduction", "ms_toollib-probability")
_DOTS: Final = str.maketrans("012345678F", "." * 10)


@dataclass(frozen=True)
class Contender:
    """A contender that classifies positions.

    ``run(text, with_total)`` goes from a record's text to its verdicts. ``total`` is None where it
    answers what it is asked; True or False where it always or never uses the total. ``complete``:
    it claims every certain cell. ``judged``: a wrong verdict fails the run (others' errors are
    shown and counted only). ``slow``: it takes seconds, so it gets few positions a class.
    """

    name: str
    run: Callable[[str, bool], Answer]
    total: bool | None = None
    complete: bool = True
    judged: bool = True
    slow: bool = False

    def answers(self, with_total: bool) -> bool:
        """Whether the contender belongs in a table of results with or without the total."""
        return self.total is not False or not with_total

    def question(self, with_total: bool) -> bool:
        """Whether the contender uses the total, asked with or without it."""
        return with_total if self.total is None else self.total


def ours(text: str, with_total: bool, **options: Any) -> Answer:
    """``satsweeper.classify``, from text to verdicts."""
    position = Position.parse(text, mines=KEEP if with_total else None)
    found = classify(position, **options)
    if found.status != "consistent":
        raise RuntimeError(f"status {found.status}")
    return Answer("".join(found.grid()).translate(_DOTS), found.stats.sat_calls)


def find_contenders(
    names: Sequence[str] | None, encodings: Sequence[str], solvers: Sequence[str]
) -> tuple[list[Contender], dict[str, str]]:
    """The contenders asked for (None: the usual ones), and the skipped ones with the reason.

    ``encodings`` and ``solvers`` add ``ours/NAME``; ``["all"]`` stands for every one there is.

    Raises ``ValueError`` for a name that nobody has.
    """
    fixed = _fixed()
    skipped: dict[str, str] = {}
    known = {*fixed, *(f"ours/{name}" for name in (*ENCODERS, *SOLVERS))}
    wanted = list(fixed if names is None else names)
    wanted += [f"ours/{name}" for name in (ENCODERS if "all" in encodings else encodings)]
    wanted += [f"ours/{name}" for name in (SOLVERS if "all" in solvers else solvers)]
    chosen = []
    for name in dict.fromkeys(wanted):
        if name not in known:
            raise ValueError(f"no contender {name!r} (there are {', '.join(sorted(known))})")
        kind, _, option = name.partition("/")
        reason = _missing(kind) or (_cannot_express(option) if option in ENCODERS else None)
        if reason:
            skipped[name] = reason
        elif name in fixed:
            chosen.append(fixed[name])
        else:
            given: dict[str, Any] = {"encoding" if option in ENCODERS else "solver": option}
            chosen.append(Contender(name, partial(ours, **given)))
    return chosen, skipped


def _fixed() -> dict[str, Contender]:
    direct = partial(pysat_loop, cardenc=False)
    table = [
        Contender("ours", ours),
        Contender("ours-known", ours_known, total=True),
        Contender("plain", partial(ours, plain=True)),
        Contender(BASELINE, partial(direct, solver="cadical153")),
        Contender("pysat-loop-minisat22", partial(direct, solver="minisat22")),
        Contender("pysat-cardenc", partial(pysat_loop, solver="cadical153", cardenc=True)),
        Contender("cp-sat", cp_sat, slow=True),
        Contender(
            "ms_toollib-deduction", ms_toollib_deduction, total=False, complete=False, judged=False
        ),
        Contender("ms_toollib-probability", ms_toollib_probability, total=True, judged=False),
    ]
    return {contender.name: contender for contender in table}


def ours_known(text: str, with_total: bool) -> Answer:
    """``satsweeper.classify`` with the total, whatever was asked."""
    return ours(text, True)


def _missing(kind: str) -> str | None:
    # The whole of a package now, so that no measurement pays for the import.
    module = {"cp-sat": "ortools.sat.python.cp_model"}.get(kind, kind.partition("-")[0])
    return missing(module) if kind in ("cp-sat", *TOOLLIB) else None


def _cannot_express(name: str) -> str | None:
    """Why an encoder cannot do clues: they need every exact bound of up to eight cells."""
    if all(expresses(ENCODERS[name], 8, bound, bound) for bound in range(1, 8)):
        return None
    return "it cannot express a clue"
