"""A model pays for every byte of a schema, on every call."""

import json

from codetools.core.limits import Limits
from codetools.engine.built_in import BUILT_IN
from codetools.render.schemas import export, export_text

EVERYDAY = ("read", "write", "edit", "grep", "glob", "ls", "bash")
MOST_BYTES = 4500


def test_the_everyday_tools_take_at_most_4500_bytes():
    tools = [(tool, BUILT_IN.description(tool, Limits())) for tool in map(BUILT_IN.find, EVERYDAY)]
    sizes = {
        name: len(json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode())
        for name, document in zip(EVERYDAY, export(tools, "anthropic"), strict=True)
    }
    assert len(export_text(tools, "anthropic").strip().encode()) <= MOST_BYTES, sizes
