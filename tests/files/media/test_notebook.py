import json
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.files.media.notebook import OUTPUT_CHARS, notebook_of


def notebook(*cells: Any) -> bytes:
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode()


def text_of(*cells: Any) -> str:
    found = notebook_of(notebook(*cells))
    assert found is not None
    return found.text


def test_cells_come_in_order_with_what_they_printed():
    cells = (
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {
            "cell_type": "code",
            "execution_count": 3,
            "source": "print('hi')",
            "outputs": [
                {"output_type": "stream", "text": ["hi\n"]},
                {"output_type": "execute_result", "data": {"text/html": "<b>7</b>", "text/plain": "7"}},
                {"output_type": "error", "traceback": ["\x1b[31mError\x1b[0m: no", "line 1"]},
            ],
        },
    )
    assert text_of(*cells) == (
        "--- cell 1: markdown ---\n# Title\nwords\n\n"
        "--- cell 2: code, run 3 ---\nprint('hi')\n"
        "--- output of cell 2 ---\nhi\n--- output of cell 2 ---\n7\n--- output of cell 2 ---\nError: no\nline 1\n"
    )


def test_images_in_outputs_stand_beside_the_text():
    data = {"image/png": b64encode(b"picture").decode(), "text/plain": "<Figure>"}
    found = notebook_of(notebook({"cell_type": "code", "source": "", "outputs": [{"data": data}]}))
    assert found is not None
    assert [(image.format, image.content) for image in found.images] == [("PNG", b"picture")]
    assert "<Figure>\n[image 1: image/png]" in found.text


def test_a_long_output_is_cut_in_the_middle_and_it_is_said_i6():
    text = text_of({"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": "y" * 50_000}]})
    assert "[40,000 characters left out]" in text
    assert len(text) < OUTPUT_CHARS + 200


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"cells": 1, "nbformat": 4}', b'{"cells": []}', b"[" * 100_000])
def test_what_is_no_notebook_is_none(content: bytes):
    assert notebook_of(content) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cell_type", "source", "outputs", "data", "text", "output_type", "image/png", "traceback"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=3))
def test_no_json_makes_it_fail(cells: list[Any]):
    found = notebook_of(notebook(*cells))
    assert found is not None
    found.text.encode()
