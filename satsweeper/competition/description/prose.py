"""The prose of descriptions, read from ``prose.txt``."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class FamilyProse(NamedTuple):
    """The title of a family; paragraphs: how it is made, why the answer holds, why it is hard.

    Paragraphs are Markdown with ``$...$`` for mathematics and ``[@key]`` for a work of
    ``references.bib``.
    """

    title: str
    made: tuple[str, ...]
    answer: tuple[str, ...]
    hardness: tuple[str, ...]


class Prose(NamedTuple):
    """All prose: `paragraphs` that several descriptions share, and `families`, both by name."""

    paragraphs: Mapping[str, str]
    families: Mapping[str, FamilyProse]


@cache
def prose() -> Prose:
    """Return the content of ``prose.txt``; the comment at its beginning states the format."""
    text = files(__package__).joinpath("prose.txt").read_text("ascii")
    paragraphs: dict[str, str] = {}
    families = {}
    for section in text.split("\n# ")[1:]:
        head, _, body = section.partition("\n\n")
        name, _, title = head.partition(": ")
        if not title:
            paragraphs[name] = _joined(body)
            continue
        parts = [part.partition("\n\n")[2] for part in body.split("## ")[1:]]
        families[name] = FamilyProse(title, *(_paragraphs(part, paragraphs) for part in parts))
    return Prose(paragraphs, families)


def _paragraphs(text: str, shared: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        shared[block[1:-1]] if block.startswith("{") else _joined(block)
        for block in text.strip().split("\n\n")
    )


def _joined(block: str) -> str:
    return " ".join(block.split())
