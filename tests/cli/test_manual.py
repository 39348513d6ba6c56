"""The man pages, read by the two programs that print them."""

import subprocess
from pathlib import Path

import pytest

from codetools.cli.generated import SETTINGS_MANUAL, man_pages
from codetools.cli.manual import escaped
from tests import needs
from tests.cli.typed import typed

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
PAGES = man_pages()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_sound_roff(path: str, tmp_path: Path):
    for program in ("groff", "mandoc"):
        needs.program(program)
    page = tmp_path / Path(path).name
    page.write_text(PAGES[path])
    groff = subprocess.run(["groff", "-ww", "-man", "-Tutf8", "-z", page], capture_output=True, text=True, check=True)
    assert groff.stderr == ""
    lint = subprocess.run(["mandoc", "-Tlint", "-W", "warning", page], capture_output=True, text=True, check=False)
    assert lint.stdout == ""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_every_section_in_order(path: str):
    found = [line.removeprefix(".SH ") for line in PAGES[path].splitlines() if line.startswith(".SH ")]
    wanted = [name for name in SECTIONS if path != SETTINGS_MANUAL or name not in ("OPTIONS", "EXIT STATUS")]
    assert [name for name in found if name in SECTIONS] == wanted


def test_every_page_is_named_in_the_main_one():
    for path in PAGES:
        if path != "man/codetools.1":
            assert escaped(Path(path).stem) in PAGES["man/codetools.1"]


def test_what_is_written_is_what_is_printed(tmp_path: Path):
    text = """.a 'b' "c" \\d -e ^f ~g `h` üi → %s \\fB"""
    needs.program("mandoc")
    page = tmp_path / "page.1"
    page.write_text(f'.TH X 1 "" ""\n.SH NAME\nx \\- y\n.SH TEXT\n{escaped(text)}\n')
    shown = subprocess.run(["mandoc", "-Tutf8", page], capture_output=True, text=True, check=True).stdout
    assert text in shown.replace("\b", "")


def test_every_setting_is_in_the_page_of_the_settings():
    page = PAGES[SETTINGS_MANUAL]
    shown = [line for line in typed("config", "show").stdout.splitlines() if not line.startswith("#")]
    names = [line.partition(":")[0] for line in shown]
    assert len(names) > 30
    assert [name for name in names if f"\\fB{escaped(name)}\\fR" not in page] == []


def test_fish_reads_no_heading_into_the_last_option_of_the_main_page():
    options = PAGES["man/codetools.1"].partition(".SH OPTIONS")[2].partition(".SH")[0]
    assert "\\-" not in options.split(".TP")[-1]
