"""Rules of whole layouts: a file for each kind of rule."""
