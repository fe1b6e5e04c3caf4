"""Proofs changed by chance, for tests that accept none of them as a proof of what is false."""

import random
from collections.abc import Sequence


def mutated(lines: Sequence[str], rng: random.Random) -> list[str]:
    """The lines below the first with one lost, doubled or moved, or with one word changed.

    A number becomes a near one, or gets the other sign; a literal gets the other sign; or another
    word of the proof takes the place of the word.
    """
    changed = list(lines)
    at, other = rng.randrange(1, len(lines)), rng.randrange(1, len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del changed[at]
    elif kind == 1:
        changed.insert(other, lines[at])
    elif kind == 2:
        changed[at], changed[other] = lines[other], lines[at]
    else:
        words = lines[at].split(" ")
        place = rng.randrange(len(words))
        word = words[place]
        if kind == 3:
            words[place] = rng.choice(rng.choice(lines).split(" "))
        elif word.lstrip("-").isdigit():
            number = int(word)
            words[place] = str(rng.choice((number + 1, number - 1, -number, rng.randint(0, 9))))
        else:
            words[place] = word[1:] if word.startswith("~") else word.replace("x", "~x")
        changed[at] = " ".join(words)
    return changed
