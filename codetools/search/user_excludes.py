"""Where the user's own excludes file is, found without running git and without a repository's settings."""

import os
import re

MOST_CONFIG_BYTES = 1 << 20


def user_excludes_file() -> str:
    """Return the path that `core.excludesFile` of the user's git settings names, or git's own place for it."""
    home = os.environ.get("HOME", "")
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    for config in (os.path.join(home, ".gitconfig"), os.path.join(settings, "git", "config")):
        found = re.search(r'(?im)^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$', _text(config))
        if found:
            return os.path.expanduser(found[1])
    return os.path.join(settings, "git", "ignore")


def _text(config: str) -> str:
    from codetools.search.ignore_file import read_lines

    return b"\n".join(read_lines(config, None) or ()).decode("utf-8", "surrogateescape")
