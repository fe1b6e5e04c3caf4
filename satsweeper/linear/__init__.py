"""Linear algebra on the equations of clues, modulo a prime and over fractions, exactly checked."""
