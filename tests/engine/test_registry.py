import pytest

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.engine.built_in import BUILT_IN


def test_every_module_under_tools_is_a_tool_named_by_its_path():
    assert [tool.words for tool in BUILT_IN.all()] == list(BUILT_IN.words())
    assert all(tool.name == "_".join(tool.words) for tool in BUILT_IN.all())


def test_a_tool_is_found_by_name_and_by_alias():
    assert BUILT_IN.find("read_file") == BUILT_IN.find("read")


@pytest.mark.parametrize("name", ["", "..", "../x", "read.py", "__init__", "os", "a/b", "ré"])
def test_what_is_no_tool_is_a_usage_error(name: str):
    with pytest.raises(Failure) as caught:
        BUILT_IN.find(name)
    assert caught.value.kind == "usage"


def test_a_description_names_the_limits_in_force():
    assert "7" in BUILT_IN.description(BUILT_IN.find("read"), Limits(read_lines=7))
