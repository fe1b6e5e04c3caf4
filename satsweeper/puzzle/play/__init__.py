"""Playing on boards of any shape: layouts, what cells show, moves, boards without a guess."""
