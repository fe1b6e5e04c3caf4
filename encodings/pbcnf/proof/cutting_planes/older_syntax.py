"""Proofs of version 3.0 in the syntax of older versions, for a VeriPB that reads only those.

What they derive is the same. Older checkers take no hints: they propagate on all constraints, which
finds no less but takes longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.statements import integer, proof_statements, text_of

OLDER: Final = ("2.0", "1.2")
"""The versions, the newest first. 1.2 has no footer: a contradiction is a step of its own."""


def older_syntax(proof: bytes, version: str, source: str = "proof.pbp") -> bytes:
    r"""Return a proof of version 3.0, not checked, in an older version; hints are left out.

    Raises ProofError for text that is not made of the rules that ``check_proof`` reads, and
    ValueError for a version that is not among ``OLDER``.

    >>> lines = b"pseudo-Boolean proof version 3.0\nf 1 ;\nrup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;\n"
    >>> lines += b"output NONE ;\nconclusion UNSAT : 2 ;\nend pseudo-Boolean proof ;\n"
    >>> print(older_syntax(lines, "1.2").decode(), end="")
    pseudo-Boolean proof version 1.2
    f 1
    rup 1 ~x1 1 ~x2 >= 1 ;
    c 2 0
    """
    if version not in OLDER:
        raise ValueError(f"there is no older version {version}, only {' and '.join(OLDER)}")
    found, statements = proof_statements(text_of(proof, source), source)
    if found != "3.0":
        raise ProofError(source, 1, f"version {found} is not converted, only 3.0")
    lines = [f"pseudo-Boolean proof version {version}\n"]
    for line, words in statements:
        new = _LINES.get(words[0]) if words else None
        if new is None:
            raise ProofError(source, line, "a statement of an unknown rule")
        lines += [f"{' '.join(each)}\n" for each in new(words, version)]
    return "".join(lines).encode("ascii")


Lines = Iterator[Sequence[str]]


def _same(words: list[str], version: str) -> Lines:
    yield words


def _footer(words: list[str], version: str) -> Lines:
    if version != "1.2":
        yield words
    elif words[:3] == ["conclusion", "UNSAT", ":"]:
        yield "c", *words[3:], "0"


def _without_hints(words: list[str], version: str) -> Lines:
    constraint = words[: words.index(":")] if ":" in words else words
    yield *constraint, ";"


def _witnessed(words: list[str], version: str) -> Lines:
    yield [";" if word == ":" else word for word in words]


def _equal(words: list[str], version: str) -> Lines:
    *constraint, colon, number = words[1:]
    if colon != ":":
        yield *words, ";"
    elif version == "1.2":
        yield "e", number, *constraint, ";"
    else:
        yield "e", *constraint, ";", number


def _deleted(words: list[str], version: str) -> Lines:
    if words[1:2] == ["range"] and len(words) == 4 and version == "1.2":
        words = ["del", "id", *map(str, range(integer(words[2]), integer(words[3])))]
    yield words


_LINES: Final = {
    "f": _same,
    "pol": _same,
    "rup": _without_hints,
    "red": _witnessed,
    "e": _equal,
    "del": _deleted,
    "output": _footer,
    "conclusion": _footer,
    "end": _footer,
}
"""Rule -> the lines that a statement becomes."""
