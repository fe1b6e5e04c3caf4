"""A description in Markdown."""

import re

from satsweeper.competition.description.document import Block, Document, Picture
from satsweeper.competition.description.references import references
from satsweeper.report.markdown import markdown_table
from satsweeper.report.table import Table

_CITED = re.compile(r"\[@([a-z0-9]+)\]")


def cited(document: Document) -> list[str]:
    """The keys of all works that are cited, in the order of their first mention."""
    texts = [block for _, blocks in document.sections for block in blocks if isinstance(block, str)]
    return list(dict.fromkeys(key for text in texts for key in _CITED.findall(text)))


def markdown(document: Document) -> str:
    """The document as Markdown, works numbered in the order of their first mention."""
    keys = cited(document)
    parts = [f"# {document.title}", document.abstract]
    for head, blocks in document.sections:
        parts += [f"## {head}", *(_block(block, keys) for block in blocks)]
    if keys:
        works = [f"{n}. {references()[key].line()}" for n, key in enumerate(keys, start=1)]
        parts += ["## References", "\n".join(works)]
    return "\n\n".join(parts) + "\n"


def _block(block: Block, keys: list[str]) -> str:
    if isinstance(block, Picture):
        return "\n".join(["```text", *block.lines, "```", "", f"*{block.caption}*"])
    if isinstance(block, Table):
        return f"{markdown_table(block.heads, block.rows)}\n\n*{block.caption}*"
    return _CITED.sub(lambda match: f"[{keys.index(match[1]) + 1}]", block)
