"""A text on a family."""

from typing import Final, NamedTuple


class Text(NamedTuple):
    """The title of a family; paragraphs: how it is made, why the answer holds, why it is hard.

    Paragraphs are plain text with ``$...$`` for mathematics, `...` for code and ``[@key]`` for a
    work of ``references``.
    """

    title: str
    made: tuple[str, ...]
    answer: tuple[str, ...]
    hardness: tuple[str, ...]


PLANTED: Final = (
    "A layout is drawn: three tenths of the covered cells, uniformly, are mines. The clues are what"
    " it says."
)
"""How layouts are drawn, on boards and on tori."""
