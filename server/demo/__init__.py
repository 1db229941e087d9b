"""`crossruff demo`: a simulated world that plays on a real server. Wiring, like the commands themselves."""
