"""Tests of the filing cabinet, each on both databases."""
