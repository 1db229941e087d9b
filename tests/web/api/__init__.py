"""One module or more for each room of the API."""
