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


def cells(document: str, side: int) -> dict[tuple[float, float], str]:
    """The text in each cell of a drawing, by its place; signs of the legend are left out."""
    root = ElementTree.fromstring(document)
    said = {each.get("id"): each.findtext(f"{SVG}title") or "" for each in root.iter(f"{SVG}g")}
    found: dict[tuple[float, float], str] = {}
    for use in root.iter(f"{SVG}use"):
        numbers = re.findall(r"[\d.]+", use.get("transform", ""))
        if len(numbers) == 3 and abs(float(numbers[2]) * 100 - side + 1) < 0.01:
            assert (float(numbers[0]), float(numbers[1])) not in found
            found[float(numbers[0]), float(numbers[1])] = said[use.get("href", "")[1:]]
    return found


def texts(document: str) -> list[str]:
    """The texts beside and below the boards, and those of the legend."""
    root = ElementTree.fromstring(document)
    return [each.get("aria-label", "") for each in root.iter() if each.get("aria-label")]
