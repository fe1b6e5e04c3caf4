"""What a sweep asks of its jobs and of their results, whatever is measured or played in them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar


class SweepJob(Protocol):
    """A piece of work that can be done by itself, anywhere; picklable."""

    @property
    def id(self) -> str:
        """Different for different jobs, and the same on every machine."""
        ...


J = TypeVar("J", bound=SweepJob)
J_co = TypeVar("J_co", bound=SweepJob, covariant=True)


class SweepResult(Protocol[J_co]):
    """What a job came to."""

    @property
    def job(self) -> J_co:
        """Whose result it is."""
        ...

    def as_json(self) -> dict[str, Any]:
        """The object of one line of the journal."""
        ...


R = TypeVar("R", bound=SweepResult[Any])
R_contra = TypeVar("R_contra", bound=SweepResult[Any], contravariant=True)
S_co = TypeVar("S_co", covariant=True)


class Watch(Protocol[R_contra, S_co]):
    """Sees every result, those of earlier runs included, in any order."""

    def see(self, result: R_contra, /) -> S_co | None:
        """Take in one more result; what is returned, unless it is None, ends the sweep."""
        ...


@dataclass(frozen=True, slots=True)
class Records(Generic[R]):
    """How the results of one kind of sweep lie in a folder.

    ``schema`` is that of the manifest; ``read`` makes a result of the object of a line, or raises
    ValueError; ``same`` are the packages (names of ``versions``) that must not change on the way.
    """

    schema: str
    read: Callable[[object], R]
    same: tuple[str, ...]
