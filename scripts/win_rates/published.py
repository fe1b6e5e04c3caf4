"""Published win rates, each with its board, convention and source.

Facts, retold; looked up in the places named until November 2026.
"""

from dataclasses import dataclass
from typing import Final

from satsweeper.play.draw import FirstClick

SAFE, OPENING, NONE = FirstClick.SAFE, FirstClick.OPENING, FirstClick.NONE
SMALL, BEGINNER, MIDDLE, EXPERT = "8x8/10", "9x9/10", "16x16/40", "30x16/99"


@dataclass(frozen=True, slots=True)
class Source:
    """A published strategy and its source; ``strategy`` and ``note`` may be empty."""

    who: str
    strategy: str
    place: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """A figure; ``won`` in per cent as printed, ``given`` its uncertainty.

    ``games`` 0, ``start`` and ``given`` empty: not stated.
    """

    source: Source
    board: str
    first_click: FirstClick
    start: str
    won: str
    given: str = ""
    games: int = 0

    @property
    def rate(self) -> float:
        """The figure itself, from 0 to 1."""
        return float(self.won) / 100


_PROB: Final = "github.com/b1f6c1c4/MineSweeperProb, README (2024)"
_AAAI: Final = "workshop of AAAI-17"
_JAVA: Final = "github.com/DavidNHill/Minesweeper, README"
_LEE: Final = "a table of leezhongjun"
_EXCERPT: Final = "seen in an excerpt only"
_TREE: Final = "PSEQ, game tree below 256 layouts"

PSEQ: Final = Source("b1f6c1c4", "PSEQ", _PROB)
TREE: Final = Source("b1f6c1c4", _TREE, _PROB)
TU: Final = Source("Tu et al. 2017", "PSEQ", _AAAI)
TU_TREE: Final = Source("Tu et al. 2017", _TREE, _AAAI)
HILL: Final = Source(
    "DavidNHill",
    "second safety, likely fifty-fifties, game tree",
    "github.com/DavidNHill/JSMinesweeper, issue 38 and README",
)
HILL_BEFORE: Final = Source("DavidNHill", "an earlier version", _JAVA)
XIENAOBAN: Final = Source(
    "xienaoban",
    "lowest chance, rules, next position, game tree",
    "github.com/xienaoban/minesweeper",
)
AROLAUN: Final = Source("ArolaunTech", "", "github.com/ArolaunTech")
GCP: Final = Source("gamescomputersplay", "", "github.com/gamescomputersplay")
MCAJBEN: Final = Source("McAJBen", "lowest chance", "github.com/McAJBen/MinesweeperAI")
MCAJBEN_SMALL: Final = Source(
    "McAJBen", "lowest chance", MCAJBEN.place, "the size of its beginner's board is not stated"
)
YUJIN: Final = Source(
    "yujin 2007",
    "lowest chance",
    _EXCERPT,
    "its convention is not stated; the figure fits no other",
)
BCW: Final = Source("bcw 2013", "", _EXCERPT)
JGESC: Final = Source("jgesc", "", "github.com/jgesc")
TACHIKAKA: Final = Source("TachikakaMin", "", _EXCERPT)
LKFORGE: Final = Source(
    "LKForge", "", _EXCERPT, "no other figure for that start is near; these fit an opening"
)
SECOND_HAND: Final = {
    Source(who, "", _LEE, "at second hand, and mostly under this convention"): won
    for who, won in (
        ("OH, Buffet 2013", "38.7"),
        ("leezhongjun", "38.0"),
        ("Legendre 2012", "37.5"),
        ("Studholme 2000", "33.9"),
        ("Becerra 2015", "32.9"),
    )
}

