"""Words for messages: counted nouns, decimals, suggestions for mistyped names, how to install."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from fractions import Fraction


def counted(number: int, noun: str, form: str = "") -> str:
    """Return a number with its noun in singular or plural; `form` is a format spec of the number.

    >>> counted(1, "clause"), counted(0, "clause"), counted(12000, "covered cell", ",")
    ('1 clause', '0 clauses', '12,000 covered cells')
    """
    return f"{number:{form}} {noun}{'' if number == 1 else 's'}"


def shortened(what: object, most: int = 60) -> str:
    """Return the `repr` of a value, cut to `most` characters.

    >>> shortened(list(range(1000)), 12)
    '[0, 1, 2 ...'
    """
    text = repr(what)
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def are(number: int) -> str:
    """Return "is" or "are", as `number` needs.

    >>> f"there {are(1)} {counted(1, 'variable')}", f"{counted(2, 'row')} {are(2)} missing"
    ('there is 1 variable', '2 rows are missing')
    """
    return "is" if number == 1 else "are"


def install_hint(what: str, again: bool = False) -> str:
    """Return the shell command that installs a package, or an extra of ours, for this Python.

    `what` is the requirement, as pip takes it. The command runs pip as a module of this Python,
    since the ``pip`` on PATH may belong to another Python. With `again` an installed package is
    replaced.

    >>> print(install_hint("satsweeper[smt]").partition(" -m ")[2])
    pip install 'satsweeper[smt]'
    """
    python = shlex.quote(sys.executable or "python")
    return f"{python} -m pip install {'--force-reinstall ' * again}{shlex.quote(what)}"


def unknown_name(kind: str, name: str, known: Iterable[str], others: str = "") -> str:
    """Return the message for an unknown `name`; `others` is added to the list of known names.

    >>> unknown_name("format", "pob", ["cnf", "opb"])
    "unknown format 'pob'; did you mean 'opb'? (known: cnf, opb)"
    """
    names = [str(each) for each in known]
    return f"unknown {kind} {name!r}{did_you_mean(name, names)} (known: {', '.join(names)}{others})"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question with the known name nearest to `name`; empty if no known name is near.

    >>> did_you_mean("Brute-Force", ["sat", "brute_force"]), did_you_mean("xyz", ["sat"])
    ("; did you mean 'brute_force'?", '')
    """
    near = nearest(name, known)
    return f"; did you mean {near!r}?" if near else ""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name nearest to the unknown `name`, or None if none is near.

    >>> nearest("--jsn", ["--help", "--json"]), nearest("sta", ["smt", "sat"])
    ('--json', 'sat')
    """
    # Imported here because only a mistyped name needs difflib.
    from difflib import get_close_matches

    spelled = {_plain(each): each for each in known}
    plain = _plain(name)
    # A known name with the same letters in another order counts as the nearest.
    close = [each for each in spelled if sorted(each) == sorted(plain)]
    close = close or get_close_matches(plain, spelled, n=1)
    found = spelled[close[0]] if close else None
    return None if found == name else found


def _plain(name: str) -> str:
    """Return `name` in lower case, with underscores for all hyphens but the leading ones."""
    hyphens = len(name) - len(name.lstrip("-"))
    return name[:hyphens] + name[hyphens:].casefold().replace("-", "_")


def exact(value: int, scale: int) -> str:
    """Return ``value / scale`` as a decimal number if its digits end, otherwise as a fraction.

    Weights in files are decimal numbers.

    >>> exact(-7, 4), exact(6, 2), exact(1, 3)
    ('-1.75', '3', '1/3')
    """
    found = Fraction(value, scale)
    # The digits end if the denominator divides a power of ten; 10**bit_length suffices then.
    places = 0
    while 10**places % found.denominator and places < found.denominator.bit_length():
        places += 1
    if 10**places % found.denominator:
        return str(found)
    digits = str(abs(found.numerator) * 10**places // found.denominator).zfill(places + 1)
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{'-' * (found < 0)}{whole}{'.' * (places > 0)}{part}"
