"""The director: one function, one thing done, one transaction."""
