"""The description of each family in an entry: a document without format, as LaTeX, as Markdown.

The prose about each family is read from ``prose.txt``, the cited works from ``references.bib``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from pbcnf.wording import are, counted
from satsweeper.competition.files import stem
from satsweeper.competition.instance import has_total, series_of
from satsweeper.competition.measurement import Grade, Measurement, Probe
from satsweeper.competition.measuring import Bar
from satsweeper.competition.selection import Wish
from satsweeper.competition.tables import HEADS, row
from satsweeper.families.table import Family
from satsweeper.position import Position
from satsweeper.report.table import Table, escape, markdown_table, table_row


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in text lines, and its caption."""

    lines: tuple[str, ...]
    caption: str


Block = str | Picture | Table
"""A text is a paragraph, with the markup of ``FamilyProse``."""


@dataclass(frozen=True, slots=True)
class Document:
    """A title, an abstract, and sections: their heads and blocks."""

    title: str
    abstract: str
    sections: tuple[tuple[str, tuple[Block, ...]], ...]


def document(
    family: Family,
    wish: Wish,
    bar: Bar,
    entry: Sequence[Measurement],
    measured: Sequence[Measurement] = (),
) -> Document:
    """The description of a family, and of the instances of the entry that belong to the family.

    Args:
        family: the family.
        wish: the required size of the entry.
        bar: the solvers and their seconds.
        entry: the instances of the entry, of all families.
        measured: all measurements, of which the entry was chosen; those of the entry by default.
    """
    shared = prose().paragraphs
    board = family.of == "board" and not has_total(family)
    encoding = [shared["direct" if board else "by_size"]]
    if wish.track == "pb":
        encoding.append(f"{shared['opb']} For the measurements they were encoded as clauses.")
    known = series_of(wish.track)
    members, tried = (
        [each for each in these if known[each.job.series].family is family]
        for these in (entry, measured or entry)
    )
    rows = tuple(row(wish.track, each) for each in members)
    times = Table("CPU seconds of the weak and the strong solver", HEADS[wish.track], rows)
    hard = sum(each.grade == "hard" for each in members)
    return _described(
        family,
        (len(members), f"the stronger of two solvers alone solved {hard}"),
        encoding,
        (f"{_measured(bar, members)} {_tried(tried)}", times),
        [each.job for each in members],
    )


def domain_document(
    family: Family, jobs: Sequence[Probe], rows: Sequence[tuple[str, ...]]
) -> Document:
    """The description of a family in an entry of folders, of which nothing was measured.

    Args:
        family: the family.
        jobs: its instances, at least one.
        rows: the rows of the table of instances, as `DOMAIN_HEADS` says.
    """
    shared = prose().paragraphs
    encoding = [shared["soft" if family.goal == "soft" else "opb"]]
    unmeasured = (
        "Hardness was not measured: no solver was given these instances for this entry. Sizes grow"
        " from one that any solver decides; answers are those of the argument, where it has any."
    )
    table = Table("Expected answers, and the sizes of the files", DOMAIN_HEADS, tuple(rows))
    head = (len(jobs), "how hard they are was not measured")
    return _described(family, head, encoding, (unmeasured, table), jobs)


DOMAIN_HEADS: Final = ("instance", "expected", "variables", "constraints", "equations", "intsize")
"""Heads of the columns of an instance in a folder."""


def _described(
    family: Family,
    members: tuple[int, str],
    encoding: Sequence[str],
    measurements: tuple[Block, ...],
    jobs: Sequence[Probe],
) -> Document:
    """The document with these parts; ``members``: the number of instances, and their hardness."""
    shared, texts = prose()
    text = texts[family.name]
    number, hardness = members
    sections: list[tuple[str, tuple[Block, ...]]] = [
        ("Origin", (shared["minesweeper" if family.of == "board" else "no_board"],)),
        ("Construction", (*text.made, *_picture(family))),
        ("The expected answer", text.answer),
        ("Why it is hard", text.hardness),
        ("Encoding", tuple(encoding)),
        ("Measurements", measurements),
        ("Reproduction", _reproduction(family, jobs)),
    ]
    known = "whose answer is known by an argument"
    if family.goal != "decide":
        optimum = family.optimum(jobs[0].size, jobs[0].seed)
        known = f"whose optimum is {'not ' * (optimum is None)}known by an argument"
    abstract = (
        f"The family `{family.name}` has members of every size ({family.size}), {known}:"
        f" {family.why}. {counted(number, 'instance')} of it {are(number)} in this entry;"
        f" {hardness}."
    )
    return Document(text.title, abstract, tuple(sections))


def _tried(measured: Sequence[Measurement]) -> str:
    """Return the numbers of measured instances of a family by their outcomes."""
    grades = Counter(each.grade for each in measured)
    outcomes: dict[Grade, str] = {
        "easy": "solved by the weak one",
        "hard": "by the strong one alone",
        "unsolved": "by neither",
        "too large": "too large to be measured",
    }
    said = ", ".join(f"{grades[each]} {words}" for each, words in outcomes.items() if grades[each])
    return (
        f"{counted(len(measured), 'instance')} of the family"
        f" {'was' if len(measured) == 1 else 'were'} tried: {said}. No other size or seed was"
        " measured."
    )


def _picture(family: Family) -> list[Block]:
    size = family.small[-1]
    made = family.instance(size)
    if not isinstance(made, Position) or made.columns > 40:
        smaller = [n for n in family.small if isinstance(family.instance(n), Position)]
        made = family.instance(smaller[0]) if smaller else made
        size = smaller[0] if smaller else size
    if not isinstance(made, Position):
        return []
    lines = tuple(made.text().splitlines()[1:])
    return [Picture(lines, f"size {size}; ? is a covered cell, F a given mine, digits are clues")]


