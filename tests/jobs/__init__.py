"""Tests of what happens by itself."""
