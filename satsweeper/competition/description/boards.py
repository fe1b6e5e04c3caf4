"""What is said of each family of boards besides its row in the table of families."""

from typing import Final

from satsweeper.competition.description.text import PLANTED, Text

_CHESSBOARD: Final = (
    "A square of a chessboard of $n \\times n$ squares becomes a clue of a Minesweeper board with"
    " $2n + 1$ rows and columns. Where a domino could cover two neighbouring squares there is a"
    " covered cell between the two clues; every other cell is a mine that is given. Each clue asks"
    " for one more mine than the given ones around it, so that exactly one of the dominoes at the"
    " square is laid: the layouts of the board are the coverings of the chessboard by dominoes."
)
_CHESSBOARD_HARD: Final = (
    "Refutations of the mutilated chessboard in resolution are of exponential size"
    " [@alekhnovich2004], [@dantchev2001], so that solvers by conflict-driven clause learning alone"
    " cannot scale. Solvers that go beyond resolution do: adding the equations of the black squares"
    " and subtracting those of the white ones is a cutting-planes proof of one step, and solvers by"
    " binary decision diagrams scale as well [@bryant2023]."
)
_PARITY: Final = (
    "Vertices of a lattice of hexagons, drawn as a wall of bricks with $n \\times n$ vertices, ask"
    " for the parity of the mines on their links. On the board, of $6n + 3$ rows and columns, a"
    " link is three covered cells, and between each two of them a clue makes them differ, so that"
    " both ends of the link are equal. The clue of a vertex counts its links and two more cells"
    " that are forced to be equal: together they hold two mines, or three if the vertex is charged,"
    " so that the links hold an even or an odd number. All other cells are given mines."
)
_PARITY_HARD: Final = (
    "These are Tseitin formulas [@tseitin1968] as boards. They are hard for resolution on expanders"
    " [@urquhart1987] and on grids [@dantchev2001], and linear programming is no help, as half a"
    " mine on every link satisfies all vertices. Gaussian elimination modulo 2 refutes them at"
    " once, and so does a short pseudo-Boolean proof [@gocht2021]."
)
_LATTICE: Final = (
    "Clues stand at all even rows and columns of a board with $2n - 1$ rows and columns; all other"
    " cells are covered and no mine is given. Colour the $n \\times n$ clues like a chessboard. A"
    " covered cell lies between two clues, a black and a white one, or amid four, two of either"
    " colour. Hence a mine adds as much to the black clues as to the white ones, and in every"
    " layout the sums of both colours are equal."
)
_LATTICE_HARD: Final = (
    "Every proper part of the board is consistent with its clues unless it sees the global balance,"
    " so that a search by clauses meets nothing but local consistency. The black clues less the"
    " white ones refute the board in one step of linear arithmetic. Coverings by dominoes are among"
    " the layouts, so that the family is close to the mutilated chessboard [@alekhnovich2004], with"
    " squares of four cells besides; a lower bound for resolution has not been proved for it."
)
_PROOF_OF_CELLS: Final = (
    "An instance called `asked` holds one of these certain cells, drawn by the seed, to the verdict"
    " that it cannot have: a unit clause. It is unsatisfiable, and to refute it is to prove the"
    " cell, which is the question that a player asks. To find a layout of the board itself is easy"
    " in comparison."
)

