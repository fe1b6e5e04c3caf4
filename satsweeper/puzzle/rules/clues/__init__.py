"""Rules of clues: what a number says about the mines around it, one file a rule."""
