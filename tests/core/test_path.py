import pytest

from codetools.core.path import quoted


@pytest.mark.parametrize("name", ["a.txt", "a b", "é", "表", "[red]", "-x", "it's"])
def test_a_plain_name_is_shown_as_it_is(name: str):
    assert quoted(name) == name


def test_other_names_are_one_line_each_and_never_the_same():
    names = [
        "a\nb",
        "a\\nb",
        "a\rb",
        "a\tb",
        'a"b',
        "a\udcffb",
        "a\udcfeb",
        "a\ufffdb",
        "a\u202eb",
        "a\x1bb",
        '"a\\nb"',
    ]
    shown = [quoted(name) for name in names]
    assert len(set(shown)) == len(names)
    assert all(text.isprintable() for text in shown)
