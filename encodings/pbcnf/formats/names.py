"""Lines of text formats: names of variables that every format accepts, comments that hold names.

A legal name has letters, digits and underscores, and is given only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Final

from pbcnf.constraints.problem import Problem
from pbcnf.literals import Var

_IN_COMMENT: Final = re.compile(
    rb"(?:\*[ \t]*x([1-9][0-9]{0,9})[ \t]*=|c[ \t]+var[ \t]+([1-9][0-9]{0,9})[ \t])"
    rb"[ \t]*([^ \t\r\n]+)[ \t\r\n]*"
)
_LONGEST: Final = 60
_SIGNS: Final = {">=": "_ge_", "<=": "_le_", "=": "_eq_"}
_MINUS: Final = re.compile(r"(?<![A-Za-z0-9])-(?=[0-9])")
_ILLEGAL: Final = re.compile(r"[^A-Za-z0-9_]+")
_ILLEGAL_START: Final = re.compile(r"[^A-Za-z]|[eE][0-9eE]*(?![A-Za-z_])")
_RESERVED: Final = re.compile(
    # Keywords of LP files, of MPS files, and of SMT-LIB, with its names of functions.
    r"min(imum|imi[sz]e)?|max(imum|imi[sz]e)?|st|subject|such|bounds?|free|inf(inity)?|bin|binar(y|ies)"
    r"|gen(erals?)?|int(egers?)?|end|semis?|sos[12]?|sec|pwlobj|lazy|user"
    r"|name|rows|columns|rhs|ranges|objsense|endata|marker|intorg|intend"
    r"|and|as|assert|bool|bv[a-z0-9]*|concat|distinct|echo|exists|exit|false|forall|ite|let|match"
    r"|not|or|par|pow|real|select|store|string|true|xor|to_real|pop|push|reset",
    re.IGNORECASE,
)


def legal_names(problem: Problem) -> list[str]:
    """Return a legal name for every variable; the name of variable i is at index i - 1.

    A legal and unique name is kept. Signs of comparisons become words, the minus of a number ``m``,
    other illegal characters an underscore; a reserved word gets the prefix ``v_``, and a repeated
    name a number as suffix.

    >>> legal_names(Problem(4, (), {1: "m_0_2", 2: "mine (0, 2)", 3: "x4"}))
    ['m_0_2', 'mine_0_2_', 'x4', 'x4_2']
    >>> legal_names(Problem(2, (), {1: "n>=3", 2: "n=-1"}))
    ['n_ge_3', 'n_eq_m1']
    """
    taken: set[str] = set()
    counts: dict[str, int] = {}
    found: list[str] = []
    for _, name in problem.variables():
        for sign, word in _SIGNS.items():
            name = name.replace(sign, word)
        base = _ILLEGAL.sub("_", _MINUS.sub("m", name))[:_LONGEST]
        if _RESERVED.fullmatch(base) or _ILLEGAL_START.match(base) or not base:
            base = f"v_{base}"
        unique = base
        while unique.lower() in taken:
            counts[base] = counts.get(base, 1) + 1
            unique = f"{base}_{counts[base]}"
        # Names differ in more than the case of letters, which some programs ignore.
        taken.add(unique.lower())
        found.append(unique)
    return found


def named(names: list[str]) -> dict[Var, str]:
    """Return variable -> name, without names ``x<i>`` of variable i, which are the default."""
    return {var: name for var, name in enumerate(names, start=1) if name != f"x{var}"}


def comment_lines(comments: Iterable[str], sign: str) -> Iterator[str]:
    """Yield `comments` as lines of text behind the `sign` of a format, without line feeds.

    Raises ValueError for a comment that is not ASCII.
    """
    for comment in comments:
        for line in comment.splitlines() or [""]:
            if not line.isascii():
                raise ValueError(f"a comment must be ASCII: {line!r}")
            yield f"{sign} {line}".rstrip()


def write_lines(lines: Sequence[str], stream: IO[bytes]) -> None:
    """Write ASCII `lines` to `stream`, each with a line feed, some thousand at a time."""
    for start in range(0, len(lines), 4096):
        piece = "".join([f"{line}\n" for line in lines[start : start + 4096]])
        stream.write(piece.encode("ascii"))


def names_in_comments(lines: Iterable[bytes]) -> dict[Var, str]:
    """Return the names in lines ``* x1 = name`` or ``c var 1 name``; the first of a variable."""
    found: dict[Var, str] = {}
    for line in lines:
        match = _IN_COMMENT.fullmatch(line) if line.startswith((b"*", b"c")) else None
        if match is not None:
            name = match[3].decode("ascii", "backslashreplace")
            found.setdefault(int(match[1] or match[2]), name)
    return found
