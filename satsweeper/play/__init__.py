"""Games: layouts drawn under a convention of the first click, played, simulated, advised on."""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

if TYPE_CHECKING:
    from satsweeper.play.advice import advise as advise
    from satsweeper.play.game import Game as Game
    from satsweeper.play.generation.run import generate as generate
    from satsweeper.play.playing import play as play
    from satsweeper.play.simulation.run import simulate as simulate
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
