"""Patches: parse, locate, apply. Nothing here decides by likeness, and nothing is staged before all is located."""
