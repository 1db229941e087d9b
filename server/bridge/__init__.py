"""The laws of the game: pure, exact values and functions. Nothing here reads a clock, a file or a network."""
