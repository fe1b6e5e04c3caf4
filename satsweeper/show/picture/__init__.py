"""Boards and games as pictures: scenes of plain values, drawn as SVG, HTML or pixels."""
