"""``certify`` within a time limit, in a process of its own."""

from collections.abc import Callable
from typing import Any

from satsweeper.certificate.certify import Certificate, certify
from satsweeper.position import Position
from satsweeper.processes.worker import within


def certify_within(seconds: float, position: Position, **options: Any) -> Certificate | None:
    """What ``certify`` returns with these options; None if that took longer than ``seconds``.

    There is no part of a certificate that could be had earlier.

    Raises:
        WorkerDiedError: there is no certificate, since the solver crashed or failed.
        ValueError: as ``certify``.
    """
    solver = str(options.get("solver", "certify"))
    found: Certificate | None = within(seconds, solver, _certify, position, options)
    return found


def _certify(
    send: Callable[[object], None], deadline: float, position: Position, options: dict[str, Any]
) -> Certificate:
    return certify(position, **options)
