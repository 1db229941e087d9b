"""Interchange formats: bytes in, bridge values out, and back. No I/O, every complaint with its line."""
