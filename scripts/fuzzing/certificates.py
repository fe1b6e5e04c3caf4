"""Certificates compared with the truth: their claims, and the checker's answers."""

from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from satsweeper import certify, check
from satsweeper.certificate.formula import ENCODINGS, TOTAL_ENCODINGS
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.solvers.table import SOLVERS
from scripts.fuzzing.judge import WrongAnswerError, attempt, refused, same
from scripts.fuzzing.positions import Case, position_of, put, whole_encoders
from scripts.fuzzing.truth import Truth


def certified(case: Case, truth: Truth, rng: Random) -> None:
    """Certify to a temporary folder, and check it."""
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
    call = f"certify(position, {', '.join(f'{k}={v!r}' for k, v in options.items())})"
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
    said = f"{call}{_call(asked)}"
    checked = attempt(said, lambda: check(folder, **asked, external=False))
    certain = [v for v in truth.verdicts.values() if v != "unknown"]
    expected = {
        "rows": case.rows,
        "mines": case.mines,
        "flags": case.flags,
        "status": "consistent" if truth.layouts else "inconsistent",
        "grid": tuple(truth.grid) if truth.layouts else None,
        "proved": len(certain) if truth.layouts else 0,
        "witnessed": len(truth.covered) - len(certain) if truth.layouts else 0,
    }
    same(said, expected, {name: getattr(checked, name) for name in expected})
    others: list[dict[str, Any]] = [
        {"board": _another(case.rows, rng)},
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
        "rows": len(case.rows),
        "columns": len(case.rows[0]),
        "mines": case.mines,
        "flags": case.flags,
        "status": "consistent" if truth.layouts else "inconsistent",
        "grid": truth.grid if truth.layouts else None,
    }
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


def _another(rows: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """Return the board with a cell changed."""
    r = rng.randrange(len(rows))
    c = rng.randrange(len(rows[r]))
    symbol = rng.choice([s for s in "012345678?F" if s != rows[r][c]])
    return put(rows, r, c, symbol)