PUBLISHED: Final = (
    Published(PSEQ, SMALL, SAFE, "0,0", "81.6351", "± 0.0034", 500_000_000),
    Published(TREE, SMALL, SAFE, "0,0", "81.7711", "± 0.0076", 100_000_000),
    Published(PSEQ, BEGINNER, SAFE, "0,0", "91.6775", "± 0.0024", 500_000_000),
    Published(TREE, BEGINNER, SAFE, "0,0", "91.6949", "± 0.0054", 100_000_000),
    Published(PSEQ, MIDDLE, SAFE, "0,0", "78.1228", "± 0.0057", 200_000_000),
    Published(TREE, MIDDLE, SAFE, "0,0", "78.2295", "± 0.0081", 100_000_000),
    Published(PSEQ, EXPERT, SAFE, "0,0", "39.6158", "± 0.0068", 200_000_000),
    Published(TREE, EXPERT, SAFE, "0,0", "40.0468", "± 0.0096", 100_000_000),
    Published(PSEQ, SMALL, OPENING, "2,2", "90.1456", "± 0.0026", 500_000_000),
    Published(TREE, SMALL, OPENING, "2,2", "90.3448", "± 0.0058", 100_000_000),
    Published(PSEQ, BEGINNER, OPENING, "2,2", "97.1453", "± 0.0015", 500_000_000),
    Published(TREE, BEGINNER, OPENING, "2,2", "97.1669", "± 0.0033", 100_000_000),
    Published(PSEQ, MIDDLE, OPENING, "2,2", "88.9267", "± 0.0043", 200_000_000),
    Published(TREE, MIDDLE, OPENING, "2,2", "89.0757", "± 0.0061", 100_000_000),
    Published(PSEQ, EXPERT, OPENING, "3,3", "52.7838", "± 0.0069", 200_000_000),
    Published(TREE, EXPERT, OPENING, "3,3", "53.4502", "± 0.0098", 100_000_000),
    Published(PSEQ, SMALL, SAFE, "the worst", "73.75"),
    Published(PSEQ, BEGINNER, SAFE, "the worst, 3,3", "86.43"),
    Published(PSEQ, MIDDLE, SAFE, "the worst", "70.78"),
    Published(PSEQ, EXPERT, SAFE, "the worst", "35.77"),
    Published(TU, SMALL, SAFE, "0,0", "81.627", "(8)"),
    Published(TU_TREE, SMALL, SAFE, "0,0", "81.79", "(2)"),
    Published(TU, MIDDLE, SAFE, "0,0", "78.122", "(8)"),
    Published(TU_TREE, MIDDLE, SAFE, "0,0", "78.22", "(3)"),
    Published(TU, EXPERT, SAFE, "0,0", "39.616", "(5)"),
    Published(TU_TREE, EXPERT, SAFE, "0,0", "40.06", "(2)"),
    Published(HILL, EXPERT, SAFE, "0,0", "41.132", "± 0.03", 10_000_000),
    Published(HILL, EXPERT, OPENING, "3,3", "54.3"),
    Published(HILL_BEFORE, EXPERT, SAFE, "0,0", "40"),
    Published(HILL_BEFORE, EXPERT, OPENING, "3,3", "53"),
    Published(XIENAOBAN, EXPERT, SAFE, "", "39.68", games=500_000),
    Published(AROLAUN, BEGINNER, SAFE, "", "91.40", "± 0.17", 100_000),
    Published(AROLAUN, MIDDLE, SAFE, "", "77.29", "± 0.26", 100_000),
    Published(AROLAUN, EXPERT, SAFE, "", "39.33", "± 0.30", 100_000),
    Published(GCP, EXPERT, SAFE, "", "38.6", "± 0.3"),
    Published(MCAJBEN_SMALL, BEGINNER, SAFE, "0,0", "90.6", games=1_016_600),
    Published(MCAJBEN, MIDDLE, SAFE, "0,0", "76.6", games=1_000_000),
    Published(MCAJBEN, EXPERT, SAFE, "0,0", "38.1", games=10_178_336),
    Published(YUJIN, EXPERT, OPENING, "", "52.96"),
    Published(BCW, BEGINNER, SAFE, "0,0", "89.9"),
    Published(BCW, MIDDLE, SAFE, "0,0", "72.0"),
    Published(BCW, EXPERT, SAFE, "0,0", "20.0"),
    Published(JGESC, MIDDLE, SAFE, "", "62"),
    Published(TACHIKAKA, SMALL, NONE, "", "52.2", games=10_000),
    Published(TACHIKAKA, SMALL, SAFE, "", "75.2", games=10_000),
    Published(TACHIKAKA, MIDDLE, NONE, "", "48.0", games=10_000),
    Published(TACHIKAKA, MIDDLE, SAFE, "", "70.5", games=10_000),
    Published(TACHIKAKA, EXPERT, NONE, "", "10.2", games=1_000),
    Published(TACHIKAKA, EXPERT, SAFE, "", "19.2", games=1_000),
    Published(LKFORGE, BEGINNER, SAFE, "the centre", "95.5", games=1_000),
    Published(LKFORGE, MIDDLE, SAFE, "the centre", "85.6", games=1_000),
    *(Published(source, EXPERT, SAFE, "", won) for source, won in SECOND_HAND.items()),
)
"""All of them; boards are columns x rows / mines, starts row, column."""
