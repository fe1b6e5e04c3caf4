"""Answers by name: their texts and digests, without what may differ from run to run."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

PROOF: Final = "proof: "
"""The beginning of the names of answers that may differ: files of certificates and proofs."""

_MOST: Final = 1_000_000
"""Longer texts are not kept to be shown: digests alone are."""

_CHANGING: Final = (
    (re.compile(r'("[a-z_]*seconds[a-z_]*": |"cpu": )[0-9.e+-]+'), r"\1#"),
    (re.compile(r'("(?:started|python|platform|machine|created|host|date)": )"[^"]*"'), r'\1"#"'),
    (re.compile(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\+00:00"), "#"),
    (re.compile(r"\b[0-9][0-9.,]*(?:e-?[0-9]+)?(?= (?:s|ms|seconds|milliseconds)\b)"), "#"),
)
"""Patterns of times and machines -> what stands for them."""


class Record:
    """The answers of one checkout.

    `digests`: name -> SHA-256 and size of an answer; `texts`: name -> the answer.
    """

    def __init__(self, checkout: Path, only: str) -> None:
        self.digests: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self._checkout = str(checkout)
        self._only = only

    def wants(self, name: str) -> bool:
        """Whether the answer `name` is to be computed."""
        return self._only in name

    def add(self, name: str, text: str) -> None:
        """Record the answer `text`, without times and paths."""
        text = text.replace(self._checkout, "CHECKOUT")
        for pattern, replacement in _CHANGING:
            text = pattern.sub(replacement, text)
        if len(text) <= _MOST:
            self.texts[name] = text
        data = text.encode("utf-8", "surrogateescape")
        self.digests[name] = f"{hashlib.sha256(data).hexdigest()} {len(data)}"

    def call(self, name: str, answer: Callable[..., str], *arguments: Any) -> None:
        """Record the value of `answer` for `arguments`, or the error that it raises."""
        if self.wants(name):
            self.add(name, outcome(answer, *arguments))


def outcome(answer: Callable[..., str], *arguments: Any) -> str:
    """Return the value of `answer` for `arguments`, or the type and message of its error."""
    try:
        return answer(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
