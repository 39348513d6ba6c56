"""What people and pipes get for an outcome."""

import pytest

from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Change, Notice, Outcome, Result, Span
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.render.human import Rendering, render
from codetools.render.messages import error_line
from codetools.render.subject import subject_of
from codetools.render.terminal import Terminal
from tests.render.outcomes import DIFF, Lines, edited, failed, outcome

PIPE = Terminal()
PLAIN_TTY = Terminal(is_terminal=True, moves=True)
TTY = PLAIN_TTY.but(color=True)


class Matches(Result):
    count: int
    status_code: int | None = None

    def text(self) -> str:
        return "a.py:1:x\x1b[2J"

    def plain(self) -> str:
        return "a.py:1:x\x1b[2J"

    def display(self) -> tuple[tuple[Span, ...], ...]:
        return ((Span("a.py", "path"),), (Span("1", "line_number"), Span(":"), Span("x\x1b[2J", "match")))

    def status(self) -> str:
        return f"{self.count} matches"

    def process_status(self) -> int | None:
        return self.status_code


def out(sample: Outcome, terminal: Terminal = PLAIN_TTY, subject: str = "") -> str:
    return render(sample, terminal, PIPE, subject).out


def test_a_pipe_gets_the_plain_form_raw_and_ended():
    assert render(outcome(Matches(1)), PIPE, PIPE, "x") == Rendering("a.py:1:x\x1b[2J\n", "")
    assert out(outcome(Lines(Path("a"), "")), PIPE) == ""


def test_a_pipe_gets_a_process_output_without_a_line_feed_of_ours():
    assert out(outcome(Matches(1, 0)), PIPE) == "a.py:1:x\x1b[2J"


class Ran(Matches):
    def plain_error(self) -> str:
        return "oops\x1b\n"


def test_i9_a_pipe_gets_a_process_errors_on_standard_error_and_a_terminal_once_among_the_rest():
    assert render(outcome(Ran(1, 0)), PIPE, PIPE) == Rendering("a.py:1:x\x1b[2J", "oops\x1b\n")
    assert render(outcome(Ran(1, 0)), PIPE, PLAIN_TTY).error == "oops\\x1b\n"
    assert render(outcome(Ran(1, 0)), PLAIN_TTY, PLAIN_TTY).error == ""


class Raw(Lines):
    def is_exact(self) -> bool:
        return True


def test_exact_contents_get_no_line_feed_in_a_pipe():
    assert out(outcome(Raw(Path("a"), "x")), PIPE) == "x"
    assert out(outcome(Raw(Path("a"), "x"))) == "read\nx\n✓ Success → 1 byte, 1 line\n"


def test_colour_forced_on_a_pipe_gives_the_lines_alone():
    wanted = "\x1b[35ma.py\x1b[0m\n\x1b[32m1\x1b[0m:\x1b[1;31mx\\x1b[2J\x1b[0m\n"
    assert out(outcome(Matches(1)), PIPE.but(color=True)) == wanted


def test_a_terminal_gets_a_header_the_lines_and_a_status():
    assert out(outcome(Matches(2), tool="web_grep"), subject="x src") == (
        "web grep x src\na.py\n1:x\\x1b[2J\n✓ Success → 2 matches\n"
    )


def test_i9_a_terminal_gets_plain_contents_escaped_and_counted():
    sample = outcome(Lines(Path("a"), "one\r\n\x1b[31mtwo"))
    assert out(sample, subject="a\n\x1b") == "read a\\n\\x1b\none\n\\x1b[31mtwo\n✓ Success → 13 bytes, 2 lines\n"


@pytest.mark.parametrize(("content", "status"), [("", "0 bytes, 0 lines"), ("x\n" * 5000, "10,000 bytes, 5,000 lines")])
def test_the_status_counts_what_was_returned(content: str, status: str):
    assert out(outcome(Lines(Path("a"), content))).endswith(f"✓ Success → {status}\n")


def test_colours_mark_header_verdict_and_status():
    assert out(outcome(Lines(Path("a"), "x\n")), TTY, "a").splitlines() == [
        "\x1b[1mread\x1b[0m\x1b[2m a\x1b[0m",
        "x",
        "\x1b[32m✓ Success\x1b[0m\x1b[2m → 2 bytes, 1 line\x1b[0m",
    ]


