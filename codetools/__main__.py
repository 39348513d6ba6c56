"""The doorman: a clean process, then the right door."""


def main() -> None:
    """Run the command line."""
