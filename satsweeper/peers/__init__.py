"""Encoders of other libraries as plain functions, to be audited beside ours.

Each library has one module here, which imports the library only when its encoders are loaded. The
product encodes nothing with these libraries.
"""

from importlib import import_module
from importlib.metadata import version
from typing import Final

from pbcnf.wording import install_hint
from satsweeper.board.errors import MissingError
from satsweeper.peers.peer_protocol import Library

PEERS: Final[dict[str, str]] = {
    "pysat": "python-sat",
    "pindakaas": "pindakaas",
    "rustsat": "rustsat",
    "pypblib": "pypblib",
    "pbcnf_pysat": "satsweeper",
}
"""Library -> the package that pip installs. The file is ``satsweeper/peers/LIBRARY.py``."""


class PeerMissingError(MissingError):
    """A library is not installed, or cannot be imported."""


def load(name: str) -> Library:
    """The encoders and the version of the library ``name``, a key of ``PEERS``.

    Raises:
        PeerMissingError: the library cannot be imported. If it is not installed, the message has
            the command that installs the package.
    """
    package = PEERS[name]
    try:
        encoders = import_module(f"satsweeper.peers.{name}").encoders()
    except ModuleNotFoundError:
        raise PeerMissingError(f"{name} is not installed: {install_hint(package)}") from None
    except ImportError as error:
        raise PeerMissingError(f"{name} cannot be imported: {error}") from None
    return Library(name, version(package), encoders)
