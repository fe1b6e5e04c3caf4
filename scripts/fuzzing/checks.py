"""The checks: each makes one call about a board and compares the answer with the truth.

A check draws its options from a random generator of its own, so that the options do not depend on
other checks, and raises ``WrongAnswerError`` for a wrong answer.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from pbcnf import ENCODERS
from pbcnf.errors import EncodingError
from satsweeper import Explanation, Position, Session, certify, check, classify, explain, odds
from satsweeper.certificate.formula import ENCODINGS, TOTAL_ENCODINGS
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.count.odds import NoLayoutError
from satsweeper.engines.table import ENGINES, installed
from satsweeper.notation.error import BoardError
from satsweeper.solvers.table import AUTO, SOLVERS
from scripts.fuzzing import truth as judge
from scripts.fuzzing.positions import Case, out_of_reach, position_of, put, whole_encoders
from scripts.fuzzing.truth import Cell, Truth, WrongAnswerError, around, attempt, refused, same


def certified(case: Case, truth: Truth, rng: Random) -> None:
    """Certify the verdicts into a temporary folder, and check the certificate."""
    whole = whole_encoders()
    options: dict[str, Any] = {
        "flags": case.flags,
        "encoding": rng.choice([name for name in ENCODINGS if name in whole]),
        "total_encoding": rng.choice([name for name in TOTAL_ENCODINGS if name in whole]),
        "solver": rng.choice([name for name, row in SOLVERS.items() if row.proof]),
    }
    certain = [cell for cell, v in truth.verdicts.items() if v != "unknown"]
    if truth.layouts and rng.random() < 0.3:
        options["cells"] = rng.sample(certain, min(len(certain), 2))
    call = shown("certify", **options)
    position = position_of(case)
    made = attempt(call, lambda: certify(position, **options))
    with TemporaryDirectory() as parent:
        folder = Path(parent) / "certificate"
        manifest = attempt(f"{call}.write(folder)", lambda: made.write(folder))
        _claim(call, manifest, case, truth)
        _checked(f"{call}; ", folder, case, truth, rng)


def _checked(call: str, folder: Path, case: Case, truth: Truth, rng: Random) -> None:
    """Require ``check`` to accept the board, and to refuse any other board, total or mode."""
    total: int | str = "unknown" if case.mines is None else case.mines
    asked: dict[str, Any] = {"board": case.rows, "mines": total, "flags": case.flags}
    shown_call = f"{call}{_call(asked)}"
    checked = attempt(shown_call, lambda: check(folder, **asked, external=False))
    certain = [v for v in truth.verdicts.values() if v != "unknown"]
    expected = {
        "rows": case.rows, "mines": case.mines, "flags": case.flags,
        "status": "consistent" if truth.layouts else "inconsistent",
        "grid": tuple(truth.grid) if truth.layouts else None,
        "proved": len(certain) if truth.layouts else 0,
        "witnessed": len(truth.covered) - len(certain) if truth.layouts else 0,
    }  # fmt: skip
    same(shown_call, expected, {name: getattr(checked, name) for name in expected})
    r = rng.randrange(len(case.rows))
    c = rng.randrange(len(case.rows[r]))
    symbol = rng.choice([s for s in "012345678?F" if s != case.rows[r][c]])
    others: list[dict[str, Any]] = [
        {"board": put(case.rows, r, c, symbol)},
        {"mines": rng.choice([each for each in ("unknown", 0, 1, 2, 3) if each != total])},
        {"flags": "ignore" if case.flags == "trust" else "trust"},
    ]
    for other in others:
        forged = {**asked, **other}
        work = partial(check, folder, **forged, external=False)
        refused(f"{call}{_call(forged)}", WrongCertificateError, work)


def _call(asked: dict[str, Any]) -> str:
    return f"check(folder, {', '.join(f'{name}={value!r}' for name, value in asked.items())})"


def _claim(call: str, manifest: dict[str, Any], case: Case, truth: Truth) -> None:
    expected = {
        "rows": len(case.rows), "columns": len(case.rows[0]), "mines": case.mines,
        "flags": case.flags, "status": "consistent" if truth.layouts else "inconsistent",
        "grid": truth.grid if truth.layouts else None,
    }  # fmt: skip
    same(f"the manifest of {call}", expected, {key: manifest[key] for key in expected})
    for proof in manifest["cells"]:
        r, c = proof["cell"]
        clues = [(row, column) for row, column in proof["clues"]]
        same(f"the verdict of {r, c} in {call}", truth.verdicts[r, c], proof["verdict"])
        # Trusted flags are mines in every formula of a certificate.
        table = truth.meeting(clues, truth.flags, proof["total"])
        mine = truth.with_mine((r, c))
        if table & (~mine if proof["verdict"] == "mine" else mine):
            raise WrongAnswerError(f"the proof of {r, c} in {call}", "clues that force it", proof)


HEAVY: Final = ("cp_sat", "ilp", "lp", "lp_relaxation", "scip", "smt")
"""Engines that take many times longer than all other engines together."""


def shown(name: str, **options: Any) -> str:
    """Return the text of a call of the function ``name`` on ``position`` with ``options``."""
    return f"{name}({', '.join(['position', *(f'{k}={v!r}' for k, v in options.items())])})"


def classified(case: Case, truth: Truth, rng: Random) -> None:
    """Check ``classify`` with default options, and that the board is read and written back."""
    if out_of_reach(case):
        refused("Position.parse(text)", BoardError, lambda: Position.parse(case.text()))
    same("Position.text()", case.text(), position_of(case).text())
    _classify(case, truth, flags=case.flags)


def _classify(case: Case, truth: Truth, complete: bool = True, **options: Any) -> None:
    position, call = position_of(case), shown("classify", **options)
    found = attempt(call, lambda: classify(position, **options))
    judge.classification(call, found, truth, complete)


def named(case: Case, truth: Truth, rng: Random, plain: bool = False) -> None:
    """Check ``classify`` with random encoders of clues and of the total, and a random solver."""
    whole = whole_encoders()
    every = not plain and rng.random() < 0.1
    options: dict[str, Any] = {
        "encoding": rng.choice([*ENCODERS] if every else whole),
        "total_encoding": rng.choice(whole),
        "solver": rng.choice([AUTO, *SOLVERS]),
        "flags": case.flags,
    }
    options |= {"plain": True} if plain else {}
    try:
        _classify(case, truth, **options)
    except WrongAnswerError as wrong:
        if options["encoding"] in whole or not isinstance(wrong.__cause__, EncodingError):
            raise


def by_engine(case: Case, truth: Truth, rng: Random, heavy: bool = False) -> None:
    """Check ``classify`` by a random engine; with ``heavy`` by an installed engine of `HEAVY`."""
    names = [n for n in HEAVY if installed(ENGINES[n])]
    if not heavy:
        names = [n for n in ENGINES if n not in (*HEAVY, "sat")]
    if names:
        name = rng.choice(names)
        _classify(case, truth, ENGINES[name].complete, engine=name, flags=case.flags)


def counted(case: Case, truth: Truth, rng: Random, dense: bool = False) -> None:
    """Check ``odds``; with ``dense`` for a random density and the total unknown."""
    density = None
    if dense:
        below = rng.randint(2, 30)
        case = Case(case.rows, None, case.flags)
        truth, density = case.truth(), Fraction(rng.randint(1, below - 1), below)
    call = shown("odds", flags=case.flags, density=density)
    position = position_of(case)
    if not truth.layouts:
        refused(call, NoLayoutError, lambda: odds(position, flags=case.flags, density=density))
        return
    found = attempt(call, lambda: odds(position, flags=case.flags, density=density))
    same(f"{call}.solutions", truth.layouts.bit_count(), found.solutions)
    chances = truth.chances(density)
    same(f"{call}.mine", chances, found.mine)
    inside = [cell for cell in truth.covered if cell not in truth.touched]
    same(f"{call}.interior_cells", len(inside), found.interior_cells)
    same(f"{call}.interior", chances[inside[0]] if inside else None, found.interior)
    least = min(chances.values(), default=None)
    same(f"{call}.safest()", [cell for cell, p in chances.items() if p == least], found.safest())


def explained(case: Case, truth: Truth, rng: Random) -> None:
    """Check ``explain`` for a random covered cell."""
    if not truth.covered:
        return
    cell = rng.choice(truth.covered)
    options: Any = {"flags": case.flags, "solver": rng.choice([AUTO, AUTO, AUTO, *SOLVERS])}
    call = shown("explain", cell=cell, **options)
    position = position_of(case)
    _explained(call, lambda: explain(position, cell, **options), truth, cell)


def _explained(call: str, ask: Callable[[], Explanation], truth: Truth, cell: Cell) -> None:
    if truth.layouts:
        judge.explanation(call, attempt(call, ask), truth, cell)
    else:
        refused(call, ValueError, ask)


def played(case: Case, truth: Truth, rng: Random) -> None:
    """Check a ``Session``: classify, explain and reveal in turn, now and then with a wrong clue."""
    options: dict[str, Any] = {"flags": case.flags}
    if rng.random() < 0.3:
        options["encoding"] = rng.choice(whole_encoders())
        options["total_encoding"] = rng.choice(whole_encoders())
        options["solver"] = rng.choice([AUTO, *SOLVERS])
    call = shown("Session", **options)
    position = position_of(case)
    with attempt(call, lambda: Session(position, **options)) as session:
        _play(call, session, case.seen(), truth, rng)


def _play(call: str, session: Session, rows: tuple[str, ...], truth: Truth, rng: Random) -> None:
    flagged = set(truth.flags)
    mines = truth.some_layout(rng.random()) if truth.layouts else flagged
    for _ in range(4):
        if rng.random() < 0.9:
            found = attempt(f"{call}.classify()", session.classify)
            judge.classification(f"{call}.classify()", found, truth)
        if truth.covered and rng.random() < 0.3:
            cell = rng.choice(truth.covered)
            _explained(f"{call}.explain({cell})", partial(session.explain, cell), truth, cell)
        lie = rng.random() < 0.1
        hidden = [cell for cell in truth.covered if lie or cell not in mines]
        if not hidden:
            break
        cell = rng.choice(hidden)
        clue = rng.randint(0, 8) if lie else len(mines & around(cell))
        call = f"{call}.reveal({cell}, {clue})"
        attempt(call, partial(session.reveal, cell, clue))
        rows = put(rows, *cell, str(clue))
        truth = Truth(rows, truth.mines)
    found = attempt(f"{call}.classify()", session.classify)
    judge.classification(f"{call}.classify()", found, truth)


class Check(NamedTuple):
    """A check, the share of positions that are checked, and its description."""

    run: Callable[[Case, Truth, Random], None]
    share: float
    about: str


CHECKS: Final[dict[str, Check]] = {
    "classify": Check(classified, 1.0, "as it is by default, and what was read written back"),
    "named": Check(named, 0.5, "random encodings of clues and total, and a random solver"),
    "plain": Check(partial(named, plain=True), 0.07, "the same without reductions"),
    "odds": Check(counted, 1.0, "exact, with the number of layouts"),
    "density": Check(partial(counted, dense=True), 0.1, "odds with a random density"),
    "explain": Check(explained, 0.6, "a random covered cell"),
    "session": Check(played, 0.25, "cells opened one by one"),
    "engine": Check(by_engine, 0.1, "one of the other engines"),
    "heavy": Check(partial(by_engine, heavy=True), 0.003,
                   f"one of {', '.join(HEAVY)} that is installed"),
    "certificate": Check(certified, 0.06, "certify, then check"),
}  # fmt: skip
