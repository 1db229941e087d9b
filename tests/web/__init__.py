"""Tests of the API and the pages: they speak HTTP only."""
