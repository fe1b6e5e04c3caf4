"""A description in LaTeX, in the style of IEEE proceedings that the SAT Competition asks for."""

import re
from typing import Final

from satsweeper.competition.description.document import Block, Document, Picture
from satsweeper.report.latex import escape, table_row
from satsweeper.report.table import Table

_PARTS: Final = re.compile(r"(\$[^$]*\$|`[^`]*`|\[@[a-z0-9]+\])")
_BEFORE: Final = r"""\documentclass[conference]{IEEEtran}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{cite}
\begin{document}
"""


def latex(document: Document) -> str:
    """The document as LaTeX; its works are in ``references.bib``."""
    parts = [
        _BEFORE + f"\\title{{{_text(document.title)}}}",
        "% Fill in names and affiliations.\n\\author{\\IEEEauthorblockN{Author}}\n\\maketitle",
        f"\\begin{{abstract}}\n{_text(document.abstract)}\n\\end{{abstract}}",
    ]
    for head, blocks in document.sections:
        parts += [f"\\section{{{_text(head)}}}", *(_block(block) for block in blocks)]
    parts.append("\\bibliographystyle{IEEEtran}\n\\bibliography{references}\n\\end{document}")
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Picture):
        lines = "\n".join(block.lines)
        size = "footnotesize" if max(map(len, block.lines)) < 50 else "tiny"
        return (
            f"\\begin{{figure}}[t]\n\\centering\\{size}\n\\begin{{minipage}}{{0.9\\columnwidth}}\n"
            f"\\begin{{verbatim}}\n{lines}\n\\end{{verbatim}}\n\\end{{minipage}}\n"
            f"\\caption{{{_text(block.caption)}}}\n\\end{{figure}}"
        )
    if isinstance(block, Table):
        rows = [table_row([_text(cell) for cell in row]) for row in (block.heads, *block.rows)]
        body = "\n".join([rows[0], "\\hline", *rows[1:]])
        columns = "l" * 2 + "r" * (len(block.heads) - 2)
        return (
            f"\\begin{{table*}}[t]\n\\centering\\footnotesize\n\\caption{{{_text(block.caption)}}}\n"
            f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}\n\\end{{table*}}"
        )
    return _text(block)


def _text(text: str) -> str:
    return "".join(_part(part) for part in _PARTS.split(text))


def _part(part: str) -> str:
    if part.startswith("$") and part.endswith("$") and len(part) > 1:
        return part
    if part.startswith("[@"):
        return f"\\cite{{{part[2:-1]}}}"
    if part.startswith("`") and part.endswith("`") and len(part) > 1:
        return f"\\texttt{{{escape(part[1:-1])}}}"
    return _quoted(escape(part))


def _quoted(text: str) -> str:
    return re.sub(r'"([^"]*)"', r"``\1''", text)