def test_an_edit_shows_its_diff_and_how_to_take_it_back():
    lines = out(edited(), TTY, "app.py").splitlines()
    assert lines[1:3] == ["\x1b[1m--- a/app.py\x1b[0m", "\x1b[1m+++ b/app.py\x1b[0m"]
    assert lines[3:8] == [
        "\x1b[36m@@ -1,3 +1,3 @@\x1b[0m",
        " def main():",
        "\x1b[31m-    return 1\x1b[0m",
        "\x1b[32m+    return 2\x1b[0m",
        " # end",
    ]
    assert out(edited()).splitlines()[-1] == "✓ Success → 1 file, +1 -1 (undo 17)"


def test_a_removed_line_of_dashes_is_no_header():
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- old\n+++ new\n\\ No newline at end of file\n"
    sample = edited(changes=(Change(Path("x"), "modify", diff, 1, 1),))
    assert out(sample, TTY).splitlines()[4:7] == [
        "\x1b[31m--- old\x1b[0m",
        "\x1b[32m+++ new\x1b[0m",
        "\x1b[2m\\ No newline at end of file\x1b[0m",
    ]


def test_a_pipe_gets_an_edit_as_a_patch():
    moved = Change(Path("b"), "move", source=Path("a"))
    assert out(edited(), PIPE) == DIFF
    assert out(edited(changes=(*edited().changes, moved)), PIPE) == DIFF + "moved a -> b\n"


def test_i9_a_diff_of_escapes_is_shown_escaped_on_a_terminal_and_whole_in_a_pipe():
    change = Change(Path("a"), "modify", "--- a\n+++ b\n@@ -1 +1 @@\n-\x1b[2J\n+x\r\n", 1, 1)
    assert "\n-\\x1b[2J\n+x\\r\n" in out(edited(changes=(change,)))
    assert out(edited(changes=(change,)), PIPE) == change.diff


def test_a_dry_run_says_that_nothing_changed():
    sample = edited(changed=False, dry_run=True, undo=None)
    assert out(sample).endswith("✓ Dry run, nothing changed → 1 file, +1 -1\n")


def test_a_failure_is_one_line_on_standard_error():
    sample = failed(
        "not_unique", "app.py: text occurs 3 times (lines 3, 9, 20).", "Add a neighbouring line, or use --all."
    )
    line = "codetools edit: app.py: text occurs 3 times (lines 3, 9, 20). Add a neighbouring line, or use --all.\n"
    assert render(sample, PIPE, PIPE) == Rendering("", line)
    assert render(sample, PLAIN_TTY, PLAIN_TTY.but(width=200), "app.py") == Rendering("", "✗ " + line)
    assert render(sample, TTY, TTY).error.startswith("\x1b[31m✗ codetools edit:\x1b[0m app.py: text")


def test_on_a_terminal_messages_break_at_words():
    narrow = PLAIN_TTY.but(width=40)
    sample = failed("usage", "one two three four five.", "six seven eight nine ten.").but(
        notices=(Notice("x", "a-long-word-that-stays-whole-however-narrow-it-is is what it is"),)
    )
    assert render(sample, narrow, narrow).error.splitlines() == [
        "codetools edit: note:",
        "  a-long-word-that-stays-whole-however-narrow-it-is",
        "  is what it is",
        "✗ codetools edit: one two three four",
        "  five. six seven eight nine ten.",
    ]


def test_on_a_terminal_a_failure_shows_its_lines_below_and_in_a_pipe_it_does_not():
    failure = Failure("no_match", "a: no.", "Read.", text="a: no.\nNearest:\n3\tx\x1b[2J\nRead.")
    sample = failed("no_match", "", "").but(failure=failure)
    assert render(sample, PIPE, PIPE).error == "codetools edit: a: no. Read.\n"
    assert render(sample, PLAIN_TTY, PLAIN_TTY).error == ("✗ codetools edit: a: no. Read.\nNearest:\n3\tx\\x1b[2J\n")


def test_an_answer_of_no_says_so():
    class Nothing(Matches):
        def answers_no(self) -> bool:
            return True

    assert out(outcome(Nothing(0)), TTY).endswith("\x1b[33m– Nothing found\x1b[0m\n")


