"""Games: layouts drawn under a convention of the first click, played, simulated, advised on."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from satsweeper.play.advice import advise
    from satsweeper.play.game import Game
    from satsweeper.play.generation.run import generate
    from satsweeper.play.playing import play
    from satsweeper.play.simulation.run import simulate

__all__ = ["Game", "advise", "generate", "play", "simulate"]

_HOME = {
    "Game": "game",
    "generate": "generation.run",
    "advise": "advice",
    "play": "playing",
    "simulate": "simulation.run",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use: only some of them need what others do."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
