"""Reading drawings by their titles alone: nothing of the product is used."""

import re
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def shown(document: str, until: float = 1.0) -> list[list[str]]:
    """What is said of each cell, row by row, at a share of the film: nothing of ours is used."""
    root = ElementTree.fromstring(document)
    said = {each.get("id"): each.findtext(f"{SVG}title") for each in root.iter(f"{SVG}g")}
    cells: dict[tuple[float, float], str] = {}
    for group in root.findall(f"{SVG}g"):
        moves = group.find(f"{SVG}animate")
        if moves is not None and float(moves.get("keyTimes", "").split(";")[1]) > until:
            continue
        for use in group.findall(f"{SVG}use"):
            numbers = re.findall(r"[\d.]+", use.get("transform", ""))
            cells[float(numbers[1]), float(numbers[0])] = said[use.get("href", "")[1:]] or ""
    rows = sorted({y for y, _ in cells})
    return [[cells[at] for at in sorted(cells) if at[0] == row] for row in rows]