def test_what_a_failure_shows_breaks_at_words_too():
    narrow = PLAIN_TTY.but(width=40)
    failure = Failure("no_match", "a: no.", text="a: no.\nFirst difference, at line 3 (· is a space):\n  file:  a·b\n")
    assert render(failed("no_match", "", "").but(failure=failure), narrow, narrow).error.splitlines()[1:] == [
        "First difference, at line 3 (· is a",
        "  space):",
        "  file:  a·b",
    ]


def test_a_cut_of_the_models_text_is_not_told_where_all_is_printed():
    sample = outcome(Lines(Path("a"), "x\n"), notices=(Notice("text_cut", "cut: 1 of 2 characters shown"),))
    assert render(sample, PIPE, PIPE) == Rendering("x\n", "")


def test_i9_a_failure_with_control_characters_stays_one_line():
    assert (
        render(failed("io", "a\n\x1b]0;x\x07: broken."), PIPE, PIPE).error
        == "codetools edit: a\\n\\x1b]0;x\\x07: broken.\n"
    )


def test_a_message_that_names_the_tool_does_not_name_it_twice():
    assert (
        render(failed("usage", "edit: missing 'file_path'."), PIPE, PIPE).error
        == "codetools edit: missing 'file_path'.\n"
    )


def test_a_message_that_names_the_command_does_not_name_it_twice():
    failure = Failure("usage", "jobs output: missing JOB.")
    assert error_line("jobs_output", failure, PIPE) == "codetools jobs output: missing JOB.\n"


def test_a_servers_tool_keeps_the_name_it_has():
    failure = Failure("usage", "missing 'timezone'.")
    said = error_line("mcp__time__get_current_time", failure, PIPE)
    assert said == "codetools mcp__time__get_current_time: missing 'timezone'.\n"


def test_a_failure_shows_what_was_captured():
    failure = Failure("timeout", "Timed out after 2 s.", data=Matches(1, None))
    rendering = render(outcome(tool="bash", failure=failure), PLAIN_TTY, PIPE, "sleep 9")
    assert rendering.out == "bash sleep 9\na.py\n1:x\\x1b[2J\n✗ timeout → 1 matches\n"
    assert rendering.error == "codetools bash: Timed out after 2 s.\n"
    assert render(outcome(failure=failure), PIPE, PIPE).out == "a.py:1:x\x1b[2J\n"


def test_a_failed_process_is_no_success():
    assert out(outcome(Matches(0, 3))).endswith("✗ Exit 3 → 0 matches\n")


def test_notices_go_to_standard_error():
    sample = outcome(Lines(Path("a"), "x\n"), notices=(Notice("cut", "Cut at 2000 lines.\n\x1b"),))
    assert render(sample, PIPE, PIPE) == Rendering("x\n", "codetools read: note: Cut at 2000 lines.\\n\\x1b\n")
    assert render(sample, TTY, TTY).error == "\x1b[33mcodetools read: note:\x1b[0m Cut at 2000 lines.\\n\\x1b\n"


def test_a_slow_call_says_how_long_it_took():
    assert out(outcome(Matches(1), duration_ms=2340)).endswith("✓ Success → 1 matches (2.3 s)\n")


@pytest.mark.parametrize("width", [20, 40, 200])
def test_header_and_status_take_one_line_at_any_width(width: int):
    lines = out(edited(), PLAIN_TTY.but(width=width), "日本語/" * 60).splitlines()
    assert len(lines[0]) <= width
    assert lines[0].endswith("…")
    assert len(lines[-1]) == min(width, len("✓ Success → 1 file, +1 -1 (undo 17)"))


class Params(Record):
    pattern: Annotated[str, Arg("", positional=True, text=True)]
    path: Annotated[Path, Arg("", positional=True)] = Path(".")
    paths: Annotated[tuple[str, ...], Arg("", positional=True)] = ()
    replacement: Annotated[str, Arg("", positional=True, text=True)] = ""
    hidden: Annotated[bool, Arg("")] = False


def test_the_subject_is_what_was_given_by_place():
    assert subject_of(Params("x")) == "x"
    assert subject_of(Params("x", Path("src"), ("a", "b"), "long " * 99, True)) == "x src a b"
