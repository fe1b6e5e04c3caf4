"""The manifest of a certificate of odds, and the files that belong to it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from satsweeper.checker.board import BOARD
from satsweeper.checker.contents import read_files, read_regular
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.manifest import (
    MANIFEST,
    CertificateFiles,
    manifest_size,
    read_manifest,
)
from satsweeper.checker.odds.circuit_text import CIRCUITS
from satsweeper.checker.strict_json import json_object

SCHEMA: Final = "satsweeper/odds-certificate/1"
ODDS: Final = "odds.json"

_KEYS: Final = frozenset(
    {"schema", "satsweeper", "rows", "columns", "mines", "flags", "density", "files"}
)
_DENSITY: Final = re.compile(r"[1-9][0-9]{0,50}/[1-9][0-9]{0,50}")


@dataclass(frozen=True)
class LoadedOddsCertificate(CertificateFiles):
    """The manifest, read strictly, and all files of the certificate.

    ``size``: rows, columns and the total (None if unknown), as the manifest says. ``density``: the
    chance of a mine in each covered cell by itself; None: all layouts are equally likely.
    ``sha256``: of the manifest, which has that of every other file.
    """

    trust_flags: bool
    size: tuple[int, int, int | None]
    density: Fraction | None
    sha256: str
    files: Mapping[str, bytes] = field(repr=False)


def is_about_odds(folder: Path) -> bool:
    """Whether the manifest in a folder says that it certifies odds.

    Raises:
        WrongCertificateError: there is none, or it is no JSON.
        OSError: it cannot be read.
    """
    return json_object(MANIFEST, read_regular(folder, MANIFEST)).get("schema") == SCHEMA


def read_odds_certificate(folder: Path) -> LoadedOddsCertificate:
    """Read a certificate of odds: its manifest, and exactly its files, with their hashes.

    Raises:
        WrongCertificateError: the manifest or a file is missing, too many, or not as it should be.
        OSError: a file cannot be read.
    """
    found, sha256 = read_manifest(folder, SCHEMA, _KEYS)
    if found["flags"] not in ("trust", "ignore"):
        raise WrongCertificateError(MANIFEST, "no mode of flags")
    if not isinstance(found["satsweeper"], str):
        raise WrongCertificateError(MANIFEST, "satsweeper: no text")
    size = manifest_size(found)
    density = _density(found["density"])
    if density is not None and size[2] is not None:
        raise WrongCertificateError(MANIFEST, "a density and a total exclude each other")
    files = read_files(folder, MANIFEST, found["files"], {BOARD, CIRCUITS, ODDS})
    return LoadedOddsCertificate(found["flags"] == "trust", size, density, sha256, files)


def _density(found: Any) -> Fraction | None:
    if found is None:
        return None
    if isinstance(found, str) and _DENSITY.fullmatch(found):
        density = Fraction(found)
        if str(density) == found and density < 1:
            return density
    raise WrongCertificateError(MANIFEST, "density: no fraction between 0 and 1 in lowest terms")
