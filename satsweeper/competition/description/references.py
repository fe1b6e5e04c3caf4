"""The works that descriptions cite, read from ``references.bib``."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_FIELD: Final = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_LETTERS: Final = {
    '\\"o': "ö", "\\'e": "é", "\\'a": "á", "\\o": "ø", "``": "“", "''": "”", "{": "", "}": "",
    "--": "-",
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
    entries = [f"@{entry.strip()}\n" for entry in text.split("@")[1:]]
    return {
        entry[entry.index("{") + 1 : entry.index(",")]: Reference(
            entry, dict(_FIELD.findall(entry))
        )
        for entry in entries
    }


def bibliography(keys: Iterable[str]) -> str:
    """Return the works of these keys as a BibTeX file, in the order of the keys."""
    return "\n".join(references()[key].bibtex for key in sorted(set(keys)))
