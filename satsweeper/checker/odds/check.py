"""``check_odds``: a certificate of odds checked completely, from the board to the chances.

The checker divides the board's cells into regions and boxes, checks that each circuit has exactly
the layouts of its region, counts these layouts by their number of mines, combines the regions under
the total, and compares the resulting odds with the odds in the certificate.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from satsweeper.checker.board import BOARD, Cell, read_board
from satsweeper.checker.contents import is_integer, json_object, read_files, read_regular
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.expected_board import ExpectedBoard, Flags, board_json
from satsweeper.checker.manifest import MANIFEST, CertificateFiles, manifest_size, read_manifest
from satsweeper.checker.odds.boxes import BoxRegion, split_board
from satsweeper.checker.odds.chances import Chances, chances_of
from satsweeper.checker.odds.circuit import CIRCUITS, Circuit, check_circuit, read_circuits
from satsweeper.checker.odds.division import confirm_division
from satsweeper.checker.odds.evaluation import Evaluated, evaluate, fingerprint
from satsweeper.checker.odds.recount import PRIME, mines_add_up, recount, weights_of

# The manifest of a certificate of odds, and the files that belong to it.

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
    ``sha256``: hash of the manifest, which holds the hash of every other file.
    """

    trust_flags: bool
    size: tuple[int, int, int | None]
    density: Fraction | None
    sha256: str
    files: Mapping[str, bytes] = field(repr=False)


def is_about_odds(folder: Path) -> bool:
    """Whether the manifest in ``folder`` has the schema of certificates of odds.

    Raises:
        WrongCertificateError: the manifest is missing, or is no JSON object.
        OSError: the manifest cannot be read.
    """
    return json_object(MANIFEST, read_regular(folder, MANIFEST)).get("schema") == SCHEMA


