"""Tests of the interchange formats."""
