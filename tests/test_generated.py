"""The committed man pages, completions and README table are those that the declarations make."""

from pathlib import Path

import pytest

from codetools.cli.generated import README, completion_scripts, man_pages, readme_with_table

REPOSITORY = Path(__file__).parent.parent
MADE = {**man_pages(), **completion_scripts()}


@pytest.mark.parametrize("path", MADE)
def test_a_generated_file_is_up_to_date(path: str):
    assert (REPOSITORY / path).read_text() == MADE[path], "run: codetools generate"


def test_no_man_page_is_left_of_a_command_that_is_no_more():
    found = (*(REPOSITORY / "man").iterdir(), *(REPOSITORY / "man5").iterdir())
    assert {str(page.relative_to(REPOSITORY)) for page in found} == set(man_pages())


def test_the_readme_lists_the_tools():
    readme = (REPOSITORY / README).read_text()
    assert readme == readme_with_table(readme), "run: codetools generate"
