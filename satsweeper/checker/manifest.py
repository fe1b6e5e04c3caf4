"""The manifest of a certificate: board, verdicts, kinds of proof, and hashes of all files."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from satsweeper.checker.board import BOARD, Cell
from satsweeper.checker.contents import is_integer, json_object, read_files, read_regular
from satsweeper.checker.errors import WrongCertificateError

MANIFEST: Final = "manifest.json"
SCHEMA: Final = "satsweeper/certificate/1"

LAYOUTS: Final = "layouts.json"
FORMULA_FILES: Final = ("clues.opb", "derivation.pbp", "formula.cnf", "map.json")
SUMS: Final = "sums.pbp"
PROOF_FILES: Final[Mapping[str, tuple[str, ...]]] = {
    "clauses": FORMULA_FILES,
    "sums": ("clues.opb", "map.json", SUMS),
    "both": (*FORMULA_FILES, SUMS),
}
"""Kind of proof, as the manifest names it -> the files that are always present."""
ONE_PROOF: Final = ("proof.opb", "proof.pbp")
"""Problem and proof of all claims in one piece; older certificates lack them."""
REFUTATION_FILES: Final = ("refutation.cnf", "refutation.drat", "refutation.lrat")

_KEYS: Final = frozenset(
    {
        "schema", "satsweeper", "rows", "columns", "mines", "flags", "status", "grid", "solver",
        "encoding", "total_encoding", "cells", "files",
    }
)  # fmt: skip
_WAY: Final = "proof"
"""Key of the kind of proof; "clauses" if the key is missing."""
_PROVENANCE: Final = ("satsweeper", "solver", "encoding", "total_encoding")
"""Keys about the making of the certificate; they claim nothing about the board."""


@dataclass(frozen=True)
class CellProof:
    """A certain verdict with a proof of its own, from ``clues`` and, if ``total``, the total."""

    cell: Cell
    verdict: Literal["safe", "mine"]
    clues: tuple[Cell, ...]
    total: bool
    way: str
    """Kind of the proof, a key of ``PROOF_FILES``."""

    @property
    def stem(self) -> str:
        """The folder of the files of this proof, with a slash behind."""
        return f"cells/{self.cell[0]}_{self.cell[1]}/"


class CertificateFiles:
    """Read access to the files of a certificate, which are bytes until they are used."""

    files: Mapping[str, bytes]

    def text(self, name: str) -> str:
        """Return the file ``name`` as ASCII. Raises WrongCertificateError."""
        try:
            return self.files[name].decode("ascii")
        except UnicodeDecodeError as error:
            raise WrongCertificateError(name, f"byte {error.start}: not ASCII") from None


@dataclass(frozen=True)
class LoadedCertificate(CertificateFiles):
    """The manifest, read strictly, and all files of the certificate.

    ``size``: rows, columns and the total (None if unknown) of the board, as stated in the manifest.
    ``grid``: a row of verdicts a line, as ``classify`` prints them; None of an inconsistent board.
    ``way``: the kind of proof of the verdicts, a key of ``PROOF_FILES``.
    ``sha256``: hash of the manifest, which holds the hash of every other file.
    """

    consistent: bool
    trust_flags: bool
    size: tuple[int, int, int | None]
    grid: tuple[str, ...] | None
    way: str
    proofs: tuple[CellProof, ...]
    sha256: str
    files: Mapping[str, bytes] = field(repr=False)

    def json(self, name: str) -> dict[str, Any]:
        """Return the file ``name`` as a JSON object. Raises WrongCertificateError."""
        return json_object(name, self.files[name])


def read_certificate(folder: Path) -> LoadedCertificate:
    """Read a certificate: its manifest, and exactly the files it needs, with their hashes.

    Raises:
        WrongCertificateError: the manifest or a file is missing, malformed, or not needed.
        OSError: a file cannot be read.
    """
    found, sha256 = read_manifest(folder, SCHEMA, _KEYS, _WAY)
    status, flags = found["status"], found["flags"]
    if status not in ("consistent", "inconsistent") or flags not in ("trust", "ignore"):
        raise WrongCertificateError(MANIFEST, "no status, or no mode of flags")
    for key in _PROVENANCE:
        if not isinstance(found[key], str) and (key, found[key]) != ("total_encoding", None):
            raise WrongCertificateError(MANIFEST, f"{key}: no text")
    consistent = status == "consistent"
    size = manifest_size(found)
    grid = found["grid"]
    if not consistent and grid is not None:
        raise WrongCertificateError(MANIFEST, "grid: verdicts of an inconsistent board")
    if consistent and not (isinstance(grid, list) and all(isinstance(row, str) for row in grid)):
        raise WrongCertificateError(MANIFEST, "grid: no list of rows")
    grid = None if grid is None else tuple(grid)
    way, proofs = _way(found), _proofs(found["cells"])
    files = read_files(folder, MANIFEST, found["files"], _needed(found["files"], grid, way, proofs))
    return LoadedCertificate(consistent, flags == "trust", size, grid, way, proofs, sha256, files)


def read_manifest(
    folder: Path, schema: str, keys: Collection[str], optional: str | None = None
) -> tuple[dict[str, Any], str]:
    """Return the manifest of ``folder``, an object of exactly these ``keys``, and its SHA-256.

    The key ``optional`` may be missing. Raises WrongCertificateError for another schema or key.
    """
    content = read_regular(folder, MANIFEST)
    found = json_object(MANIFEST, content)
    if found.get("schema") != schema:
        raise WrongCertificateError(MANIFEST, f"its schema is not {schema!r}")
    other = sorted({*keys}.symmetric_difference(found.keys() - {optional}))
    if other:
        what = "is missing" if other[0] in keys else "is not known here"
        raise WrongCertificateError(MANIFEST, f"{other[0]!r} {what}")
    return found, hashlib.sha256(content).hexdigest()


def manifest_size(found: Mapping[str, Any]) -> tuple[int, int, int | None]:
    """Return rows, columns and total of the manifest ``found``; raises WrongCertificateError."""
    rows, columns, mines = found["rows"], found["columns"], found["mines"]
    if not (is_integer(rows) and is_integer(columns) and (mines is None or is_integer(mines))):
        raise WrongCertificateError(MANIFEST, "rows, columns, mines: no integers")
    return rows, columns, mines


def _needed(
    named: object, grid: tuple[str, ...] | None, way: str, proofs: Collection[CellProof]
) -> set[str]:
    """Return the names of all files that a certificate needs, the manifest left out.

    ``named``: the entry ``files`` of the manifest; pseudo-Boolean proofs in one piece are needed
    where the manifest names them.
    """
    # An inconsistent board, and any certain cell, needs a refutation; unknown cells need layouts.
    certain = grid is None or any(mark in row for row in grid for mark in "SM")
    stems = [*([""] if certain else []), *(proof.stem for proof in proofs)]
    listed = named if isinstance(named, dict) else {}
    return {
        BOARD,
        *(() if grid is None else (LAYOUTS,)),
        *_proof_files(way, certain),
        *(proof.stem + name for proof in proofs for name in _proof_files(proof.way, True)),
        *(stem + name for stem in stems if stem + ONE_PROOF[1] in listed for name in ONE_PROOF),
    }


def _proof_files(way: str, certain: bool) -> tuple[str, ...]:
    """Return the files of a kind of proof; ``certain``: whether anything is proved at all."""
    if way == "sums" or not certain:
        return PROOF_FILES[way]
    return (*PROOF_FILES[way], *REFUTATION_FILES)


def _way(found: Mapping[Any, Any]) -> str:
    way = found.get(_WAY, "clauses")
    if not isinstance(way, str) or way not in PROOF_FILES:
        raise WrongCertificateError(MANIFEST, f"{_WAY}: not one of {', '.join(PROOF_FILES)}")
    return way


def _proofs(found: object) -> tuple[CellProof, ...]:
    if not isinstance(found, list):
        raise WrongCertificateError(MANIFEST, "cells: no list")
    proofs: dict[Cell, CellProof] = {}
    for each in found:
        match each:
            case {
                "cell": cell,
                "verdict": "safe" | "mine" as verdict,
                "clues": list(clues),
                "total": bool(total),
                **rest,
            } if not rest.keys() - {_WAY}:
                named = tuple(map(_cell, clues))
                proof = CellProof(_cell(cell), verdict, named, total, _way(rest))
                proofs[proof.cell] = proof
            case _:
                raise WrongCertificateError(MANIFEST, "cells: not a proof of a cell")
    if len(proofs) < len(found):
        raise WrongCertificateError(MANIFEST, "cells: two proofs of one cell")
    return tuple(proofs.values())


def _cell(found: object) -> Cell:
    match found:
        case [int(row), int(column)] if is_integer(row) and is_integer(column):
            return row, column
    raise WrongCertificateError(MANIFEST, f"{found!r} is no cell")
