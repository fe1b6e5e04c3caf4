"""The works that descriptions cite, as BibTeX has them."""

from collections.abc import Iterable
from typing import Final, NamedTuple


class Reference(NamedTuple):
    """An entry of a bibliography; ``fields`` in the order in which they are written."""

    kind: str
    fields: dict[str, str]

    def line(self) -> str:
        """Authors, title, where and when, in a line of plain text."""
        said = self.fields
        place = said.get("journal") or said.get("booktitle", "")
        volume = f" {said['volume']}" if "volume" in said else ""
        issue = f"({said['number']})" if "number" in said else ""
        pages = f", pp. {said['pages'].replace('--', '-')}" if "pages" in said else ""
        doi = f", doi:{said['doi']}" if "doi" in said else ""
        authors = said["author"].replace(" and ", ", ")
        where = f"{place}{volume}{issue}{pages}, {said['year']}{doi}"
        return _plain(f"{authors}: {said['title']}. {where}")

    def bibtex(self, key: str) -> str:
        """The entry as BibTeX."""
        rows = "".join(f"  {name} = {{{value}}},\n" for name, value in self.fields.items())
        return f"@{self.kind}{{{key},\n{rows}}}\n"


def _article(
    author: str, title: str, journal: str, volume: str, pages: str, year: str, **more: str
) -> Reference:
    fields = {"author": author, "title": title, "journal": journal, "volume": volume}
    paged = {"pages": pages} if pages else {}
    return Reference("article", {**fields, **paged, "year": year, **more})


def _paper(author: str, title: str, booktitle: str, year: str, **more: str) -> Reference:
    fields = {"author": author, "title": title, "booktitle": booktitle, "year": year}
    return Reference("inproceedings", {**fields, **more})


REFERENCES: Final[dict[str, Reference]] = {
    "alekhnovich2004": _article(
        "Michael Alekhnovich", "Mutilated chessboard problem is exponentially hard for resolution",
        "Theoretical Computer Science", "310", "513--525", "2004",
    ),
    "bryant2023": _article(
        "Randal E. Bryant and Marijn J. H. Heule",
        "Generating Extended Resolution Proofs with a {BDD}-Based {SAT} Solver",
        "ACM Transactions on Computational Logic", "24", "31:1--31:28", "2023",
        doi="10.1145/3595295",
    ),
    "cook1987": _article(
        "William Cook and Collette R. Coullard and Gy\\\"orgy Tur\\'an",
        "On the complexity of cutting-plane proofs", "Discrete Applied Mathematics", "18",
        "25--38", "1987",
    ),
    "dantchev2001": _paper(
        "Stefan Dantchev and S{\\o}ren Riis", "``{P}lanar'' tautologies hard for resolution",
        "Symposium on Foundations of Computer Science (FOCS)", "2001",
        doi="10.1109/SFCS.2001.959896",
    ),
    "een2003": _paper(
        "Niklas E\\'en and Niklas S\\\"orensson", "An extensible {SAT}-solver",
        "Theory and Applications of Satisfiability Testing (SAT)", "2003",
    ),
    "gocht2021": _paper(
        "Stephan Gocht and Jakob Nordstr\\\"om",
        "Certifying parity reasoning efficiently using pseudo-{B}oolean proofs",
        "AAAI Conference on Artificial Intelligence", "2021",
    ),
    "haken1985": _article(
        "Armin Haken", "The intractability of resolution", "Theoretical Computer Science", "39",
        "297--308", "1985",
    ),
    "ignatiev2018": _paper(
        "Alexey Ignatiev and Antonio Morgado and Joao Marques-Silva",
        "{PySAT}: a {P}ython toolkit for prototyping with {SAT} oracles",
        "Theory and Applications of Satisfiability Testing (SAT)", "2018",
    ),
    "kasteleyn1961": _article(
        "Pieter W. Kasteleyn", "The statistics of dimers on a lattice", "Physica", "27",
        "1209--1225", "1961",
    ),
    "kaye2000": _article(
        "Richard Kaye", "Minesweeper is {NP}-complete", "The Mathematical Intelligencer", "22",
        "9--15", "2000", number="2",
    ),
    "mit2024": _paper(
        "{MIT Hardness Group} and Della Hendrickson and Andy Tockman",
        "Complexity of planar graph orientation consistency, promise-inference, and uniqueness,"
        " with applications to {M}inesweeper variants",
        "Fun with Algorithms (FUN)", "2024", pages="25:1--25:20",
        doi="10.4230/LIPIcs.FUN.2024.25",
    ),
    "spence2010": _article(
        "Ivor Spence", "sgen1: a generator of small but difficult satisfiability benchmarks",
        "ACM Journal of Experimental Algorithmics", "15", "", "2010",
    ),
    "tseitin1968": _article(
        "Grigori S. Tseitin", "On the complexity of derivation in propositional calculus",
        "Studies in Constructive Mathematics and Mathematical Logic", "2", "115--125", "1968",
    ),
    "urquhart1987": _article(
        "Alasdair Urquhart", "Hard examples for resolution", "Journal of the ACM", "34",
        "209--219", "1987",
    ),
}  # fmt: skip
"""Key -> work."""


def bibliography(keys: Iterable[str]) -> str:
    """The works of these keys as a BibTeX file."""
    return "\n".join(REFERENCES[key].bibtex(key) for key in sorted(set(keys)))


_LETTERS: Final = {
    '\\"o': "ö", "\\'e": "é", "\\'a": "á", "\\o": "ø", "``": "“", "''": "”", "{": "", "}": "",
    "--": "-",
}  # fmt: skip


def _plain(text: str) -> str:
    for latex, letter in _LETTERS.items():
        text = text.replace(latex, letter)
    return text
