"""Strict reader of JSON objects: texts that two readers could take differently are refused."""

import json
from typing import Any, NoReturn

from satsweeper.checker.errors import WrongCertificateError


def json_object(name: str, content: bytes) -> dict[str, Any]:
    """A file as a JSON object: ASCII, no name twice in an object, all numbers integers.

    Raises:
        WrongCertificateError: it is none.
    """
    try:
        found = json.loads(
            content.decode("ascii"),
            object_pairs_hook=_without_repeats,
            parse_float=_no_integer,
            parse_constant=_no_integer,
        )
    except UnicodeDecodeError as error:
        raise WrongCertificateError(name, f"byte {error.start}: not ASCII") from None
    except (ValueError, RecursionError) as error:
        raise WrongCertificateError(name, f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise WrongCertificateError(name, "no JSON object")
    return found


def is_integer(found: object) -> bool:
    """Whether ``found`` is an integer of JSON; ``true`` is not, though an ``int`` of Python."""
    return type(found) is int


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} is there twice")
    return found


def _no_integer(word: str) -> NoReturn:
    raise ValueError(f"{word}, where an integer is expected")
