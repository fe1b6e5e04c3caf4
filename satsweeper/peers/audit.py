"""The encoding contract of our encoders, of a user's encoders, and of other libraries."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from pbcnf.audit import (
    TRANSFORMATIONS,
    AnyEncoder,
    Bound,
    Case,
    Contract,
    CountedBound,
    Finding,
    FormulaOf,
    ParityOf,
    Property,
    Row,
    bounds_of,
    every_parity,
)
from pbcnf.audit import audit as examined
from pbcnf.encoders.table import ENCODERS, PARITY_ENCODERS, find_encoder
from pbcnf.wording import unknown_name
from satsweeper.peers import PEERS, load
from satsweeper.peers.user_encoder import faults_reported, own_encoder
from satsweeper.version import __version__

OURS: Final = "pbcnf"
UNDER_PYSATS_NAMES: Final = "pbcnf_pysat"
SCHEMA: Final = "satsweeper/audit/1"


@dataclass(frozen=True, slots=True)
class Subject:
    """An encoder to audit, with the name and version of its library."""

    library: str
    version: str
    name: str
    encoder: AnyEncoder
    own: bool = False
    """Whether the encoder is a user's own; ``library`` is its module then."""

    @property
    def ours(self) -> bool:
        """Whether the encoder stands in our table of encoders."""
        return self.library == OURS

    @property
    def judged(self) -> bool:
        """Whether the encoder makes claims to check: encoders of other libraries make none."""
        return self.ours or self.own or self.library == UNDER_PYSATS_NAMES

    @property
    def label(self) -> str:
        """``NAME`` for an encoder of ours, else ``LIBRARY:NAME`` or ``MODULE:NAME``."""
        return self.name if self.ours else f"{self.library}:{self.name}"


def subjects(names: Sequence[str] = (), against: Sequence[str] = ()) -> list[Subject]:
    """The encoders called ``names``, then all encoders of the libraries ``against``.

    Args:
        names: each a name of ours, ``LIBRARY:NAME``, or ``MODULE:NAME`` for a user's own encoder;
            empty for all encoders of ours.
        against: keys of ``PEERS``.

    Raises:
        ValueError: an unknown name or library, or a module without the named encoder.
        PeerMissingError: a library is not installed.
    """
    found = [_subject(name) for name in names or (*ENCODERS, *PARITY_ENCODERS, *TRANSFORMATIONS)]
    for library in against:
        found += _peers(library)
    return list({subject.label: subject for subject in found}.values())


def _subject(name: str) -> Subject:
    library, colon, peer = name.partition(":")
    if not colon:
        alone = None if name in ENCODERS else PARITY_ENCODERS.get(name, TRANSFORMATIONS.get(name))
        return Subject(OURS, __version__, name, alone or find_encoder(name))
    if library not in PEERS:
        return Subject(library, "", peer, own_encoder(name), own=True)
    for subject in (known := _peers(library)):
        if subject.name == peer:
            return subject
    raise ValueError(unknown_name("encoder", name, [each.label for each in known]))


def _peers(library: str) -> list[Subject]:
    if library not in PEERS:
        raise ValueError(unknown_name("library", library, PEERS))
    loaded = load(library)
    return [
        Subject(library, loaded.version, name, encoder) for name, encoder in loaded.encoders.items()
    ]


def work(audited: Sequence[Subject], upto: int) -> int:
    """The cost of an audit up to ``upto`` inputs: 3 ** n for every bound on n inputs."""
    return sum(3**bound.n for each in audited for _, bound in _cases(each, upto))


def _cases(
    subject: Subject, upto: int
) -> Iterator[tuple[AnyEncoder, Bound | ParityOf | FormulaOf]]:
    """Pairs of encoder and bound to examine, up to ``upto`` inputs.

    A name of ours may stand for an encoder of sums and for an encoder of parities: both are
    examined.
    """
    for bound in bounds_of(subject.encoder, upto):
        yield subject.encoder, bound
    if subject.ours and subject.name in PARITY_ENCODERS and subject.name in ENCODERS:
        for parity in every_parity(upto):
            yield subject.name, parity


def audit(
    audited: Sequence[Subject], upto: int, advance: Callable[[int], None]
) -> list[tuple[Subject, Contract]]:
    """The contract of every encoder in ``audited``, for all bounds on up to ``upto`` inputs.

    ``advance`` is called after each bound, with its share of `work`.

    Raises:
        EncoderFaultError: an encoder raises an exception that is no refusal of a bound.
    """
    answer = []
    for subject in audited:
        found = []
        for encoder, bound in _cases(subject, upto):
            if not isinstance(bound, Bound):
                found.append(examined(encoder, bound))
            else:
                with faults_reported(subject.label, bound.lower, bound.upper, bound.n):
                    found.append(examined(encoder, bound))
            advance(3**bound.n)
        answer.append((subject, Contract(subject.label, upto, tuple(found))))
    return answer


def as_json(upto: int, audited: Sequence[tuple[Subject, Contract]]) -> dict[str, Any]:
    """The object that ``satsweeper audit --json`` prints."""
    return {
        "schema": SCHEMA,
        "n": upto,
        "kept": not any(broken(*each) for each in audited),
        "encoders": [_encoder(*each) for each in audited],
    }


def broken(subject: Subject, found: Contract) -> bool:
    """Whether the encoder breaks a claim of its contract."""
    return subject.judged and bool(found.breaches())


def _encoder(subject: Subject, found: Contract) -> dict[str, Any]:
    return {
        "encoder": subject.name,
        "library": subject.library,
        "version": subject.version,
        "bounds": [_row(row) for row in found.rows()],
        "breaches": [
            {"property": prop.value, **_counter_example(case, why)}
            for case, prop, why in (found.breaches() if subject.judged else ())
        ],
        "stronger": {
            prop.value: len(stronger)
            for prop, stronger in (found.stronger() if subject.judged else {}).items()
        },
    }


def _row(row: Row) -> dict[str, Any]:
    properties: dict[str, dict[str, Any]] = {}
    for prop in Property:
        failing = row.failing(prop)
        properties[prop.value] = {"holds": row.holds(prop), "failures": len(failing)}
        if failing:
            properties[prop.value]["first"] = _counter_example(*failing[0])
    return {
        "kind": row.kind.value,
        "cases": len(row.cases),
        "refused": row.refused,
        "properties": properties,
    }


def _counter_example(case: Case, why: Finding) -> dict[str, Any]:
    bound = case.bound
    if isinstance(bound, FormulaOf):
        return {"n": bound.n, "formula": str(bound)} | asdict(why)
    if isinstance(bound, ParityOf):
        return {"n": bound.n, "odd": bound.odd} | asdict(why)
    more: dict[str, Any] = {"weights": list(bound.weights)} if bound.weighted else {}
    more |= {"counter": True} if isinstance(bound, CountedBound) else {}
    return {"n": bound.n, "lower": bound.lower, "upper": bound.upper, **more} | asdict(why)
