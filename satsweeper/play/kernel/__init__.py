"""What a player works out at every move, on arrays, compiled where numba is installed."""