def _measured(bar: Bar, members: Sequence[Measurement]) -> str:
    if bar.track == "counting":
        return (
            "The weak counter finds models with MiniSat [@een2003] through PySAT [@ignatiev2018]"
            f" and forbids each by a clause, for {bar.weak_seconds:g} s of CPU time; the strong one"
            f" eliminates cells one by one, for {bar.strong_seconds:g} s. Where both had a count it"
            " was the same."
        )
    sums = sorted({each.sums for each in members if each.sums})
    words = f" Sums of constraints refute them, too: {', '.join(sums)}." if sums else ""
    models = any(each.model for each in members)
    checked = " Models were checked against clauses and constraints." if models else ""
    return (
        f"Every instance was given to MiniSat 2.2 [@een2003] through PySAT [@ignatiev2018] for"
        f" {bar.weak_seconds:g} s of CPU time, and to `{bar.strong}` for {bar.strong_seconds:g} s"
        f" if MiniSat had no answer by then. Loading counts. No answer contradicts the"
        f" argument.{checked}{words}"
    )


def _reproduction(family: Family, jobs: Sequence[Probe]) -> tuple[Block, ...]:
    first = jobs[0]
    command = f"satsweeper family {family.name} --size {first.size} --seed {first.seed}"
    more = ""
    if any(each.series != family.name for each in jobs):
        more = " A question is that board with one more unit constraint, as its comments say."
    return (
        f"A file is called by its family, its size $n$ and its seed: `{stem(first)}`. The"
        f" command `{command}` writes the board or the constraints again, on every machine the"
        f" same.{more}",
    )


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
            paragraphs[name] = " ".join(body.split())
            continue
        # {NAME} is a paragraph that several families share.
        parts = [
            tuple(
                paragraphs[block[1:-1]] if block.startswith("{") else " ".join(block.split())
                for block in part.partition("\n\n")[2].strip().split("\n\n")
            )
            for part in body.split("## ")[1:]
        ]
        families[name] = FamilyProse(title, *parts)
    return Prose(paragraphs, families)


_FIELD: Final = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_LETTERS: Final = {
    "\\v{s}": "š", '\\"o': "ö", "\\'e": "é", "\\'a": "á", "\\o": "ø", "``": "“", "''": "”",
    "{": "", "}": "", "--": "-",
}  # fmt: skip


class Reference(NamedTuple):
    """A work: its entry in BibTeX, and the fields of the entry."""

    bibtex: str
    fields: Mapping[str, str]

    def line(self) -> str:
        """Return authors, title, place and year as a line of plain text."""
        fields = self.fields
        place = fields.get("journal") or fields.get("booktitle", "")
        volume = f" {fields['volume']}" if "volume" in fields else ""
        issue = f"({fields['number']})" if "number" in fields else ""
        pages = f", pp. {fields['pages'].replace('--', '-')}" if "pages" in fields else ""
        doi = f", doi:{fields['doi']}" if "doi" in fields else ""
        authors = fields["author"].replace(" and ", ", ")
        text = f"{authors}: {fields['title']}. {place}{volume}{issue}{pages}, {fields['year']}{doi}"
        for latex, letter in _LETTERS.items():
            text = text.replace(latex, letter)
        return text


@cache
def references() -> dict[str, Reference]:
    """Return the works of ``references.bib`` by their keys."""
    text = files(__package__).joinpath("references.bib").read_text("ascii")
    found = {}
    for entry in (f"@{part.strip()}\n" for part in text.split("@")[1:]):
        key = entry[entry.index("{") + 1 : entry.index(",")]
        found[key] = Reference(entry, dict(_FIELD.findall(entry)))
    return found


def bibliography(keys: Iterable[str]) -> str:
    """Return the works of these keys as a BibTeX file, in the order of the keys."""
    return "\n".join(references()[key].bibtex for key in sorted(set(keys)))


_PARTS: Final = re.compile(r"(\$[^$]*\$|`[^`]*`|\[@[a-z0-9]+\])")
_BEFORE: Final = r"""\documentclass[conference]{IEEEtran}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{cite}
\begin{document}
"""


def latex(document: Document) -> str:
    """The document as LaTeX, in the style of IEEE proceedings that the SAT Competition asks for.

    Its works are in ``references.bib``.
    """
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
    return re.sub(r'"([^"]*)"', r"``\1''", escape(part))


_CITED = re.compile(r"\[@([a-z0-9]+)\]")


def cited(document: Document) -> list[str]:
    """The keys of all cited works, in the order of their first mention."""
    texts = [block for _, blocks in document.sections for block in blocks if isinstance(block, str)]
    return list(dict.fromkeys(key for text in texts for key in _CITED.findall(text)))


def markdown(document: Document) -> str:
    """The document as Markdown, works numbered in the order of their first mention."""
    keys = cited(document)
    parts = [f"# {document.title}", document.abstract]
    for head, blocks in document.sections:
        parts += [f"## {head}", *(_markdown_block(block, keys) for block in blocks)]
    if keys:
        works = [f"{n}. {references()[key].line()}" for n, key in enumerate(keys, start=1)]
        parts += ["## References", "\n".join(works)]
    return "\n\n".join(parts) + "\n"


def _markdown_block(block: Block, keys: list[str]) -> str:
    if isinstance(block, Picture):
        return "\n".join(["```text", *block.lines, "```", "", f"*{block.caption}*"])
    if isinstance(block, Table):
        return f"{markdown_table(block.heads, block.rows)}\n\n*{block.caption}*"
    return _CITED.sub(lambda match: f"[{keys.index(match[1]) + 1}]", block)
