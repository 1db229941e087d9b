"""A simulated world of bridge players: pure, drawn from a seed alone."""
