"""The JSON API, a room for each topic."""
