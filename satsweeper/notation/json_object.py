"""Strict reader of JSON objects: no name twice, no NaN, and errors with line and column."""

import json
from collections.abc import Collection
from typing import Any

from satsweeper.notation.error import BoardError
from satsweeper.notation.header import shortened


def json_object(text: str, what: str, source: str, line: int | None = None) -> dict[str, Any]:
    """Return the JSON object in ``text``.

    ``what`` it is, for messages; ``line`` is where in its source it stands, if it is one of several
    there. Raises ``BoardError``.
    """
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        said = f"no JSON: {error.msg}"
        at = error.lineno if line is None else line
        raise BoardError(source, at, error.colno, said) from None
    except RecursionError:
        said = f"JSON nested too deeply to be a {what}"
        raise BoardError(source, line, None, said) from None
    except ValueError as error:
        raise BoardError(source, line, None, _plainly(str(error))) from None
    if not isinstance(found, dict):
        raise BoardError(source, line, None, f"a {what} is a JSON object")
    return found


def check_schema(
    found: dict[str, Any],
    schema: str,
    needed: Collection[str],
    optional: Collection[str],
    source: str,
    line: int | None = None,
) -> None:
    """Refuse another schema, a name that is missing, and one that the schema does not have.

    Raises ``BoardError``.
    """
    if found.get("schema") != schema:
        said = f"schema {shortened(str(found.get('schema')))}: this reads {schema}"
        raise BoardError(source, line, None, said)
    check_names(found, needed, optional, source, line)


def check_names(
    found: dict[str, Any],
    needed: Collection[str],
    optional: Collection[str],
    source: str,
    line: int | None = None,
) -> None:
    """Raise ``BoardError`` for a missing name, and for a name that the schema does not have."""
    for name in needed:
        if name not in found:
            raise BoardError(source, line, None, f"{name!r} is missing")
    for name in found:
        if name not in needed and name not in optional:
            said = f"{shortened(name)!r}: the schema has no such name"
            raise BoardError(source, line, None, said)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"{shortened(twice)!r} stands twice in one object")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _plainly(message: str) -> str:
    """Replace Python's message about a number of thousands of digits, which names a setting."""
    return "a number of thousands of digits" if "integer string conversion" in message else message
