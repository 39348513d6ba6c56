"""The hands of a coding agent, as one command."""

__version__ = "0.1.0"
