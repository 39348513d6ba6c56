import subprocess

from codetools.search.file_types import TYPES
from codetools.search.ripgrep import find_ripgrep


def test_types_hold_the_globs_that_ripgrep_gives_them():
    rg = find_ripgrep(())
    assert rg is not None
    listed = subprocess.run([rg, "--no-config", "--type-list"], capture_output=True, text=True, check=True).stdout
    known = {
        name: tuple(globs.split(", ")) for name, _, globs in (line.partition(": ") for line in listed.splitlines())
    }
    assert {name: known[name] for name in TYPES} == TYPES
