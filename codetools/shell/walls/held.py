"""The right of a running command to its placeholders; `masks.py` makes them and takes them away."""

import os

from codetools.core.record import Record


class Masks(Record):
    """The right to have placeholders in one root. Whoever has the descriptor `held` open, a child too, keeps them."""

    place: str
    held: int

    @property
    def lock(self) -> str:
        """The file that the sandbox itself locks for as long as one of its processes lives."""
        return f"{self.place}.held"

    def close(self) -> None:
        """Let go, and take the placeholders away where nobody else needs them."""
        from codetools.shell.walls.masks import clear_masks

        os.close(self.held)
        clear_masks(self.place)
