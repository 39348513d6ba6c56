"""The decoder's process: a file on standard input, a line of facts and the bytes made of it on standard output."""

import json
import sys
from typing import Any

DETAIL_CHARS = 200


class Problem(Exception):
    """What keeps a file from being decoded, by name."""

    def __init__(self, name: str, details: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.details = details


def main(job: dict[str, Any]) -> None:
    """Do the job and answer; every problem is an answer too."""
    content = sys.stdin.buffer.read()
    made = b""
    try:
        if job["do"] == "image":
            from codetools.files.media.picture import picture

            facts, made = picture(content, job)
        else:
            from codetools.files.media.pages import pages

            facts = pages(content, job)
    except Problem as problem:
        facts = {"problem": problem.name, "details": problem.details}
    except (MemoryError, OverflowError):
        facts = {"problem": "memory"}
    except ImportError as error:
        facts = {"problem": "missing", "details": str(error.name or "")}
    except Exception as error:  # noqa: BLE001  the one broad catch of this process: decoders raise anything
        facts = {"problem": "damaged", "details": " ".join(f"{type(error).__name__}: {error}".split())[:DETAIL_CHARS]}
    sys.stdout.buffer.write(json.dumps(facts).encode() + b"\n" + made)
    sys.stdout.buffer.flush()
