"""Random changes of the files of a certificate: bytes, lines, words, values of JSON."""

import json
import random
from collections.abc import Callable
from typing import Any, Final

_WORDS: Final = (
    "0", "1", "-1", "2", "-2", "x1", "~x1", "~", ";", ":", ">=", "d", "+", "rup", "red", "pol",
    "del", "99", "-99", "2147483648", "9" * 30,
)  # fmt: skip
_VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 2, 7, 10**30, "", "S", "M", "?", "1", [], {}, [0, 0],
    "consistent", "inconsistent",
)  # fmt: skip
_MARKS: Final = b'0123456789 -~x;:.?FSM\n"[]{},d+=>\0\xff'


def mutated(content: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """The file after a change by chance, which may be what it was.

    ``others``: the same file of other certificates.
    """
    kinds: list[Callable[[bytes, random.Random], bytes]] = [_byte, _cut, _line, _word, _words]
    if content.startswith(b"{"):
        kinds += [_value, lambda data, rng: _value(_value(data, rng), rng)]
    if others:
        kinds.append(lambda data, rng: rng.choice(others))
    return rng.choice(kinds)(content, rng)


def _byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    new = bytes([rng.choice(_MARKS)])
    # Replaced, inserted, or removed.
    end, put = rng.choice([(at + 1, new), (at, new), (at + 1, b"")])
    return data[:at] + put + data[end:]


def _cut(data: bytes, rng: random.Random) -> bytes:
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return rng.choice([data[:start], data[end:], data[:start] + data[end:]])


def _line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.choice(["drop", "twice", "swap", "move"])
    if what == "drop":
        del lines[at]
    elif what == "twice":
        lines.insert(other, lines[at])
    elif what == "swap":
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines.insert(other, lines.pop(at))
    return b"".join(lines)


def _word(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    words = lines[at].split(b" ")
    place = rng.randrange(len(words))
    word = words[place]
    number = word.lstrip(b"-+x~")
    choices = [rng.choice(_WORDS).encode(), rng.choice(words), b""]
    if number.isdigit():
        sign = word[: len(word) - len(number)]
        choices += [sign + str(int(number) + step).encode() for step in (1, -1) if int(number)]
        choices += [b"-" + word, word.lstrip(b"-"), word.replace(b"x", b"~x"), word.lstrip(b"~")]
    words[place] = rng.choice(choices)
    lines[at] = b" ".join(words)
    return b"\n".join(lines)


def _words(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(2, 4)):
        data = _word(data, rng)
    return data


def _value(data: bytes, rng: random.Random) -> bytes:
    try:
        found = json.loads(data)
    except ValueError:
        return data
    return json.dumps(changed_value(found, rng)).encode()


def changed_value(found: Any, rng: random.Random) -> Any:
    """A value of JSON, changed at one place somewhere inside (the value itself is changed)."""
    if isinstance(found, dict | list) and found and rng.random() < 0.85:
        keys = list(found) if isinstance(found, dict) else list(range(len(found)))
        key = rng.choice(keys)
        what = rng.random()
        if what < 0.1:
            del found[key]
        elif what < 0.2:
            other = rng.choice(keys)
            found[key], found[other] = found[other], found[key]
        elif what < 0.25 and isinstance(found, list):
            found.append(rng.choice(found))
        else:
            found[key] = changed_value(found[key], rng)
        return found
    if type(found) is int and rng.random() < 0.7:
        return found + rng.choice([-1, 1])
    if isinstance(found, str) and found and rng.random() < 0.7:
        at = rng.randrange(len(found))
        return found[:at] + rng.choice("SM?F0123") + found[at + 1 :]
    return rng.choice(_VALUES)
