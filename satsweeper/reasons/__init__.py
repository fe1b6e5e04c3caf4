"""Why: cores of selectors over the clues, made irreducible, and in words."""