BOARDS: Final[dict[str, Text]] = {
    "mutilated_chessboard": Text(
        "Mutilated chessboards as Minesweeper boards",
        (_CHESSBOARD, "Two opposite corners are missing."),
        (
            "A domino covers a black and a white square. Opposite corners have one colour, so that"
            " of that colour two squares fewer are left: no covering exists.",
        ),
        (_CHESSBOARD_HARD,),
    ),
    "chessboard_with_private_cells": Text(
        "Chessboards with two private cells as Minesweeper boards",
        (
            _CHESSBOARD,
            "The side $n$ is even and the chessboard whole, but at either of two opposite corners"
            " the clue counts one more covered cell, which no other clue sees.",
        ),
        (
            "The board is consistent: dominoes cover a chessboard of even side, and there are as"
            " many layouts as coverings, which Kasteleyn's formula counts [@kasteleyn1961]. Both"
            " private cells are safe: were one a mine, the rest would be a chessboard that lacks"
            " one square, or two of one colour.",
            _PROOF_OF_CELLS,
        ),
        (_CHESSBOARD_HARD,),
    ),
    "parity_lattice": Text(
        "Parity on a hexagonal lattice as Minesweeper boards",
        (_PARITY, "One vertex is charged."),
        (
            "Every link has two ends, so that the mines on links counted at all vertices add up to"
            " an even number; one charge asks for an odd one.",
        ),
        (_PARITY_HARD,),
    ),
    "parity_lattice_with_open_end": Text(
        "Parity on a hexagonal lattice with an open end as Minesweeper boards",
        (
            _PARITY,
            "One vertex is charged, and at another one a further covered cell counts as a link"
            " with nothing at its other end.",
        ),
        (
            "Links with two ends count twice, so that the open end must be a mine: it is a path"
            " from the charge to nowhere. The board is consistent, as the lattice is connected;"
            " with $E$ links and $V$ vertices it has $2^{E - V + 1}$ layouts.",
            _PROOF_OF_CELLS,
        ),
        (_PARITY_HARD,),
    ),
    "checkerboard": Text(
        "Checkerboards of opened cells",
        (
            "On a board of $n \\times n$ cells three tenths are drawn to be mines. Of one colour of"
            " the chessboard every safe cell is opened and shows its number; the other colour stays"
            " covered. Every covered cell is seen by up to four clues, and the board is one"
            " region.",
        ),
        ("The drawn layout is one of the layouts.",),
        (
            "To find one layout is easy for search. To count them is not: the region cannot be cut"
            " where few clues cross, and the width of a decomposition grows with $n$.",
        ),
    ),
    "ones": Text(
        "Minesweeper boards of ones without a given mine",
        (_LATTICE, "All clues are 1, but for zeros at two opposite corners, both black."),
        (
            "If $n$ is even there are as many black squares as white ones, so that the black clues"
            " add up to 2 less; if $n$ is odd there is one black square more, and they add up to 1"
            " less. Either way the sums differ: there is no layout.",
        ),
        (_LATTICE_HARD,),
    ),
    "ones_drawn": Text(
        "Minesweeper boards of ones with two zeros drawn",
        (
            _LATTICE,
            "All clues are 1, but for zeros at two black squares, which the seed draws such that"
            " every 1 keeps a cell that is beside no zero.",
        ),
        (
            "If $n$ is even the black clues add up to 2 less than the white ones, if $n$ is odd to"
            " 1 less. Either way the sums differ: there is no layout.",
        ),
        (_LATTICE_HARD,),
    ),
    "planted": Text(
        "Minesweeper boards of a drawn layout without a given mine",
        (_LATTICE, PLANTED),
        ("The drawn layout meets all clues.",),
        (
            "A solver has to find a layout in one piece, as every clue but those at the border"
            " shares each of its cells. `planted` and `bump` of one size and seed differ in a"
            " single clue, and have different answers.",
        ),
    ),
    "bump": Text(
        "Minesweeper boards of a drawn layout with one clue too large",
        (_LATTICE, PLANTED, "Then one drawn clue, which counts a safe cell, is made larger by 1."),
        (
            "The drawn layout had equal sums of black and white clues; now they differ by 1. There"
            " is no layout.",
        ),
        (
            _LATTICE_HARD,
            "How hard an instance is differs from seed to seed: clues of 0 and 8 near the larger"
            " one leave little to search.",
        ),
    ),
    "safehole": Text(
        "Minesweeper boards with a hole in a lattice of clues",
        (
            _LATTICE,
            "All clues are 1, but for a 0 in the corner $(0, 0)$, and in the opposite one if $n$ is"
            " odd; and one white square, drawn inside, is not opened. The cells around this hole"
            " lack its clue.",
        ),
        (
            "A mine beside the hole adds 1 more to the black clues than to the white ones, any"
            " other mine as much to both. So the black clues less the white ones are the number of"
            " mines around the hole, and that is 0: all eight cells are safe. The board is"
            " consistent: walk the squares along a cycle (if $n$ is odd, along the rows to and"
            " fro); between the zeros and the hole lie an even number of squares each way, and"
            " these are taken two by two with a mine between the two.",
            _PROOF_OF_CELLS,
        ),
        (_LATTICE_HARD,),
    ),
    "hall": Text(
        "Minesweeper boards that violate Hall's condition",
        (
            _LATTICE,
            "All clues are 1, but for a 0 in the corner $(0, 0)$, and in the opposite one if $n$ is"
            " odd; one white square is not opened, and another white clue is 2.",
        ),
        (
            "The black clues less the white ones are the number of mines around the unopened"
            " square. Here they are $-1$: there is no layout.",
        ),
        (
            _LATTICE_HARD,
            "No elimination refutes these boards, whatever the modulus, as the clues are linearly"
            " independent modulo every prime; only inequalities do.",
        ),
    ),
}
