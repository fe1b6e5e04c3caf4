"""Words of the formula and of the proof, and the statements they form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from pbcnf.proof.cutting_planes.error import ProofError, RefusedError
from pbcnf.proof.cutting_planes.inequality import Inequality, normalised

_OTHER_BLANK: Final = re.compile(r"[\x0b\x0c\x1c-\x1f]|\r(?!\n)")
_LITERAL: Final = re.compile(r"(~?)x([1-9][0-9]{0,17})")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
MOST_DIGITS: Final = 4000
"""Of a number in a file."""
MOST_COMPUTED: Final = 4 * MOST_DIGITS
"""Digits of what a proof makes of such numbers, unless less is allowed."""
_MOST_KEPT: Final = 2**16
_HEADER: Final = re.compile(r"pseudo-Boolean proof version ([0-9]+\.[0-9]+)\s*")


Statement: TypeAlias = tuple[int, list[str]]
"""Number of the first line of a statement, and the words without the semicolon at the end."""


class Literals(dict[str, int]):
    """Word -> literal: ``~x7`` is -7. Raises RefusedError for a word that is no literal."""

    def __missing__(self, word: str) -> int:
        match = _LITERAL.fullmatch(word)
        if match is None:
            raise RefusedError(f"'{word[:40]}' is no literal: x1, x2, ... or ~x1, ...")
        sign, name = match.groups()
        lit = -int(name) if sign else int(name)
        if len(self) < _MOST_KEPT:
            self[word] = lit
        return lit


LITERALS: Final = Literals()
"""Words met so far."""


def integer(word: str) -> int:
    """Return a word as an integer. Raises RefusedError if it is none."""
    if not _INTEGER.fullmatch(word) or len(word) > MOST_DIGITS:
        raise RefusedError(f"'{word[:40]}' is no integer of at most {MOST_DIGITS} digits")
    return int(word)


def inequality(words: Sequence[str], start: int = 0) -> tuple[Inequality, int]:
    """Read ``weight literal ... >= degree`` from `start`; return also where it ends.

    Raises RefusedError for anything else.
    """
    try:
        relation = words.index(">=", start)
    except ValueError:
        raise RefusedError("a constraint needs '>='") from None
    if relation + 1 >= len(words):
        raise RefusedError("the degree is missing behind '>='")
    return normalised(terms(words[start:relation]), integer(words[relation + 1])), relation + 2


def terms(words: Sequence[str]) -> list[tuple[int, int]]:
    """Read weights and literals by turns. Raises RefusedError for anything else."""
    if len(words) % 2:
        raise RefusedError(f"'{words[-1][:40]}' is half a term: a weight and a literal are needed")
    literals = [LITERALS[word] for word in words[1::2]]
    weights = [1 if word == "1" else integer(word) for word in words[::2]]
    return list(zip(weights, literals, strict=True))


def text_of(raw: bytes, source: str) -> str:
    """Return a file as text.

    Raises ProofError unless it is ASCII, and for a byte that Python would take for a blank and no
    format does.
    """
    try:
        text = raw.decode("ascii")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ProofError(source, line, "a byte that is not ASCII") from None
    other = _OTHER_BLANK.search(text)
    if other is not None:
        line = text.count("\n", 0, other.start()) + 1
        message = f"byte 0x{ord(other[0]):02x}: only blanks and tabs are between words"
        raise ProofError(source, line, message)
    return text


def proof_statements(text: str, source: str) -> tuple[str, Iterator[Statement]]:
    """Return the version in the first line of a proof, and its statements.

    In version 3.0 a semicolon ends a statement and ``%`` begins a comment; in 2.0 a line is a
    statement, or a comment if it begins with ``*``. Colons and semicolons inside are words.
    Raises ProofError for another version.
    """
    lines = text.split("\n")
    header = _HEADER.fullmatch(lines[0])
    if header is None:
        raise ProofError(source, 1, "the first line must be 'pseudo-Boolean proof version 3.0'")
    version = header[1]
    if version not in ("3.0", "2.0"):
        raise ProofError(source, 1, f"version {version} is not read, only 3.0 and 2.0")
    return version, (_by_semicolon if version == "3.0" else _by_line)(lines, source)


def _by_semicolon(lines: Sequence[str], source: str) -> Iterator[Statement]:
    pending: list[str] = []
    begin = 0
    for number, line in enumerate(lines[1:], start=2):
        line = line.partition("%")[0]
        if ":" in line:
            line = line.replace(":", " : ")
        *ended, rest = line.split(";")
        for part in ended:
            words = part.split()
            yield begin or number, [*pending, *words] if pending else words
            pending, begin = [], 0
        words = rest.split()
        if words:
            pending, begin = [*pending, *words], begin or number
    if pending:
        raise ProofError(source, begin, "the last statement has no ';' at its end")


def _by_line(lines: Sequence[str], source: str) -> Iterator[Statement]:
    for number, line in enumerate(lines[1:], start=2):
        words = line.replace(";", " ; ").split()
        if words and not words[0].startswith("*"):
            yield number, words


# Proofs of version 3.0 in the syntax of older versions, for a VeriPB that reads only those.
#
# What they derive is the same. Older checkers take no hints: they propagate on all constraints,
# which finds no less but takes longer.

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
        older = _older_lines(words, version)
        if older is None:
            raise ProofError(source, line, "a statement of an unknown rule")
        lines += [f"{' '.join(each)}\n" for each in older]
    return "".join(lines).encode("ascii")


def _older_lines(words: list[str], version: str) -> list[list[str]] | None:
    """Return the lines that a statement becomes in an older version, None for an unknown rule."""
    match words[:1]:
        case ["f" | "pol"]:
            return [words]
        case ["rup"]:
            # Without hints an older checker propagates on all constraints.
            return [[*(words[: words.index(":")] if ":" in words else words), ";"]]
        case ["red"]:
            return [[";" if word == ":" else word for word in words]]
        case ["e"]:
            *constraint, colon, number = words[1:]
            if colon != ":":
                return [[*words, ";"]]
            new = ["e", number, *constraint, ";"]
            return [new if version == "1.2" else ["e", *constraint, ";", number]]
        case ["del"]:
            if words[1:2] == ["range"] and len(words) == 4 and version == "1.2":
                words = ["del", "id", *map(str, range(integer(words[2]), integer(words[3])))]
            return [words]
        case ["soli"]:
            literals = words[1 : words.index(":") if ":" in words else len(words)]
            return [["o" if version == "1.2" else "soli", *literals]]
        case ["output" | "conclusion" | "end"]:
            if version != "1.2":
                return [words]
            # 1.2 has no footer but the step that names a contradiction: of what is better than
            # the last solution, where the proof concludes bounds.
            if words[:3] == ["conclusion", "UNSAT", ":"]:
                return [["c", *words[3:], "0"]]
            return [["c", words[4], "0"]] if words[:2] == ["conclusion", "BOUNDS"] else []
    return None