def read_odds_certificate(folder: Path) -> LoadedOddsCertificate:
    """Read a certificate of odds: its manifest, and exactly its files, with their hashes.

    Raises:
        WrongCertificateError: the manifest or a file is missing, malformed, or not needed.
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


_LONGEST: Final = 40
"""Most digits of a number that is printed in full."""


@dataclass(frozen=True)
class CheckedOdds:
    """The proved odds of a board; everything is computed from the bytes that were checked.

    ``chances``: of a mine in each covered cell, row by row, as fractions in lowest terms.
    ``nodes``, ``pairs``: of all circuits, those of single boxes left out.
    """

    rows: tuple[str, ...]
    mines: int | None
    flags: Flags
    density: Fraction | None
    sha256: str
    solutions: str
    """The number of layouts of the whole board."""
    chances: dict[Cell, str]
    interior: str | None
    """The chance of a mine in each of ``interior_cells`` cells beside no clue."""
    interior_cells: int
    regions: int
    boxes: int
    nodes: int
    pairs: int
    recounted: int
    """Number of regions counted in a second way, with equal fingerprint."""

    def as_json(self) -> dict[str, Any]:
        """The object that ``check --json`` prints."""
        return {
            "schema": "satsweeper/check-odds/1",
            "verified": True,
            "board": board_json(self.rows, self.mines, self.flags),
            "density": None if self.density is None else str(self.density),
            "sha256": self.sha256,
            "solutions": self.solutions,
            "cells": [{"cell": list(cell), "mine": mine} for cell, mine in self.chances.items()],
            "interior": {"mine": self.interior, "cells": self.interior_cells},
            "regions": self.regions,
            "boxes": self.boxes,
            "nodes": self.nodes,
            "pairs": self.pairs,
            "recounted": self.recounted,
        }

    def sentence(self) -> str:
        """Return the verified claims in words."""
        found = self.solutions
        if len(found) > _LONGEST:
            found = f"{found[0]}.{found[1:4]}... x 10^{len(found) - 1}"
        layouts = f"{found} layout{'' if found == '1' else 's'}"
        return (
            f"verified: {layouts}, and the odds of {counted(len(self.chances), 'cell')}"
            f" ({counted(self.regions, 'region')}; circuits of {counted(self.nodes, 'node')} and"
            f" {counted(self.pairs, 'pair')}; {self.recounted} counted in a second way)"
        )

    def answers(self) -> list[str]:
        """Each chance and the cells that have it, a line a chance; long fractions as decimals."""
        cells: dict[str, list[str]] = {}
        for cell, mine in self.chances.items():
            cells.setdefault(mine, []).append(str(cell))
        return [f"{_shown(mine)}: {' '.join(having)}" for mine, having in cells.items()]


def _shown(mine: str) -> str:
    if len(mine) <= 2 * _LONGEST:
        return mine
    above, below = map(Decimal, mine.split("/"))
    return f"about {above / below:.20g}"


def check_odds(
    folder: str | PathLike[str],
    *,
    board: Sequence[str] | None = None,
    mines: int | Literal["unknown"] | None = None,
    flags: Flags | None = None,
    density: Fraction | None = None,
) -> CheckedOdds:
    """Check a certificate of odds completely.

    Args:
        folder: the folder of the certificate.
        board: the board that the certificate must be about: a text in the plain notation, or its
            rows. None accepts any board; the result names the board and its odds.
        mines: the total that the certificate must be about, or "unknown". None: the total that
            ``board`` states, which is unknown for rows alone; any total without a board.
        flags: the reading of flags that the certificate must state. None: "trust" with a board,
            else any.
        density: the chance of a mine in each cell that the certificate must assume. None: with a
            board, all layouts must be equally likely; any density without a board.

    Raises:
        ValueError: ``board`` is a text in another notation, or an argument has another value.
        WrongCertificateError: the first defect.
        OSError: a file cannot be read.
    """
    expected = ExpectedBoard.of(board, mines, flags)
    certificate = read_odds_certificate(Path(folder))
    about = read_board(certificate.text(BOARD), certificate.trust_flags)
    expected.require(about, certificate.trust_flags)
    if certificate.density != density and (expected.board is not None or density is not None):
        found, wanted = (
            "none" if each is None else each for each in (certificate.density, density)
        )
        fault = f"the certificate is about density {found}, asked for is {wanted}"
        raise WrongCertificateError(MANIFEST, fault)
    if certificate.size != about.size:
        raise WrongCertificateError(MANIFEST, "rows, columns, mines: not those of the board")
    # From the board alone: cells that single clues decide, regions of boxes, and the interior. The
    # division is confirmed by code that divides nothing.
    split = split_board(about)
    confirm_division(about, split)
    circuits = read_circuits(certificate.text(CIRCUITS))
    if len(circuits) != len(split.regions):
        raise WrongCertificateError(CIRCUITS, f"not {counted(len(split.regions), 'region')}")
    # Each circuit must have every layout of its region exactly once: only then are the numbers
    # evaluated from the circuit numbers of layouts.
    for circuit, region in zip(circuits, split.regions, strict=True):
        check_circuit(circuit, region)
    # Numbers of mines are kept apart only where they matter: under a total, or with a density.
    by_mines = about.total is not None or certificate.density is not None
    counts = [evaluate(circuit, by_mines) for circuit in circuits]
    recounted = [
        _second_opinion(*each, certificate.sha256)
        for each in zip(split.regions, circuits, counts, strict=True)
    ]
    # The claimed odds are compared with the counted odds, text with text, and not used otherwise.
    chances = chances_of(about, split, counts, certificate.density)
    _compare(certificate, chances, about.cells)
    nodes = [node for circuit in circuits for join in circuit.joins for node in join.nodes]
    return CheckedOdds(
        about.rows,
        about.mines,
        "trust" if certificate.trust_flags else "ignore",
        certificate.density,
        certificate.sha256,
        chances.layouts,
        dict(zip(about.cells, chances.mine, strict=True)),
        chances.interior,
        len(split.interior),
        len(circuits),
        sum([len(circuit.leaves) for circuit in circuits]),
        len(nodes),
        sum([len(node) // 2 for node in nodes]),
        sum(recounted),
    )


def _second_opinion(region: BoxRegion, circuit: Circuit, found: Evaluated, seed: str) -> bool:
    """Recount ``region``; return False if the recount would need too many states.

    Raises WrongCertificateError if the recount differs.
    """
    sizes = list(map(len, region.boxes))
    by_mines = found.least > 0 or len(found.whole) > 1
    if by_mines and not mines_add_up(sizes, found.mined, found.whole, found.least):
        raise wrong_at(CIRCUITS, circuit.line, "the mines of all cells do not add up")
    # The joins suggest an order of boxes in which few clues are open at a time. The order affects
    # time and memory only: any order gives the right numbers.
    order = [side for join in circuit.joins for side in (join.left, join.right)]
    weights = weights_of(region, seed)
    again = recount(region, [box for box in order or [0] if box < len(sizes)], weights)
    if again is None:
        return False
    # Three numbers must agree: layouts, their mines, and a fingerprint that two different sets of
    # layouts share with a chance below 2^-110.
    mines = sum([n * sum(mined) for n, mined in zip(sizes, found.mined, strict=True)])
    if again != (sum(found.whole), mines, fingerprint(circuit, weights, PRIME)):
        raise wrong_at(CIRCUITS, circuit.line, "counted again, there are other layouts")
    return True


def _compare(certificate: LoadedOddsCertificate, chances: Chances, cells: Sequence[Cell]) -> None:
    """Compare odds.json with the counted ``chances`` of ``cells``.

    Raises WrongCertificateError for the first difference.
    """
    found = json_object(ODDS, certificate.files[ODDS])
    if found.keys() != {"solutions", "chances", "cells"}:
        raise WrongCertificateError(ODDS, "not solutions, chances and cells")
    if found["solutions"] != chances.layouts:
        raise WrongCertificateError(ODDS, "another number of layouts than was counted")
    distinct = dict.fromkeys(chances.mine)
    number = {chance: at for at, chance in enumerate(distinct)}
    wanted = [number[chance] for chance in chances.mine]
    same = found["chances"] == list(distinct) and found["cells"] == wanted
    if not same or not all(map(is_integer, found["cells"])):
        # The first cell with another chance is named; a malformed claim is the chance of no cell.
        listed, numbers = found["chances"], found["cells"]
        claimed: list[object] = []
        if isinstance(listed, list) and isinstance(numbers, list):
            known = range(len(listed))
            claimed = [listed[at] if is_integer(at) and at in known else None for at in numbers]
        wrong = [
            cell
            for cell, chance, claim in zip(cells, chances.mine, claimed, strict=False)
            if chance != claim
        ]
        where = f"the chance of {wrong[0]} is another one" if wrong else "not in the one form"
        raise WrongCertificateError(ODDS, where)
