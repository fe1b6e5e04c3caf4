"""Certificates held to the truth: what is claimed, and what the checker says of it."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from satsweeper import certify, check
from satsweeper.certificate.formula import ENCODINGS
from satsweeper.checker.wrong import WrongCertificateError
from satsweeper.solvers.table import SOLVERS
from scripts.fuzzing.encoders import whole_encoders
from scripts.fuzzing.positions import Case
from scripts.fuzzing.reading import position_of
from scripts.fuzzing.truth import Truth
from scripts.fuzzing.wrong import WrongAnswerError, attempt, refused, same


def certified(case: Case, truth: Truth, rng: Random) -> None:
    """``certify`` to a temporary folder, and ``check`` of it, also against other boards."""
    encoders = [name for name in ENCODINGS if name in whole_encoders()]
    options: dict[str, Any] = {
        "flags": case.flags,
        "encoding": rng.choice(encoders),
        "total_encoding": rng.choice(encoders),
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
        call = f"{call}; check(folder, board=rows)"
        checked = attempt(call, lambda: check(folder, board=case.rows, external=False))
        proved = len(certain) if truth.layouts else 0
        same(f"{call}.status", manifest["status"], checked.status)
        same(f"{call}.proved", proved, checked.proved)
        witnessed = len(truth.covered) - proved if truth.layouts else 0
        same(f"{call}.witnessed", witnessed, checked.witnessed)
        other = _another(case.rows, rng)
        refused(
            f"{call.removesuffix('rows)')}{other!r})",
            WrongCertificateError,
            lambda: check(folder, board=other, external=False),
        )


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
    """The same board but for one cell."""
    r = rng.randrange(len(rows))
    c = rng.randrange(len(rows[r]))
    symbol = rng.choice([s for s in "012345678?F" if s != rows[r][c]])
    row = rows[r][:c] + symbol + rows[r][c + 1 :]
    return (*rows[:r], row, *rows[r + 1 :])
