"""Geometries: which cells there are, and which of them are neighbours; one file a geometry."""
