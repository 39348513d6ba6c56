"""Takes the text of here-documents out of a script that is not understood: nothing runs what a program only reads.

Best effort, for the banned scan alone. What may run stays: substitutions, and all that stands in a line with a shell.
"""

import re

from codetools.shell.analysis.wrappers import PREFIXES, SHELLS

MOST_DOCUMENTS = 50  # each is looked for through the whole text
_START = re.compile(r"(?<!<)<<(?!<)(-?)[ \t]*(?:'([\w.-]+)'|\"([\w.-]+)\"|\\([\w.-]+)|([\w.-]+))")
_WORD = re.compile(r"[^\s;|&()<>'\"`]+")
_RUN_WHAT_THEY_READ = SHELLS | PREFIXES | {"source", ".", "eval", "xargs"}


def without_documents(script: str) -> str:
    """Return a script with what its here-documents hold left out, but for substitutions that the shell makes."""
    kept: list[str] = []
    position = 0
    for _ in range(MOST_DOCUMENTS):
        found = _START.search(script, position)
        if found is None:
            break
        body, end = _body(script, found)
        if end < 0:
            kept.append(script[position : found.end()])
            position = found.end()
            continue
        kept.append(script[position:body])
        if found[5] is not None:  # not quoted: the shell expands it
            kept.append(': "' + script[body:end].replace('"', " ") + '"\n')
        position = end
    return "".join(kept) + script[position:]


def _body(script: str, found: re.Match[str]) -> tuple[int, int]:
    """Return where a document's text begins and ends; -1 for the end where it is to stay."""
    line_start = script.rfind("\n", 0, found.start()) + 1
    line_end = script.find("\n", found.end())
    if line_end < 0:
        return 0, -1
    before = script[max(line_start, script.rfind("$(", line_start, found.start()) + 2) : found.start()]
    line = script[line_start:line_end]
    names = {word.rpartition("/")[2] for word in _WORD.findall(line)}
    if before.count('"') % 2 or before.count("'") % 2 or names & _RUN_WHAT_THEY_READ or "<<" in line[found.end() :]:
        return 0, -1
    delimiter = found[2] or found[3] or found[4] or found[5]
    tabs = "\t*" if found[1] else ""
    last = re.compile(rf"^{tabs}{re.escape(delimiter)}$", re.MULTILINE).search(script, line_end + 1)
    return line_end + 1, last.start() if last is not None else -1
