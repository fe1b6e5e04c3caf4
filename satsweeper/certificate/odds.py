"""``certify_odds``: the odds of a position with all that is needed to count them again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, Final

from satsweeper.board.view import Flags
from satsweeper.certificate.circuits import HEAD, circuit_text
from satsweeper.certificate.folder import write_folder
from satsweeper.count.budget import MAX_WIDTH, CountingBudget
from satsweeper.count.odds import Odds, digits, fraction, odds
from satsweeper.count.sweep import BoxedRegion, boxes_of
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.reduce.regions import regions
from satsweeper.reduce.residual import reduce_clues
from satsweeper.reduce.single_clue import single_clue
from satsweeper.version import __version__

SCHEMA: Final = "satsweeper/odds-certificate/1"


@dataclass(frozen=True)
class OddsCertificate:
    """The odds of a position and the files of their certificate: name -> content.

    ``about``: the manifest, without the hashes of the files.
    """

    found: Odds
    about: Mapping[str, Any] = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)

    def write(self, folder: str | PathLike[str]) -> dict[str, Any]:
        """Write the certificate as a folder for ``check_odds``; return its manifest.

        Raises:
            FolderTakenError: the folder holds something that is not a certificate.
            OSError: it cannot be written; what was there is still there.
        """
        return write_folder(Path(folder), self.files, self.about)


def certify_odds(
    position: Position,
    *,
    flags: Flags = "trust",
    density: Fraction | None = None,
    timeout: float | None = None,
    max_width: int = MAX_WIDTH,
) -> OddsCertificate:
    """Count the odds of a position, and write down circuits from which they can be counted again.

    Args and errors are those of ``odds``. A position without a layout has no odds (NoLayoutError):
    ``certify`` proves that it has none.

    >>> from tempfile import TemporaryDirectory
    >>> from satsweeper import Position
    >>> from satsweeper.checker.odds.check import check_odds
    >>> with TemporaryDirectory() as folder:
    ...     manifest = certify_odds(Position.parse("1??\\n12?\\n01?")).write(folder)
    ...     checked = check_odds(folder)
    >>> checked.solutions, checked.chances[0, 1], checked.chances[1, 2]
    ('2', '1', '1/2')
    """
    bound = CountingBudget(Deadline.after(timeout), max_width)
    found = odds(position, flags=flags, density=density, timeout=timeout, max_width=max_width)
    variable = {index: v for v, index in enumerate(found.by_index, start=1)}
    lines = [HEAD]
    for region in _regions(position, flags):
        lines += circuit_text(region, variable, position.geometry.stride, bound)
    about = {
        "schema": SCHEMA,
        "satsweeper": __version__,
        "rows": position.rows,
        "columns": position.columns,
        "mines": position.mines,
        "flags": flags,
        "density": None if density is None else str(density),
    }
    files = {
        "board.txt": position.text().encode("ascii"),
        "circuits.txt": "".join(lines).encode("ascii"),
        "odds.json": _claims(found),
    }
    return OddsCertificate(found, about, files)


def _regions(position: Position, flags: Flags) -> list[BoxedRegion]:
    """Return the regions that single clues leave, by least cell, with boxes by least cell."""
    geometry, _, clues, values, covered, trusted, _, _ = position.view(flags)
    first = single_clue(geometry, clues, values, covered, trusted)
    reduced = reduce_clues(geometry, clues, values, first.undecided, first.mines, pair_rule=False)
    found = [_sorted(boxes_of(region)) for region in regions(reduced.constraints)]
    return sorted(found, key=lambda region: region.cells[0][0])


def _sorted(region: BoxedRegion) -> BoxedRegion:
    order = sorted(range(len(region.cells)), key=lambda box: min(region.cells[box]))
    return BoxedRegion(
        [sorted(region.cells[box]) for box in order],
        tuple([region.sizes[box] for box in order]),
        tuple([region.clues[box] for box in order]),
        region.needs,
    )


def _claims(found: Odds) -> bytes:
    """Return the number of layouts and the chances of all cells; equal chances stand once."""
    text = {id(chance): fraction(chance) for chance in found.distinct()}
    chances = [text[id(chance)] for chance in found.by_index.values()]
    number = {chance: at for at, chance in enumerate(dict.fromkeys(chances))}
    claims = {
        "solutions": digits(found.solutions),
        "chances": list(number),
        "cells": [number[chance] for chance in chances],
    }
    return json.dumps(claims).encode("ascii") + b"\n"
